//! Values of rows.

use std::borrow::Cow;
use std::io::Write as _;
use std::sync::Arc;

use etwkit::FileTime;
use etwkit::query::RowValue;
use etwkit::render::terminal;
use etwkit::render::time::TimeCache;
use serde_json::Value;

use crate::text::{grouped, tenths_of_percent};

use super::column::Kind;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// There is none.
    Absent,
    /// The row has no such column: not even a mark is shown.
    Blank,
    /// An integer.
    Integer(i128),
    /// A number of units of which a power of ten make one: `(1250, 3)` is 1.250.
    Decimal(i128, u32),
    /// Milliseconds, by their units of 100 ns: as many decimals as they have.
    Milliseconds(u64),
    /// Any other number.
    Real(f64),
    /// A measure: exact for programs, with three decimals for people.
    Measure(f64),
    /// The share of a number in another one, in per cent: exact for programs, with one decimal for people.
    Share(u64, u64),
    /// Text.
    Text(String),
    /// Text that many rows have.
    Shared(Arc<str>),
    /// A point in time, and its text in the zone of the table.
    Time(FileTime, String),
    /// Text, and the structure that JSON has instead.
    List(String, Value),
    /// A word in place of a value, which JSON leaves out.
    Mark(&'static str),
    /// True or false.
    Truth(bool),
    /// True, in JSON alone.
    Flag,
}

impl Cell {
    /// About the bytes of memory that it takes; text that many rows have counts as its reference.
    pub(super) fn bytes(&self) -> usize {
        let text = match self {
            Self::Text(text) | Self::Time(_, text) => text.capacity(),
            // The structure has each text again, with some words for each value.
            Self::List(text, _) => 4 * text.capacity(),
            _ => 0,
        };
        size_of::<Self>() + text
    }
}

/// Memory of texts that is used again.
#[derive(Debug, Default)]
pub(crate) struct Spare(Vec<String>);

impl Spare {
    /// Returns a text in memory that is used again.
    pub(crate) fn text(&mut self, text: &str) -> String {
        let mut own = self.take();
        own.push_str(text);
        own
    }

    /// Returns memory for a text.
    pub(crate) fn take(&mut self) -> String {
        self.0.pop().unwrap_or_default()
    }

    /// Takes the memory of a row's texts, and leaves no cell.
    pub(crate) fn keep(&mut self, row: &mut Vec<Cell>) {
        for cell in row.drain(..) {
            if let Cell::Text(mut text) | Cell::Time(_, mut text) = cell {
                text.clear();
                self.0.push(text);
            }
        }
    }
}

impl Cell {
    /// A text, or a number if it is decimal digits.
    pub(crate) fn parsed(text: String) -> Self {
        Self::number(&text).unwrap_or(Self::Text(text))
    }

    /// As [`Cell::parsed`], in memory that is used again.
    pub(crate) fn parsed_in(text: &str, spare: &mut Spare) -> Self {
        Self::number(text).unwrap_or_else(|| Self::Text(spare.text(text)))
    }

    /// An integer of 64 bits, as these are printed.
    fn number(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_shown_so = match digits.as_bytes() {
            [b'0'] => text.len() == 1,
            [first, ..] => (b'1'..=b'9').contains(first) && text.len() <= LONGEST_INTEGER,
            [] => false,
        };
        let signed = || text.parse::<i64>().map(i128::from);
        let unsigned = || text.parse::<u64>().map(i128::from);
        if is_shown_so { signed().or_else(|_| unsigned()).ok().map(Self::Integer) } else { None }
    }

    /// A point in time, with its text in memory that is used again.
    pub(crate) fn time(time: FileTime, is_local: bool, cache: &mut TimeCache, memory: String) -> Self {
        let mut text = memory.into_bytes();
        cache.push_of(&mut text, time, is_local);
        Self::Time(time, String::from_utf8(text).unwrap_or_default())
    }

    /// A text that may not be there.
    pub(crate) fn optional(text: Option<String>) -> Self {
        text.map_or(Self::Absent, Self::Text)
    }

    /// The text in CSV.
    pub(crate) fn plain(&self) -> Cow<'_, str> {
        match self {
            Self::Absent | Self::Blank | Self::Flag => "".into(),
            Self::Truth(is) => is.to_string().into(),
            Self::Integer(number) => number.to_string().into(),
            Self::Decimal(units, places) => decimal(*units, *places).into(),
            Self::Milliseconds(units) => milliseconds(*units).into(),
            Self::Real(number) | Self::Measure(number) => number.to_string().into(),
            Self::Share(part, whole) => percent(*part, *whole).to_string().into(),
            Self::Text(text) | Self::List(text, _) | Self::Time(_, text) => text.into(),
            Self::Shared(text) => Cow::Borrowed(text),
            Self::Mark(word) => (*word).into(),
        }
    }

    /// Appends the text for people: `-` for nothing, quotes around empty text.
    pub(super) fn push_shown(&self, out: &mut Vec<u8>, kind: Kind) {
        match self {
            Self::Blank => {}
            // Writing to a vector cannot fail.
            Self::Integer(number) if kind != Kind::Count => match u64::try_from(*number) {
                Ok(number) => out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
                Err(_) => drop(write!(out, "{number}")),
            },
            _ => out.extend_from_slice(self.shown(kind).as_bytes()),
        }
    }

    /// The text that [`Cell::push_shown`] appends.
    pub(super) fn shown(&self, kind: Kind) -> Cow<'_, str> {
        match self {
            Self::Absent | Self::Flag => "-".into(),
            Self::Integer(number) if kind == Kind::Count => {
                u64::try_from(*number).map_or_else(|_| number.to_string(), grouped).into()
            }
            Self::Share(part, whole) => tenths_of_percent(*part, *whole).into(),
            Self::Measure(number) if number.fract() != 0.0 => format!("{number:.3}").into(),
            Self::Text(text) | Self::List(text, _) if text.is_empty() => "\"\"".into(),
            Self::Text(text) | Self::List(text, _) => terminal::escaped(text),
            Self::Shared(text) if text.is_empty() => "\"\"".into(),
            Self::Shared(text) => terminal::escaped(text),
            _ => self.plain(),
        }
    }

    /// Whether JSON has a value for it.
    pub(crate) const fn is_in_json(&self) -> bool {
        !matches!(self, Self::Absent | Self::Blank | Self::Mark(_))
    }

    /// The value in JSON.
    pub(crate) fn json(&self) -> Option<Value> {
        Some(match self {
            Self::Absent | Self::Blank | Self::Mark(_) => return None,
            Self::Integer(number) => match i64::try_from(*number) {
                Ok(number) if number.unsigned_abs() < NOT_EXACT => number.into(),
                _ => number.to_string().into(),
            },
            Self::Decimal(units, places) => Value::from(real(*units, *places)),
            Self::Milliseconds(units) => Value::from(real((*units).into(), MILLISECOND)),
            Self::Real(number) | Self::Measure(number) => Value::from(*number),
            Self::Share(part, whole) => Value::from(percent(*part, *whole)),
            Self::Text(text) | Self::Time(_, text) => text.as_str().into(),
            Self::Shared(text) => (&**text).into(),
            Self::List(_, value) => value.clone(),
            Self::Truth(is) => (*is).into(),
            Self::Flag => true.into(),
        })
    }

    /// The value that conditions compare.
    pub(super) fn value(&self) -> Option<RowValue<'_>> {
        Some(match self {
            Self::Absent | Self::Blank | Self::Flag | Self::Mark(_) => return None,
            Self::Integer(number) => RowValue::Integer(*number),
            Self::Decimal(units, places) => RowValue::Real(real(*units, *places), self.plain()),
            Self::Milliseconds(units) => RowValue::Real(real((*units).into(), MILLISECOND), self.plain()),
            Self::Real(number) | Self::Measure(number) => RowValue::Real(*number, self.plain()),
            Self::Share(part, whole) => RowValue::Real(percent(*part, *whole), self.plain()),
            Self::Text(text) => number_shown(text).unwrap_or_else(|| RowValue::Text(text.into())),
            Self::List(text, _) => RowValue::Text(text.into()),
            Self::Truth(_) => RowValue::Text(self.plain()),
            Self::Shared(text) => RowValue::Text(Cow::Borrowed(text)),
            Self::Time(time, text) => RowValue::Time(*time, text.into()),
        })
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::List(text, _) | Self::Time(_, text) => text,
            Self::Shared(text) => text,
            _ => "",
        }
    }
}

/// The number that a text is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NumberShown {
    /// Decimal digits.
    Integer(i128),
    /// Hexadecimal digits after `0x`.
    Hexadecimal(u64),
    /// A finite number with a fraction or an exponent.
    Real(f64),
}

impl NumberShown {
    /// Reads a number in a form in which numbers are shown: others, such as `00e12` of a checksum, are text.
    pub(super) fn of(text: &str) -> Option<Self> {
        let may_be_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        if text.len() > LONGEST_NUMBER || !may_be_number {
            return None;
        }
        if let Some(digits) = text.strip_prefix("0x") {
            let number = u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
            return Some(Self::Hexadecimal(number));
        }
        match text.parse::<i128>() {
            Ok(number) => (number.to_string() == text).then_some(Self::Integer(number)),
            Err(_) if is_real(text) => text.parse().ok().filter(|number: &f64| number.is_finite()).map(Self::Real),
            Err(_) => None,
        }
    }
}

/// Whether a text has the form of a number with a fraction or an exponent: `-0.5`, `1.5e-9`.
fn is_real(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) =
        text.split_once(['e', 'E']).map_or((text, None), |(mantissa, rest)| (mantissa, Some(rest)));
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(whole, rest)| (whole, Some(rest)));
    let are_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // Numbers are shown without zeros before them, and before an exponent with one digit before the point.
    let is_shown_so = are_digits(whole) && (whole == "0" || !whole.starts_with('0'));
    let has_exponent = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        are_digits(digits) && digits.len() <= LONGEST_EXPONENT && whole.len() == 1
    });
    is_shown_so && fraction.is_none_or(are_digits) && has_exponent
}

/// Digits of the longest exponent of a double.
const LONGEST_EXPONENT: usize = 3;

/// The number that a text is, for conditions.
fn number_shown(text: &str) -> Option<RowValue<'_>> {
    Some(match NumberShown::of(text)? {
        NumberShown::Integer(number) => RowValue::Integer(number),
        NumberShown::Hexadecimal(number) => RowValue::Shown(number.into(), text.into()),
        NumberShown::Real(number) => RowValue::Real(number, text.into()),
    })
}

/// Bytes of the longest integer of 64 bits.
const LONGEST_INTEGER: usize = 20;

/// The first integer that readers of JSON that use doubles may change: it is a text, as in JSON lines of events.
const NOT_EXACT: u64 = 1 << 53;

/// Bytes of the longest number: a double that is shown without an exponent has more.
const LONGEST_NUMBER: usize = 40;

/// Places of units of 100 ns as milliseconds.
pub(super) const MILLISECOND: u32 = 4;

/// Milliseconds without zeros at the end of their fraction.
fn milliseconds(units: u64) -> String {
    decimal(units.into(), MILLISECOND).trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[expect(clippy::cast_precision_loss, reason = "for comparisons and JSON, whose numbers are doubles")]
pub(super) fn real(units: i128, places: u32) -> f64 {
    units as f64 / 10_f64.powi(places.cast_signed())
}

#[expect(clippy::cast_precision_loss, reason = "a share in per cent is a double")]
pub(super) fn percent(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

fn decimal(units: i128, places: u32) -> String {
    let scale = 10_u128.pow(places);
    let sign = if units < 0 { "-" } else { "" };
    let (whole, part) = (units.unsigned_abs() / scale, units.unsigned_abs() % scale);
    format!("{sign}{whole}.{part:0places$}", places = places as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_64_bits_are_numbers() {
        for number in [0, 9, -1, 999_999_999, 1 << 53, i64::MIN.into(), u64::MAX.into()] {
            assert_eq!(Cell::parsed(number.to_string()), Cell::Integer(number));
        }
        for text in ["", "-", "-0", "+1", "007", "-07", "1.5", "18446744073709551616", "-9223372036854775809", "1a"] {
            assert_eq!(Cell::parsed(text.into()), Cell::Text(text.into()));
        }
        let json = [(1 << 53) - 1, 1 << 53, 1 - (1 << 53), -(1 << 53)].map(|number| Cell::Integer(number).json());
        let texts = json.map(|value| value.map_or_else(String::new, |value| value.to_string()));
        let wanted = ["9007199254740991", "\"9007199254740992\"", "-9007199254740991", "\"-9007199254740992\""];
        assert_eq!(texts, wanted);
    }

    #[test]
    fn cells_have_texts_and_an_order() {
        assert_eq!(Cell::Decimal(-1, 3).plain(), "-0.001");
        assert_eq!(Cell::Decimal(1_844_674_407_370_955_161, 3).plain(), "1844674407370955.161");
        let times = [0, 1, 289_706, 44_150_000].map(|units| Cell::Milliseconds(units).plain().into_owned());
        assert_eq!(times, ["0", "0.0001", "28.9706", "4415"]);
        assert_eq!(Cell::Milliseconds(289_706).json(), Some(Value::from(28.9706)));
        let shares = [(0, 9), (1, 2000), (1, 1000), (4, 11), (999, 1000), (1999, 2000), (7, 7)];
        let shown = shares.map(|(part, whole)| Cell::Share(part, whole).shown(Kind::Number).into_owned());
        assert_eq!(shown, ["0.0", "<0.1", "0.1", "36.4", "99.9", ">99.9", "100.0"]);
        assert_eq!(Cell::Share(1, 100_000).plain(), "0.001");
        assert_eq!(Cell::Share(4, 11).json(), Some(Value::from(36.363_636_363_636_37)));
        assert_eq!(Cell::Integer(12_345).shown(Kind::Count), "12,345");
        assert_eq!(
            (Cell::parsed("304".into()), Cell::parsed("404.13".into())),
            (Cell::Integer(304), Cell::Text("404.13".into()))
        );
        assert_eq!(Cell::parsed("007".into()), Cell::Text("007".into()));
        for cell in [Cell::Integer(12_345), Cell::Integer(-1), Cell::Blank, Cell::Absent, Cell::Shared("a\n".into())] {
            for kind in [Kind::Count, Kind::Number] {
                let mut out = Vec::new();
                cell.push_shown(&mut out, kind);
                assert_eq!(out, cell.shown(kind).as_bytes());
            }
        }
        let mut cells =
            [Cell::Absent, Cell::Text("b".into()), Cell::Integer(9), Cell::Decimal(15, 1), Cell::Text("a".into())];
        cells.sort_by(|a, b| a.order(b, true));
        assert_eq!(
            cells.map(|cell| cell.plain().into_owned()),
            ["b".to_owned(), "a".to_owned(), "9".to_owned(), "1.5".to_owned(), String::new()]
        );
    }
}
