//! One cell: a column of an event.

use std::io::Write as _;
use std::sync::Arc;

use crate::bytes::{Guid, write_hex};
use crate::decode::{Event, EventType, FieldView};
use crate::event::Kind;
use crate::schema::{Field, Schema, Show};

use super::Column;
use super::shape::{PlainText, Shape};
use crate::output::PerType;
use crate::query::{self, HeaderField, Path, Place};
use crate::render::json::{FieldKeys, push_field, push_fields, push_values};
use crate::render::push_message;
use crate::render::time::TimeCache;
use crate::render::value::{self, ValueContext};

/// What was written.
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

/// What one thread keeps to write cells.
#[derive(Debug)]
pub(super) struct Cells {
    time: TimeCache,
    names: PerType<Names>,
    /// Whether a field's value is wanted as JSON.
    json: bool,
}

/// Writes the cells of one event.
pub(super) struct EventCells<'t, 'e> {
    cells: &'t mut Cells,
    event: &'t Event<'e>,
}

/// What is the same for all events of a key.
#[derive(Debug)]
struct Names {
    provider: Option<String>,
    guid: Guid,
    event: Option<String>,
    keys: Option<Arc<FieldKeys>>,
}

impl Names {
    fn new(event: &Event<'_>, known: Option<&Self>) -> Self {
        Self {
            provider: event.event_type().and_then(|row| row.provider_name().map(str::to_owned)),
            guid: event.provider_guid(),
            event: event.schema.and_then(|schema| schema.names().full()),
            keys: match known {
                Some(known) => known.keys.clone(),
                None => event.schema.map(|schema| Arc::new(FieldKeys::new(schema))),
            },
        }
    }
}

impl Cells {
    pub(super) fn new(time: TimeCache, json: bool) -> Self {
        Self { time, names: PerType::default(), json }
    }

    /// The cells of an event.
    pub(super) const fn of<'t, 'e>(&'t mut self, event: &'t Event<'e>) -> EventCells<'t, 'e> {
        EventCells { cells: self, event }
    }
}

impl EventCells<'_, '_> {
    /// Appends a cell.
    pub(super) fn push(&mut self, out: &mut Vec<u8>, column: &Column) -> Cell {
        let selector = match column {
            Column::Place(place) => return self.field_at(out, *place),
            Column::Named(selector) => selector,
        };
        let schema = self.event.event_type().and_then(EventType::schema).or(self.event.schema);
        match selector.place(schema) {
            Place::HeaderField(part) => self.header_field(out, part),
            Place::Field(path) => self.picked(out, path),
            Place::Nowhere => Cell::Absent,
        }
    }

    fn header_field(&mut self, out: &mut Vec<u8>, part: HeaderField) -> Cell {
        let event = self.event;
        let raw = &event.raw;
        let is_event = raw.described().is_some();
        let described = !matches!(raw.kind(), Kind::Wpp | Kind::Error);
        let has_id = matches!(raw.kind(), Kind::Manifest | Kind::TraceLogging | Kind::Wpp);
        match part {
            HeaderField::Time => match event.time {
                Some(time) => {
                    self.cells.time.push_of(out, time, event.is_local_time());
                    Cell::Text
                }
                None => Cell::Absent,
            },
            HeaderField::RawTime => number(out, Some(raw.time())),
            HeaderField::Id => number(out, has_id.then(|| raw.id())),
            HeaderField::Version => number(out, described.then(|| raw.version())),
            HeaderField::Level => number(out, (described && raw.hook().is_none()).then(|| raw.level())),
            HeaderField::Opcode => number(out, described.then(|| raw.opcode())),
            HeaderField::Task => number(out, is_event.then(|| raw.task())),
            HeaderField::Channel => number(out, is_event.then(|| raw.channel())),
            HeaderField::Keywords if is_event => value_cell(value::hex(out, raw.keywords())),
            HeaderField::Keywords => Cell::Absent,
            HeaderField::Process => text(out, event.process_name()),
            HeaderField::Pid => number(out, event.pid()),
            HeaderField::Tid => number(out, event.tid()),
            HeaderField::Cpu => number(out, Some(raw.processor())),
            HeaderField::Activity => guid(out, raw.activity()),
            HeaderField::RelatedActivity => guid(out, raw.related_activity()),
            HeaderField::Kind => text(out, Some(raw.kind_name())),
            HeaderField::Schema => match event.schema {
                Some(schema) => text(out, Some(&schema.origin().to_string())),
                None => Cell::Absent,
            },
            HeaderField::Extra if event.remainder().is_empty() => Cell::Absent,
            HeaderField::Extra => {
                write_hex(out, event.remainder());
                Cell::Text
            }
            HeaderField::Message => match event.schema.and_then(Schema::message) {
                Some(message) => {
                    push_message(out, message, event, self.event.clock());
                    Cell::Text
                }
                None => Cell::Absent,
            },
            HeaderField::Provider | HeaderField::ProviderGuid | HeaderField::Event | HeaderField::Fields => {
                self.named(out, part)
            }
        }
    }

    fn named(&mut self, out: &mut Vec<u8>, part: HeaderField) -> Cell {
        let (clock, event) = (self.event.clock(), self.event);
        let names = self.names();
        match part {
            HeaderField::Provider => text(out, names.provider.as_deref()),
            HeaderField::ProviderGuid => guid(out, Some(names.guid).filter(|guid| !guid.is_null())),
            HeaderField::Event => text(out, names.event.as_deref()),
            _ => match &names.keys {
                Some(keys) => {
                    push_fields(out, event, keys, clock);
                    Cell::Json
                }
                None => Cell::Absent,
            },
        }
    }

    /// What a path leads to: a single value as text unless JSON is wanted, all else as JSON.
    fn picked(&mut self, out: &mut Vec<u8>, path: &Path) -> Cell {
        let event = self.event;
        let Some(schema) = event.schema else { return Cell::Absent };
        if let Some(view) = query::only(event, path) {
            return self.field(out, &view);
        }
        let (clock, json) = (self.event.clock(), self.cells.json);
        let shape = Shape::of(event, path);
        if shape.is_text() && !json {
            query::visit(event, path, &mut PlainText { out, schema, clock });
            return Cell::Text;
        }
        if shape.items == 0 {
            return unseen(out, event, |_, field| query::leads_to(field, path));
        }
        let list = shape.is_list();
        out.extend_from_slice(if list { b"[" } else { b"" });
        if let Some(keys) = &self.names().keys {
            push_values(out, schema, keys, clock, |writer| {
                query::visit(event, path, writer);
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

    /// A field: a single value as text unless JSON is wanted, arrays and structs always as JSON.
    fn field(&mut self, out: &mut Vec<u8>, view: &FieldView<'_>) -> Cell {
        let Some(schema) = self.event.schema else { return Cell::Absent };
        let clock = self.event.clock();
        if let Some(value) = view.value().filter(|_| !self.cells.json) {
            value::push(out, value, ValueContext { field: view.field, map: view.map(), clock });
            return Cell::Text;
        }
        if let Some(keys) = &self.names().keys {
            push_field(out, view, schema, keys, clock);
        }
        Cell::Json
    }

    fn names(&mut self) -> &Names {
        self.cells.names.of(self.event, |known| Names::new(self.event, known))
    }
}

/// A field that the event does not have, or that is not shown.
fn unseen(out: &mut Vec<u8>, event: &Event<'_>, is_it: impl Fn(usize, &Field) -> bool) -> Cell {
    let is_there = |schema: &Schema| schema.top_level().any(|(at, field)| is_it(at, field));
    let is_left_out = event.left_out() > 0 && event.schema.is_some_and(is_there);
    text(out, is_left_out.then_some("(values left out)"))
}

/// Whether a field is shown unless it is asked for by name.
pub(super) fn is_shown(show: Show) -> bool {
    show != Show::Hidden
}

const fn value_cell(_: value::Written) -> Cell {
    Cell::Text
}

fn number(out: &mut Vec<u8>, value: Option<impl std::fmt::Display>) -> Cell {
    let Some(value) = value else { return Cell::Absent };
    // Writing to a vector cannot fail.
    let _ = write!(out, "{value}");
    Cell::Number
}

fn text(out: &mut Vec<u8>, text: Option<&str>) -> Cell {
    let Some(text) = text else { return Cell::Absent };
    out.extend_from_slice(text.as_bytes());
    Cell::Text
}

fn guid(out: &mut Vec<u8>, guid: Option<Guid>) -> Cell {
    let Some(guid) = guid else { return Cell::Absent };
    out.extend_from_slice(&guid.to_text());
    Cell::Text
}
