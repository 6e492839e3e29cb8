//! Message texts with inserts: `%1!s! connected to %2`.

/// A message template.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Message {
    parts: Box<[Part]>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Text as it stands.
    Text(Box<str>),
    /// The value of a top-level field.
    Insert {
        /// Which, from 1.
        index: u16,
        /// printf form between the exclamation marks; empty or `s` for the rendered value.
        format: Box<str>,
    },
    /// `%%n`: a string of the provider's parameter file.
    Parameter(u32),
}

impl Message {
    /// A message of these parts.
    pub fn new(parts: Vec<Part>) -> Self {
        Self { parts: parts.into() }
    }

    /// Its parts.
    pub const fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Reads `FormatMessage` text (section 9.8). Nothing is an error: what is no insert is text.
    pub fn parse(text: &str) -> Self {
        let mut reader = Reader { rest: text, text: String::new(), parts: Vec::new() };
        while reader.step() {}
        reader.flush();
        Self::new(reader.parts)
    }
}

struct Reader<'t> {
    rest: &'t str,
    text: String,
    parts: Vec<Part>,
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
            Some('%') if chars.as_str().starts_with(|c: char| c.is_ascii_digit()) => {
                self.rest = chars.as_str();
                let number = self.digits(9);
                self.push(Part::Parameter(number));
            }
            Some('0') => {
                // `%0` ends the text without a newline.
                self.rest = "";
                return false;
            }
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
        let index = self.digits(2) as u16;
        let format = self.rest.strip_prefix('!').and_then(|rest| rest.split_once('!'));
        let format = format.map_or("", |(format, rest)| {
            self.rest = rest;
            format
        });
        let format = format.into();
        self.push(Part::Insert { index, format });
    }

    fn digits(&mut self, most: usize) -> u32 {
        let len = self.rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at_checked(len).unwrap_or_default();
        self.rest = rest;
        digits.parse().unwrap_or(0)
    }

    fn push(&mut self, part: Part) {
        self.flush();
        self.parts.push(part);
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(Part::Text(std::mem::take(&mut self.text).into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserts_escapes_and_parameters() {
        let message = Message::parse("Process %1 (%2!04x!)%n%%14593 100%%%z%0 unseen");
        let text = |t: &str| Part::Text(t.into());
        let insert = |index, f: &str| Part::Insert { index, format: f.into() };
        assert_eq!(
            message.parts(),
            [
                text("Process "),
                insert(1, ""),
                text(" ("),
                insert(2, "04x"),
                text(")\n"),
                Part::Parameter(14593),
                text(" 100%%z"),
            ]
        );
    }

    #[test]
    fn a_lone_percent_is_text() {
        assert_eq!(Message::parse("50%").parts(), [Part::Text("50%".into())]);
    }
}
