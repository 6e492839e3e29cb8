//! A payload made from the facts alone: bytes that encode their place, texts, SIDs and small counts.

use std::collections::{BTreeMap, BTreeSet};

use etwkit_synth::{Payload, PointerSize};

use crate::expr::{self, Known};
use crate::trace_event_facts::{Class, Field, From, Layout, Role};

/// The contents of a generated payload.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    /// By the fields' place in the class.
    pub(crate) fields: Vec<State>,
}

/// What became of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// At this place, read in this way.
    At { start: usize, end: usize, read: String },
    /// This version has no such field.
    Absent,
    /// The facts give no place: TraceEvent computes the value or takes it from the header.
    Elsewhere,
    /// The facts refer to something that only TraceEvent's code can evaluate.
    Unclear(String),
}

/// Elements that arrays get: the value of every name of a count.
const COUNT: i64 = 3;

/// Values of enumerations that conditions name.
const CONSTANTS: [(&str, i64); 6] = [
    ("Kernel.PageKind.File", 1),
    ("Kernel.PageKind.MetaFile", 8),
    ("TraceEventOpcode.Start", 1),
    ("TraceEventOpcode.Stop", 2),
    ("TraceEventOpcode.DataCollectionStart", 3),
    ("TraceEventOpcode.DataCollectionStop", 4),
];

/// Makes the payload of a class.
pub(crate) fn make(class: &Class, version: u8, opcode: u16, size: PointerSize) -> Made {
    let mut plan = Plan::new(class, version, opcode, size);
    plan.len = class.better_sizes.iter().filter_map(|rule| plan.ruled(rule)).max();
    plan.choose();
    while plan.place_all() {}
    let total = plan.total();
    let bytes = plan.bytes(total);
    plan.note_unplaced();
    Made { bytes, fields: plan.states }
}

/// The work of making a payload.
#[derive(Debug)]
struct Plan<'f> {
    class: &'f Class,
    version: u8,
    opcode: u16,
    size: PointerSize,
    /// Names that places and lengths go by.
    counts: BTreeSet<String>,
    chosen: BTreeMap<&'f str, Option<&'f Layout>>,
    states: Vec<State>,
    /// Texts and SIDs, whose length only their writer knows, by place.
    pieces: BTreeMap<usize, Vec<u8>>,
    /// The index of the element asked for.
    index: i64,
    /// The length, if a rule gives it before anything is placed.
    len: Option<usize>,
}

impl<'f> Plan<'f> {
    fn new(class: &'f Class, version: u8, opcode: u16, size: PointerSize) -> Self {
        let states = vec![State::Elsewhere; class.fields.len()];
        let (chosen, pieces) = <_>::default();
        let counts = counts(class);
        Self { class, version, opcode, size, counts, chosen, states, pieces, index: 0, len: None }
    }

    /// The layout of each field in this version.
    fn choose(&mut self) {
        for (index, field) in self.class.fields.iter().enumerate() {
            let chosen = self.layout(field);
            self.states[index] = match chosen {
                Ok(Some(Layout { from: From::Constant(_), .. })) => State::Absent,
                Ok(_) => State::Elsewhere,
                Err(ref why) => State::Unclear(why.clone()),
            };
            if matches!(field.role, Role::Field | Role::Inner) {
                self.chosen.insert(&field.property, chosen.ok().flatten());
            }
        }
    }

    /// Returns the first layout with a true condition.
    fn layout(&mut self, field: &'f Field) -> Result<Option<&'f Layout>, String> {
        for layout in &field.layouts {
            let holds = layout.when.as_deref().map_or(Some(1), |when| expr::value(when, self));
            match holds {
                Some(0) => {}
                Some(_) => return Ok(Some(layout)),
                // None of them would be in the payload.
                None if !field.layouts.iter().any(Layout::is_read) => return Ok(None),
                None => return Err(format!("whether {}", layout.when.as_deref().unwrap_or_default())),
            }
        }
        Ok(None)
    }

    /// Places what can be placed; whether anything was.
    fn place_all(&mut self) -> bool {
        let mut any = false;
        for (index, field) in self.class.fields.iter().enumerate() {
            if self.states[index] != State::Elsewhere {
                continue;
            }
            let Ok(Some(Layout { from: From::Read { read, at, len }, .. })) = self.layout(field) else { continue };
            if let Some((start, end)) = self.place(field, read, at, len.as_deref()) {
                self.states[index] = State::At { start, end, read: read.clone() };
                any = true;
            }
        }
        any
    }

    /// A value that is read at a place that the facts do not give.
    fn note_unplaced(&mut self) {
        for (index, field) in self.class.fields.iter().enumerate() {
            if self.states[index] == State::Elsewhere
                && let Ok(Some(Layout { from: From::Read { at, .. }, .. })) = self.layout(field)
            {
                self.states[index] = State::Unclear(format!("place {at}"));
            }
        }
    }

    fn place(&mut self, field: &Field, read: &str, at: &str, len: Option<&str>) -> Option<(usize, usize)> {
        self.index = 0;
        let start = usize::try_from(expr::value(at, self)?).ok()?;
        let len = match len {
            Some(len) => usize::try_from(expr::value(len, self)?).ok()?,
            None => 0,
        };
        let mut end = start + self.width(read, start, len)?;
        if field.role == Role::Array {
            self.index = COUNT - 1;
            end = usize::try_from(expr::value(at, self)?).ok()? + self.width(read, start, len)?;
            self.index = 0;
        }
        Some((start, end))
    }

    /// Returns the bytes of what is read.
    fn width(&mut self, read: &str, at: usize, len: usize) -> Option<usize> {
        Some(match read {
            "u8" => 1,
            "i16" => 2,
            "i32" => 4,
            "i64" | "f64" => 8,
            "ptr" => self.size.bytes(),
            "guid" | "ipv6" => 16,
            "bytes" => len,
            "utf16_fixed" => 2 * len,
            "utf16z" => self.piece("end_utf16", at),
            "utf8z" => self.piece("end_utf8", at),
            _ => return None,
        })
    }

    /// Returns the length of the text or SID at a place, which is made if there is none.
    fn piece(&mut self, what: &str, at: usize) -> usize {
        let text = made_text(what, at, 0);
        let made = match what {
            "end_sid" => Payload::new().mof_sid(self.size, 5, &[21, 1000 + at as u32]),
            "end_utf8" => Payload::new().ansi_z(&text),
            _ => Payload::new().utf16z(&text),
        };
        self.pieces.entry(at).or_insert_with(|| made.into_bytes()).len()
    }

    /// Returns the payload's length: what the rules demand, and room for every field.
    fn total(&mut self) -> usize {
        let fields = self.states.iter().filter_map(|state| match state {
            State::At { end, .. } => Some(*end),
            _ => None,
        });
        let placed = fields.max().unwrap_or(0);
        let better = self.class.better_sizes.iter().filter_map(|rule| self.ruled(rule)).max();
        let own = || self.class.sizes.iter().filter_map(|rule| self.ruled(rule)).max().unwrap_or(0);
        let ruled = better.unwrap_or_else(own);
        let pieces = self.pieces.iter().map(|(at, piece)| at + piece.len()).max().unwrap_or(0);
        placed.max(ruled).max(pieces)
    }

    /// Returns the length by a rule, if it is about this version.
    fn ruled(&mut self, rule: &str) -> Option<usize> {
        let (condition, size) = match rule.strip_prefix("if ") {
            Some(rest) => rest.split_once(" then ")?,
            None => ("1", rule),
        };
        let size = match size.strip_prefix('(').and_then(|size| size.strip_suffix(')')?.split_once(" || ")) {
            Some((unless, size)) if expr::value(unless, self) == Some(0) => size,
            Some(_) => return None,
            None => size,
        };
        let wanted = size.strip_prefix("len == ").or_else(|| size.strip_prefix("len >= "))?;
        if expr::value(condition, self)? == 0 {
            return None;
        }
        usize::try_from(expr::value(wanted, self)?).ok()
    }

    fn bytes(&self, total: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..total).map(filler).collect();
        for (field, state) in self.class.fields.iter().zip(&self.states) {
            let State::At { start, end, read } = state else { continue };
            if read == "utf16_fixed" {
                let text = made_text(read, *start, end - start);
                let made = Payload::new().utf16_fixed(&text, (end - start) / 2);
                bytes[*start..*end].copy_from_slice(&made.into_bytes());
            } else if self.counts.contains(&field.property) && field.role != Role::Header && is_number(read) {
                bytes[*start..*end].fill(0);
                bytes[*start] = COUNT as u8;
            }
        }
        for (at, piece) in &self.pieces {
            bytes[*at..at + piece.len()].copy_from_slice(piece);
        }
        bytes
    }
}

impl Known for Plan<'_> {
    fn name(&mut self, name: &str) -> Option<i64> {
        match name {
            "ptr" | "PointerSize" => return i64::try_from(self.size.bytes()).ok(),
            "ver" | "LayoutVersion" => return Some(self.version.into()),
            // Not known yet: as long as any layout may want.
            "len" => return self.len.map_or(Some(i64::MAX / 4), |len| i64::try_from(len).ok()),
            "EventDataLength" => return i64::try_from(self.len?).ok(),
            "int.MinValue" => return Some(i32::MIN.into()),
            "idx" | "index" | "arrayIndex" => return Some(self.index),
            // Headers without them.
            "ThreadId" | "ProcessId" => return Some(-1),
            "Opcode" => return Some(self.opcode.into()),
            _ => {}
        }
        if let Some((_, value)) = CONSTANTS.iter().find(|(known, _)| *known == name) {
            return Some(*value);
        }
        let class = self.class;
        if let Some((_, value)) = class.values.iter().find(|(known, _)| known == name) {
            return expr::value(value, self);
        }
        // Before the layouts are chosen a count is known to be one.
        let Some(chosen) = self.chosen.get(name) else { return self.counts.contains(name).then_some(COUNT) };
        match chosen.as_ref()?.from {
            From::Constant(ref value) => value.parse().ok(),
            From::Read { ref read, .. } if is_number(read) && self.counts.contains(name) => Some(COUNT),
            _ => None,
        }
    }

    fn end_of(&mut self, name: &str) -> Option<i64> {
        let index = self
            .class
            .fields
            .iter()
            .position(|field| field.property == name && matches!(field.role, Role::Field | Role::Inner))?;
        match self.states[index] {
            State::At { end, .. } => i64::try_from(end).ok(),
            _ => None,
        }
    }

    fn end_at(&mut self, what: &str, at: i64) -> Option<i64> {
        let start = usize::try_from(at).ok()?;
        let length = match what {
            "end_utf16" | "end_utf8" | "end_sid" => self.piece(what, start),
            // The length of a text, which is never empty here.
            "utf16z@" => return Some(1),
            // Numbers that conditions look at before the field is named are counts.
            "i32@" => return Some(COUNT),
            // Calls about values have a value's name there. (The facts name the function only.)
            "NameIsKeyName" => return Some(i64::from(![14, 15, 16, 18, 19].contains(&at))),
            _ => return None,
        };
        Some(at + i64::try_from(length).ok()?)
    }
}

fn is_number(read: &str) -> bool {
    matches!(read, "u8" | "i16" | "i32" | "i64")
}

/// Names in places, lengths and rules: fields that others go by.
fn counts(class: &Class) -> BTreeSet<String> {
    let reads = class.fields.iter().flat_map(|field| &field.layouts).filter_map(|layout| match &layout.from {
        From::Read { at, len, .. } => Some([Some(at.as_str()), len.as_deref()]),
        _ => None,
    });
    let conditions = class.fields.iter().flat_map(|field| &field.layouts).filter_map(|layout| layout.when.as_deref());
    let texts = reads
        .flatten()
        .flatten()
        .chain(class.sizes.iter().chain(&class.better_sizes).map(String::as_str))
        .chain(conditions);
    let words = texts.flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let numbers = class.fields.iter().filter(|field| {
        field.layouts.iter().any(|layout| matches!(&layout.from, From::Read { read, .. } if is_number(read)))
    });
    let names: BTreeSet<&str> = numbers.map(|field| field.property.as_str()).collect();
    words.filter(|word| names.contains(word)).map(str::to_owned).collect()
}

/// Returns a byte that encodes its place, never zero: fields next to each other have different values.
fn filler(place: usize) -> u8 {
    let mixed = (place as u32).wrapping_mul(0x9e37_79b1).rotate_left(11) ^ (place as u32);
    (mixed % 250) as u8 + 3
}

/// Returns the text at a place, cut if it has a fixed number of bytes.
pub(crate) fn made_text(read: &str, at: usize, bytes: usize) -> String {
    let text = format!("Text at {at}");
    if read == "utf16_fixed" { text.chars().take(bytes / 2).collect() } else { text }
}
