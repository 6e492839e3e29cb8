//! Structs whose members are single numbers, texts and GUIDs.

use crate::render::pen::{Literal, Pen};
use crate::schema::{Count, DisplayFormat, Field, Wire};

use super::Dialect;
use super::compiler::Compiler;
use super::elements::Elements;
use super::op::Op;
use super::source::Source;
use super::value::Value;

/// A struct, or an array of structs. Each member has bytes in the payload, which therefore limits how many there are.
#[derive(Debug)]
pub(super) struct Structs {
    /// `None` if it is one struct and no array.
    elements: Option<Elements>,
    members: Box<[Value]>,
}

impl Structs {
    /// Compiles a field that is a struct; `None` for structs without members, and with others than it takes.
    pub(super) fn new<D: Dialect>(compiler: &mut Compiler<'_, D>, (place, field): (usize, &Field)) -> Option<Self> {
        if !matches!(field.wire, Wire::Struct { .. }) {
            return None;
        }
        let elements = match field.count {
            Count::One => None,
            count => Some(Elements::new(compiler.schema, count)?),
        };
        let fields = compiler.schema.fields().get(place + 1..place + field.span())?;
        let member = |(number, field): (usize, &Field)| {
            let op = Op::new(compiler, field).filter(Op::has_bytes)?;
            let (mut key, place) = (Vec::new(), place + 1 + number);
            D::push_member_key(&mut key, compiler.keys, compiler.schema, (place, number == 0));
            // The executor leaves out those that are not shown.
            (field.display != DisplayFormat::Hidden).then(|| Value::new::<D>(Some(op), key, place))
        };
        let members = fields.iter().enumerate().map(member).collect::<Option<Box<[Value]>>>()?;
        (!members.is_empty()).then_some(Self { elements, members })
    }

    /// Writes the field at the start of `rest`, and what is after it. Returns its bytes in the payload; `None`, with nothing
    /// written, if it does not fit, and if it is for the executor.
    #[inline(never)]
    pub(super) fn write<D: Dialect>(
        &mut self,
        pen: &mut Pen,
        key: &Literal,
        rest: &[u8],
        source: &mut Source<'_>,
    ) -> Option<usize> {
        let place = pen.place();
        pen.literal(key);
        let taken = match self.elements {
            Some(elements) => self.array::<D>(pen, elements, rest, source),
            None => self.one::<D>(pen, rest, source),
        };
        match taken {
            Some(_) => D::AFTER.plain.write(pen),
            None => pen.rewind(place),
        }
        taken
    }

    fn array<D: Dialect>(
        &mut self,
        pen: &mut Pen,
        elements: Elements,
        rest: &[u8],
        source: &mut Source<'_>,
    ) -> Option<usize> {
        let (count, mut at) = elements.first(rest, source.slots)?;
        pen.byte(b'[');
        let start = pen.place();
        for _ in 0..count {
            if matches!(elements, Elements::Rest) && at >= rest.len() {
                break;
            }
            at += self.one::<D>(pen, rest.get(at..)?, source)?;
            D::BETWEEN.plain.write(pen);
        }
        if pen.place() > start {
            pen.rewind(pen.place() - 1);
        }
        pen.byte(b']');
        Some(at)
    }

    /// Writes one struct without what is after it.
    #[inline]
    fn one<D: Dialect>(&mut self, pen: &mut Pen, rest: &[u8], source: &mut Source<'_>) -> Option<usize> {
        pen.byte(b'{');
        let mut at = 0;
        for member in &mut self.members {
            at += member.write::<D>(pen, rest.get(at..)?, source)?;
        }
        D::close(pen);
        Some(at)
    }
}
