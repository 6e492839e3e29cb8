//! What is around values.

use etwkit::render::pen::{Literal, Memory, Pen};

/// The text before a value: with it, most opening tags are one block.
pub(crate) type Opening = Literal<48>;

/// What is around each value of a field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tags {
    pub(super) open: Opening,
    pub(super) close: Literal,
    /// Around texts.
    pub(super) quotes: Option<Box<(Opening, Literal)>>,
    /// The elements of an array.
    elements: Elements,
}

#[derive(Clone, Debug, Default)]
enum Elements {
    /// Each has the tags.
    #[default]
    Each,
    /// Each has the first text, its number, and these tags.
    Numbered(Box<Tags>),
    /// The first text is before the first one; those after it have these tags: there are blanks between them.
    Blanks(Box<Tags>),
    /// After the first text: the tags of the first one and those of the others, in braces unless it is one.
    List(Box<(Tags, Tags)>),
}

impl Tags {
    /// Returns the texts before and after a value, and each element of an array.
    pub(crate) fn new(open: &[u8], close: &[u8]) -> Self {
        Self { open: Literal::new(open), close: Literal::new(close), ..Self::default() }
    }

    /// Returns nothing around values, and blanks between the elements of an array.
    pub(crate) fn blanks() -> Self {
        Self::after(b"")
    }

    /// Returns the text before a value or an array with blanks between its elements.
    pub(crate) fn after(text: &[u8]) -> Self {
        let elements = Elements::Blanks(Box::new(Self::new(b" ", b"")));
        Self { open: Literal::new(text), elements, ..Self::default() }
    }

    /// Returns the text before a value.
    #[inline]
    pub(crate) const fn opening(&self) -> &Opening {
        &self.open
    }

    /// With the elements of an array as a Tcl list after the first text.
    pub(crate) fn list(self) -> Self {
        let tags = (Self::default(), Self::new(b" ", b""));
        Self { elements: Elements::List(Box::new(tags)), ..self }
    }

    /// With numbers between the first text and the end of the tag.
    pub(crate) fn numbered(self, end: &[u8]) -> Self {
        let tags = Self { open: Literal::new(end), close: self.close.clone(), ..Self::default() };
        Self { elements: Elements::Numbered(Box::new(tags)), ..self }
    }

    /// With other texts before and after text.
    pub(crate) fn quotes(self, open: &[u8], close: &[u8]) -> Self {
        Self { quotes: Some(Box::new((Literal::new(open), Literal::new(close)))), ..self }
    }

    /// Returns the texts around text.
    #[inline]
    pub(super) fn of_text(&self) -> (&Opening, &Literal) {
        self.quotes.as_ref().map_or((&self.open, &self.close), |quotes| (&quotes.0, &quotes.1))
    }

    /// Returns the tags of the first element of an array and those of the others, after what [`Tags::begin_array`] and
    /// [`Tags::begin_element`] write.
    #[inline]
    pub(super) fn of_elements(&self) -> (&Self, &Self) {
        match &self.elements {
            Elements::Each => (self, self),
            Elements::Numbered(tags) => (tags, tags),
            Elements::Blanks(others) => (self, others),
            Elements::List(tags) => (&tags.0, &tags.1),
        }
    }

    /// Writes what is before an array, and returns whether a brace is after it.
    #[inline]
    pub(super) fn begin_array<M: Memory>(&self, pen: &mut Pen<M>, elements: usize) -> bool {
        if !matches!(self.elements, Elements::List(_)) {
            return false;
        }
        pen.literal(&self.open);
        if elements != 1 {
            pen.byte(b'{');
        }
        elements != 1
    }

    /// Writes what is before an array without elements, after what [`Tags::begin_array`] writes.
    #[cold]
    pub(super) fn without_elements<M: Memory>(&self, pen: &mut Pen<M>) {
        if matches!(self.elements, Elements::Blanks(_)) {
            pen.literal(&self.open);
        }
    }

    /// Returns whether each element of an array begins with a text of its own.
    #[inline]
    pub(super) const fn is_numbered(&self) -> bool {
        matches!(self.elements, Elements::Numbered(_))
    }

    /// Writes what is before the element of a number, counted from 1, if the elements have numbers.
    pub(super) fn begin_element<M: Memory>(&self, pen: &mut Pen<M>, number: u64) {
        if self.is_numbered() {
            pen.literal(&self.open);
            pen.decimal(number);
        }
    }
}
