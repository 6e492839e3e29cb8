//! Which events of a trace a copy needs.

use etwkit::event::{EventKey, RawEvent};
use etwkit::trace::{EventType, Filter, FilterCheck};
use etwkit::{Guid, Trace};

use crate::stack_links::StackLinks;

/// Why an event is in a copy, or is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It passes the filter.
    Wanted,
    /// Others are read by it: it describes events, processes, images, methods or files, or it is a stack of one of them.
    Context,
    /// No event that is kept needs it.
    None,
}

/// Decides over the events of a trace, which must come in order of time.
#[derive(Debug)]
pub(crate) struct Needed<'t> {
    trace: &'t Trace,
    filter: FilterCheck<'t>,
    takes_all: bool,
    /// The conditions on processes alone, and one for the kernel's own.
    processes: Option<[FilterCheck<'t>; 2]>,
    stacks: StackLinks,
}

/// Classes of events that name processes and threads (`Process`, `Thread`). They are small, and other processes are named
/// as parents, as owners of threads, or as those that woke a thread.
const PROCESSES: [Guid; 2] = [
    Guid::from_u128(0x3d6f_a8d0_fe05_11d0_9dda_00c0_4fd7_ba7c),
    Guid::from_u128(0x3d6f_a8d1_fe05_11d0_9dda_00c0_4fd7_ba7c),
];

impl<'t> Needed<'t> {
    pub(crate) fn new(trace: &'t Trace, filter: &Filter) -> Self {
        let has_processes = !filter.pids.is_empty() || !filter.processes.is_empty();
        let chosen = Filter::default().pids(filter.pids.iter().copied()).processes(filter.processes.iter().cloned());
        let kernel = Filter::default().pids([0, 4]);
        Self {
            trace,
            filter: FilterCheck::new(trace, filter),
            takes_all: *filter == Filter::default(),
            processes: has_processes.then(|| [chosen, kernel].map(|filter| FilterCheck::new(trace, &filter))),
            stacks: StackLinks::default(),
        }
    }

    /// Decides over the next event.
    pub(crate) fn of(&mut self, event: &RawEvent<'_>, event_type: Option<&EventType>) -> Need {
        if self.takes_all {
            return Need::Wanted;
        }
        let key = event.key();
        let is_stack = self.trace.systems().iter().any(|system| system.stacks.is_carrier(&key));
        let is_wanted = self.filter.passes(event);
        let is_context = if is_stack {
            self.stacks.is_linked(event)
        } else {
            self.stacks.note(event, is_wanted);
            let is_learned_from = event_type.is_some_and(EventType::is_learned_from);
            self.stacks.has_part(event) || is_learned_from && self.is_of_a_kept_process(event, &key)
        };
        match (is_wanted, is_context) {
            (true, _) => Need::Wanted,
            (false, true) => Need::Context,
            (false, false) => Need::None,
        }
    }

    /// Returns whether an event is about a process that is kept, or about none, or names processes.
    fn is_of_a_kept_process(&mut self, event: &RawEvent<'_>, key: &EventKey) -> bool {
        let Some(processes) = &mut self.processes else { return true };
        PROCESSES.contains(&key.provider)
            || PROCESSES.contains(&event.provider())
            || !has_process(event, key)
            || processes.iter_mut().any(|process| process.passes(event))
    }
}

/// Returns whether events of a kind are about the process that their header or payload names: images, and what the CLR
/// states of methods. Others are about the machine or about events.
fn has_process(event: &RawEvent<'_>, key: &EventKey) -> bool {
    OF_A_PROCESS.contains(&key.provider) || OF_A_PROCESS.contains(&event.provider())
}

/// Classes and providers whose events are about one process each.
const OF_A_PROCESS: [Guid; 5] = [
    // Image
    Guid::from_u128(0x2cb1_5d1d_5fc1_11d2_abe1_00a0_c911_f518),
    // KernelTraceControl, ImageID
    Guid::from_u128(0xb3e6_75d7_2554_4f18_830b_2762_7325_60de),
    // Microsoft-Windows-DotNETRuntime
    Guid::from_u128(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4),
    // Microsoft-Windows-DotNETRuntimeRundown
    Guid::from_u128(0xa669_021c_c450_4609_a035_5af5_9af4_df18),
    // Microsoft-JScript
    Guid::from_u128(0x5727_7741_3638_4a4b_bdba_0ac6_e45d_a56c),
];
