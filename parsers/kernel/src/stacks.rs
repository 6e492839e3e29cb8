//! Stack walk events (`etl-format.md` 7.4): which event they belong to, and their frames.

use etwkit::decode::{Event, Value, Visitor};
use etwkit::schema::Field;
use etwkit::system::{StackOf, StackPart, System};

use crate::facts::{Teacher, number, small, teacher};

const STACK_WALK: u128 = 0xdef2fe46_7bd6_4b80_bd94_f57fe20d0ce3;

/// Events that teach only if stacks are wanted.
pub(crate) static TEACHERS: [Teacher; 6] = [
    teacher(STACK_WALK, 32, stack),
    teacher(STACK_WALK, 34, define),
    teacher(STACK_WALK, 35, define),
    teacher(STACK_WALK, 36, define),
    teacher(STACK_WALK, 37, kernel_key),
    teacher(STACK_WALK, 38, user_key),
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
    if let Some(view) = event.field("Stack") {
        view.visit(&mut found);
    }
    found.0
}

fn owner(event: &Event<'_>, state: &System) -> Option<StackOf> {
    let raw = number(event, "EventTimeStamp")?.cast_signed();
    Some(StackOf {
        time: state.times.at(event.raw.place().file, raw),
        tid: small(event, "StackThread")?,
        pid: small(event, "StackProcess")?,
        cpu: event.raw.processor(),
    })
}

fn stack(event: &Event<'_>, state: &mut System) {
    state.stacks.carrier(event.raw.key());
    let frames = addresses(event);
    let Some(owner) = owner(event, state) else { return };
    // The innermost frame tells where a part begins: kernel addresses have the highest bit.
    let is_kernel = |address: &u64| address >> (8 * event.raw.pointer_size().bytes() - 1) == 1;
    let part = match (frames.first().map(is_kernel), frames.last().map(is_kernel)) {
        (Some(true), Some(true)) => StackPart::Kernel,
        (Some(false), Some(false)) => StackPart::User,
        _ => StackPart::Whole,
    };
    state.stacks.add(owner, part, frames.into_iter());
}

fn define(event: &Event<'_>, state: &mut System) {
    state.stacks.carrier(event.raw.key());
    if let Some(key) = number(event, "StackKey") {
        let time = state.times.of(&event.raw);
        state.stacks.define(time, key, addresses(event).into_iter());
    }
}

fn kernel_key(event: &Event<'_>, state: &mut System) {
    use_key(event, StackPart::Kernel, state);
}

fn user_key(event: &Event<'_>, state: &mut System) {
    use_key(event, StackPart::User, state);
}

fn use_key(event: &Event<'_>, part: StackPart, state: &mut System) {
    state.stacks.carrier(event.raw.key());
    if let (Some(owner), Some(key)) = (owner(event, state), number(event, "StackKey")) {
        let time = state.times.of(&event.raw);
        state.stacks.add_key(owner, part, key, time);
    }
}
