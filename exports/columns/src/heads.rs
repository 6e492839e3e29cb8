//! What rows have of the headers of events, until it becomes columns.

use crate::array::Array;
use crate::files::{File, Files};
use crate::head::{Head, one_file, parts};
use crate::times::Times;
use etwkit::FileId;

/// A column that heads have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadColumn {
    Time,
    Time100ns,
    RawTime,
    Offset,
    Pid,
    Tid,
    Process,
    Cpu,
    File,
}

impl HeadColumn {
    /// Returns the part that a head must have.
    pub(crate) const fn part(self) -> u16 {
        match self {
            Self::Time => parts::UTC,
            Self::Pid => parts::PID,
            Self::Tid => parts::TID,
            Self::Process => parts::PROCESS,
            Self::Time100ns | Self::RawTime | Self::Offset | Self::Cpu | Self::File => parts::ALWAYS,
        }
    }

    const fn is_time(self) -> bool {
        matches!(self, Self::Time | Self::Time100ns)
    }
}

/// The heads of neighbouring rows.
#[derive(Debug)]
pub(crate) struct Heads {
    list: Vec<Head>,
    /// The parts that all of them have, and those that any has.
    all: u16,
    any: u16,
}

impl Heads {
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self { list: Vec::with_capacity(rows), all: u16::MAX, any: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, head: Head) {
        self.all &= head.parts;
        self.any |= head.parts;
        self.list.push(head);
    }

    /// Returns whether there is none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Moves them into columns, given with their places. After the last ones of a batch no other follows: a value that
    /// all of its rows have is kept once.
    pub(crate) fn settle(
        &mut self,
        columns: &[(usize, HeadColumn)],
        files: &Files,
        (arrays, row): (&mut [Array], usize),
        is_last: bool,
    ) {
        let first = row - self.list.len();
        let has_times = columns.iter().any(|(_, column)| column.is_time());
        let times = if has_times { Times::new(&self.list, files) } else { Times::default() };
        for (place, column) in columns {
            let Some(array) = arrays.get_mut(*place).filter(|_| self.any & column.part() != 0) else { continue };
            array.pad(first);
            self.push_to(array, *column, (&times, files), is_last && first == 0);
        }
        *self = Self { list: std::mem::take(&mut self.list), all: u16::MAX, any: 0 };
        self.list.clear();
    }

    /// Appends a column to an array. If these are all of its rows, a value that all have is kept once.
    fn push_to(&self, array: &mut Array, column: HeadColumn, (times, files): (&Times, &Files), are_all: bool) {
        let part = column.part();
        match column {
            HeadColumn::Time => times.push_dates(&self.list, array),
            HeadColumn::Time100ns => times.push(array),
            HeadColumn::RawTime => self.values(array, part, |head| head.raw_time.cast_unsigned()),
            HeadColumn::Offset => self.values(array, part, |head| head.offset),
            HeadColumn::Pid => self.few(array, part, |head| head.pid, are_all),
            HeadColumn::Tid => self.few(array, part, |head| head.tid, are_all),
            HeadColumn::Process => self.few(array, part, |head| head.process, are_all),
            HeadColumn::Cpu => self.few(array, part, |head| head.cpu.into(), are_all),
            HeadColumn::File => self.files(array, files, are_all),
        }
    }

    /// Appends the codes of the files' names.
    fn files(&self, array: &mut Array, files: &Files, are_all: bool) {
        let code = |file: FileId| files.get(file).and_then(|file: &File| file.code);
        match one_file(&self.list).map(code) {
            Some(code) if are_all => array.repeat(code.map(u64::from), self.list.len()),
            Some(Some(code)) => array.extend_bits(std::iter::repeat_n(code.into(), self.list.len())),
            Some(None) => array.pad_by(self.list.len()),
            None => array.extend_some(
                self.list.iter().map(|head| code(head.file).unwrap_or(0).into()),
                self.list.iter().map(|head| code(head.file).is_some()),
            ),
        }
    }

    /// Appends values that are often equal.
    #[inline]
    fn few(&self, array: &mut Array, part: u16, value: impl Fn(&Head) -> u32, are_all: bool) {
        let first = self.list.first().filter(|_| are_all && self.all & part != 0).map(&value);
        match first.filter(|first| self.list.iter().all(|head| value(head) == *first)) {
            Some(first) => array.repeat(Some(first.into()), self.list.len()),
            None => self.values(array, part, |head| value(head).into()),
        }
    }

    #[inline]
    fn values(&self, array: &mut Array, part: u16, value: impl Fn(&Head) -> u64) {
        let values = self.list.iter().map(value);
        if self.all & part != 0 {
            array.extend_bits(values);
        } else {
            array.extend_some(values, self.list.iter().map(|head| head.parts & part != 0));
        }
    }
}
