//! What rows have of the headers of events, until it becomes columns.

use etwkit::FileTime;

use crate::array::Array;
use crate::time::microseconds;

/// What a row has of its event's header.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head {
    pub(crate) raw_time: i64,
    /// 0 without [`parts::TIME`]; the same of the others.
    pub(crate) time: i64,
    pub(crate) offset: u64,
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    /// The code of the process's name.
    pub(crate) process: u32,
    /// The code of the file's name.
    pub(crate) file: u32,
    pub(crate) cpu: u16,
    /// Which of them are there: [`parts`].
    pub(crate) parts: u16,
}

/// Parts of a [`Head`] that may not be there.
pub(crate) mod parts {
    /// Its time.
    pub(crate) const TIME: u16 = 1;
    /// The time is one of UTC that dates can have.
    pub(crate) const DATE: u16 = 2;
    pub(crate) const PID: u16 = 4;
    pub(crate) const TID: u16 = 8;
    pub(crate) const PROCESS: u16 = 16;
    pub(crate) const FILE: u16 = 32;
    /// What is always there.
    pub(crate) const ALWAYS: u16 = 64;
}

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
            Self::Time => parts::DATE,
            Self::Time100ns => parts::TIME,
            Self::Pid => parts::PID,
            Self::Tid => parts::TID,
            Self::Process => parts::PROCESS,
            Self::File => parts::FILE,
            Self::RawTime | Self::Offset | Self::Cpu => parts::ALWAYS,
        }
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

    /// Moves them into columns, given with their places.
    pub(crate) fn settle(&mut self, columns: &[(usize, HeadColumn)], arrays: &mut [Array], row: usize) {
        let first = row - self.list.len();
        for (place, column) in columns {
            let Some(array) = arrays.get_mut(*place).filter(|_| self.any & column.part() != 0) else { continue };
            array.pad(first);
            self.push_to(array, *column);
        }
        *self = Self { list: std::mem::take(&mut self.list), all: u16::MAX, any: 0 };
        self.list.clear();
    }

    fn push_to(&self, array: &mut Array, column: HeadColumn) {
        let part = column.part();
        match column {
            HeadColumn::Time => self.values(array, part, |head| date(head.time)),
            HeadColumn::Time100ns => self.values(array, part, |head| head.time.cast_unsigned()),
            HeadColumn::RawTime => self.values(array, part, |head| head.raw_time.cast_unsigned()),
            HeadColumn::Offset => self.values(array, part, |head| head.offset),
            HeadColumn::Pid => self.values(array, part, |head| head.pid.into()),
            HeadColumn::Tid => self.values(array, part, |head| head.tid.into()),
            HeadColumn::Process => self.values(array, part, |head| head.process.into()),
            HeadColumn::Cpu => self.values(array, part, |head| head.cpu.into()),
            HeadColumn::File => self.values(array, part, |head| head.file.into()),
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

/// Returns the microseconds of a time that is a date.
#[inline]
fn date(time: i64) -> u64 {
    microseconds(FileTime(time)).unwrap_or(0).cast_unsigned()
}
