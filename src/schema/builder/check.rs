//! What the executor cannot run.

use crate::error::{Error, Result};
use crate::limits;
use crate::schema::{Count, Field, Len, TopLevel, Wire};

use super::SchemaBuilder;

impl SchemaBuilder {
    pub(super) fn check_weight(&self) -> Result<()> {
        if self.weight > limits::MAX_SCHEMA {
            return Err(Error::limit("bytes of a schema", limits::MAX_SCHEMA));
        }
        Ok(())
    }

    /// Structs must end inside their parents and not nest too deep.
    pub(super) fn check_nesting(&self) -> Result<()> {
        let mut ends = Vec::new();
        for (at, field) in self.fields.iter().enumerate() {
            while ends.last().is_some_and(|end| *end <= at) {
                ends.pop();
            }
            let end = at + field.span();
            if end > ends.last().copied().unwrap_or(self.fields.len()) {
                return Err(Error::schema(format!("struct `{}` has more members than there are fields", field.name)));
            }
            if field.span() > 1 {
                ends.push(end);
            }
            if ends.len() > limits::MAX_DEPTH {
                return Err(Error::limit("nesting of structs", limits::MAX_DEPTH));
            }
        }
        Ok(())
    }

    pub(super) fn check_field(&self, at: usize) -> Result<()> {
        let Some(field) = self.fields.get(at) else { return Ok(()) };
        if let Wire::Bytes { len: Len::Nul } = field.wire {
            return Err(Error::schema(format!("bytes `{}` cannot end at a NUL", field.name)));
        }
        if field.map.is_some_and(|map| usize::from(map) >= self.maps.len()) {
            return Err(Error::schema(format!("`{}` names a map that is not there", field.name)));
        }
        if let Wire::Bits { first, count, .. } = field.wire
            && (count == 0 || u16::from(first) + u16::from(count) > 64)
        {
            return Err(Error::schema(format!("`{}` has bits that no integer has", field.name)));
        }
        for place in references(field) {
            self.check_reference(at, usize::from(place))?;
        }
        Ok(())
    }

    /// Process and thread ids must be single integers outside of structs.
    pub(super) fn check_subject(&self) -> Result<()> {
        for place in [self.subject.process, self.subject.thread].into_iter().flatten() {
            let top = TopLevel { fields: &self.fields, at: 0 };
            let found = top.into_iter().any(|(at, field)| at == usize::from(place) && field.is_single_integer());
            if !found {
                return Err(Error::schema(format!(
                    "field {place} cannot identify a process or thread: it is not an integer"
                )));
            }
        }
        Ok(())
    }

    /// A reference must point to an earlier, single integer that has been read when it is needed.
    fn check_reference(&self, at: usize, place: usize) -> Result<()> {
        let name = |at: usize| self.fields.get(at).map_or("", |f| &*f.name);
        // The executor reads fields in order, so it knows the values of earlier ones only.
        let target = self.fields.get(place).filter(|_| place < at);
        let integer = target.is_some_and(Field::is_single_integer);
        if !integer {
            let detail = format!("`{}` needs a length, count or bits from `{}`", name(at), name(place));
            return Err(Error::schema(format!("{detail}, which is not an earlier integer")));
        }
        Ok(())
    }

    /// Gives each field that is referred to a slot for its value.
    pub(super) fn assign_slots(&mut self) -> Result<u16> {
        for field in &mut self.fields {
            field.slot = None;
        }
        // The executor keeps a value only if another field refers to it.
        let mut next = 0;
        for place in self.fields.iter().flat_map(references).collect::<Vec<_>>() {
            if let Some(target) = self.fields.get_mut(usize::from(place)).filter(|target| target.slot.is_none()) {
                target.slot = Some(next);
                next += 1;
            }
        }
        if usize::from(next) > limits::MAX_REFERENCES {
            return Err(Error::limit("length and count references of a schema", limits::MAX_REFERENCES));
        }
        Ok(next)
    }

    /// Returns whether an event may lack a field that another one refers to: an optional one, or a member of a struct
    /// that is optional or an array, for a field after the struct.
    pub(super) fn has_absent_slots(&self) -> bool {
        let ends = self.ends_of_absent_structs();
        self.fields.iter().enumerate().any(|(at, field)| {
            references(field).map(usize::from).any(|place| {
                let is_optional = self.fields.get(place).is_some_and(|field| field.optional);
                is_optional || ends.get(place).is_some_and(|end| *end <= at)
            })
        })
    }

    /// Returns for each field where the innermost struct around it ends that an event may lack; the greatest number if
    /// there is none.
    fn ends_of_absent_structs(&self) -> Vec<usize> {
        let mut open = vec![usize::MAX];
        let end = |(place, field): (usize, &Field)| {
            while open.pop_if(|end| *end <= place).is_some() {}
            let end = open.last().copied().unwrap_or(usize::MAX);
            if field.optional || field.count != Count::One {
                open.push(place + field.span());
            }
            end
        };
        self.fields.iter().enumerate().map(end).collect()
    }
}

/// Returns the places that a field's length and count refer to.
fn references(field: &Field) -> impl Iterator<Item = u16> + use<> {
    let count = if let Count::Field(place) = field.count { Some(place) } else { None };
    let len = match field.wire {
        Wire::Text { len: Len::Field(place) | Len::Within { used: place, .. }, .. }
        | Wire::Bytes { len: Len::Field(place) | Len::Within { used: place, .. } }
        | Wire::Bits { of: place, .. } => Some(place),
        _ => None,
    };
    count.into_iter().chain(len)
}
