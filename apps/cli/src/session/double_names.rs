//! Names that mean the same, and names that mean two things.

use etwkit::event::Kind;
use etwkit::select::{HeaderField, Selector};
use etwkit::trace::Trace;

use crate::failure::Failure;
use crate::printer::Printer;

use super::TypedNames;

/// Refuses two names for one part of the header: `pid` and `PID` in a trace without a field `PID`.
pub(super) fn refuse(trace: &Trace, (option, names): TypedNames<'_>) -> Result<(), Failure> {
    let parts: Vec<(&Selector, HeaderField)> =
        names.iter().filter_map(|name| Some((name, part(trace, name)?))).collect();
    for (at, (name, part)) in parts.iter().enumerate() {
        if let Some((first, _)) = parts.iter().take(at).find(|(_, other)| other == part) {
            let hint = format!("`{first}` means the same in this trace: name it once");
            return Err(Failure::new(format!("{option}: `{name}` is given twice")).hint(hint));
        }
    }
    Ok(())
}

/// The part of the header that a name means in all events.
fn part(trace: &Trace, name: &Selector) -> Option<HeaderField> {
    let part = name.header()?;
    let is_first = part.name() == name.spelling() && !is_rare(part);
    (is_first || !trace.has_field(name)).then_some(part)
}

/// Says where a name that is spelt as a part of the header means a field of the payload.
pub(super) fn note(trace: &Trace, (option, names): TypedNames<'_>, printer: Printer) {
    for name in names {
        let Some(part) = name.header().filter(|part| is_rare(*part) && part.name() == name.to_string()) else {
            continue;
        };
        let is_exact = || field_names(trace).any(|field| field == part.name());
        if may_have(trace, part) && trace.has_field(name) && !is_exact() {
            printer.note(format_args!(
                "{option}: `{name}` is the field of the payload in events that have one of that name: \
                 the part of the header is `header.{name}`, the field alone `fields.{name}`"
            ));
        }
    }
}

fn field_names(trace: &Trace) -> impl Iterator<Item = &str> {
    let schemas = trace.types().iter().filter_map(|row| row.schema());
    schemas.flat_map(|schema| schema.top_level().map(|(_, field)| &*field.name))
}

fn is_rare(part: HeaderField) -> bool {
    HeaderField::rare().any(|rare| rare == part)
}

/// Whether the trace has events that may have a part: only WPP messages are in functions.
fn may_have(trace: &Trace, part: HeaderField) -> bool {
    use HeaderField as H;
    let is_of_messages =
        matches!(part, H::Function | H::Flags | H::SourceFile | H::Line | H::Symbols | H::Sequence | H::Component);
    !is_of_messages || trace.types().iter().any(|row| row.key().kind == Kind::Wpp)
}
