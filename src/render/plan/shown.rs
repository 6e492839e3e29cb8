//! How an integer is shown, by the rules of [`crate::render::value::push`].

use crate::render::json::MAX_SAFE;
use crate::render::pen::{Literal, Mark, Pen};
use crate::schema::{DisplayFormat, Map, MapKind};

use super::integer::{Integer, Width};
use super::memo::Memo;
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
    Label(Box<[(u64, Literal)]>, Box<Shown>),
    /// As the value's text, which is made once for each of a few values.
    Text(Box<Memo>),
    /// As the value's text: most values are different.
    Unique,
}

impl Shown {
    /// Returns how an integer of a field with this presentation and map is shown.
    pub(super) fn new<D: Dialect>(display: DisplayFormat, map: Option<&Map>, integer: Integer) -> Self {
        match (map, display) {
            (_, DisplayFormat::Plain) if integer.is_pointer => Self::Hex,
            (_, DisplayFormat::Unsigned) if integer.is_pointer => Self::Unsigned,
            (Some(map), _) if map.kind() == MapKind::Values => {
                Self::Label(labels::<D>(map), Box::new(Self::without_map(display, integer)))
            }
            (Some(_), _) => Self::Text(Box::default()),
            (None, display) => Self::without_map(display, integer),
        }
    }

    fn without_map(display: DisplayFormat, integer: Integer) -> Self {
        let decimal = if integer.is_signed { Self::Signed } else { Self::Unsigned };
        match display {
            DisplayFormat::Hex | DisplayFormat::CodePointer | DisplayFormat::NtStatus | DisplayFormat::HResult => {
                Self::Hex
            }
            DisplayFormat::Bool => Self::Bool,
            DisplayFormat::Unsigned => Self::Unsigned,
            DisplayFormat::Signed => Self::Signed,
            DisplayFormat::Plain
            | DisplayFormat::Pid
            | DisplayFormat::Tid
            | DisplayFormat::ErrorCode
            | DisplayFormat::Win32Error => decimal,
            DisplayFormat::FileTime | DisplayFormat::ClockTime => Self::Unique,
            _ => Self::Text(Box::default()),
        }
    }

    /// Returns whether its text is made of digits, or a word of a few letters.
    pub(super) const fn is_short(&self) -> bool {
        matches!(self, Self::Unsigned | Self::Signed | Self::Hex | Self::Bool)
    }

    /// Writes a number and what is after it. `push` appends the text of its value, which may depend on the clock of the
    /// file.
    #[inline]
    pub(super) fn write<D: Dialect>(
        &mut self,
        pen: &mut Pen,
        width: Width,
        (number, end): (u64, End),
        file: u16,
        push: impl FnOnce(&mut Vec<u8>),
    ) {
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
                    return other.write::<D>(pen, width, (number, end), file, push);
                }
            }
            Self::Text(memo) => memo.write(pen, number, file, push),
            Self::Unique => pen.with_vec(push),
        }
        end.plain.write(pen);
    }
}

/// Returns the names of a map as they are written.
fn labels<D: Dialect>(map: &Map) -> Box<[(u64, Literal)]> {
    let label = |(value, name): (u64, &str)| {
        let mut text = Vec::new();
        D::push_label(&mut text, name);
        (value, Literal::new(&text))
    };
    map.entries().map(label).collect()
}

#[inline]
pub(super) fn unsigned<D: Dialect>(pen: &mut Pen, number: u64) {
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
pub(super) fn large<D: Dialect>(pen: &mut Pen, number: u64) {
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
