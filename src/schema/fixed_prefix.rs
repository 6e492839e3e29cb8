//! What is known of the places of fields before any payload is seen.

use crate::bytes::PointerSize;

use super::{Field, Find, Read, Step, Subject, SubjectPlaces};

/// The place of a top-level field in the payload. Unset for members of structs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Single scalars from the first field on, and bits of them: most events are nothing else, so that nothing has to be
/// walked to find their fields. And how all fields are found and read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FixedPrefix {
    four: Layout,
    eight: Layout,
}

/// The layout for one pointer size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The places of the first fields, and others that fill the last block.
    blocks: Box<[Block]>,
    /// How many first fields there are.
    pub(crate) known: usize,
    /// Where they end.
    pub(crate) end: usize,
    /// Those of them that others refer to.
    pub(crate) kept: Box<[Kept]>,
    /// Whether slots must be set before fields are found: those of `kept`, or of fields that an event may lack.
    pub(crate) sets_slots: bool,
    /// Where the process and thread are that an event is about.
    pub(crate) subject: SubjectPlaces,
    /// How each field is found and read, in the order of [`Schema::fields`](super::Schema::fields).
    pub(crate) steps: Box<[Step]>,
}

/// One of the first fields, an integer that others refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) start: u32,
    pub(crate) slot: u16,
    pub(crate) read: Read,
}

/// Spans that are copied together: so few are faster to copy whole than by their number.
type Block = [Span; BLOCK];

const BLOCK: usize = 8;

impl FixedPrefix {
    pub(super) fn new(fields: &[Field], subject: Subject, has_absent_slots: bool) -> Self {
        let of = |pointer| {
            let layout = Layout::new(fields, subject, pointer);
            Layout { sets_slots: has_absent_slots || !layout.kept.is_empty(), ..layout }
        };
        Self { four: of(PointerSize::Four), eight: of(PointerSize::Eight) }
    }

    /// Returns the places of the fields, by index, in a payload with pointers of this size.
    #[inline]
    pub(crate) fn spans(&self, pointer: PointerSize) -> &[Span] {
        self.layout(pointer).prefix()
    }

    /// Returns the places of the first fields, and how each field is found and read.
    #[inline]
    pub(crate) const fn layout(&self, pointer: PointerSize) -> &Layout {
        match pointer {
            PointerSize::Four => &self.four,
            PointerSize::Eight => &self.eight,
        }
    }

    /// Bytes it takes.
    pub(super) fn weight(&self) -> usize {
        let of =
            |layout: &Layout| size_of_val(&*layout.blocks) + size_of_val(&*layout.kept) + size_of_val(&*layout.steps);
        of(&self.four) + of(&self.eight)
    }
}

impl Layout {
    fn new(fields: &[Field], subject: Subject, pointer: PointerSize) -> Self {
        let steps = Step::all(fields, pointer);
        let spans = spans(&steps);
        let kept = |(step, span): (&Step, &Span)| match step.find {
            Find::Keep { slot, .. } => Some(Kept { start: span.start, slot, read: step.read }),
            _ => None,
        };
        let id = |place: u16| {
            let span = spans.get(usize::from(place))?;
            (span.end - span.start >= 4).then_some(span.start)
        };
        let block = |spans: &[Span]| std::array::from_fn(|at| spans.get(at).copied().unwrap_or_default());
        Self {
            blocks: spans.chunks(BLOCK).map(block).collect(),
            known: spans.len(),
            end: spans.last().map_or(0, |span| span.end as usize),
            subject: SubjectPlaces::new(subject, id),
            kept: steps.iter().zip(&spans).filter_map(kept).collect(),
            sets_slots: false,
            steps,
        }
    }

    /// Returns the places of the first fields.
    #[inline]
    fn prefix(&self) -> &[Span] {
        self.blocks.as_flattened().get(..self.known).unwrap_or_default()
    }

    /// Copies the places of the first fields to the start of a list that has room for those of all fields, and makes the
    /// room.
    #[inline]
    pub(crate) fn copy_prefix(&self, spans: &mut Vec<Span>) {
        if spans.len() < self.steps.len() + BLOCK {
            self.make_room(spans);
        }
        let mut blocks = self.blocks.iter().zip(spans.as_chunks_mut().0);
        // Nearly all schemas have at most two, which are copied without a call.
        if let Some((from, to)) = blocks.next() {
            *to = *from;
        }
        if let Some((from, to)) = blocks.next() {
            *to = *from;
        }
        blocks.for_each(|(from, to)| *to = *from);
    }

    #[cold]
    fn make_room(&self, spans: &mut Vec<Span>) {
        spans.resize(self.steps.len() + BLOCK, Span::default());
    }
}

fn spans(steps: &[Step]) -> Vec<Span> {
    let lens = steps.iter().map_while(|step| match step.find {
        Find::Skip(len) if step.read != Read::Walk => Some(len),
        Find::Keep { len, .. } => Some(len.into()),
        Find::Nothing => Some(0),
        _ => None,
    });
    let place = |end: &mut u32, len: u16| {
        let start = *end;
        *end += u32::from(len);
        Some(Span { start, end: *end })
    };
    lens.scan(0, place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Encoding, Len, Scalar, Schema, SchemaSource, Wire};

    #[test]
    fn it_ends_where_places_begin_to_differ() {
        let text = Wire::Text { encoding: Encoding::Utf16, len: Len::Nul };
        let fields = [Wire::Scalar(Scalar::U8), Wire::Scalar(Scalar::Pointer), text, Wire::Scalar(Scalar::U8)];
        let prefix = FixedPrefix::new(&fields.map(|wire| Field::new("", wire)), Subject::default(), false);
        let ends = |pointer| prefix.spans(pointer).iter().map(|span| (span.start, span.end)).collect::<Vec<_>>();
        assert_eq!(ends(PointerSize::Four), [(0, 1), (1, 5)]);
        assert_eq!(ends(PointerSize::Eight), [(0, 1), (1, 9)]);
    }

    #[test]
    fn a_field_that_others_refer_to_is_kept() {
        let mut builder = Schema::builder(SchemaSource::USER.into());
        builder.field(Field::new("Id", Wire::Scalar(Scalar::Pointer)));
        let size = builder.field(Field::new("Size", Wire::Scalar(Scalar::U32)));
        builder.field(Field::new("Low", Wire::Bits { of: size, first: 0, count: 4 }));
        builder.field(Field::new("Flags", Wire::Scalar(Scalar::U8)));
        builder.field(Field::new("Data", Wire::Bytes { len: Len::Field(size) }));
        let schema = builder.build().unwrap();
        let spans = [(0, 4), (4, 8), (8, 8), (8, 9)].map(|(start, end)| Span { start, end });
        assert_eq!(schema.fixed_prefix(PointerSize::Four), spans);
        let kept = &schema.layout(PointerSize::Eight).kept;
        assert_eq!(**kept, [Kept { start: 8, slot: 0, read: Read::U32 }]);
    }
}
