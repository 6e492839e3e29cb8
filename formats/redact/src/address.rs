//! Pseudonyms of network addresses. Binary and text form agree, and the text has the same length.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::key::Key;

/// Returns whether an address states nothing about a machine: loopback, unspecified, broadcast, masks and multicast.
pub(crate) const fn is_common_ipv4(address: Ipv4Addr) -> bool {
    matches!(address.octets(), [0 | 127 | 224..=239 | 255, ..])
}

/// As [`is_common_ipv4`].
pub(crate) fn is_common_ipv6(address: Ipv6Addr) -> bool {
    let mapped = address.to_ipv4_mapped().is_some_and(is_common_ipv4);
    mapped || address.is_loopback() || address.is_unspecified() || address.is_multicast()
}

/// Returns whether the address of an adapter is of no single one: zeros, broadcast, multicast.
pub(crate) fn is_common_mac(address: &[u8]) -> bool {
    address.first().is_none_or(|first| first & 1 == 1) || address.iter().all(|byte| *byte == 0)
}

/// Returns the pseudonym of an address: every octet has as many digits as before.
pub(crate) fn ipv4(key: &Key, address: Ipv4Addr, attempt: u32) -> Ipv4Addr {
    let mut numbers = key.numbers("ipv4", &address.octets(), attempt);
    let mut octets = address.octets().map(|octet| match octet {
        0..=9 => numbers.within(1, 9) as u8,
        10..=99 => numbers.within(10, 99) as u8,
        // Below 224, so that the first one is not a multicast address.
        _ => numbers.within(100, 223) as u8,
    });
    if let [first @ 127, ..] = &mut octets {
        *first = 128;
    }
    octets.into()
}

/// Returns whether a text of an address ends in the numbers of an IPv4 address, though that is not its usual text.
pub(crate) fn is_mixed(address: Ipv6Addr, form: &str) -> bool {
    form.contains('.') && !address.to_string().contains('.')
}

/// Returns the pseudonym of an address for a text of this form. Where the text ends in the numbers of an IPv4 address, they
/// become those of the pseudonym of this address.
pub(crate) fn ipv6_of(key: &Key, address: Ipv6Addr, form: &str, attempt: u32) -> Ipv6Addr {
    let mut octets = ipv6(key, address, attempt).octets();
    if let Some(end) = octets.last_chunk_mut().filter(|_| form.contains('.')) {
        *end = ipv4(key, last_numbers(address), attempt).octets();
    }
    octets.into()
}

fn last_numbers(address: Ipv6Addr) -> Ipv4Addr {
    let [.., a, b, c, d] = address.octets();
    Ipv4Addr::new(a, b, c, d)
}

/// Returns the pseudonym of an address: every group has as many digits as before. Groups of zero stay, and what kind of
/// address it is.
fn ipv6(key: &Key, address: Ipv6Addr, attempt: u32) -> Ipv6Addr {
    let mut numbers = key.numbers("ipv6", &address.octets(), attempt);
    let mut groups = address.segments().map(|group| match group {
        0 => 0,
        group => {
            let first = 1 << (group.ilog2() / 4 * 4);
            numbers.within(first, (first << 4) - 1) as u16
        }
    });
    match (&mut groups, address.segments()) {
        // The address is an IPv4 one.
        ([.., mark, _, _], [0, 0, 0, 0, 0, 0xFFFF, _, _]) => *mark = 0xFFFF,
        ([first, ..], [0xFE80, ..]) => *first = 0xFE80,
        // Global addresses stay so, and local ones.
        ([first, ..], [0x2000..=0x3FFF, ..]) => *first = 0x2000 | *first & 0x1FFF,
        ([first, ..], [0xFC00..=0xFDFF, ..]) => *first = 0xFC00 | *first & 0x01FF,
        // Not multicast.
        ([first, ..], _) if *first >> 8 == 0xFF => *first &= 0x3FFF,
        ([0, 0, 0, 0, 0, 0, 0, last @ 1], _) => *last = 2,
        _ => {}
    }
    groups.into()
}

/// Returns the text of an address in the form of the text of another one, whose groups have as many digits.
pub(crate) fn ipv6_text(form: &str, address: Ipv6Addr) -> String {
    let is_upper = form.contains(|c: char| c.is_ascii_uppercase());
    // The last two groups may be the numbers of an IPv4 address.
    let numbers_at = form.rfind(':').filter(|_| form.contains('.')).map_or(form.len(), |colon| colon + 1);
    let (form, numbers) = form.split_at_checked(numbers_at).unwrap_or((form, ""));
    let count = if numbers.is_empty() { 8_usize } else { 6 };
    let (left, right) = form.split_once("::").map_or((form, ""), |(left, right)| (left, right));
    let behind = right.split(':').filter(|group| !group.is_empty()).count();
    let groups = address.segments();
    let side = |text: &str, from: usize| -> String {
        let groups = groups.iter().skip(from);
        let texts = text.split(':').filter(|group| !group.is_empty()).zip(groups);
        let texts: Vec<String> = texts.map(|(old, group)| format!("{group:0width$x}", width = old.len())).collect();
        texts.join(":")
    };
    let text = if form.contains("::") {
        format!("{}::{}", side(left, 0), side(right, count.saturating_sub(behind)))
    } else {
        side(left, 0)
    };
    let text = match numbers {
        "" => text,
        _ if text.ends_with(':') => format!("{text}{}", last_numbers(address)),
        _ => format!("{text}:{}", last_numbers(address)),
    };
    if is_upper { text.to_uppercase() } else { text }
}

/// Returns the text of the address of an adapter in the form of the text of another one.
pub(crate) fn mac_form(form: &str, address: &[u8]) -> String {
    let is_upper = form.contains(|c: char| c.is_ascii_uppercase());
    let mut digits =
        address.iter().flat_map(|byte| [byte >> 4, byte & 0xF]).filter_map(|digit| char::from_digit(digit.into(), 16));
    let text: String =
        form.chars().map(|c| if matches!(c, '-' | ':') { c } else { digits.next().unwrap_or('0') }).collect();
    if is_upper { text.to_uppercase() } else { text }
}

/// Returns the pseudonym of the address of a network adapter: local, and of a single one.
pub(crate) fn mac(key: &Key, address: &[u8]) -> Vec<u8> {
    let mut numbers = key.numbers("mac", address, 0);
    let mut made: Vec<u8> = address.iter().map(|_| numbers.below(256) as u8).collect();
    if let [first, ..] = &mut made[..] {
        *first = *first & 0xFC | 2;
    }
    made
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ipv4_addresses_keep_their_length(octets in any::<[u8; 4]>()) {
            let address = Ipv4Addr::from(octets);
            let made = ipv4(&Key::of(b"key"), address, 0);
            prop_assert_eq!(made.to_string().len(), address.to_string().len());
            prop_assert!(!is_common_ipv4(made));
        }

        #[test]
        fn ipv6_addresses_keep_their_form(mut groups in any::<[u16; 8]>(), zeros in any::<u8>()) {
            groups.iter_mut().enumerate().filter(|(at, _)| zeros >> at & 1 == 1).for_each(|(_, group)| *group = 0);
            let address = Ipv6Addr::from(groups);
            prop_assume!(!is_common_ipv6(address) && address.to_ipv4_mapped().is_none());
            let made = ipv6(&Key::of(b"key"), address, 0);
            prop_assert!(!is_common_ipv6(made));
            // The text of an address that looks like an IPv4 one has dots.
            prop_assume!(!address.to_string().contains('.') && !made.to_string().contains('.'));
            prop_assert_eq!(ipv6_text(&address.to_string(), made), made.to_string());
        }

        #[test]
        fn texts_of_ipv6_addresses_keep_their_length(groups in any::<[u16; 6]>(), octets in any::<[u8; 4]>(), form in 0..4_u8) {
            let [a, b, c, d, e, f] = groups;
            let numbers = Ipv4Addr::from(octets);
            let [high, low] = [[octets[0], octets[1]], [octets[2], octets[3]]].map(u16::from_be_bytes);
            let text = match form {
                0 => format!("{a:x}:{b:x}:{c:x}:{d:x}:{e:x}:{f:x}:{numbers}"),
                1 => format!("{:X}::{b:X}:{numbers}", a | 1),
                2 => format!("::FFFF:{numbers}"),
                _ => format!("::ffff:{high:x}:{low:x}"),
            };
            let made = ipv6_of(&Key::of(b"key"), text.parse().unwrap(), &text, 0);
            let made_text = ipv6_text(&text, made);
            prop_assert_eq!(made_text.len(), text.len());
            prop_assert_eq!(made_text.parse::<Ipv6Addr>(), Ok(made));
        }
    }

    #[test]
    fn the_form_of_a_text_stays() {
        let made = "1:2ab::c".parse().unwrap();
        assert_eq!(ipv6_text("00F0:0123::0D", made), "0001:02AB::0C");
        assert_eq!(ipv6_text("f:123:0000:0:0:0:0:d", made), "1:2ab:0000:0:0:0:0:c");
        assert_eq!(ipv6_text("::d", "::c".parse().unwrap()), "::c");
        let made = "1:2ab::c:3.4.5.67".parse().unwrap();
        assert_eq!(ipv6_text("00F0:0123::0D:1.2.3.45", made), "0001:02AB::0C:3.4.5.67");
        assert_eq!(ipv6_text("f:123:0:0:0:d:1.2.3.45", made), "1:2ab:0:0:0:c:3.4.5.67");
        assert_eq!(ipv6_text("::1.2.3.45", "::3.4.5.67".parse().unwrap()), "::3.4.5.67");
        assert_eq!(ipv6_text("f:123::1.2.3.45", "1:2ab::3.4.5.67".parse().unwrap()), "1:2ab::3.4.5.67");
    }
}
