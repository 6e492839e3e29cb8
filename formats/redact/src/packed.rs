//! Events with packed data of their own: LZNT1 in a payload.

use etwkit::decode::Event;

use crate::region::place_of;

/// Maximum number of bytes of a chunk, unpacked.
const CHUNK: usize = 4_096;
/// Signature of a chunk that is not compressed; the bytes that follow, minus 1, are in the lowest twelve bits.
const STORED: u16 = 0x3000;
/// Bytes of the header of a chunk.
const HEADER: usize = 2;
/// What replaces packed text.
const BLANK: u8 = b' ';

/// Returns the payload of an event whose data had to be unpacked.
pub(crate) fn unpacked<'a>(event: &Event<'a>) -> Option<&'a [u8]> {
    let payload = event.payload();
    let is_plain = payload.is_empty() || place_of(event.raw().bytes(), payload).is_some();
    (!is_plain).then_some(payload)
}

/// Overwrites the packed data of a payload by blanks that unpack. `from` is where it begins; the `u32` before it is its
/// unpacked size.
pub(crate) fn blank(payload: &mut [u8], from: usize) {
    let Some((plain, mut packed)) = payload.split_at_mut_checked(from) else { return };
    let mut size = 0_u32;
    while packed.len() > HEADER {
        let len = (packed.len() - HEADER).min(CHUNK);
        let (chunk, rest) = packed.split_at_mut(HEADER + len);
        if let Some((head, body)) = chunk.split_first_chunk_mut::<HEADER>() {
            *head = (STORED | (len - 1) as u16).to_le_bytes();
            body.fill(BLANK);
        }
        size += len as u32;
        packed = rest;
    }
    packed.fill(0);
    if let Some(place) = plain.last_chunk_mut() {
        *place = size.to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etwkit::compress::lznt1::decompress;

    #[test]
    fn blanks_unpack() {
        for len in [3, 100, 4_098, 4_099, 4_100, 4_101, 10_000] {
            let mut payload = vec![7; 8 + len];
            blank(&mut payload, 8);
            let size = u32::from_le_bytes(payload[4..8].try_into().unwrap()) as usize;
            let mut output = vec![0; size];
            decompress(&payload[8..], &mut output).unwrap();
            assert!(output.iter().all(|byte| *byte == BLANK), "{len}");
            assert!(size + 10 >= len - len / 4_096 * 2 - 2);
        }
    }
}
