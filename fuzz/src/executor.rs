//! The executor over any schema.

use etwkit::schema::{Count, Encoding, Field, Len, Scalar, Schema, SchemaBuilder, SchemaSource, Wire};

use crate::event::decode;

/// Builds a schema from the first part of the data and decodes the second part by it. The first byte is the number of
/// fields, each field takes four bytes.
pub fn executor(data: &[u8]) {
    let Some((count, rest)) = data.split_first() else { return };
    let (fields, payload) = rest.split_at_checked(usize::from(*count) * 4).unwrap_or((rest, &[]));
    let mut builder = Schema::builder(SchemaSource::USER.into());
    let mut open = 0;
    for field in fields.as_chunks().0 {
        add(&mut builder, *field, &mut open);
    }
    while open > 0 {
        builder.end_struct();
        open -= 1;
    }
    if let Ok(schema) = builder.build() {
        decode(&schema, payload, true);
        decode(&schema, payload, false);
    }
}

/// One field, or the begin or end of a struct: kind, count rule, and a number for each.
fn add(builder: &mut SchemaBuilder, [kind, rule, a, b]: [u8; 4], open: &mut usize) {
    let count = count(rule, b);
    let place = u16::from(a);
    let wire = match kind % 24 {
        0 if *open > 0 => {
            *open -= 1;
            return builder.end_struct();
        }
        1 => {
            *open += 1;
            builder.begin_struct(Field::new("S", Wire::Struct { fields: 0 }).counted(count));
            return;
        }
        2..=7 => Wire::Text { encoding: encoding(kind), len: len(rule >> 4, place) },
        8..=10 => Wire::Bytes { len: len(rule >> 4, place) },
        11 => Wire::Sid { wrapped: a & 1 != 0 },
        // A number of members that may be wrong.
        12 => Wire::Struct { fields: place },
        n => Wire::Scalar(SCALARS.get(usize::from(n.saturating_sub(13))).copied().unwrap_or(Scalar::U8)),
    };
    let field = Field::new("f", wire).counted(count);
    builder.field(if b & 0x80 != 0 { field.optional() } else { field });
}

fn count(rule: u8, number: u8) -> Count {
    match rule & 7 {
        1 => Count::Fixed(u16::from(number) << 8 | u16::from(number)),
        2 => Count::Field(number.into()),
        3 => Count::Prefix16,
        4 => Count::Rest,
        5 => Count::Fixed(number.into()),
        _ => Count::One,
    }
}

fn len(rule: u8, number: u16) -> Len {
    match rule & 7 {
        0 => Len::Fixed(number),
        1 => Len::Field(number),
        2 => Len::Prefix16,
        3 => Len::Prefix16Swapped,
        4 => Len::Prefix32,
        5 => Len::Rest,
        6 => Len::Within { used: number >> 8, room: number },
        _ => Len::Nul,
    }
}

fn encoding(kind: u8) -> Encoding {
    match kind % 3 {
        0 => Encoding::Utf16,
        1 => Encoding::Ansi,
        _ => Encoding::Utf8,
    }
}

const SCALARS: [Scalar; 13] = [
    Scalar::I8,
    Scalar::U8,
    Scalar::I16,
    Scalar::U16,
    Scalar::I32,
    Scalar::U32,
    Scalar::I64,
    Scalar::U64,
    Scalar::F32,
    Scalar::F64,
    Scalar::Guid,
    Scalar::Pointer,
    Scalar::SystemTime,
];
