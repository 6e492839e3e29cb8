//! Stand-ins for the engine's sinks: the header of each event, and its payload as hex.

use std::io::Write;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use etwkit::Result;
use etwkit::decode::DecodedEvent;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::Census;
use serde_json::{Map, Value, json};

use crate::text::clean;
use crate::time::rfc3339;

/// One JSON object an event.
pub(crate) type JsonLines<'c, W> = Lines<'c, W, Json>;
/// One line an event.
pub(crate) type TextLines<'c, W> = Lines<'c, W, Text>;

/// Writes lines.
#[derive(Debug)]
pub(crate) struct Lines<'c, W, F> {
    census: &'c Census,
    writer: W,
    format: PhantomData<F>,
}

impl<'c, W: Write, F: Format> Lines<'c, W, F> {
    pub(crate) const fn new(census: &'c Census, writer: W) -> Self {
        Self { census, writer, format: PhantomData }
    }

    pub(crate) fn into_inner(self) -> W {
        self.writer
    }
}

impl<'c, W: Write, F: Format> Sink for Lines<'c, W, F> {
    type Worker = LineWorker<'c, F>;

    fn worker(&self) -> Self::Worker {
        LineWorker { census: self.census, out: Vec::new(), format: PhantomData }
    }

    fn accept(&mut self, batch: Vec<u8>) -> Result<ControlFlow<()>> {
        self.writer.write_all(&batch)?;
        Ok(ControlFlow::Continue(()))
    }
}

#[derive(Debug)]
pub(crate) struct LineWorker<'c, F> {
    census: &'c Census,
    out: Vec<u8>,
    format: PhantomData<F>,
}

impl<F: Format> Worker for LineWorker<'_, F> {
    type Batch = Vec<u8>;

    fn event(&mut self, event: &DecodedEvent<'_, '_>) -> Result<()> {
        F::line(self.census, event, &mut self.out);
        Ok(())
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

/// How a line looks.
pub(crate) trait Format: Send + Sync {
    fn line(census: &Census, event: &DecodedEvent<'_, '_>, out: &mut Vec<u8>);
}

#[derive(Debug)]
pub(crate) struct Json;

impl Format for Json {
    fn line(census: &Census, event: &DecodedEvent<'_, '_>, out: &mut Vec<u8>) {
        let mut object = Map::new();
        let raw = &event.raw;
        let key = event.key;
        let hex: String = event.remainder().iter().map(|byte| format!("{byte:02x}")).collect();
        for (name, value) in [
            ("time", json!(event.time.and_then(rfc3339))),
            ("raw_time", json!(raw.time())),
            ("provider", json!(key.and_then(|key| census.provider_name(key)))),
            ("provider_guid", json!(key.map(|key| census.provider_guid(key).to_string()))),
            ("id", json!(raw.key().id)),
            ("level", json!(raw.level())),
            ("pid", json!(raw.pid())),
            ("tid", json!(raw.tid())),
            ("cpu", json!(raw.processor())),
            ("payload", json!(hex)),
        ] {
            if value != Value::Null {
                object.insert(name.to_owned(), value);
            }
        }
        let _ = serde_json::to_writer(&mut *out, &object);
        out.push(b'\n');
    }
}

#[derive(Debug)]
pub(crate) struct Text;

impl Format for Text {
    fn line(census: &Census, event: &DecodedEvent<'_, '_>, out: &mut Vec<u8>) {
        let time = event.time.and_then(rfc3339).unwrap_or_else(|| event.raw.time().to_string());
        let provider = event.key.and_then(|key| census.provider_name(key)).unwrap_or_default();
        let _ = writeln!(
            out,
            "{time} cpu {} {} id {}",
            event.raw.processor(),
            clean(&provider),
            event.raw.key().id
        );
    }
}
