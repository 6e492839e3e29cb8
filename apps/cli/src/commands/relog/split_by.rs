//! The values of `--split`.

use std::str::FromStr;

use etwkit::time::duration_of_units;
use etwkit_relog::Split;

use crate::args::parse_span;
use crate::text::parse_size;

/// How a trace is cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct SplitBy(pub(super) Split);

impl FromStr for SplitBy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "process" => return Ok(Self(Split::Process)),
            "provider" => return Ok(Self(Split::Provider)),
            _ => {}
        }
        if let Some(bytes) = size(text) {
            return Ok(Self(Split::Size(bytes)));
        }
        let wrong = |_| "use process, provider, a size such as 100MB, or a span of time such as 10s".to_owned();
        let units = parse_span(text).map_err(wrong)?.get();
        Ok(Self(Split::Time(duration_of_units(units))))
    }
}

/// Reads a size, whose unit ends with `B`: `10m` are minutes.
fn size(text: &str) -> Option<u64> {
    let is_size = text.ends_with(['b', 'B']);
    parse_size(text).ok().filter(|bytes| is_size && *bytes > 0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn sizes_and_spans_are_told_apart_by_their_units() {
        let split = |text: &str| text.parse::<SplitBy>().map(|SplitBy(split)| split);
        assert_eq!(split("100MB"), Ok(Split::Size(100 << 20)));
        assert_eq!(split("7 kb"), Ok(Split::Size(7 << 10)));
        assert_eq!((split("1GiB"), split("9 B")), (Ok(Split::Size(1 << 30)), Ok(Split::Size(9))));
        assert_eq!(split("1m30s"), Ok(Split::Time(Duration::from_secs(90))));
        assert_eq!(split("Process"), Ok(Split::Process));
        assert!(split("0MB").is_err() && split("12").is_err() && split("user").is_err());
    }
}
