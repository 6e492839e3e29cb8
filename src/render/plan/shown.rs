//! How an integer is shown, by the rules of [`crate::render::value::push`].

use crate::render::dates::{is_build_time, is_filetime};
use crate::render::json::MAX_SAFE;
use crate::render::pen::{Mark, Pen};
use crate::render::time::second_text;
use crate::schema::{DisplayFormat, Field, MapKind, Notation};
use crate::time::{FileTime, RawTime};

use super::compiler::{Compiler, Labels};
use super::integer::Integer;
use super::memo::Memo;
use super::source::Source;
use super::{Dialect, End};

/// How an integer is shown.
#[derive(Debug)]
pub(super) enum Shown {
    /// Digits.
    Unsigned,
    /// Digits with a sign.
    Signed,
    /// `0x` and digits.
    Hex,
    /// `true` or `false`.
    Bool,
    /// The name that a map gives it, sorted by value; if it has none, as without the map.
    Label(Labels, Box<Shown>),
    /// As the value's text, which is made once for each of a few values.
    Text(Box<Memo>),
    /// A time: most are different.
    Time(TimeOf),
    /// The time at which an image was built: the same images come again and again.
    Build(Box<Memo>),
}

/// What counts a time.
#[derive(Clone, Copy, Debug)]
pub(super) enum TimeOf {
    /// A `FILETIME`.
    FileTime,
    /// The clock of the trace.
    Clock,
    /// Seconds since 1970.
    Unix,
}

impl Shown {
    /// Returns how an integer of a field is shown.
    pub(super) fn new<D: Dialect>(compiler: &mut Compiler<'_, D>, field: &Field, integer: Integer) -> Self {
        let display = field.display;
        match (compiler.map(field), display) {
            (Some((number, map)), _) if map.kind() == MapKind::Values => {
                Self::Label(compiler.labels((number, map)), Box::new(Self::without_map(display, integer)))
            }
            (Some(_), _) => Self::Text(Box::default()),
            (None, display) => Self::without_map(display, integer),
        }
    }

    fn without_map(display: DisplayFormat, integer: Integer) -> Self {
        match display.notation(integer.kind()) {
            Notation::Decimal { is_signed: true } => Self::Signed,
            Notation::Decimal { is_signed: false } => Self::Unsigned,
            Notation::Hex => Self::Hex,
            Notation::Bool => Self::Bool,
            Notation::Time { .. } => match display {
                DisplayFormat::FileTime => Self::Time(TimeOf::FileTime),
                DisplayFormat::ClockTime => Self::Time(TimeOf::Clock),
                _ => Self::Build(Box::default()),
            },
            Notation::Character | Notation::Port | Notation::Ipv4 | Notation::Mac => Self::Text(Box::default()),
        }
    }

    /// Returns whether its text is made of digits, or a word of a few letters.
    pub(super) const fn is_short(&self) -> bool {
        matches!(self, Self::Unsigned | Self::Signed | Self::Hex | Self::Bool)
    }

    /// Writes a number and what is after it. `push` appends the text of its value.
    #[inline]
    pub(super) fn write<D: Dialect>(
        &mut self,
        pen: &mut Pen,
        integer: Integer,
        (number, end): (u64, End),
        source: &Source<'_>,
        push: impl FnOnce(&mut Vec<u8>),
    ) {
        let width = integer.width;
        match self {
            Self::Unsigned => unsigned::<D>(pen, number),
            Self::Signed => signed::<D>(pen, width.extend(number)),
            Self::Hex => {
                return pen.marked_hex(Mark::NONE, number, end.of(D::QUOTES_WORDS));
            }
            Self::Bool if number == 0 => pen.block(b"false", 5),
            Self::Bool => pen.block(b"true", 4),
            Self::Label(labels, other) => {
                let known = labels.binary_search_by_key(&number, |(value, _)| *value).ok();
                if let Some((_, label)) = known.and_then(|at| labels.get(at)) {
                    pen.literal(label);
                } else {
                    // Elsewhere the quote before hexadecimal digits is the end of what is before them.
                    if D::QUOTES_WORDS && matches!(**other, Self::Hex) {
                        D::QUOTE.write(pen);
                    }
                    return other.write::<D>(pen, integer, (number, end), source, push);
                }
            }
            Self::Text(memo) => memo.write(pen, number, source.file, |pen| pen.with_vec(push)),
            Self::Time(of) => time::<D>(pen, (integer, number), *of, source, push),
            Self::Build(memo) => memo.write(pen, number, source.file, |pen| {
                time::<D>(pen, (integer, number), TimeOf::Unix, source, push);
            }),
        }
        end.plain.write(pen);
    }
}

impl TimeOf {
    /// Returns the text of the second of a number that is a time, and the units of 100 ns since then; `None` for all other
    /// numbers.
    fn second(self, number: u64, source: &Source<'_>) -> Option<([u8; 19], Option<u32>)> {
        let time = match self {
            Self::FileTime if is_filetime(number) => FileTime(number.cast_signed()),
            Self::Clock if number.cast_signed() > 0 => source.clock?.filetime(RawTime(number.cast_signed()))?,
            Self::FileTime | Self::Clock => return None,
            Self::Unix => {
                let is_time = is_build_time(number, source.clock);
                return Some((second_text(number.cast_signed()).filter(|_| is_time)?, None));
            }
        };
        let (seconds, units) = time.unix_parts();
        Some((second_text(seconds)?, Some(units as u32)))
    }
}

/// Writes a number that counts a time; one that is none as `push` does.
#[inline(never)]
fn time<D: Dialect>(
    pen: &mut Pen,
    (integer, number): (Integer, u64),
    of: TimeOf,
    source: &Source<'_>,
    push: impl FnOnce(&mut Vec<u8>),
) {
    let is_negative = integer.is_signed && integer.width.extend(number) < 0;
    let Some((second, units)) = of.second(number, source).filter(|_| !is_negative) else { return pen.with_vec(push) };
    if D::QUOTES_WORDS {
        D::QUOTE.write(pen);
    }
    pen.block(&second, second.len());
    if let Some(units) = units {
        pen.byte(b'.');
        pen.decimal7(units);
    }
    pen.byte(b'Z');
    if D::QUOTES_WORDS {
        D::QUOTE.write(pen);
    }
}

/// Writes an unsigned number in decimal.
#[inline]
pub(super) fn unsigned<D: Dialect>(pen: &mut Pen, number: u64) {
    if !pen.short_decimal(number) {
        long::<D>(pen, number);
    }
}

#[inline(never)]
fn long<D: Dialect>(pen: &mut Pen, number: u64) {
    if !D::QUOTES_WORDS || number <= MAX_SAFE { pen.decimal(number) } else { large::<D>(pen, number) }
}

#[inline]
fn signed<D: Dialect>(pen: &mut Pen, number: i64) {
    if !D::QUOTES_WORDS || number.unsigned_abs() <= MAX_SAFE {
        pen.signed(number);
    } else {
        large_signed::<D>(pen, number);
    }
}

/// Writes a number beyond what every reader keeps exact, with quotes.
#[cold]
fn large<D: Dialect>(pen: &mut Pen, number: u64) {
    D::QUOTE.write(pen);
    pen.decimal(number);
    D::QUOTE.write(pen);
}

#[cold]
fn large_signed<D: Dialect>(pen: &mut Pen, number: i64) {
    D::QUOTE.write(pen);
    pen.signed(number);
    D::QUOTE.write(pen);
}
