//! A flat list of properties as fields.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{InType, OutType, field};
use crate::error::{Error, Result};
use crate::limits;
use crate::schema::{Count, Field, Len, Map, SchemaBuilder, Wire};

/// A property: `EVENT_PROPERTY_INFO`, an item of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Property {
    /// Its name.
    pub name: Box<str>,
    /// One value, or a struct.
    pub shape: Shape,
    /// How many; [`Quantity::Default`] is one value that is not an array.
    pub count: Quantity,
    /// How long text or binary is; [`Quantity::Default`] is up to a NUL.
    pub length: Quantity,
    /// The map of its values. Many properties may share one.
    pub map: Option<Arc<Map>>,
    /// 28 bits that mean something to the provider.
    pub tag: u32,
}

impl Property {
    /// Makes a property of a single value without length or map.
    pub fn new(name: impl Into<Box<str>>, input: InType, output: OutType) -> Self {
        Self::with_shape(name, Shape::Value(input, output))
    }

    /// Makes a property of a single value or struct without length or map.
    pub fn with_shape(name: impl Into<Box<str>>, shape: Shape) -> Self {
        Self { name: name.into(), shape, count: Quantity::Default, length: Quantity::Default, map: None, tag: 0 }
    }

    /// Sets [`Property::count`](field@Property::count).
    #[must_use]
    pub fn count(mut self, count: Quantity) -> Self {
        self.count = count;
        self
    }

    /// Sets [`Property::length`](field@Property::length).
    #[must_use]
    pub fn length(mut self, length: Quantity) -> Self {
        self.length = length;
        self
    }
}

/// The shape of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A value of these types.
    Value(InType, OutType),
    /// A struct of the properties from `first` on. They are not top-level properties themselves.
    Struct {
        /// Index of the first member.
        first: u16,
        /// Number of members.
        members: u16,
    },
}

/// A count or a length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// Nothing is stated.
    #[default]
    Default,
    /// A constant.
    Fixed(u16),
    /// The value of the property with this index.
    Property(u16),
}

impl Quantity {
    /// Returns what a number means in a binary schema, whose flags state which kind it is: the index of a property if
    /// it is `by_reference`, otherwise a constant if it `is_stated`.
    pub const fn from_flags(number: u16, by_reference: bool, is_stated: bool) -> Self {
        match (by_reference, is_stated) {
            (true, _) => Self::Property(number),
            (false, true) => Self::Fixed(number),
            (false, false) => Self::Default,
        }
    }
}

/// Adds the first `top_level` properties, with the members of their structs, to a schema.
pub fn compile(properties: &[Property], top_level: usize, builder: &mut SchemaBuilder) -> Result<()> {
    let (places, maps) = (vec![None; properties.len()], BTreeMap::new());
    let mut compiler = Compiler { properties, places, maps, builder };
    compiler.range(0, top_level, 0)
}

struct Compiler<'a> {
    properties: &'a [Property],
    /// The place of each property in the schema, once it is there.
    places: Vec<Option<u16>>,
    /// The place of each map in the schema, by its address.
    maps: BTreeMap<usize, u16>,
    builder: &'a mut SchemaBuilder,
}

impl Compiler<'_> {
    /// Structs may contain structs, and a damaged list may contain itself: depth and number are limited.
    fn range(&mut self, first: usize, count: usize, depth: usize) -> Result<()> {
        if depth > limits::MAX_DEPTH {
            return Err(Error::limit("nesting of structs", limits::MAX_DEPTH));
        }
        let properties = self.properties;
        let range = first.checked_add(count).and_then(|end| properties.get(first..end));
        let Some(range) = range else {
            return Err(Error::truncated("properties", first.saturating_add(count), properties.len()));
        };
        (first..).zip(range).try_for_each(|(index, property)| self.property(index, property, depth))
    }

    fn property(&mut self, index: usize, property: &Property, depth: usize) -> Result<()> {
        // Before each property: structs that contain structs can repeat a few properties 2^30 times.
        self.builder.room()?;
        let count = self.count(property)?;
        let place = match property.shape {
            Shape::Value(input, output) => {
                let mut field = self.value(property, (input, output), count)?;
                field.tag = property.tag;
                self.builder.field(field)
            }
            Shape::Struct { first, members } => {
                let mut field = Field::new(&*property.name, Wire::Struct { fields: 0 }).counted(count);
                field.tag = property.tag;
                let place = self.builder.begin_struct(field);
                self.range(first.into(), members.into(), depth + 1)?;
                self.builder.end_struct();
                place
            }
        };
        if let Some(slot) = self.places.get_mut(index) {
            *slot = Some(place);
        }
        Ok(())
    }

    fn value(&mut self, property: &Property, (input, output): (InType, OutType), count: Count) -> Result<Field> {
        let length = match property.length {
            Quantity::Default => None,
            Quantity::Fixed(length) => Some(Len::Fixed(length)),
            Quantity::Property(index) => Some(Len::Field(self.place(property, index)?)),
        };
        let Some(mut field) = field(&*property.name, input, output, length, count) else {
            return Err(Error::invalid("in-type of a property", input.0.into()));
        };
        field.map = property.map.as_ref().map(|map| self.map(map));
        Ok(field)
    }

    fn map(&mut self, map: &Arc<Map>) -> u16 {
        let builder = &mut *self.builder;
        // Properties share maps. Hashing a large map for each property would take quadratic time.
        *self.maps.entry(Arc::as_ptr(map).addr()).or_insert_with(|| builder.map((**map).clone()))
    }

    fn count(&self, property: &Property) -> Result<Count> {
        Ok(match property.count {
            Quantity::Default => Count::One,
            Quantity::Fixed(count) => Count::Fixed(count),
            Quantity::Property(index) => Count::Field(self.place(property, index)?),
        })
    }

    /// Returns the place of a property that another refers to: it must have been read before.
    fn place(&self, property: &Property, index: u16) -> Result<u16> {
        self.places.get(usize::from(index)).copied().flatten().ok_or_else(|| {
            let name = &property.name;
            Error::schema(format!(
                "`{name}` needs a length or count from property {index}, which is not an earlier property"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Scalar, Schema, SchemaSource};

    fn compiled(properties: &[Property], top_level: usize) -> Result<Schema> {
        let mut builder = Schema::builder(SchemaSource::USER.into());
        compile(properties, top_level, &mut builder)?;
        builder.build()
    }

    fn number(name: &str) -> Property {
        Property::new(name, InType::UINT32, OutType::NULL)
    }

    fn structure(name: &str, first: u16, members: u16) -> Property {
        Property { shape: Shape::Struct { first, members }, ..number(name) }
    }

    #[test]
    fn members_follow_their_struct_and_references_follow_the_members() {
        let binary = Property::new("Data", InType::BINARY, OutType::NULL);
        let schema = compiled(
            &[
                number("Count"),
                Property { count: Quantity::Property(0), ..structure("Items", 3, 2) },
                number("Last"),
                number("Size"),
                Property { length: Quantity::Property(3), tag: 5, ..binary },
            ],
            3,
        )
        .unwrap();
        let names: Vec<_> = schema.fields().iter().map(|field| &*field.name).collect();
        assert_eq!(names, ["Count", "Items", "Size", "Data", "Last"]);
        assert_eq!(schema.fields()[1].count, Count::Field(0));
        assert_eq!((schema.fields()[3].wire, schema.fields()[3].tag), (Wire::Bytes { len: Len::Field(2) }, 5));
        assert_eq!(schema.fields()[4].wire, Wire::Scalar(Scalar::U32));
    }

    #[test]
    fn a_struct_that_contains_itself_ends() {
        assert!(compiled(&[structure("S", 0, 1)], 1).is_err());
        let wide: Vec<_> = (0..64).map(|_| structure("S", 0, 64)).collect();
        assert!(compiled(&wide, 64).is_err());
    }

    #[test]
    #[cfg_attr(miri, ignore = "so long a name takes hours")]
    fn a_map_is_shared_and_a_long_name_cannot_be_had_many_times() {
        let texts = (0..1000).map(|value| (value, "x".repeat(1000)));
        let map = Arc::new(Map::new("m", crate::schema::MapKind::Values, texts).unwrap());
        let with_map = Property { map: Some(map), ..number("a") };
        let schema = compiled(&vec![with_map; 4000], 4000).unwrap();
        assert_eq!((schema.maps().len(), schema.fields().len()), (1, 4000));
        // Structs of one member, which has a name of 64 KiB.
        let mut list = vec![structure("S", 1000, 1); 1000];
        list.push(number(&"x".repeat(1 << 16)));
        assert!(compiled(&list, 1000).unwrap_err().to_string().contains("bytes of a schema"));
    }

    #[test]
    #[cfg_attr(miri, ignore = "so long a name takes hours")]
    fn structs_that_double_one_another_end_when_the_schema_is_full() {
        // Each struct contains all those after it, so the long name is needed 2^30 times.
        let mut list: Vec<_> = (0..31).map(|k| structure("", k + 1, 31 - k)).collect();
        list.push(number(&"x".repeat(90 << 10)));
        assert!(compiled(&list, 1).unwrap_err().to_string().contains("bytes of a schema"));
    }

    #[test]
    fn flags_say_what_a_number_is() {
        let kinds = [(true, false), (true, true), (false, true), (false, false)]
            .map(|(by_reference, is_stated)| Quantity::from_flags(7, by_reference, is_stated));
        assert_eq!(kinds, [Quantity::Property(7), Quantity::Property(7), Quantity::Fixed(7), Quantity::Default]);
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        assert!(compiled(&[number("a")], 2).is_err());
        assert!(compiled(&[structure("S", 1, u16::MAX)], 1).is_err());
        assert!(compiled(&[Property { count: Quantity::Property(1), ..number("a") }, number("b")], 2).is_err());
        assert!(compiled(&[Property::new("a", InType(24), OutType::NULL)], 1).is_err());
    }
}
