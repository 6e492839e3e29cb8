//! A lane for each provider.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use etwkit::EventType;
use etwkit::trace::Trace;

use crate::collect::Pulses;
use crate::model::{Heat, Lane, LaneData, LaneGroup};

/// The providers that have lanes.
#[derive(Clone, Debug)]
pub(crate) struct Providers {
    /// By the id of a type: its lane.
    pub(crate) lane_of_type: Vec<usize>,
    labels: Vec<String>,
    left_out: u64,
}

impl Providers {
    /// Those with most events; the last lane is for all others, if there are any.
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut events: BTreeMap<String, u64> = BTreeMap::new();
        for row in trace.types() {
            *events.entry(label(row)).or_default() += row.events();
        }
        let mut order: Vec<(Reverse<u64>, String)> =
            events.into_iter().map(|(label, events)| (Reverse(events), label)).collect();
        order.sort();
        let left_out = order.len().saturating_sub(MOST_PROVIDERS);
        let mut labels: Vec<String> = order.into_iter().take(MOST_PROVIDERS).map(|(_, label)| label).collect();
        let lanes: BTreeMap<&str, usize> = labels.iter().enumerate().map(|(lane, label)| (&**label, lane)).collect();
        let others = labels.len();
        let lane_of_type = trace.types().iter().map(|row| lanes.get(&*label(row)).copied().unwrap_or(others)).collect();
        if left_out > 0 {
            labels.push(format!("({left_out} other providers)"));
        }
        Self { lane_of_type, labels, left_out: left_out as u64 }
    }
}

/// The provider's name. The kernel's events are of one provider: their lanes are by class.
fn label(row: &EventType) -> String {
    let class = row.name().and_then(|name| name.split_once('/')).map(|(class, _)| class);
    match (row.kernel_events() > 0, class) {
        (true, Some(class)) => format!("Kernel: {class}"),
        _ => row.provider().to_owned(),
    }
}

/// The lanes, those with most events first.
pub(crate) fn providers(pulses: &Pulses, providers: &Providers) -> LaneGroup {
    let lane = |(number, label): (usize, &String)| {
        let lane = Pulses::PROVIDERS + number;
        let (total, heat) = (pulses.density.total(lane), Heat::of(&pulses.density, lane));
        Lane { label: label.clone(), detail: String::new(), total, data: LaneData::Heat(heat) }
    };
    LaneGroup {
        id: "providers",
        title: "Events by provider",
        about: "The stronger the color, the more events; the scale is logarithmic.",
        unit: "events",
        lanes: providers.labels.iter().enumerate().map(lane).collect(),
        left_out: providers.left_out,
        excess: 0,
    }
}

/// Providers that have a lane of their own.
const MOST_PROVIDERS: usize = 32;
