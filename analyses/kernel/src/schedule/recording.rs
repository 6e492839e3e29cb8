//! Where a trace states that events are missing.

use std::collections::BTreeMap;

use etwkit::trace::Trace;

/// Buffers before which events were lost, and sessions that have begun.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording {
    /// Numbers of the buffers before which events were lost, in order, by file and processor.
    lossy: Option<BTreeMap<(u16, u16), Vec<u32>>>,
    /// The files of each machine whose events have begun.
    files: BTreeMap<u16, Vec<u16>>,
}

impl Recording {
    /// Returns whether events of a processor were lost between those of a buffer, if there is one before, and those of the
    /// buffer that comes next.
    pub(super) fn is_loss_between(&mut self, before: Option<u32>, next: u32, trace: &Trace) -> bool {
        let Some(info) = trace.buffer(next) else { return false };
        let lossy = self.lossy.get_or_insert_with(|| lossy(trace));
        let Some(numbers) = lossy.get(&(info.file, info.processor)) else { return false };
        // Buffers of several files take turns.
        let is_before = |before: &u32| *before < next && trace.buffer(*before).is_some_and(|own| own.file == info.file);
        let first = before.filter(is_before).map_or(next, |before| before + 1);
        let at = numbers.partition_point(|number| *number < first);
        numbers.get(at).is_some_and(|number| *number <= next)
    }

    /// Returns whether a buffer is the first one of a session that began after all others of its machine had ended.
    pub(super) fn begins_after_all(&mut self, machine: u16, buffer: u32, trace: &Trace) -> bool {
        let Some(info) = trace.buffer(buffer) else { return false };
        let begun = self.files.entry(machine).or_default();
        if begun.contains(&info.file) {
            return false;
        }
        let log = |file: u16| trace.files().get(usize::from(file)).map(|file| &file.head.log);
        let start = log(info.file).map(|log| log.start_time);
        // The end is 0 if the session was not stopped.
        let has_ended = |file: &u16| log(*file).is_some_and(|log| log.end_time.0 > 0 && Some(log.end_time) <= start);
        let is_after_all = !begun.is_empty() && begun.iter().all(has_ended);
        begun.push(info.file);
        is_after_all
    }
}

fn lossy(trace: &Trace) -> BTreeMap<(u16, u16), Vec<u32>> {
    let mut lossy: BTreeMap<(u16, u16), Vec<u32>> = BTreeMap::new();
    for (number, info) in (0..).zip(trace.buffers()) {
        if info.flags.is_after_loss() {
            lossy.entry((info.file, info.processor)).or_default().push(number);
        }
    }
    lossy
}
