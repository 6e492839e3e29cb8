//! Readable lines: one an event.
//!
//! `time cpu pid tid Provider/Event field=value ...`

use std::io::Write;
use std::ops::ControlFlow;

use crate::clock::Clock;
use crate::decode::{DecodedEvent, Fit, Value, Visitor};
use crate::error::Result;
use crate::render::time::TimeCache;
use crate::render::value::{self, Context, Written};
use crate::schema::{Field, Schema, Show};
use crate::trace::Census;

use super::lines::{push_clean, push_name};
use super::{Sink, Worker};

/// Writes each event as a line of text. Control characters in values are made visible, so that a trace cannot
/// command the terminal it is shown on.
#[derive(Debug)]
pub struct TextLines<'c, W> {
    census: &'c Census,
    writer: W,
}

impl<'c, W: Write> TextLines<'c, W> {
    /// Writes to `writer`, which should not buffer.
    pub const fn new(census: &'c Census, writer: W) -> Self {
        Self { census, writer }
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.writer
    }
}

impl<'c, W: Write> Sink for TextLines<'c, W> {
    type Worker = TextWorker<'c>;

    fn worker(&self) -> TextWorker<'c> {
        let (out, time, scratch) = <_>::default();
        TextWorker { census: self.census, out, time, scratch }
    }

    fn accept(&mut self, batch: Vec<u8>) -> Result<ControlFlow<()>> {
        self.writer.write_all(&batch)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes the lines of one thread.
#[derive(Debug)]
pub struct TextWorker<'c> {
    census: &'c Census,
    out: Vec<u8>,
    time: TimeCache,
    scratch: Vec<u8>,
}

impl Worker for TextWorker<'_> {
    type Batch = Vec<u8>;

    fn event(&mut self, event: &DecodedEvent<'_, '_>) -> Result<()> {
        let raw = &event.raw;
        match event.time {
            Some(time) => {
                self.time.push(&mut self.out, time);
            }
            None => write!(self.out, "{}", raw.time())?,
        }
        let id = |id: Option<u32>| id.map_or("-".to_owned(), |id| id.to_string());
        let whose = event.whose(self.census.state());
        write!(self.out, " {:>3} {:>6} {:>6} ", raw.processor(), id(whose.pid), id(whose.tid))?;
        push_name(&mut self.out, self.census, event);
        self.fields(event);
        self.out.push(b'\n');
        Ok(())
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

impl TextWorker<'_> {
    fn fields(&mut self, event: &DecodedEvent<'_, '_>) {
        let clock = self.census.clock(event.raw.place().file);
        let Some(schema) = event.schema else {
            if !event.remainder().is_empty() {
                self.out.extend_from_slice(b" payload=");
                crate::bytes::write_hex(&mut self.out, event.remainder());
            }
            return;
        };
        let (out, scratch) = (&mut self.out, &mut self.scratch);
        let mut writer = Writer { out, scratch, schema, clock, in_array: 0 };
        for view in event.fields().filter(|view| view.field.show != Show::Hidden) {
            view.visit(&mut writer);
        }
        if event.fit() == Fit::Misfit {
            let name = event.misfit().map_or("", |field| &*field.name);
            writer.out.extend_from_slice(b" !misfit=");
            push_clean(writer.out, name);
        }
        if !event.remainder().is_empty() {
            writer.out.extend_from_slice(b" extra=");
            crate::bytes::write_hex(writer.out, event.remainder());
        }
    }
}

struct Writer<'o, 'a> {
    out: &'o mut Vec<u8>,
    scratch: &'o mut Vec<u8>,
    schema: &'a Schema,
    clock: Option<&'a Clock>,
    in_array: u64,
}

impl Writer<'_, '_> {
    fn key(&mut self, field: &Field) {
        if !matches!(self.out.last(), Some(b'[' | b'{')) {
            self.out.push(b' ');
        }
        if self.in_array & 1 == 0 {
            push_clean(self.out, &field.name);
            self.out.push(b'=');
        }
    }
}

impl Visitor for Writer<'_, '_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        self.key(field);
        self.scratch.clear();
        let context = Context { field, map: self.schema.map(field), clock: self.clock };
        let written = value::push(self.scratch, value, context);
        let text = String::from_utf8_lossy(self.scratch);
        let is_text = matches!(value, Value::Utf16(_) | Value::Ansi(_) | Value::Utf8(_));
        if written == Written::Text && is_text {
            self.out.push(b'"');
            push_clean(self.out, &text);
            self.out.push(b'"');
        } else {
            push_clean(self.out, &text);
        }
    }

    fn begin_array(&mut self, _: usize, field: &Field) {
        self.key(field);
        self.out.push(b'[');
        self.in_array = self.in_array << 1 | 1;
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.out.push(b']');
        self.in_array >>= 1;
    }

    fn begin_struct(&mut self, _: usize, field: &Field) {
        self.key(field);
        self.out.push(b'{');
        self.in_array <<= 1;
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.out.push(b'}');
        self.in_array >>= 1;
    }
}
