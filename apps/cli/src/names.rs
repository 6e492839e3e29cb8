//! Names of fields that were typed: in `--fields`, `--where` and `--group-by`. What a name means: `docs/where.md`.

use std::collections::BTreeSet;

use etwkit::query::Expression;
use etwkit::schema::Schema;
use etwkit::select::{HeaderField, Selector, SyntaxError};
use etwkit::trace::Trace;

use crate::failure::Failure;
use crate::printer::Printer;

/// An option and the names that were given to it.
pub(crate) type Typed<'a> = (&'a str, &'a [Selector]);

/// Suggestions are looked for among so many names at most.
const MAX_CANDIDATES: usize = 1 << 16;
/// Structs within structs whose members are suggested.
const MAX_DEPTH: usize = 8;

/// Reads the names of a list; an empty one, and two that mean the same, are mistakes.
pub(crate) fn distinct(option: &str, texts: &[String]) -> Result<Vec<Selector>, Failure> {
    let mut names: Vec<Selector> = Vec::new();
    for text in texts {
        if text.trim().is_empty() {
            let hint = format!("commas stand between names only: {option} time,pid,ImageFileName");
            return Err(Failure::new(format!("{option}: a name is empty")).hint(hint));
        }
        let name: Selector = text.parse().map_err(|error| no_name(option, text.trim(), &error))?;
        if let Some(first) = names.iter().find(|known| known.means(&name)) {
            let twice = format!("{option}: `{name}` is asked for twice");
            let hint = if first.to_string() == name.to_string() {
                format!("name it once; a field of the payload that is called so is `fields.{name}`")
            } else {
                format!("`{first}` means the same: name it once")
            };
            return Err(Failure::new(twice).hint(hint));
        }
        names.push(name);
    }
    Ok(names)
}

/// Why a text is no name, and what to type instead.
fn no_name(option: &str, text: &str, error: &SyntaxError) -> Failure {
    let failure = Failure::new(format!("{option}: `{text}`: {error}"));
    if text.starts_with("header.") {
        let parts: Vec<&str> = HeaderField::all().map(HeaderField::name).collect();
        return failure.hint(format!("a field of the payload is fields.NAME; the header has {}", parts.join(", ")));
    }
    failure
        .hint(format!("a name with blanks or signs stands in quotes within the shell's: {option} '\"odd name\",pid'"))
}

/// The names in a condition.
pub(crate) fn of_condition(condition: Option<&Expression>) -> Vec<Selector> {
    condition.map(Expression::names).unwrap_or_default()
}

/// Warns of names that no kind of event in the trace has: most of these are misspelt. It is no error, since a field may be
/// in other traces that the same command is used for.
pub(crate) fn check(trace: &Trace, typed: &[Typed<'_>], printer: Printer) {
    let schemas = || trace.types().iter().filter_map(|row| row.schema());
    let mut candidates = None;
    for (option, names) in typed {
        for name in
            names.iter().filter(|name| name.header().is_none() && !schemas().any(|schema| name.is_field_of(schema)))
        {
            let candidates = candidates.get_or_insert_with(|| candidates_of(schemas()));
            let what = match nearest(&name.to_string(), candidates) {
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
    let mut names: BTreeSet<String> = HeaderField::all().map(|part| part.name().to_owned()).collect();
    for schema in schemas.flat_map(|schema| std::iter::successors(Some(schema), |schema| schema.alternative())) {
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

/// Letters without regard to case and underscores.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('_', "")
}

/// Letters that may be changed in a name so that it is still like another.
fn most(typed: &str) -> usize {
    plain(typed).chars().count().div_ceil(3).min(4)
}

/// How many letters of a candidate are not as they were typed; `None` if it is not like that at all.
pub(crate) fn changes(typed: &str, candidate: &str) -> Option<usize> {
    let most = most(typed);
    let (typed, candidate) = (plain(typed), plain(candidate));
    let len = typed.chars().count();
    // A name in a trace may be very long: what cannot be near is not compared letter by letter.
    let is_near = candidate.chars().take(len + most + 1).count().abs_diff(len) <= most;
    is_near.then(|| strsim::osa_distance(&candidate, &typed)).filter(|changes| *changes <= most)
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
