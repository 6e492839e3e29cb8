//! Parts of stacks within events of any provider, joined by a number (section 7.2).

use etwkit::error::Result;
use etwkit::event::{ExtendedItem, Kind, NO_ID, RawEvent};
use etwkit::parser::{Claims, Observer};
use etwkit::system::{StackPart, System};

/// Keeps stacks that events carry with a `MatchId`: where Windows cannot take the kernel's and the user's frames at
/// once, it writes the latter later, in another event with the same number.
#[derive(Debug)]
pub(crate) struct InlineStacks;

impl Observer for InlineStacks {
    fn interest(&self) -> Claims {
        Claims::kind(Kind::Manifest).with(Claims::kind(Kind::TraceLogging)).with(Claims::kind(Kind::StringOnly))
    }

    fn reads_own_stacks(&self) -> bool {
        true
    }

    fn observe(&mut self, event: &RawEvent<'_>, system: &mut System) -> Result<()> {
        for stack in event.extended().filter_map(ExtendedItem::stack).filter(|stack| stack.match_id != 0) {
            // One without frames does not stand for the kernel's part, which may be missing.
            let part = stack.ends_in_kernel().map_or(StackPart::User, StackPart::of_ends);
            system.stacks.add_linked(stack.match_id, event.tid().unwrap_or(NO_ID), part, stack.addresses());
        }
        Ok(())
    }
}
