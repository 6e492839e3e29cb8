//! One cell: a column of an event.

use std::sync::Arc;

use crate::decode::{Event, EventType, FieldView};
use crate::schema::{DisplayFormat, Field, Schema};

use super::Column;
use super::shape::{PlainText, Shape};
use crate::output::PerType;
use crate::render::json::{FieldKeys, push_field, push_fields, push_values};
use crate::render::time::TimeCache;
use crate::render::value::{self, ValueContext};
use crate::select::{self, HeaderField, HeaderValue, Path, Place};

/// The kind of the written cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Nothing: the event does not have it.
    Absent,
    /// An integer.
    Number,
    /// Text, not escaped.
    Text,
    /// JSON.
    Json,
}

/// Where the values of a column are in the events of a type.
#[derive(Debug)]
enum CellPlace {
    Header(HeaderField),
    Field(Path),
    /// The top-level field at a place of the schema.
    At(usize),
    Nowhere,
}

impl CellPlace {
    fn new(column: &Column, event: &Event<'_>) -> Self {
        match column {
            Column::Index(index) => Self::At(*index),
            Column::Named(selector) => match selector.place(type_schema(event)) {
                Place::Header(field) => Self::Header(field),
                Place::Field(path) => Self::Field(path.clone()),
                Place::Nowhere => Self::Nowhere,
            },
        }
    }
}

/// Returns the schema that decides what names mean in the events of a type.
pub(super) fn type_schema<'e>(event: &Event<'e>) -> Option<&'e Schema> {
    event.event_type().and_then(EventType::schema).or(event.schema())
}

/// The state of one thread for writing cells. The columns must be the same for all events of a layout.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) time: TimeCache,
    places: PerType<Box<[CellPlace]>>,
    /// The JSON keys of the fields of each layout.
    keys: PerType<Option<Arc<FieldKeys>>>,
    /// Whether a field's value is wanted as JSON.
    json: bool,
}

/// Writes the cells of one event.
pub(super) struct EventCells<'t, 'e> {
    time: &'t mut TimeCache,
    places: &'t [CellPlace],
    keys: &'t mut PerType<Option<Arc<FieldKeys>>>,
    json: bool,
    event: &'t Event<'e>,
}

impl Cells {
    pub(super) fn new(time: TimeCache, json: bool) -> Self {
        Self { time, places: PerType::default(), keys: PerType::default(), json }
    }

    /// Returns the cells of an event in some columns.
    pub(super) fn of<'t, 'e>(&'t mut self, event: &'t Event<'e>, columns: &[Column]) -> EventCells<'t, 'e> {
        let Self { time, places, keys, json } = self;
        let places = places.of(event, |_| columns.iter().map(|column| CellPlace::new(column, event)).collect());
        EventCells { time, places, keys, json: *json, event }
    }
}

impl EventCells<'_, '_> {
    /// Appends the cell of the column of a number.
    pub(super) fn push(&mut self, out: &mut Vec<u8>, column: usize) -> Cell {
        match self.places.get(column) {
            Some(CellPlace::At(place)) => self.field_at(out, *place),
            Some(CellPlace::Header(field)) => self.header(out, *field),
            Some(CellPlace::Field(path)) => self.picked(out, path),
            Some(CellPlace::Nowhere) | None => Cell::Absent,
        }
    }

    fn header(&mut self, out: &mut Vec<u8>, field: HeaderField) -> Cell {
        let event = self.event;
        let Some(value) = field.value(event) else { return Cell::Absent };
        match &value {
            HeaderValue::Number { .. } | HeaderValue::Ticks(_) => {
                value.push(out, event);
                return Cell::Number;
            }
            HeaderValue::Time { time, is_local } => {
                self.time.push_of(out, *time, *is_local);
            }
            HeaderValue::Provider { name: Some(name), .. } => out.extend_from_slice(name.as_bytes()),
            // The GUID has a column of its own, as it has a member of its own in JSON lines.
            HeaderValue::Provider { name: None, .. } => return Cell::Absent,
            HeaderValue::Fields(_) => {
                let Some(keys) = self.keys() else { return Cell::Absent };
                push_fields(out, event, keys, event.clock());
                return Cell::Json;
            }
            HeaderValue::Real(_) => {
                value.push(out, event);
                return Cell::Json;
            }
            HeaderValue::Json(text) => {
                out.extend_from_slice(text.as_bytes());
                return Cell::Json;
            }
            _ => value.push(out, event),
        }
        Cell::Text
    }

    /// Returns the value of a path: a single value as text unless JSON is wanted, all else as JSON.
    fn picked(&mut self, out: &mut Vec<u8>, path: &Path) -> Cell {
        let event = self.event;
        let Some(schema) = event.schema() else { return Cell::Absent };
        if let Some(view) = select::only(event, path) {
            return self.field(out, &view);
        }
        let (clock, json) = (event.clock(), self.json);
        let shape = Shape::of(event, path);
        if shape.is_text() && !json {
            select::visit(event, path, &mut PlainText { out, schema, clock });
            return Cell::Text;
        }
        if shape.items == 0 {
            return unseen(out, event, |_, field| select::leads_to(field, path));
        }
        let list = shape.is_list();
        out.extend_from_slice(if list { b"[" } else { b"" });
        if let Some(keys) = self.keys() {
            push_values(out, schema, keys, clock, |writer| {
                select::visit(event, path, writer);
            });
        }
        out.extend_from_slice(if list { b"]" } else { b"" });
        Cell::Json
    }

    fn field_at(&mut self, out: &mut Vec<u8>, place: usize) -> Cell {
        match self.event.field_at(place) {
            Some(view) => self.field(out, &view),
            None => unseen(out, self.event, |at, _| at == place),
        }
    }

    /// Returns a field: a single value as text unless JSON is wanted, arrays and structs always as JSON.
    fn field(&mut self, out: &mut Vec<u8>, view: &FieldView<'_>) -> Cell {
        let Some(schema) = self.event.schema() else { return Cell::Absent };
        let clock = self.event.clock();
        if let Some(value) = view.value().filter(|_| !self.json) {
            value::push(out, value, ValueContext { field: view.field, map: view.map(), clock });
            return Cell::Text;
        }
        if let Some(keys) = self.keys() {
            push_field(out, view, schema, keys, clock);
        }
        Cell::Json
    }

    fn keys(&mut self) -> Option<&FieldKeys> {
        let make = || self.event.schema().map(|schema| Arc::new(FieldKeys::new(schema)));
        self.keys.of(self.event, |known| known.map_or_else(make, Clone::clone)).as_deref()
    }
}

/// Returns a field that the event does not have, or that is not shown.
fn unseen(out: &mut Vec<u8>, event: &Event<'_>, is_it: impl Fn(usize, &Field) -> bool) -> Cell {
    let is_there = |schema: &Schema| schema.top_level().any(|(at, field)| is_it(at, field));
    let is_left_out = event.left_out() > 0 && event.schema().is_some_and(is_there);
    text(out, is_left_out.then_some("(values left out)"))
}

/// Returns whether a field is shown without being named.
pub(super) fn is_shown(display: DisplayFormat) -> bool {
    display != DisplayFormat::Hidden
}

fn text(out: &mut Vec<u8>, text: Option<&str>) -> Cell {
    let Some(text) = text else { return Cell::Absent };
    out.extend_from_slice(text.as_bytes());
    Cell::Text
}
