//! Which versions of an event something is in.

use std::fmt;
use std::ops::RangeInclusive;

/// A set of versions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Versions(Vec<RangeInclusive<u8>>);

impl Versions {
    /// Adds a range.
    pub(super) fn add(&mut self, versions: &RangeInclusive<u8>) {
        self.0.push(versions.clone());
        self.0.sort_by_key(|range| *range.start());
        let mut joined: Vec<RangeInclusive<u8>> = Vec::new();
        for range in self.0.drain(..) {
            match joined.last_mut() {
                Some(last) if u16::from(*range.start()) <= u16::from(*last.end()) + 1 => {
                    *last = *last.start()..=*last.end().max(range.end());
                }
                _ => joined.push(range),
            }
        }
        self.0 = joined;
    }

    /// `any version`, `version 3`, `versions 4 and later`.
    pub(super) fn sentence(&self) -> String {
        match self.0.as_slice() {
            [range] if *range == (0..=u8::MAX) => "any version".to_owned(),
            [range] if range.start() == range.end() => format!("version {self}"),
            _ => format!("versions {self}"),
        }
    }
}

/// `any`, `3`, `0 to 2`, `4 and later`.
impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, range) in self.0.iter().enumerate() {
            f.write_str(if number > 0 { ", " } else { "" })?;
            match (*range.start(), *range.end()) {
                (0, u8::MAX) => write!(f, "any")?,
                (first, u8::MAX) => write!(f, "{first} and later")?,
                (first, last) if first == last => write!(f, "{first}")?,
                (first, last) => write!(f, "{first} to {last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(ranges: &[RangeInclusive<u8>]) -> String {
        let mut versions = Versions::default();
        for range in ranges {
            versions.add(range);
        }
        versions.to_string()
    }

    #[test]
    fn ranges_are_joined() {
        assert_eq!(shown(&[0..=255]), "any");
        assert_eq!(shown(&[4..=4, 0..=1, 2..=2]), "0 to 2, 4");
        assert_eq!(shown(&[5..=255, 3..=3, 3..=4]), "3 and later");
        assert_eq!(shown(&[1..=1, 1..=1]), "1");
        assert_eq!(shown(&[0..=255, 7..=7]), "any");
    }
}
