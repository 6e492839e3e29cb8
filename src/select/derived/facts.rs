//! What derived facts follow from.

use crate::clock::Clock;
use crate::decode::{Attribution, Event, Value};
use crate::event::RawEvent;
use crate::schema::Schema;
use crate::system::System;

use super::sources::Role;

/// An event, as far as derived facts need it: one whose fields are located, or one whose schema fits exactly.
pub(crate) trait Facts<'e> {
    /// Returns header and payload.
    fn raw(&self) -> &RawEvent<'e>;

    /// Returns the schema.
    fn schema(&self) -> Option<&'e Schema>;

    /// Returns the clock of its file.
    fn clock(&self) -> Option<&Clock>;

    /// Returns the traced system.
    fn system(&self) -> &'e System;

    /// Returns the process and thread that it is about.
    fn attribution(&self) -> Attribution;

    /// Calls `look` with the integers of a role until it returns something.
    fn find<T>(&self, role: Role, look: impl FnMut(u64) -> Option<T>) -> Option<T>;

    /// Returns the text of a role.
    fn text(&self, role: Role) -> Option<String>;

    /// Returns the first integer of a role.
    #[inline]
    fn number(&self, role: Role) -> Option<u64> {
        self.find(role, Some)
    }
}

impl<'e> Facts<'e> for Event<'e> {
    fn raw(&self) -> &RawEvent<'e> {
        self.raw()
    }

    fn schema(&self) -> Option<&'e Schema> {
        self.schema()
    }

    fn clock(&self) -> Option<&Clock> {
        self.clock()
    }

    fn system(&self) -> &'e System {
        self.system()
    }

    fn attribution(&self) -> Attribution {
        self.attribution()
    }

    fn find<T>(&self, role: Role, mut look: impl FnMut(u64) -> Option<T>) -> Option<T> {
        role.names().iter().find_map(|name| look(self.field(name)?.value()?.as_u64()?))
    }

    fn text(&self, role: Role) -> Option<String> {
        let text = |name: &&str| match self.field(name)?.value()? {
            Value::Utf16(text) => Some(text.to_string()),
            Value::Ansi(text) => Some(text.to_string()),
            _ => None,
        };
        role.names().iter().find_map(text)
    }
}
