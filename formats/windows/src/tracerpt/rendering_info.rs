//! `<RenderingInfo>` and `<ExtendedTracingInfo>`: the event in words.

use std::io::Write as _;

use etwkit::decode::{Event, PlacedFields};
use etwkit::event::Kind;
use etwkit::render::pen::Pen;
use etwkit::schema::{Names, SchemaSource, standard_level, standard_opcode};

use super::data::DataColumns;
use super::escape;
use super::system::provider_name;
use crate::header::{KERNEL, is_kernel};
use crate::names::{Aliases, is_file_header};

const TRACE_SPACE: &str = "http://schemas.microsoft.com/win/2004/08/events/trace";

/// The event in words, but for its message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) level: Option<String>,
    pub(super) opcode: Option<String>,
    pub(super) keywords: Vec<String>,
    pub(super) task: Option<String>,
    pub(super) channel: Option<String>,
    pub(super) provider: Option<String>,
    /// Name of a classic event.
    pub(super) event: Option<String>,
}

impl Words {
    /// Returns what is known of an event. Without a schema that is nothing, as in the report.
    pub(super) fn of(event: &Event<'_>, aliases: &Aliases) -> Self {
        let Some(names) = event.schema().map(|schema| schema.reported().names()) else { return Self::default() };
        let text = |name: &Option<Box<str>>| name.as_deref().map(str::to_owned);
        let alias = aliases.of(event.raw());
        match event.raw().kind() {
            Kind::Manifest => Self::of_manifest(event, names),
            Kind::TraceLogging => Self { task: text(&names.task), ..Self::default() },
            Kind::Classic => Self {
                opcode: match alias.and_then(|(alias, _)| alias.opcode.as_deref()) {
                    Some(name) => Some(name.to_owned()),
                    None if is_file_header(event.raw()) => Some("Header".to_owned()),
                    None => text(&names.opcode),
                },
                provider: if is_kernel(event) { Some(KERNEL) } else { provider_name(event) }.map(str::to_owned),
                event: aliases.class_name(event.raw()).map(str::to_owned).or_else(|| text(&names.task)),
                ..Self::default()
            },
            _ => Self::default(),
        }
    }

    fn of_manifest(event: &Event<'_>, names: &Names) -> Self {
        let raw = event.raw();
        let text = |name: &Option<Box<str>>| name.as_deref().map(str::to_owned);
        let message = |key: &str| names.detail(key).map(of_table);
        let standard = standard_opcode(raw.opcode());
        let own = || names.opcode.as_deref().filter(|own| Some(*own) != standard).map(str::to_owned);
        Self {
            level: text(&names.level).or_else(|| level_text(raw.level()).map(of_table)),
            opcode: message(Names::OPCODE_MESSAGE).or_else(own).or_else(|| standard.map(of_table)),
            keywords: names.keywords_of(raw.keywords()).map(|name| keyword_text(names, name)).collect(),
            task: message(Names::TASK_MESSAGE).or_else(|| text(&names.task)),
            channel: message(Names::CHANNEL_MESSAGE).or_else(|| text(&names.channel)),
            provider: provider_text(event, names),
            event: None,
        }
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Returns a text of a message table with the blank that Windows makes of the line break at its end.
fn of_table(text: &str) -> String {
    format!("{text} ")
}

/// Returns a keyword as it is shown: the text, as a message if it is one.
fn keyword_text(names: &Names, text: &str) -> String {
    let hex = names.detail(Names::KEYWORD_MESSAGES).and_then(|mask| mask.strip_prefix("0x"));
    let messages = hex.and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or(0);
    let is_message = names.keywords.iter().any(|(mask, own)| **own == *text && mask & messages != 0);
    if is_message { of_table(text) } else { text.to_owned() }
}

/// Returns the provider's message; without one its name, which for the providers of Windows is the message too: the
/// registered facts have names only.
fn provider_text(event: &Event<'_>, names: &Names) -> Option<String> {
    let source = event.schema().map(|schema| schema.reported().origin().source);
    match (names.provider_message.as_deref(), provider_name(event)) {
        (Some(message), _) => Some(of_table(message)),
        (None, Some(name)) if source == Some(SchemaSource::REGISTERED) => Some(of_table(name)),
        (None, name) => name.map(str::to_owned),
    }
}

/// Returns the message of a standard level; its name but for level 0.
const fn level_text(level: u8) -> Option<&'static str> {
    match level {
        0 => Some("Log Always"),
        _ => standard_level(level),
    }
}

/// The two elements and the end of the event, with a gap where the message goes.
#[derive(Debug, Default)]
pub(super) struct RenderingInfo {
    before: Vec<u8>,
    /// Whether there is a message between the two.
    has_message: bool,
    after: Vec<u8>,
}

impl RenderingInfo {
    pub(super) fn new(event: &Event<'_>, words: &Words) -> Self {
        let kind = event.raw().kind();
        let has_message = event.schema().is_some_and(|schema| schema.reported().message().is_some());
        let mut info = Self::default();
        info.push_words(words, (has_message && kind != Kind::Wpp).then_some(kind));
        info.push_extended(event, has_message && kind == Kind::Wpp);
        info.end().extend_from_slice(b"</Event>\n");
        info
    }

    /// Leaves a gap for the message, in an element.
    fn push_message(&mut self, element: &str, line_break: &str) {
        let _ = write!(self.before, "\t\t<{element}>");
        let _ = writeln!(self.after, "{line_break}</{element}>");
        self.has_message = true;
    }

    /// Returns what the next element is appended to.
    fn end(&mut self) -> &mut Vec<u8> {
        if self.has_message { &mut self.after } else { &mut self.before }
    }

    /// Adds `<RenderingInfo>`, with a message for events of this kind.
    fn push_words(&mut self, words: &Words, message: Option<Kind>) {
        if words.is_empty() && message.is_none() {
            return;
        }
        let out = &mut self.before;
        out.extend_from_slice(b"\t<RenderingInfo Culture=\"en-US\">\n");
        push_element(out, "Level", words.level.as_deref());
        push_element(out, "Opcode", words.opcode.as_deref());
        if !words.keywords.is_empty() {
            out.extend_from_slice(b"\t\t<Keywords>\n");
            for keyword in &words.keywords {
                out.push(b'\t');
                push_element(out, "Keyword", Some(keyword));
            }
            out.extend_from_slice(b"\t\t</Keywords>\n");
        }
        push_element(out, "Task", words.task.as_deref());
        if let Some(kind) = message {
            // The line break at the end of a manifest's message is a blank.
            self.push_message("Message", if kind == Kind::Manifest { " " } else { "" });
        }
        let out = self.end();
        push_element(out, "Channel", words.channel.as_deref());
        push_element(out, "Provider", words.provider.as_deref());
        if let Some(name) = &words.event {
            let _ = write!(out, "\t\t<EventName xmlns=\"{TRACE_SPACE}\">");
            escape::push_str(out, name);
            out.extend_from_slice(b"</EventName>\n");
        }
        out.extend_from_slice(b"\t</RenderingInfo>\n");
    }

    /// Adds `<ExtendedTracingInfo>` of classic events and those of WPP.
    fn push_extended(&mut self, event: &Event<'_>, has_message: bool) {
        let raw = event.raw();
        if !matches!(raw.kind(), Kind::Classic | Kind::Wpp) {
            return;
        }
        let out = self.end();
        let _ = writeln!(out, "\t<ExtendedTracingInfo xmlns=\"{TRACE_SPACE}\">");
        let _ = writeln!(out, "\t\t<EventGuid>{{{}}}</EventGuid>", raw.provider_guid());
        if raw.kind() == Kind::Wpp {
            let _ = writeln!(out, "\t\t<MessageNumber>{}</MessageNumber>", raw.id());
        }
        if has_message {
            self.push_message("FormattedString", "");
        }
        self.end().extend_from_slice(b"\t</ExtendedTracingInfo>\n");
    }

    /// Writes the elements with the event's message, and returns the text that follows.
    #[inline]
    pub(super) fn write(&self, pen: &mut Pen, fields: &PlacedFields<'_>, data: &DataColumns) -> &[u8] {
        if !self.has_message {
            return &self.before;
        }
        pen.bytes(&self.before);
        data.write_message(pen, fields);
        &self.after
    }

    /// Appends the elements with the event's message.
    pub(super) fn push(&self, out: &mut Vec<u8>, event: &Event<'_>, data: &DataColumns) {
        out.extend_from_slice(&self.before);
        if self.has_message {
            data.push_message(out, event);
            out.extend_from_slice(&self.after);
        }
    }
}

fn push_element(out: &mut Vec<u8>, name: &str, text: Option<&str>) {
    let Some(text) = text else { return };
    let _ = write!(out, "\t\t<{name}>");
    escape::push_str(out, text);
    let _ = writeln!(out, "</{name}>");
}
