//! Lanes of errors and warnings.

use crate::collect::Pulses;
use crate::model::{Heat, Lane, LaneData, LaneGroup};

/// The lanes; none if the trace has neither errors nor warnings.
pub(crate) fn levels(pulses: &Pulses) -> LaneGroup {
    let lanes = [("critical and error", Pulses::ERRORS), ("warning", Pulses::WARNINGS)];
    let lane = |(label, lane): (&str, usize)| {
        let data = LaneData::Heat(Heat::of(&pulses.density, lane));
        Lane { label: label.to_owned(), detail: String::new(), total: pulses.density.total(lane), data }
    };
    LaneGroup {
        id: "levels",
        title: "Errors and warnings",
        about: "Events whose level is critical, error or warning.",
        unit: "events",
        lanes: lanes.into_iter().map(lane).filter(|lane| lane.total > 0.0).collect(),
        ..LaneGroup::default()
    }
}
