//! The payload of a type on its way into columns: what takes as many bytes in each event is copied to a record, and
//! becomes columns when many records are there. Texts and lists go to their columns at once.

use std::io::Write;

use etwkit::bytes::{PointerSize, Sid, nul_terminated, push_utf16_nul, utf16_nul, wrapped_sid};
use etwkit::schema::Count;

use crate::array::Array;
use crate::integer::Integer;
use crate::payload_op::PayloadOp;
use crate::read::Read;
use crate::strided::Strided;
use crate::struct_list::StructList;
use crate::walk::{Form, WalkStep};

/// How payloads with addresses of one size are read.
#[derive(Debug)]
pub(crate) struct Program {
    steps: Box<[Step]>,
    /// The columns that records have.
    columns: Box<[RecordColumn]>,
    /// Bytes of a record.
    record: usize,
    /// Bytes of payloads that are records, if all are.
    whole: Option<usize>,
    pub(crate) pointer: PointerSize,
    /// Values depend on the clock of their file.
    pub(crate) has_clock: bool,
}

/// A part of a payload.
#[derive(Debug)]
enum Step {
    /// Bytes of the record.
    Copy(usize),
    Utf16(Option<usize>),
    /// The same, unless the payload ends before it.
    OptionalUtf16(Option<usize>),
    Sid {
        column: Option<usize>,
        is_wrapped: bool,
        pointer: PointerSize,
    },
    Structs {
        column: usize,
        of: StructList,
        count: ListCount,
        pointer: PointerSize,
    },
    /// 8-bit text. Only ASCII is read here.
    Ascii(Option<usize>),
    List {
        column: Option<usize>,
        integer: Integer,
        width: usize,
        count: ListCount,
    },
}

/// Where the number of elements is.
#[derive(Clone, Copy, Debug)]
enum ListCount {
    Known(usize),
    /// At a place of the record.
    Record(usize, Integer),
    Prefix,
    Rest,
}

/// A column that records have.
#[derive(Debug)]
pub(crate) struct RecordColumn {
    /// The number of its field among those of its type.
    pub(crate) op: usize,
    /// Where its values are in records.
    pub(crate) at: usize,
}

impl Program {
    /// `None` if a column shows what only the engine can read.
    pub(crate) fn new(walk: &[WalkStep], ops: &[PayloadOp], pointer: PointerSize) -> Option<Self> {
        let mut building = Building { pointer, ops, steps: Vec::new(), places: Vec::new(), record: 0 };
        walk.iter().try_for_each(|step| building.add(*step))?;
        let Building { steps, places, record, .. } = building;
        let at = |place: usize| places.iter().find(|known| known.place == place).map(|known| known.at);
        let mut columns = Vec::new();
        for (number, op) in ops.iter().enumerate() {
            let place = match op.read() {
                Read::Utf16 | Read::OptionalUtf16 | Read::Ascii | Read::Sid | Read::Structs(_) | Read::Integers(..) => {
                    continue;
                }
                Read::Located(_) => return None,
                Read::Bits { of, .. } => *of,
                _ => op.place(),
            };
            columns.push(RecordColumn { op: number, at: at(place)? });
        }
        let has_clock = ops.iter().any(PayloadOp::has_clock);
        let whole = if let [Step::Copy(len)] = &*steps { Some(*len) } else { None };
        Some(Self { steps: steps.into(), columns: columns.into(), record, whole, pointer, has_clock })
    }

    /// Appends a payload: a record, texts and lists. `None`, and nothing is appended, unless it fits exactly. Else
    /// about how many bytes texts and lists take.
    #[inline]
    pub(crate) fn push(
        &self,
        payload: &[u8],
        records: &mut Vec<u8>,
        (arrays, row): (&mut [Array], usize),
    ) -> Option<usize> {
        match self.whole {
            Some(len) if payload.len() != len => None,
            Some(_) => {
                records.extend_from_slice(payload);
                Some(0)
            }
            None => self.push_longer(payload, records, (arrays, row)),
        }
    }

    /// Returns the columns that records have, with where their values are in some records.
    pub(crate) fn columns<'r>(&self, records: &'r [u8]) -> impl Iterator<Item = (&RecordColumn, Strided<'r>)> {
        self.columns.iter().map(|column| (column, Strided::at(records, column.at, self.record)))
    }

    fn push_longer(
        &self,
        payload: &[u8],
        records: &mut Vec<u8>,
        (arrays, row): (&mut [Array], usize),
    ) -> Option<usize> {
        let start = records.len();
        let (mut rest, mut bytes) = (payload, 0);
        for step in &self.steps {
            let Some((taken, pushed)) = step.push(rest, records, start, (&mut *arrays, row)) else {
                rest = &[0];
                break;
            };
            bytes += pushed;
            rest = rest.get(taken..)?;
        }
        if rest.is_empty() {
            return Some(bytes);
        }
        self.undo(records, start, (arrays, row));
        None
    }

    #[cold]
    fn undo(&self, records: &mut Vec<u8>, start: usize, (arrays, row): (&mut [Array], usize)) {
        records.truncate(start);
        for step in &self.steps {
            if let Some(array) = step.column().and_then(|column| arrays.get_mut(column)) {
                array.undo(row);
            }
        }
    }
}

impl Step {
    /// Appends what `rest` begins with. Returns its bytes in the payload, and in columns; `None` if it does not fit.
    #[inline]
    fn push(&self, rest: &[u8], records: &mut Vec<u8>, start: usize, to: (&mut [Array], usize)) -> Option<Taken> {
        match self {
            Self::Copy(len) => {
                records.extend_from_slice(rest.get(..*len)?);
                Some((*len, 0))
            }
            Self::OptionalUtf16(_) if rest.is_empty() => Some((0, 0)),
            Self::Utf16(column) | Self::OptionalUtf16(column) => push_utf16(rest, *column, to),
            Self::Ascii(column) => push_ascii(rest, *column, to),
            Self::Sid { column, is_wrapped, pointer } => push_sid(rest, *is_wrapped, *pointer, (*column, to)),
            Self::Structs { column, of, count, pointer } => {
                let stride = of.stride(*pointer).unwrap_or(1);
                let count = count.of(rest, records.get(start..)?, stride)?;
                push_structs(rest, (of, *pointer), count, (*column, to))
            }
            Self::List { column, integer, width, count } => {
                let count = count.of(rest, records.get(start..)?, *width)?;
                push_list(rest, (*integer, *width), count, (*column, to))
            }
        }
    }

    /// Returns the column that it appends to at once.
    fn column(&self) -> Option<usize> {
        match self {
            Self::Copy(_) => None,
            Self::Structs { column, .. } => Some(*column),
            Self::Utf16(column)
            | Self::OptionalUtf16(column)
            | Self::Ascii(column)
            | Self::Sid { column, .. }
            | Self::List { column, .. } => *column,
        }
    }
}

impl ListCount {
    /// Returns the number of elements of some bytes each, and the bytes before them, given what is there of the record.
    #[inline]
    fn of(self, rest: &[u8], record: &[u8], width: usize) -> Option<(usize, usize)> {
        Some(match self {
            Self::Known(count) => (count, 0),
            Self::Record(at, integer) => {
                // Only an integer of its own width is behind the place.
                let count = integer.read(record.get(at..)?, PointerSize::Eight)?;
                (usize::try_from(count).ok()?, 0)
            }
            Self::Prefix => (u16::from_le_bytes(*rest.first_chunk()?).into(), 2),
            Self::Rest if !rest.len().is_multiple_of(width) => return None,
            Self::Rest => (rest.len() / width, 0),
        })
    }
}

/// The bytes that a part took of the payload, and in columns.
type Taken = (usize, usize);

/// Appends UTF-16 that ends with NUL.
#[inline]
fn push_utf16(rest: &[u8], column: Option<usize>, (arrays, row): (&mut [Array], usize)) -> Option<Taken> {
    let Some(column) = column else {
        let (text, taken) = utf16_nul(rest);
        return (taken > text.len()).then_some((taken, 0));
    };
    let array = arrays.get_mut(column)?;
    array.pad(row);
    let mut taken = None;
    let pushed = array.push_text_if(|out| {
        taken = push_utf16_nul(rest, out);
        taken.is_some()
    })?;
    Some((taken?, pushed))
}

/// Appends ASCII that ends with NUL.
#[inline]
fn push_ascii(rest: &[u8], column: Option<usize>, (arrays, row): (&mut [Array], usize)) -> Option<Taken> {
    let (text, taken) = nul_terminated(rest);
    let Some(column) = column else { return (taken > text.len()).then_some((taken, 0)) };
    if taken == text.len() || !text.is_ascii() {
        return None;
    }
    let array = arrays.get_mut(column)?;
    array.pad(row);
    Some((taken, array.push_bytes(text)))
}

/// Appends a list of structs, whose number and the bytes before it are `count`.
#[inline]
fn push_structs(
    rest: &[u8],
    (of, pointer): (&StructList, PointerSize),
    (count, before): (usize, usize),
    (column, (arrays, row)): (usize, (&mut [Array], usize)),
) -> Option<Taken> {
    let rest = rest.get(before..)?;
    let len = of.len(rest, count, pointer)?;
    let array = arrays.get_mut(column)?;
    array.pad(row);
    if let Some(items) = array.items() {
        of.push(rest.get(..len)?, count, pointer, items);
    }
    array.end_list();
    Some((before + len, 2 * len))
}

/// Appends a list of integers, whose number and the bytes before it are `count`.
#[inline]
fn push_list(
    rest: &[u8],
    (integer, width): (Integer, usize),
    (count, before): (usize, usize),
    (column, (arrays, row)): (Option<usize>, (&mut [Array], usize)),
) -> Option<Taken> {
    let end = count.checked_mul(width)?.checked_add(before)?;
    let elements = rest.get(before..end)?;
    if let Some(column) = column {
        let array = arrays.get_mut(column)?;
        array.pad(row);
        if let Some(items) = array.items().filter(|_| !elements.is_empty()) {
            integer.push_list(elements, width, items);
        }
        array.end_list();
    }
    Some((end, 2 * elements.len()))
}

/// Appends a security identifier.
fn push_sid(
    rest: &[u8],
    is_wrapped: bool,
    pointer: PointerSize,
    (column, (arrays, row)): (Option<usize>, (&mut [Array], usize)),
) -> Option<Taken> {
    let (sid, taken) = if is_wrapped {
        let (taken, start) = wrapped_sid(rest, pointer)?;
        (start.and_then(|start| Sid::new(rest.get(start..)?)), taken)
    } else {
        let sid = Sid::new(rest)?;
        (Some(sid), sid.as_bytes().len())
    };
    let Some(array) = column.and_then(|column| arrays.get_mut(column)) else { return Some((taken, 0)) };
    array.pad(row);
    let bytes = array.push_text(|out| {
        if let Some(sid) = sid {
            // Memory takes all.
            let _ = write!(out, "{sid}");
        }
    });
    Some((taken, bytes))
}

/// A program that is being made.
struct Building<'b> {
    pointer: PointerSize,
    ops: &'b [PayloadOp],
    steps: Vec<Step>,
    /// Where fields are in records.
    places: Vec<Known>,
    record: usize,
}

/// A scalar of the record.
struct Known {
    place: usize,
    at: usize,
    integer: Option<Integer>,
}

impl Building<'_> {
    fn add(&mut self, WalkStep { place, form }: WalkStep) -> Option<()> {
        let op = self.ops.iter().find(|op| op.place() == place);
        let column = op.map(PayloadOp::column);
        match form {
            Form::Bits => {}
            Form::Scalar(scalar) => {
                let (at, len) = (self.record, scalar.len(self.pointer));
                self.places.push(Known { place, at, integer: Integer::new(scalar) });
                self.record += len;
                match self.steps.last_mut() {
                    Some(Step::Copy(before)) => *before += len,
                    _ => self.steps.push(Step::Copy(len)),
                }
            }
            Form::Utf16 | Form::OptionalUtf16 | Form::Bytes | Form::Sid(_) if op.is_some_and(PayloadOp::is_located) => {
                return None;
            }
            Form::OptionalUtf16 => self.steps.push(Step::OptionalUtf16(column)),
            Form::Sid(is_wrapped) => self.steps.push(Step::Sid { column, is_wrapped, pointer: self.pointer }),
            Form::Utf16 => self.steps.push(Step::Utf16(column)),
            Form::Bytes => self.steps.push(Step::Ascii(column)),
            Form::Elements(scalar, count) => {
                let width = scalar.len(self.pointer);
                let integer = match op.map(PayloadOp::read) {
                    Some(Read::Integers(integer, _)) => Some(*integer),
                    Some(_) => return None,
                    None => None,
                };
                // Nobody reads the elements of a list that no column shows.
                let integer = integer.or_else(|| Integer::new(etwkit::schema::Scalar::U8))?;
                let count = self.count(count)?;
                self.steps.push(Step::List { column, integer, width, count });
            }
            Form::Structs(count) => {
                let Read::Structs(of) = op?.read() else { return None };
                let (count, pointer) = (self.count(count)?, self.pointer);
                // Elements that have texts do not state how many of them fit.
                if matches!(count, ListCount::Rest) && of.stride(pointer).is_none() {
                    return None;
                }
                self.steps.push(Step::Structs { column: column?, of: of.clone(), count, pointer });
            }
        }
        Some(())
    }

    fn count(&self, count: Count) -> Option<ListCount> {
        Some(match count {
            Count::Fixed(count) => ListCount::Known(count.into()),
            Count::Field(of) => {
                let known = self.places.iter().find(|known| known.place == usize::from(of))?;
                // Negative counts are as large as their bits are.
                ListCount::Record(known.at, known.integer.filter(|integer| !integer.is_pointer())?)
            }
            Count::Prefix16 => ListCount::Prefix,
            Count::Rest => ListCount::Rest,
            _ => return None,
        })
    }
}
