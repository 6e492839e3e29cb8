//! Writes the parts of a provider.

use std::collections::BTreeMap;

use etwkit::bytes::push_varint;
use serde_json::Value;

use super::json_values::{array, clean, integer, object};
use crate::done::Done;

/// Bytes of a provider and its texts, each once.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
    texts: Vec<String>,
    places: BTreeMap<String, u64>,
    /// Each distinct field, as it is written.
    fields: BTreeMap<Vec<u8>, u64>,
    field_bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn number(&mut self, value: u64) {
        push_varint(&mut self.bytes, value);
    }

    /// The place of a text.
    fn place(&mut self, text: &str) -> u64 {
        if let Some(place) = self.places.get(text) {
            return *place;
        }
        let place = self.texts.len() as u64;
        self.texts.push(text.to_owned());
        self.places.insert(text.to_owned(), place);
        place
    }

    pub(super) fn text(&mut self, text: &str) {
        let place = self.place(text);
        self.number(place);
    }

    /// A list of numbers with names, sorted by number.
    pub(super) fn named(&mut self, value: &Value, key: &str, number: impl Fn(&str) -> Done<u64>) -> Done {
        let mut list = Vec::new();
        for (text, name) in object(value, key) {
            list.push((number(text)?, name.as_str().ok_or("name")?));
        }
        list.sort_unstable();
        self.number(list.len() as u64);
        for (number, name) in list {
            self.number(number);
            self.text(clean(name));
        }
        Ok(())
    }

    pub(super) fn tasks(&mut self, value: &Value) -> Done {
        self.named(value, "t", |number| Ok(number.parse()?))
    }

    /// A manifest's opcodes belong to a task or to all of them; a class' own are under `y`.
    pub(super) fn opcodes(&mut self, value: &Value) -> Done {
        let mut list = Vec::new();
        for (place, name) in object(value, "o").chain(object(value, "y")) {
            let (task, opcode) = place.split_once(':').unwrap_or(("", place));
            let task = if task.is_empty() { 0 } else { task.parse::<u64>()? + 1 };
            list.push((task, opcode.parse::<u64>()?, name.as_str().ok_or("name")?));
        }
        list.sort_unstable();
        self.number(list.len() as u64);
        for (task, opcode, name) in list {
            self.number(task);
            self.number(opcode);
            self.text(clean(name));
        }
        Ok(())
    }

    /// The maps; the result gives their places.
    pub(super) fn maps(&mut self, value: &Value) -> Done<BTreeMap<String, u64>> {
        let maps: Vec<_> = object(value, "m").collect();
        self.number(maps.len() as u64);
        for (name, map) in &maps {
            self.text(name);
            let bits = map.get(0).and_then(Value::as_str) == Some("b");
            self.bytes.push(u8::from(bits));
            let entries = map.get(1).and_then(Value::as_array).ok_or("map")?;
            self.number(entries.len() as u64);
            for entry in entries {
                self.number(integer(entry.get(0).ok_or("map value")?)?);
                self.text(entry.get(1).and_then(Value::as_str).ok_or("map label")?);
            }
        }
        Ok(maps.iter().zip(0..).map(|((name, _), place)| ((*name).to_owned(), place)).collect())
    }

    /// All fields, then the templates.
    pub(super) fn templates(&mut self, value: &Value, maps: &BTreeMap<String, u64>) -> Done {
        let mut templates = Vec::new();
        for template in array(value, "T") {
            let fields = template.as_array().ok_or("template")?;
            templates.push(fields.iter().map(|field| self.field(field, maps)).collect::<Done<Vec<_>>>()?);
        }
        self.number(self.fields.len() as u64);
        let fields = std::mem::take(&mut self.field_bytes);
        self.bytes.extend(fields);
        self.number(templates.len() as u64);
        for template in templates {
            self.number(template.len() as u64);
            for field in template {
                self.number(field);
            }
        }
        Ok(())
    }

    /// The place of a field; its members get theirs first.
    fn field(&mut self, field: &Value, maps: &BTreeMap<String, u64>) -> Done<u64> {
        let part = |at: usize| field.get(at).filter(|part| !part.is_null());
        let mut members = Vec::new();
        for member in part(6).and_then(Value::as_array).into_iter().flatten() {
            members.push(self.field(member, maps)?);
        }
        let mut bytes = Vec::new();
        push_varint(&mut bytes, self.place(part(0).and_then(Value::as_str).ok_or("field name")?));
        push_varint(&mut bytes, integer(part(1).ok_or("in-type")?)?);
        push_varint(&mut bytes, part(2).map_or(Ok(0), integer)?);
        let flags = bytes.len();
        bytes.push(0);
        let len = self.size(part(3), &mut bytes)?;
        let count = self.size(part(4), &mut bytes)?;
        let map = part(5).and_then(Value::as_str).and_then(|map| maps.get(map));
        if let Some(map) = map {
            push_varint(&mut bytes, *map);
        }
        if !members.is_empty() {
            push_varint(&mut bytes, members.len() as u64);
            for member in &members {
                push_varint(&mut bytes, *member);
            }
        }
        let last = u8::from(map.is_some()) << 4 | u8::from(!members.is_empty()) << 5;
        if let Some(byte) = bytes.get_mut(flags) {
            *byte = len | count << 2 | last;
        }
        Ok(self.field_place(bytes))
    }

    fn field_place(&mut self, bytes: Vec<u8>) -> u64 {
        let next = self.fields.len() as u64;
        if let Some(place) = self.fields.get(&bytes) {
            return *place;
        }
        self.field_bytes.extend(&bytes);
        self.fields.insert(bytes, next);
        next
    }

    /// A length or a count; the result gives its form.
    fn size(&mut self, size: Option<&Value>, bytes: &mut Vec<u8>) -> Done<u8> {
        Ok(match size {
            None => 0,
            Some(Value::String(name)) if name == "*" => 3,
            Some(Value::String(name)) => {
                push_varint(bytes, self.place(name));
                2
            }
            Some(number) => {
                push_varint(bytes, integer(number)?);
                1
            }
        })
    }

    /// The texts before everything else.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut out = Vec::new();
        push_varint(&mut out, self.texts.len() as u64);
        self.texts.iter().for_each(|text| push_varint(&mut out, text.len() as u64));
        self.texts.iter().for_each(|text| out.extend(text.as_bytes()));
        out.extend(self.bytes);
        out
    }
}
