//! Which fields of a layout columns show.

use std::collections::HashMap;

use etwkit::decode::LayoutId;

/// The fields that columns of the payload show, by layout.
pub(crate) type Layouts = HashMap<LayoutId, Box<[Option<FieldPlace>]>>;

/// The field of a layout that a column shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldPlace {
    pub(crate) place: usize,
    /// The integer that a map names, not its name.
    pub(crate) is_number: bool,
}
