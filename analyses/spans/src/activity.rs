//! Activity ids, and the paths that `EventSource` writes in them.

use std::fmt;

use etwkit::bytes::Guid;

/// The sum of an activity path's words starts with it.
const SEED: u32 = 0x599D_99AD;
/// Bits of a checksum that no process id changes: ids are below 2^20.
const WITHOUT_PROCESS: u32 = 0xFFF0_0000;
/// Ends a path.
const END: u8 = 0;
/// The largest number in a nibble of its own.
const LAST_IMMEDIATE: u8 = 0xA;
/// The number after it is one of an overflow.
const PREFIX: u8 = 0xB;
/// From it on, a nibble is a number of bytes.
const ONE_BYTE: u8 = 0xC;

/// An activity id as people read it: `//1/2/3` if it is a path, else a GUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ActivityId(pub Guid);

impl fmt::Display for ActivityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match activity_path(self.0, None) {
            Some(path) => f.write_str(&path),
            None => fmt::Display::fmt(&self.0, f),
        }
    }
}

/// Returns the path that an activity id of `EventSource` contains, such as `//1/2/3`; `None` for every other id.
///
/// The first twelve bytes are a list of numbers, four bits each; the last four are their sum, which runtimes since .NET
/// Framework 4.6.2 combine with the process id by XOR. The numbers are those of the application domain, of the span that
/// started in it, of the span within that one, and so on. A number above 10 is a nibble with the count of its bytes and
/// these bytes, little endian; `$` instead of `/` marks one that stands for a path that was too long.
pub fn activity_path(id: Guid, pid: Option<u32>) -> Option<String> {
    if !is_path(id, pid) {
        return None;
    }
    let mut text = "/".to_owned();
    for (is_overflow, number) in numbers(&id.to_bytes())? {
        text.push(if is_overflow { '$' } else { '/' });
        text.push_str(&number.to_string());
    }
    Some(text)
}

/// Returns whether an activity id is a path. Without a process id, those of all processes count.
pub(crate) fn is_path(id: Guid, pid: Option<u32>) -> bool {
    let bytes = id.to_bytes();
    let mut words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
    let mut word = || words.next().unwrap_or_default();
    let sum = [word(), word(), word()].into_iter().fold(SEED, u32::wrapping_add);
    let check = word();
    let first = bytes.first().copied().unwrap_or(0);
    first != 0
        && match pid {
            Some(pid) => check == sum || check == sum ^ pid,
            None => (check ^ sum) & WITHOUT_PROCESS == 0,
        }
}

/// Returns whether an activity id is that of a task of TPL: its number, the application domain and the process id before
/// four fixed bytes.
pub(crate) fn is_task(id: Guid) -> bool {
    id.to_bytes().ends_with(&[0xFF, 0xDC, 0xD7, 0xB5])
}

/// Reads the numbers of a path, and whether each is one of an overflow.
fn numbers(bytes: &[u8; 16]) -> Option<Vec<(bool, u32)>> {
    let nibble = |place: usize| {
        let byte = bytes.get(..12)?.get(place / 2)?;
        Some(if place.is_multiple_of(2) { byte >> 4 } else { byte & 0xF })
    };
    let (mut found, mut place) = (Vec::new(), 0);
    while let Some(first) = nibble(place) {
        let mut code = first;
        match code {
            END => break,
            1..=LAST_IMMEDIATE => {
                found.push((false, u32::from(code)));
                place += 1;
                continue;
            }
            PREFIX => {
                place += 1;
                let Some(next) = nibble(place) else { break };
                code = next;
            }
            _ => {}
        }
        let count = usize::from(code.checked_sub(ONE_BYTE)?) + 1;
        // The other half of the byte, if the code is in its first half, has the highest bits.
        let high = if place.is_multiple_of(2) { nibble(place + 1)? } else { 0 };
        let start = place / 2 + 1;
        let Some(value) = bytes.get(..12)?.get(start..start + count) else { break };
        let number = value.iter().rev().fold(u32::from(high), |number, byte| number << 8 | u32::from(*byte));
        found.push((first == PREFIX, number));
        place = (start + count) * 2;
    }
    Some(found)
}

/// Returns the ids of the paths that a path continues, the longest first, for paths of numbers up to 10: the last nibble
/// is cleared and the sum is made again. Runtimes that combine it with the process id do so here.
pub(crate) fn ancestors(id: Guid) -> impl Iterator<Item = Guid> {
    let bytes = id.to_bytes();
    let is_short = numbers(&bytes).is_some_and(|list| list.iter().all(|(_, number)| *number <= LAST_IMMEDIATE.into()));
    let length = numbers(&bytes).filter(|_| is_short && is_path(id, None)).map_or(0, |list| list.len());
    (1..length).rev().map(move |count| cut(bytes, count))
}

/// Keeps the first numbers of a path.
fn cut(mut bytes: [u8; 16], count: usize) -> Guid {
    let combined = sum(&bytes) ^ check(&bytes);
    for (place, byte) in bytes.iter_mut().take(12).enumerate() {
        *byte &= match count.saturating_sub(place * 2) {
            0 => 0,
            1 => 0xF0,
            _ => 0xFF,
        };
    }
    let sum = sum(&bytes) ^ combined;
    if let Some(end) = bytes.last_chunk_mut::<4>() {
        *end = sum.to_le_bytes();
    }
    Guid::from_bytes(bytes)
}

fn sum(bytes: &[u8; 16]) -> u32 {
    let words = bytes.as_chunks::<4>().0.iter().take(3);
    words.map(|word| u32::from_le_bytes(*word)).fold(SEED, u32::wrapping_add)
}

fn check(bytes: &[u8; 16]) -> u32 {
    bytes.last_chunk::<4>().map_or(0, |end| u32::from_le_bytes(*end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guid(text: &str) -> Guid {
        text.parse().unwrap()
    }

    #[test]
    fn paths_are_read_as_perfview_prints_them() {
        // Of a trace of process 2140.
        let id = guid("00001011-0000-0000-0000-0000e2a19d59");
        assert_eq!(activity_path(id, Some(2140)).as_deref(), Some("//1/1/1"));
        assert_eq!(activity_path(id, None).as_deref(), Some("//1/1/1"));
        assert_eq!(activity_path(id, Some(2141)), None);
        assert_eq!(ancestors(id).next(), Some(guid("00000011-0000-0000-0000-0000e2919d59")));
        assert_eq!(activity_path(guid("00000006-0001-0000-940f-0000ffdcd7b5"), None), None);
    }

    #[test]
    fn large_numbers_have_bytes_of_their_own() {
        let with = |path: [u8; 12]| {
            let mut bytes = [0; 16];
            bytes[..12].copy_from_slice(&path);
            let end = sum(&bytes).to_le_bytes();
            bytes[12..].copy_from_slice(&end);
            Guid::from_bytes(bytes)
        };
        let path = |bytes| activity_path(with(bytes), Some(7)).unwrap();
        // 1, then one byte 0x2A; the second code begins in the first half of its byte.
        assert_eq!(path([0x1C, 0x2A, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), "//1/42");
        assert_eq!(path([0x11, 0xC0, 0x2A, 0x50, 0, 0, 0, 0, 0, 0, 0, 0]), "//1/1/42/5");
        assert_eq!(path([0x1B, 0xD0, 0x34, 0x12, 0, 0, 0, 0, 0, 0, 0, 0]), "//1$4660");
        // What is cut off ends it.
        assert_eq!(
            path([0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1C]),
            format!("/{}", "/1".repeat(23))
        );
    }
}
