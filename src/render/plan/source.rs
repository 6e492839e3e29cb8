//! What is known beside the payload.

use crate::FileId;
use crate::clock::Clock;
use crate::decode::Slots;
use crate::schema::Schema;

/// What the text of a value depends on in addition to the field, and what fields that were read before state.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) schema: &'a Schema,
    pub(super) clock: Option<&'a Clock>,
    /// The file, which has the clock.
    pub(super) file: FileId,
    /// The values that lengths and counts refer to.
    pub(super) slots: &'a mut Slots,
}
