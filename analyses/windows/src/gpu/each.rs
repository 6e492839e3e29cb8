//! Each packet.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Excess, Interest, Time, milliseconds};

use super::by_engine::{has_packets, owner};
use super::engines::{Engines, adapter};
use super::fact::{GpuFact, INTEREST};
use super::state::{Packet, State};
use crate::limits::MOST_EACH;

etwkit_analysis::row! {
    /// A packet of work for a graphics processor.
    pub struct GpuEachRow {
        /// Time at which it was queued, UTC; at which the engine got it, if that is not in the trace.
        time: Time as Time,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Address of the adapter in the kernel.
        adapter: Option<String> as Id,
        /// Number of the engine of the adapter.
        node: Option<u32> as Id,
        /// Name of the engine.
        engine: Option<String> as Text,
        /// Address of the context in the kernel.
        context: String as Id,
        /// Number of the packet in its context.
        sequence: u32 as Id,
        /// Number of its type.
        packet_type: Option<u32> as Id,
        /// Whether it presents a frame.
        present: bool as Text,
        /// How often it was taken from the engine before it was done.
        preemptions: u32 as Count,
        /// Milliseconds from the queue to the engine; absent if these events are not in the trace.
        wait_ms: Option<f64> as Milliseconds,
        /// Milliseconds for which the engine worked on it; absent if it did not.
        busy_ms: Option<f64> as Milliseconds,
        /// Milliseconds to its end; absent if that is not in the trace.
        elapsed_ms: Option<f64> as Milliseconds,
    }
}

/// Lists the packets in order of time.
#[derive(Debug, Default)]
pub struct GpuEach {
    state: State,
    list: Vec<Packet>,
    excess: Excess,
}

impl Analysis for GpuEach {
    type Fact = GpuFact;
    type Row = GpuEachRow;

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
        self.state.excess() + self.excess.count()
    }

    fn finish(self, _: &Trace) -> Vec<GpuEachRow> {
        let Self { state, list, .. } = self;
        let (open, engines) = state.into_open();
        let mut rows: Vec<GpuEachRow> = list.into_iter().chain(open).map(|packet| row(packet, &engines)).collect();
        rows.sort_by_key(|row| row.time);
        rows
    }
}

impl GpuEach {
    fn take(&mut self, fact: GpuFact, is_chosen: bool) {
        let done = self.state.take(fact, is_chosen);
        self.list.extend(done.filter(|_| self.excess.admits(self.list.len(), MOST_EACH)));
    }
}

fn row(packet: Packet, engines: &Engines) -> GpuEachRow {
    GpuEachRow {
        time: Time(packet.time),
        pid: packet.process.key.pid,
        adapter: adapter(packet.engine),
        node: packet.engine.0.map(|(_, node)| node),
        engine: engines.name(packet.machine, packet.engine),
        context: format!("{:#x}", packet.context),
        sequence: packet.sequence,
        packet_type: packet.kind,
        present: packet.is_present,
        preemptions: packet.preemptions,
        wait_ms: packet.wait(),
        busy_ms: packet.busy(),
        elapsed_ms: packet.end.map(|end| milliseconds(packet.time, end)),
        process: packet.process.name.map(String::from),
    }
}
