//! printf forms of values: what is between the exclamation marks of a message's insert.
//!
//! The forms are those of Microsoft's C library, which `FormatMessage` and tracefmt use: `04x`, `#I64x`, `-20s`, `.3f`.

use std::io::Write as _;

use crate::decode::Value;
use crate::schema::{masked, sign_extend};

use super::style::Style;
use super::value::ValueContext;

/// Widest field and largest precision; a message text may ask for any.
const MAX_WIDTH: usize = 256;

/// The flags by their characters.
const FLAGS: &[u8; 5] = b"#0-+ ";
const ALTERNATE: u8 = 1;
const ZEROS: u8 = 2;
const LEFT: u8 = 4;
const PLUS: u8 = 8;
const SPACE: u8 = 16;

/// A form: flags, width, precision, size, conversion, and a rendering of our own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spec {
    /// Bits, see `FLAGS`.
    flags: u8,
    width: usize,
    precision: Option<usize>,
    /// Bytes to which C narrows an integer: 2 for `h`, 1 for `hh`, 4 for `I32`.
    size: Option<u8>,
    /// The letter; `s` if there is none.
    conversion: u8,
    pub(super) style: Option<Style>,
}

impl Spec {
    /// Reads a form. What cannot be read asks for the rendered value.
    pub(super) fn parse(format: &str) -> Self {
        let mut spec = Self { conversion: b's', ..Self::default() };
        let (form, style) = format.split_once(':').unwrap_or((format, ""));
        spec.style = Style::from_name(style);
        let mut rest = form.as_bytes();
        while let [first, tail @ ..] = rest
            && let Some(flag) = FLAGS.iter().position(|flag| flag == first)
        {
            spec.flags |= 1 << flag;
            rest = tail;
        }
        spec.width = number(&mut rest);
        if let [b'.', tail @ ..] = rest {
            rest = tail;
            spec.precision = Some(number(&mut rest));
        }
        // Letters before the last one state how wide C passes the value, which the schema knows, or to what it narrows it.
        if let Some((letter, size)) = rest.split_last().filter(|(letter, _)| letter.is_ascii_alphabetic()) {
            spec.conversion = *letter;
            spec.size = match size {
                b"hh" => Some(1),
                b"h" => Some(2),
                b"I32" => Some(4),
                _ => None,
            };
        }
        spec
    }

    const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Returns whether it only asks for the rendered value.
    pub(super) const fn is_plain(&self) -> bool {
        self.width == 0 && self.precision.is_none() && self.style.is_none() && !self.is_numeric()
    }

    const fn is_numeric(&self) -> bool {
        matches!(
            self.conversion,
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'C' | b'p' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G'
        )
    }

    /// Appends a value in this form. `render` appends what is padded or cut as text.
    pub(super) fn push(
        &self,
        out: &mut Vec<u8>,
        value: Value<'_>,
        context: ValueContext<'_>,
        render: impl FnOnce(&mut Vec<u8>),
    ) {
        let start = out.len();
        match (self.style, value) {
            (Some(style), value) => style.push(out, value, context),
            (_, Value::F64(number)) if self.is_numeric() => self.float(out, number),
            (_, Value::F32(number)) if self.is_numeric() => self.float(out, f64::from(number)),
            (_, Value::Unsigned(..) | Value::Signed(..) | Value::Pointer(..)) if self.is_numeric() => {
                self.integer(out, value);
            }
            _ => {
                render(out);
                self.cut(out, start);
            }
        }
        self.pad(out, start);
    }

    /// For text the precision is the most characters.
    fn cut(&self, out: &mut Vec<u8>, start: usize) {
        let Some(precision) = self.precision else { return };
        let text = String::from_utf8_lossy(out.get(start..).unwrap_or_default());
        let len = text.char_indices().nth(precision).map(|(at, _)| at);
        if let Some(len) = len {
            out.truncate(start + len);
        }
    }

    fn integer(&self, out: &mut Vec<u8>, value: Value<'_>) {
        let (bits, signed, width) = self.parts(value);
        let mut decimal = itoa::Buffer::new();
        let mut hex = [0; 16];
        let octal;
        let digits = match self.conversion {
            b'd' | b'i' => decimal.format(signed.unsigned_abs()).as_bytes(),
            b'x' => hex_digits(&mut hex, bits, b"0123456789abcdef"),
            b'X' | b'p' => hex_digits(&mut hex, bits, b"0123456789ABCDEF"),
            b'o' => {
                octal = format!("{bits:o}");
                octal.as_bytes()
            }
            b'c' | b'C' => {
                let c = char::from_u32(bits as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                return;
            }
            _ => decimal.format(bits).as_bytes(),
        };
        // Of 0 without a least number of digits, C writes none.
        let digits = if bits == 0 && self.precision == Some(0) && self.conversion != b'p' { &[] } else { digits };
        let prefix = self.prefix(bits, signed, digits.len());
        let least = match (self.conversion, self.precision) {
            (b'p', _) => usize::from(width) * 2,
            (_, Some(precision)) => precision,
            (_, None) if self.has(ZEROS) && !self.has(LEFT) => self.width.saturating_sub(prefix.len()),
            _ => 0,
        };
        out.extend_from_slice(prefix);
        out.extend(std::iter::repeat_n(b'0', least.saturating_sub(digits.len())));
        out.extend_from_slice(digits);
    }

    /// Returns the bits of an integer, its value as a signed number, and its bytes on the wire. C passes what is shorter
    /// than an `int` as one, so an unsigned byte is never negative unless the form narrows to it; from four bytes on the
    /// conversion decides.
    fn parts(&self, value: Value<'_>) -> (u64, i64, u8) {
        let (bits, width) = (value.bits().unwrap_or(0), value.integer().map_or(8, |(_, bytes)| bytes));
        if let Some(size) = self.size.filter(|size| *size <= width) {
            let narrow = masked(bits, size);
            return (narrow, sign_extend(narrow, size), width);
        }
        let is_positive = width < 4 && !matches!(value, Value::Signed(..));
        (bits, if is_positive { bits.cast_signed() } else { sign_extend(bits, width) }, width)
    }

    /// Returns what is before the digits: a sign, or `0x`.
    fn prefix(&self, bits: u64, signed: i64, digits: usize) -> &'static [u8] {
        match self.conversion {
            b'x' if self.has(ALTERNATE) && bits != 0 => b"0x",
            b'X' if self.has(ALTERNATE) && bits != 0 => b"0X",
            // As the first digit, unless the precision adds one.
            b'o' if self.has(ALTERNATE)
                && (bits != 0 || digits == 0)
                && self.precision.is_none_or(|least| least <= digits) =>
            {
                b"0"
            }
            b'd' | b'i' if signed < 0 => b"-",
            b'd' | b'i' if self.has(PLUS) => b"+",
            b'd' | b'i' if self.has(SPACE) => b" ",
            _ => b"",
        }
    }

    fn float(&self, out: &mut Vec<u8>, number: f64) {
        let start = out.len();
        let precision = self.precision.unwrap_or(6);
        match self.conversion {
            _ if !number.is_finite() => drop(write!(out, "{number}")),
            b'e' | b'E' => exponent(out, number, precision),
            b'f' | b'F' => drop(write!(out, "{number:.precision$}")),
            _ => general(out, number, precision.max(1), self.has(ALTERNATE)),
        }
        if self.has(ALTERNATE) && number.is_finite() {
            add_point(out, start);
        }
        let sign: &[u8] = match () {
            () if number.is_sign_negative() => b"",
            () if self.has(PLUS) => b"+",
            () if self.has(SPACE) => b" ",
            () => b"",
        };
        out.splice(start..start, sign.iter().copied());
        if self.has(ZEROS) && !self.has(LEFT) && number.is_finite() {
            let at = start + usize::from(matches!(out.get(start), Some(b'-' | b'+' | b' ')));
            let fill = self.width.saturating_sub(out.len() - start);
            out.splice(at..at, std::iter::repeat_n(b'0', fill));
        }
        if self.conversion.is_ascii_uppercase() {
            out.get_mut(start..).unwrap_or_default().make_ascii_uppercase();
        }
    }

    /// Fills up with blanks to the width.
    fn pad(&self, out: &mut Vec<u8>, start: usize) {
        if self.width == 0 {
            return;
        }
        // A character has one byte that is not a continuation byte.
        let chars = out.get(start..).unwrap_or_default().iter().filter(|&&b| b & 0xC0 != 0x80).count();
        let fill = std::iter::repeat_n(b' ', self.width.saturating_sub(chars));
        if self.has(LEFT) {
            out.extend(fill);
        } else {
            out.splice(start..start, fill);
        }
    }
}

/// Takes digits, or a `*`, which asks for an argument that messages do not have.
fn number(rest: &mut &[u8]) -> usize {
    let mut value = 0;
    while let [digit @ (b'0'..=b'9' | b'*'), tail @ ..] = *rest {
        if *digit != b'*' {
            value = (value * 10 + usize::from(digit - b'0')).min(MAX_WIDTH);
        }
        *rest = tail;
    }
    value
}

/// The digits of a number without zeros before them, at least one.
fn hex_digits<'b>(room: &'b mut [u8; 16], mut value: u64, digits: &[u8; 16]) -> &'b [u8] {
    let count = (16 - value.leading_zeros() as usize / 4).max(1);
    for slot in room.iter_mut().rev().take(count) {
        *slot = digits.get((value & 15) as usize).copied().unwrap_or(b'0');
        value >>= 4;
    }
    room.get(16 - count..).unwrap_or_default()
}

/// `1.500000e+00`: C writes at least two digits of the exponent.
fn exponent(out: &mut Vec<u8>, number: f64, precision: usize) {
    let text = format!("{number:.precision$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let sign = if power < 0 { '-' } else { '+' };
    let _ = write!(out, "{mantissa}e{sign}{:02}", power.unsigned_abs());
}

/// `%g`: that number of significant digits, with an exponent where that is shorter; without zeros at the end, unless
/// `keeps_zeros`, as `#` asks.
fn general(out: &mut Vec<u8>, number: f64, digits: usize, keeps_zeros: bool) {
    let rounded = format!("{number:.*e}", digits - 1);
    let most = i32::try_from(digits).unwrap_or(i32::MAX);
    let power: i32 = rounded.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    let start = out.len();
    let with_exponent = power < -4 || power >= most;
    if with_exponent {
        exponent(out, number, digits - 1);
    } else {
        let _ = write!(out, "{number:.*}", usize::try_from(most - 1 - power).unwrap_or(0));
    }
    let text = out.split_off(start);
    let end = text.iter().position(|&b| b == b'e').unwrap_or(text.len());
    let (mantissa, power) = text.split_at(end);
    let has_zeros = mantissa.contains(&b'.') && !keeps_zeros;
    let kept = if has_zeros { trimmed(mantissa) } else { mantissa };
    out.extend_from_slice(kept);
    out.extend_from_slice(power);
}

/// Ends the mantissa of a number with a point, if it has none.
fn add_point(out: &mut Vec<u8>, start: usize) {
    let text = out.get(start..).unwrap_or_default();
    if !text.contains(&b'.') {
        let at = text.iter().position(|byte| *byte == b'e').unwrap_or(text.len());
        out.insert(start + at, b'.');
    }
}

/// Without the zeros at the end of a fraction, and without its point if nothing is left of it.
fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b'0'] = text {
        text = rest;
    }
    text.strip_suffix(b".").unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::PointerSize;
    use crate::render::push_insert;
    use crate::schema::{DisplayFormat, Field, Scalar, Wire};

    fn form_of(field: &Field, format: &str, value: Value<'_>) -> String {
        let (mut out, context) = (Vec::new(), ValueContext::new(field));
        Spec::parse(format).push(&mut out, value, context, |out| {
            push_insert(out, value, context);
        });
        String::from_utf8(out).unwrap()
    }

    fn form(format: &str, value: Value<'_>) -> String {
        form_of(&Field::new("x", Wire::Scalar(Scalar::U32)), format, value)
    }

    fn number(format: &str, value: u64, bytes: u8) -> String {
        form(format, Value::Unsigned(value, bytes))
    }

    #[test]
    fn texts_are_padded_and_cut_as_windows_renders_them() {
        let hex = Field::new("x", Wire::Scalar(Scalar::U32)).displayed(DisplayFormat::Hex);
        let with = |format, value| form_of(&hex, format, value);
        assert_eq!(with("8s", Value::Unsigned(0xABC, 4)), "   0xABC");
        assert_eq!(with("-8s", Value::Unsigned(0xABC, 4)), "0xABC   ");
        assert_eq!(with("10s", Value::Bytes(&[0, 0xFF, 0x3C])), "  0x00FF3C");
        assert_eq!(with(".4s", Value::Bytes(&[0, 0xFF, 0x3C])), "0x00");
    }

    #[test]
    fn forms_of_integers() {
        assert_eq!(number("04x", 0xAB, 4), "00ab");
        assert_eq!(number("#I64x", 0xAB, 8), "0xab");
        assert_eq!(number("#06X", 0xAB, 8), "0X00AB");
        assert_eq!(number("#x", 0, 4), "0");
        assert_eq!(number("d", 0xFFFF_FFFE, 4), "-2");
        assert_eq!(number("05d", 0xFFFF_FFFE, 4), "-0002");
        assert_eq!(number("d", 0xFFFE, 2), "65534");
        assert_eq!(form("d", Value::Signed(-2, 2)), "-2");
        assert_eq!(form("x", Value::Signed(-2, 2)), "fffe");
        assert_eq!(form("u", Value::Signed(-2, 4)), "4294967294");
        assert_eq!(number("-5u", 7, 4), "7    ");
        assert_eq!(number("3d", 7, 4), "  7");
        assert_eq!(number("+d", 7, 4), "+7");
        assert_eq!(number(".4u", 7, 4), "0007");
        assert_eq!(number("012I64X", 0xAB, 8), "0000000000AB");
        assert_eq!(number("c", 0x41, 1), "A");
        assert_eq!(number("lu", u64::MAX, 8), u64::MAX.to_string());
        assert_eq!(number("99999999999999999999d", 7, 4).len(), MAX_WIDTH);
        assert_eq!(["o", "#o", "#.4o", "#.2o"].map(|form| number(form, 8, 4)), ["10", "010", "0010", "010"]);
    }

    #[test]
    fn zero_without_digits_and_narrowed_integers() {
        assert_eq!([".0d", ".0x", "#.0o", ".0p"].map(|form| number(form, 0, 4)), ["", "", "0", "00000000"]);
        assert_eq!(
            ["hd", "hu", "hhd", "hhx", "I32d"].map(|form| number(form, 0xFFFF_FFFE, 4)),
            ["-2", "65534", "-2", "fe", "-2"]
        );
        assert_eq!(["hd", "hhu"].map(|form| number(form, 0xFFFE, 2)), ["-2", "254"]);
        assert_eq!(number("I32u", 0x1_0000_0007, 8), "7");
        assert_eq!(number("hd", 0xFE, 1), "254", "a byte is narrow already");
    }

    #[test]
    fn pointers_have_all_their_digits() {
        assert_eq!(form("p", Value::Pointer(0x7FF0_1234_5678, PointerSize::Eight)), "00007FF012345678");
        assert_eq!(form("p", Value::Pointer(0x1234, PointerSize::Four)), "00001234");
    }

    #[test]
    fn forms_of_floating_point_numbers() {
        let float = |format, number| form(format, Value::F64(number));
        assert_eq!(float("g", 3.140_625), "3.14062"); // half to even
        assert_eq!(float("g", 100_000.0), "100000");
        assert_eq!(float("g", 1_000_000.0), "1e+06");
        assert_eq!(float("g", 0.0001), "0.0001");
        assert_eq!(float("g", 0.00001), "1e-05");
        assert_eq!(float("g", 0.0), "0");
        assert_eq!(float(".2f", 2.0), "2.00");
        assert_eq!(float("08.2f", -2.5), "-0002.50");
        assert_eq!(float("e", 1.5), "1.500000e+00");
        assert_eq!(["#.0f", "#.0E", "#.1g", "#.2f"].map(|form| float(form, 2.0)), ["2.", "2.E+00", "2.", "2.00"]);
        assert_eq!(float("G", 1e10), "1E+10");
        assert_eq!([float("#g", 0.5), float("#.3g", 0.0), float("g", -0.0)], ["0.500000", "0.00", "-0"]);
        assert_eq!(float("s", 0.1), "0.1");
    }

    #[test]
    fn forms_of_text() {
        let text = |format| form(format, Value::Utf8("grün".as_bytes()));
        assert_eq!((text("s"), text("-6s"), text("6S")), ("grün".into(), "grün  ".into(), "  grün".into()));
        assert_eq!((text(".3s"), text(".0s"), text("d")), ("grü".into(), String::new(), "grün".into()));
        assert!(Spec::parse("ws").is_plain() && Spec::parse("").is_plain() && !Spec::parse("d").is_plain());
    }
}
