//! The least and the greatest texts, cut: readers skip pages by them.

use parquet::data_type::ByteArray;
use parquet::file::statistics::{Statistics, ValueStatistics};

/// Bytes of a bound that are kept, as other writers do.
const MOST: usize = 64;

/// Returns a bound below a text.
pub(crate) fn least(text: &[u8]) -> Vec<u8> {
    cut(text).to_vec()
}

/// Returns a bound above a text: the text if there is no shorter one.
pub(crate) fn greatest(text: &[u8]) -> Vec<u8> {
    if text.len() <= MOST {
        return text.to_vec();
    }
    let mut chars: Vec<char> = String::from_utf8_lossy(cut(text)).chars().collect();
    while let Some(last) = chars.pop() {
        // The code points between are those of surrogates.
        let next = (u32::from(last) + 1..=0xE000).find_map(char::from_u32).or_else(|| char::from_u32(u32::from(last) + 1));
        if let Some(next) = next {
            chars.push(next);
            return String::from_iter(chars).into_bytes();
        }
    }
    text.to_vec()
}

/// Returns statistics of texts.
pub(crate) fn statistics(low: Option<&[u8]>, high: Option<&[u8]>, nulls: Option<u64>) -> Statistics {
    let is_exact = |text: Option<&[u8]>| text.is_none_or(|text| text.len() <= MOST);
    let bound = |text: Vec<u8>| ByteArray::from(text);
    ValueStatistics::new(low.map(least).map(bound), high.map(greatest).map(bound), None, nulls, false)
        .with_min_is_exact(is_exact(low))
        .with_max_is_exact(is_exact(high))
        .into()
}

/// Returns the first characters.
fn cut(text: &[u8]) -> &[u8] {
    let is_start = |len: &usize| text.get(*len).is_none_or(|byte| byte & 0xC0 != 0x80);
    let len = (0..=MOST.min(text.len())).rev().find(is_start).unwrap_or(0);
    text.get(..len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_long_texts_are_short_and_hold() {
        let tops = ["a", "\u{7F}", "\u{D7FF}", "\u{10FFFF}", "é"];
        for (len, top) in [10, 63, 64, 65, 100].into_iter().flat_map(|len| tops.map(|top| (len, top))) {
            let text = "x".repeat(len) + &top.repeat(40);
            let (low, high) = (least(text.as_bytes()), greatest(text.as_bytes()));
            assert!(low.len() <= MOST && low.as_slice() <= text.as_bytes());
            assert!(high.len() <= MOST + 4 && high.as_slice() >= text.as_bytes(), "{len} {top}");
            assert!(std::str::from_utf8(&low).is_ok() && std::str::from_utf8(&high).is_ok());
        }
        assert_eq!(greatest(&b"\xF4\x8F\xBF\xBF".repeat(30)).len(), 120);
        assert_eq!((least(b"ab"), greatest(b"ab")), (b"ab".to_vec(), b"ab".to_vec()));
    }
}
