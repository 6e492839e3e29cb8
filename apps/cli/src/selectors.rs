//! Names of fields in `--fields`, `--where` and `--group-by`. `docs/where.md` states what a name means.

use etwkit::query::Expression;
use etwkit::select::{HeaderField, Selector, SyntaxError};
use etwkit::trace::Filter;

use crate::failure::Failure;

/// Reads the names of a list; an empty one, and two that mean the same, are mistakes.
pub(crate) fn distinct(option: &str, texts: &[String]) -> Result<Vec<Selector>, Failure> {
    let mut names: Vec<Selector> = Vec::new();
    for text in texts {
        if text.trim().is_empty() {
            let hint = format!("commas may only separate names: {option} time,pid,ImageFileName");
            return Err(Failure::new(format!("{option}: a name is empty")).hint(hint));
        }
        let name: Selector = text.parse().map_err(|error| no_name(option, text.trim(), &error))?;
        if let Some(first) = names.iter().find(|known| known.means(&name)) {
            let twice = format!("{option}: `{name}` is given twice");
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

/// Why a text is not a name, and what to type instead.
fn no_name(option: &str, text: &str, error: &SyntaxError) -> Failure {
    let failure = Failure::new(format!("{option}: `{text}`: {error}"));
    if text.starts_with("header.") {
        let parts: Vec<&str> = HeaderField::columns().map(HeaderField::name).collect();
        return failure.hint(format!("a field of the payload is fields.NAME; the header has {}", parts.join(", ")));
    }
    failure.hint(format!("a name with blanks or signs needs quotes within the shell's: {option} '\"odd name\",pid'"))
}

/// Whether one of the names is of the stack, whose frames have all their names with parsers that keep stacks only.
pub(crate) fn name_stack(names: &[Selector]) -> bool {
    const FIELDS: [HeaderField; 4] =
        [HeaderField::Stack, HeaderField::StackMissing, HeaderField::Frames, HeaderField::Functions];
    names.iter().filter_map(Selector::header).any(|field| FIELDS.contains(&field))
}

/// Whether a filter has such a name.
pub(crate) fn filter_names_stack(filter: &Filter) -> bool {
    name_stack(&of_condition(filter.expression.as_ref()))
}

/// The names in a condition.
pub(crate) fn of_condition(condition: Option<&Expression>) -> Vec<Selector> {
    condition.map(Expression::names).unwrap_or_default()
}
