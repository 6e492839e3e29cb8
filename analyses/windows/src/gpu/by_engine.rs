//! Work of graphics processors by process and engine.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::event::EventKey;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Measures, greatest_first};
use etwkit_kernel_analyses::{ProcessSum, ProcessTable};

use super::engines::{Engine, Engines, adapter};
use super::fact::{GpuFact, INTEREST, PACKETS, QUEUE_START};
use super::state::{Packet, State};

etwkit_analysis::row! {
    /// The work of an engine for a process.
    pub struct GpuRow {
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// Address of the adapter in the kernel.
        adapter: Option<String> as Id,
        /// Ids of vendor and device of the adapter.
        device: Option<String> as Text,
        /// Number of the engine of the adapter.
        node: Option<u32> as Id,
        /// Name of the engine.
        engine: Option<String> as Text,
        /// Packets that were queued or, if the trace does not have that, handed to the engine.
        packets: u64 as Count,
        /// Those that present a frame.
        presents: u64 as Count,
        /// How often packets were handed to the engine.
        submissions: u64 as Count,
        /// How often they were taken from it before they were done.
        preemptions: u64 as Count,
        /// Packets that the system gave up.
        timeouts: u64 as Count,
        /// Packets whose end is not in the trace.
        open: u64 as Count,
        /// Milliseconds for which the engine worked on them; absent if it worked on none.
        busy_ms: Option<f64> as Milliseconds,
        /// Greatest of these of one packet.
        busy_ms_max: Option<f64> as Milliseconds,
        /// Milliseconds from the queue to the engine; absent if the trace has both of none.
        wait_ms_sum: Option<f64> as Milliseconds,
    }
}

/// Adds up packets by process and engine.
#[derive(Debug, Default)]
pub struct GpuByEngine {
    state: State,
    table: ProcessTable<Engine, Sum>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    packets: u64,
    presents: u64,
    submissions: u64,
    preemptions: u64,
    timeouts: u64,
    open: u64,
    busy: Measures,
    wait: Measures,
}

impl Analysis for GpuByEngine {
    type Fact = GpuFact;
    type Row = GpuRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn is_answerable(trace: &Trace) -> bool {
        has_packets(trace)
    }

    fn owner(event: &Event<'_>) -> (Option<u32>, Option<u32>) {
        owner(event)
    }

    fn fact(event: &Event<'_>) -> Option<GpuFact> {
        GpuFact::of(event)
    }

    fn step(&mut self, fact: GpuFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: GpuFact, _: &Trace) {
        self.take(fact, false);
    }

    fn excess(&self) -> u64 {
        self.state.excess() + self.table.excess()
    }

    fn finish(self, _: &Trace) -> Vec<GpuRow> {
        let Self { state, mut table } = self;
        let (open, engines) = state.into_open();
        for packet in open {
            add(&mut table, packet);
        }
        let mut rows: Vec<GpuRow> = table.into_sums().into_iter().map(|sum| row(sum, &engines)).collect();
        rows.sort_by(|a, b| greatest_first(a.busy_ms, b.busy_ms));
        rows
    }
}

/// Returns whether a trace has events of packets.
pub(super) fn has_packets(trace: &Trace) -> bool {
    let is_one = |key: &EventKey| PACKETS.contains(&key.id) && INTEREST.has(key);
    trace.types().iter().any(|row| row.events() > 0 && is_one(row.key()))
}

/// Returns who queued a packet; all other events are written by any running process.
pub(super) fn owner(event: &Event<'_>) -> (Option<u32>, Option<u32>) {
    if event.id() == QUEUE_START { (event.pid(), event.tid()) } else { (None, None) }
}

impl GpuByEngine {
    fn take(&mut self, fact: GpuFact, is_chosen: bool) {
        if let Some(packet) = self.state.take(fact, is_chosen) {
            add(&mut self.table, packet);
        }
    }
}

fn add(table: &mut ProcessTable<Engine, Sum>, packet: Packet) {
    let (busy, wait) = (packet.busy(), packet.wait());
    let sum = table.sum(packet.process, packet.engine);
    sum.packets += 1;
    sum.presents += u64::from(packet.is_present);
    sum.submissions += u64::from(packet.submissions);
    sum.preemptions += u64::from(packet.preemptions);
    sum.timeouts += u64::from(packet.is_timeout);
    sum.open += u64::from(packet.end.is_none());
    sum.busy.add(busy);
    sum.wait.add(wait);
}

fn row(ProcessSum { key, process, subject, sum }: ProcessSum<Engine, Sum>, engines: &Engines) -> GpuRow {
    GpuRow {
        pid: key.pid,
        process,
        adapter: adapter(subject),
        device: engines.device(key.machine, subject),
        node: subject.0.map(|(_, node)| node),
        engine: engines.name(key.machine, subject),
        packets: sum.packets,
        presents: sum.presents,
        submissions: sum.submissions,
        preemptions: sum.preemptions,
        timeouts: sum.timeouts,
        open: sum.open,
        busy_ms: sum.busy.sum(),
        busy_ms_max: sum.busy.max(),
        wait_ms_sum: sum.wait.sum(),
    }
}
