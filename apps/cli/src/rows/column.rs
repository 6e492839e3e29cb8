//! Columns.

use std::borrow::Cow;

use super::options::RowFormat;

/// Name of the column that names files.
const FILE: &str = "file";

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// What it is called everywhere: as title, in JSON, in `--fields`, `--sort` and `--where`.
    pub(crate) name: Cow<'static, str>,
    /// What its cells are; numbers end at one line.
    pub(crate) kind: Kind,
    /// The object of a JSON line that it is a member of.
    pub(crate) within: Option<&'static str>,
    /// The formats that have it unless `--fields` names it.
    usual: Usual,
    /// Whether each event has it, too.
    of_events: bool,
    /// Whether texts of digits are numbers in files.
    has_numbers: bool,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text: to the left.
    Text,
    /// Times: to the left.
    Time,
    /// Numbers: to the right.
    Number,
    /// Integers that count nothing, such as a process id: to the right.
    Id,
    /// Numbers of things: to the right, for people with a comma before each three digits.
    Count,
}

/// The formats that have a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Usual {
    All,
    Text,
    /// All but that for people.
    Programs,
    Json,
    None,
}

impl Column {
    /// A column of text.
    pub(crate) fn text(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Kind::Text)
    }

    /// A column of times.
    pub(crate) fn time(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Kind::Time)
    }

    /// A column of integers that count nothing.
    pub(crate) fn id(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Kind::Id)
    }

    /// A column of numbers.
    pub(crate) fn number(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Kind::Number)
    }

    /// A column of numbers of things.
    pub(crate) fn count(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, Kind::Count)
    }

    /// The file that a row is from: by default only if several are read. See [`Files`](super::Files).
    pub(super) fn file(is_usual: bool) -> Self {
        let column = Self::text(FILE).of_events();
        if is_usual { column } else { Self { usual: Usual::None, ..column } }
    }

    /// Each event has it, too: events are chosen by it, before there are rows.
    pub(crate) const fn of_events(mut self) -> Self {
        self.of_events = true;
        self
    }

    /// Its texts are numbers if all of them are decimal digits: files have them as such.
    pub(crate) const fn of_numbers(mut self) -> Self {
        self.has_numbers = true;
        self
    }

    /// Whether texts of digits are numbers in files.
    pub(super) const fn has_numbers(&self) -> bool {
        self.has_numbers
    }

    /// Whether it is a mark that only JSON has.
    pub(super) const fn is_for_json(&self) -> bool {
        matches!(self.usual, Usual::Json)
    }

    /// Whether conditions on it choose events.
    pub(crate) const fn is_of_events(&self) -> bool {
        self.of_events
    }

    fn new(name: impl Into<Cow<'static, str>>, kind: Kind) -> Self {
        Self { name: name.into(), kind, within: None, usual: Usual::All, of_events: false, has_numbers: false }
    }

    /// A member of an object of the JSON line.
    pub(crate) const fn within(mut self, object: &'static str) -> Self {
        self.within = Some(object);
        self
    }

    /// Only people have it, unless it is asked for.
    pub(crate) const fn for_people(mut self) -> Self {
        self.usual = Usual::Text;
        self
    }

    /// Only programs have it, unless it is asked for.
    pub(crate) const fn for_programs(mut self) -> Self {
        self.usual = Usual::Programs;
        self
    }

    /// Only JSON has it.
    pub(crate) const fn for_json(mut self) -> Self {
        self.usual = Usual::Json;
        self
    }

    /// Whether only programs have it, unless it is asked for.
    pub(super) const fn is_for_programs(&self) -> bool {
        matches!(self.usual, Usual::Programs)
    }

    /// Whether a format has it unless columns are chosen.
    pub(super) const fn is_usual(&self, format: RowFormat) -> bool {
        match self.usual {
            Usual::All => true,
            Usual::Text => matches!(format, RowFormat::Text),
            Usual::Programs => !matches!(format, RowFormat::Text),
            Usual::Json => matches!(format, RowFormat::Jsonl | RowFormat::File(_)),
            Usual::None => false,
        }
    }

    /// Whether it can be named: what is in JSON alone is a mark.
    pub(crate) const fn is_named(&self) -> bool {
        !matches!(self.usual, Usual::Json)
    }
}
