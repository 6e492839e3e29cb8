//! A struct or an array on its way into a column.

use etwkit::decode::{Event, FieldView, Value, Visitor};
use etwkit::schema::Field;

use crate::array::Array;
use crate::data_type::DataType;
use crate::single_value;

/// Appends the values of a field that is a struct or an array.
pub(crate) fn push(event: &Event<'_>, view: &FieldView<'_>, of: &DataType, array: &mut Array) {
    let rows = array.len() + 1;
    let mut parts = Parts { event, view, of, array, path: Vec::new() };
    view.visit_shown(&mut parts);
    // All has been closed: the field was walked before. If not, what is there is a row all the same.
    while !parts.path.is_empty() {
        parts.end();
    }
    array.pad(rows);
}

/// Takes the values of a field.
struct Parts<'p> {
    event: &'p Event<'p>,
    view: &'p FieldView<'p>,
    of: &'p DataType,
    array: &'p mut Array,
    /// The way to where the next value goes.
    path: Vec<Step>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Items,
    /// By its number.
    Member(usize),
}

impl Parts<'_> {
    /// Returns where the next value goes, and its type.
    fn place(&mut self) -> Option<(&mut Array, &DataType)> {
        let (mut array, mut of) = (&mut *self.array, self.of);
        for step in &self.path {
            (array, of) = match (*step, of) {
                (Step::Items, DataType::List(of)) => (array.items()?, &**of),
                (Step::Member(number), DataType::Struct(members)) => {
                    (array.member(number)?, &members.get(number)?.data_type)
                }
                _ => return None,
            };
        }
        Some((array, of))
    }

    /// Ends the innermost list or struct.
    fn end(&mut self) {
        self.path.pop();
        match self.place() {
            Some((array, DataType::List(_))) => array.end_list(),
            Some((array, DataType::Struct(_))) => array.end_struct(),
            _ => {}
        }
        self.go_on();
    }

    /// The next value is the next member's.
    fn go_on(&mut self) {
        if let Some(Step::Member(number)) = self.path.last_mut() {
            *number += 1;
        }
    }
}

impl Visitor for Parts<'_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        let (event, map) = (self.event, self.view.schema().map(field));
        if let Some((array, of)) = self.place() {
            single_value::push(event, field, map, value, of, array);
        }
        self.go_on();
    }

    fn begin_array(&mut self, _: usize, _: &Field) {
        self.path.push(Step::Items);
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.end();
    }

    fn begin_struct(&mut self, _: usize, _: &Field) {
        self.path.push(Step::Member(0));
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.end();
    }
}
