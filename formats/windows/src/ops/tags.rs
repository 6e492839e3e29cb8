//! What is around values.

use etwkit::render::pen::{GrowingPen, Literal};

/// What is around each value of a field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tags {
    pub(super) open: Literal,
    pub(super) close: Literal,
    /// Around texts.
    pub(super) quotes: Option<Box<(Literal, Literal)>>,
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
    /// There are blanks between them.
    Blanks,
    /// After the first text, with blanks between them, in braces unless it is one.
    List(Box<Tags>),
}

impl Tags {
    /// Returns the texts before and after a value, and each element of an array.
    pub(crate) fn new(open: &[u8], close: &[u8]) -> Self {
        Self { open: Literal::new(open), close: Literal::new(close), ..Self::default() }
    }

    /// Returns nothing around values, and blanks between the elements of an array.
    pub(crate) fn blanks() -> Self {
        Self { elements: Elements::Blanks, ..Self::default() }
    }

    /// With the elements of an array as a Tcl list after the first text.
    pub(crate) fn list(self) -> Self {
        Self { elements: Elements::List(Box::default()), ..self }
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
    pub(super) fn of_text(&self) -> (&Literal, &Literal) {
        self.quotes.as_ref().map_or((&self.open, &self.close), |quotes| (&quotes.0, &quotes.1))
    }

    /// Returns the tags of an array's elements after what [`Tags::begin_element`] writes.
    #[inline]
    pub(super) fn of_elements(&self) -> &Self {
        if let Elements::Numbered(tags) | Elements::List(tags) = &self.elements { tags } else { self }
    }

    /// Writes what is before an array, and returns whether a brace is after it.
    #[inline]
    pub(super) fn begin_array(&self, pen: &mut GrowingPen, elements: usize) -> bool {
        if !matches!(self.elements, Elements::List(_)) {
            return false;
        }
        pen.literal(&self.open);
        if elements != 1 {
            pen.byte(b'{');
        }
        elements != 1
    }

    /// Writes what is before the element of a number, counted from 1.
    #[inline]
    pub(super) fn begin_element(&self, pen: &mut GrowingPen, number: u64) {
        match &self.elements {
            Elements::Numbered(_) => {
                pen.literal(&self.open);
                pen.decimal(number);
            }
            Elements::Blanks | Elements::List(_) if number > 1 => pen.byte(b' '),
            Elements::Blanks | Elements::List(_) | Elements::Each => {}
        }
    }
}
