//! Releases of TraceEvent, whose baselines differ.

use std::fmt;
use std::str::FromStr;

/// A release of TraceEvent, by the month in which it came out.
///
/// As text a date, `2019-04` or `2019-04-30`, or the number of a release, `2.0.44` or `v2.0.44`. A year, `2019`, is its
/// last release, a major number, `2`, the last of its releases; `latest` and `newest` are the newest one.
///
/// ```
/// use etwkit_baseline::Release;
///
/// assert!("2019-04".parse::<Release>()? < "2.0.48".parse()?);
/// assert_eq!("newest".parse::<Release>()?, Release::NEWEST);
/// # Ok::<(), etwkit_baseline::UnknownRelease>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release {
    year: u16,
    month: u8,
}

/// Text that is not a release.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownRelease;

impl fmt::Display for UnknownRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a month (2019-04), a year, a release of TraceEvent (2.0.44 or 2) or `latest`")
    }
}

impl std::error::Error for UnknownRelease {}

/// Numbers of releases and the month from which they count, ascending; releases between two count as the first of them.
///
/// No fact at hand has the dates of releases: these are approximate, and exact only as to which of the changes in
/// `docs/traceevent-differences.md` a release is believed to have.
const NUMBERS: [([u32; 3], Release); 12] = [
    ([0, 0, 0], Release::new(2017, 1)),
    ([2, 0, 12], Release::new(2018, 4)),
    ([2, 0, 26], Release::new(2018, 9)),
    ([2, 0, 36], Release::new(2019, 1)),
    ([2, 0, 42], Release::new(2019, 5)),
    ([2, 0, 44], Release::new(2019, 8)),
    ([2, 0, 48], Release::new(2020, 1)),
    ([2, 0, 53], Release::new(2020, 3)),
    ([2, 0, 60], Release::new(2020, 10)),
    ([2, 0, 64], Release::new(2021, 1)),
    ([3, 0, 0], Release::new(2022, 3)),
    ([3, 1, 0], Release::new(2023, 1)),
];

impl Release {
    /// The newest release whose format is known.
    pub const NEWEST: Self = Self::new(u16::MAX, 12);

    /// From this one on, addresses have at least eight digits.
    pub(crate) const PADDED_ADDRESSES: Self = Self::new(2020, 1);

    const fn new(year: u16, month: u8) -> Self {
        Self { year, month }
    }

    fn of_number(text: &str) -> Option<Self> {
        let mut number = [0; 3];
        let mut parts = text.split('.');
        for part in &mut number {
            *part = parts.next().map_or(Ok(0), str::parse).ok()?;
        }
        // A fourth part is that of builds between releases.
        let rest_is_number = parts.next().is_none_or(|part| part.parse::<u32>().is_ok()) && parts.next().is_none();
        let at = NUMBERS.partition_point(|(known, _)| *known <= number).checked_sub(1)?;
        NUMBERS.get(at).map(|(_, release)| *release).filter(|_| rest_is_number)
    }

    /// A year or a major number: the last release of it.
    fn of_one_number(text: &str) -> Option<Self> {
        const MONTHS: u8 = 12;
        let number: u16 = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
        if (1000..=9999).contains(&number) {
            return Some(Self::new(number, MONTHS));
        }
        let is_major = |([major, ..], _): &&([u32; 3], Self)| *major == u32::from(number);
        NUMBERS.iter().rfind(is_major).map(|(_, release)| *release)
    }

    fn of_date(text: &str) -> Option<Self> {
        let mut parts = text.split('-').map(str::parse::<u16>);
        let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next().unwrap_or(Ok(1)).ok()?);
        let is_date = (1000..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        (is_date && parts.next().is_none()).then(|| Self::new(year, month as u8))
    }
}

impl FromStr for Release {
    type Err = UnknownRelease;

    fn from_str(text: &str) -> Result<Self, UnknownRelease> {
        let number =
            text.strip_prefix(['v', 'V']).filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
        match number.unwrap_or(text) {
            "newest" | "latest" => Some(Self::NEWEST),
            text if text.contains('.') => Self::of_number(text),
            _ if number.is_none() && text.contains('-') => Self::of_date(text),
            text => Self::of_one_number(text),
        }
        .ok_or(UnknownRelease)
    }
}

impl Default for Release {
    fn default() -> Self {
        Self::NEWEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_months_or_numbers() {
        let month = |text: &str| text.parse::<Release>().map(|release| (release.year, release.month));
        assert_eq!(month("2019-04"), Ok((2019, 4)));
        assert_eq!(month("2019-04-30"), Ok((2019, 4)));
        assert_eq!(month("2.0.41"), Ok((2019, 1)));
        assert_eq!(month("2.0.44"), Ok((2019, 8)));
        assert_eq!(month("2.0.44.1"), Ok((2019, 8)));
        assert_eq!(month("2.0.49"), Ok((2020, 1)));
        assert_eq!(month("3.1.16"), Ok((2023, 1)));
        assert_eq!((month("v2.0.44"), month("V3.1.16")), (Ok((2019, 8)), Ok((2023, 1))));
        assert_eq!((month("2019"), month("2020")), (Ok((2019, 12)), Ok((2020, 12))));
        assert_eq!((month("2"), month("3"), month("v3")), (Ok((2021, 1)), Ok((2023, 1)), Ok((2023, 1))));
        assert_eq!(["newest", "latest"].map(str::parse), [Ok(Release::NEWEST), Ok(Release::NEWEST)]);
        for bad in [
            "",
            "1",
            "4",
            "999",
            "+3",
            "v",
            "vv3",
            "v2019-04",
            "vlatest",
            "99999",
            "2019-13",
            "2019-00",
            "2019-4-32",
            "19-04",
            "x.y",
            "2..1",
            "-1.0.0",
            "2.0.44.x",
            "2.0.1.1.1",
        ] {
            assert_eq!(month(bad), Err(UnknownRelease), "{bad}");
        }
        assert!(NUMBERS.is_sorted());
    }
}
