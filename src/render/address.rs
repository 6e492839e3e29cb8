//! Addresses of sockets and network adapters as text.

use std::fmt::Arguments;
use std::io::Write as _;
use std::net::{Ipv4Addr, Ipv6Addr};

use crate::bytes::{u16_at, u32_at, write_hex};

/// Appends a `sockaddr`: `u16` family, then what the family states (`ws2def.h`); anything else as hexadecimal digits.
pub(super) fn push_socket_address(out: &mut Vec<u8>, bytes: &[u8]) {
    let port = u16_at(bytes, 2).swap_bytes();
    let v4 = bytes.get(4..8).and_then(|b| <[u8; 4]>::try_from(b).ok());
    let v6 = bytes.get(8..24).and_then(|b| <[u8; 16]>::try_from(b).ok());
    match (u16_at(bytes, 0), v4, v6) {
        (2, Some(address), _) => {
            push(out, format_args!("{}:{port}", Ipv4Addr::from(address)));
        }
        (23, _, Some(address)) => {
            let scope = u32_at(bytes, 24);
            let address = Ipv6Addr::from(address);
            match scope {
                0 => push(out, format_args!("[{address}]:{port}")),
                _ => push(out, format_args!("[{address}%{scope}]:{port}")),
            }
        }
        _ => write_hex(out, bytes),
    }
}

/// Appends a hardware address: two digits per byte, with colons between.
pub(super) fn push_mac(out: &mut Vec<u8>, bytes: &[u8]) {
    for (at, byte) in bytes.iter().enumerate() {
        let separator = if at == 0 { "" } else { ":" };
        push(out, format_args!("{separator}{byte:02x}"));
    }
}

/// Returns the bytes of a hardware address in room for eight: six, or all eight if one of the last two is set; none if
/// none is set.
pub(super) fn used_of_mac(room: &[u8; 8]) -> &[u8] {
    let len = match room.iter().rposition(|byte| *byte != 0) {
        None => 0,
        Some(..6) => 6,
        Some(_) => 8,
    };
    room.get(..len).unwrap_or_default()
}

fn push(out: &mut Vec<u8>, text: Arguments<'_>) {
    // Writing to a vector cannot fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_numbers_are_as_long_as_they_are() {
        let text = |number: u64| {
            let mut out = Vec::new();
            push_mac(&mut out, used_of_mac(&number.to_le_bytes()));
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(0x0000_6045_0e7b_f500), "00:f5:7b:0e:45:60");
        assert_eq!(text(0xe000_0000_0000_0000), "00:00:00:00:00:00:00:e0");
        assert_eq!(text(0), "");
    }
}
