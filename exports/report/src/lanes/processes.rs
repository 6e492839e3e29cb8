//! A lane for each process: when it ran, as far as events state it.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::trace::Trace;
use etwkit_browse::Extent;

use super::cut;
use crate::model::{Lane, LaneData, LaneGroup};

/// The lanes of processes whose start or end an event states, in the order of these. Of the others, which ran all the
/// time as far as is known, there is none.
pub(crate) fn processes(trace: &Trace, extent: Extent) -> LaneGroup {
    let inside = |time: Option<FileTime>| time.filter(|time| extent.base <= *time && *time <= extent.end);
    let mut spans: BTreeMap<(i64, i64, u32), String> = BTreeMap::new();
    for process in trace.systems().iter().flat_map(|system| system.processes.list()).map(|(_, process)| process) {
        let (start, end) = (inside(process.start), inside(process.end));
        if start.is_some() || end.is_some() {
            let units = |time: Option<FileTime>, other: i64| time.map_or(other, |time| extent.units(time));
            let key = (units(start, -1), units(end, i64::MAX), process.facts.pid);
            spans.insert(key, process.file_name().to_owned());
        }
    }
    let lane = |((start, end, pid), name): ((i64, i64, u32), String)| {
        let (start, end) = (Some(start).filter(|start| *start >= 0), Some(end).filter(|end| *end < i64::MAX));
        let label = if name.is_empty() { format!("process {pid}") } else { format!("{name} ({pid})") };
        Lane { label, detail: String::new(), total: 1.0, data: LaneData::Spans(vec![(start, end)]) }
    };
    let mut lanes: Vec<Lane> = spans.into_iter().map(lane).collect();
    LaneGroup {
        id: "processes",
        title: "Processes",
        about: "Processes that started or ended while the trace was recorded. A bar that fades has no known start or end.",
        unit: "",
        left_out: cut(&mut lanes, MOST_LANES),
        lanes,
        excess: 0,
    }
}

/// Lanes of processes.
const MOST_LANES: usize = 100;
