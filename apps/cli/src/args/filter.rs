//! Conditions on events.

use etwkit::FileTime;
use etwkit::query::Expression;
use etwkit::render::terminal;
use etwkit::select::{SyntaxError, SyntaxReason, level_from_name};
use etwkit::trace::{Filter, Glob};

use crate::failure::Failure;

use super::grep;
use super::number::number;
use super::time_point::TimePoint;
use super::time_range::TimeArgs;

/// Filters. An event must meet all that are given; of the names or numbers of one, any.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Filters (all must hold; names and numbers of the same option are alternatives)")]
pub(crate) struct FilterArgs {
    /// Provider: name or GUID, with * and ?
    #[arg(short, long, value_name = "NAME|GUID", value_parser = parse_glob)]
    provider: Vec<Glob>,
    /// Event id, or number of a WPP message
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true, value_parser = number::<u16>)]
    id: Vec<u16>,
    /// Event name (Task/Opcode), with * and ?
    #[arg(long, value_name = "NAME", value_parser = parse_glob)]
    event: Vec<Glob>,
    /// Most verbose level: critical, error, warning, info, verbose, or a number; events without a level do not pass
    #[arg(long, value_parser = parse_level)]
    level: Option<u8>,
    /// With --level: level 0 (log always) and events without a level also pass
    #[arg(long, requires = "level")]
    level_0: bool,
    /// --level and --keyword as a session applies them: level 0 and events without keywords pass
    #[arg(long)]
    session_filters: bool,
    /// Any of these keyword bits, decimal or 0x...; events without keywords pass, as in a session
    #[arg(long, value_name = "MASK", value_parser = parse_mask)]
    keyword: Option<u64>,
    /// Process that the event is about
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true, value_parser = number::<u32>)]
    pid: Vec<u32>,
    /// File name of the image of that process, with * and ?: `svchost.exe`
    #[arg(long, value_name = "NAME", value_parser = parse_glob)]
    process: Vec<Glob>,
    /// Thread that the event is about
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true, value_parser = number::<u32>)]
    tid: Vec<u32>,
    /// Processor
    #[arg(long, value_name = "N", value_delimiter = ',', allow_negative_numbers = true, value_parser = number::<u16>)]
    cpu: Vec<u16>,
    #[command(flatten)]
    time: TimeArgs,
    /// Text in the names, the message or the fields of the event, in any letter case
    #[arg(long, value_name = "TEXT", value_parser = grep::parse)]
    grep: Vec<Expression>,
    /// Condition on header and fields, such as 'level <= warning and Size > 4096' (`etwkit help where`)
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", value_parser = parse_expression)]
    expression: Option<Expression>,
}

impl FilterArgs {
    /// The engine's filter; refuses a window of time in which nothing can be.
    pub(crate) fn into_filter(self) -> Result<Filter, Failure> {
        let mut filter = Filter::default()
            .providers(self.provider)
            .names(self.event)
            .time(self.time.range()?)
            .ids(self.id)
            .level(self.level)
            .level_zero(self.level_0 || self.session_filters)
            .keywords(self.keyword)
            .pids(self.pid)
            .processes(self.process)
            .tids(self.tid)
            .processors(self.cpu);
        let grep = self.grep.into_iter().reduce(Expression::or);
        filter.expression = match (self.expression, grep) {
            (Some(condition), Some(grep)) => Some(condition.and(grep)),
            (condition, grep) => condition.or(grep),
        };
        Ok(filter)
    }
}

fn parse_glob(text: &str) -> Result<Glob, String> {
    if text.trim().is_empty() {
        return Err("the name is empty; * stands for any text".to_owned());
    }
    Ok(Glob::new(text))
}

fn parse_level(text: &str) -> Result<u8, String> {
    let unknown = || "use critical, error, warning, info, verbose, or a number up to 255".to_owned();
    level_from_name(text).or_else(|| number(text).ok()).ok_or_else(unknown)
}

/// For conditions that compare the time.
const TIME_OPTIONS: &str = "time has options of its own, --since and --until; a field of that name is fields.time";

/// An error points at its column.
pub(crate) fn parse_expression(text: &str) -> Result<Expression, String> {
    let parsed = text.parse().map(|expression: Expression| expression.with_times(absolute_time));
    parsed.map_err(|error: SyntaxError| {
        let SyntaxError { column, detail, .. } = &error;
        let what = if error.reason == SyntaxReason::ComparesTime { TIME_OPTIONS } else { detail };
        format!("column {column}: {what}\n{}", pointed_at(text, *column))
    })
}

/// Characters before and after the one that an error is about.
const AROUND: usize = 200;

/// Returns two lines: the text around a column, which counts from 1, and a caret below it.
fn pointed_at(text: &str, column: usize) -> String {
    let start = column.saturating_sub(AROUND);
    // As it was typed: the caret must be below its character.
    let visible = |c: char| if terminal::is_hazard(c) { ' ' } else { c };
    let shown: String = text.chars().skip(start).take(2 * AROUND).map(visible).collect();
    let place = column - start;
    format!("  {shown}\n  {:>place$}", '^')
}

/// A text that is a point in time, with which times of fields are compared as such.
fn absolute_time(text: &str) -> Option<FileTime> {
    let point: TimePoint = text.parse().ok()?;
    matches!(point, TimePoint::Absolute(_)).then(|| FileTime(point.floor()))
}

fn parse_mask(text: &str) -> Result<u64, String> {
    match number(text) {
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
        assert_eq!((parse_level("17"), parse_level("0x11")), (Ok(17), Ok(17)));
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
    fn an_error_in_a_long_condition_shows_what_is_around_it() {
        for open in [1, 199, 200, 201, 1000, 65_535, 65_536] {
            let text = format!("{}id ==", " ".repeat(open - 1));
            let said = parse_expression(&text).unwrap_err();
            assert!(said.len() < 2 * AROUND + 600, "{} bytes for {open}", said.len());
        }
        let said = pointed_at(&format!("{}x", "a".repeat(1000)), 1001);
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines[0].find('x'), lines[1].find('^'));
    }

    #[test]
    fn masks_are_decimal_or_hexadecimal() {
        assert_eq!(parse_mask("0x8000_0000_0000_0010"), Ok(0x8000_0000_0000_0010));
        assert_eq!(parse_mask("16"), Ok(16));
        assert!(parse_mask("10h").is_err());
        assert!(parse_mask("0").is_err());
    }
}
