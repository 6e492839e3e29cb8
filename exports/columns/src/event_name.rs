//! Names of events, by which tables are told apart.

use std::collections::BTreeSet;

use etwkit::EventType;
use etwkit::output::names_of_type;
use etwkit::trace::{Glob, Trace};

/// The provider and the name of an event, as the first two columns of `etwkit count` show them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct EventName {
    /// Its name, or its GUID.
    pub provider: String,
    /// `Task/Opcode`, or what takes its place.
    pub event: String,
}

impl EventName {
    /// Returns the name of a type of event.
    pub fn of(row: &EventType) -> Self {
        let (provider, event) = names_of_type(row);
        Self { provider, event }
    }

    /// Returns the events that a name means in a trace, without regard to ASCII case: more than one if several providers
    /// have it. `provider` is the name of one, a pattern or a GUID.
    pub fn find(trace: &Trace, event: &str, provider: Option<&str>) -> Vec<Self> {
        let glob = provider.map(Glob::new);
        let is_asked = |row: &&EventType| glob.as_ref().is_none_or(|glob| glob.matches_type(row));
        let all: BTreeSet<Self> = trace.types().iter().filter(is_asked).map(Self::of).collect();
        let mut found: Vec<Self> = all.into_iter().filter(|name| name.event.eq_ignore_ascii_case(event)).collect();
        // A GUID is the name of a provider where that is not known, and means the same provider where it is.
        retain_any(&mut found, |name| provider.is_some_and(|asked| name.provider.eq_ignore_ascii_case(asked)));
        prefer_exact(&mut found, event, provider);
        found
    }
}

/// Keeps those of these names whose provider, if one is named, is spelled exactly so, and of these those whose event is,
/// each if there are any: names may differ in case alone.
fn prefer_exact(names: &mut Vec<EventName>, event: &str, provider: Option<&str>) {
    retain_any(names, |name| provider.is_some_and(|provider| name.provider == provider));
    retain_any(names, |name| name.event == event);
}

/// Keeps those that are meant, if there are any.
fn retain_any(names: &mut Vec<EventName>, is_meant: impl Fn(&EventName) -> bool) {
    if names.iter().any(&is_meant) {
        names.retain(is_meant);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_name_is_preferred_and_any_other_case_is_found() {
        let name = |event: &str| EventName { provider: "P".to_owned(), event: event.to_owned() };
        for (typed, left) in [("Foo", &["Foo"][..]), ("foo", &["foo"]), ("FOO", &["Foo", "foo"])] {
            let mut names = vec![name("Foo"), name("foo")];
            prefer_exact(&mut names, typed, None);
            assert_eq!(names, left.iter().map(|event| name(event)).collect::<Vec<_>>(), "{typed}");
        }
        let of = |provider: &str, event: &str| EventName { provider: provider.to_owned(), event: event.to_owned() };
        for (provider, left) in [("P", &["P"][..]), ("p", &["p"]), ("Q", &["P", "p"])] {
            let mut names = vec![of("P", "foo"), of("p", "Foo")];
            prefer_exact(&mut names, "FOO", Some(provider));
            assert_eq!(names.iter().map(|name| &*name.provider).collect::<Vec<_>>(), left, "{provider}");
        }
    }
}
