//! Decoders for the three formats, from the description in [MS-XCA], for tests only.

/// Plain LZ77 to `len` bytes; the second value is how many input bytes were read. `Err` has the output so far.
pub(crate) fn xpress(input: &[u8], len: usize) -> Result<(Vec<u8>, usize), Vec<u8>> {
    let mut out = Vec::new();
    unpack_xpress(input, len, &mut out).map(|read| (out.clone(), read)).ok_or(out)
}

fn unpack_xpress(input: &[u8], len: usize, out: &mut Vec<u8>) -> Option<usize> {
    let (mut at, mut flags, mut left, mut nibble_at) = (0, 0u32, 0, None::<usize>);
    while out.len() < len {
        if left == 0 {
            flags = u32::from_le_bytes(input.get(at..at + 4)?.try_into().ok()?);
            (at, left) = (at + 4, 32);
        }
        left -= 1;
        if flags >> left & 1 == 0 {
            out.push(*input.get(at)?);
            at += 1;
            continue;
        }
        let word = usize::from(u16::from_le_bytes(input.get(at..at + 2)?.try_into().ok()?));
        at += 2;
        let mut code = word & 7;
        if code == 7 {
            code = if let Some(place) = nibble_at.take() {
                usize::from(input[place] >> 4)
            } else {
                nibble_at = Some(at);
                at += 1;
                usize::from(*input.get(at - 1)? & 15)
            };
            if code == 15 {
                code = usize::from(*input.get(at)?);
                at += 1;
                if code == 255 {
                    code = usize::from(u16::from_le_bytes(input.get(at..at + 2)?.try_into().ok()?));
                    at += 2;
                    if code == 0 {
                        code = u32::from_le_bytes(input.get(at..at + 4)?.try_into().ok()?) as usize;
                        at += 4;
                    }
                    code -= 22;
                }
                code += 15;
            }
            code += 7;
        }
        copy(out, (word >> 3) + 1, code + 3)?;
    }
    (out.len() == len).then_some(at)
}

/// XPRESS-Huffman to `len` bytes.
pub(crate) fn huffman(input: &[u8], len: usize) -> Option<Vec<u8>> {
    let (mut out, mut at) = (Vec::new(), 0);
    while out.len() < len {
        at = huffman_block(input, at, len, &mut out)?;
    }
    (out.len() == len).then_some(out)
}

fn huffman_block(input: &[u8], start: usize, len: usize, out: &mut Vec<u8>) -> Option<usize> {
    let lengths: Vec<u8> = input.get(start..start + 256)?.iter().flat_map(|b| [b & 15, b >> 4]).collect();
    let mut table = Vec::with_capacity(1 << 15);
    for bits in 1..=15u8 {
        for symbol in (0..512).filter(|&s| lengths[s] == bits) {
            table.extend(std::iter::repeat_n(symbol, 1 << (15 - bits)));
        }
    }
    assert_eq!(table.len(), 1 << 15, "the code is complete");
    let word = |at: usize| input.get(at..at + 2).map_or(0, |b| u32::from(u16::from_le_bytes([b[0], b[1]])));
    let mut at = start + 256;
    let mut next = word(at) << 16 | word(at + 2);
    at += 4;
    let mut extra = 16i32;
    let end = (out.len() + 65536).min(len);
    let mut take = |next: &mut u32, at: &mut usize, bits: u32| {
        *next = if bits == 0 { *next } else { *next << bits };
        extra -= bits.cast_signed();
        if extra < 0 {
            *next |= word(*at) << -extra;
            extra += 16;
            *at += 2;
        }
    };
    while out.len() < end {
        let symbol: usize = table[(next >> 17) as usize];
        take(&mut next, &mut at, u32::from(lengths[symbol]));
        if symbol < 256 {
            out.push(u8::try_from(symbol).ok()?);
            continue;
        }
        let (mut length, bits) = ((symbol - 256) % 16, u32::try_from((symbol - 256) / 16).ok()?);
        if length == 15 {
            length = usize::from(*input.get(at)?);
            at += 1;
            if length == 255 {
                length = word(at) as usize;
                at += 2;
                if length == 0 {
                    length = (word(at) | word(at + 2) << 16) as usize;
                    at += 4;
                }
                length -= 15;
            }
            length += 15;
        }
        let rest = if bits == 0 { 0 } else { next >> (32 - bits) };
        take(&mut next, &mut at, bits);
        copy(out, (1 << bits) + rest as usize, length + 3)?;
    }
    Some(at)
}

/// LZNT1.
pub(crate) fn lznt1(input: &[u8], len: usize) -> Option<Vec<u8>> {
    let (mut out, mut at) = (Vec::new(), 0);
    while out.len() < len {
        let header = u16::from_le_bytes(input.get(at..at + 2)?.try_into().ok()?);
        assert_eq!(header >> 12 & 7, 3);
        let body = input.get(at + 2..at + 3 + usize::from(header & 0xfff))?;
        at += 2 + body.len();
        if header & 0x8000 == 0 {
            out.extend_from_slice(body);
        } else {
            lznt1_chunk(body, &mut out)?;
        }
    }
    (out.len() == len && at == input.len()).then_some(out)
}

fn lznt1_chunk(body: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let (start, mut at) = (out.len(), 0);
    while at < body.len() {
        let flags = body[at];
        at += 1;
        for bit in 0..8 {
            if at >= body.len() {
                break;
            }
            if flags >> bit & 1 == 0 {
                out.push(body[at]);
                at += 1;
                continue;
            }
            let word = usize::from(u16::from_le_bytes(body.get(at..at + 2)?.try_into().ok()?));
            at += 2;
            let mut distance_bits = 4;
            let mut position = out.len() - start - 1;
            while position >= 16 {
                (distance_bits, position) = (distance_bits + 1, position >> 1);
            }
            copy(out, (word >> (16 - distance_bits)) + 1, (word & (0xffff >> distance_bits)) + 3)?;
        }
    }
    Some(())
}

fn copy(out: &mut Vec<u8>, distance: usize, length: usize) -> Option<()> {
    let from = out.len().checked_sub(distance)?;
    (from..from + length).for_each(|at| out.push(out[at]));
    Some(())
}

/// Returns the words of section 17; all of the input is one stream.
pub(crate) fn ulz(input: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < input.len() {
        let token = usize::from(input[at]);
        at += 1;
        let more = |at: &mut usize| {
            let (mut sum, mut shift) = (0, 0);
            loop {
                let byte = usize::from(input[*at]);
                *at += 1;
                sum += byte << shift;
                shift += 7;
                if byte < 128 {
                    return sum;
                }
            }
        };
        if token >= 32 {
            let run = (token >> 5) + if token >> 5 == 7 { more(&mut at) } else { 0 };
            out.extend_from_slice(&input[at..at + run]);
            at += run;
            if at == input.len() {
                break;
            }
        }
        let len = (token & 15) + if token & 15 == 15 { more(&mut at) } else { 0 } + 4;
        let distance = (token & 16) << 12 | usize::from(input[at]) | usize::from(input[at + 1]) << 8;
        at += 2;
        for _ in 0..len {
            out.push(out[out.len() - distance]);
        }
    }
    out
}
