//! Columns with structs: a column of the file for each value in them.

use std::io::Write;

use etwkit_columns::{Array, DataType, Member, Values};
use parquet::errors::{ParquetError, Result};
use parquet::file::writer::SerializedRowGroupWriter;

use crate::column::{Levels, write_values};

/// Returns whether the writers of columns with one value per row, or with lists of them, do not take a type.
pub(crate) fn is_nested(of: &DataType) -> bool {
    match of {
        DataType::Struct(_) => true,
        DataType::List(of) => is_nested(of),
        _ => false,
    }
}

/// Returns how many columns of the file a type has.
pub(crate) fn leaves(of: &DataType) -> usize {
    match of {
        DataType::Struct(members) => members.iter().map(|member| leaves(&member.data_type)).sum(),
        DataType::List(of) => leaves(of),
        _ => 1,
    }
}

/// Writes the next columns of a row group, which are those of a type.
pub(crate) fn write<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    arrays: &[&Array],
    of: &DataType,
) -> Result<()> {
    for way in ways(of) {
        let Some(mut column) = group.next_column()? else { return Err(general("fewer columns than values")) };
        for array in arrays {
            let mut levels = Levels { definition: Vec::new(), repetition: Some(Vec::new()) };
            (0..array.len()).for_each(|row| add(array, row, &way, Place::default(), &mut levels));
            let is_repeated = way.contains(&Step::Items);
            levels.repetition = levels.repetition.filter(|_| is_repeated);
            write_values(column.untyped(), leaf(array, &way)?, &levels)?;
        }
        column.close()?;
    }
    Ok(())
}

/// A step from an array to one of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Items,
    Member(usize),
}

/// Returns the ways to all values of a type, in the order of the file.
fn ways(of: &DataType) -> Vec<Vec<Step>> {
    let behind = |step: Step, of: &DataType| {
        let put = move |mut way: Vec<Step>| {
            way.insert(0, step);
            way
        };
        ways(of).into_iter().map(put).collect::<Vec<_>>()
    };
    let of_member = |(number, member): (usize, &Member)| behind(Step::Member(number), &member.data_type);
    match of {
        DataType::Struct(members) => members.iter().enumerate().flat_map(of_member).collect(),
        DataType::List(of) => behind(Step::Items, of),
        _ => vec![Vec::new()],
    }
}

/// Returns the values at the end of a way.
fn leaf<'a>(array: &'a Array, way: &[Step]) -> Result<&'a Array> {
    way.iter().try_fold(array, |array, step| part(array, *step).ok_or_else(|| general("an array of another type")))
}

fn part(array: &Array, step: Step) -> Option<&Array> {
    match (array.values(), step) {
        (Values::List { items, .. }, Step::Items) => Some(items),
        (Values::Struct(members), Step::Member(number)) => members.get(number),
        _ => None,
    }
}

/// Where a value is: how many of the optional and repeated groups around it are there, in how many lists it is, and the
/// innermost one that does not begin with it, or 0.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    there: i16,
    lists: i16,
    repeated: i16,
}

/// Adds the levels of a row of an array.
fn add(array: &Array, row: usize, way: &[Step], at: Place, levels: &mut Levels) {
    let mut push = |definition| {
        levels.definition.push(definition);
        levels.repetition.get_or_insert_default().push(at.repeated);
    };
    if !array.validity().is_valid(row) {
        return push(at.there);
    }
    let there = at.there + 1;
    let Some((step, way)) = way.split_first() else { return push(there) };
    let Some(inner) = part(array, *step) else { return push(at.there) };
    let Values::List { ends, .. } = array.values() else { return add(inner, row, way, Place { there, ..at }, levels) };
    let (start, end) = match ends.get(row..).and_then(<[u32]>::first_chunk) {
        Some([start, end]) => (*start as usize, *end as usize),
        None => (0, 0),
    };
    if start >= end {
        return push(there);
    }
    let lists = at.lists + 1;
    for item in start..end {
        let repeated = if item == start { at.repeated } else { lists };
        add(inner, item, way, Place { there: there + 1, lists, repeated }, levels);
    }
}

fn general(text: &str) -> ParquetError {
    ParquetError::General(text.to_owned())
}
