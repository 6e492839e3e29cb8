//! Security identifiers.

use std::fmt;

use super::{PointerSize, u32_at};

/// A binary SID: revision, count, 6-byte big-endian authority, count × `u32` (`winnt.h`; section 9.5).
///
/// Prints as `S-1-5-18`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sid<'d>(&'d [u8]);

impl<'d> Sid<'d> {
    /// Reads the SID at the start of `bytes`; `None` if it is not there entirely.
    pub fn new(bytes: &'d [u8]) -> Option<Self> {
        bytes.get(..sid_len(bytes)?).map(Self)
    }

    /// Returns its bytes.
    pub const fn as_bytes(self) -> &'d [u8] {
        self.0
    }
}

impl fmt::Display for Sid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((&[revision, _, a, b, c, d, e, g], subs)) = self.0.split_first_chunk::<8>() else {
            return Ok(());
        };
        let authority = u64::from_be_bytes([0, 0, a, b, c, d, e, g]);
        write!(f, "S-{revision}-")?;
        if authority >> 32 == 0 {
            write!(f, "{authority}")?;
        } else {
            write!(f, "{authority:#x}")?;
        }
        subs.chunks_exact(4).try_for_each(|sub| write!(f, "-{}", u32_at(sub, 0)))
    }
}

/// Returns how many bytes the SID at the start of `bytes` takes; `None` if its head is missing or counts more than 15
/// sub-authorities.
pub fn sid_len(bytes: &[u8]) -> Option<usize> {
    let [_, count, ..] = bytes else { return None };
    (*count <= 15).then_some(8 + 4 * usize::from(*count))
}

/// Finds a MOF SID: it is either a lone zero `u32`, or a `TOKEN_USER` image of two pointers and then the SID. Some writers
/// clear the pointers: then what follows them must be a SID of a known authority.
///
/// Returns the bytes taken in all and the SID's own start, or `None` if it does not fit.
pub fn wrapped_sid(bytes: &[u8], pointer: PointerSize) -> Option<(usize, Option<usize>)> {
    let start = 2 * pointer.bytes();
    // Revision 1 is the only one in use, so it distinguishes a SID from the data that other versions have here.
    let sid = || Sid::new(bytes.get(start..)?).filter(|sid| sid.as_bytes().first() == Some(&1));
    let found = |sid: Sid<'_>| (start + sid.as_bytes().len(), Some(start));
    if bytes.get(..4)? != [0; 4] {
        return sid().map(found);
    }
    let is_cleared = bytes.get(..start).is_some_and(|user| user.iter().all(|byte| *byte == 0));
    let cleared = if is_cleared { sid().filter(has_known_authority) } else { None };
    Some(cleared.map_or((4, None), found))
}

/// Whether a SID has sub-authorities of one of the authorities of Windows, which take one of six bytes.
fn has_known_authority(sid: &Sid<'_>) -> bool {
    let [_, count, 0, 0, 0, 0, 0, authority, ..] = sid.as_bytes() else { return false };
    *count > 0 && *authority > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_system() {
        let bytes = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0, 0xAA];
        assert_eq!(Sid::new(&bytes).unwrap().to_string(), "S-1-5-18");
        assert!(Sid::new(&bytes[..11]).is_none());
    }

    #[test]
    fn a_mof_sid_is_empty_or_follows_a_token_user() {
        assert_eq!(wrapped_sid(&[0; 8], PointerSize::Eight), Some((4, None)));
        let mut bytes = vec![0xCC; 16];
        bytes.extend([1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0]);
        assert_eq!(wrapped_sid(&bytes, PointerSize::Eight), Some((28, Some(16))));
        assert_eq!(wrapped_sid(&bytes[..20], PointerSize::Eight), None);
        bytes[..16].fill(0);
        assert_eq!(wrapped_sid(&bytes, PointerSize::Eight), Some((28, Some(16))));
        assert_eq!(wrapped_sid(&bytes[8..], PointerSize::Four), Some((20, Some(8))));
        assert_eq!(wrapped_sid(&bytes[8..], PointerSize::Eight), Some((4, None)));
        bytes[18] = 7;
        assert_eq!(wrapped_sid(&bytes, PointerSize::Eight), Some((4, None)));
    }
}
