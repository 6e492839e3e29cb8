//! Structs that a source of facts shows as values.
//!
//! Some sources print the place of a struct's first member as its in-type, and the number of its members as its out-type
//! (docs/schemas.md, section 2.1). Which members these are is lost. Such a field is a struct without members here, so
//! that decoding ends at it, instead of reading bytes as what they are not.
//!
//! What proves a struct: an out-type that no manifest can have beside that in-type; or that the place is the one after
//! the top-level fields, and the next struct, with such an out-type, follows its members; or that another layout of the
//! provider proves a field of that name at that place to be one.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// The in-type of structs in the facts.
const STRUCT: u64 = 24;

/// Out-types of the SDK's documentation of `InputType`, by in-type from 1 (`UnicodeString`) on.
const OUT_TYPES: [&[u64]; 25] = [
    &[1, 28, 34, 39],                         // UnicodeString
    &[1, 28, 34, 35],                         // AnsiString
    &[1, 3, 16],                              // Int8
    &[1, 4, 13, 16],                          // UInt8
    &[5, 17],                                 // Int16
    &[1, 6, 17, 22],                          // UInt16
    &[7, 18, 32],                             // Int32
    &[8, 18, 20, 21, 23, 27, 29, 30, 31, 32], // UInt32
    &[9, 19],                                 // Int64
    &[2, 10, 19, 27, 37],                     // UInt64
    &[11],                                    // Float
    &[12],                                    // Double
    &[13],                                    // Boolean
    &[14, 15, 24, 25, 36],                    // Binary
    &[14],                                    // GUID
    &[10, 18, 19, 37],                        // Pointer
    &[2, 33, 38],                             // FILETIME
    &[2, 33, 38],                             // SYSTEMTIME
    &[1],                                     // SID
    &[18, 29, 30, 31, 32, 37],                // HexInt32
    &[19, 37],                                // HexInt64
    &[1, 28, 34],                             // CountedString
    &[1, 28, 34, 35],                         // CountedAnsiString
    &[],                                      // a struct already
    &[15],                                    // CountedBinary
];

/// Makes the fields of a provider that are structs what they are.
pub(super) fn mark(provider: &mut Value) {
    let Some(layouts) = provider.get_mut("T").and_then(Value::as_array_mut) else { return };
    let proven: BTreeSet<String> = layouts.iter().flat_map(|layout| names(layout, proven_in(layout))).collect();
    for layout in layouts {
        let mut structs = proven_in(layout);
        structs.extend(named(layout, &proven));
        for at in structs {
            if let Some(field) = layout.get_mut(at) {
                *field = json!([field[0], STRUCT]);
            }
        }
    }
}

/// The in-type and the out-type of a field; 0 if it has none.
fn types(field: &Value) -> (u64, u64) {
    let number = |at: usize| field.get(at).and_then(Value::as_u64).unwrap_or(0);
    (number(1), number(2))
}

fn fields(layout: &Value) -> &[Value] {
    layout.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Whether no manifest can have such types.
fn is_impossible(field: &Value) -> bool {
    let (in_type, out_type) = types(field);
    let known = usize::try_from(in_type).ok().and_then(|in_type| OUT_TYPES.get(in_type.checked_sub(1)?));
    out_type != 0 && known.is_some_and(|known| in_type != STRUCT && !known.contains(&out_type))
}

/// The places of fields that are structs by their types, or by those of the ones that follow them.
fn proven_in(layout: &Value) -> BTreeSet<usize> {
    let fields = fields(layout);
    let mut found: BTreeSet<usize> =
        (0..fields.len()).filter(|at| fields.get(*at).is_some_and(is_impossible)).collect();
    for (at, field) in fields.iter().enumerate().filter(|(_, field)| is_first(field, fields.len())) {
        let chain = chain(fields, at, field);
        if chain.iter().any(|at| found.contains(at)) {
            found.extend(chain);
            break;
        }
    }
    found
}

/// Whether the place of a field's first member, if it is a struct, would be the one after the top-level fields.
fn is_first(field: &Value, top_level: usize) -> bool {
    let (in_type, out_type) = types(field);
    in_type == top_level as u64 && in_type != STRUCT && out_type != 0
}

/// A field, and those after it whose members would follow its own.
fn chain(fields: &[Value], at: usize, first: &Value) -> Vec<usize> {
    let (in_type, out_type) = types(first);
    let (mut chain, mut next) = (vec![at], in_type + out_type);
    for (at, field) in fields.iter().enumerate().skip(at + 1) {
        let (in_type, out_type) = types(field);
        if in_type == next && out_type != 0 {
            chain.push(at);
            next += out_type;
        }
    }
    chain
}

/// The names of the fields at these places.
fn names(layout: &Value, places: BTreeSet<usize>) -> impl Iterator<Item = String> {
    let fields = fields(layout);
    places.into_iter().filter_map(|at| fields.get(at)?.get(0)?.as_str().map(str::to_owned))
}

/// The places of fields that have the name of a struct, at the place of a first one.
fn named(layout: &Value, proven: &BTreeSet<String>) -> Vec<usize> {
    let fields = fields(layout);
    let is_named = |field: &Value| field[0].as_str().is_some_and(|name| proven.contains(name));
    let is_one = |field: &Value| is_named(field) && is_first(field, fields.len());
    fields.iter().enumerate().filter(|(_, field)| is_one(field)).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_are_found_by_what_no_manifest_can_have() {
        let mut provider = json!({ "T": [
            // Two structs of three and of five members behind four top-level fields.
            [["A", 8, 18], ["S", 4, 3], ["T", 7, 5], ["B", 1, 1]],
            // The first one's types are possible, those of the second one are not.
            [["A", 8, 18], ["P", 4, 4], ["Q", 8, 17], ["B", 1, 1]],
            // A name that is proven, at its place.
            [["P", 2, 1], ["B", 8, 8]],
            // Values.
            [["P", 8, 8], ["B", 4, 4], ["C", 4, 16], ["D", 4]],
        ] });
        mark(&mut provider);
        let structs = |layout: usize| {
            let fields = fields(&provider["T"][layout]).iter();
            fields.filter(|field| types(field).0 == STRUCT).map(|field| field[0].as_str().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(
            [structs(0), structs(1), structs(2), structs(3)],
            [vec!["S", "T"], vec!["P", "Q"], vec!["P"], vec![]]
        );
    }
}
