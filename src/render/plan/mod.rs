//! The fields of a schema, compiled for a form of output.
//!
//! A [`Plan`] has a step for each field outside of structs: constant text, and how the value is read and written.
//! Most fields are numbers, addresses, texts and GUIDs, which go from the payload straight into the output, in one pass
//! that also finds where the next field begins. Arrays of texts, structs in structs and rare presentations go through the
//! executor.
//!
//! A plan is for payloads that its schema fits exactly. It refuses all others, and the caller locates their fields.

mod array;
mod compiler;
mod dialect;
mod elements;
mod integer;
mod json;
mod memo;
mod number;
mod op;
mod shown;
mod source;
mod step;
mod structs;
#[cfg(test)]
pub(crate) mod tests;
mod value;

use std::marker::PhantomData;

use crate::FileId;
use crate::bytes::PointerSize;
use crate::clock::Clock;
use crate::decode::{Ignore, Runner, Shown, Slots};
use crate::limits;
use crate::schema::{Encoding, Len, Schema, Wire};

use super::pen::Pen;
use compiler::Compiler;
pub(crate) use dialect::{Dialect, End};
pub(crate) use json::{Json, JsonInCsv};
use source::Source;
use step::Step;

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Plan<D> {
    dialect: PhantomData<fn() -> D>,
    steps: Box<[Step]>,
}

/// What a plan needs of an event in addition to the payload.
#[derive(Debug)]
pub(crate) struct PlanContext<'a, K: ?Sized> {
    pub(crate) schema: &'a Schema,
    pub(crate) keys: &'a K,
    pub(crate) clock: Option<&'a Clock>,
    /// The file, which has the clock.
    pub(crate) file: FileId,
    pub(crate) pointer: PointerSize,
    /// Memory for the values that lengths and counts refer to.
    pub(crate) slots: &'a mut Slots,
}

impl<D: Dialect> Plan<D> {
    /// Compiles a schema for payloads with pointers of a size; `None` for schemas that must look at a payload first, and
    /// for those that refer to what an event may lack.
    pub(crate) fn new(schema: &Schema, keys: &D::Keys, pointer: PointerSize) -> Option<Self> {
        if schema.is_guarded() || schema.converter().is_some() || schema.has_absent_slots() {
            return None;
        }
        let (mut steps, mut compiler) = (Vec::<Step>::new(), Compiler::<D>::new(schema, keys, pointer));
        for field in schema.top_level() {
            let step = Step::new(&mut compiler, field);
            if !steps.last_mut().is_some_and(|last| last.absorb(&step)) {
                steps.push(step);
            }
        }
        Some(Self { dialect: PhantomData, steps: steps.into() })
    }

    /// Writes the fields of a payload and what ends them. Returns false if the schema does not fit exactly: then the text
    /// is not complete.
    #[inline]
    pub(crate) fn write(&mut self, pen: &mut Pen, payload: &[u8], context: PlanContext<'_, D::Keys>) -> bool {
        let PlanContext { schema, keys, clock, file, pointer, slots } = context;
        let mut source = Source { schema, clock, file, slots };
        // Elements and members without bytes that are still allowed.
        let mut budget = limits::MAX_ELEMENTS;
        let mut rest = payload;
        for step in &mut self.steps {
            let taken = if let Some(taken) = step.write::<D>(pen, rest, &mut source) {
                taken
            } else {
                let at = payload.len() - rest.len();
                let mut runner = Runner { schema, payload, pointer, slots: source.slots, budget };
                let Some(taken) = other::<D>(step, &mut runner, at, pen, (clock, keys)) else { return false };
                if runner.payload.len() < payload.len() {
                    // A text without a NUL ends what can be read.
                    return false;
                }
                budget = runner.budget;
                taken
            };
            let Some(left) = rest.get(taken..) else { return false };
            rest = left;
        }
        D::end(pen);
        let without_bytes = limits::MAX_ELEMENTS - budget;
        rest.is_empty() && !schema.cost().may_exceed(payload.len(), without_bytes)
    }
}

/// Writes a field through the executor. Returns its bytes in the payload; `None` if it does not fit.
#[inline(never)]
fn other<D: Dialect>(
    step: &Step,
    runner: &mut Runner<'_, '_>,
    at: usize,
    pen: &mut Pen,
    (clock, keys): (Option<&Clock>, &D::Keys),
) -> Option<usize> {
    let schema = runner.schema;
    let field = schema.fields().get(step.place)?;
    if step.is_optional && at == runner.payload.len() {
        return None;
    }
    let end = if step.is_hidden() {
        runner.field(step.place, at, &mut Ignore)?
    } else {
        pen.with_vec(|out| {
            let end = runner.field(step.place, at, &mut Shown::new(&mut D::writer(out, schema, clock, keys)));
            D::mend(out);
            end
        })?
    };
    // A text that lacks its NUL is reported.
    let nul: &[u8] = match field.wire {
        Wire::Text { encoding: Encoding::Utf16, len: Len::Nul } => &[0, 0],
        Wire::Text { len: Len::Nul, .. } => &[0],
        _ => &[],
    };
    runner.payload.get(at..end)?.ends_with(nul).then_some(end - at)
}
