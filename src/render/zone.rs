//! The zone in which times are printed.

use std::sync::Arc;

use crate::time::FileTime;

/// Minutes east of UTC over time. The default is UTC, which prints as `Z`.
///
/// A zone is a list of its changes, so that the engine needs no database of zones: the command line makes it from the
/// IANA database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    /// Times from which an offset holds; sorted.
    changes: Arc<[(FileTime, i16)]>,
    /// Times are spans since this one.
    start: Option<FileTime>,
}

/// The largest offset that ISO 8601 can express, in minutes.
const MOST: i32 = 23 * 60 + 59;

impl Zone {
    /// Creates a zone with these offsets in seconds east of UTC, each from a time on. The first also holds for all time
    /// before it. Offsets are rounded to minutes, as their printed form has no seconds; those of a day or more are cut.
    pub fn new(changes: impl IntoIterator<Item = (FileTime, i32)>) -> Self {
        let minutes = |seconds: i32| (seconds.saturating_add(30).div_euclid(60)).clamp(-MOST, MOST) as i16;
        let mut changes: Vec<(FileTime, i16)> =
            changes.into_iter().map(|(from, offset)| (from, minutes(offset))).collect();
        changes.sort_by_key(|(from, _)| *from);
        Self { changes: changes.into(), start: None }
    }

    /// Creates a zone in which times are spans since a time: `+1.5000000s`.
    pub fn since(start: FileTime) -> Self {
        Self { start: Some(start), ..Self::default() }
    }

    /// Returns the time of [`Zone::since`].
    pub const fn start(&self) -> Option<FileTime> {
        self.start
    }

    /// Returns minutes east of UTC at a time; `None` if the zone is UTC itself.
    pub fn minutes(&self, time: FileTime) -> Option<i16> {
        let after = self.changes.partition_point(|(from, _)| *from <= time);
        let at = self.changes.get(after.saturating_sub(1));
        at.map(|(_, minutes)| *minutes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_holds_until_the_next() {
        let zone = Zone::new([(100, 7200), (0, 3600), (200, -18_030)].map(|(from, offset)| (FileTime(from), offset)));
        let minutes = |at| zone.minutes(FileTime(at)).unwrap();
        assert_eq!((minutes(-5), minutes(99), minutes(100), minutes(1000)), (60, 60, 120, -300));
        assert_eq!(Zone::default().minutes(FileTime(0)), None);
        assert_eq!(Zone::new([(FileTime(0), 1 << 30)]).minutes(FileTime(0)), Some(1439));
    }
}
