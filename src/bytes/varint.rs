//! Numbers of as few bytes as they need.

use integer_encoding::VarInt as _;

/// Maximum number of bytes of a number.
const MOST: usize = 10;
/// The greatest number that takes one byte.
const SINGLE_BYTE: u8 = 0x7F;

/// Appends a number, seven bits per byte, the low ones first; the high bit states that another byte follows.
#[inline]
pub fn push_varint(bytes: &mut Vec<u8>, number: u64) {
    // Most are of one byte.
    if let Ok(single @ ..=SINGLE_BYTE) = u8::try_from(number) {
        return bytes.push(single);
    }
    let mut packed = [0; MOST];
    let len = number.encode_var(&mut packed);
    bytes.extend_from_slice(packed.get(..len).unwrap_or_default());
}

/// Takes a number of [`push_varint`] from the front; `None` if the bytes end within it.
#[inline]
pub fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    if let Some((single @ ..=SINGLE_BYTE, rest)) = bytes.split_first() {
        *bytes = rest;
        return Some((*single).into());
    }
    let (number, len) = u64::decode_var(bytes)?;
    *bytes = bytes.get(len..)?;
    Some(number)
}

/// Appends a number of which those near zero, of either sign, take few bytes.
pub fn push_signed_varint(bytes: &mut Vec<u8>, number: i64) {
    push_varint(bytes, (number << 1 ^ number >> 63).cast_unsigned());
}

/// Takes a number of [`push_signed_varint`] from the front; `None` if the bytes end within it.
#[inline]
pub fn take_signed_varint(bytes: &mut &[u8]) -> Option<i64> {
    let number = take_varint(bytes)?;
    Some((number >> 1).cast_signed() ^ -((number & 1).cast_signed()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(prop_oneof![0..300_u64, any::<u64>()], 0..20)) {
            let mut bytes = Vec::new();
            for number in &numbers {
                push_varint(&mut bytes, *number);
            }
            let mut rest = &*bytes;
            for number in numbers {
                prop_assert_eq!(take_varint(&mut rest), Some(number));
            }
            prop_assert_eq!(take_varint(&mut rest), None);
        }
    }

    proptest! {
        #[test]
        fn signed_numbers_come_back(number in prop_oneof![-300..300_i64, any::<i64>(), Just(i64::MIN)]) {
            let mut bytes = Vec::new();
            push_signed_varint(&mut bytes, number);
            prop_assert_eq!(take_signed_varint(&mut &*bytes), Some(number));
            prop_assert!(bytes.len() == 1 || !(-64..64).contains(&number));
        }
    }

    #[test]
    fn small_numbers_are_short() {
        let len = |number| {
            let mut bytes = Vec::new();
            push_varint(&mut bytes, number);
            bytes.len()
        };
        assert_eq!([0, 127, 128, 16_383, 16_384, u64::MAX].map(len), [1, 1, 2, 2, 3, 10]);
        assert_eq!(take_varint(&mut &[0x80][..]), None);
    }
}
