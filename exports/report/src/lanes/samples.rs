//! Lanes of CPU samples.

use etwkit_browse::Density;

use super::cut;
use crate::collect::{NamedLane, Samples};
use crate::model::{Heat, Lane, LaneData, LaneGroup};

/// Lanes by processor and by process.
pub(crate) fn samples(samples: &Samples) -> [LaneGroup; 2] {
    let group = |id, title, (density, lanes): (&Density, Vec<NamedLane>), most| {
        let lane = |(label, lane): NamedLane| {
            let data = LaneData::Heat(Heat::of(density, lane));
            Lane { label, detail: String::new(), total: density.total(lane), data }
        };
        let mut lanes: Vec<Lane> = lanes.into_iter().map(lane).collect();
        let left_out = cut(&mut lanes, most);
        let about = "CPU samples, without those of idle processors.";
        LaneGroup { id, title, about, unit: "samples", left_out, lanes, excess: samples.excess() }
    };
    [
        group("cpu-processors", "CPU by processor", samples.processors(), MOST_PROCESSORS),
        group("cpu-processes", "CPU by process", samples.processes(), MOST_PROCESSES),
    ]
}

/// Lanes of processors.
const MOST_PROCESSORS: usize = 64;
/// Lanes of processes.
const MOST_PROCESSES: usize = 12;
