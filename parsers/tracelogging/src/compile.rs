//! The tree of fields as a schema.

use etwkit::error::{Error, Result};
use etwkit::limits;
use etwkit::schema::{Count, Field, Names, Schema, SchemaBuilder, SchemaSource, Wire, tdh};

use crate::item::{FieldHead, Item, Shape};
use crate::types::{InType, OutType};

/// Compiles the data of an extended item 11 (`EVENT_SCHEMA_TL`).
///
/// The task is the event's name from the item, or none if that is empty; other names are taken from `names`. Errors
/// carry the offset into the item.
pub fn compile(item: &[u8], mut names: Names) -> Result<Schema> {
    let mut item = Item::read(item)?;
    names.task = text(item.name);
    let mut compiler = Compiler { builder: Schema::builder(SchemaSource::EVENT.into()).names(names), open: Vec::new() };
    while let Some(head) = item.next_field()? {
        compiler.field(&head)?;
    }
    if let Some(missing) = compiler.open.last() {
        return Err(Error::truncated("struct members", usize::from(*missing), 0).at(item.offset()));
    }
    compiler.builder.build()
}

/// Names are UTF-8 by contract; what is not, is replaced.
pub(crate) fn text(name: &[u8]) -> Option<Box<str>> {
    (!name.is_empty()).then(|| lossy(name))
}

fn lossy(name: &[u8]) -> Box<str> {
    String::from_utf8_lossy(name).into()
}

struct Compiler {
    builder: SchemaBuilder,
    /// Logical members that each open struct still lacks; the innermost lacks at least one. A list, not recursion:
    /// metadata may nest as it likes.
    open: Vec<u8>,
}

impl Compiler {
    fn field(&mut self, head: &FieldHead<'_>) -> Result<()> {
        if self.builder.len() >= limits::MAX_FIELDS {
            return Err(Error::limit("fields of a schema", limits::MAX_FIELDS).at(head.offset));
        }
        if let Some(missing) = self.open.last_mut() {
            *missing = missing.saturating_sub(1);
        }
        let field = field(head)?;
        if matches!(field.wire, Wire::Struct { .. }) {
            self.structure(field, head)?;
        } else {
            self.builder.field(field);
        }
        self.close();
        Ok(())
    }

    /// A struct's out byte is not an out-type but the number of members; a nested struct counts as one.
    fn structure(&mut self, field: Field, head: &FieldHead<'_>) -> Result<()> {
        self.builder.begin_struct(field);
        let OutType(members) = head.output;
        if members == 0 {
            self.builder.end_struct();
        } else if self.open.len() >= limits::MAX_DEPTH {
            return Err(Error::limit("nesting of structs", limits::MAX_DEPTH).at(head.offset));
        } else {
            self.open.push(members);
        }
        Ok(())
    }

    /// Ends the structs that have all their members.
    fn close(&mut self) {
        while self.open.pop_if(|missing| *missing == 0).is_some() {
            self.builder.end_struct();
        }
    }
}

fn field(head: &FieldHead<'_>) -> Result<Field> {
    let (name, count) = (lossy(head.name), count(head.shape));
    let field = match head.input {
        // Whatever the type states, the payload is counted bytes: the type's bits belong to the protocol.
        _ if head.shape == Shape::Custom => value(name, InType::BINARY, head.output, count),
        InType::STRUCT => Some(Field::new(name, Wire::Struct { fields: 0 }).counted(count)),
        input => value(name, input, head.output, count),
    };
    let Some(mut field) = field else {
        return Err(Error::invalid("field in-type", head.input.0.into()).at(head.offset));
    };
    field.tag = head.tags;
    Ok(field)
}

fn value(name: Box<str>, input: InType, output: OutType, count: Count) -> Option<Field> {
    tdh::field(name, input.of_tdh(), output.of_tdh(), None, count)
}

const fn count(shape: Shape) -> Count {
    match shape {
        Shape::Scalar | Shape::Custom => Count::One,
        Shape::Fixed(count) => Count::Fixed(count),
        Shape::Variable => Count::Prefix16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etwkit::error::ErrorKind;
    use etwkit::schema::{DisplayFormat, Len};

    const COUNTED_BYTES: Wire = Wire::Bytes { len: Len::Prefix16 };

    /// Returns an item called `E` with these bytes of fields.
    fn compiled(fields: &[u8]) -> Result<Schema> {
        let size = u16::try_from(fields.len() + 5).unwrap().to_le_bytes();
        let item = [&size, &[0, b'E', 0][..], fields].concat();
        compile(&item, Names::default())
    }

    #[test]
    fn a_nested_struct_counts_as_one_member() {
        let schema = compiled(&[
            b'A', 0, 0x98, 2, // struct of two
            b'B', 0, 0xD8, 1, // variable array of a struct of one
            b'c', 0, 4, // uint8
            b'd', 0, 0x87, 4, // int32, hexadecimal
            b'N', 0, 0x98, 0, // struct of none
            b'e', 0, 0x24, 2, 0, // uint8[2]
        ])
        .unwrap();
        let names = |members: &mut dyn Iterator<Item = (usize, &Field)>| {
            members.map(|(_, field)| field.name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(&mut schema.top_level()), ["A", "N", "e"]);
        assert_eq!(names(&mut schema.members(0)), ["B", "d"]);
        assert_eq!(names(&mut schema.members(1)), ["c"]);
        assert_eq!(names(&mut schema.members(4)), [""; 0]);
        let fields = schema.fields();
        assert_eq!((fields[1].count, fields[5].count), (Count::Prefix16, Count::Fixed(2)));
        assert_eq!((fields[0].display, fields[3].display), (DisplayFormat::Plain, DisplayFormat::Hex));
        assert_eq!((schema.names().task.as_deref(), schema.origin().source), (Some("E"), SchemaSource::EVENT));
    }

    #[test]
    fn a_custom_field_is_counted_bytes_whatever_its_type_bits_say() {
        let schema = compiled(&[
            b'c', 0, 0xFF, 0x81, 1, 1, 0, 0xAA, // custom, in-type bits 31, not shown, tags, one byte of schema
            b's', 0, 0xF8, 3, 0, 0, // custom with the bits of a struct: it has no members
        ])
        .unwrap();
        let [first, second] = schema.fields() else { panic!("two fields") };
        assert_eq!((first.wire, first.display, first.tag), (COUNTED_BYTES, DisplayFormat::Hidden, 1 << 21));
        assert_eq!((second.wire, second.count), (COUNTED_BYTES, Count::One));
    }

    #[test]
    fn duplicate_empty_and_broken_names_are_kept() {
        let schema = compiled(&[b'x', 0, 4, b'x', 0, 4, 0, 4, 0xFF, 0, 4]).unwrap();
        let names: Vec<_> = schema.fields().iter().map(|field| &*field.name).collect();
        assert_eq!(names, ["x", "x", "", "\u{FFFD}"]);
        let nameless = compile(&[4, 0, 0, 0], Names::default()).unwrap();
        assert_eq!(nameless.names().task, None);
    }

    #[test]
    fn what_cannot_be_is_an_error_with_its_place() {
        let unknown = compiled(&[b'a', 0, 4, b'b', 0, 31]).unwrap_err();
        assert!(matches!(unknown.kind(), ErrorKind::Invalid { found: 31, .. }));
        assert_eq!(unknown.offset(), Some(10));
        let lacking = compiled(&[b'S', 0, 0x98, 2, b'a', 0, 4]).unwrap_err();
        assert!(matches!(lacking.kind(), ErrorKind::Truncated { need: 1, have: 0, .. }));
        assert_eq!(lacking.offset(), Some(12));
    }

    #[test]
    fn depth_and_number_of_fields_are_limited() {
        let nested = |depth: usize| {
            let mut fields = [0, 0x98, 1].repeat(depth);
            fields.extend([0, 4]);
            compiled(&fields)
        };
        assert!(nested(limits::MAX_DEPTH).is_ok());
        let deep = nested(limits::MAX_DEPTH + 1).unwrap_err();
        assert!(matches!(deep.kind(), ErrorKind::Limit { .. }) && deep.offset().is_some());
        assert!(compiled(&[0, 4].repeat(limits::MAX_FIELDS)).is_ok());
        let many = compiled(&[0, 4].repeat(limits::MAX_FIELDS + 1)).unwrap_err();
        assert!(matches!(many.kind(), ErrorKind::Limit { .. }) && many.offset().is_some());
    }
}
