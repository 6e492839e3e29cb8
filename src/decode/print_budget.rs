//! What an event may print: a schema can give one long name to each of the many elements of an array.
//!
//! Nearly all events are known to be far below the limit by their schema and length alone ([`PrintCost`]). The others
//! are measured, in bytes of names and labels whatever the format. Labels go first: numbers replace them. If the
//! names of fields alone are too much, the fields from there on are left out, and their bytes are the remainder.

use hashbrown::HashMap;

use crate::schema::{Field, PrintCost, Schema};

use super::{Value, Visitor};

/// Measures an event's fields.
pub(super) struct PrintBudget<'s> {
    schema: &'s Schema,
    /// What all fields together may cost.
    room: usize,
    /// Of the field that is being measured.
    names: usize,
    labels: usize,
    values: u64,
    /// Cost of the labels of all fields so far.
    all_labels: usize,
    /// Names, labels and values of the fields before it.
    fields: Vec<(usize, Spent)>,
}

#[derive(Clone, Copy)]
struct Spent {
    names: usize,
    labels: usize,
    values: u64,
}

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// Fields from this place on are shown without labels.
    pub(super) labelled: usize,
    /// The first field that is left out.
    pub(super) cut: Option<usize>,
    /// Values in it and those after it.
    pub(super) left_out: u64,
}

impl<'s> PrintBudget<'s> {
    pub(super) const fn new(schema: &'s Schema, room: usize) -> Self {
        Self { schema, room, names: 0, labels: 0, values: 0, all_labels: 0, fields: Vec::new() }
    }

    /// The field at a place has been visited.
    pub(super) fn end(&mut self, place: usize) {
        let Self { names, labels, values, .. } = *self;
        self.fields.push((place, Spent { names, labels, values }));
        (self.names, self.labels, self.values) = (0, 0, 0);
    }

    /// Returns how much is shown of the fields that were visited.
    pub(super) fn shown(&self) -> Shown {
        let names: usize = self.fields.iter().map(|(_, spent)| spent.names).sum();
        if let Some(room) = self.room.checked_sub(names) {
            let labelled = self.first_beyond(room, |spent| spent.labels).map_or(usize::MAX, |(place, _)| place);
            return Shown { labelled, cut: None, left_out: 0 };
        }
        let cut = self.first_beyond(self.room, |spent| spent.names);
        let left = cut.and_then(|(_, number)| self.fields.get(number..)).unwrap_or_default();
        let left_out = left.iter().map(|(_, spent)| spent.values).sum();
        Shown { labelled: 0, cut: cut.map(|(place, _)| place), left_out }
    }

    /// Place and number of the first field that goes beyond the room.
    fn first_beyond(&self, room: usize, cost: impl Fn(&Spent) -> usize) -> Option<(usize, usize)> {
        let mut sum = 0;
        let beyond = |(_, (_, spent)): &(usize, &(usize, Spent))| {
            sum += cost(spent);
            sum > room
        };
        self.fields.iter().enumerate().find(beyond).map(|(number, (place, _))| (*place, number))
    }
}

impl Visitor for PrintBudget<'_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        self.names += PrintCost::of_name(field);
        self.values += 1;
        // Once there is no room for labels it does not matter how long they are: nothing is looked up in vain.
        if self.all_labels <= self.room
            && let Some(map) = self.schema.map(field)
        {
            let label = value.bits().map_or(0, |bits| map.label_len(bits));
            self.labels += label;
            self.all_labels += label;
        }
    }

    fn begin_array(&mut self, _: usize, field: &Field) {
        self.names += PrintCost::of_name(field);
    }

    fn begin_struct(&mut self, _: usize, field: &Field) {
        self.names += PrintCost::of_name(field);
    }
}

/// Hands on fields without their maps, so that nobody finds a label.
pub(super) struct Unnamed<'v, V> {
    pub(super) visitor: &'v mut V,
    /// By place.
    pub(super) fields: HashMap<usize, Field>,
}

impl<V: Visitor> Visitor for Unnamed<'_, V> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        let field = match field.map {
            Some(_) => self.fields.entry(place).or_insert_with(|| Field { map: None, ..field.clone() }),
            None => field,
        };
        self.visitor.value(place, field, value);
    }

    fn begin_array(&mut self, place: usize, field: &Field) {
        self.visitor.begin_array(place, field);
    }

    fn end_array(&mut self, place: usize, field: &Field) {
        self.visitor.end_array(place, field);
    }

    fn begin_struct(&mut self, place: usize, field: &Field) {
        self.visitor.begin_struct(place, field);
    }

    fn end_struct(&mut self, place: usize, field: &Field) {
        self.visitor.end_struct(place, field);
    }
}
