//! The window of time that is wanted.

use std::str::FromStr;
use std::time::Duration;

use etwkit::FileTime;
use etwkit::time::duration_of_units;
use etwkit::trace::TimeRange;

use crate::failure::Failure;

use super::time_point::TimePoint;

/// From when to when.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct TimeArgs {
    /// Not before: 2021-09-09T14:59:35.5Z, or from the trace's start: +1.5s, +200ms, +2m
    #[arg(long, value_name = "TIME")]
    since: Option<TimePoint>,
    /// Not after
    #[arg(long, value_name = "TIME")]
    until: Option<TimePoint>,
    /// Both at once: +10s..+12.5s; one side may be left out
    #[arg(long, visible_alias = "window", value_name = "FROM..UNTIL", conflicts_with_all = ["since", "until"])]
    time: Option<Window>,
}

/// The two sides of `--time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    since: Option<TimePoint>,
    until: Option<TimePoint>,
}

impl FromStr for Window {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((since, until)) = text.split_once("..") else {
            return Err("use two times with .. between, such as +10s..+12.5s".to_owned());
        };
        let side = |text: &str| if text.is_empty() { Ok(None) } else { text.parse().map(Some) };
        Ok(Self { since: side(since)?, until: side(until)? })
    }
}

impl TimeArgs {
    /// The engine's range; refuses one in which nothing can be.
    pub(crate) fn range(&self) -> Result<TimeRange, Failure> {
        let window = Window { since: self.since, until: self.until };
        let Window { since, until } = self.time.unwrap_or(window);
        let mut range = TimeRange::default();
        match since {
            Some(time @ TimePoint::Absolute(_)) => range.since = Some(FileTime(time.ceil())),
            Some(time @ TimePoint::Relative(_)) => range.since_offset = Some(span(time.ceil())),
            None => {}
        }
        match until {
            Some(time @ TimePoint::Absolute(_)) => range.until = Some(FileTime(time.floor())),
            Some(time @ TimePoint::Relative(_)) => range.until_offset = Some(span(time.floor())),
            None => {}
        }
        if is_empty(range.since, range.until) || is_empty(range.since_offset, range.until_offset) {
            let what = if self.time.is_some() { "--time ends before it begins" } else { "--since is after --until" };
            return Err(Failure::new(what));
        }
        Ok(range)
    }

    /// The first and the last time that are wanted, in a trace that starts at a time.
    pub(crate) fn window(&self, start: FileTime) -> Result<(FileTime, FileTime), Failure> {
        let (first, last) = self.range()?.bounds(Some(start));
        Ok((first.unwrap_or(FileTime(i64::MIN)), last.unwrap_or(FileTime(i64::MAX))))
    }
}

fn is_empty<T: PartialOrd>(from: Option<T>, to: Option<T>) -> bool {
    from.zip(to).is_some_and(|(from, to)| from > to)
}

/// A number of 100 ns units from the trace's start.
fn span(units: i64) -> Duration {
    duration_of_units(units.max(0).cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_one_side_or_two() {
        let window = |text: &str| text.parse::<Window>();
        let at = |seconds: i128| Some(TimePoint::Relative(seconds * 1_000_000_000));
        assert_eq!(window("+1s..+2s"), Ok(Window { since: at(1), until: at(2) }));
        assert_eq!(window("..+2s"), Ok(Window { since: None, until: at(2) }));
        assert!(window("+1s").is_err());
        let empty = TimeArgs { time: Some(window("+2s..+1s").unwrap()), ..TimeArgs::default() };
        assert_eq!(empty.range().unwrap_err().to_string(), "--time ends before it begins");
        let sides = TimeArgs { since: at(2), until: at(1), time: None };
        assert_eq!(sides.range().unwrap_err().to_string(), "--since is after --until");
    }
}
