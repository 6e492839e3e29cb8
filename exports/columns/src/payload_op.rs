//! How a field goes from the payload into a column, decided once for a layout.

use etwkit::bytes::{Guid, PointerSize, Utf16Text};
use etwkit::clock::Clock;
use etwkit::decode::{PlacedFields, Value};
use etwkit::render::value::{ValueContext, push};
use etwkit::schema::{Count, DisplayFormat, Encoding, Field, Len, Map, MapKind, Scalar, Schema, Wire};
use etwkit::{Event, FileTime};

use crate::array::Array;
use crate::data_type::DataType;
use crate::field_value;
use crate::integer::Integer;
use crate::time::microseconds;

/// A field of a layout, and the column that it goes to.
#[derive(Clone, Debug)]
pub(crate) struct PayloadOp {
    /// Its number.
    column: usize,
    of: DataType,
    place: usize,
    read: Read,
}

#[derive(Clone, Debug)]
enum Read {
    /// An integer, into a column of integers.
    Integer(Integer),
    Bool(Integer),
    F32,
    F64,
    FileTime,
    /// The name that a map gives an integer, sorted by value.
    Label(Integer, Box<[(u64, Box<str>)]>),
    /// An integer that is shown in another way than as a number.
    Shown(Integer),
    Guid,
    /// Text of UTF-16 that ends with a NUL.
    Utf16,
    /// Text of one byte a character that ends with a NUL, as long as it is ASCII.
    Ascii,
    /// A list of integers; `true` if a `u16` before them has their number.
    Integers(Integer, bool),
    /// Anything else; `true` for the integer behind a name or a time.
    Located(bool),
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
        let read = match schema.fields().get(place) {
            Some(field) if !field.optional => Read::new(field, schema.map(field), is_number, of),
            _ => None,
        };
        Self { column, of: of.clone(), place, read: read.unwrap_or(Read::Located(is_number)) }
    }

    /// Returns the number of the column.
    pub(crate) const fn column(&self) -> usize {
        self.column
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
                let ticks = bytes.first_chunk().map(|bytes| i64::from_le_bytes(*bytes)).filter(|ticks| *ticks != 0);
                let time = ticks.map(FileTime).filter(|time| *time != FileTime::UNIX_EPOCH).and_then(microseconds);
                push_some(time.map(i64::cast_unsigned), array, Array::push_bits);
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
            Read::Located(_) => self.located(&fields.event(), array),
        }
    }

    /// Appends the value of an event whose fields were located.
    #[inline(never)]
    fn located(&self, event: &Event<'_>, array: &mut Array) -> usize {
        let is_number = matches!(self.read, Read::Located(true));
        let before = array.size();
        match event.field_at(self.place) {
            None => array.push_null(),
            Some(view) if is_number => field_value::push_number(&view, array),
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
        let found = integer.read(bytes, pointer).and_then(|bits| {
            let at = labels.binary_search_by_key(&bits, |(value, _)| *value).ok()?;
            labels.get(at)
        });
        match found {
            Some((_, name)) => array.push_bytes(name.as_bytes()),
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
        match integer.value(bytes, pointer) {
            Some(value) => self.push_value(value, source, array),
            None => {
                array.push_null();
                0
            }
        }
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

impl Read {
    /// `None` for what must be located.
    fn new(field: &Field, map: Option<&Map>, is_number: bool, of: &DataType) -> Option<Self> {
        let scalar = match field.wire {
            Wire::Scalar(scalar) => scalar,
            _ if is_number || field.count != Count::One => return None,
            Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } => return Some(Self::Utf16),
            Wire::Text { len: Len::Nul, .. } => return Some(Self::Ascii),
            _ => return None,
        };
        let own = Integer::new(scalar);
        match (of, field.count) {
            (_, Count::One) if is_number => own.map(Self::Integer),
            (DataType::Signed(_) | DataType::Unsigned(_), Count::One) => Some(Self::Integer(own?.shown(field)?)),
            (DataType::Bool, Count::One) => own.map(Self::Bool),
            (DataType::F32 | DataType::F64, Count::One) if scalar == Scalar::F32 => Some(Self::F32),
            (DataType::F32 | DataType::F64, Count::One) if scalar == Scalar::F64 => Some(Self::F64),
            (DataType::Time, Count::One) if field.display == DisplayFormat::FileTime => Some(Self::FileTime),
            (DataType::Text, Count::One) if scalar == Scalar::Guid => Some(Self::Guid),
            (DataType::Text, Count::One) => Self::text(own?.unsigned(), map),
            (DataType::List(of), Count::Fixed(_) | Count::Field(_) | Count::Rest | Count::Prefix16) => {
                let is_integer = matches!(**of, DataType::Signed(_) | DataType::Unsigned(_));
                let integer = own.filter(|_| is_integer && !field.is_characters())?.shown(field)?;
                Some(Self::Integers(integer, field.count == Count::Prefix16))
            }
            _ => None,
        }
    }

    /// Of an integer into a column of texts.
    fn text(integer: Integer, map: Option<&Map>) -> Option<Self> {
        match map.filter(|map| map.kind() == MapKind::Values) {
            Some(_) if integer.is_pointer() => None,
            Some(map) => {
                Some(Self::Label(integer, map.entries().map(|(value, name)| (value, Box::from(name))).collect()))
            }
            None => Some(Self::Shown(integer)),
        }
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

fn ascii(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_suffix(&[0]).unwrap_or(text);
    text.is_ascii().then_some(text)
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
