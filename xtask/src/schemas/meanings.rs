//! What fields mean where a source of facts has lost it: dates and pointers.
//!
//! One source (airbus-cert/etl-parser, mask 32) describes how a field is stored and not what it means: FILETIME and
//! pointer are integers of 64 bits there. If another layout of the same provider, from a source with meanings, has a
//! FILETIME of that name, it is one here too; and a pointer, if most of those layouts state so.

use std::collections::{BTreeMap, BTreeSet};

use etwkit::schema::tdh::{InType, OutType};
use serde_json::{Value, json};

const AIRBUS: u64 = 32;
const UINT64: u16 = InType::UINT64.0;
const FILETIME: u16 = InType::FILETIME.0;
const POINTER: u16 = InType::POINTER.0;

/// Layouts with meanings that have a field of some name, by its in-type.
#[derive(Default)]
struct Votes {
    dates: usize,
    pointers: usize,
    integers: usize,
}

impl Votes {
    fn add(&mut self, field: &Value) {
        match field.get(1).and_then(Value::as_u64).and_then(|number| u16::try_from(number).ok()) {
            Some(FILETIME) => self.dates += 1,
            Some(POINTER) => self.pointers += 1,
            Some(UINT64) => self.integers += 1,
            _ => {}
        }
    }

    /// Returns the in-type and the out-type that an integer is given.
    fn meaning(&self) -> Option<(u16, u16)> {
        if self.dates > 0 {
            return Some((FILETIME, OutType::DATETIME.0));
        }
        (self.pointers > self.integers).then_some((POINTER, OutType::HEXINT64.0))
    }
}

/// Makes such integers of a provider what they are.
pub(super) fn restore(provider: &mut Value) {
    let lossy = lossy(provider);
    let Some(layouts) = provider.get_mut("T").and_then(Value::as_array_mut) else { return };
    let mut votes: BTreeMap<String, Votes> = BTreeMap::new();
    for (_, layout) in layouts.iter().enumerate().filter(|(at, _)| !lossy.contains(at)) {
        for field in layout.as_array().into_iter().flatten() {
            votes.entry(field[0].to_string()).or_default().add(field);
        }
    }
    for (_, layout) in layouts.iter_mut().enumerate().filter(|(at, _)| lossy.contains(at)) {
        let fields = layout.as_array_mut().into_iter().flatten().filter_map(Value::as_array_mut);
        for field in fields.filter(|field| field.len() == 2 && field.get(1) == Some(&json!(UINT64))) {
            let name = field.first().cloned().unwrap_or_default();
            if let Some((in_type, out_type)) = votes.get(&name.to_string()).and_then(Votes::meaning) {
                *field = vec![name, json!(in_type), json!(out_type)];
            }
        }
    }
}

/// Returns the layouts that only this source has.
fn lossy(provider: &Value) -> BTreeSet<usize> {
    let mut sources: BTreeMap<usize, u64> = BTreeMap::new();
    let events = provider.get("e").and_then(Value::as_array).into_iter().flatten();
    for layout in events.filter_map(|event| event.get(7)?.as_array()).flatten() {
        let number = |at: usize| layout.get(at).and_then(Value::as_u64);
        if let (Some(template), Some(source)) = (number(0), number(3)) {
            *sources.entry(template as usize).or_default() |= source;
        }
    }
    sources.into_iter().filter(|(_, source)| *source == AIRBUS).map(|(template, _)| template).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the layouts of a provider whose first one is from a source with meanings.
    fn restored(layouts: &Value) -> Value {
        let event = |at: usize, source: u64| json!([1, at, 4, 16, 1, 1, "0x10", [[at, null, null, source, 0]]]);
        let mut provider = json!({ "T": layouts, "e": [event(0, 8), event(1, 32), event(2, 40)] });
        restore(&mut provider);
        provider["T"].clone()
    }

    #[test]
    fn an_integer_of_a_lossy_source_is_the_date_that_others_have() {
        let after =
            restored(&json!([[["Id", 8], ["At", 17, 2]], [["At", 10], ["Size", 10], ["At", 10, 10]], [["At", 10]]]));
        assert_eq!(after[1], json!([["At", 17, 2], ["Size", 10], ["At", 10, 10]]));
        assert_eq!(after[2], json!([["At", 10]]));
    }

    #[test]
    fn an_integer_of_a_lossy_source_is_the_pointer_that_most_others_have() {
        let pointers = json!([["Irp", 16, 19], ["Key", 16, 19], ["Context", 16, 19]]);
        let after = restored(&json!([pointers, [["Irp", 10], ["Key", 10, 19], ["Context", 10]], [["Context", 10]]]));
        assert_eq!(after[1], json!([["Irp", 16, 19], ["Key", 10, 19], ["Context", 10]]));
        assert_eq!(after[2], json!([["Context", 10]]));
    }
}
