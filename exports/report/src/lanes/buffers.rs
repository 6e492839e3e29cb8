//! A lane of buffers for each processor.

use std::collections::{BTreeMap, BTreeSet};

use etwkit::FileId;
use etwkit::Severity;
use etwkit::container::BufferInfo;
use etwkit::format::LogFileMode;
use etwkit::trace::Trace;

use super::cut;
use crate::collect::BufferSpan;
use crate::model::{BufferFlags, Lane, LaneData, LaneGroup};

/// A buffer of a lane: first and last event, used part in per cent, flags.
type Buffer = (i64, i64, u8, u8);

/// The lanes, by file and processor. `spans` has the first and the last event of each buffer.
pub(crate) fn buffers(trace: &Trace, spans: &[Option<BufferSpan>]) -> LaneGroup {
    let damage = Damage::of(trace);
    let mut lanes: BTreeMap<(FileId, u16), Vec<Buffer>> = BTreeMap::new();
    let after_gaps = after_gaps(trace);
    for (info, span) in trace.buffers().zip(spans) {
        let is_after_gap = after_gaps.contains(&(info.file, info.sequence));
        let Some((first, last)) = *span else { continue };
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let flags = flag(is_after_gap, BufferFlags::AFTER_GAP) | flag(damage.has(&info), BufferFlags::DAMAGED);
        lanes.entry((info.file, info.processor)).or_default().push((first, last, used(trace, &info), flags));
    }
    let is_one = trace.files().len() == 1;
    let lane = |((file, processor), mut list): ((FileId, u16), Vec<Buffer>)| {
        list.sort_unstable();
        let total = list.len() as f64;
        join(&mut list);
        let file = trace.file(file).map_or("", |file| file.source.name());
        let detail = if is_one { String::new() } else { file.to_owned() };
        Lane { label: format!("CPU {processor}"), detail, total, data: LaneData::Buffers(list) }
    };
    let mut lanes: Vec<Lane> = lanes.into_iter().map(lane).collect();
    LaneGroup {
        id: "buffers",
        title: "Buffers by processor",
        about: "Each bar is a buffer from its first event to its last; its height is the part that is used. Empty stretches \
                are holes. Damaged buffers, and those before which numbers are missing, are marked.",
        unit: "buffers",
        left_out: cut(&mut lanes, MOST_LANES),
        lanes,
        excess: 0,
    }
}

/// The numbers of buffers before which another one is missing, by file. Merging regroups buffers, so that numbers state
/// nothing then; numbers that repeat are leftovers of something else.
fn after_gaps(trace: &Trace) -> BTreeSet<(FileId, i64)> {
    let mut known: BTreeSet<(FileId, i64)> = BTreeSet::new();
    let mut repeats: BTreeSet<FileId> = BTreeSet::new();
    for info in trace.buffers().filter(|info| info.sequence > 0) {
        if !known.insert((info.file, info.sequence)) {
            repeats.insert(info.file);
        }
    }
    let is_numbered = |file: FileId| {
        let mode = trace.file(file).map(|file| file.head.log.mode);
        mode.is_some_and(|mode| !mode.intersects(RELOG) && !mode.intersects(APPEND)) && !repeats.contains(&file)
    };
    let pairs = known.iter().zip(known.iter().skip(1));
    let gaps = pairs.filter(|((file, number), (next_file, next))| file == next_file && next - number > 1);
    gaps.map(|(_, after)| *after).filter(|(file, _)| is_numbered(*file)).collect()
}

/// Bits of `LogFileMode` (`evntrace.h`).
const APPEND: LogFileMode = LogFileMode(0x4);
const RELOG: LogFileMode = LogFileMode(0x1_0000);

/// The used part of a buffer, in per cent of the session's size of buffers.
fn used(trace: &Trace, info: &BufferInfo) -> u8 {
    let file = trace.file(info.file);
    let size = file.map_or(0, |file| file.head.log.buffer_size).max(if info.is_compressed() { 1 } else { info.size });
    (u64::from(info.used) * 100 / u64::from(size.max(1))).min(100) as u8
}

/// Joins neighbours until a lane has few enough.
fn join(list: &mut Vec<Buffer>) {
    while list.len() > MOST_BUFFERS {
        let pair = |pair: &[Buffer]| match *pair {
            [(start, end, used, flags), (next, last, more, others)] => {
                let flags = flags | others | BufferFlags::SEVERAL;
                (start.min(next), end.max(last), used.min(more), flags)
            }
            [one, ..] => one,
            [] => (0, 0, 0, 0),
        };
        *list = list.chunks(2).map(pair).collect();
    }
}

/// Where bytes are damaged: file, first byte, last byte; sorted.
struct Damage(Vec<(FileId, u64, u64)>);

impl Damage {
    fn of(trace: &Trace) -> Self {
        let damaged = trace.problems().iter().filter(|problem| problem.severity == Severity::Damage);
        let mut list: Vec<_> =
            damaged.map(|problem| (problem.file, problem.offset, problem.offset.saturating_add(problem.len))).collect();
        list.sort_unstable();
        Self(list)
    }

    /// Whether a damaged place begins in a buffer.
    fn has(&self, info: &BufferInfo) -> bool {
        let (file, end) = (info.file, info.offset.saturating_add(info.size.into()));
        let from = self.0.partition_point(|place| *place < (file, info.offset, 0));
        self.0.get(from).is_some_and(|(other, start, _)| *other == file && *start < end)
    }
}

/// Lanes of buffers.
const MOST_LANES: usize = 64;
/// Buffers of a lane; more are joined.
const MOST_BUFFERS: usize = 2_000;
