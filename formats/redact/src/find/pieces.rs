//! The parts of an event whose text is read by itself.
//!
//! What is beside a text in a payload is another field: no letter of it. Numbers are in no piece.

use std::ops::Range;

/// A part of the bytes of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) range: Range<usize>,
    /// Whether it is one text, so that all in it that looks like a letter is one.
    pub(crate) is_text: bool,
}

/// The parts of an event that may have text, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces(Vec<Piece>);

impl Pieces {
    /// Makes one piece of bytes of which nothing is known.
    #[cfg(test)]
    pub(crate) fn unknown(len: usize) -> Self {
        Self(vec![Piece { range: 0..len, is_text: false }])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Piece> {
        self.0.iter()
    }

    /// Returns the piece that has all of a range.
    pub(crate) fn holding(&self, range: &Range<usize>) -> Option<&Piece> {
        let piece = self.0.get(self.first_behind(range.start))?;
        (piece.range.start <= range.start && range.end <= piece.range.end).then_some(piece)
    }

    /// Returns what of a range is in pieces.
    pub(crate) fn parts(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let pieces = self.0.get(self.first_behind(range.start)..).unwrap_or_default().iter();
        let pieces = pieces.take_while(|piece| piece.range.start < range.end);
        pieces.map(|piece| piece.range.start.max(range.start)..piece.range.end.min(range.end)).collect()
    }

    /// Returns the number of the first piece that ends after a place.
    fn first_behind(&self, at: usize) -> usize {
        self.0.partition_point(|piece| piece.range.end <= at)
    }
}

/// Makes the pieces of an event from its fields, in order.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pieces: Vec<Piece>,
    /// Up to where it is known what the bytes are.
    at: usize,
}

impl Builder {
    /// Takes what is before a place as bytes of which nothing is known.
    pub(super) fn unknown_up_to(&mut self, end: usize) {
        self.push(self.at..end, false);
    }

    /// Takes a number: it has no text.
    pub(super) fn number(&mut self, place: &Range<usize>) {
        self.unknown_up_to(place.start);
        self.at = self.at.max(place.end);
    }

    /// Takes a text.
    pub(super) fn text(&mut self, place: &Range<usize>) {
        self.unknown_up_to(place.start);
        self.push(place.clone(), true);
    }

    /// Takes bytes that may be text or something else.
    pub(super) fn bytes(&mut self, place: &Range<usize>) {
        self.unknown_up_to(place.start);
        self.push(place.clone(), false);
    }

    /// Returns the pieces of a region of a length.
    pub(super) fn finish(mut self, len: usize) -> Pieces {
        self.unknown_up_to(len);
        Pieces(self.pieces)
    }

    fn push(&mut self, range: Range<usize>, is_text: bool) {
        let range = range.start.max(self.at)..range.end;
        if range.start < range.end {
            self.at = range.end;
            self.pieces.push(Piece { range, is_text });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_no_piece() {
        let mut builder = Builder::default();
        builder.number(&(4..8));
        builder.text(&(10..20));
        builder.bytes(&(20..23));
        builder.number(&(22..30));
        let pieces = builder.finish(40);
        let ranges: Vec<_> = pieces.iter().map(|piece| (piece.range.clone(), piece.is_text)).collect();
        assert_eq!(ranges, [(0..4, false), (8..10, false), (10..20, true), (20..23, false), (30..40, false)]);
        assert_eq!(pieces.holding(&(11..20)).map(|piece| piece.range.start), Some(10));
        assert!(pieces.holding(&(19..21)).is_none() && pieces.holding(&(5..7)).is_none());
        assert_eq!(pieces.parts(&(18..32)), [18..20, 20..23, 30..32]);
        assert!(pieces.parts(&(4..8)).is_empty() && pieces.holding(&(50..51)).is_none());
    }
}
