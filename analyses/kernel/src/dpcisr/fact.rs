//! What an event states about a DPC or an interrupt.

use etwkit::FileId;
use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit_analysis::guids::PERF_INFO;
use etwkit_analysis::{Interest, Need};

const MESSAGE_INTERRUPT: u8 = 50;
const THREADED_DPC: u8 = 66;
const INTERRUPT: u8 = 67;
const DPC: u8 = 68;
const TIMER_DPC: u8 = 69;

pub(super) const INTEREST: Interest = Interest {
    manifest: &[],
    classic: &[(PERF_INFO, &[MESSAGE_INTERRUPT, THREADED_DPC, INTERRUPT, DPC, TIMER_DPC])],
    need: Need::KernelFlags("PROC_THREAD+LOADER+DPC+INTERRUPT"),
};

/// A DPC or an interrupt: the event is written at its end, and has the time of its begin.
#[derive(Clone, Copy, Debug)]
pub struct DpcIsrFact {
    pub(super) machine: u16,
    pub(super) file: FileId,
    pub(super) processor: u16,
    pub(super) kind: &'static str,
    /// Address of the routine.
    pub(super) routine: u64,
    pub(super) time: Option<FileTime>,
    /// Ticks of the clock of the file.
    pub(super) start: i64,
    pub(super) end: i64,
}

impl DpcIsrFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let raw = event.raw();
        let kind = match raw.opcode() {
            MESSAGE_INTERRUPT | INTERRUPT => "ISR",
            THREADED_DPC => "ThreadedDPC",
            DPC => "DPC",
            TIMER_DPC => "TimerDPC",
            _ => return None,
        };
        let end = raw.time().0;
        Some(Self {
            machine: event.system().machine.number,
            file: raw.place().file,
            processor: raw.processor(),
            kind,
            routine: event.get("Routine").ok()?,
            time: event.time(),
            // It cannot begin after its end.
            start: event.get::<u64>("InitialTime").ok()?.cast_signed().min(end),
            end,
        })
    }
}
