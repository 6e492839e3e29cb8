//! Fields of events that no view is for: all of the schema's, as TraceEvent's generic parsers show them.

use etwkit::decode::FieldView;
use etwkit::event::Kind;
use etwkit::schema::{Count, DisplayFormat, Len, MapKind, Scalar, Schema, SchemaSource, Wire};

use crate::cell::Cell;
use crate::evaluate::{ShownEvent, cell_of};
use crate::view::Type;

impl ShownEvent<'_, '_> {
    /// Name and text of every field.
    pub(crate) fn plain_fields(&self) -> Vec<(String, String)> {
        let Some(schema) = self.event.schema() else { return Vec::new() };
        let shown = |view: &FieldView<'_>| {
            view.field.display != DisplayFormat::Hidden && !(self.compat && is_length_of_next(schema, view))
        };
        self.event.fields().filter(shown).map(|view| (self.plain_name(&view), self.plain_field(&view))).collect()
    }

    /// Returns the field's name; the text of an event that is nothing else has one of TraceEvent's.
    fn plain_name(&self, view: &FieldView<'_>) -> String {
        if self.event.raw().kind() == Kind::StringOnly { "message".to_owned() } else { view.field.name.to_string() }
    }

    fn plain_field(&self, view: &FieldView<'_>) -> String {
        let Some(cell) = cell_of(view) else { return String::new() };
        if let Some(text) = mapped(view, &cell) {
            return text;
        }
        let name = &view.field.name;
        let source = self.event.schema().map(|schema| schema.origin().source);
        // EventSource manifests keep their types; what Windows' TDH describes becomes signed in TraceEvent.
        let dynamic = source == Some(SchemaSource::IN_TRACE_MANIFEST);
        match (view.field.wire, view.field.display, cell) {
            (_, DisplayFormat::Bool, cell) => self.show(&cell, &Type::Bool, name),
            (Wire::Scalar(Scalar::Pointer), _, cell) => self.show(&cell, &Type::Address, name),
            (_, DisplayFormat::Hex, Cell::Uint(value, _)) if !self.compat => format!("{value:#x}"),
            (_, _, Cell::Uint(value, 8)) if !dynamic && !self.compat => group_unsigned(value),
            // One byte is unsigned whatever the schema states, more bytes are signed.
            (_, _, Cell::Int(value, 1)) if !dynamic && self.compat => (value as u8).to_string(),
            (_, _, Cell::Uint(value, size)) if !dynamic && self.compat && size > 1 => {
                self.show(&Cell::Int(signed(value, size), size), &Type::Plain, name)
            }
            (_, _, cell) => self.show(&cell, &Type::Plain, name),
        }
    }
}

/// Returns the value's name in the field's map.
fn mapped(view: &FieldView<'_>, cell: &Cell) -> Option<String> {
    let map = view.map()?;
    let value = cell.bits()?;
    if map.kind() == MapKind::Values {
        return map.value(value).map(str::to_owned);
    }
    let bits = (0..u64::BITS).map(|bit| 1 << bit).filter(|bit: &u64| value & bit != 0);
    let name = |bit: u64| {
        map.entries().find(|(named, _)| *named == bit).map_or_else(|| format!("{bit:#x}"), |(_, n)| n.into())
    };
    (value != 0).then(|| bits.map(name).collect::<Vec<String>>().join("|"))
}

/// Returns whether the field after this one takes its length or count from it: TraceEvent takes the two for one.
fn is_length_of_next(schema: &Schema, view: &FieldView<'_>) -> bool {
    let mut fields = schema.top_level().skip_while(|(_, field)| !std::ptr::eq(*field, view.field));
    let (Some((place, _)), Some((_, next))) = (fields.next(), fields.next()) else { return false };
    let len = match next.wire {
        Wire::Text { len, .. } | Wire::Bytes { len } => Some(len),
        _ => None,
    };
    matches!(len, Some(Len::Field(at)) if usize::from(at) == place)
        || matches!(next.count, Count::Field(at) if usize::from(at) == place)
}

fn group_unsigned(value: u64) -> String {
    i64::try_from(value).map_or_else(|_| value.to_string(), crate::net::grouped)
}

/// Returns the same bits as a signed number of that many bytes, at least two.
const fn signed(value: u64, size: u8) -> i64 {
    match size {
        2 => (value as u16).cast_signed() as i64,
        4 => (value as u32).cast_signed() as i64,
        _ => value.cast_signed(),
    }
}
