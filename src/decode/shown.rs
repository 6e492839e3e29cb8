//! Values that are meant to be shown.

use crate::schema::{DisplayFormat, Field};

use super::{Event, FieldView, Value, Visitor};

impl<'a> Event<'a> {
    /// Returns the readable top-level fields that are meant to be shown, in order: those of [`Event::fields`] without
    /// [`DisplayFormat::Hidden`].
    #[inline]
    pub fn shown_fields(&self) -> impl Iterator<Item = FieldView<'a>> + use<'a> {
        self.fields().filter(|view| view.field.display != DisplayFormat::Hidden)
    }
}

impl FieldView<'_> {
    /// Hands its values to the visitor as [`FieldView::visit`] does, without the members of structs that are not meant to
    /// be shown.
    #[inline]
    pub fn visit_shown<V: Visitor>(&self, visitor: &mut V) {
        let span = self.field.span();
        if span == 1 {
            return self.visit(visitor);
        }
        let members = self.schema().fields().get(self.index() + 1..self.index() + span).unwrap_or_default();
        if members.iter().any(is_hidden) {
            self.visit(&mut Shown::new(visitor));
        } else {
            self.visit(visitor);
        }
    }
}

fn is_hidden(field: &Field) -> bool {
    field.display == DisplayFormat::Hidden
}

/// Hands on values without the members of structs that are not meant to be shown. What is outside of structs was asked
/// for.
pub(crate) struct Shown<'v, V> {
    visitor: &'v mut V,
    /// Structs that are open and shown.
    structs: usize,
    /// Arrays and structs that are open and hidden.
    hidden: usize,
}

impl<'v, V> Shown<'v, V> {
    pub(crate) const fn new(visitor: &'v mut V) -> Self {
        Self { visitor, structs: 0, hidden: 0 }
    }

    fn hides(&self, field: &Field) -> bool {
        self.hidden > 0 || self.structs > 0 && is_hidden(field)
    }
}

impl<V: Visitor> Visitor for Shown<'_, V> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        if !self.hides(field) {
            self.visitor.value(place, field, value);
        }
    }

    fn begin_array(&mut self, place: usize, field: &Field) {
        if self.hides(field) {
            self.hidden += 1;
        } else {
            self.visitor.begin_array(place, field);
        }
    }

    fn end_array(&mut self, place: usize, field: &Field) {
        match self.hidden.checked_sub(1) {
            Some(hidden) => self.hidden = hidden,
            None => self.visitor.end_array(place, field),
        }
    }

    fn begin_struct(&mut self, place: usize, field: &Field) {
        if self.hides(field) {
            self.hidden += 1;
        } else {
            self.structs += 1;
            self.visitor.begin_struct(place, field);
        }
    }

    fn end_struct(&mut self, place: usize, field: &Field) {
        if let Some(hidden) = self.hidden.checked_sub(1) {
            self.hidden = hidden;
        } else {
            self.structs = self.structs.saturating_sub(1);
            self.visitor.end_struct(place, field);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;
    use crate::bytes::PointerSize;
    use crate::decode::Runner;
    use crate::limits;
    use crate::schema::{Count, Scalar, Schema, SchemaSource, Wire};

    /// The numbers that are handed on, arrays in brackets and structs in braces.
    #[derive(Default)]
    struct Text(String);

    impl Visitor for Text {
        fn value(&mut self, _: usize, _: &Field, value: Value<'_>) {
            self.0 += &value.as_u64().unwrap().to_string();
        }

        fn begin_array(&mut self, _: usize, _: &Field) {
            self.0.push('[');
        }

        fn end_array(&mut self, _: usize, _: &Field) {
            self.0.push(']');
        }

        fn begin_struct(&mut self, _: usize, _: &Field) {
            self.0.push('{');
        }

        fn end_struct(&mut self, _: usize, _: &Field) {
            self.0.push('}');
        }
    }

    #[test]
    fn members_that_are_not_meant_to_be_shown_are_left_out() {
        let byte = |display| Field::new("b", Wire::Scalar(Scalar::U8)).displayed(display);
        let begin = |display| Field::new("s", Wire::Struct { fields: 0 }).displayed(display);
        let mut builder = Schema::builder(SchemaSource::USER.into());
        builder.begin_struct(begin(DisplayFormat::Hidden));
        builder.field(byte(DisplayFormat::Plain));
        builder.field(byte(DisplayFormat::Hidden));
        builder.field(byte(DisplayFormat::Hidden).counted(Count::Fixed(2)));
        builder.begin_struct(begin(DisplayFormat::Hidden));
        builder.field(byte(DisplayFormat::Plain));
        builder.end_struct();
        builder.field(byte(DisplayFormat::Plain).counted(Count::Fixed(2)));
        builder.end_struct();
        builder.field(byte(DisplayFormat::Hidden).counted(Count::Fixed(2)));
        let schema = builder.build().unwrap();
        let (mut text, mut slots) = (Text::default(), [0; limits::MAX_REFERENCES]);
        let payload = &[1, 2, 3, 4, 5, 6, 7, 8, 9];
        let mut runner =
            Runner { schema: &schema, payload, pointer: PointerSize::Eight, slots: &mut slots, budget: 100 };
        let after = runner.field(0, 0, &mut Shown::new(&mut text)).unwrap();
        runner.field(7, after, &mut Shown::new(&mut text)).unwrap();
        assert_eq!(text.0, "{1[67]}[89]");
    }
}
