//! Warnings about comparisons of a number and text, which are made as text.

use etwkit::query::{Expression, OrderComparison};
use etwkit::schema::{Field, Notation, Scalar, Schema, Wire};
use etwkit::select::{HeaderField, Selector, level_from_name, same};
use etwkit::trace::Trace;

use crate::printer::Printer;
use crate::rows::{number_as_text, text_as_number};

/// What values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    /// Numbers with names, times, addresses: they have an order as text, too.
    Either,
}

/// Warns of comparisons that no value of the trace can pass as they are meant.
pub(super) fn check(trace: &Trace, condition: Option<&Expression>, printer: Printer) {
    for OrderComparison { name, text, is_number, .. } in condition.into_iter().flat_map(Expression::orders) {
        match (only_kind(trace, &name), is_number) {
            (Some(Kind::Text), true) => printer.warning(text_as_number(&name.to_string(), text)),
            (Some(Kind::Number), false) => printer.warning(number_as_text(&name.to_string(), text)),
            _ => {}
        }
    }
    for (name, text) in condition.into_iter().flat_map(Expression::compared_words) {
        if only_kind(trace, &name) == Some(Kind::Number) {
            printer.warning(number_as_text(&name.to_string(), text));
        }
    }
}

/// What all values of a name are.
fn only_kind(trace: &Trace, name: &Selector) -> Option<Kind> {
    let mut kinds = kinds(trace, name);
    kinds.pop().filter(|first| kinds.iter().all(|kind| kind == first))
}

/// What a name means in the events of a trace.
fn kinds(trace: &Trace, name: &Selector) -> Vec<Kind> {
    let is_prefixed = name.to_string().len() > name.spelling().len();
    let first = name.header().filter(|part| is_prefixed || part.name() == name.spelling());
    if let Some(part) = first.filter(|part| !HeaderField::rare().any(|rare| rare == *part)) {
        return vec![of_header(part, trace)];
    }
    let schemas = trace.types().iter().filter_map(|row| row.schema());
    let layouts = schemas.flat_map(Schema::with_alternatives);
    let fields = layouts.flat_map(|schema| fields(schema, name.spelling()));
    let mut kinds: Vec<Kind> = fields.map(of_field).collect();
    if kinds.is_empty() {
        kinds.extend(name.header().map(|part| of_header(part, trace)));
    }
    kinds
}

/// The fields of a schema that a name leads to.
fn fields<'s>(schema: &'s Schema, name: &str) -> Vec<&'s Field> {
    let is_called = |field: &Field, name: &str| {
        same(&field.name, name) || field.alias.as_ref().is_some_and(|alias| same(alias, name))
    };
    let whole: Vec<&Field> =
        schema.top_level().map(|(_, field)| field).filter(|field| is_called(field, name)).collect();
    if !whole.is_empty() {
        return whole;
    }
    let mut reached: Vec<(usize, &Field)> = schema.top_level().collect();
    let mut steps = name.split('.').peekable();
    while let Some(step) = steps.next() {
        reached.retain(|(_, field)| is_called(field, step));
        if steps.peek().is_some() {
            reached = reached.iter().flat_map(|(place, _)| schema.members(*place)).collect();
        }
    }
    reached.into_iter().map(|(_, field)| field).collect()
}

fn of_field(field: &Field) -> Kind {
    match field.wire {
        Wire::Text { .. } => Kind::Text,
        _ if field.map.is_some() => Kind::Either,
        Wire::Scalar(Scalar::F32 | Scalar::F64) => Kind::Number,
        _ => match field.integer().map(|integer| field.display.notation(integer)) {
            Some(Notation::Decimal { .. } | Notation::Hex | Notation::Port) => Kind::Number,
            _ => Kind::Either,
        },
    }
}

fn of_header(part: HeaderField, trace: &Trace) -> Kind {
    use HeaderField as H;
    match part {
        H::Level | H::MessageLevel if !has_own_levels(trace) => Kind::Number,
        H::RawTime | H::Id | H::Version | H::Keywords | H::Pid | H::Tid | H::Cpu | H::Line | H::ElapsedMs => {
            Kind::Number
        }
        H::Provider
        | H::Event
        | H::Process
        | H::File
        | H::Kind
        | H::Schema
        | H::Message
        | H::FileName
        | H::Function
        | H::SourceFile
        | H::Symbols
        | H::Image
        | H::Problem
        | H::Fields
        | H::Frames => Kind::Text,
        _ => Kind::Either,
    }
}

/// Whether the definitions of WPP messages have levels that are not those of Windows, such as `NOISE`.
fn has_own_levels(trace: &Trace) -> bool {
    let mut levels = trace.types().iter().filter_map(|row| row.schema()?.names().detail("level"));
    levels.any(|level| level_from_name(level).is_none() && level.parse::<u8>().is_err())
}
