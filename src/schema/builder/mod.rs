//! The only way to a schema: refuses what the executor cannot run.

mod check;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::limits;

use super::{
    ConvertPayload, Converter, Field, FixedPrefix, Map, Message, Names, Origin, PrintCost, Scalar, Schema, Subject,
    UserData, Wire,
};

/// Builds a [`Schema`] field by field. Fields and maps beyond [`limits::MAX_SCHEMA`] bytes are not kept, so that a
/// crafted source cannot take more memory than that, and [`SchemaBuilder::build`] refuses. A source whose few bytes may
/// ask for many fields asks for [`SchemaBuilder::room`] before each.
#[derive(Clone, Debug)]
pub struct SchemaBuilder {
    names: Names,
    fields: Vec<Field>,
    maps: Vec<Map>,
    message: Option<Message>,
    user_data: Option<Arc<UserData>>,
    subject: Subject,
    origin: Origin,
    open: Vec<usize>,
    /// Places of maps by their digests.
    known: BTreeMap<u64, u16>,
    /// Places of maps for signed fields, by that of the map and the bits of a field.
    narrowed: BTreeMap<(u16, u32), u16>,
    /// Fields that were added, kept or not.
    added: usize,
    /// Bytes of fields and maps. What is beyond the limit is not kept, and there will be no schema.
    weight: usize,
    converter: Option<Converter>,
}

impl SchemaBuilder {
    pub(super) fn new(origin: Origin) -> Self {
        let (names, fields, maps, message, user_data, subject, open, known, narrowed) = <_>::default();
        Self {
            names,
            fields,
            maps,
            message,
            user_data,
            subject,
            origin,
            open,
            known,
            narrowed,
            added: 0,
            weight: 0,
            converter: None,
        }
    }

    /// Sets what rewrites payloads before the schema, or an alternative of it, is run over them.
    #[must_use]
    pub fn converter(mut self, converter: impl ConvertPayload + 'static) -> Self {
        self.converter = Some(Converter::Plugin(Arc::new(converter)));
        self
    }

    /// Unpacks payloads before the schema, or an alternative of it, is run over them: they are LZNT1 from byte `from`
    /// on, and the little-endian `u32` before that byte is the unpacked size. An event whose payload cannot be
    /// unpacked, or claims to unpack to more than 64 times its bytes and 4 KiB, does not fit the schema.
    #[must_use]
    pub fn lznt1_from(mut self, from: u16) -> Self {
        self.converter = Some(Converter::Lznt1 { from });
        self
    }

    /// Sets the names.
    #[must_use]
    pub fn names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// Sets the message.
    #[must_use]
    pub fn message(mut self, message: Option<Message>) -> Self {
        self.message = message;
        self
    }

    /// Sets the elements that show the fields. Many schemas may share them.
    #[must_use]
    pub fn user_data(mut self, user_data: Option<Arc<UserData>>) -> Self {
        self.user_data = user_data;
        self
    }

    /// Sets the fields with the process and thread.
    #[must_use]
    pub const fn subject(mut self, subject: Subject) -> Self {
        self.subject = subject;
        self
    }

    /// Adds a map; the result is what [`Field::map`] takes. A map that is there already is not added again.
    pub fn map(&mut self, map: Map) -> u16 {
        let mut hasher = DefaultHasher::new();
        map.hash(&mut hasher);
        let digest = hasher.finish();
        let known = self.known.get(&digest).copied();
        // Equal digests do not prove equal maps.
        if let Some(at) = known.filter(|at| self.maps.get(usize::from(*at)) == Some(&map)) {
            return at;
        }
        let at = self.push_map(map);
        self.known.insert(digest, at);
        at
    }

    /// Adds a map that is known not to be there yet, without looking: the text form keeps its own account, so that a
    /// text of many like maps takes linear time.
    pub(super) fn push_map(&mut self, map: Map) -> u16 {
        self.weight = self.weight.saturating_add(map.weight());
        if self.weight <= limits::MAX_SCHEMA {
            self.maps.push(map);
        }
        place(self.maps.len())
    }

    /// Adds a field and returns its place, which later fields may refer to.
    pub fn field(&mut self, mut field: Field) -> u16 {
        self.narrow_map(&mut field);
        // Counted even if the field is dropped: `build` refuses such a schema, and until then places must stay
        // distinct.
        self.added += 1;
        self.weight = self.weight.saturating_add(field.weight());
        if self.weight <= limits::MAX_SCHEMA {
            self.fields.push(field);
        }
        place(self.added)
    }

    /// Gives a field of a signed type a map whose negative values have the width of the field, as sources state them with
    /// 32 or 64 bits.
    fn narrow_map(&mut self, field: &mut Field) {
        let bits = match field.wire {
            Wire::Scalar(Scalar::I8) => 8,
            Wire::Scalar(Scalar::I16) => 16,
            Wire::Scalar(Scalar::I32) => 32,
            _ => return,
        };
        let Some(at) = field.map else { return };
        // Many fields may share a large map.
        let known = self.narrowed.get(&(at, bits)).copied();
        let narrowed = known.unwrap_or_else(|| {
            let map = self.maps.get(usize::from(at)).and_then(|map| map.narrowed(bits));
            map.map_or(at, |map| self.map(map))
        });
        self.narrowed.insert((at, bits), narrowed);
        field.map = Some(narrowed);
    }

    /// Checks that one more field fits the limits.
    pub fn room(&self) -> Result<()> {
        if self.added >= limits::MAX_FIELDS {
            return Err(Error::limit("fields of a schema", limits::MAX_FIELDS));
        }
        self.check_weight()
    }

    /// Begins a struct: the fields until [`SchemaBuilder::end_struct`] are its members.
    pub fn begin_struct(&mut self, mut field: Field) -> u16 {
        field.wire = Wire::Struct { fields: 0 };
        let place = self.field(field);
        self.open.push(usize::from(place));
        place
    }

    /// Ends the innermost struct.
    pub fn end_struct(&mut self) {
        let Some(start) = self.open.pop() else { return };
        let members = place(self.added.saturating_sub(start));
        if let Some(field) = self.fields.get_mut(start) {
            field.wire = Wire::Struct { fields: members };
        }
    }

    /// Returns the index of the last field of that name so far, for sources that refer by name. Members of closed
    /// structs are found too.
    pub fn index_of(&self, name: &str) -> Option<u16> {
        self.fields.iter().rposition(|field| &*field.name == name).and_then(|at| u16::try_from(at).ok())
    }

    /// Returns how many fields were added so far.
    pub fn len(&self) -> usize {
        self.added
    }

    /// Returns whether there are none yet.
    pub fn is_empty(&self) -> bool {
        self.added == 0
    }

    /// Checks everything and makes the schema.
    pub fn build(mut self) -> Result<Schema> {
        if self.added > limits::MAX_FIELDS {
            return Err(Error::limit("fields of a schema", limits::MAX_FIELDS));
        }
        self.check_weight()?;
        let is_cut = self.names.cut();
        let message = self.message.as_ref().map_or(0, Message::text_len);
        if self.names.weight() + message > limits::MAX_NAMES {
            return Err(Error::limit("bytes of the names and message of a schema", limits::MAX_NAMES));
        }
        if !self.open.is_empty() {
            return Err(Error::schema("a struct is not ended"));
        }
        self.check_nesting()?;
        for at in 0..self.fields.len() {
            self.check_field(at)?;
        }
        self.check_subject()?;
        let slots = self.assign_slots()?;
        let has_absent_slots = self.has_absent_slots();
        let guarded = self.fields.iter().any(|field| field.expected.is_some());
        let cost = PrintCost::new(&self.fields, &self.maps);
        let prefix = FixedPrefix::new(&self.fields, self.subject, has_absent_slots);
        Ok(Schema {
            name: self.names.full().map(Into::into),
            names: self.names,
            fields: self.fields.into(),
            maps: self.maps.into(),
            message: self.message,
            is_cut,
            user_data: self.user_data,
            subject: self.subject,
            origin: self.origin,
            slots,
            has_absent_slots,
            alternative: None,
            reported: None,
            guarded,
            has_layout: true,
            cost,
            prefix,
            converter: self.converter,
        })
    }
}

/// Returns the place of the last of `count` items, 0 if there is none.
fn place(count: usize) -> u16 {
    u16::try_from(count.saturating_sub(1)).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Len, MapKind, Scalar, SchemaSource};

    #[test]
    fn fields_of_one_width_share_a_narrowed_map() {
        let mut builder = builder();
        let entries = (0..60_000_u64).map(|value| (value, "n")).chain([(u64::MAX, "none")]);
        let map = builder.map(Map::new("m", MapKind::Values, entries).unwrap());
        let field = |scalar| Field { map: Some(map), ..Field::new("F", Wire::Scalar(scalar)) };
        // To make a map for each would take minutes.
        for _ in 0..1000 {
            for scalar in [Scalar::I8, Scalar::I32, Scalar::U32] {
                builder.field(field(scalar));
            }
        }
        let schema = builder.build().unwrap();
        let named = |at: usize, value| schema.map(&schema.fields()[at]).and_then(|map| map.value(value));
        assert_eq!((named(0, 0xFF), named(2997, 0xFF)), (Some("n"), Some("n")), "the first of equal values counts");
        assert_eq!((named(1, 0xFFFF_FFFF), named(2, 0xFFFF_FFFF)), (Some("none"), None));
        assert_eq!(schema.maps().len(), 3);
    }

    fn builder() -> SchemaBuilder {
        Schema::builder(SchemaSource::USER.into())
    }

    #[test]
    fn references_must_point_back_to_integers() {
        let mut b = builder();
        let size = b.field(Field::new("Size", Wire::Scalar(Scalar::U32)));
        b.field(Field::new("Data", Wire::Bytes { len: Len::Field(size) }));
        let schema = b.clone().build().unwrap();
        assert_eq!((schema.slots(), schema.fields()[0].slot), (1, Some(0)));
        b.field(Field::new("Bad", Wire::Bytes { len: Len::Field(1) }));
        assert!(b.build().is_err());
        let mut forward = builder();
        forward.field(Field::new("Data", Wire::Bytes { len: Len::Field(1) }));
        forward.field(Field::new("Size", Wire::Scalar(Scalar::U32)));
        assert!(forward.build().is_err());
    }

    #[test]
    #[cfg_attr(miri, ignore = "so long a name takes hours")]
    fn what_is_too_large_is_not_kept() {
        let mut b = builder();
        let long = "x".repeat(limits::MAX_SCHEMA / 100);
        for _ in 0..1000 {
            b.field(Field::new(&*long, Wire::Scalar(Scalar::U8)));
        }
        assert_eq!((b.len(), b.fields.len() < 100), (1000, true));
        assert!(b.room().unwrap_err().to_string().contains("bytes of a schema"));
        assert!(b.build().unwrap_err().to_string().contains("bytes of a schema"));
        let mut b = builder();
        let map = |value| Map::new("m", MapKind::Values, [(value, &*long)]).unwrap();
        assert_eq!([b.map(map(1)), b.map(map(2)), b.map(map(1))], [0, 1, 0]);
        assert!((3..1000).map(|value| b.map(map(value))).all(|place| place <= 100));
        assert!(b.build().is_err());
    }

    #[test]
    #[cfg_attr(miri, ignore = "so long a name takes hours")]
    fn a_first_field_or_map_that_is_too_large_is_refused() {
        let long = "x".repeat(limits::MAX_SCHEMA + 1);
        let mut b = builder();
        assert!(b.room().is_ok());
        b.begin_struct(Field::new(&*long, Wire::Struct { fields: 0 }));
        b.end_struct();
        assert!(b.build().unwrap_err().to_string().contains("bytes of a schema"));
        let mut b = builder();
        assert_eq!(b.map(Map::new("m", MapKind::Values, [(1, &*long)]).unwrap()), 0);
        assert!(b.build().unwrap_err().to_string().contains("bytes of a schema"));
    }

    #[test]
    fn structs_know_their_members() {
        let mut b = builder();
        b.begin_struct(Field::new("Outer", Wire::Struct { fields: 0 }));
        b.field(Field::new("A", Wire::Scalar(Scalar::U8)));
        b.begin_struct(Field::new("Inner", Wire::Struct { fields: 0 }));
        b.field(Field::new("B", Wire::Scalar(Scalar::U8)));
        b.end_struct();
        b.end_struct();
        b.field(Field::new("C", Wire::Scalar(Scalar::U8)));
        let schema = b.build().unwrap();
        let names =
            |it: &mut dyn Iterator<Item = (usize, &Field)>| it.map(|(_, f)| f.name.to_string()).collect::<Vec<_>>();
        assert_eq!(names(&mut schema.top_level()), ["Outer", "C"]);
        assert_eq!(names(&mut schema.members(0)), ["A", "Inner"]);
        assert_eq!(names(&mut schema.members(2)), ["B"]);
    }

    #[test]
    fn too_deep_nesting_is_refused() {
        let mut b = builder();
        for _ in 0..=limits::MAX_DEPTH {
            b.begin_struct(Field::new("S", Wire::Struct { fields: 0 }));
        }
        b.field(Field::new("x", Wire::Scalar(Scalar::U8)));
        for _ in 0..=limits::MAX_DEPTH {
            b.end_struct();
        }
        assert!(b.build().is_err());
    }
}
