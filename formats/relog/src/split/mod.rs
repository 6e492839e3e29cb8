//! Cutting a trace into several files.

mod lanes;
mod parts;
mod process;
mod size;
mod time;

use std::collections::BTreeMap;
use std::time::Duration;

use etwkit::Trace;
use etwkit::trace::Filter;

use crate::copy::CopyOptions;
use crate::error::Result;
use crate::refused;
use parts::{MOST_PARTS, TOO_MANY, refused};
pub use parts::{Part, Parts};
use process::by_process;
use size::by_size;
use time::by_time;

/// How a trace is cut. Every part has what is needed to read its events, so parts together are larger than the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Split {
    /// A file for each stretch of time of this length that has events.
    Time(Duration),
    /// Files of at most so many bytes before compression, one after the other in time. A file is larger only if the events
    /// of one time are, with what every file has, or by stacks that come after its last event and may belong to its events.
    Size(u64),
    /// A file for each process that an event is about. The id of one that has ended may be that of another one, which has a
    /// file of its own.
    Process,
    /// A file for each provider.
    Provider,
}

impl Parts {
    /// Plans the files for the events that pass the filter of a copy. Reads all events once, or twice to cut by size. The
    /// notes of the parts may state, beside the description of the filter, from when to when their events are.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`](crate::Error::Refused) for more than 4,096 files, which is as many as one trace may have, for times
    /// of a trace whose clock is not known, and for what [`copy`](crate::copy()) refuses;
    /// [`Error::TooSmall`](crate::Error::TooSmall) for a size of which what every file has takes more than seven eighths, or
    /// that leaves no room for events of the processors; those of reading.
    pub fn new(trace: &Trace, options: &CopyOptions, split: Split) -> Result<Self> {
        refused::check(trace)?;
        let filter = &options.filter;
        let parts = match split {
            Split::Time(length) => by_time(trace, filter, length)?,
            Split::Size(bytes) => by_size(trace, options, bytes)?,
            Split::Process => by_process(trace, filter)?,
            Split::Provider => by_provider(trace, filter)?,
        };
        if parts.list.len() > MOST_PARTS { Err(refused(trace, TOO_MANY)) } else { Ok(parts) }
    }
}

fn by_provider(trace: &Trace, filter: &Filter) -> Result<Parts> {
    let (mut found, mut left_out) = (BTreeMap::<u128, Part>::new(), 0);
    let mut events = trace.select(filter);
    while let Some(event) = events.next_raw()? {
        let Some(row) = trace.type_of(&event) else {
            left_out += 1;
            continue;
        };
        let guid = row.provider_guid();
        let part =
            || Part { label: row.provider().to_owned(), pid: None, filter: filter.clone().provider_guids([guid]) };
        found.entry(guid.to_u128()).or_insert_with(part);
    }
    Ok(Parts { list: found.into_values().collect(), left_out })
}
