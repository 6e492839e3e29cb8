//! Which table takes an event.

use etwkit::event::KeyId;

use crate::table::Table;

/// The number of a table by type of event.
#[derive(Debug)]
pub(crate) struct Routes {
    by_type: Vec<Option<usize>>,
    /// The first table that takes all.
    others: Option<usize>,
}

impl Routes {
    pub(crate) fn new(tables: &[Table]) -> Self {
        let mut by_type: Vec<Option<usize>> = Vec::new();
        for (number, table) in tables.iter().enumerate() {
            for key in table.types.iter().flatten() {
                let place = key.0 as usize;
                if by_type.len() <= place {
                    by_type.resize(place + 1, None);
                }
                if let Some(slot) = by_type.get_mut(place) {
                    slot.get_or_insert(number);
                }
            }
        }
        Self { by_type, others: tables.iter().position(|table| table.types.is_none()) }
    }

    /// Returns the number of the table that takes the events of a type; `None` if they are not wanted.
    #[inline]
    pub(crate) fn of(&self, key: Option<KeyId>) -> Option<usize> {
        let own = key.and_then(|key| self.by_type.get(key.0 as usize).copied().flatten());
        own.or(self.others)
    }
}
