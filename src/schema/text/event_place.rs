//! Where a statement is, so that it can be read alone.

use super::context::Context;
use super::input::Input;
use super::maps::Maps;

/// The place of an `event` statement, and what the statements before it state.
#[derive(Debug)]
pub(super) struct EventPlace<'o, 't> {
    pub(super) context: &'o Context<'t>,
    /// The provider's `map` statements before it.
    pub(super) maps: &'o [Input<'t>],
    /// The text after the word `event`.
    pub(super) input: Input<'t>,
}

impl<'t> EventPlace<'_, 't> {
    pub(super) fn maps(&self) -> Maps<'t> {
        Maps::unread(self.maps.iter().copied())
    }
}
