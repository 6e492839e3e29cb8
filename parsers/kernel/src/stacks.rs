//! Stack walk events (section 7.4): which event they belong to, and their frames.

use etwkit::decode::{Event, Value, Visitor};
use etwkit::schema::Field;
use etwkit::system::{StackOwner, StackPart, System};
use etwkit::time::RawTime;

use crate::observer::{Watched, watched};
use crate::system_facts::{number, small};

const STACK_WALK: u128 = 0xdef2fe46_7bd6_4b80_bd94_f57fe20d0ce3;

/// The events that carry stacks.
pub(crate) static EVENTS: [Watched; 6] = [
    watched(STACK_WALK, 32, stack),
    watched(STACK_WALK, 34, define),
    watched(STACK_WALK, 35, define),
    watched(STACK_WALK, 36, define),
    watched(STACK_WALK, 37, kernel_key),
    watched(STACK_WALK, 38, user_key),
];

/// The addresses of an array.
#[derive(Default)]
struct Addresses(Vec<u64>);

impl Visitor for Addresses {
    fn value(&mut self, _: usize, _: &Field, value: Value<'_>) {
        self.0.extend(value.as_u64());
    }
}

fn addresses(event: &Event<'_>) -> Vec<u64> {
    let mut found = Addresses::default();
    // Definitions call them StackFrames, and have this as another name.
    if let Some(view) = event.field("Stack") {
        view.visit(&mut found);
    }
    found.0
}

fn owner(event: &Event<'_>) -> Option<StackOwner> {
    let time = RawTime(number(event, "EventTimeStamp")?.cast_signed());
    let (tid, pid) = (small(event, "StackThread")?, small(event, "StackProcess")?);
    let mut owner = StackOwner::of(event.raw(), tid, pid);
    owner.time = time;
    Some(owner)
}

fn stack(event: &Event<'_>, system: &mut System) {
    system.stacks.carrier(event.raw().key());
    let frames = addresses(event);
    let Some(owner) = owner(event) else { return };
    // The innermost frame shows where a part begins: kernel addresses have the highest bit.
    let is_kernel = |address: &u64| address >> (8 * event.raw().pointer_size().bytes() - 1) == 1;
    let part = match (frames.first().map(is_kernel), frames.last().map(is_kernel)) {
        (Some(true), Some(true)) => StackPart::Kernel,
        (Some(false), Some(false)) => StackPart::User,
        _ => StackPart::Whole,
    };
    system.add_stack(owner, part, frames.into_iter());
}

fn define(event: &Event<'_>, system: &mut System) {
    system.stacks.carrier(event.raw().key());
    if let Some(key) = number(event, "StackKey") {
        system.add_stack_definition(event.raw(), key, addresses(event).into_iter());
    }
}

fn kernel_key(event: &Event<'_>, system: &mut System) {
    use_key(event, StackPart::Kernel, system);
}

fn user_key(event: &Event<'_>, system: &mut System) {
    use_key(event, StackPart::User, system);
}

fn use_key(event: &Event<'_>, part: StackPart, system: &mut System) {
    system.stacks.carrier(event.raw().key());
    if let (Some(owner), Some(key)) = (owner(event), number(event, "StackKey")) {
        system.add_stack_key(event.raw(), owner, part, key);
    }
}
