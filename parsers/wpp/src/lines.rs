//! Lines as Microsoft's tracefmt prints them: a prefix, then the message.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;

use etwkit::bytes::write_hex;
use etwkit::decode::{Event, LayoutId};
use etwkit::error::Result;
use etwkit::event::Kind;
use etwkit::render::push_message;
use etwkit::schema::{Message, Names, Schema};
use etwkit::sink::{Sink, Worker};
use etwkit::trace::Trace;

use crate::expand::expand;

/// The prefix that tracefmt uses unless `TRACE_FORMAT_PREFIX` says otherwise: `[cpu]pid.tid::time [component]`.
pub const DEFAULT_PREFIX: &str = "[%9!d!]%8!04X!.%3!04X!::%4!s! [%1!s!]";

/// Writes each WPP message, and each other event that is no kernel event, as a line. Times are UTC.
///
/// What a definition does not fit, and messages without a definition, are written with their bytes in hexadecimal.
#[derive(Debug)]
pub struct TracefmtLines<'c, W> {
    trace: &'c Trace,
    prefix: Box<str>,
    writer: W,
}

impl<'c, W: Write> TracefmtLines<'c, W> {
    /// Writes to `writer`, which should not buffer.
    pub fn new(trace: &'c Trace, writer: W) -> Self {
        Self { trace, prefix: DEFAULT_PREFIX.into(), writer }
    }

    /// With another prefix: `%1` to `%9` and `%!FUNC!` names as `TRACE_FORMAT_PREFIX` has them.
    #[must_use]
    pub fn prefix(mut self, prefix: &str) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.writer
    }
}

impl<'c, W: Write> Sink for TracefmtLines<'c, W> {
    type Worker = TracefmtWorker<'c>;

    fn worker(&self) -> TracefmtWorker<'c> {
        let (out, prefixes) = <_>::default();
        TracefmtWorker { trace: self.trace, prefix: self.prefix.clone(), out, prefixes }
    }

    fn accept(&mut self, batch: Vec<u8>) -> Result<ControlFlow<()>> {
        self.writer.write_all(&batch)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes the lines of one thread.
#[derive(Debug)]
pub struct TracefmtWorker<'c> {
    trace: &'c Trace,
    prefix: Box<str>,
    out: Vec<u8>,
    prefixes: HashMap<LayoutId, Message>,
}

impl Worker for TracefmtWorker<'_> {
    type Batch = Vec<u8>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        if event.raw.hook().is_some() || event.raw.kind() == Kind::Error {
            return Ok(());
        }
        let prefix = self.prefixes.entry(event.layout()).or_insert_with(|| prefix(&self.prefix, event.schema));
        let clock = self.trace.clock(event.raw.place().file);
        let line = self.out.len();
        push_message(&mut self.out, prefix, event, clock);
        // Names in the prefix come from files of symbols. Control characters that the user wrote are meant.
        if !self.prefix.contains(char::is_control) {
            make_safe(&mut self.out, line);
        }
        let start = self.out.len();
        match event.schema.and_then(Schema::message) {
            Some(message) => push_message(&mut self.out, message, event, clock),
            None => push_unknown(&mut self.out, event)?,
        }
        if event.schema.is_some() {
            push_rest(&mut self.out, event)?;
        }
        make_safe(&mut self.out, start);
        self.out.push(b'\n');
        Ok(())
    }

    fn take(&mut self) -> Vec<u8> {
        let capacity = self.out.capacity().min(8 << 20);
        std::mem::replace(&mut self.out, Vec::with_capacity(capacity))
    }
}

fn prefix(format: &str, schema: Option<&Schema>) -> Message {
    match schema {
        Some(schema) => expand(format, schema.names(), &[]),
        None => expand(format, &Names { provider: Some("Unknown".into()), ..Names::default() }, &[]),
    }
}

/// An event without a message text: who wrote it, and its payload.
fn push_unknown(out: &mut Vec<u8>, event: &Event<'_>) -> Result<()> {
    let raw = &event.raw;
    match event.schema.and_then(|schema| schema.names().full()) {
        Some(name) => write!(out, "{name}")?,
        None => write!(out, "Unknown({:3}): GUID={}", raw.id(), raw.provider())?,
    }
    if let Some(message) = raw.message() {
        if let Some(component) = message.component {
            write!(out, " component={component}")?;
        }
        if let Some(sequence) = message.sequence {
            write!(out, " sequence={sequence}")?;
        }
    }
    if event.schema.is_none() {
        out.extend_from_slice(b" (no format information found) arguments=");
        write_hex(out, event.payload());
    }
    Ok(())
}

/// What the definition does not fit.
fn push_rest(out: &mut Vec<u8>, event: &Event<'_>) -> Result<()> {
    if !event.fit().is_whole() {
        write!(out, " [misfit: {}]", event.misfit_name())?;
    }
    if event.left_out() > 0 {
        write!(out, " [values left out: {}]", event.left_out())?;
    }
    if !event.remainder().is_empty() {
        out.extend_from_slice(b" [extra: ");
        write_hex(out, event.remainder());
        out.push(b']');
    }
    Ok(())
}

/// Drops line ends at the end, as a line is ended anyway, and makes other control characters visible, so that a trace
/// cannot command the terminal it is shown on. Line feeds and tabs inside a message stay.
fn make_safe(out: &mut Vec<u8>, start: usize) {
    while out.len() > start && matches!(out.last(), Some(b'\r' | b'\n')) {
        out.pop();
    }
    let is_control = |b: u8| b < b' ' && b != b'\n' && b != b'\t' || b == 0x7F;
    // Controls beyond ASCII are C2 80 to C2 9F in UTF-8; what reorders text or takes no place begins with E2 or EF.
    if !out.get(start..).unwrap_or_default().iter().any(|&b| is_control(b) || matches!(b, 0xC2 | 0xE2 | 0xEF)) {
        return;
    }
    let text = String::from_utf8_lossy(&out.split_off(start)).into_owned();
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c as u8),
            c if c.is_control()
                || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}') =>
            {
                out.extend_from_slice(c.escape_unicode().to_string().as_bytes());
            }
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_command_the_terminal() {
        let mut out = b"\x1b[0]a\x1b[2J\xC2\x9B\tb\r\n".to_vec();
        make_safe(&mut out, 4);
        assert_eq!(String::from_utf8(out).unwrap(), "\u{1b}[0]a\\u{1b}[2J\\u{9b}\tb");
    }
}
