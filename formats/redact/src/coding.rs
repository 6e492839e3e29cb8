//! How text is coded in bytes.

/// How text is coded in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// UTF-16, little endian.
    Utf16,
    /// The same without a last byte of zero. The bytes of ASCII text are then the same in big endian, one place later.
    Utf16Short,
    /// UTF-16, big endian: of text with characters above U+00FF, whose bytes are not those of [`Coding::Utf16Short`].
    Utf16Big,
    /// UTF-8.
    Utf8,
    /// One byte per character: Latin-1, which represents any code page.
    Latin1,
}

impl Coding {
    /// Returns the coding of 8-bit text.
    pub(crate) fn of_8_bit(bytes: &[u8]) -> Self {
        if std::str::from_utf8(bytes).is_ok() { Self::Utf8 } else { Self::Latin1 }
    }

    /// Reads text. A surrogate without its partner is U+FFFD.
    pub(crate) fn decode(self, bytes: &[u8]) -> String {
        match self {
            Self::Utf16 => utf16(bytes, u16::from_le_bytes),
            Self::Utf16Short => utf16(&[bytes, &[0]].concat(), u16::from_le_bytes),
            Self::Utf16Big => utf16(bytes, u16::from_be_bytes),
            Self::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Self::Latin1 => bytes.iter().map(|byte| char::from(*byte)).collect(),
        }
    }

    /// Writes text.
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf16 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Self::Utf16Short => {
                let mut bytes = Self::Utf16.encode(text);
                bytes.pop();
                bytes
            }
            Self::Utf16Big => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Latin1 => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks().0.iter().copied().map(unit);
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Characters of code page 1252 where Latin-1 has controls. What is not defined stays a control.
const CONTROLS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ";

/// Returns a byte as a character of code page 1252, the most frequent one.
pub(crate) fn code_page_char(byte: u8) -> char {
    let control = byte.checked_sub(0x80).and_then(|at| CONTROLS.chars().nth(at.into()));
    control.unwrap_or_else(|| char::from(byte))
}

/// The small sigma at the end of a word.
pub(crate) const FINAL_SIGMA: char = 'ς';
/// The small sigma elsewhere.
pub(crate) const SIGMA: char = 'σ';

/// Returns text in lower case. Letters whose lower case has another length stay. The sigma at the end of words becomes the
/// other one, as `Σ` does.
pub(crate) fn fold(text: &str) -> String {
    text.chars().map(fold_char).collect()
}

fn fold_char(c: char) -> char {
    if c == FINAL_SIGMA {
        return SIGMA;
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) if same_lengths(c, lower) => lower,
        _ => c,
    }
}

/// Returns a letter in upper case, unless that has another length.
pub(crate) fn upper_char(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) if same_lengths(c, upper) => upper,
        _ => c,
    }
}

fn same_lengths(a: char, b: char) -> bool {
    (a.len_utf8(), a.len_utf16(), u32::from(a) > 0xFF) == (b.len_utf8(), b.len_utf16(), u32::from(b) > 0xFF)
}
