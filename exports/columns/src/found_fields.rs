//! The fields of all layouts of an event, each name once.

use std::collections::{HashMap, HashSet};

use etwkit::schema::Schema;

use crate::field_shape::FieldShape;

/// A field that some layouts have.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) shape: FieldShape,
}

/// The fields while layouts are still added.
#[derive(Default)]
pub(crate) struct FoundFields {
    list: Vec<Found>,
    /// The number of a field by its name as it is written, and how many fields of a layout before it have that.
    by_spelling: HashMap<(String, usize), usize>,
    /// The numbers of fields by their names in small letters.
    by_letters: HashMap<String, Vec<usize>>,
}

impl FoundFields {
    /// Adds the fields of a schema. Returns their places, and the number of each.
    ///
    /// A field is that of other layouts whose name is spelled as its own; else one whose name differs in case alone, unless
    /// another field of the schema is that one.
    pub(crate) fn add(&mut self, schema: &Schema) -> Vec<(usize, usize)> {
        let mut before: HashMap<&str, usize> = HashMap::new();
        let fields: Vec<_> = schema
            .top_level()
            .filter_map(|(place, field)| {
                let shape = FieldShape::of(place, field, schema)?;
                let count = before.entry(&field.name).or_default();
                let key = (field.name.to_string(), *count);
                *count += 1;
                Some((place, key, shape))
            })
            .collect();
        let mut used: HashSet<usize> =
            fields.iter().filter_map(|(_, key, _)| self.by_spelling.get(key).copied()).collect();
        let mut looked_at: HashMap<String, usize> = HashMap::new();
        let mut numbers = Vec::with_capacity(fields.len());
        for (place, key, shape) in fields {
            let known = self.by_spelling.get(&key).copied();
            let known = known.or_else(|| self.free(&key.0, &used, &mut looked_at));
            let number = known.unwrap_or(self.list.len());
            match self.list.get_mut(number) {
                Some(found) => found.shape = found.shape.unified(&shape),
                None => self.push(&key.0, shape),
            }
            used.insert(number);
            self.by_spelling.entry(key).or_insert(number);
            numbers.push((place, number));
        }
        numbers
    }

    /// The first field whose name differs in case at most, and that no field of the schema is. `looked_at` has how many of
    /// a name were looked at before, so that many fields of one name take time in proportion.
    fn free(&self, name: &str, used: &HashSet<usize>, looked_at: &mut HashMap<String, usize>) -> Option<usize> {
        let letters = name.to_ascii_lowercase();
        let all = self.by_letters.get(&letters)?;
        let next = looked_at.entry(letters).or_default();
        let left = all.get(*next..)?;
        let at = left.iter().position(|number| !used.contains(number));
        *next += at.map_or(left.len(), |at| at + 1);
        at.and_then(|at| left.get(at).copied())
    }

    fn push(&mut self, name: &str, shape: FieldShape) {
        self.by_letters.entry(name.to_ascii_lowercase()).or_default().push(self.list.len());
        self.list.push(Found { name: name.to_owned(), shape });
    }

    /// Returns the fields in the order in which they came.
    pub(crate) fn into_list(self) -> Vec<Found> {
        self.list
    }
}
