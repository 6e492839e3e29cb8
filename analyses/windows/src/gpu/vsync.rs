//! Vertical synchronizations of displays.

use std::collections::BTreeMap;

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Excess, Interest, Need, Time};

use crate::dxgkrnl::DXGKRNL;
use crate::intervals::{Intervals, Room};
use crate::limits::MOST_OPEN;

const DPC: u16 = 17;
const INTERRUPT: u16 = 181;
const MULTI_PLANE: u16 = 273;

etwkit_analysis::row! {
    /// Vertical synchronizations of a display.
    pub struct VSyncRow {
        /// Address of the adapter in the kernel.
        adapter: String as Id,
        /// Event: `VSyncDPC`, `VSyncDPCMultiPlane` or `VSyncInterrupt`.
        event: &'static str as Text,
        /// Number of the source of the picture (`VidPnSourceId`); absent in interrupts.
        source: Option<u32> as Id,
        /// Number of the target of the picture (`VidPnTargetId`); absent with several planes.
        target: Option<u32> as Id,
        /// Events.
        count: u64 as Count,
        /// Time of the first, UTC.
        first: Option<Time> as Time,
        /// Time of the last, UTC.
        last: Option<Time> as Time,
        /// Events per second, from the first to the last; absent with fewer than two.
        hz: Option<f64> as Real,
        /// Median of the milliseconds between one and the next.
        interval_ms_p50: Option<f64> as Milliseconds,
        /// 95th percentile of these.
        interval_ms_p95: Option<f64> as Milliseconds,
        /// Greatest of these.
        interval_ms_max: Option<f64> as Milliseconds,
    }
}

/// A vertical synchronization.
#[derive(Clone, Copy, Debug)]
pub struct VSyncFact {
    time: FileTime,
    key: Key,
}

/// Machine, adapter, event, source, target.
type Key = (u16, u64, u16, Option<u32>, Option<u32>);

/// Counts vertical synchronizations by adapter, event, source and target.
#[derive(Debug, Default)]
pub struct VSyncByAdapter {
    sums: BTreeMap<Key, Intervals>,
    room: Room,
    excess: Excess,
}

impl Analysis for VSyncByAdapter {
    type Fact = VSyncFact;
    type Row = VSyncRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        let need = Need::Keywords("the provider Microsoft-Windows-DxgKrnl with the keyword 0x1, level 5");
        Interest { manifest: &[(DXGKRNL, &[DPC, INTERRUPT, MULTI_PLANE])], classic: &[], need }
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<VSyncFact> {
        let machine = event.system().machine.number;
        let number = |name: &str| event.get::<u32>(name).ok();
        let ends = (number("VidPnSourceId"), number("VidPnTargetId"));
        let key = (machine, event.get("pDxgAdapter").ok()?, event.id(), ends.0, ends.1);
        Some(VSyncFact { time: event.time()?, key })
    }

    fn step(&mut self, fact: VSyncFact, _: &Trace) {
        self.take(fact, true);
    }

    fn follow(&mut self, fact: VSyncFact, _: &Trace) {
        self.take(fact, false);
    }

    fn excess(&self) -> u64 {
        self.room.excess() + self.excess.count()
    }

    fn finish(self, _: &Trace) -> Vec<VSyncRow> {
        self.sums.into_iter().filter(|(_, sum)| sum.count > 0).map(row).collect()
    }
}

impl VSyncByAdapter {
    /// Takes a synchronization. The time until the next one counts if it does.
    fn take(&mut self, VSyncFact { time, key }: VSyncFact, is_counted: bool) {
        if self.sums.contains_key(&key) || self.excess.admits(self.sums.len(), MOST_OPEN) {
            self.sums.entry(key).or_default().push(time, is_counted, &mut self.room);
        }
    }
}

fn row(((_, adapter, event, source, target), sum): (Key, Intervals)) -> VSyncRow {
    let sum = sum.sorted();
    VSyncRow {
        adapter: format!("{adapter:#x}"),
        event: match event {
            DPC => "VSyncDPC",
            INTERRUPT => "VSyncInterrupt",
            _ => "VSyncDPCMultiPlane",
        },
        source,
        target,
        count: sum.count,
        first: sum.span.map(|(first, _)| Time(first)),
        last: sum.span.map(|(_, last)| Time(last)),
        hz: sum.rate(),
        interval_ms_p50: sum.percentile(50),
        interval_ms_p95: sum.percentile(95),
        interval_ms_max: sum.longest,
    }
}
