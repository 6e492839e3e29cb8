//! Message texts with inserts: `%1!s! connected to %2`.

use std::fmt;

/// A message template.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Message {
    parts: Box<[MessagePart]>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessagePart {
    /// Literal text.
    Text(Box<str>),
    /// The value of a top-level field.
    Insert {
        /// Which, from 1.
        index: u16,
        /// printf form between the exclamation marks; empty or `s` for the rendered value. A colon and a word may
        /// follow, which ask for a rendering of its own, see [`crate::render::Style`]: `s:ntstatus`.
        format: Box<str>,
    },
    /// A value of the event's header: `%{tid}`.
    Header {
        /// Which.
        value: HeaderInsert,
        /// As for [`MessagePart::Insert`].
        format: Box<str>,
    },
    /// `%%n`: a string of the provider's parameter file.
    Parameter(u32),
}

named_enum! {
    /// A value of the event's header that a message can show.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum HeaderInsert {
        /// Time of the event.
        Time = "time",
        /// Thread id.
        Thread = "tid",
        /// Process id.
        Process = "pid",
        /// Processor.
        Processor = "cpu",
        /// Sequence number of a WPP message.
        Sequence = "sequence",
    }
}

impl HeaderInsert {
    /// Returns the value of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }
}

impl Message {
    /// Makes a message of these parts, as far as message text can express them: neighbouring texts become one, empty
    /// ones none, an insert outside 1 to 99 becomes text, an exclamation mark in a format is dropped.
    pub fn new(parts: Vec<MessagePart>) -> Self {
        let mut sayable = Vec::with_capacity(parts.len());
        let mut text = String::new();
        for part in parts.into_iter().map(MessagePart::sayable) {
            match part {
                MessagePart::Text(more) => text.push_str(&more),
                part => {
                    flush(&mut text, &mut sayable);
                    sayable.push(part);
                }
            }
        }
        flush(&mut text, &mut sayable);
        Self { parts: sayable.into() }
    }

    /// Returns its parts.
    pub const fn parts(&self) -> &[MessagePart] {
        &self.parts
    }

    /// Reads `FormatMessage` text (section 9.8). Nothing is an error: what is not an insert is text. Two things that
    /// Windows does not know: `%|` expands to nothing and separates parts that would be read together, so that every
    /// message can be written; `%{tid}` is a value of the header.
    pub fn parse(text: &str) -> Self {
        let mut reader = Reader { rest: text, text: String::new(), parts: Vec::new() };
        while reader.step() {}
        flush(&mut reader.text, &mut reader.parts);
        Self::new(reader.parts)
    }
}

impl Message {
    /// Bytes of text in it; every part that is not text counts, too.
    pub(super) fn text_len(&self) -> usize {
        self.parts.iter().map(|part| part.text_len() + 4).sum()
    }
}

impl fmt::Display for Message {
    /// Writes the text that [`Message::parse`] reads back as the same message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = None;
        for part in &self.parts {
            match part {
                MessagePart::Text(text) => write_text(f, before, text)?,
                MessagePart::Insert { index, format } if format.is_empty() => write!(f, "%{index}")?,
                MessagePart::Insert { index, format } => write!(f, "%{index}!{format}!")?,
                MessagePart::Header { value, format } if format.is_empty() => write!(f, "%{{{}}}", value.name())?,
                MessagePart::Header { value, format } => write!(f, "%{{{}}}!{format}!", value.name())?,
                MessagePart::Parameter(number) => write!(f, "%%{number}")?,
            }
            before = Some(part);
        }
        Ok(())
    }
}

impl MessagePart {
    /// Bytes of text in it.
    pub(super) const fn text_len(&self) -> usize {
        match self {
            Self::Text(text) | Self::Insert { format: text, .. } | Self::Header { format: text, .. } => text.len(),
            Self::Parameter(_) => 0,
        }
    }

    /// The nearest part that message text can express.
    fn sayable(self) -> Self {
        match self {
            Self::Insert { index, .. } if !(1..=99).contains(&index) => Self::Text(format!("%{index}").into()),
            // An exclamation mark would end the format.
            Self::Insert { index, format } if format.contains('!') => {
                Self::Insert { index, format: format.replace('!', "").into() }
            }
            Self::Header { value, format } if format.contains('!') => {
                Self::Header { value, format: format.replace('!', "").into() }
            }
            part => part,
        }
    }
}

/// Writes text so that neither it nor the text before it is read as anything else.
fn write_text(f: &mut fmt::Formatter<'_>, before: Option<&MessagePart>, text: &str) -> fmt::Result {
    let mut chars = text.chars().peekable();
    let first = chars.peek().copied().unwrap_or_default();
    let number_before =
        matches!(before, Some(MessagePart::Insert { .. } | MessagePart::Header { .. } | MessagePart::Parameter(_)));
    if number_before && (first.is_ascii_digit() || first == '!') {
        f.write_str("%|")?;
    }
    while let Some(c) = chars.next() {
        match c {
            // `%%5` is a parameter, so the digit must be separated.
            '%' if chars.peek().is_some_and(char::is_ascii_digit) => f.write_str("%%%|")?,
            '%' => f.write_str("%%")?,
            '\n' => f.write_str("%n")?,
            '\r' => f.write_str("%r")?,
            '\t' => f.write_str("%t")?,
            c => write!(f, "{c}")?,
        }
    }
    Ok(())
}

struct Reader<'t> {
    rest: &'t str,
    text: String,
    parts: Vec<MessagePart>,
}

impl Reader<'_> {
    /// Takes text up to the next percent sign and what follows it. False at the end.
    fn step(&mut self) -> bool {
        let Some((before, after)) = self.rest.split_once('%') else {
            self.text.push_str(self.rest);
            self.rest = "";
            return false;
        };
        self.text.push_str(before);
        self.rest = after;
        let mut chars = after.chars();
        let next = chars.next();
        match next {
            Some('1'..='9') => self.insert(),
            Some('{') => self.header(),
            Some('%') if chars.as_str().starts_with(|c: char| c.is_ascii_digit()) => {
                self.rest = chars.as_str();
                let number = self.digits(10);
                self.push(MessagePart::Parameter(number));
            }
            Some('0') => {
                // `%0` ends the text without a newline.
                self.rest = "";
                return false;
            }
            Some('|') => self.rest = chars.as_str(),
            Some(letter @ ('n' | 'r' | 't' | 'b' | '.' | '!' | '%')) => {
                self.rest = chars.as_str();
                self.text.push(match letter {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'b' => ' ',
                    other => other,
                });
            }
            _ => self.text.push('%'),
        }
        true
    }

    fn insert(&mut self) {
        let index = u16::try_from(self.digits(2)).unwrap_or(0);
        let format = self.format();
        self.push(MessagePart::Insert { index, format });
    }

    /// `%{name}` with its format, or text if there is no such value.
    fn header(&mut self) {
        let inside = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let Some((value, rest)) = inside.and_then(|(name, rest)| Some((HeaderInsert::from_name(name)?, rest))) else {
            self.text.push('%');
            return;
        };
        self.rest = rest;
        let format = self.format();
        self.push(MessagePart::Header { value, format });
    }

    /// Returns the text between exclamation marks, if that is next.
    fn format(&mut self) -> Box<str> {
        let format = self.rest.strip_prefix('!').and_then(|rest| rest.split_once('!'));
        let format = format.map_or("", |(format, rest)| {
            self.rest = rest;
            format
        });
        format.into()
    }

    /// Takes up to `most` digits, as many as fit into a `u32`.
    fn digits(&mut self, most: usize) -> u32 {
        let mut value = 0u32;
        for _ in 0..most {
            let digit = self.rest.chars().next().and_then(|c| c.to_digit(10));
            let longer = digit.and_then(|digit| value.checked_mul(10)?.checked_add(digit));
            let Some(longer) = longer else { break };
            value = longer;
            self.rest = self.rest.get(1..).unwrap_or_default();
        }
        value
    }

    fn push(&mut self, part: MessagePart) {
        flush(&mut self.text, &mut self.parts);
        self.parts.push(part);
    }
}

/// Moves text that has been gathered, if any, to the parts.
fn flush(text: &mut String, parts: &mut Vec<MessagePart>) {
    if !text.is_empty() {
        parts.push(MessagePart::Text(std::mem::take(text).into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserts_escapes_and_parameters() {
        let message = Message::parse("Process %1 (%2!04x!)%n%%14593 100%%%z%0 unseen");
        let text = |t: &str| MessagePart::Text(t.into());
        let insert = |index, f: &str| MessagePart::Insert { index, format: f.into() };
        assert_eq!(
            message.parts(),
            [
                text("Process "),
                insert(1, ""),
                text(" ("),
                insert(2, "04x"),
                text(")\n"),
                MessagePart::Parameter(14593),
                text(" 100%%z"),
            ]
        );
    }

    #[test]
    fn what_would_be_read_together_is_parted_when_written() {
        let insert = |index| MessagePart::Insert { index, format: "".into() };
        let text = |t: &str| MessagePart::Text(t.into());
        let parts = vec![insert(1), text("5%5!"), insert(2), text("!x! 100%"), MessagePart::Parameter(7), text("7\n")];
        let message = Message::new(parts);
        assert_eq!(message.to_string(), "%1%|5%%%|5!%2%|!x! 100%%%%7%|7%n");
        assert_eq!(Message::parse(&message.to_string()), message);
    }

    #[test]
    fn a_parameter_may_be_an_ntstatus() {
        let message = Message::parse("%%3221225477 %%42949672960");
        let expected = [MessagePart::Parameter(0xc000_0005), MessagePart::Text(" ".into())];
        assert_eq!(message.parts()[..2], expected);
        // An eleventh digit does not belong to a u32.
        assert_eq!(message.parts()[2], MessagePart::Parameter(429_496_729));
    }

    #[test]
    fn parts_that_no_text_can_say_are_made_sayable() {
        let odd = MessagePart::Insert { index: 100, format: "s".into() };
        let message = Message::new(vec![MessagePart::Text("a".into()), MessagePart::Text("".into()), odd]);
        assert_eq!(message.parts(), [MessagePart::Text("a%100".into())]);
    }

    #[test]
    fn header_values_have_names() {
        let message = Message::parse("%{cpu}!d!.%{tid} %{nonsense} %{");
        let header = |value, format: &str| MessagePart::Header { value, format: format.into() };
        let text = |t: &str| MessagePart::Text(t.into());
        let expected = [
            header(HeaderInsert::Processor, "d"),
            text("."),
            header(HeaderInsert::Thread, ""),
            text(" %{nonsense} %{"),
        ];
        assert_eq!(message.parts(), expected);
        assert_eq!(Message::parse(&message.to_string()), message);
    }

    #[test]
    fn a_lone_percent_is_text() {
        assert_eq!(Message::parse("50%").parts(), [MessagePart::Text("50%".into())]);
    }
}
