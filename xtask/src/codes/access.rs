//! The table of access rights.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::fact::Fact;
use super::{order, tables};

const SOURCE: &str =
    "as the crates `windows-sys` 0.61.2 and `windows-default` 0.100.0 list them (MIT OR Apache-2.0, Microsoft)";

/// The rights that every object has.
const STANDARD: [&str; 11] = [
    "DELETE",
    "READ_CONTROL",
    "WRITE_DAC",
    "WRITE_OWNER",
    "SYNCHRONIZE",
    "ACCESS_SYSTEM_SECURITY",
    "MAXIMUM_ALLOWED",
    "GENERIC_ALL",
    "GENERIC_EXECUTE",
    "GENERIC_WRITE",
    "GENERIC_READ",
];

/// Constants of the same types or prefixes that are not rights.
const OTHERS: [&str; 6] = [
    "STANDARD_RIGHTS_",
    "SPECIFIC_RIGHTS_",
    "KEY_WOW64_RES",
    "TOKEN_ACCESS_PSEUDO",
    "TOKEN_TRUST_",
    "PROCESS_STANDARD_",
];

/// How the rights of an object are known.
enum Pick {
    /// By their type and the beginning of their names.
    Kind(&'static str, &'static str),
    /// By their names.
    Names(&'static [&'static str]),
}

const OBJECTS: [(&str, Pick); 17] = [
    ("file", Pick::Kind("FILE_ACCESS_RIGHTS", "FILE_")),
    ("key", Pick::Kind("REG_SAM_FLAGS", "KEY_")),
    ("process", Pick::Kind("PROCESS_ACCESS_RIGHTS", "PROCESS_")),
    ("thread", Pick::Kind("THREAD_ACCESS_RIGHTS", "THREAD_")),
    ("token", Pick::Kind("TOKEN_ACCESS_MASK", "TOKEN_")),
    ("section", Pick::Kind("SECTION_FLAGS", "SECTION_")),
    ("event", Pick::Names(&["EVENT_QUERY_STATE", "EVENT_MODIFY_STATE", "EVENT_ALL_ACCESS"])),
    ("mutant", Pick::Names(&["MUTANT_QUERY_STATE", "MUTANT_ALL_ACCESS"])),
    ("semaphore", Pick::Names(&["SEMAPHORE_QUERY_STATE", "SEMAPHORE_MODIFY_STATE", "SEMAPHORE_ALL_ACCESS"])),
    ("timer", Pick::Names(&["TIMER_QUERY_STATE", "TIMER_MODIFY_STATE", "TIMER_ALL_ACCESS"])),
    ("job", Pick::Names(&JOB)),
    ("desktop", Pick::Kind("DESKTOP_ACCESS_FLAGS", "DESKTOP_")),
    ("window-station", Pick::Kind("i32", "WINSTA_")),
    ("service", Pick::Names(&SERVICE)),
    ("service-manager", Pick::Kind("u32", "SC_MANAGER_")),
    ("directory", Pick::Kind("u32", "DIRECTORY_")),
    ("symbolic-link", Pick::Names(&["SYMBOLIC_LINK_QUERY", "SYMBOLIC_LINK_SET", "SYMBOLIC_LINK_ALL_ACCESS"])),
];

const JOB: [&str; 7] = [
    "JOB_OBJECT_ASSIGN_PROCESS",
    "JOB_OBJECT_SET_ATTRIBUTES",
    "JOB_OBJECT_QUERY",
    "JOB_OBJECT_TERMINATE",
    "JOB_OBJECT_SET_SECURITY_ATTRIBUTES",
    "JOB_OBJECT_IMPERSONATE",
    "JOB_OBJECT_ALL_ACCESS",
];

const SERVICE: [&str; 10] = [
    "SERVICE_QUERY_CONFIG",
    "SERVICE_CHANGE_CONFIG",
    "SERVICE_QUERY_STATUS",
    "SERVICE_ENUMERATE_DEPENDENTS",
    "SERVICE_START",
    "SERVICE_STOP",
    "SERVICE_PAUSE_CONTINUE",
    "SERVICE_INTERROGATE",
    "SERVICE_USER_DEFINED_CONTROL",
    "SERVICE_ALL_ACCESS",
];

/// The table's text: lines `object mask NAME ALIAS...`, `any` for the rights of every object.
pub(super) fn text(facts: &[Fact]) -> String {
    let mut text = tables::head("Access rights", SOURCE);
    let standard = rows(facts, |fact| STANDARD.contains(&fact.name.as_str()));
    push(&mut text, "any", &standard);
    for (object, pick) in OBJECTS {
        let mut rights = rows(facts, |fact| is_right(fact, &pick));
        rights.retain(|mask, _| !standard.contains_key(mask));
        push(&mut text, object, &rights);
    }
    text
}

fn rows(facts: &[Fact], own: impl Fn(&Fact) -> bool) -> BTreeMap<u32, Vec<&Fact>> {
    let own: Vec<&Fact> = facts.iter().filter(|fact| own(fact)).collect();
    let mut rows = order::by_number(&own, "");
    rows.remove(&0);
    rows
}

fn is_right(fact: &Fact, pick: &Pick) -> bool {
    let other = OTHERS.iter().any(|prefix| fact.name.starts_with(prefix)) || fact.name.contains("STANDARD_RIGHTS");
    !other
        && match pick {
            Pick::Kind(kind, prefix) => fact.kind == *kind && fact.name.starts_with(prefix),
            Pick::Names(names) => names.contains(&fact.name.as_str()),
        }
}

fn push(text: &mut String, object: &str, rows: &BTreeMap<u32, Vec<&Fact>>) {
    for (mask, facts) in rows {
        let _ = write!(text, "{object} {mask:x}");
        for fact in facts {
            let _ = write!(text, " {}", fact.name);
        }
        text.push('\n');
    }
}
