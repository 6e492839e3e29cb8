//! Dates that a source of facts has lost.
//!
//! One source (airbus-cert/etl-parser, mask 32) describes how a field is stored and not what it means: a FILETIME is an
//! integer there. If another layout of the same provider, from a source with meanings, has a FILETIME of that name, it
//! is one here too.

use std::collections::{BTreeMap, BTreeSet};

use etwkit::schema::tdh::{InType, OutType};
use serde_json::{Value, json};

const AIRBUS: u64 = 32;
const UINT64: u16 = InType::UINT64.0;
const FILETIME: u16 = InType::FILETIME.0;
const DATETIME: u16 = OutType::DATETIME.0;

/// Makes such integers of a provider dates.
pub(crate) fn restore(provider: &mut Value) {
    let lossy = lossy(provider);
    let Some(layouts) = provider.get_mut("T").and_then(Value::as_array_mut) else { return };
    let mut dates = BTreeSet::new();
    for layout in layouts.iter() {
        dates.extend(fields(layout).filter(|field| field[1] == FILETIME).map(|field| field[0].to_string()));
    }
    for (_, layout) in layouts.iter_mut().enumerate().filter(|(at, _)| lossy.contains(at)) {
        let fields = layout.as_array_mut().into_iter().flatten().filter_map(Value::as_array_mut);
        for field in fields.filter(|field| field.len() == 2 && field.get(1) == Some(&json!(UINT64))) {
            if dates.contains(&field.first().map(Value::to_string).unwrap_or_default()) {
                *field = vec![field.first().cloned().unwrap_or_default(), json!(FILETIME), json!(DATETIME)];
            }
        }
    }
}

/// Fields that are single values.
fn fields(layout: &Value) -> impl Iterator<Item = &Value> {
    layout.as_array().into_iter().flatten()
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

    #[test]
    fn an_integer_of_a_lossy_source_is_the_date_that_others_have() {
        let layouts = json!([[["Id", 8], ["At", 17, 2]], [["At", 10], ["Size", 10], ["At", 10, 10]], [["At", 10]]]);
        let events = json!([
            [1, 0, 4, 16, 1, 1, "0x10", [[0, null, null, 8, 0]]],
            [1, 1, 4, 16, 1, 1, "0x10", [[1, null, null, 32, 0]]],
            [1, 2, 4, 16, 1, 1, "0x10", [[2, null, null, 40, 0]]],
        ]);
        let mut provider = json!({ "T": layouts, "e": events });
        restore(&mut provider);
        assert_eq!(provider["T"][1], json!([["At", 17, 2], ["Size", 10], ["At", 10, 10]]));
        assert_eq!(provider["T"][2], json!([["At", 10]]));
    }
}
