//! What is known of the places of fields before any payload is seen.

use crate::bytes::PointerSize;

use super::{Count, Field, Scalar, Step, Wire};

/// The place of a top-level field in the payload. Unset for members of structs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Single scalars from the first field on that no other field refers to: most events are nothing else, so that
/// nothing has to be walked to find their fields. And how all fields are found and read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FixedPrefix {
    four: Layout,
    eight: Layout,
}

/// The layout for one pointer size.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    prefix: Box<[Span]>,
    steps: Box<[Step]>,
}

impl FixedPrefix {
    pub(super) fn new(fields: &[Field]) -> Self {
        Self { four: Layout::new(fields, PointerSize::Four), eight: Layout::new(fields, PointerSize::Eight) }
    }

    /// Returns the places of the fields, by index, in a payload with pointers of this size.
    #[inline]
    pub(crate) fn spans(&self, pointer: PointerSize) -> &[Span] {
        &self.layout(pointer).prefix
    }

    /// Returns how each field is found and read.
    #[inline]
    pub(crate) fn steps(&self, pointer: PointerSize) -> &[Step] {
        &self.layout(pointer).steps
    }

    #[inline]
    const fn layout(&self, pointer: PointerSize) -> &Layout {
        match pointer {
            PointerSize::Four => &self.four,
            PointerSize::Eight => &self.eight,
        }
    }

    /// Bytes it takes.
    pub(super) fn weight(&self) -> usize {
        let of = |layout: &Layout| size_of_val(&*layout.prefix) + size_of_val(&*layout.steps);
        of(&self.four) + of(&self.eight)
    }
}

impl Layout {
    fn new(fields: &[Field], pointer: PointerSize) -> Self {
        Self { prefix: spans(fields, pointer), steps: Step::all(fields, pointer) }
    }
}

fn spans(fields: &[Field], pointer: PointerSize) -> Box<[Span]> {
    let lens = fields.iter().map_while(|field| Some(lone_scalar(field)?.len(pointer)));
    let place = |end: &mut u32, len: usize| {
        let start = *end;
        *end += len as u32;
        Some(Span { start, end: *end })
    };
    lens.scan(0, place).collect()
}

fn lone_scalar(field: &Field) -> Option<Scalar> {
    match field.wire {
        // A field with a slot is excluded, because the executor must store its value.
        Wire::Scalar(scalar) if field.count == Count::One && field.slot.is_none() => Some(scalar),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Encoding, Len, Schema, SchemaSource};

    #[test]
    fn it_ends_where_places_begin_to_differ() {
        let text = Wire::Text { encoding: Encoding::Utf16, len: Len::Nul };
        let fields = [Wire::Scalar(Scalar::U8), Wire::Scalar(Scalar::Pointer), text, Wire::Scalar(Scalar::U8)];
        let prefix = FixedPrefix::new(&fields.map(|wire| Field::new("", wire)));
        let ends = |pointer| prefix.spans(pointer).iter().map(|span| (span.start, span.end)).collect::<Vec<_>>();
        assert_eq!(ends(PointerSize::Four), [(0, 1), (1, 5)]);
        assert_eq!(ends(PointerSize::Eight), [(0, 1), (1, 9)]);
    }

    #[test]
    fn a_field_that_others_refer_to_is_read() {
        let mut builder = Schema::builder(SchemaSource::USER.into());
        builder.field(Field::new("Flags", Wire::Scalar(Scalar::U32)));
        let size = builder.field(Field::new("Size", Wire::Scalar(Scalar::U32)));
        builder.field(Field::new("Data", Wire::Bytes { len: Len::Field(size) }));
        let schema = builder.build().unwrap();
        assert_eq!(schema.fixed_prefix(PointerSize::Four), [Span { start: 0, end: 4 }]);
    }
}
