//! Numbers of as few bytes as they need.

/// Appends a number, seven bits a byte, the low ones first; the high bit says that another byte follows.
pub fn push_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number of [`push_varint`] from the front; `None` if the bytes end within it.
pub fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            break;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(prop_oneof![0..300_u64, any::<u64>()], 0..20)) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|number| push_varint(&mut bytes, *number));
            let mut rest = &*bytes;
            for number in numbers {
                prop_assert_eq!(take_varint(&mut rest), Some(number));
            }
            prop_assert_eq!(take_varint(&mut rest), None);
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
