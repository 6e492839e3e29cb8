//! The one intermediate form that every source of schemas compiles into.
//!
//! A [`Schema`] is an ordered list of [`Field`]s plus names. A few wire forms ([`Wire`]) with a few length rules ([`Len`])
//! cover all TDH in-types; out-types are presentation ([`DisplayFormat`]). Only [`SchemaBuilder`] makes one, and it refuses what the
//! executor cannot run. [`text`] is its readable form.

#[cfg(test)]
pub(crate) mod arbitrary;
mod builder;
mod converter;
mod entry;
mod field;
mod fixed_prefix;
mod layouts;
mod map;
mod message;
mod names;
mod notation;
mod origin;
mod print_cost;
mod set;
mod step;
mod subject;
mod subject_places;
pub mod tdh;
pub mod text;
pub mod tracelogging;
mod user_data;

pub use builder::SchemaBuilder;
pub use converter::ConvertPayload;
pub(crate) use converter::Converter;
pub use entry::{SchemaEntry, SchemaSelector};
pub use field::{Count, DisplayFormat, Encoding, Expected, Field, Len, Scalar, Wire};
use fixed_prefix::FixedPrefix;
pub(crate) use fixed_prefix::{Layout, Span};
pub use map::{Map, MapKind};
pub use message::{HeaderInsert, Message, MessagePart};
pub(crate) use names::shortened;
pub use names::{Names, standard_level, standard_opcode};
pub use notation::{IntegerType, Notation};
pub(crate) use notation::{masked, sign_extend};
pub use origin::{Origin, SchemaSource};
pub(crate) use print_cost::PrintCost;
pub use set::SchemaSet;
pub(crate) use set::SchemasOnDemand;
pub(crate) use step::{Find, Presence, Read, Step};
pub use subject::Subject;
pub(crate) use subject_places::SubjectPlaces;
pub use user_data::{UserData, UserPart};

use std::sync::Arc;

use crate::bytes::PointerSize;
use crate::error::Result;

/// The layout of an event's payload, and the names of the event and its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Schema {
    names: Names,
    /// [`Names::full`], which every event of the schema is called.
    name: Option<Box<str>>,
    fields: Arc<[Field]>,
    maps: Arc<[Map]>,
    message: Option<Message>,
    /// Whether a name was too long.
    is_cut: bool,
    user_data: Option<Arc<UserData>>,
    subject: Subject,
    origin: Origin,
    slots: u16,
    /// Whether an event may lack a field that has a slot.
    has_absent_slots: bool,
    alternative: Option<Box<Schema>>,
    reported: Option<Arc<Schema>>,
    /// Whether a field states what its value must be.
    guarded: bool,
    /// Whether its fields are those of payloads.
    has_layout: bool,
    cost: PrintCost,
    prefix: FixedPrefix,
    converter: Option<Converter>,
}

impl Schema {
    /// Returns a builder of a schema from `origin`.
    pub fn builder(origin: Origin) -> SchemaBuilder {
        SchemaBuilder::new(origin)
    }

    /// Makes a schema without fields, for events that have none.
    pub fn empty(names: Names, origin: Origin) -> Result<Self> {
        Self::builder(origin).names(names).build()
    }

    /// Makes a schema for events of which only the names are known: it has no layout.
    pub fn names_only(names: Names, origin: Origin) -> Result<Self> {
        Self::empty(names, origin).map(|schema| Self { has_layout: false, ..schema })
    }

    /// Returns whether it states what payloads hold, be it nothing. If not, it only names events, which count as
    /// undecoded: their payload is [`Event::remainder`](crate::decode::Event::remainder).
    #[inline]
    pub const fn has_layout(&self) -> bool {
        self.has_layout
    }

    /// Returns the names of provider, task, opcode and so on.
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the event's name, `Task/Opcode`, as [`Names::full`] puts it together; `None` where the source names
    /// neither.
    #[inline]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Names the opcode, and the event with it.
    fn set_opcode(&mut self, opcode: Option<Box<str>>) {
        self.names.opcode = opcode;
        self.name = self.names.full().map(Into::into);
    }

    /// Returns all fields in order; the members of a struct follow it at once (see [`Wire::Struct`]).
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns the fields that are not members of a struct, with their indexes in [`Schema::fields`].
    pub fn top_level(&self) -> impl Iterator<Item = (usize, &Field)> {
        TopLevel { fields: &self.fields, at: 0 }
    }

    /// Returns the members of the struct at `index`, in order with their indexes; empty for any other field.
    pub fn members(&self, index: usize) -> impl Iterator<Item = (usize, &Field)> {
        let len = self.fields.get(index).map_or(0, Field::span);
        TopLevel { fields: self.fields.get(..index + len).unwrap_or_default(), at: index + 1 }
    }

    /// Returns the index of the top-level field of a name: of exactly that name, else without regard to ASCII case, else
    /// by its [other name](Field::alias).
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let exact = self.top_level().find(|(_, field)| &*field.name == name);
        let folded = || self.top_level().find(|(_, field)| field.name.eq_ignore_ascii_case(name));
        let alias = || self.top_level().find(|(_, field)| field.is_alias(name));
        exact.or_else(folded).or_else(alias).map(|(index, _)| index)
    }

    /// Returns the map that a field names.
    pub fn map(&self, field: &Field) -> Option<&Map> {
        self.maps.get(usize::from(field.map?))
    }

    /// Returns all maps.
    pub fn maps(&self) -> &[Map] {
        &self.maps
    }

    /// Returns the event's message text.
    pub const fn message(&self) -> Option<&Message> {
        self.message.as_ref()
    }

    /// Returns the elements that show the fields, where a manifest's template has them in `UserData`.
    pub fn user_data(&self) -> Option<&UserData> {
        self.user_data.as_deref()
    }

    /// Returns the schema with the names, message, presentation and elements of Windows' own reports, if this schema is
    /// a built-in table and another source has them; otherwise the schema itself. Both have the same number of fields
    /// outside of structs, without those that show a part of another one.
    pub fn reported(&self) -> &Self {
        self.reported.as_deref().unwrap_or(self)
    }

    /// Returns whether [`Schema::reported`] is another schema.
    pub const fn has_report(&self) -> bool {
        self.reported.is_some()
    }

    /// Returns each field outside of structs with the one of [`Schema::reported`], and their indexes. Fields that show a
    /// part of another one are left out: Windows has the whole.
    pub fn reported_fields(&self) -> impl Iterator<Item = ((usize, &Field), (usize, &Field))> {
        self.wholes().zip(self.reported().wholes())
    }

    /// Returns the fields outside of structs that do not show a part of another one, with their indexes.
    pub(crate) fn wholes(&self) -> impl Iterator<Item = (usize, &Field)> {
        self.top_level().filter(|(_, field)| !matches!(field.wire, Wire::Bits { .. }))
    }

    /// Returns the schema with another one for reports, and so each of its alternatives, where `find` has one.
    #[must_use]
    pub(crate) fn reported_as(mut self, find: impl Fn(&Self) -> Option<Self>) -> Self {
        let mut next = Some(&mut self);
        while let Some(schema) = next {
            schema.reported = find(schema).map(|other| Arc::new(Self { alternative: None, ..other }));
            next = schema.alternative.as_deref_mut();
        }
        self
    }

    /// Returns the fields with the process and thread that the event is about.
    pub const fn subject(&self) -> Subject {
        self.subject
    }

    /// Returns where the schema came from.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the same schema with another to try when this one does not fit a payload exactly. Added after those it
    /// has.
    #[must_use]
    pub fn or(mut self, next: Self) -> Self {
        let mut last = &mut self.alternative;
        while let Some(schema) = last {
            last = &mut schema.alternative;
        }
        *last = Some(Box::new(next));
        self
    }

    /// Returns the schema to try when this one does not fit exactly.
    pub fn alternative(&self) -> Option<&Self> {
        self.alternative.as_deref()
    }

    /// Returns it, and after it the schemas to try in turn when it does not fit exactly.
    pub fn with_alternatives(&self) -> impl Iterator<Item = &Self> + Clone {
        std::iter::successors(Some(self), |schema| schema.alternative())
    }

    /// Returns about how many bytes of memory it takes, its alternatives included.
    pub fn weight(&self) -> usize {
        self.with_alternatives().map(Self::own_weight).sum()
    }

    fn own_weight(&self) -> usize {
        let fields: usize = self.fields.iter().map(Field::weight).sum();
        let maps: usize = self.maps.iter().map(Map::weight).sum();
        let parts = self.message.iter().flat_map(Message::parts);
        let message: usize = parts.map(|part| size_of::<MessagePart>() + part.text_len()).sum();
        let user_data = self.user_data.as_deref().map_or(0, UserData::weight);
        let name = self.name.as_deref().map_or(0, str::len);
        let details = size_of_val(&*self.names.details);
        let reported = self.reported.as_deref().map_or(0, Self::own_weight);
        size_of::<Self>()
            + fields
            + maps
            + message
            + user_data
            + self.names.weight()
            + details
            + name
            + self.prefix.weight()
            + reported
    }

    /// Returns whether one of its names, or of those of its alternatives, was longer than
    /// [`MAX_NAME`](crate::limits::MAX_NAME), or keywords were left out.
    pub fn has_cut_names(&self) -> bool {
        self.with_alternatives().any(|schema| schema.is_cut)
    }

    /// Returns whether any field states what its value must be.
    pub(crate) const fn is_guarded(&self) -> bool {
        self.guarded
    }

    /// Returns the places of the first fields, which are the same in every payload with pointers of this size. The
    /// others must be searched.
    #[inline]
    pub(crate) fn fixed_prefix(&self, pointer: PointerSize) -> &[Span] {
        self.prefix.spans(pointer)
    }

    /// Returns [`Schema::fixed_prefix`], and how each field is found and read.
    #[inline]
    pub(crate) const fn layout(&self, pointer: PointerSize) -> &Layout {
        self.prefix.layout(pointer)
    }

    /// Returns the converter that rewrites payloads before the schema is run over them.
    #[inline]
    pub(crate) const fn converter(&self) -> Option<&Converter> {
        self.converter.as_ref()
    }

    /// Returns the first byte of payloads that are packed with LZNT1; see [`SchemaBuilder::lznt1_from`].
    pub const fn lznt1_from(&self) -> Option<u16> {
        match self.converter {
            Some(Converter::Lznt1 { from }) => Some(from),
            _ => None,
        }
    }

    /// Returns whether its fields alone state how a payload is read, for those who read it themselves: no converter
    /// rewrites it, no field must have a value, and no event prints so much that fields are left out, given that each
    /// element of an array takes bytes.
    pub const fn is_walkable(&self) -> bool {
        !self.guarded && self.converter.is_none() && self.cost.is_small()
    }

    /// Returns the bound on its names and labels.
    #[inline]
    pub(crate) const fn cost(&self) -> PrintCost {
        self.cost
    }

    /// Returns how many fields are referred to as a length or count by others.
    pub fn slots(&self) -> usize {
        usize::from(self.slots)
    }

    /// Returns whether an event may lack a field that others refer to: it counts as 0 then.
    #[inline]
    pub(crate) const fn has_absent_slots(&self) -> bool {
        self.has_absent_slots
    }
}

struct TopLevel<'a> {
    fields: &'a [Field],
    at: usize,
}

impl<'a> Iterator for TopLevel<'a> {
    type Item = (usize, &'a Field);

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.at;
        let field = self.fields.get(index)?;
        self.at += field.span();
        Some((index, field))
    }
}
