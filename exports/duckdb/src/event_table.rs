//! Which event a table is about.

use std::collections::BTreeSet;

use etwkit::Trace;
use etwkit::trace::{Filter, Glob};
use etwkit_columns::{EventName, Table};

use crate::failure::Failure;

/// Names that an error lists.
const SHOWN: usize = 8;

/// The table of one event.
#[derive(Debug)]
pub(crate) struct EventTable {
    pub(crate) table: Table,
    /// Its events, and maybe others: the table leaves those out.
    pub(crate) filter: Filter,
    /// How many events there are.
    pub(crate) events: u64,
}

impl EventTable {
    /// Finds an event by its name, without regard to ASCII case, and if several providers have it, by its provider.
    pub(crate) fn find(trace: &Trace, event: &str, provider: Option<&str>) -> Result<Self, Failure> {
        let provider_glob = provider.map(Glob::new);
        let is_wanted = |name: &EventName| {
            let is_provider = provider_glob.as_ref().is_none_or(|glob| glob.matches(&name.provider));
            is_provider && name.event.eq_ignore_ascii_case(event)
        };
        let all: BTreeSet<EventName> = trace.types().iter().map(EventName::of).collect();
        let found: Vec<&EventName> = all.iter().filter(|name| is_wanted(name)).collect();
        match found.as_slice() {
            [name] => Ok(Self::of(trace, name)),
            [] => Err(none(event, &all)),
            several => {
                let providers: Vec<&str> = several.iter().map(|name| name.provider.as_str()).collect();
                let providers = listed(&providers);
                let text = format!("several providers have an event {event}, choose by provider := '…': {providers}");
                Err(Failure::new(text))
            }
        }
    }

    fn of(trace: &Trace, name: &EventName) -> Self {
        let types = || trace.types().iter().filter(|row| EventName::of(row) == *name);
        // An event without a name is found by no pattern.
        let names = types().all(|row| row.name().is_some()).then(|| Glob::new(&name.event));
        Self {
            table: Table::of_event(trace, name),
            filter: Filter::default().names(names),
            events: types().map(etwkit::EventType::events).sum(),
        }
    }
}

fn none(event: &str, all: &BTreeSet<EventName>) -> Failure {
    let part = event.rsplit('/').next().unwrap_or(event).to_lowercase();
    let alike: BTreeSet<&str> = all.iter().map(|name| name.event.as_str()).collect();
    let alike: Vec<&str> = alike.into_iter().filter(|name| name.to_lowercase().contains(&part)).collect();
    let alike = listed(&alike);
    let hint = if alike.is_empty() { "etl_types lists what there is".to_owned() } else { format!("there are {alike}") };
    Failure::new(format_args!("no event {event} in this trace; {hint}"))
}

fn listed(names: &[&str]) -> String {
    let mut shown: Vec<&str> = names.iter().copied().take(SHOWN).collect();
    if names.len() > SHOWN {
        shown.push("…");
    }
    shown.join(", ")
}
