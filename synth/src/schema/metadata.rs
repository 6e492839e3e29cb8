//! `TraceLogging` metadata: the schema inside extended item 11 (section 11; `TraceLoggingProvider.h`).

use super::types::in_type;
use crate::narrow::{u8_of, u16_of};
use crate::payload::Payload;

/// Metadata of one event: u16 size, tags, name, fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    tags: Tags,
    name: String,
    fields: Vec<u8>,
}

impl Metadata {
    /// An event called `name`, with one zero tag byte.
    pub fn event(name: &str) -> Self {
        Self { tags: Tags { value: 0, bytes: 1 }, name: name.into(), fields: Vec::new() }
    }

    /// 28-bit event tags in the fewest bytes that fit them (the low bits come last).
    #[must_use]
    pub fn tag(mut self, value: u32) -> Self {
        self.tags = Tags::shortest(value);
        self
    }

    /// Event tags in exactly `bytes` bytes (1 to 4); bits that do not fit are lost.
    #[must_use]
    pub fn tag_in(mut self, value: u32, bytes: u8) -> Self {
        self.tags = Tags { value, bytes };
        self
    }

    /// A scalar field; out-type 0 leaves the out byte away.
    #[must_use]
    pub fn field(self, name: &str, in_type: u8, out_type: u8) -> Self {
        self.with(&Field::new(name, in_type).out(out_type))
    }

    /// Any field.
    #[must_use]
    pub fn with(mut self, field: &Field) -> Self {
        field.write(&mut self.fields);
        self
    }

    /// Item data of type 11.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size = 2 + usize::from(self.tags.bytes) + self.name.len() + 1 + self.fields.len();
        let head = Payload::new().u16(u16_of(size)).bytes(&self.tags.to_bytes());
        head.ansi_z(&self.name).bytes(&self.fields).into_bytes()
    }
}

impl From<Metadata> for Vec<u8> {
    fn from(metadata: Metadata) -> Self {
        metadata.to_bytes()
    }
}

/// One field, which may be an array, a struct or of custom encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    name: String,
    in_type: u8,
    out_type: u8,
    tags: Option<Tags>,
    shape: Shape,
    members: Vec<Self>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    Scalar,
    Fixed(u16),
    Variable,
    Custom(Vec<u8>),
}

impl Field {
    /// A scalar.
    pub fn new(name: &str, in_type: u8) -> Self {
        Self { name: name.into(), in_type, out_type: 0, tags: None, shape: Shape::Scalar, members: Vec::new() }
    }

    /// A struct with these logical members.
    pub fn structure(name: &str, members: Vec<Self>) -> Self {
        Self { members, ..Self::new(name, in_type::STRUCT) }
    }

    /// A field of custom encoding (0x60): schema bytes here, u16 byte count and data in the payload.
    pub fn custom(name: &str, in_type: u8, out_type: u8, schema: &[u8]) -> Self {
        Self { shape: Shape::Custom(schema.to_vec()), ..Self::new(name, in_type).out(out_type) }
    }

    /// Out-type.
    #[must_use]
    pub fn out(mut self, out_type: u8) -> Self {
        self.out_type = out_type;
        self
    }

    /// 28-bit field tags in exactly `bytes` bytes (1 to 4).
    #[must_use]
    pub fn tag_in(mut self, value: u32, bytes: u8) -> Self {
        self.tags = Some(Tags { value, bytes });
        self
    }

    /// An array whose count is in the metadata.
    #[must_use]
    pub fn fixed_array(mut self, count: u16) -> Self {
        self.shape = Shape::Fixed(count);
        self
    }

    /// An array whose u16 count is in the payload.
    #[must_use]
    pub fn variable_array(mut self) -> Self {
        self.shape = Shape::Variable;
        self
    }

    /// Logical members of a struct; a nested struct counts as one.
    pub fn members(&self) -> &[Self] {
        &self.members
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(self.name.as_bytes());
        to.push(0);
        self.write_types(to);
        match &self.shape {
            Shape::Fixed(count) => to.extend_from_slice(&count.to_le_bytes()),
            Shape::Custom(schema) => to.extend(Payload::new().counted(schema).into_bytes()),
            Shape::Scalar | Shape::Variable => {}
        }
        self.members.iter().for_each(|member| member.write(to));
    }

    fn write_types(&self, to: &mut Vec<u8>) {
        let is_struct = self.in_type == in_type::STRUCT;
        let out = if is_struct { u8_of(self.members.len()) } else { self.out_type };
        let custom = matches!(self.shape, Shape::Custom(_));
        let has_out = out != 0 || is_struct || custom || self.tags.is_some();
        to.push(self.in_type | self.shape.bits() | if has_out { 0x80 } else { 0 });
        if has_out {
            to.push(out | if self.tags.is_some() { 0x80 } else { 0 });
        }
        if let Some(tags) = self.tags {
            to.extend(tags.to_bytes());
        }
    }
}

impl Shape {
    const fn bits(&self) -> u8 {
        match self {
            Self::Scalar => 0,
            Self::Fixed(_) => 0x20,
            Self::Variable => 0x40,
            Self::Custom(_) => 0x60,
        }
    }
}

/// 28 bits, 7 per byte, the highest group first; bit 7 of a byte states that another follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tags {
    value: u32,
    bytes: u8,
}

impl Tags {
    fn shortest(value: u32) -> Self {
        let bytes = (1..4).find(|bytes| value & (0x0fff_ffff >> (7 * bytes)) == 0).unwrap_or(4);
        Self { value, bytes: u8_of(bytes) }
    }

    fn to_bytes(self) -> Vec<u8> {
        let group = |n: u8| (self.value >> (21 - 7 * u32::from(n)) & 0x7f).to_le_bytes()[0];
        (0..self.bytes).map(|n| group(n) | if n + 1 < self.bytes { 0x80 } else { 0 }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, Metadata, in_type};
    use crate::schema::out_type;

    #[test]
    fn struct_counts_its_logical_members() {
        let inner = Field::structure("B", vec![Field::new("c", in_type::UINT8)]);
        let outer = Field::structure("A", vec![inner, Field::new("d", in_type::INT32).out(out_type::HEX)]);
        let bytes = Metadata::event("E").with(&outer).to_bytes();
        let expected = [
            20, 0, 0, b'E', 0, // size, tags, name
            b'A', 0, 0x98, 2, // struct of two
            b'B', 0, 0x98, 1, // nested struct of one
            b'c', 0, 4, // uint8
            b'd', 0, 0x87, 4, // int32, hex
        ];
        assert_eq!(bytes, expected);
    }

    #[test]
    fn tags_take_one_to_four_bytes() {
        assert_eq!(Metadata::event("").tag(0x0fe0_0000).to_bytes(), [4, 0, 0x7f, 0]);
        assert_eq!(Metadata::event("").tag(0x0000_0001).to_bytes(), [7, 0, 0x80, 0x80, 0x80, 0x01, 0]);
    }
}
