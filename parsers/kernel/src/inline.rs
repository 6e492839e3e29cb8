//! Parts of stacks that lie in events of any provider, and are joined by a number (`etl-format.md` 7.2).

use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::parser::{Claims, Learned, Parser, TraceFacts};
use etwkit::schema::Schema;
use etwkit::system::{StackPart, System};

/// Keeps stacks that events carry with a `MatchId`: where Windows cannot take the kernel's and the user's frames at once,
/// it writes the latter later, in another event with the same number. Has no schemas.
#[derive(Debug)]
pub struct InlineStacks(Kind);

impl InlineStacks {
    /// Of events of this kind.
    pub const fn new(kind: Kind) -> Self {
        Self(kind)
    }
}

impl Parser for InlineStacks {
    fn name(&self) -> &'static str {
        "inline-stacks"
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Nothing
    }

    fn teachers(&self) -> Claims<'_> {
        Claims::Kind(self.0)
    }

    fn learn(&mut self, event: &RawEvent<'_>, state: &mut System) -> Result<Learned> {
        let mut learned = Learned::Nothing;
        for stack in event.extended().filter_map(etwkit::event::ExtendedItem::stack).filter(|stack| stack.match_id != 0)
        {
            let part = match stack.ends_in_kernel() {
                Some((true, true)) => StackPart::Kernel,
                Some((false, false)) | None => StackPart::User,
                Some(_) => StackPart::Whole,
            };
            state.stacks.add_linked(stack.match_id, event.tid().unwrap_or(u32::MAX), part, stack.addresses());
            learned = Learned::Fact;
        }
        Ok(learned)
    }

    fn schema(&self, _: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        Ok(None)
    }
}
