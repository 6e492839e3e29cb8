//! Small pieces of text.

pub(crate) use etwkit::render::grouped;
use etwkit::render::terminal;

/// A number and the thing it counts: `1 event`, `2,000 events`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A share in per cent with one decimal; never rounded up to all or down to nothing.
pub(crate) fn share(part: u64, whole: u64) -> String {
    if part == whole {
        return "100 %".to_owned();
    }
    let tenths = tenths(part, whole);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// Tenths of a per cent; never rounded up to all or down to nothing.
fn tenths(part: u64, whole: u64) -> u64 {
    let whole = u128::from(whole.max(1));
    let tenths = ((u128::from(part) * 1000 + whole / 2) / whole) as u64;
    match part {
        0 => 0,
        _ if u128::from(part) == whole => tenths,
        _ => tenths.clamp(1, 999),
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
        assert_eq!(share(99_999, 100_000), "99.9 %");
        assert_eq!(share(1, 100_000), "0.1 %");
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
