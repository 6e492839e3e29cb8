//! The tools.
//!
//! | file | has the tools |
//! |---|---|
//! | `traces` | that open traces and describe them |
//! | `events` | that return events and count them |
//! | `tables` | that answer questions with tables |
//! | `profile` | for profiles and the symbols of their frames |
//! | `shared` | arguments of several tools |

mod events;
mod profile;
mod shared;
mod tables;
mod traces;

use super::tools::Tool;

/// All tools, in the order in which they are listed.
pub(super) static TOOLS: &[Tool] = &[
    traces::OPEN,
    traces::CLOSE,
    traces::INFO,
    events::COUNT,
    events::EVENTS,
    tables::PROCESSES,
    tables::ANALYZE,
    profile::PROFILE,
    tables::SPANS,
    tables::DIFF,
    profile::SYMBOLS,
    traces::SCHEMA,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len());
        for tool in TOOLS {
            let names: BTreeSet<&str> = tool.properties().map(|property| property.name).collect();
            assert_eq!(names.len(), tool.properties().count(), "{}", tool.name);
        }
    }
}
