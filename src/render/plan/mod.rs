//! The fields of a schema, compiled for a form of output.
//!
//! A [`Plan`] has one step for each field outside of structs: constant text, and how the value is read and written.
//! Most fields are numbers, addresses, texts and GUIDs, which go from the payload straight into the output, in one pass
//! that also finds where the next field begins. Arrays, structs and rare presentations go through the executor.
//!
//! A plan is for payloads that its schema fits exactly. It refuses all others, and the caller locates their fields.

mod dialect;
mod integer;
mod json;
mod memo;
mod op;
mod shown;
mod step;
#[cfg(test)]
pub(crate) mod tests;

use std::marker::PhantomData;

use crate::bytes::PointerSize;
use crate::clock::Clock;
use crate::decode::{Ignore, Runner, Slots};
use crate::limits;
use crate::schema::{Encoding, Len, Schema, Wire};

use super::pen::Pen;
pub(crate) use dialect::{Dialect, End};
pub(crate) use json::{Json, JsonInCsv};
use op::Op;
use step::{Source, Step};

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
    pub(crate) file: u16,
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
        let step = |(place, field)| Step::new::<D>(schema, place, field, keys, pointer);
        Some(Self { dialect: PhantomData, steps: schema.top_level().map(step).collect() })
    }

    /// Writes the fields of a payload and what ends them. Returns false if the schema does not fit exactly: then the text
    /// is not complete.
    #[inline]
    pub(crate) fn write(&mut self, pen: &mut Pen, payload: &[u8], context: PlanContext<'_, D::Keys>) -> bool {
        let PlanContext { schema, keys, clock, file, pointer, slots } = context;
        let source = Source { schema, clock, file };
        // Elements and members without bytes that are still allowed.
        let mut budget = limits::MAX_ELEMENTS;
        let mut at = 0;
        for step in &mut self.steps {
            let Some(rest) = payload.get(at..) else { return false };
            if step.is_optional && rest.is_empty() {
                // It is absent. Only the executor knows what an array of nothing costs.
                if matches!(step.op, Op::Other) {
                    return false;
                }
                continue;
            }
            let taken = if let Some(taken) = step.write::<D>(pen, rest, slots, source) {
                taken
            } else {
                let mut runner = Runner { schema, payload, pointer, slots, budget };
                let Some(taken) = other::<D>(step, &mut runner, at, pen, (clock, keys)) else { return false };
                budget = runner.budget;
                taken
            };
            at += taken;
        }
        D::end(pen);
        let without_bytes = limits::MAX_ELEMENTS - budget;
        at == payload.len() && !schema.cost().may_exceed(payload.len(), without_bytes)
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
    let end = if step.is_hidden {
        runner.field(step.place, at, &mut Ignore)?
    } else {
        pen.with_vec(|out| {
            let end = runner.field(step.place, at, &mut D::writer(out, schema, clock, keys));
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
