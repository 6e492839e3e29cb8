//! The kernel's description of the machine: its name states whose file it is.

use crate::bytes::{Utf16Text, u16_at};

/// Hook id of `CPU_CONFIG_RECORD`: event SystemConfig/CPU.
pub const CPU_CONFIG_HOOK: u16 = 0x0B0A;

/// `ComputerName` follows five `u32` in every version.
const NAME_AT: usize = 20;
/// UTF-16 units of it, NULs included.
const NAME_UNITS: usize = 256;

/// Returns the computer's name in the payload of a `CPU_CONFIG_RECORD`; `None` if it is empty or cut off.
pub fn computer_name(payload: &[u8]) -> Option<Box<str>> {
    let name = payload.get(NAME_AT..NAME_AT + 2 * NAME_UNITS)?;
    let len = (0..NAME_UNITS).find(|unit| u16_at(name, 2 * unit) == 0)?;
    let name = name.get(..2 * len).filter(|name| !name.is_empty())?;
    Some(Utf16Text(name).to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_at_its_nul() {
        let mut payload = vec![0; NAME_AT + 2 * NAME_UNITS];
        assert_eq!(computer_name(&payload), None);
        payload[20..26].copy_from_slice(b"P\0C\0\0\0");
        assert_eq!(computer_name(&payload).as_deref(), Some("PC"));
        assert_eq!(computer_name(&payload[..payload.len() - 1]), None);
        payload[20..].fill(b'A');
        assert_eq!(computer_name(&payload), None, "no NUL");
    }
}
