//! The fields of a schema.

use super::{FieldOp, Tags};

/// The fields of a schema that a format shows, in order, and what is around their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldOps {
    list: Box<[(FieldOp, Tags)]>,
}

impl FieldOps {
    /// Returns the fields.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(FieldOp, Tags)> {
        self.list.iter()
    }

    /// Returns whether there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl FromIterator<(FieldOp, Tags)> for FieldOps {
    fn from_iter<T: IntoIterator<Item = (FieldOp, Tags)>>(fields: T) -> Self {
        Self { list: fields.into_iter().collect() }
    }
}
