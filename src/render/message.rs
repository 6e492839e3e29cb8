//! An event's message with its values inserted (section 9.8).

use std::fmt::Write as _;

use crate::clock::Clock;
use crate::decode::{DecodedEvent, FieldView, Value, Visitor};
use crate::schema::{Field, Map, Message, Part, Schema, Show};

use super::value::{self, Context};

/// Appends the message of an event. An insert without a readable field stays as it is written, `%7`.
pub fn write_message(out: &mut String, message: &Message, event: &DecodedEvent<'_, '_>, clock: Option<&Clock>) {
    for part in message.parts() {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Parameter(number) => {
                let _ = write!(out, "%%{number}");
            }
            Part::Insert { index, format } => match field(event, *index) {
                Some(view) => insert(out, &view, format, event.schema, clock),
                None => {
                    let _ = write!(out, "%{index}");
                }
            },
        }
    }
}

fn field<'a, 'd>(event: &'a DecodedEvent<'_, 'd>, index: u16) -> Option<FieldView<'a, 'd>> {
    event.fields().nth(usize::from(index).checked_sub(1)?)
}

fn insert(out: &mut String, view: &FieldView<'_, '_>, format: &str, schema: Option<&Schema>, clock: Option<&Clock>) {
    if let (Some(number), Some(spec)) = (view.value().as_ref().and_then(Value::as_u64), Spec::numeric(format)) {
        spec.write(out, number, view.bytes().len());
        return;
    }
    let mut text = Text { out, schema, clock, separator: "" };
    view.visit(&mut text);
}

/// A printf form of a number: flags, width, conversion.
struct Spec {
    alternate: bool,
    zeros: bool,
    left: bool,
    width: usize,
    conversion: char,
}

impl Spec {
    /// Reads `04x`, `#I64x`, `d` and so on; `None` for text forms.
    fn numeric(format: &str) -> Option<Self> {
        let conversion = format.chars().last()?;
        if !matches!(conversion, 'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c' | 'p') {
            return None;
        }
        let flags = format.trim_start_matches(['#', '0', '-', '+', ' ']);
        let used = format.get(..format.len() - flags.len())?;
        let width: String = flags.chars().take_while(char::is_ascii_digit).take(4).collect();
        Some(Self {
            alternate: used.contains('#'),
            zeros: used.contains('0'),
            left: used.contains('-'),
            width: width.parse().unwrap_or(0).min(256),
            conversion,
        })
    }

    fn write(&self, out: &mut String, value: u64, bytes: usize) {
        let unused = 64 - 8 * bytes.clamp(1, 8) as u32;
        let signed = (value << unused).cast_signed() >> unused;
        let unsigned = value << unused >> unused;
        let prefix = if self.alternate { "0x" } else { "" };
        let text = match self.conversion {
            'd' | 'i' => signed.to_string(),
            'x' => format!("{prefix}{unsigned:x}"),
            'X' => format!("{prefix}{unsigned:X}"),
            'o' => format!("{unsigned:o}"),
            'p' => format!("{unsigned:016X}"),
            'c' => char::from_u32(unsigned as u32).unwrap_or(char::REPLACEMENT_CHARACTER).to_string(),
            _ => unsigned.to_string(),
        };
        let fill = self.width.saturating_sub(text.chars().count());
        if self.left {
            out.push_str(&text);
            out.extend(std::iter::repeat_n(' ', fill));
        } else {
            out.extend(std::iter::repeat_n(if self.zeros { '0' } else { ' ' }, fill));
            out.push_str(&text);
        }
    }
}

/// All values of a field, arrays and structs with spaces between.
struct Text<'o, 'a> {
    out: &'o mut String,
    schema: Option<&'a Schema>,
    clock: Option<&'a Clock>,
    separator: &'static str,
}

impl Visitor for Text<'_, '_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        self.out.push_str(self.separator);
        self.separator = " ";
        let map: Option<&Map> = self.schema.and_then(|schema| schema.map(field));
        if field.show != Show::Hidden {
            self.out.push_str(&value::to_string(value, Context { field, map, clock: self.clock }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(format: &str, value: u64, bytes: usize) -> String {
        let mut out = String::new();
        Spec::numeric(format).unwrap().write(&mut out, value, bytes);
        out
    }

    #[test]
    fn printf_forms_of_numbers() {
        assert_eq!(number("04x", 0xAB, 4), "00ab");
        assert_eq!(number("#I64X", 0xAB, 8), "0xAB");
        assert_eq!(number("d", 0xFFFF_FFFE, 4), "-2");
        assert_eq!(number("-5u", 7, 4), "7    ");
        assert_eq!(number("3d", 7, 4), "  7");
        assert!(Spec::numeric("s").is_none());
    }
}
