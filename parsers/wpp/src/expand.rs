//! The format of a definition as a message (sections 12.2 and 12.3).

use std::fmt::Write as _;

use etwkit::schema::{HeaderInsert, Message, MessagePart, Names};

use crate::item::Text;

/// Bytes of the format of a message; a C compiler takes no longer texts.
pub(crate) const MAX_FORMAT: usize = 64 << 10;

/// The prefix that tracefmt uses unless `TRACE_FORMAT_PREFIX` states otherwise: `[cpu]pid.tid::time [component]`.
pub const DEFAULT_PREFIX: &str = "[%9!d!]%8!04X!.%3!04X!::%4!s! [%1!s!]";

/// Returns the prefix of tracefmt's lines for the events of a schema with these names. `%1` to `%9` and names such as
/// `%!FUNC!` mean the same as in `TRACE_FORMAT_PREFIX`.
pub fn prefix(format: &str, names: &Names) -> Message {
    expand(format, names, &[])
}

/// An argument as a message refers to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// By which the format refers to it.
    pub(crate) number: u16,
    /// The field, from 1; 0 if it could not be made one.
    pub(crate) field: u16,
    /// The meaning of `!s!`.
    pub(crate) text: Text,
}

/// Returns the message of a format. `names` has the parts that every message of the definition shares.
pub(crate) fn expand(format: &str, names: &Names, slots: &[Slot]) -> Message {
    let left = MAX_FORMAT;
    let mut expander = Expander { rest: format, names, slots, text: String::new(), parts: Vec::new(), left };
    while expander.step() {}
    expander.flush();
    Message::new(expander.parts)
}

/// Resolves the escapes of C in a quoted format.
pub(crate) fn unescape(format: &str) -> String {
    let mut out = String::with_capacity(format.len());
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.clone().next() } else { None }) {
            ('\\', Some(escape @ ('"' | '\\' | '\'' | '?' | 'n' | 'r' | 't'))) => {
                chars.next();
                out.push(match escape {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    same => same,
                });
            }
            _ => out.push(c),
        }
    }
    out
}

struct Expander<'a> {
    rest: &'a str,
    names: &'a Names,
    slots: &'a [Slot],
    text: String,
    parts: Vec<MessagePart>,
    /// Bytes of names that may still be put in: a format may ask for one long name many times.
    left: usize,
}

impl<'a> Expander<'a> {
    /// Takes text up to the next percent sign and what follows it. False at the end.
    fn step(&mut self) -> bool {
        let Some((before, after)) = self.rest.split_once('%') else {
            self.text.push_str(self.rest);
            return false;
        };
        self.text.push_str(before);
        self.rest = after;
        match after.chars().next() {
            Some('0'..='9') => self.reference(),
            Some('!') => self.named(),
            Some('%') => {
                self.rest = after.get(1..).unwrap_or_default();
                self.text.push('%');
            }
            _ => self.text.push('%'),
        }
        true
    }

    /// `%10!s!`, or a value that is built in: `%1!s!`.
    fn reference(&mut self) {
        // `%0` only states where the prefix was; digits may follow it.
        if let Some(rest) = self.rest.strip_prefix('0') {
            self.rest = rest;
            return;
        }
        let digits = self.rest.bytes().take(3).take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at_checked(digits).unwrap_or((self.rest, ""));
        self.rest = rest;
        let (spec, names) = (self.spec(), self.names);
        match number.parse().unwrap_or(0) {
            1 => self.name(names.provider.as_deref(), spec),
            2 => self.name(names.task.as_deref(), spec),
            3 => self.header(HeaderInsert::Thread, spec),
            4 => self.header(HeaderInsert::Time, spec),
            // Kernel and user time, which messages do not have.
            5 | 6 => self.text.push('0'),
            7 => self.header(HeaderInsert::Sequence, spec),
            8 => self.header(HeaderInsert::Process, spec),
            9 => self.header(HeaderInsert::Processor, spec),
            number => self.argument(number, spec),
        }
    }

    fn argument(&mut self, number: u16, spec: &str) {
        let slot = self.slots.iter().find(|slot| slot.number == number && slot.field > 0);
        match slot {
            Some(slot) => self.part(MessagePart::Insert { index: slot.field, format: slot.text.format(spec).into() }),
            None => self.write(format_args!("%{number}")),
        }
    }

    /// `%!FUNC!`. A name that nothing is known of stays.
    fn named(&mut self) {
        let Some((name, rest)) = self.rest.strip_prefix('!').and_then(|rest| rest.split_once('!')) else {
            self.text.push('%');
            return;
        };
        self.rest = rest;
        let names = self.names;
        let place = || names.task.as_deref().map_or_else(Default::default, place);
        match name {
            "FILE" => self.put(&place().0),
            "LINE" => self.put(place().1),
            "COMPNAME" => self.name(names.provider.as_deref(), ""),
            "TID" => self.header(HeaderInsert::Thread, ""),
            "PID" => self.header(HeaderInsert::Process, ""),
            "CPU" => self.header(HeaderInsert::Processor, ""),
            "SEQ" => self.header(HeaderInsert::Sequence, ""),
            "NOW" => self.header(HeaderInsert::Time, ""),
            "KTIME" | "UTIME" => self.text.push('0'),
            _ => match names.detail(detail_key(name).as_str()) {
                Some(value) => self.put(value),
                None if is_trailer(name) => {}
                None => self.write(format_args!("%!{name}!")),
            },
        }
    }

    /// Returns the text between exclamation marks, if that is next.
    fn spec(&mut self) -> &'a str {
        let spec = self.rest.strip_prefix('!').and_then(|rest| rest.split_once('!'));
        let Some((spec, rest)) = spec else { return "" };
        self.rest = rest;
        spec
    }

    /// Text that is the same in every message, in its form: only width matters to text.
    fn name(&mut self, name: Option<&str>, spec: &str) {
        let name = self.affordable(name.unwrap_or_default());
        let width = spec.trim_start_matches('-').trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let width = width.parse::<usize>().unwrap_or(0).min(256);
        if spec.starts_with('-') {
            self.write(format_args!("{name:<width$}"));
        } else {
            self.write(format_args!("{name:>width$}"));
        }
    }

    fn put(&mut self, text: &str) {
        let text = self.affordable(text);
        self.text.push_str(text);
    }

    /// Returns the text, or an ellipsis when all names together have become too long.
    fn affordable<'t>(&mut self, text: &'t str) -> &'t str {
        let Some(left) = self.left.checked_sub(text.len()) else { return "\u{2026}" };
        self.left = left;
        text
    }

    fn header(&mut self, value: HeaderInsert, spec: &str) {
        let text = if value == HeaderInsert::Time { Text::FixedStyle("stamp") } else { Text::Number('d') };
        self.part(MessagePart::Header { value, format: text.format(spec).into() });
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(text);
    }

    fn part(&mut self, part: MessagePart) {
        self.flush();
        self.parts.push(part);
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(MessagePart::Text(std::mem::take(&mut self.text).into()));
        }
    }
}

/// Returns the key in a schema's details for a name in a trailer.
pub(crate) fn detail_key(name: &str) -> String {
    match name {
        "FUNC" => "function".into(),
        "SRC" => "source".into(),
        other => other.to_ascii_lowercase(),
    }
}

/// Returns whether WPP puts this name into trailers: it expands to nothing if the trailer lacks it.
fn is_trailer(name: &str) -> bool {
    matches!(name, "FUNC" | "LEVEL" | "FLAGS" | "SUBCOMP" | "MJ" | "MN" | "SRC" | "KEYWORDS")
}

/// File and line of a definition's name: `driver_c120` is line 120 of `driver.c`.
fn place(name: &str) -> (String, &str) {
    let file = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let line = name.get(file.len()..).unwrap_or_default();
    let file = file.rsplit_once('_').map_or_else(|| file.to_owned(), |(stem, kind)| format!("{stem}.{kind}"));
    (file, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(format: &str, slots: &[Slot]) -> String {
        let details = [("function", "main"), ("level", "ERROR")].map(|(key, value)| (key.into(), value.into()));
        let mut names = Names::default().provider("sys").task("IPC.Device_c23");
        names.details = details.into();
        expand(&unescape(format), &names, slots).to_string()
    }

    #[test]
    fn built_in_values() {
        assert_eq!(text("%0%!FUNC! %!LEVEL! %!FLAGS!|%!MINE!", &[]), "main ERROR |%%!MINE!");
        assert_eq!(
            text("%!FILE!(%!LINE!) %1!s!/%!COMPNAME!/%2!5s!/%1!-5s!|", &[]),
            "IPC.Device.c(23) sys/sys/IPC.Device_c23/sys  |"
        );
        assert_eq!(
            text("[%9!d!]%8!04X!.%3!04X!::%4!s! %7!s! %5!s!", &[]),
            "[%{cpu}!d!]%{pid}!04X!.%{tid}!04X!::%{time}!s:stamp! %{sequence}!d! 0"
        );
        assert_eq!(
            text("%!TID!%!PID!%!CPU!%!SEQ!%!NOW!", &[]),
            "%{tid}!d!%{pid}!d!%{cpu}!d!%{sequence}!d!%{time}!s:stamp!"
        );
    }

    #[test]
    fn a_long_name_cannot_be_had_many_times() {
        let names = Names::default().task("x".repeat(1000));
        let text = expand(&"%2!s!".repeat(10_000), &names, &[]).to_string();
        assert!((MAX_FORMAT - 1000..MAX_FORMAT + 3 * 10_000).contains(&text.len()));
        assert!(text.ends_with('\u{2026}'));
    }

    #[test]
    fn arguments_escapes_and_percent_signs() {
        let slot = |number, field, text| Slot { number, field, text };
        let slots = [slot(10, 1, Text::Number('d')), slot(11, 2, Text::Style("ntstatus")), slot(12, 0, Text::Plain)];
        assert_eq!(text(r#"%010%% %10!u! %11!s!\n\"%12!s! \q%"#, &slots), "10%% %1!u! %2!s:ntstatus!%n\"%%%|12 \\q%%");
    }
}
