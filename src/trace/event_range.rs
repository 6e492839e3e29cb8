//! The first or last events of a run, by number.

use std::ops::ControlFlow;

use crate::error::Result;

use super::Trace;
use super::filter::Accept;
use super::ordered::ordered;
use super::run_options::RunOptions;
use super::slices::SliceReader;

/// Which of a slice's events are delivered: some are skipped, then some taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventRange {
    pub(super) skip: u64,
    pub(super) take: u64,
}

impl EventRange {
    /// All.
    pub(super) const ALL: Self = Self { skip: 0, take: u64::MAX };
    const NONE: Self = Self { skip: 0, take: 0 };

    /// Returns whether only the first or last events are wanted.
    pub(super) const fn is_wanted(options: &RunOptions) -> bool {
        options.first.is_some() || options.last.is_some()
    }

    /// Returns the range of each slice, if only some events are wanted: counts all slices before the run, and reports
    /// how many bytes were read for that.
    pub(super) fn plan(
        trace: &Trace,
        options: &RunOptions,
        accept: &Accept,
        read: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<Option<Vec<Self>>> {
        if !Self::is_wanted(options) {
            return Ok(None);
        }
        let counts = count(trace, options, accept, read)?;
        let total: u64 = counts.iter().sum();
        let end = options.first.map_or(total, |first| first.min(total));
        // With both options, the last events of the first ones.
        let start = options.last.map_or(0, |last| end.saturating_sub(last));
        let mut before = 0;
        let range = |count: u64| {
            let (from, to) = (start.clamp(before, before + count), end.clamp(before, before + count));
            let skip = from - before;
            before += count;
            Self { skip, take: to - from }
        };
        Ok(Some(counts.into_iter().map(range).collect()))
    }

    /// The range of one slice.
    pub(super) fn of(all: &[Self], slice: usize) -> Self {
        all.get(slice).copied().unwrap_or(Self::NONE)
    }
}

/// Wanted events of each slice.
fn count(
    trace: &Trace,
    options: &RunOptions,
    accept: &Accept,
    read: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<Vec<u64>> {
    let mut counts = Vec::new();
    ordered(
        options.threads,
        trace.run_slices(options, accept).over(trace),
        SliceReader::default,
        |reader, slice, _| {
            let (mut count, bytes) = (0, slice.bytes_done());
            reader.push([slice].into_iter());
            while reader.load(trace, accept)? {
                count += reader.memory.skip(u64::MAX);
            }
            Ok((count, bytes))
        },
        |(count, bytes)| {
            read(bytes)?;
            counts.push(count);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(counts)
}
