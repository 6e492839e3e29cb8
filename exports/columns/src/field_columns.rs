//! The columns of fields, over all layouts of an event.

use etwkit::EventType;
use etwkit::event::EventTypeId;

use crate::data_type::DataType;
use crate::field_shape::FieldShape;
use crate::found_fields::FoundFields;
use crate::layout::{FieldPlace, Layouts};
use crate::names::Names;
use crate::payload_op::PayloadOp;
use crate::walk::{WalkStep, walk};

/// The columns of the fields of some types of events.
#[derive(Debug, Default)]
pub(crate) struct FieldColumns {
    /// Their names and types.
    pub(crate) columns: Vec<(String, DataType)>,
    /// The field of each column, by layout.
    pub(crate) layouts: Layouts,
    /// How the fields of each type go to columns where its first layout fits.
    pub(crate) types: Vec<TypeOps>,
}

/// How the fields of a type go to columns.
#[derive(Clone, Debug)]
pub(crate) struct TypeOps {
    pub(crate) key: EventTypeId,
    /// Those of the payload, by their numbers.
    pub(crate) ops: Box<[PayloadOp]>,
    /// How they follow one another, if that is simple.
    pub(crate) walk: Option<Box<[WalkStep]>>,
}

impl FieldColumns {
    /// Adds up the layouts of types. Columns have other names than those that are `taken`.
    pub(crate) fn new(types: &[&EventType], taken: impl Iterator<Item = &'static str>) -> Self {
        let layouts = || types.iter().flat_map(|row| row.layouts());
        let FoundFields { list: found, layouts: numbers } = FoundFields::of(layouts().map(|(_, schema)| schema));
        let mut names = Names::taken(taken);
        let mut columns = Vec::new();
        // The names of fields are given first: a column beside one of them takes what is left.
        let own: Vec<String> = found.iter().map(|found| names.free(&found.name)).collect();
        let shown =
            own.into_iter().zip(&found).map(|(name, found)| Shown::new(name, &found.shape, &mut names, &mut columns));
        let shown: Vec<Shown> = shown.collect();
        let by_column = |fields: Vec<(usize, usize)>| {
            let mut all = vec![None; columns.len()];
            fields.into_iter().filter_map(|(place, at)| Some((place, shown.get(at)?))).for_each(|(place, shown)| {
                shown.point_at(place, &mut all);
            });
            all.into_boxed_slice()
        };
        let layouts: Layouts = layouts().zip(numbers).map(|((id, _), fields)| (id, by_column(fields))).collect();
        let types = types.iter().map(|row| type_ops(row, &columns, &layouts)).collect();
        Self { columns, layouts, types }
    }
}

fn type_ops(row: &EventType, columns: &[(String, DataType)], layouts: &Layouts) -> TypeOps {
    let walk = row.schema().and_then(walk);
    TypeOps { key: row.id(), ops: ops_of(row, columns, layouts), walk }
}

fn ops_of(row: &EventType, columns: &[(String, DataType)], layouts: &Layouts) -> Box<[PayloadOp]> {
    let Some((id, schema)) = row.layouts().next() else { return Box::default() };
    let fields = layouts.get(&id).into_iter().flatten().zip(columns).enumerate();
    let op = |(number, (field, (_, of))): (usize, (&Option<FieldPlace>, &(String, DataType)))| {
        let FieldPlace { place, is_number } = (*field)?;
        Some(PayloadOp::new(schema, place, is_number, (number, of)))
    };
    fields.filter_map(op).collect()
}

/// The columns of one name.
struct Shown {
    /// Of its text or value.
    value: usize,
    /// Of its integer, if the other one is the name that a map gives it.
    number: Option<usize>,
}

impl Shown {
    fn new(name: String, shape: &FieldShape, names: &mut Names, columns: &mut Vec<(String, DataType)>) -> Self {
        let value = columns.len();
        let beside = shape.number().map(|number| (names.free(&format!("{name}_value")), number.clone()));
        columns.push((name, shape.data_type.clone()));
        let number = beside.as_ref().map(|_| value + 1);
        columns.extend(beside);
        Self { value, number }
    }

    /// Lets its columns show the field at a place of a layout.
    fn point_at(&self, place: usize, columns: &mut [Option<FieldPlace>]) {
        if let Some(slot) = columns.get_mut(self.value) {
            *slot = Some(FieldPlace { place, is_number: false });
        }
        if let Some(slot) = self.number.and_then(|number| columns.get_mut(number)) {
            *slot = Some(FieldPlace { place, is_number: true });
        }
    }
}
