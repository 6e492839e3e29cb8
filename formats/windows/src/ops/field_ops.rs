//! The fields of a schema.

use super::{FieldOp, Tags};

/// The fields of a schema that a format shows, in order, and what is around their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldOps {
    list: Box<[(FieldOp, Tags)]>,
    /// Most bytes of all values that are no texts and no arrays, and of what is around values.
    most: usize,
}

impl FieldOps {
    /// Returns the most bytes of all values that are no texts and no arrays, and of what is around values.
    pub(crate) const fn most(&self) -> usize {
        self.most
    }

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
        let list: Box<[(FieldOp, Tags)]> = fields.into_iter().collect();
        let most = list.iter().map(|(op, tags)| op.most() + tags.len()).sum();
        Self { list, most }
    }
}
