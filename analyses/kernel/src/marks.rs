//! Marks in a trace: texts that a person or a program put there (`xperf -m`, `wpr -marker`).

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::guids::PERF_INFO;
use etwkit_analysis::{Analysis, Excess, Interest, Need, Time};

etwkit_analysis::row! {
    /// A mark.
    pub struct MarkRow {
        /// Time, UTC.
        time: Option<Time> as Time,
        /// Text.
        text: String as Text,
    }
}

/// Lists the marks of a trace.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    list: Vec<MarkRow>,
    excess: Excess,
}

/// Marks that are listed.
const MOST: usize = 1 << 20;

impl Analysis for Marks {
    type Fact = MarkRow;
    type Row = MarkRow;

    fn interest() -> Interest {
        let need = Need::KernelFlags("PROC_THREAD, and write marks with xperf -m or wpr -marker");
        Interest { manifest: &[], classic: &[(PERF_INFO, &[34])], need }
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<MarkRow> {
        Some(MarkRow { time: event.time().map(Time), text: event.get("Message").ok()? })
    }

    fn step(&mut self, mark: MarkRow, _: &Trace) {
        if self.excess.admits(self.list.len(), MOST) {
            self.list.push(mark);
        }
    }

    fn excess(&self) -> u64 {
        self.excess.count()
    }

    fn finish(self, _: &Trace) -> Vec<MarkRow> {
        self.list
    }
}
