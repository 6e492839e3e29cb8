//! Lines as Microsoft's tracefmt prints them: a prefix, then the message.

use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;
use std::sync::Arc;

use etwkit::bytes::write_hex;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::event::Kind;
use etwkit::output::{LineFormat, LineSink, PerType};
use etwkit::render::{Zone, push_message, push_message_in, terminal};
use etwkit::schema::{Message, MessagePart, Names, Schema};
use etwkit::trace::Trace;

/// Writes each WPP message, and each other event that is not a kernel event, as a line.
///
/// What a definition does not fit, and messages without a definition, are written with their bytes in hexadecimal.
pub type TracefmtLines<'t, W> = LineSink<'t, Tracefmt, W>;

/// The lines of tracefmt. Without another prefix they begin with `[cpu]pid.tid::time [component]`, as those of tracefmt
/// do where `TRACE_FORMAT_PREFIX` is not set. Times of events are UTC if no zone is set; tracefmt's are local.
pub struct Tracefmt {
    prefix: Box<Prefix>,
    zone: Zone,
}

/// Makes the prefix of a schema's events of its names.
type Prefix = dyn Fn(&Names) -> Message + Send + Sync;

impl Default for Tracefmt {
    fn default() -> Self {
        Self { prefix: Box::new(usual_prefix), zone: Zone::default() }
    }
}

impl fmt::Debug for Tracefmt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tracefmt").finish_non_exhaustive()
    }
}

impl Tracefmt {
    /// Sets what makes the prefix. It gets the names of an event's schema, once for each schema; they are safe to print
    /// to a terminal. `etwkit_wpp::prefix` reads the form of `TRACE_FORMAT_PREFIX`.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Fn(&Names) -> Message + Send + Sync + 'static) -> Self {
        self.prefix = Box::new(prefix);
        self
    }

    /// Sets the zone of the times in prefixes.
    #[must_use]
    pub fn zone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    fn prefix_of(&self, schema: Option<&Schema>) -> Arc<Message> {
        let message = match schema {
            Some(schema) => (self.prefix)(&safe(schema.names())),
            None => (self.prefix)(&Names::default().provider("Unknown")),
        };
        Arc::new(message)
    }
}

/// Bytes of the name of a provider that the usual prefix shows.
const MAX_PROVIDER: usize = 64 << 10;

fn usual_prefix(names: &Names) -> Message {
    let provider = names.provider.as_deref().unwrap_or_default();
    let provider = if provider.len() > MAX_PROVIDER { "\u{2026}" } else { provider };
    let mut parts = Message::parse("[%{cpu}!d!]%{pid}!04X!.%{tid}!04X!::%{time}!s:stamp! [").parts().to_vec();
    parts.push(MessagePart::Text(format!("{provider}]").into()));
    Message::new(parts)
}

/// Names come from files of symbols: control characters in them are made visible. Those that a user writes into a
/// prefix are meant, and stay.
fn safe(names: &Names) -> Names {
    let mut names = names.clone();
    let Names { provider, task, opcode, level, channel, event, provider_message, keywords, details, .. } = &mut names;
    let single = [provider, task, opcode, level, channel, event, provider_message].into_iter().flatten();
    let keywords = keywords.iter_mut().map(|(_, name)| name);
    for text in single.chain(keywords).chain(details.iter_mut().map(|(_, value)| value)) {
        if let Cow::Owned(escaped) = terminal::escaped(text) {
            *text = escaped.into();
        }
    }
    names
}

/// State that a thread keeps between events.
#[derive(Debug)]
pub struct TracefmtState {
    prefixes: PerType<Arc<Message>>,
    /// The prefix of events without a schema.
    unknown: Arc<Message>,
}

impl LineFormat for Tracefmt {
    type State = TracefmtState;

    fn state(&self, _: &Trace) -> TracefmtState {
        TracefmtState { prefixes: PerType::default(), unknown: self.prefix_of(None) }
    }

    fn event(&self, state: &mut TracefmtState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        if event.raw().hook().is_some() || event.raw().kind() == Kind::Error {
            return Ok(());
        }
        let prefix = match event.schema() {
            Some(schema) => {
                let make = |known: Option<&Arc<_>>| known.map_or_else(|| self.prefix_of(Some(schema)), Arc::clone);
                state.prefixes.of(event, make)
            }
            None => &state.unknown,
        };
        push_message_in(out, prefix, event, event.clock(), &self.zone);
        let start = out.len();
        match event.schema().and_then(Schema::message) {
            Some(message) => push_message(out, message, event, event.clock()),
            None => push_unknown(out, event)?,
        }
        if event.has_layout() {
            push_rest(out, event)?;
        }
        end_line(out, start);
        Ok(())
    }
}

/// An event without a message text: who wrote it, and its payload.
fn push_unknown(out: &mut Vec<u8>, event: &Event<'_>) -> Result<()> {
    let raw = event.raw();
    match event.schema().and_then(|schema| schema.names().full()) {
        Some(name) => write!(out, "{name}")?,
        None => write!(out, "Unknown({:3}): GUID={}", raw.id(), raw.provider_guid())?,
    }
    if let Some(message) = raw.message() {
        if let Some(component) = message.component {
            write!(out, " component={component}")?;
        }
        if let Some(sequence) = message.sequence {
            write!(out, " sequence={sequence}")?;
        }
    }
    if !event.has_layout() {
        out.extend_from_slice(b" (no format information found) arguments=");
        write_hex(out, event.payload());
    }
    Ok(())
}

/// Writes an event that its definition does not fit.
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

/// Drops the line ends at the end of the message that begins at `start`, as the line is ended anyway, and makes control
/// characters visible. Line feeds and tabs inside a message stay, as tracefmt prints them.
fn end_line(out: &mut Vec<u8>, start: usize) {
    while out.len() > start && matches!(out.last(), Some(b'\r' | b'\n')) {
        out.pop();
    }
    terminal::escape_lines_from(out, start);
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_command_the_terminal() {
        let mut out = b"\x1b[0]a\x1b[2J\xC2\x9B\tb\r\n".to_vec();
        end_line(&mut out, 4);
        assert_eq!(String::from_utf8(out).unwrap(), "\u{1b}[0]a\\u{1b}[2J\\u{9b}\tb\n");
    }

    #[test]
    fn names_in_a_prefix_are_safe() {
        let mut names = Names::default().provider("a\nb");
        names.details = [("function".into(), "f\u{1b}[2J".into())].into();
        let names = safe(&names);
        assert_eq!(names.provider.as_deref(), Some("a\\nb"));
        assert_eq!(names.detail("function"), Some("f\\u{1b}[2J"));
        let prefix = usual_prefix(&names).to_string();
        assert_eq!(prefix, "[%{cpu}!d!]%{pid}!04X!.%{tid}!04X!::%{time}!s:stamp! [a\\nb]");
    }
}
