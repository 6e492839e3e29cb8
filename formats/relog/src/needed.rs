//! Which events of a trace a copy needs.

use std::collections::HashSet;

use etwkit::event::{EventKey, Place, RawEvent};
use etwkit::format::IMAGE_ID;
use etwkit::trace::{EventType, Filter, FilterCheck};
use etwkit::{Guid, Trace};

use crate::before::{Before, is_sample};
use crate::error::Result;
use crate::facts::is_fact;
use crate::stack_links::StackLinks;
use crate::survey::{Survey, has_processes};

/// Why an event is in a copy, or is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It passes the filter.
    Wanted,
    /// Others are read by it: it describes events, processes, images, methods, files or the machine, or it is a stack of
    /// one of them.
    Context,
    /// No event that is kept needs it.
    None,
}

/// Decides over the events of a trace, which must come in order of time.
#[derive(Debug)]
pub(crate) struct Needed<'t> {
    trace: &'t Trace,
    /// Which events are wanted; `None`: not one.
    filter: Option<FilterCheck<'t>>,
    takes_all: bool,
    /// Of which processes images and methods are kept; all, if there is no condition.
    processes: Vec<FilterCheck<'t>>,
    /// By the number of the type.
    types: Vec<OfType>,
    /// Events whose traits name providers of others.
    naming: HashSet<Place>,
    stacks: StackLinks,
    before: Before,
}

/// What the type of an event decides.
#[derive(Clone, Copy, Debug, Default)]
struct OfType {
    is_stack: bool,
    /// Whether others are read by its events.
    is_context: bool,
    /// Whether its events are about the process that their header or payload names.
    is_of_a_process: bool,
}

impl<'t> Needed<'t> {
    /// Decides what is needed to read the events that pass a filter. Reads some of them beforehand.
    pub(crate) fn new(trace: &'t Trace, filter: &Filter) -> Result<Self> {
        if *filter == Filter::default() {
            return Ok(Self { takes_all: true, ..Self::of_processes(trace, Vec::new()) });
        }
        let (survey, before) = (Survey::of(trace, filter)?, Before::of(trace, filter)?);
        let needed = Self::of_processes(trace, kept_processes(trace, filter, &survey));
        let (filter, stacks) = (Some(FilterCheck::new(trace, filter)), StackLinks::of(survey.times, survey.numbers));
        Ok(Self { filter, stacks, before, ..needed })
    }

    /// Decides what is needed to read any of the events that pass the filter, without wanting one.
    pub(crate) fn of_none(trace: &'t Trace, filter: &Filter) -> Self {
        // Whoever asks reads all events afterwards, and has the error then.
        let survey = if has_processes(filter) { Survey::of(trace, filter).unwrap_or_default() } else { <_>::default() };
        Self::of_processes(trace, kept_processes(trace, filter, &survey))
    }

    fn of_processes(trace: &'t Trace, processes: Vec<FilterCheck<'t>>) -> Self {
        let is_stack = |key: &EventKey| trace.systems().iter().any(|system| system.stacks.is_carrier(key));
        let of_type = |row: &EventType| OfType {
            is_stack: is_stack(row.key()),
            is_context: row.is_learned_from() && !is_sample(row.key()) || is_fact(row.key()),
            is_of_a_process: OF_A_PROCESS.contains(&row.key().provider) && !is_fact(row.key()),
        };
        Self {
            trace,
            types: trace.types().iter().map(of_type).collect(),
            naming: trace.types().iter().filter_map(EventType::naming_event).collect(),
            filter: None,
            takes_all: false,
            processes,
            stacks: StackLinks::default(),
            before: Before::default(),
        }
    }

    /// Decides over the next event.
    pub(crate) fn of(&mut self, event: &RawEvent<'_>) -> Need {
        if self.takes_all {
            return Need::Wanted;
        }
        let number = self.trace.type_of(event).map(|row| row.id().0 as usize);
        let of_type = number.and_then(|number| self.types.get(number)).copied().unwrap_or_default();
        let is_wanted = self.filter.as_mut().is_some_and(|filter| filter.passes(event));
        let is_context = if of_type.is_stack {
            self.stacks.is_linked(event)
        } else {
            self.stacks.note(event, is_wanted)
                || self.stacks.has_part(event)
                || self.before.may_have(event)
                || self.naming.contains(&event.place())
                || of_type.is_context && self.is_of_a_kept_process(event, of_type)
        };
        match (is_wanted, is_context) {
            (true, _) => Need::Wanted,
            (false, true) => Need::Context,
            (false, false) => Need::None,
        }
    }

    /// Returns whether an event is about a process that is kept, or about none.
    fn is_of_a_kept_process(&mut self, event: &RawEvent<'_>, of_type: OfType) -> bool {
        let is_kept = |process: &mut FilterCheck<'_>| process.passes(event);
        self.processes.is_empty() || !of_type.is_of_a_process || self.processes.iter_mut().any(is_kept)
    }
}

/// Returns the conditions on processes of which images and methods are kept: those that the filter chooses, the kernel's
/// own, and those in which frames of wanted events lie. None is all of them.
fn kept_processes<'t>(trace: &'t Trace, filter: &Filter, survey: &Survey) -> Vec<FilterCheck<'t>> {
    let Some(owners) = &survey.processes else { return Vec::new() };
    let chosen = Filter::default().pids(filter.pids.iter().copied()).processes(filter.processes.iter().cloned());
    let kernel = Filter::default().pids(owners.iter().copied().chain([0, 4]));
    [chosen, kernel].map(|filter| FilterCheck::new(trace, &filter)).into()
}

/// Classes and providers whose events are about one process each: images, and what the CLR and `JScript` state of methods.
/// Those that name processes and threads are not among them: they are small, and other processes are named as parents, as
/// owners of threads, or as those that woke a thread.
const OF_A_PROCESS: [Guid; 5] = [
    // Image
    Guid::from_u128(0x2cb1_5d1d_5fc1_11d2_abe1_00a0_c911_f518),
    IMAGE_ID,
    // Microsoft-Windows-DotNETRuntime
    Guid::from_u128(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4),
    // Microsoft-Windows-DotNETRuntimeRundown
    Guid::from_u128(0xa669_021c_c450_4609_a035_5af5_9af4_df18),
    // Microsoft-JScript
    Guid::from_u128(0x5727_7741_3638_4a4b_bdba_0ac6_e45d_a56c),
];
