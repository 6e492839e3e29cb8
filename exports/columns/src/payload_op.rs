//! How a field goes from the payload into a column, decided once for a layout.

use etwkit::bytes::{Guid, PointerSize, Utf16Text};
use etwkit::clock::Clock;
use etwkit::decode::{PlacedFields, Value};
use etwkit::render::value::{ValueContext, push};
use etwkit::schema::{DisplayFormat, Field, Map, Schema};
use etwkit::{Event, FileTime, RawTime};

use crate::array::Array;
use crate::data_type::DataType;
use crate::field_value;
use crate::integer::Integer;
use crate::memo::Memo;
use crate::read::Read;
use crate::strided::Strided;
use crate::time::microseconds;

/// A field of a layout, and the column that it goes to.
#[derive(Clone, Debug)]
pub(crate) struct PayloadOp {
    /// Its number.
    column: usize,
    of: DataType,
    place: usize,
    read: Read,
    /// The field and its map, where a value becomes text.
    shown: Option<Box<(Field, Option<Map>)>>,
}

/// What the values of an event depend on in addition to its payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PayloadSource<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) clock: Option<&'s Clock>,
}

impl PayloadOp {
    /// Returns how the field at a place goes to a column of a type: its value, or the integer behind it.
    pub(crate) fn new(schema: &Schema, place: usize, is_number: bool, (column, of): (usize, &DataType)) -> Self {
        let field = schema.fields().get(place);
        let read = Read::new(schema, place, is_number, of).unwrap_or(Read::Located(is_number));
        let shown = field.filter(|_| matches!(read, Read::Label(..) | Read::Shown(_)));
        let shown = shown.map(|field| Box::new((field.clone(), schema.map(field).cloned())));
        Self { column, of: of.clone(), place, read, shown }
    }

    /// Returns the number of the column.
    pub(crate) const fn column(&self) -> usize {
        self.column
    }

    /// Returns the place of the field.
    pub(crate) const fn place(&self) -> usize {
        self.place
    }

    /// Returns whether the engine must locate it.
    pub(crate) const fn is_located(&self) -> bool {
        matches!(self.read, Read::Located(_))
    }

    /// Returns how it is read.
    pub(crate) const fn read(&self) -> &Read {
        &self.read
    }

    /// Returns whether its values depend on the clock of the file.
    pub(crate) fn has_clock(&self) -> bool {
        let is_date = |shown: &(Field, Option<Map>)| shown.0.display == DisplayFormat::UnixTime;
        matches!(self.read, Read::ClockTime) || self.shown.as_deref().is_some_and(is_date)
    }

    /// With another column.
    pub(crate) fn into_column(self, column: usize) -> Self {
        Self { column, ..self }
    }

    /// Appends the value to the array of its column, whose next row has a number. Returns the bytes of texts and lists.
    #[inline]
    pub(crate) fn push(
        &self,
        fields: &PlacedFields<'_>,
        source: PayloadSource<'_>,
        (arrays, row): (&mut [Array], usize),
    ) -> usize {
        let Some(array) = arrays.get_mut(self.column) else { return 0 };
        array.pad(row);
        match &self.read {
            Read::Integer(integer) => {
                push_some(integer.read(fields.from(self.place), fields.pointer_size()), array, Array::push_bits);
                0
            }
            _ => self.push_longer(fields, source, array),
        }
    }

    fn push_longer(&self, fields: &PlacedFields<'_>, source: PayloadSource<'_>, array: &mut Array) -> usize {
        let (bytes, pointer) = (fields.from(self.place), fields.pointer_size());
        match &self.read {
            Read::Integer(integer) | Read::Bool(integer) => {
                push_some(integer.read(bytes, pointer), array, Array::push_bits);
                0
            }
            Read::F32 => {
                let value = bytes.first_chunk().map(|bytes| f32::from_le_bytes(*bytes).into());
                push_some(value, array, Array::push_float);
                0
            }
            Read::F64 => {
                push_some(bytes.first_chunk().map(|bytes| f64::from_le_bytes(*bytes)), array, Array::push_float);
                0
            }
            Read::FileTime => {
                let ticks = bytes.first_chunk().map(|bytes| i64::from_le_bytes(*bytes));
                push_some(ticks.and_then(file_time), array, Array::push_bits);
                0
            }
            Read::ClockTime => {
                let ticks = bytes.first_chunk().map(|bytes| i64::from_le_bytes(*bytes));
                push_some(ticks.and_then(|ticks| clock_time(ticks, source.clock)), array, Array::push_bits);
                0
            }
            Read::Bits { of, integer, first, mask } => {
                let bits = integer.read(fields.from(*of), pointer).map(|bits| bits >> (first % 64) & mask);
                push_some(bits, array, Array::push_bits);
                0
            }
            Read::Guid => match bytes.first_chunk() {
                Some(bytes) => array.push_bytes(&Guid::from_bytes(*bytes).to_text()),
                None => self.located(&fields.event(), array),
            },
            Read::Label(integer, labels) => self.label((*integer, labels), bytes, pointer, source, array),
            Read::Shown(integer) => self.shown(*integer, bytes, pointer, source, array),
            Read::Utf16 => self.utf16(fields.bytes(self.place), source, array),
            Read::Ascii => match ascii(fields.bytes(self.place)) {
                Some(text) => array.push_bytes(text),
                None => self.located(&fields.event(), array),
            },
            Read::Integers(integer, has_count) => {
                let elements = fields.bytes(self.place).get(if *has_count { 2 } else { 0 }..).unwrap_or_default();
                integers(*integer, elements, pointer, array)
            }
            Read::OptionalUtf16 | Read::Sid | Read::Structs(_) | Read::Located(_) => {
                self.located(&fields.event(), array)
            }
        }
    }

    /// Appends the values that records have, which are all there. Texts of integers are kept in `memo`, which it
    /// returns.
    pub(crate) fn push_all(
        &self,
        run: Strided<'_>,
        (pointer, clock): (PointerSize, Option<&Clock>),
        memo: impl FnOnce() -> Memo,
        array: &mut Array,
    ) -> Option<Memo> {
        match &self.read {
            Read::Integer(integer) | Read::Bool(integer) => integer.push_all(run, pointer, array),
            Read::Bits { integer, first, mask, .. } => {
                integer.push_mapped(run, pointer, array, |bits| bits >> (first % 64) & mask);
            }
            Read::F32 => array.extend_floats(run.pieces().map(|bytes| f32::from_le_bytes(bytes).into())),
            Read::F64 => array.extend_floats(run.pieces().map(f64::from_le_bytes)),
            Read::FileTime => run.pieces().for_each(|bytes| {
                push_some(file_time(i64::from_le_bytes(bytes)), array, Array::push_bits);
            }),
            Read::ClockTime => run.pieces().for_each(|bytes| {
                push_some(clock_time(i64::from_le_bytes(bytes), clock), array, Array::push_bits);
            }),
            Read::Guid => run.pieces().for_each(|bytes| {
                array.push_bytes(&Guid::from_bytes(bytes).to_text());
            }),
            Read::Label(integer, _) | Read::Shown(integer) => {
                let mut memo = memo();
                for bytes in run.rest() {
                    let key = integer.read(bytes, pointer).unwrap_or(0);
                    memo.push(key, array, |array| self.push_shown(*integer, bytes, (pointer, clock), array));
                }
                return Some(memo);
            }
            Read::Utf16
            | Read::OptionalUtf16
            | Read::Ascii
            | Read::Sid
            | Read::Structs(_)
            | Read::Integers(..)
            | Read::Located(_) => {}
        }
        None
    }

    /// Appends the text of an integer.
    fn push_shown(
        &self,
        integer: Integer,
        bytes: &[u8],
        (pointer, clock): (PointerSize, Option<&Clock>),
        array: &mut Array,
    ) {
        let value = integer.value(bytes, pointer);
        let (Some(value), Some(shown)) = (value, &self.shown) else { return array.push_null() };
        if let Read::Label(_, labels) = &self.read
            && let Some(name) = label_of(labels, integer.read(bytes, pointer))
        {
            array.push_bytes(name.as_bytes());
            return;
        }
        let (field, map) = &**shown;
        let context = ValueContext::new(field).map(map.as_ref()).clock(clock);
        array.push_text(|out| {
            push(out, value, context);
        });
    }

    /// Appends the value of an event whose fields were located.
    #[inline(never)]
    fn located(&self, event: &Event<'_>, array: &mut Array) -> usize {
        let is_number = matches!(self.read, Read::Located(true));
        let before = array.size();
        match event.field_at(self.place) {
            None => array.push_null(),
            Some(view) if is_number => field_value::push_number(&view, &self.of, array),
            Some(view) => field_value::push(event, &view, &self.of, array),
        }
        array.size() - before
    }

    fn label(
        &self,
        (integer, labels): (Integer, &[(u64, Box<str>)]),
        bytes: &[u8],
        pointer: PointerSize,
        source: PayloadSource<'_>,
        array: &mut Array,
    ) -> usize {
        match label_of(labels, integer.read(bytes, pointer)) {
            Some(name) => array.push_bytes(name.as_bytes()),
            None => self.shown(integer, bytes, pointer, source, array),
        }
    }

    /// Appends the text of an integer.
    fn shown(
        &self,
        integer: Integer,
        bytes: &[u8],
        pointer: PointerSize,
        source: PayloadSource<'_>,
        array: &mut Array,
    ) -> usize {
        let Some(value) = integer.value(bytes, pointer) else {
            array.push_null();
            return 0;
        };
        self.push_value(value, source, array)
    }

    fn utf16(&self, text: &[u8], source: PayloadSource<'_>, array: &mut Array) -> usize {
        self.push_value(Value::Utf16(Utf16Text(text.strip_suffix(&[0, 0]).unwrap_or(text))), source, array)
    }

    fn push_value(&self, value: Value<'_>, source: PayloadSource<'_>, array: &mut Array) -> usize {
        let PayloadSource { schema, clock } = source;
        let Some(field) = schema.fields().get(self.place) else { return 0 };
        let context = ValueContext::new(field).map(schema.map(field)).clock(clock);
        array.push_text(|out| {
            push(out, value, context);
        })
    }
}

/// Appends a value, or a null.
#[inline]
fn push_some<T>(value: Option<T>, array: &mut Array, push: impl FnOnce(&mut Array, T)) {
    match value {
        Some(value) => push(array, value),
        None => array.push_null(),
    }
}

/// Returns the bits of a column's time; `None` where the value states that there is none.
fn file_time(ticks: i64) -> Option<u64> {
    let time = Some(FileTime(ticks)).filter(|time| ticks != 0 && *time != FileTime::UNIX_EPOCH);
    time.and_then(microseconds).map(i64::cast_unsigned)
}

/// The same of a time of the session's clock, none of which counts as far as a negative number.
fn clock_time(ticks: i64, clock: Option<&Clock>) -> Option<u64> {
    let time = clock.filter(|_| ticks > 0)?.filetime(RawTime(ticks))?;
    microseconds(time).map(i64::cast_unsigned)
}

fn ascii(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_suffix(&[0]).unwrap_or(text);
    text.is_ascii().then_some(text)
}

/// Returns the name of a value, among those that are sorted by value.
fn label_of(labels: &[(u64, Box<str>)], bits: Option<u64>) -> Option<&str> {
    let at = labels.binary_search_by_key(&bits?, |(value, _)| *value).ok()?;
    labels.get(at).map(|(_, name)| &**name)
}

/// Appends a list.
fn integers(integer: Integer, elements: &[u8], pointer: PointerSize, array: &mut Array) -> usize {
    let width = integer.bytes(pointer);
    if let Some(items) = array.items() {
        elements.chunks_exact(width).for_each(|element| {
            push_some(integer.read(element, pointer), items, Array::push_bits);
        });
    }
    array.end_list();
    2 * elements.len()
}

#[cfg(test)]
mod tests {
    use etwkit::format::{ClockType, LogFileHeader};

    use super::*;

    #[test]
    fn no_time_is_a_negative_number() {
        let mut header = LogFileHeader::default();
        (header.clock, header.frequency) = (ClockType::QPC, 10_000_000);
        header.start_time = FileTime::from_unix_seconds(1_600_000_000);
        let clock = Clock::new(&header, RawTime(1));
        assert_eq!([0, -1, i64::MIN].map(file_time), [None; 3]);
        assert_eq!([0, -1, i64::MIN].map(|ticks| clock_time(ticks, Some(&clock))), [None; 3]);
        assert_eq!(clock_time(10_000_001, Some(&clock)), Some(1_600_000_001_000_000));
    }
}
