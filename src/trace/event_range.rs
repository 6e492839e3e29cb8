//! The first or last events of a run, by number.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::error::Result;

use super::Trace;
use super::accept::Accept;
use super::ordered::ordered;
use super::run_options::RunOptions;
use super::slices::{Slice, SliceReader};

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

    /// Returns the range of each slice, if only some events are wanted: counts slices before the run, as far as it must,
    /// and reports how many bytes were read for that.
    pub(super) fn plan(
        trace: &Trace,
        options: &RunOptions,
        accept: &Accept,
        read: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<Option<Vec<Self>>> {
        if !Self::is_wanted(options) {
            return Ok(None);
        }
        let last = options.last.unwrap_or(u64::MAX);
        let of_end = if options.first.is_none() { of_end(trace, options, accept, last)? } else { None };
        let counts = if let Some(counts) = of_end {
            counts
        } else {
            let slices = trace.run_slices(options, accept).over(trace);
            count((trace, accept), options.threads, slices, options.first, read)?
        };
        let total: u64 = counts.iter().sum();
        let end = options.first.map_or(total, |first| first.min(total));
        // With both options, the last events of the first ones.
        let start = end.saturating_sub(last);
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

/// Slices at the end that are looked at before all are counted.
const END: usize = 16;

/// Wanted events of each slice, as if only the last slices had any; `None` if these have not enough.
fn of_end(trace: &Trace, options: &RunOptions, accept: &Accept, enough: u64) -> Result<Option<Vec<u64>>> {
    let (mut end, mut before) = (VecDeque::new(), 0);
    for slice in trace.run_slices(options, accept).over(trace) {
        end.push_back(slice);
        if end.len() > END {
            end.pop_front();
            before += 1;
        }
    }
    let mut counts = vec![0; before];
    counts.extend(count((trace, accept), options.threads, end.into_iter(), None, &mut |_| Ok(()))?);
    Ok(Some(counts).filter(|counts| before == 0 || counts.iter().sum::<u64>() >= enough))
}

/// Wanted events of slices, in order, until there are enough.
fn count(
    (trace, accept): (&Trace, &Accept),
    threads: usize,
    slices: impl Iterator<Item = Slice> + Send,
    enough: Option<u64>,
    read: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<Vec<u64>> {
    let (mut counts, mut sum) = (Vec::new(), 0_u64);
    ordered(
        (SliceReader::default(), (1..threads).map(|_| SliceReader::default()).collect()),
        slices,
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
            sum = sum.saturating_add(count);
            Ok(if enough.is_some_and(|enough| sum >= enough) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        },
    )?;
    Ok(counts)
}
