//! The values of a column, until its type is known.

use etwkit::FileTime;
use etwkit_columns::{Array, ArrayBuilder, DataType, microseconds};

use crate::rows::{Cell, Column, Kind};

/// Bytes that a value takes besides its text.
const VALUE: usize = size_of::<Value>();

/// The values of a column, and what they have in common.
#[derive(Debug)]
pub(super) struct Typed {
    kind: Kind,
    has_numbers: bool,
    values: Vec<Value>,
    /// The texts, one after the other.
    texts: String,
    seen: Seen,
}

/// A value. Texts are a place and a length.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Null,
    Truth(bool),
    Integer(i64),
    /// An integer beyond 64 signed bits.
    Large(u64),
    Real(f64),
    Time(i64),
    Text(u32, u32),
}

/// Which kinds of values there are.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a kind")]
struct Seen {
    truths: bool,
    integers: bool,
    negative: bool,
    large: bool,
    reals: bool,
    times: bool,
    /// Texts that are integers as these are printed.
    digits: bool,
    texts: bool,
}

/// What is made of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    Truths,
    Signed,
    Unsigned,
    Reals,
    Times,
    Texts,
}

impl Typed {
    pub(super) fn new(column: &Column) -> Self {
        let (values, texts, seen) = <_>::default();
        Self { kind: column.kind, has_numbers: column.has_numbers(), values, texts, seen }
    }

    /// Appends the value of a cell, which is what JSON has; returns how many bytes it takes.
    pub(super) fn push(&mut self, cell: &Cell) -> usize {
        let before = self.texts.len();
        let value = self.value(cell);
        self.seen.see(value);
        self.values.push(value);
        VALUE + self.texts.len() - before
    }

    fn value(&mut self, cell: &Cell) -> Value {
        match cell {
            Cell::Absent | Cell::Blank | Cell::Mark(_) => Value::Null,
            Cell::Truth(is) => Value::Truth(*is),
            Cell::Flag => Value::Truth(true),
            // In a zone that the user chose, it is text.
            Cell::Time(_, text) if self.kind == Kind::Text => self.text(text),
            Cell::Time(time, _) => Value::Time(time.0),
            Cell::Integer(number) => self.integer(*number),
            Cell::Text(text) => self.text(text),
            Cell::Shared(text) => self.text(text),
            Cell::List(_, json) => self.text(&json.to_string()),
            Cell::Decimal(..) | Cell::Milliseconds(_) | Cell::Real(_) | Cell::Measure(_) | Cell::Share(..) => {
                let number = cell.json().and_then(|number| number.as_f64());
                number.map_or(Value::Null, Value::Real)
            }
        }
    }

    fn integer(&mut self, number: i128) -> Value {
        match (i64::try_from(number), u64::try_from(number)) {
            (Ok(number), _) => Value::Integer(number),
            (_, Ok(number)) => Value::Large(number),
            _ => self.text(&number.to_string()),
        }
    }

    fn text(&mut self, text: &str) -> Value {
        let (start, len) = (u32::try_from(self.texts.len()), u32::try_from(text.len()));
        let (Ok(start), Ok(len)) = (start, len) else { return Value::Null };
        self.texts.push_str(text);
        let number = text.parse::<i128>().ok().filter(|number| number.to_string() == text);
        let is_large = number.is_some_and(|number| i64::try_from(number).is_err());
        let is_digits = number.is_some_and(|number| !is_large || u64::try_from(number).is_ok());
        self.seen.large |= is_digits && is_large;
        self.seen.negative |= is_digits && number.is_some_and(|number| number < 0);
        *(if is_digits { &mut self.seen.digits } else { &mut self.seen.texts }) = true;
        Value::Text(start, len)
    }

    /// Returns whether it has no value.
    pub(super) const fn is_empty(&self) -> bool {
        let Seen { truths, integers, reals, times, digits, texts, .. } = self.seen;
        !(truths || integers || reals || times || digits || texts)
    }

    /// Returns the types of the columns that it becomes, with what their names end with.
    pub(super) fn columns(&self) -> Vec<(&'static str, DataType)> {
        match self.made() {
            Made::Truths => vec![("", DataType::Bool)],
            Made::Signed => vec![("", DataType::Signed(64))],
            Made::Unsigned => vec![("", DataType::Unsigned(64))],
            Made::Reals => vec![("", DataType::F64)],
            Made::Times => vec![("", DataType::Time), ("_100ns", DataType::Signed(64))],
            Made::Texts => vec![("", DataType::Text)],
        }
    }

    /// Returns the arrays of some rows, one per column.
    pub(super) fn arrays(&self, rows: std::ops::Range<usize>) -> Vec<Array> {
        let values = self.values.get(rows).unwrap_or_default();
        let made = self.made();
        let mut first = (0..).zip(self.columns()).map(|(place, (_, of))| (place, ArrayBuilder::new(&of)));
        let fill = |(place, mut array): (usize, ArrayBuilder)| {
            for value in values {
                self.fill(&mut array, *value, made, place);
            }
            array.finish()
        };
        first.by_ref().map(fill).collect()
    }

    fn fill(&self, array: &mut ArrayBuilder, value: Value, made: Made, place: usize) {
        match (made, value) {
            (_, Value::Null) => array.push_null(),
            (Made::Truths, Value::Truth(is)) => array.push_bool(is),
            (Made::Times, Value::Time(ticks)) if place > 0 => array.push_integer(ticks.into()),
            (Made::Times, Value::Time(ticks)) => match microseconds(FileTime(ticks)) {
                Some(time) => array.push_integer(time.into()),
                None => array.push_null(),
            },
            (Made::Signed | Made::Unsigned, Value::Integer(number)) => array.push_integer(number.into()),
            (Made::Signed | Made::Unsigned, Value::Large(number)) => array.push_integer(number.into()),
            (Made::Signed | Made::Unsigned, Value::Text(start, len)) => match self.text_at(start, len).parse() {
                Ok(number) => array.push_integer(number),
                Err(_) => array.push_null(),
            },
            (Made::Reals, Value::Real(number)) => array.push_float(number),
            (Made::Reals, Value::Integer(number)) => array.push_float(number as f64),
            (Made::Reals, Value::Large(number)) => array.push_float(number as f64),
            (_, Value::Text(start, len)) => array.push_text(self.text_at(start, len)),
            (_, Value::Truth(is)) => array.push_text(&is.to_string()),
            (_, Value::Integer(number)) => array.push_text(&number.to_string()),
            (_, Value::Large(number)) => array.push_text(&number.to_string()),
            (_, Value::Real(number)) => array.push_text(&number.to_string()),
            (_, Value::Time(ticks)) => array.push_text(&FileTime(ticks).to_string()),
        }
    }

    fn text_at(&self, start: u32, len: u32) -> &str {
        let start = start as usize;
        self.texts.get(start..start + len as usize).unwrap_or_default()
    }

    /// What holds all values.
    fn made(&self) -> Made {
        let Seen { truths, integers, negative, large, reals, times, digits, texts } = self.seen;
        let are_numbers = (self.has_numbers || integers) && !reals;
        if texts || digits && !are_numbers || large && negative && !reals {
            return Made::Texts;
        }
        match (truths, integers || digits, reals, times) {
            (false, false, false, false) => self.promised(),
            (true, false, false, false) => Made::Truths,
            (false, true, false, false) if large => Made::Unsigned,
            (false, true, false, false) => Made::Signed,
            (false, _, true, false) => Made::Reals,
            (false, false, false, true) => Made::Times,
            _ => Made::Texts,
        }
    }

    /// What the kind of the column promises, where there is no value.
    const fn promised(&self) -> Made {
        match self.kind {
            Kind::Text if !self.has_numbers => Made::Texts,
            Kind::Text | Kind::Count | Kind::Id => Made::Signed,
            Kind::Time => Made::Times,
            Kind::Number => Made::Reals,
        }
    }
}

impl Seen {
    const fn see(&mut self, value: Value) {
        match value {
            // Texts are looked at when they are kept.
            Value::Null | Value::Text(..) => {}
            Value::Truth(_) => self.truths = true,
            Value::Integer(number) => {
                self.integers = true;
                self.negative |= number < 0;
            }
            Value::Large(_) => {
                self.integers = true;
                self.large = true;
            }
            Value::Real(_) => self.reals = true,
            Value::Time(_) => self.times = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use etwkit_columns::Values;

    use super::*;

    fn typed(column: &Column, cells: &[Cell]) -> (DataType, Values) {
        let mut typed = Typed::new(column);
        for cell in cells {
            let _bytes = typed.push(cell);
        }
        (typed.columns().remove(0).1, typed.arrays(0..cells.len()).remove(0).into_parts().1)
    }

    fn text(cell: &str) -> Cell {
        Cell::Text(cell.to_owned())
    }

    #[test]
    fn a_column_has_the_type_that_holds_its_values() {
        let (number, words) = (Column::number("n"), Column::text("t"));
        let integers = [Cell::Integer(-1), Cell::Absent, text("4294967296")];
        assert_eq!(typed(&number, &integers), (DataType::Signed(64), Values::I64(vec![-1, 0, 4_294_967_296])));
        let large = [Cell::Integer(u64::MAX.into()), Cell::Integer(1)];
        assert_eq!(typed(&number, &large), (DataType::Unsigned(64), Values::U64(vec![u64::MAX, 1])));
        let mixed = [Cell::Decimal(15, 1), Cell::Integer(2), Cell::Milliseconds(289_706), Cell::Share(1, 4)];
        assert_eq!(typed(&number, &mixed), (DataType::F64, Values::F64(vec![1.5, 2.0, 28.9706, 25.0])));
        let truths = [Cell::Flag, Cell::Truth(false)];
        assert_eq!(typed(&words, &truths), (DataType::Bool, Values::Bool(vec![true, false])));
        let status = [Cell::Integer(404), text("404.13")];
        let texts = Values::Text { ends: vec![0, 3, 9], bytes: b"404404.13".to_vec() };
        assert_eq!(typed(&number, &status), (DataType::Text, texts));
        // Digits alone are text, unless the column is one of numbers that are printed as text.
        assert_eq!(typed(&words, &[text("7")]).0, DataType::Text);
        assert_eq!(
            typed(&Column::text("pid").of_numbers(), &[text("7")]),
            (DataType::Signed(64), Values::I64(vec![7]))
        );
        assert_eq!(typed(&Column::text("pid").of_numbers(), &[text("07")]).0, DataType::Text);
        let keys = |keys: &[&str]| {
            typed(&Column::text("k").of_numbers(), &keys.iter().map(|key| text(key)).collect::<Vec<_>>())
        };
        assert_eq!(keys(&["5", "18446744073709551615"]), (DataType::Unsigned(64), Values::U64(vec![5, u64::MAX])));
        assert_eq!(keys(&["-5", "18446744073709551615"]).0, DataType::Text);
        assert_eq!(keys(&["18446744073709551616"]).0, DataType::Text);
        let both = [Cell::Integer(u64::MAX.into()), Cell::Integer(-1)];
        assert_eq!(typed(&number, &both).0, DataType::Text);
    }

    #[test]
    fn times_are_exact_in_a_column_beside() {
        let mut typed = Typed::new(&Column::time("start"));
        let ticks = FileTime::UNIX_EPOCH.0 + 19;
        typed.push(&Cell::Time(FileTime(ticks), "1970".to_owned()));
        typed.push(&Cell::Time(FileTime(-1), "?".to_owned()));
        let arrays = typed.arrays(0..2);
        assert_eq!(typed.columns().len(), arrays.len());
        assert_eq!((arrays[0].values(), arrays[0].validity().nulls()), (&Values::I64(vec![1, 0]), 1));
        assert_eq!((arrays[1].values(), arrays[1].validity().nulls()), (&Values::I64(vec![ticks, -1]), 0));
    }

    #[test]
    fn times_are_text_in_a_column_of_texts() {
        let time = Cell::Time(FileTime(FileTime::UNIX_EPOCH.0), "+1.5s".to_owned());
        assert_eq!(typed(&Column::text("time"), &[time]).0, DataType::Text);
    }

    #[test]
    fn a_column_without_values_has_the_type_of_its_kind() {
        for (column, of) in [
            (Column::text("t"), DataType::Text),
            (Column::count("c"), DataType::Signed(64)),
            (Column::number("n"), DataType::F64),
            (Column::id("i"), DataType::Signed(64)),
            (Column::time("at"), DataType::Time),
        ] {
            assert_eq!(typed(&column, &[Cell::Absent]).0, of);
        }
    }
}
