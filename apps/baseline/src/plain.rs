//! Fields of events that no view is for: all of the schema's, as TraceEvent's generic parsers show them.

use etwkit::decode::FieldView;
use etwkit::schema::{MapKind, Scalar, Show, Source, Wire};

use crate::cell::Cell;
use crate::evaluate::{Context, cell_of};
use crate::view::Type;

impl Context<'_, '_> {
    /// Name and text of every field.
    pub(crate) fn plain_fields(&self) -> Vec<(String, String)> {
        let shown = |view: &FieldView<'_, '_>| view.field.show != Show::Hidden;
        self.event.fields().filter(shown).map(|view| (view.field.name.to_string(), self.plain_field(&view))).collect()
    }

    fn plain_field(&self, view: &FieldView<'_, '_>) -> String {
        let Some(cell) = cell_of(view) else { return String::new() };
        if let Some(text) = mapped(view, &cell) {
            return text;
        }
        let name = &view.field.name;
        let source = self.event.schema.map(|schema| schema.origin().source);
        // EventSource manifests keep their types; what Windows' TDH describes becomes signed in TraceEvent.
        let dynamic = source == Some(Source::InTraceManifest);
        match (view.field.wire, view.field.show, cell) {
            (_, Show::Bool, cell) => self.show(&cell, &Type::Bool, name),
            (Wire::Scalar(Scalar::Pointer), _, cell) => self.show(&cell, &Type::Address, name),
            (_, Show::Hex, Cell::Uint(value, _)) if !self.compat => format!("{value:#x}"),
            (_, _, Cell::Uint(value, 8)) if !dynamic && !self.compat => group_unsigned(value),
            (_, _, Cell::Uint(value, size)) if !dynamic && self.compat => {
                self.show(&Cell::Int(signed(value, size), size), &Type::Plain, name)
            }
            (_, _, cell) => self.show(&cell, &Type::Plain, name),
        }
    }
}

/// The value's name in the field's map.
fn mapped(view: &FieldView<'_, '_>, cell: &Cell) -> Option<String> {
    let map = view.map()?;
    let value = cell.bits()?;
    if map.kind() == MapKind::Values {
        return map.value(value).map(str::to_owned);
    }
    let (names, left) = map.bits(value);
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    if left != 0 {
        names.push(format!("{left:#x}"));
    }
    (!names.is_empty()).then(|| names.join("|"))
}

fn group_unsigned(value: u64) -> String {
    i64::try_from(value).map_or_else(|_| value.to_string(), crate::net::grouped)
}

/// The same bits as a signed number of that many bytes.
const fn signed(value: u64, size: u8) -> i64 {
    match size {
        1 => value as u8 as i8 as i64,
        2 => value as u16 as i16 as i64,
        4 => value as u32 as i32 as i64,
        _ => value.cast_signed(),
    }
}
