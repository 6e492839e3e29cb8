//! The part of a file that a request asks for (RFC 9110, section 14).

use std::ops::Range;

/// What is wanted of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of it.
    All,
    /// A part.
    Part(Range<u64>),
    /// A part that is not there.
    Beyond,
}

impl Wanted {
    /// Reads the value of a header `Range`. One that is not understood, or asks for several parts, is ignored, as the
    /// standard allows.
    pub(super) fn of(header: Option<&str>, len: u64) -> Self {
        let Some((first, last)) = header.and_then(one_part) else { return Self::All };
        let part = match (first, last) {
            (Some(first), Some(last)) if first > last => return Self::All,
            (Some(first), Some(last)) => first..last.saturating_add(1).min(len),
            (Some(first), None) => first..len,
            (None, Some(count)) => len.saturating_sub(count)..len,
            (None, None) => return Self::All,
        };
        if part.is_empty() { Self::Beyond } else { Self::Part(part) }
    }
}

/// The numbers on both sides of the hyphen; `None` if the text has another form.
fn one_part(header: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (first, last) = header.trim().strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| match text {
        "" => Some(None),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok().map(Some),
        _ => None,
    };
    Some((number(first)?, number(last)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_the_standard_says() {
        let of = |text| Wanted::of(Some(text), 100);
        assert_eq!(Wanted::of(None, 100), Wanted::All);
        assert_eq!(of("bytes=0-0"), Wanted::Part(0..1));
        assert_eq!(of("bytes=10-19"), Wanted::Part(10..20));
        assert_eq!(of("bytes=90-1000"), Wanted::Part(90..100));
        assert_eq!(of("bytes=90-18446744073709551615"), Wanted::Part(90..100));
        assert_eq!(of("bytes=99-"), Wanted::Part(99..100));
        assert_eq!(of("bytes=-1"), Wanted::Part(99..100));
        assert_eq!(of("bytes=-1000"), Wanted::Part(0..100));
        assert_eq!([of("bytes=100-"), of("bytes=100-200"), of("bytes=-0")], [const { Wanted::Beyond }; 3]);
        for other in ["", "bytes", "bytes=", "bytes=-", "bytes=2-1", "bytes=0-1,3-4", "bytes=+1-2", "lines=0-1"] {
            assert_eq!(of(other), Wanted::All, "{other}");
        }
        assert_eq!(Wanted::of(Some("bytes=0-"), 0), Wanted::Beyond);
    }
}
