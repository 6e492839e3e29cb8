//! Conditions on events.

use std::time::Duration;

use etwkit::FileTime;
use etwkit::query::Expression;
use etwkit::render::terminal;
use etwkit::select::{SyntaxError, SyntaxReason, level};
use etwkit::trace::{Filter, Glob, TimeRange};

use crate::failure::Failure;

use super::time_point::TimePoint;

/// Filters. An event must meet all that are given; of a repeated one, any.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Filters (all must hold; repeat one for alternatives)")]
pub(crate) struct FilterArgs {
    /// Provider: name or GUID, with * and ?
    #[arg(long, value_name = "NAME|GUID", value_parser = parse_glob)]
    provider: Vec<Glob>,
    /// Event id, or number of a WPP message
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true)]
    id: Vec<u16>,
    /// Event name (Task/Opcode), with * and ?
    #[arg(long, value_name = "NAME", value_parser = parse_glob)]
    event: Vec<Glob>,
    /// Most verbose level: critical, error, warning, info, verbose, or a number; level 0 always passes
    #[arg(long, value_parser = parse_level)]
    level: Option<u8>,
    /// Any of these keyword bits, decimal or 0x...; events without keywords pass, as in a session
    #[arg(long, value_name = "MASK", value_parser = parse_mask)]
    keyword: Option<u64>,
    /// Process that the event is about
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true)]
    pid: Vec<u32>,
    /// Thread that the event is about
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true)]
    tid: Vec<u32>,
    /// Processor
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true)]
    cpu: Vec<u16>,
    /// Not before: 2021-09-09T14:59:35.5Z, or from the trace's start: +1.5s, +200ms, +2m
    #[arg(long, value_name = "TIME")]
    since: Option<TimePoint>,
    /// Not after
    #[arg(long, value_name = "TIME")]
    until: Option<TimePoint>,
    /// Condition on header and fields, such as 'level <= warning and Size > 4096' (docs/where.md)
    #[arg(long = "where", value_name = "EXPRESSION", value_parser = parse_expression)]
    expression: Option<Expression>,
}

impl FilterArgs {
    fn time_range(&self) -> TimeRange {
        let mut range = TimeRange::default();
        match self.since {
            Some(time @ TimePoint::Absolute(_)) => range.since = Some(FileTime(time.ceil())),
            Some(time @ TimePoint::Relative(_)) => range.from_start = Some(span(time.ceil())),
            None => {}
        }
        match self.until {
            Some(time @ TimePoint::Absolute(_)) => range.until = Some(FileTime(time.floor())),
            Some(time @ TimePoint::Relative(_)) => range.to_start = Some(span(time.floor())),
            None => {}
        }
        range
    }
}

impl FilterArgs {
    /// The engine's filter; refuses a window of time in which nothing can be.
    pub(crate) fn into_filter(self) -> Result<Filter, Failure> {
        let time = self.time_range();
        if is_empty(time.since, time.until) || is_empty(time.from_start, time.to_start) {
            return Err(Failure::new("--since is after --until"));
        }
        let mut filter = Filter::default()
            .providers(self.provider)
            .names(self.event)
            .time(time)
            .ids(self.id)
            .level(self.level)
            .keywords(self.keyword)
            .pids(self.pid)
            .tids(self.tid)
            .processors(self.cpu);
        filter.expression = self.expression;
        Ok(filter)
    }
}

fn is_empty<T: PartialOrd>(from: Option<T>, to: Option<T>) -> bool {
    from.zip(to).is_some_and(|(from, to)| from > to)
}

/// A number of 100 ns units from the trace's start.
fn span(units: i64) -> Duration {
    let units = units.max(0).cast_unsigned();
    Duration::new(units / 10_000_000, (units % 10_000_000) as u32 * 100)
}

fn parse_glob(text: &str) -> Result<Glob, String> {
    if text.trim().is_empty() {
        return Err("the name is empty; * stands for any text".to_owned());
    }
    Ok(Glob::new(text))
}

fn parse_level(text: &str) -> Result<u8, String> {
    let unknown = || "use critical, error, warning, info, verbose, or a number up to 255".to_owned();
    level(text).or_else(|| text.parse().ok()).ok_or_else(unknown)
}

/// For conditions that compare the time.
const TIME_OPTIONS: &str = "time has options of its own, --since and --until; a field of that name is fields.time";

/// An error points at its column.
fn parse_expression(text: &str) -> Result<Expression, String> {
    text.parse().map_err(|error: SyntaxError| {
        // A line that is shown as it was typed: the caret must stand below its character.
        let shown: String = text.chars().map(|c| if terminal::is_hazard(c) { ' ' } else { c }).collect();
        let SyntaxError { column, detail, .. } = &error;
        let what = if error.reason == SyntaxReason::ComparesTime { TIME_OPTIONS } else { detail };
        format!("column {column}: {what}\n  {shown}\n  {:>column$}", '^')
    })
}

fn parse_mask(text: &str) -> Result<u64, String> {
    let text = text.replace('_', "");
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let mask = match hex {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    match mask {
        Ok(0) => Err("no bit is set: no event with keywords could pass".to_owned()),
        Ok(mask) => Ok(mask),
        Err(_) => Err("use a number such as 16 or 0x10".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_and_numbers() {
        assert_eq!(parse_level("Warning"), Ok(3));
        assert_eq!(parse_level("17"), Ok(17));
        assert!(parse_level("loud").is_err());
    }

    #[test]
    fn a_condition_on_the_time_leads_to_the_options_for_it() {
        let said = parse_expression("id == 1 and time > 3").unwrap_err();
        let advice = "column 13: time has options of its own, --since and --until; a field of that name is fields.time";
        assert_eq!(said, format!("{advice}\n  id == 1 and time > 3\n              ^"));
        assert!(!parse_expression("id ==").unwrap_err().contains("--since"));
    }

    #[test]
    fn masks_are_decimal_or_hexadecimal() {
        assert_eq!(parse_mask("0x8000_0000_0000_0010"), Ok(0x8000_0000_0000_0010));
        assert_eq!(parse_mask("16"), Ok(16));
        assert!(parse_mask("10h").is_err());
        assert!(parse_mask("0").is_err());
    }
}
