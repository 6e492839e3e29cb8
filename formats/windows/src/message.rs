//! Messages that Windows has for an event whose schema is a table: the inserts are fields of its description.

use etwkit::decode::{Event, Value, Visitor};
use etwkit::limits;
use etwkit::render::{push_message_with, value};
use etwkit::schema::{Field, Message, MessagePart};

use crate::names;

/// Appends the value of the field at a place; nothing if it is hidden.
pub(crate) type PushInsert<'p> = &'p mut dyn FnMut(&mut Vec<u8>, usize, &Field, Value<'_>);

/// Appends a message as [`push_message_with`] does, with the fields that [`Schema::reported`](etwkit::schema::Schema::reported)
/// numbers.
pub(crate) fn push_reported(out: &mut Vec<u8>, message: &Message, event: &Event<'_>, push: PushInsert<'_>) {
    let Some(places) = event.schema().map(names::numbered) else { return };
    let start = out.len();
    let most = limits::shown(event.payload().len()).min(limits::MAX_MESSAGE);
    for part in message.parts() {
        let MessagePart::Insert { index, format } = part else {
            push_part(out, part.clone(), event);
            continue;
        };
        let place = usize::from(*index).checked_sub(1).and_then(|number| places.get(number)).copied();
        let view = place.filter(|_| out.len() - start <= most).and_then(|place| event.field_at(place));
        match view {
            Some(view) if matches!(&**format, "" | "s") => view.visit(&mut Values { out, push, is_first: true }),
            Some(view) => {
                let number = event.fields().position(|other| other.index() == view.index()).unwrap_or(usize::MAX);
                let index = u16::try_from(number.saturating_add(1)).unwrap_or(u16::MAX);
                push_part(out, MessagePart::Insert { index, format: format.clone() }, event);
            }
            None => out.extend_from_slice(format!("%{index}").as_bytes()),
        }
    }
}

/// Appends a part of a message that does not depend on what Windows calls the fields.
fn push_part(out: &mut Vec<u8>, part: MessagePart, event: &Event<'_>) {
    push_message_with(out, &Message::new(vec![part]), event, event.clock(), value::push);
}

/// All values of a field with blanks between.
struct Values<'o, 'p> {
    out: &'o mut Vec<u8>,
    push: PushInsert<'p>,
    is_first: bool,
}

impl Visitor for Values<'_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.out.push(b' ');
        }
        (self.push)(self.out, place, field, value);
    }
}
