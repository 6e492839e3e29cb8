//! Which event a table is about.

use std::collections::BTreeSet;

use etwkit::trace::{Filter, Glob};
use etwkit::{EventType, Trace};
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
        match EventName::find(trace, event, provider).as_slice() {
            [name] => Ok(Self::of(trace, name)),
            [] => Err(none(trace, event, provider)),
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
            events: types().map(EventType::events).sum(),
        }
    }
}

fn none(trace: &Trace, event: &str, provider: Option<&str>) -> Failure {
    let provider = provider.map(Glob::new);
    let is_provider = |row: &&EventType| provider.as_ref().is_none_or(|glob| glob.matches_type(row));
    let part = event.rsplit('/').next().unwrap_or(event).to_lowercase();
    let names = trace.types().iter().filter(is_provider).map(|row| EventName::of(row).event);
    let alike: BTreeSet<String> = names.filter(|name| name.to_lowercase().contains(&part)).collect();
    let alike = listed(&alike.iter().map(String::as_str).collect::<Vec<_>>());
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn events_are_found_by_their_names_and_providers() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hello.etl");
        let trace = Trace::open(path, etwkit_parsers::standard()).unwrap();
        let events = |event, provider| EventTable::find(&trace, event, provider).map(|found| found.events);
        assert_eq!(events("coffeeorder/START", None), Ok(2));
        assert_eq!(events("HelloWorld", Some("synth.*")), Ok(4));
        let failure = events("Order/Stop", None).unwrap_err().to_string();
        assert!(failure.ends_with("no event Order/Stop in this trace; there are CoffeeOrder/Stop"), "{failure}");
        assert!(events("HelloWorld", Some("Windows Kernel")).is_err());
    }
}
