//! How a field goes from the payload into the output, decided once for a schema.

use etwkit::decode::PlacedFields;
use etwkit::render::pen::{Escape, Memory, Pen};
use etwkit::schema::{Count, Encoding, Field, Len, Scalar, Wire};

use super::integer::Integer;
use super::{Forms, Labels, Tags};

/// How the texts of a format are escaped.
pub(crate) trait OpEscape: Escape {
    /// Completes a text that was written from a place on; `false` if it cannot be shown in this way.
    #[inline]
    fn complete<M: Memory>(_: &mut Pen<M>, _: usize) -> bool {
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
    /// Its values are not shown.
    Hidden,
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

    /// Returns a field of which the tags are shown without a value.
    pub(crate) const fn hidden(place: usize) -> Self {
        Self { place, read: Read::Hidden }
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
    #[expect(clippy::inline_always, reason = "measured: stage `xml` of `cargo xtask bench`")]
    #[inline(always)]
    pub(crate) fn write<E: OpEscape, M: Memory>(
        &self,
        pen: &mut Pen<M>,
        fields: &PlacedFields<'_>,
        tags: &Tags,
    ) -> bool {
        match &self.read {
            Read::Integer(integer) => {
                let bits = integer.read(fields.from(self.place), fields.pointer_size());
                bits.is_some_and(|bits| integer.write(pen, bits, tags))
            }
            Read::Walk => false,
            Read::Hidden | Read::Guid { .. } | Read::Utf16 | Read::Ascii | Read::Integers(_) => {
                self.write_longer::<E, M>(pen, fields, tags)
            }
        }
    }

    /// As [`FieldOp::write`], for all but a single integer.
    fn write_longer<E: OpEscape, M: Memory>(&self, pen: &mut Pen<M>, fields: &PlacedFields<'_>, tags: &Tags) -> bool {
        let start = pen.place();
        let is_written = match &self.read {
            Read::Utf16 => {
                let text = fields.bytes(self.place);
                quoted::<E, M>(pen, tags, |pen| pen.utf16::<E>(text).is_some())
            }
            Read::Ascii => {
                let text = fields.bytes(self.place);
                quoted::<E, M>(pen, tags, |pen| pen.ascii::<E>(text).is_some())
            }
            Read::Guid { has_braces } => guid(pen, fields.from(self.place), *has_braces, tags),
            Read::Integers(integer) => integers(pen, fields, (self.place, integer), tags),
            Read::Hidden => {
                pen.literal(&tags.open);
                pen.literal(&tags.close);
                true
            }
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
fn quoted<E: OpEscape, M: Memory>(pen: &mut Pen<M>, tags: &Tags, write: impl FnOnce(&mut Pen<M>) -> bool) -> bool {
    let (open, close) = tags.of_text();
    pen.literal(open);
    let start = pen.place();
    let is_written = write(pen) && E::complete(pen, start);
    pen.literal(close);
    is_written
}

#[inline]
fn guid<M: Memory>(pen: &mut Pen<M>, payload: &[u8], has_braces: bool, tags: &Tags) -> bool {
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
fn integers<M: Memory>(
    pen: &mut Pen<M>,
    fields: &PlacedFields<'_>,
    (place, integer): (usize, &Integer),
    tags: &Tags,
) -> bool {
    let (bytes, pointer) = (fields.bytes(place), fields.pointer_size());
    let elements = bytes.chunks_exact(integer.bytes(pointer));
    if !elements.remainder().is_empty() {
        return false;
    }
    let inner = tags.of_elements();
    let is_list = tags.begin_array(pen, elements.len());
    let is_written = if tags.is_numbered() {
        (1..).zip(elements).all(|(number, element)| {
            tags.begin_element(pen, number);
            integer.write_all(pen, element, pointer, inner)
        })
    } else {
        integer.write_all(pen, bytes, pointer, inner)
    };
    if bytes.is_empty() {
        tags.without_elements(pen);
    }
    if is_list {
        pen.byte(b'}');
    }
    is_written
}

#[cfg(test)]
mod tests {
    use etwkit::bytes::Guid;
    use etwkit::decode::{Event, Scratch};
    use etwkit::event::{BufferContext, RawEvent};
    use etwkit::format::Framing;
    use etwkit::render::pen::GrowingPen;
    use etwkit::schema::{Schema, text};
    use etwkit_synth::ModernEvent;

    use super::super::Form;
    use super::*;

    struct Plain;

    impl Escape for Plain {
        const SPECIAL: &'static [u8] = b"";
        const HAS_BACKSLASHES: bool = false;

        fn special<M: Memory>(pen: &mut Pen<M>, c: char) {
            pen.char(c);
        }
    }

    impl OpEscape for Plain {}

    fn schema(fields: &str) -> Schema {
        let text = format!("provider {{00000000-0000-0000-0000-000000000001}}\nevent id 1 {{\n{fields}\n}}");
        text::parse(&text).unwrap().remove(0).schema
    }

    /// Returns what is written of each field; nothing of one for the executor, or if a field is not readable.
    fn written(fields: &str, payload: &[u8], form: Form, tags: &Tags) -> Option<Vec<String>> {
        let schema = schema(fields);
        let event = etwkit_synth::Event::from(ModernEvent::new(etwkit_synth::Guid::new(1)).id(1).payload(payload));
        let marker = Framing::default().marker(&event.bytes).unwrap();
        let raw = RawEvent::new(&event.bytes, marker, BufferContext::default()).unwrap();
        let mut scratch = Scratch::default();
        let event = Event::locate(raw, Some(&schema), None, &mut scratch);
        let placed = event.placed()?;
        let forms = Forms { unsigned: form, signed: form, pointer: form };
        let one = |(place, field): (usize, &Field)| {
            let looks = Looks { forms, labels: None, has_braces: true };
            let op = FieldOp::new(place, field, looks).unwrap();
            let mut pen = GrowingPen::default();
            pen.begin();
            let is_written = op.write::<Plain, _>(&mut pen, &placed, tags);
            let text = String::from_utf8(pen.text().unwrap().to_vec()).unwrap();
            assert!(is_written || text.is_empty());
            text
        };
        Some(schema.top_level().map(one).collect())
    }

    #[test]
    fn fields_are_read_where_the_engine_found_them() {
        let fields = "A u8\nB utf16\nC i16\nD ansi\nE u32 x 2\nF guid\nG ptr";
        let mut payload = b"\xFFa\0\xe9\0\0\0\xFF\x7Fxyz\0\x01\0\0\0\x02\0\0\0".to_vec();
        payload.extend_from_slice(&Guid::NULL.to_bytes());
        payload.extend_from_slice(&0xFA80_0000_1234_u64.to_le_bytes());
        let tags = Tags::new(b"<", b">");
        let null = "<{00000000-0000-0000-0000-000000000000}>";
        let hex = written(fields, &payload, Form::Hex, &tags).unwrap();
        assert_eq!(hex, ["<0xFF>", "<a\u{e9}>", "<0x7FFF>", "<xyz>", "<0x1><0x2>", null, "<0xFA8000001234>"]);
        let aligned = written(fields, &payload, Form::Aligned, &Tags::blanks()).unwrap();
        assert_eq!(aligned[..5], ["255", "a\u{e9}", "32767", "xyz", "       1        2"]);
        let quoted = Tags::new(b", ", b"").quotes(b", \"", b"\"");
        assert_eq!(written(fields, &payload, Form::Bool, &quoted).unwrap()[..2], [", true", ", \"a\u{e9}\""]);
        assert_eq!(written(fields, &payload[..payload.len() - 1], Form::Hex, &tags), None);
    }

    #[test]
    fn arrays_have_numbers_or_braces_and_the_executor_shows_the_rest() {
        let of = |fields, payload, tags: &Tags| written(fields, payload, Form::LowerHex, tags).unwrap();
        let numbered = Tags::new(b"<S", b">").numbered(b"=");
        assert_eq!(of("S u16 x rest", &[1, 0, 0xAB, 0], &numbered), ["<S1=0x1><S2=0xab>"]);
        let list = Tags::new(b" S ", b"").list();
        assert_eq!(of("S u8 x rest", &[1, 2], &list), [" S {0x1 0x2}"]);
        assert_eq!(of("S u8 x rest", &[1], &list), [" S 0x1"]);
        assert_eq!(of("S u8 x rest", &[], &list), [" S {}"]);
        // A sign, an unterminated text, a date.
        let negative = written("A i8\nB i32", &[0xFF; 5], Form::Decimal, &list).unwrap();
        assert_eq!(negative, ["", ""]);
        assert_eq!(of("A utf16", b"a\0", &list), [""]);
        assert_eq!(of("A systemtime", &[0; 16], &list), [""]);
    }
}
