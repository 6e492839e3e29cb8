//! Pages show text of a trace as terminals do: the same characters are escaped.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::ops::RangeInclusive;
use std::path::Path;

use etwkit::render::terminal::is_hazard;

/// The code of pages that has the pattern.
const FILES: [&str; 2] = ["apps/web/page/dom.js", "exports/report/page/js/text.js"];
/// What is in no Rust text.
const SURROGATES: RangeInclusive<u32> = 0xD800..=0xDFFF;

/// The ranges of the pattern of a file.
fn escaped_by(file: &str) -> Vec<RangeInclusive<u32>> {
    let code = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let pattern = code.split_once("const HAZARDS = /[").unwrap().1.split_once("]/gu;\n").unwrap().0;
    let number = |text: &str| u32::from_str_radix(text, 16).unwrap();
    let mut ranges: Vec<RangeInclusive<u32>> = Vec::new();
    for part in pattern.strip_prefix("\\u{").unwrap().strip_suffix('}').unwrap().split("}\\u{") {
        let (first, last) = part.split_once("}-\\u{").unwrap_or((part, part));
        ranges.push(number(first)..=number(last));
    }
    ranges
}

#[test]
fn pages_escape_what_terminals_escape() {
    for file in FILES {
        let ranges = escaped_by(file);
        let is_escaped = |point| ranges.iter().any(|range| range.contains(&point));
        let is_wanted = |point| char::from_u32(point).map_or(SURROGATES.contains(&point), is_hazard);
        let wrong: Vec<String> = (0..=u32::from(char::MAX))
            .filter(|point| is_escaped(*point) != is_wanted(*point))
            .map(|point| format!("U+{point:04X}"))
            .collect();
        assert!(wrong.is_empty(), "{file}: {wrong:?}");
    }
}
