//! The members of compiled types that follow from fields and the traced system.

use crate::bytes::PointerSize;
use crate::decode::{Attribution, PendingEvent};
use crate::output::images::ImageTexts;
use crate::render::escape::push_str;
use crate::render::pen::{JsonEscape, Mark, Pen};
use crate::schema::Schema;
use crate::select::{HeaderField, Placed, PlacedFacts, Role, derived_value_of};

use super::header_member::header_member;

/// What derived members of a type follow from.
#[derive(Debug)]
pub(super) struct DerivedMembers {
    placed: Placed,
}

impl DerivedMembers {
    /// Compiles the derived fields of a type; `None` if the event must be located for them.
    pub(super) fn new(fields: &[HeaderField], schema: &Schema, pointer: PointerSize) -> Option<Self> {
        Some(Self { placed: Placed::new(fields, schema, pointer)? })
    }

    /// Writes the members of the fields that it was made for, each with the comma before it.
    #[inline]
    pub(super) fn write(
        &self,
        fields: &[HeaderField],
        pen: &mut Pen,
        event: &PendingEvent<'_>,
        found: Attribution,
        images: &mut ImageTexts,
    ) {
        for field in fields {
            match field {
                HeaderField::Image => images.write(pen, (event, &self.placed, found), push_image, Mark::new(b"\"")),
                HeaderField::FileName if self.own_path(pen, event) => {}
                _ => {
                    let facts = PlacedFacts { event, placed: &self.placed, found };
                    pen.with_vec(|out| header_member(out, *field, derived_value_of(*field, &facts)));
                }
            }
        }
    }

    /// Writes the path that the event itself has. Returns false if it has none.
    fn own_path(&self, pen: &mut Pen, event: &PendingEvent<'_>) -> bool {
        let Some(path) = self.placed.text(Role::Path, event.payload()) else { return false };
        if !path.starts_with(b"\\\0") {
            return false;
        }
        let Some((user, replaced)) = event.system().volumes.user_prefix(path) else { return false };
        let Some(rest) = path.get(replaced..) else { return false };
        let place = pen.place();
        pen.block(b",\"file_name\":\"", 14);
        if !user.is_empty() {
            pen.with_vec(|out| push_str(out, user));
        }
        // The field has been written as a rule, with a second backslash for each.
        let backslashes = path.iter().take(replaced).map(|byte| usize::from(*byte == b'\\')).sum::<usize>();
        if !pen.text_again(path.len(), replaced / 2 + backslashes) && pen.utf16::<JsonEscape>(rest).is_none() {
            pen.rewind(place);
            return false;
        }
        pen.byte(b'"');
        true
    }
}

/// Appends the member `image` up to the offset.
fn push_image(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(b",\"image\":\"");
    push_str(out, name);
    out.push(b'+');
}
