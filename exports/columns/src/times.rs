//! The times of many rows.

use etwkit::FileId;
use etwkit::clock::Clock;
use etwkit::{FileTime, RawTime};

use crate::array::Array;
use crate::files::Files;
use crate::head::{Head, one_file, parts};
use crate::time::{is_date, microseconds};

/// Times in ticks, 0 where there is none.
#[derive(Debug, Default)]
pub(crate) struct Times {
    list: Vec<i64>,
    /// Which of them are there; empty if all are.
    are_there: Vec<bool>,
}

impl Times {
    /// Converts the raw times of heads by the clocks of their files.
    pub(crate) fn new(heads: &[Head], files: &Files) -> Self {
        let clock = |file: FileId| files.get(file).and_then(|file| file.clock);
        match one_file(heads) {
            Some(file) => Self::by(heads, clock(file).map(|clock| move |head: &Head| time(&clock, head))),
            None => Self::by(heads, Some(|head: &Head| time(&clock(head.file)?, head))),
        }
    }

    #[inline]
    fn by(heads: &[Head], time: Option<impl Fn(&Head) -> Option<i64>>) -> Self {
        let Some(time) = time else {
            return Self { list: vec![0; heads.len()], are_there: vec![false; heads.len()] };
        };
        let mut are_all = true;
        let list = heads.iter().map(|head| {
            let time = time(head);
            are_all &= time.is_some();
            time.unwrap_or(0)
        });
        let list = list.collect();
        let are_there = if are_all { Vec::new() } else { heads.iter().map(|head| time(head).is_some()).collect() };
        Self { list, are_there }
    }

    /// Appends them to an array.
    pub(crate) fn push(&self, array: &mut Array) {
        let bits = self.list.iter().map(|time| time.cast_unsigned());
        if self.are_there.is_empty() {
            array.extend_bits(bits);
        } else {
            array.extend_some(bits, self.are_there.iter().copied());
        }
    }

    /// Appends those that are dates of UTC to an array of times.
    pub(crate) fn push_dates(&self, heads: &[Head], array: &mut Array) {
        let rows = self.list.iter().zip(heads);
        let is_there = |(time, head): (&i64, &Head)| head.parts & parts::UTC != 0 && is_date(FileTime(*time));
        let date = |time: &i64| microseconds(FileTime(*time)).unwrap_or(0).cast_unsigned();
        let dates = self.list.iter().map(date);
        if !self.are_there.is_empty() {
            let rows = rows.zip(&self.are_there);
            array.extend_some(dates, rows.map(|(row, there)| *there && is_there(row)));
        } else if rows.clone().all(is_there) {
            array.extend_bits(dates);
        } else {
            array.extend_some(dates, rows.map(is_there));
        }
    }
}

#[inline]
fn time(clock: &Clock, head: &Head) -> Option<i64> {
    clock.filetime(RawTime(head.raw_time)).map(|time| time.0)
}
