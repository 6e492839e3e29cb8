//! Asking the fields of a payload.

use crate::clock::Clock;
use crate::decode::{Event, FieldView, Value, Visitor};
use crate::render::value::{self, ValueContext};
use crate::schema::{Field, Schema, Show};

use super::below;
use super::literal::same;
use super::numeral::Numeral;
use super::steps::Steps;
use super::test::Test;
use super::tree::Path;

/// Whether events of this layout may have the field.
pub(super) fn in_schema(schema: &Schema, path: &Path) -> bool {
    schema.top_level().any(|(_, field)| leads_to(field, path))
}

/// Whether a path is or begins with this top-level field.
pub(crate) fn leads_to(field: &Field, path: &Path) -> bool {
    same(&field.name, &path.whole) || path.steps.first().is_some_and(|step| same(&field.name, step))
}

/// Whether all steps of a path lead to something in this layout.
pub(super) fn leads_through(schema: &Schema, path: &Path) -> bool {
    let mut reached: Vec<usize> = Vec::new();
    for (place, field) in schema.top_level() {
        if same(&field.name, &path.whole) {
            return true;
        }
        reached.extend(path.steps.first().filter(|step| same(&field.name, step)).map(|_| place));
    }
    for step in path.steps.iter().skip(1) {
        let members = reached.iter().flat_map(|place| schema.members(*place));
        reached = members.filter(|(_, field)| same(&field.name, step)).map(|(place, _)| place).collect();
    }
    !reached.is_empty()
}

/// Whether the event has the field: a value, a struct, or an array, also one without elements.
pub(super) fn exists(event: &Event<'_>, path: &Path) -> bool {
    let mut seen = Seen(false);
    below::visit(event, path, &mut seen);
    seen.0
}

/// Whether anything was handed over.
struct Seen(bool);

impl Visitor for Seen {
    fn value(&mut self, _: usize, _: &Field, _: Value<'_>) {
        self.0 = true;
    }

    fn begin_array(&mut self, _: usize, _: &Field) {
        self.0 = true;
    }

    fn begin_struct(&mut self, _: usize, _: &Field) {
        self.0 = true;
    }
}

/// Whether a value of the field passes the test: one is enough of an array. `None` if the event has no such value.
pub(super) fn any(event: &Event<'_>, path: &Path, clock: Option<&Clock>, test: &Test) -> Option<bool> {
    let mut answer = None;
    for view in views(event, path) {
        let schema = event.schema;
        let ask = |field: &Field, value: &Value<'_>| {
            let map = schema.and_then(|schema| schema.map(field));
            let text = || value::to_string(*value, ValueContext { field, map, clock });
            let holds = test.holds(number(*value, field.show), text);
            answer = Some(answer.unwrap_or(false) || holds);
        };
        view.visit(&mut Asked { steps: rest(&view, path), ask });
    }
    answer
}

pub(super) fn views<'a, 'p>(event: &Event<'a>, path: &'p Path) -> impl Iterator<Item = FieldView<'a>> + use<'a, 'p> {
    event.fields().filter(move |view| leads_to(view.field, path))
}

/// The steps of a path that lead on from its top-level field.
pub(super) fn rest<'p>(view: &FieldView<'_>, path: &'p Path) -> Steps<'p> {
    let whole = same(&view.field.name, &path.whole);
    Steps::new(if whole { &[] } else { path.steps.get(1..).unwrap_or_default() })
}

/// The number that a value stands for, as it is shown: a port in the order of people, signs as the field wants them.
fn number(value: Value<'_>, show: Show) -> Option<Numeral> {
    Some(match (value, show) {
        (Value::Unsigned(port, 2), Show::Port) => Numeral::Integer((port as u16).swap_bytes().into()),
        (Value::Unsigned(bits, width), Show::Signed) => Numeral::Integer(value::sign_extend(bits, width).into()),
        (Value::Signed(value, width), Show::Unsigned | Show::Hex) => {
            Numeral::Integer(value::masked(value.cast_unsigned(), width).into())
        }
        (Value::Signed(value, _), _) => Numeral::Integer(value.into()),
        (Value::Unsigned(value, _) | Value::Pointer(value, _), _) => Numeral::Integer(value.into()),
        (Value::F32(value), _) => Numeral::Real(value.into()),
        (Value::F64(value), _) => Numeral::Real(value),
        _ => return None,
    })
}

/// Hands the values at the end of the steps to `ask`.
struct Asked<'p, F> {
    steps: Steps<'p>,
    ask: F,
}

impl<F: FnMut(&Field, &Value<'_>)> Visitor for Asked<'_, F> {
    fn value(&mut self, _place: usize, field: &Field, value: Value<'_>) {
        if self.steps.is_end(field) {
            (self.ask)(field, &value);
        }
    }

    fn begin_struct(&mut self, _place: usize, field: &Field) {
        self.steps.enter(field);
    }

    fn end_struct(&mut self, _place: usize, _field: &Field) {
        self.steps.leave();
    }
}
