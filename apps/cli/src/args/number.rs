//! Whole numbers as they are typed anywhere: decimal, or hexadecimal after `0x`.

/// Reads a number that the type holds; `_` may separate digits.
pub(crate) fn number<N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    let value = etwkit::bytes::number(&text.replace('_', ""));
    let value = value.ok_or_else(|| "use a whole number from 0 on, such as 16 or 0x10".to_owned())?;
    let most = u64::MAX >> (64 - (size_of::<N>() * 8).min(64));
    N::try_from(value).map_err(|_| format!("{text} is not in 0..={most}"))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        assert_eq!(
            (number::<u16>("0x1F4"), number::<u16>("500"), number::<u16>("0XFFFF")),
            (Ok(500), Ok(500), Ok(65535))
        );
        assert_eq!(number::<u64>("0x8000_0000_0000_0010"), Ok(0x8000_0000_0000_0010));
        assert_eq!(number::<u16>("65536"), Err("65536 is not in 0..=65535".to_owned()));
        for bad in ["-1", "", "0x", "0x+1", "1.5", "12h"] {
            assert_eq!(number::<u32>(bad), Err("use a whole number from 0 on, such as 16 or 0x10".to_owned()), "{bad}");
        }
    }
}
