//! Warnings about fields that no event of a trace has.

use std::collections::BTreeSet;

use etwkit::schema::Schema;
use etwkit::select::{HeaderField, Selector};
use etwkit::trace::Trace;

use crate::printer::Printer;
use crate::rows::Column;
use crate::similarity::{changes, most};

/// An option and the names that were typed for it.
pub(crate) type TypedNames<'a> = (&'a str, &'a [Selector]);

/// The option whose names are in conditions.
pub(super) const WHERE: &str = "--where";
/// Suggestions are looked for among at most so many names.
const MAX_CANDIDATES: usize = 1 << 16;
/// Structs within structs whose members are suggested.
const MAX_DEPTH: usize = 8;

/// Warns of names that no kind of event in the trace has: most of these are misspelt. It is not an error, since a field
/// may be in other traces that the same command is used for.
pub(super) fn check(trace: &Trace, typed: &[TypedNames<'_>], columns: &[Column], printer: Printer) {
    let schemas = || trace.types().iter().filter_map(|row| row.schema());
    let mut candidates = None;
    for (option, names) in typed {
        for name in names.iter().filter(|name| name.header().is_none() && !trace.has_field(name)) {
            let candidates = candidates.get_or_insert_with(|| {
                let mut names = candidates_of(schemas());
                // The others are names of events as they were typed.
                let own = columns.iter().filter(|column| column.is_named() && !column.is_of_events());
                names.extend(own.map(|column| column.name.to_string()));
                names
            });
            // Conditions on the time have options of their own.
            let is_allowed = |near: &&String| *option != WHERE || *near != HeaderField::Time.name();
            let what = match nearest(&name.to_string(), candidates).filter(is_allowed) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`etwkit schema` with the trace lists the fields that there are".to_owned(),
            };
            printer.warning(format_args!("{option}: no event in this trace has a field `{name}`: {what}"));
        }
    }
}

/// All names that could have been meant.
#[expect(single_use_lifetimes, reason = "an iterator's items cannot do without one yet")]
fn candidates_of<'s>(schemas: impl Iterator<Item = &'s Schema>) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = HeaderField::columns().map(|part| part.name().to_owned()).collect();
    for schema in schemas.flat_map(Schema::with_alternatives) {
        let top_level = schema.top_level().map(|(place, field)| (place, field.name.to_string()));
        let mut open: Vec<(usize, String, usize)> = top_level.map(|(place, name)| (place, name, 0)).collect();
        while let Some((place, name, depth)) = open.pop().filter(|_| names.len() < MAX_CANDIDATES) {
            let members = schema.members(place).filter(|_| depth < MAX_DEPTH);
            open.extend(members.map(|(place, field)| (place, format!("{name}.{}", field.name), depth + 1)));
            names.insert(name);
        }
    }
    names
}

/// The candidate that is most like a name, if one is like it at all: with few letters changed, also below a struct.
fn nearest<'c>(name: &str, candidates: &'c BTreeSet<String>) -> Option<&'c String> {
    let typed = name.strip_prefix("fields.").or_else(|| name.strip_prefix("payload.")).unwrap_or(name);
    let typed = typed.trim_matches(['\'', '"']);
    let changes = |candidate: &str| {
        let last = candidate.rsplit('.').next().unwrap_or_default();
        let below = changes(typed, last).map(|changes| changes + 1).filter(|changes| *changes <= most(typed));
        [changes(typed, candidate), below].into_iter().flatten().min()
    };
    let ranked = candidates.iter().filter_map(|candidate| Some((changes(candidate)?, candidate)));
    ranked.min_by_key(|(changes, _)| *changes).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_a_likely_one() {
        let known = ["time", "pid", "ImageFileName", "Peer.Port", "Size", "id"].map(str::to_owned).into();
        for (typed, meant) in [
            ("ImageFilName", Some("ImageFileName")),
            ("image_file_name", Some("ImageFileName")),
            ("fields.Sise", Some("Size")),
            ("Port", Some("Peer.Port")),
            ("pdi", Some("pid")),
            ("Nothing", None),
        ] {
            assert_eq!(nearest(typed, &known).map(String::as_str), meant, "{typed}");
        }
    }
}
