//! One cell: a column of an event.

use std::io::Write as _;
use std::sync::Arc;

use crate::bytes::{Guid, write_hex};
use crate::clock::Clock;
use crate::decode::{DecodedEvent, FieldView};
use crate::event::Kind;
use crate::schema::{Field, Schema, Show};
use crate::trace::Census;

use super::Column;
use super::shape::{PlainText, Shape};
use crate::query::{self, Part, Path, Place};
use crate::render::json::{FieldKeys, push_field, push_fields, push_values};
use crate::render::message::push_message;
use crate::render::time::TimeCache;
use crate::render::value::{self, Context};
use crate::sink::prepared::Prepared;

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

/// Writes the cells of one thread.
#[derive(Debug)]
pub(super) struct Cells<'c> {
    census: &'c Census,
    time: TimeCache,
    names: Prepared<Names>,
    /// Whether a field's value is wanted as JSON.
    json: bool,
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
    fn new(census: &Census, event: &DecodedEvent<'_, '_>, known: Option<&Self>) -> Self {
        Self {
            provider: event.key.and_then(|key| census.provider_name(key)),
            guid: event.key.map_or_else(|| event.raw.provider(), |key| census.provider_guid(key)),
            event: event.schema.and_then(|schema| schema.names().full()),
            keys: match known {
                Some(known) => known.keys.clone(),
                None => event.schema.map(|schema| Arc::new(FieldKeys::new(schema))),
            },
        }
    }
}

impl<'c> Cells<'c> {
    pub(super) fn new(census: &'c Census, time: TimeCache, json: bool) -> Self {
        Self { census, time, names: Prepared::default(), json }
    }

    /// Appends a cell.
    pub(super) fn push(&mut self, out: &mut Vec<u8>, column: &Column, event: &DecodedEvent<'_, '_>) -> Cell {
        let selector = match column {
            Column::Place(place) => return self.field_at(out, event, *place),
            Column::Named(selector) => selector,
        };
        let schema = event.key.and_then(|key| self.census.schema(key)).or(event.schema);
        match selector.place(schema) {
            Place::Part(part) => self.part(out, part, event),
            Place::Field(path) => self.picked(out, event, path),
            Place::Nowhere => Cell::Absent,
        }
    }

    fn part(&mut self, out: &mut Vec<u8>, part: Part, event: &DecodedEvent<'_, '_>) -> Cell {
        let raw = &event.raw;
        let is_event = raw.described().is_some();
        let described = !matches!(raw.kind(), Kind::Wpp | Kind::Error);
        let has_id = matches!(raw.kind(), Kind::Manifest | Kind::TraceLogging | Kind::Wpp);
        match part {
            Part::Time => match event.time {
                Some(time) => {
                    self.time.push_of(out, time, event.is_local_time());
                    Cell::Text
                }
                None => Cell::Absent,
            },
            Part::RawTime => number(out, Some(raw.time())),
            Part::Id => number(out, has_id.then(|| raw.id())),
            Part::Version => number(out, described.then(|| raw.version())),
            Part::Level => number(out, (described && raw.hook().is_none()).then(|| raw.level())),
            Part::Opcode => number(out, described.then(|| raw.opcode())),
            Part::Task => number(out, is_event.then(|| raw.task())),
            Part::Channel => number(out, is_event.then(|| raw.channel())),
            Part::Keywords if is_event => value_cell(value::hex(out, raw.keywords())),
            Part::Keywords => Cell::Absent,
            Part::Process => text(out, event.process_name(self.census.state())),
            Part::Pid => number(out, event.whose(self.census.state()).pid),
            Part::Tid => number(out, event.whose(self.census.state()).tid),
            Part::Cpu => number(out, Some(raw.processor())),
            Part::Activity => guid(out, raw.activity()),
            Part::RelatedActivity => guid(out, raw.related_activity()),
            Part::Kind => text(out, Some(raw.kind_name())),
            Part::Schema => match event.schema {
                Some(schema) => text(out, Some(&schema.origin().to_string())),
                None => Cell::Absent,
            },
            Part::Extra if event.remainder().is_empty() => Cell::Absent,
            Part::Extra => {
                write_hex(out, event.remainder());
                Cell::Text
            }
            Part::Message => match event.schema.and_then(Schema::message) {
                Some(message) => {
                    push_message(out, message, event, self.clock(event));
                    Cell::Text
                }
                None => Cell::Absent,
            },
            Part::Provider | Part::ProviderGuid | Part::Event | Part::Fields => self.named(out, part, event),
        }
    }

    fn named(&mut self, out: &mut Vec<u8>, part: Part, event: &DecodedEvent<'_, '_>) -> Cell {
        let clock = self.clock(event);
        let names = self.names(event);
        match part {
            Part::Provider => text(out, names.provider.as_deref()),
            Part::ProviderGuid => guid(out, Some(names.guid).filter(|guid| !guid.is_null())),
            Part::Event => text(out, names.event.as_deref()),
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
    fn picked(&mut self, out: &mut Vec<u8>, event: &DecodedEvent<'_, '_>, path: &Path) -> Cell {
        let Some(schema) = event.schema else { return Cell::Absent };
        if let Some(view) = query::only(event, path) {
            return self.field(out, event, &view);
        }
        let (clock, json) = (self.clock(event), self.json);
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
        if let Some(keys) = &self.names(event).keys {
            push_values(out, schema, keys, clock, |writer| {
                query::visit(event, path, writer);
            });
        }
        out.extend_from_slice(if list { b"]" } else { b"" });
        Cell::Json
    }

    fn field_at(&mut self, out: &mut Vec<u8>, event: &DecodedEvent<'_, '_>, place: usize) -> Cell {
        match event.field_at(place) {
            Some(view) => self.field(out, event, &view),
            None => unseen(out, event, |at, _| at == place),
        }
    }

    /// A field: a single value as text unless JSON is wanted, arrays and structs always as JSON.
    fn field(&mut self, out: &mut Vec<u8>, event: &DecodedEvent<'_, '_>, view: &FieldView<'_, '_>) -> Cell {
        let Some(schema) = event.schema else { return Cell::Absent };
        let clock = self.clock(event);
        if let Some(value) = view.value().filter(|_| !self.json) {
            value::push(out, value, Context { field: view.field, map: view.map(), clock });
            return Cell::Text;
        }
        if let Some(keys) = &self.names(event).keys {
            push_field(out, view, schema, keys, clock);
        }
        Cell::Json
    }

    fn names(&mut self, event: &DecodedEvent<'_, '_>) -> &Names {
        let census = self.census;
        self.names.of(event, |known| Names::new(census, event, known))
    }

    fn clock(&self, event: &DecodedEvent<'_, '_>) -> Option<&'c Clock> {
        self.census.clock(event.raw.place().file)
    }
}

/// A field that the event does not have, or that is not shown.
fn unseen(out: &mut Vec<u8>, event: &DecodedEvent<'_, '_>, is_it: impl Fn(usize, &Field) -> bool) -> Cell {
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
