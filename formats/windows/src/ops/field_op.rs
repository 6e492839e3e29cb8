//! How a field goes from the payload into the output, decided once for a schema.

use etwkit::decode::PlacedFields;
use etwkit::render::pen::{Escape, Pen};
use etwkit::schema::{Count, Encoding, Field, Len, Scalar, Wire};

use super::integer::Integer;
use super::{Forms, Labels, Tags};

/// Most bytes of a number or GUID, with braces.
const VALUE: usize = 40;

/// How the texts of a format are escaped.
pub(crate) trait OpEscape: Escape {
    /// Most bytes that a byte of UTF-16 becomes, but for those of [`Pen::with_vec`].
    const OF_UTF16: usize;
    /// Most bytes that a byte of ASCII becomes, but for those of [`Pen::with_vec`].
    const OF_ASCII: usize;

    /// Completes a text that was written from a place on; `false` if it cannot be shown in this way.
    #[inline]
    fn complete(_: &mut Pen, _: usize) -> bool {
        true
    }
}

/// How a field is read and shown.
#[derive(Clone, Debug)]
pub(crate) struct FieldOp {
    /// Its place in the schema.
    pub(crate) place: usize,
    read: Read,
}

#[derive(Clone, Debug)]
enum Read {
    Integer(Integer),
    /// An array of integers.
    Integers(Integer),
    Guid {
        has_braces: bool,
    },
    Utf16,
    Ascii,
    /// The executor.
    Walk,
}

/// How values are shown.
#[derive(Clone, Debug)]
pub(crate) struct Looks {
    pub(crate) forms: Forms,
    pub(crate) labels: Option<Labels>,
    /// Whether GUIDs have braces.
    pub(crate) has_braces: bool,
}

impl FieldOp {
    /// Returns how the field at a place is shown; `None` if it may be absent.
    pub(crate) fn new(place: usize, field: &Field, looks: Looks) -> Option<Self> {
        (!field.optional).then(|| Self { place, read: Read::new(field, looks) })
    }

    /// Returns a field that the executor shows.
    pub(crate) const fn walked(place: usize) -> Self {
        Self { place, read: Read::Walk }
    }

    /// Returns the most bytes of a value that is no text and no array.
    pub(crate) fn most(&self) -> usize {
        match &self.read {
            Read::Integer(integer) => VALUE + integer.most(),
            _ => VALUE,
        }
    }

    /// As itself if it shows digits only, else through the executor.
    pub(crate) fn digits_only(self) -> Self {
        let is_number = match &self.read {
            Read::Integer(integer) | Read::Integers(integer) => integer.is_number(),
            _ => false,
        };
        if is_number { self } else { Self::walked(self.place) }
    }

    /// Writes the values of the field between tags; nothing, and `false`, if the executor has to.
    #[inline]
    pub(crate) fn write<E: OpEscape>(&self, pen: &mut Pen, fields: &PlacedFields<'_>, tags: &Tags) -> bool {
        if let Read::Integer(integer) = &self.read {
            let bits = integer.read(fields.from(self.place), fields.pointer_size());
            return bits.is_some_and(|bits| integer.write(pen, bits, tags));
        }
        let start = pen.place();
        let is_written = match &self.read {
            Read::Utf16 => {
                let text = fields.bytes(self.place);
                pen.more(text.len() * E::OF_UTF16);
                quoted::<E>(pen, tags, |pen| pen.utf16::<E>(text).is_some())
            }
            Read::Ascii => {
                let text = fields.bytes(self.place);
                pen.more(text.len() * E::OF_ASCII);
                quoted::<E>(pen, tags, |pen| pen.ascii::<E>(text).is_some())
            }
            Read::Guid { has_braces } => guid(pen, fields.from(self.place), *has_braces, tags),
            Read::Integers(integer) => integers(pen, fields, (self.place, integer), tags),
            Read::Integer(_) | Read::Walk => false,
        };
        if !is_written {
            pen.rewind(start);
        }
        is_written
    }
}

impl Read {
    fn new(field: &Field, looks: Looks) -> Self {
        let Looks { forms, labels, has_braces } = looks;
        let integer = |scalar| Integer::new(scalar, forms, labels);
        match (field.count, field.wire) {
            (Count::One, Wire::Scalar(Scalar::Guid)) => Self::Guid { has_braces },
            (Count::One, Wire::Scalar(scalar)) => integer(scalar).map_or(Self::Walk, Self::Integer),
            (Count::One, Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }) => Self::Utf16,
            (Count::One, Wire::Text { len: Len::Nul, .. }) => Self::Ascii,
            (Count::Fixed(_) | Count::Field(_) | Count::Rest, Wire::Scalar(scalar)) if !field.is_characters() => {
                integer(scalar).map_or(Self::Walk, Self::Integers)
            }
            _ => Self::Walk,
        }
    }
}

#[inline]
fn quoted<E: OpEscape>(pen: &mut Pen, tags: &Tags, write: impl FnOnce(&mut Pen) -> bool) -> bool {
    let (open, close) = tags.of_text();
    pen.literal(open);
    let start = pen.place();
    let is_written = write(pen) && E::complete(pen, start);
    pen.literal(close);
    is_written
}

#[inline]
fn guid(pen: &mut Pen, payload: &[u8], has_braces: bool, tags: &Tags) -> bool {
    let Some(bytes) = payload.first_chunk() else { return false };
    pen.literal(&tags.open);
    if has_braces {
        pen.byte(b'{');
        pen.guid(bytes);
        pen.byte(b'}');
    } else {
        pen.guid(bytes);
    }
    pen.literal(&tags.close);
    true
}

/// Writes the elements of the array at a place.
fn integers(pen: &mut Pen, fields: &PlacedFields<'_>, (place, integer): (usize, &Integer), tags: &Tags) -> bool {
    let (bytes, pointer) = (fields.bytes(place), fields.pointer_size());
    let elements = bytes.chunks_exact(integer.bytes(pointer));
    if !elements.remainder().is_empty() {
        return false;
    }
    pen.more(elements.len() * (tags.len() + VALUE + VALUE / 2 + integer.most()));
    let inner = tags.of_elements();
    let is_list = tags.begin_array(pen, elements.len());
    let is_written = (1..).zip(elements).all(|(number, element)| {
        tags.begin_element(pen, number);
        integer.read(element, pointer).is_some_and(|bits| integer.write(pen, bits, inner))
    });
    if is_list {
        pen.byte(b'}');
    }
    is_written
}
