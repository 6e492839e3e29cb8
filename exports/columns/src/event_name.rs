//! Names of events, by which tables are told apart.

use std::borrow::Borrow;

use etwkit::EventType;
use etwkit::output::names_of_type;

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

    /// Keeps those of these names whose provider, if one is named, is spelled exactly so, and of these those whose event
    /// is, each if there are any: names may differ in case alone.
    pub fn prefer_exact<N: Borrow<Self>>(names: &mut Vec<N>, event: &str, provider: Option<&str>) {
        retain_any(names, |name| provider.is_some_and(|provider| name.borrow().provider == provider));
        retain_any(names, |name| name.borrow().event == event);
    }
}

/// Keeps those that are meant, if there are any.
fn retain_any<N>(names: &mut Vec<N>, is_meant: impl Fn(&N) -> bool) {
    if names.iter().any(&is_meant) {
        names.retain(is_meant);
    }
}

#[cfg(test)]
mod tests {
    use super::EventName;

    #[test]
    fn an_exact_name_is_preferred_and_any_other_case_is_found() {
        let name = |event: &str| EventName { provider: "P".to_owned(), event: event.to_owned() };
        for (typed, left) in [("Foo", &["Foo"][..]), ("foo", &["foo"]), ("FOO", &["Foo", "foo"])] {
            let mut names = vec![name("Foo"), name("foo")];
            EventName::prefer_exact(&mut names, typed, None);
            assert_eq!(names, left.iter().map(|event| name(event)).collect::<Vec<_>>(), "{typed}");
        }
        let of = |provider: &str, event: &str| EventName { provider: provider.to_owned(), event: event.to_owned() };
        for (provider, left) in [("P", &["P"][..]), ("p", &["p"]), ("Q", &["P", "p"])] {
            let mut names = vec![of("P", "foo"), of("p", "Foo")];
            EventName::prefer_exact(&mut names, "FOO", Some(provider));
            assert_eq!(names.iter().map(|name| &*name.provider).collect::<Vec<_>>(), left, "{provider}");
        }
    }
}
