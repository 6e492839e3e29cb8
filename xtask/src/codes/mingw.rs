//! `NDIS_STATUS` as the headers of mingw-w64 define it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::fact::{Fact, Origin};
use super::{order, tables};
use crate::done::Done;

const HEADERS: [&str; 3] = ["ndis.h", "ndistapi.h", "ndiswan.h"];
const SOURCE: &str =
    "as in ddk/ndis.h, ddk/ndistapi.h and ddk/ndiswan.h of mingw-w64, as zig 0.17 has them (public domain)";

/// The statuses of the headers in a folder. Some are defined by `NTSTATUS` codes, which other sources have.
pub(super) fn read(folder: &Path, known: &[Fact]) -> Done<Vec<Fact>> {
    let mut numbers: BTreeMap<String, u32> =
        known.iter().filter(|fact| fact.kind == "NTSTATUS").map(|fact| (fact.name.clone(), fact.number)).collect();
    let mut facts = Vec::new();
    for header in HEADERS {
        let text = fs::read_to_string(folder.join(header))?;
        for (name, value) in text.lines().filter_map(definition) {
            let number = number(value, &numbers).ok_or_else(|| format!("{header}: {name} is {value}"))?;
            numbers.insert(name.into(), number);
            facts.push(fact(name, number));
        }
    }
    Ok(facts)
}

fn fact(name: &str, number: u32) -> Fact {
    Fact { name: name.into(), kind: "NDIS_STATUS".into(), module: String::new(), number, origin: Origin::Mingw }
}

/// `#define NDIS_STATUS_X ((NDIS_STATUS)0x40010003L)` and the like: name and what it stands for.
fn definition(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix("#define ")?.trim().split_once(char::is_whitespace)?;
    let value = value.trim();
    let value = value.strip_prefix("((NDIS_STATUS)").and_then(|value| value.strip_suffix(')')).unwrap_or(value);
    name.starts_with("NDIS_STATUS_").then_some((name, value))
}

fn number(value: &str, known: &BTreeMap<String, u32>) -> Option<u32> {
    let Some(digits) = value.strip_prefix("0x") else { return known.get(value).copied() };
    u32::from_str_radix(digits.trim_end_matches('L'), 16).ok()
}

/// The table's text.
pub(super) fn text(facts: &[Fact]) -> String {
    let own: Vec<&Fact> = facts.iter().filter(|fact| fact.kind == "NDIS_STATUS").collect();
    let mut text = tables::head("NDIS_STATUS codes", SOURCE);
    for (code, facts) in order::by_number(&own, "NDIS_STATUS_") {
        let _ = write!(text, "{code:x}");
        for fact in facts {
            let _ = write!(text, " {}", fact.name);
        }
        text.push('\n');
    }
    text
}
