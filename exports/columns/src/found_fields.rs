//! The fields of all layouts of an event, each name once.

use std::collections::{HashMap, HashSet};

use etwkit::schema::Schema;

use crate::field_shape::FieldShape;

/// A field that some layouts have.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) shape: FieldShape,
}

/// The fields of some layouts.
///
/// Fields of one spelling are one. Fields whose names differ in case alone are one, too, unless some layout has both.
pub(crate) struct FoundFields {
    /// In the order in which they come first.
    pub(crate) list: Vec<Found>,
    /// For each layout, the places of its fields, and the number of each: no two have the same.
    pub(crate) layouts: Vec<Vec<(usize, usize)>>,
}

impl FoundFields {
    pub(crate) fn of<'s, I: Iterator<Item = &'s Schema>>(schemas: I) -> Self {
        let mut spellings = Spellings::default();
        let layouts: Vec<Vec<(usize, usize)>> =
            schemas.enumerate().map(|(layout, schema)| spellings.add(layout, schema)).collect();
        let numbers = spellings.join();
        let mut list: Vec<Found> = Vec::new();
        for (Spelling { name, shape, .. }, number) in spellings.list.into_iter().zip(&numbers) {
            match list.get_mut(*number) {
                Some(found) => found.shape = found.shape.unified(&shape),
                None => list.push(Found { name, shape }),
            }
        }
        let of_layout = |fields: Vec<(usize, usize)>| {
            fields.into_iter().filter_map(|(place, spelling)| Some((place, *numbers.get(spelling)?))).collect()
        };
        Self { list, layouts: layouts.into_iter().map(of_layout).collect() }
    }
}

/// Names as they are written.
#[derive(Default)]
struct Spellings {
    list: Vec<Spelling>,
    /// The number of a spelling by its name, and how many fields of a layout before it have that.
    known: HashMap<(String, usize), usize>,
}

struct Spelling {
    name: String,
    /// How many fields of a layout before it have this name.
    count: usize,
    shape: FieldShape,
    /// The layouts that have it.
    layouts: Vec<usize>,
}

impl Spellings {
    /// Adds the fields of a layout. Returns their places, and the number of the spelling of each.
    fn add(&mut self, layout: usize, schema: &Schema) -> Vec<(usize, usize)> {
        let mut before: HashMap<&str, usize> = HashMap::new();
        let mut places = Vec::new();
        for (place, field) in schema.top_level() {
            let Some(shape) = FieldShape::of(place, field, schema) else { continue };
            let count = before.entry(&field.name).or_default();
            places.push((place, self.note(layout, (&field.name, *count), shape)));
            *count += 1;
        }
        places
    }

    fn note(&mut self, layout: usize, (name, count): (&str, usize), shape: FieldShape) -> usize {
        let next = self.list.len();
        let number = *self.known.entry((name.to_owned(), count)).or_insert(next);
        match self.list.get_mut(number) {
            Some(known) => {
                known.shape = known.shape.unified(&shape);
                known.layouts.push(layout);
            }
            None => self.list.push(Spelling { name: name.to_owned(), count, shape, layouts: vec![layout] }),
        }
        number
    }

    /// Returns the number of the field of each spelling.
    fn join(&self) -> Vec<usize> {
        let mut fields = 0;
        // By the name in small letters, and the count.
        let mut alike: HashMap<(String, usize), Vec<Numbered>> = HashMap::new();
        let mut number = |Spelling { name, count, layouts, .. }: &Spelling| {
            let group = alike.entry((name.to_ascii_lowercase(), *count)).or_default();
            let is_free = |(_, taken): &&mut Numbered| layouts.iter().all(|one| !taken.contains(one));
            if let Some((number, taken)) = group.iter_mut().take(MOST_TRIED).find(is_free) {
                taken.extend(layouts);
                return *number;
            }
            group.push((fields, layouts.iter().copied().collect()));
            fields += 1;
            fields - 1
        };
        self.list.iter().map(&mut number).collect()
    }
}

/// The number of a field, and the layouts that have it.
type Numbered = (usize, HashSet<usize>);

/// Fields whose names differ in case alone that a further spelling may be joined to: crafted layouts have thousands.
const MOST_TRIED: usize = 16;
