//! Stack walk events (section 7.4): which event they belong to, and their frames.

use etwkit::system::{StackOwner, StackPart, System};
use etwkit::time::RawTime;

use crate::observer::{Facts, Watched, watched};

const STACK_WALK: u128 = 0xdef2fe46_7bd6_4b80_bd94_f57fe20d0ce3;

/// The events that carry stacks.
pub(crate) static EVENTS: [Watched; 6] = [
    watched(STACK_WALK, 32, &STACK_FIELDS, stack),
    watched(STACK_WALK, 34, &DEFINITION_FIELDS, define),
    watched(STACK_WALK, 35, &DEFINITION_FIELDS, define),
    watched(STACK_WALK, 36, &DEFINITION_FIELDS, define),
    watched(STACK_WALK, 37, &KEY_FIELDS, kernel_key),
    watched(STACK_WALK, 38, &KEY_FIELDS, user_key),
];

const STACK_FIELDS: [&str; 4] = ["EventTimeStamp", "StackThread", "StackProcess", "Stack"];
const KEY_FIELDS: [&str; 4] = ["EventTimeStamp", "StackThread", "StackProcess", "StackKey"];
/// Definitions call the stack `StackFrames`, and have this as another name.
const DEFINITION_FIELDS: [&str; 2] = ["StackKey", "Stack"];

fn addresses(event: &Facts<'_>, field: usize) -> Vec<u64> {
    let mut found = Vec::new();
    if let Some(view) = event.field(field) {
        view.push_numbers(&mut found);
    }
    found
}

fn owner(event: &Facts<'_>) -> Option<StackOwner> {
    let time = RawTime(event.number(0)?.cast_signed());
    let (tid, pid) = (event.small(1)?, event.small(2)?);
    let mut owner = StackOwner::of(event.raw(), tid, pid);
    owner.time = time;
    Some(owner)
}

fn stack(event: &Facts<'_>, system: &mut System) {
    system.stacks.carrier(event.raw().key());
    let frames = addresses(event, 3);
    let Some(owner) = owner(event) else { return };
    // Kernel addresses have the highest bit.
    let is_kernel = |address: &u64| address >> (8 * event.raw().pointer_size().bytes() - 1) == 1;
    let ends = frames.first().map(is_kernel).zip(frames.last().map(is_kernel));
    // One without frames neither waits for the user's part nor is one that others wait for.
    let part = ends.map_or(StackPart::Whole, StackPart::of_ends);
    system.add_stack(owner, part, frames.into_iter());
}

fn define(event: &Facts<'_>, system: &mut System) {
    system.stacks.carrier(event.raw().key());
    if let Some(key) = event.number(0) {
        system.add_stack_definition(event.raw(), key, addresses(event, 1).into_iter());
    }
}

fn kernel_key(event: &Facts<'_>, system: &mut System) {
    use_key(event, StackPart::Kernel, system);
}

fn user_key(event: &Facts<'_>, system: &mut System) {
    use_key(event, StackPart::User, system);
}

fn use_key(event: &Facts<'_>, part: StackPart, system: &mut System) {
    system.stacks.carrier(event.raw().key());
    if let (Some(owner), Some(key)) = (owner(event), event.number(3)) {
        system.add_stack_key(event.raw(), owner, part, key);
    }
}
