//! A field's value on its way into a column.

use etwkit::decode::{Event, FieldView, Value, Visitor};
use etwkit::schema::{Field, Map};

use crate::array::Array;
use crate::data_type::DataType;
use crate::nested_value;
use crate::single_value;

/// Appends the value of a field to the array of its column.
pub(crate) fn push(event: &Event<'_>, view: &FieldView<'_>, of: &DataType, array: &mut Array) {
    match (of, view.value()) {
        (DataType::List(of), None) if !matches!(**of, DataType::Struct(_)) => push_list(event, view, of, array),
        (DataType::List(_) | DataType::Struct(_), None) => nested_value::push(event, view, of, array),
        (_, Some(value)) => single_value::push(event, view.field, view.map(), value, of, array),
        (DataType::Text, None) => {
            array.push_text(|out| view.push_json(out, event.clock()));
        }
        (_, None) => array.push_null(),
    }
}

/// Appends the integer of a field whose column is a name or a time.
pub(crate) fn push_number(view: &FieldView<'_>, of: &DataType, array: &mut Array) {
    match view.value() {
        Some(value) => single_value::push_integer(view.field, value, of, array),
        None => array.push_null(),
    }
}

fn push_list(event: &Event<'_>, view: &FieldView<'_>, of: &DataType, array: &mut Array) {
    if let Some(items) = array.items() {
        view.visit(&mut Items { event, map: view.map(), of, array: items });
    }
    array.end_list();
}

/// Takes the elements of an array.
struct Items<'i> {
    event: &'i Event<'i>,
    map: Option<&'i Map>,
    of: &'i DataType,
    array: &'i mut Array,
}

impl Visitor for Items<'_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        single_value::push(self.event, field, self.map, value, self.of, self.array);
    }
}
