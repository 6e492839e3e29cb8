//! Small pieces of text.

use std::io;

pub(crate) use etwkit::render::grouped;
use etwkit::render::terminal;
use serde::Serialize;
use serde_json::ser::Formatter;

/// A number and the thing it counts: `1 event`, `2,000 events`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A share in per cent, for a message.
pub(crate) fn share(part: u64, whole: u64) -> String {
    if part == whole { "100 %".to_owned() } else { format!("{} %", tenths_of_percent(part, whole)) }
}

/// A share in per cent with one decimal, rounded. What is below the first decimal or above the last one but 100 is shown as
/// such: never rounded up to all or down to nothing.
pub(crate) fn tenths_of_percent(part: u64, whole: u64) -> String {
    let (scaled, whole) = (u128::from(part) * 1000, u128::from(whole.max(1)));
    match scaled {
        1.. if scaled < whole => "<0.1".to_owned(),
        _ if scaled < whole * 1000 && scaled > whole * 999 => ">99.9".to_owned(),
        _ => {
            let tenths = (scaled + whole / 2) / whole;
            format!("{}.{}", tenths / 10, tenths % 10)
        }
    }
}

/// A number of rows or groups, as it is typed.
pub(crate) fn parse_count<N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    crate::args::number(text)
}

/// A size as it was typed: bytes, or with `K`, `M`, `G` or `T` (powers of 1024; `KB` and `KiB` mean the same).
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = text.get(digits.len()..).unwrap_or_default().trim().to_ascii_lowercase();
    let shift = match unit.trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err("not a size: use bytes or K, M, G, T, such as 512M".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "not a size: use digits and a unit, such as 512M".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".to_owned())
}

/// A size for people, in the largest unit that divides it, else in bytes.
pub(crate) fn size(bytes: u64) -> String {
    [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")]
        .into_iter()
        .find(|(shift, _)| bytes >> shift > 0 && bytes.trailing_zeros() >= *shift)
        .map_or_else(|| counted(bytes, "byte"), |(shift, unit)| format!("{} {unit}", bytes >> shift))
}

/// A JSON value as text that is safe for terminals. All JSON that the program makes of values goes this way.
pub(crate) fn safe_json(value: &impl std::fmt::Display) -> String {
    let mut text = value.to_string().into_bytes();
    terminal::escape_json_from(&mut text, 0);
    String::from_utf8(text).unwrap_or_default()
}

/// Writes a JSON value that is safe for terminals, without having all of its text in memory.
pub(crate) fn write_safe_json(out: &mut impl io::Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(out, SafeText)).map_err(io::Error::from)
}

/// JSON on one line whose texts cannot command a terminal.
struct SafeText;

impl Formatter for SafeText {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut text = fragment.as_bytes().to_vec();
        terminal::escape_json_from(&mut text, 0);
        writer.write_all(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_counted() {
        assert_eq!(counted(1, "event"), "1 event");
        assert_eq!(counted(2_000, "event"), "2,000 events");
    }

    #[test]
    fn a_share_is_all_only_if_nothing_is_missing() {
        assert_eq!(share(10, 10), "100 %");
        assert_eq!(share(99_999, 100_000), ">99.9 %");
        assert_eq!(share(1, 100_000), "<0.1 %");
        assert_eq!(share(0, 5), "0.0 %");
        assert_eq!(share(0, 0), "100 %");
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("512"), Ok(512));
        assert_eq!(parse_size("4GiB"), Ok(4 << 30));
        assert_eq!(parse_size("2 MB"), Ok(2 << 20));
        assert!(parse_size("4X").is_err());
        assert!(parse_size("99999999T").is_err());
        assert_eq!(size(4 << 30), "4 GiB");
        assert_eq!(size(1025), "1,025 bytes");
    }
}
