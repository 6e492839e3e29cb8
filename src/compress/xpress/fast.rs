//! The tokens of plain LZ77 in whole blocks of bytes.
//!
//! What makes it fast is that few values live in the loop, all of them in registers. Each half of a turn, a run of literals
//! and the match behind it, therefore changes the state only after nothing can fail any more, and no copy of an earlier
//! state is kept. The input is a slice that becomes shorter, of which one check covers all reads of a turn; matches that
//! are rare are copied by functions of their own.

use super::state::{NIBBLE, State, with_end};

/// Decodes tokens as long as there is slack on both sides and nothing unusual occurs. Leaves
/// `state` before the first token it did not take; output behind `state.written` may be scribbled on.
#[inline(never)]
pub(super) fn tokens(state: &mut State, input: &[u8], output: &mut [u8]) {
    let Some(rest) = input.get(state.read..) else { return };
    let mut tokens = Tokens { rest, written: state.written, flags: state.flags, nibble: state.nibble };
    while tokens.literals(output).is_some() && tokens.next(output).is_some() {}
    let Tokens { rest, written, flags, nibble } = tokens;
    *state = State { read: input.len() - rest.len(), written, flags, nibble };
}

/// A [`State`] whose input is what is left of it.
struct Tokens<'i> {
    rest: &'i [u8],
    written: usize,
    flags: u64,
    nibble: usize,
}

impl Tokens<'_> {
    /// Takes a run of literals, which may be empty. `None` if there is too little slack for it and for the token behind.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: the state must stay in registers")]
    fn literals(&mut self, output: &mut [u8]) -> Option<()> {
        let ahead: &[u8; IN_SLACK] = self.rest.first_chunk()?;
        let room: &mut [u8; OUT_SLACK] = output.get_mut(self.written..)?.first_chunk_mut()?;
        // Flags of literals are 0, so the leading zeros count them; the 1 that closes the flags ends the run, which is
        // of 32 at most. The mask says to the compiler that it is within the slack.
        let run = self.flags.leading_zeros() as usize & ZEROS_MASK;
        *room.first_chunk_mut::<8>()? = *ahead.first_chunk()?;
        if run > 8 {
            *room.first_chunk_mut::<32>()? = *ahead.first_chunk()?;
        }
        self.rest = self.rest.get(run..)?;
        self.flags <<= run;
        self.written += run;
        Some(())
    }

    /// Takes what is behind a run of literals: a match, or a new flag word. `None` if it is unusual.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: the state must stay in registers")]
    fn next(&mut self, output: &mut [u8]) -> Option<()> {
        let ahead: &[u8; 4] = self.rest.first_chunk()?;
        // The first flag is a 1: a match, or the end mark, behind which nothing is left.
        let flags = self.flags << 1;
        if flags == 0 {
            self.rest = self.rest.get(4..)?;
            self.flags = with_end(u32::from_le_bytes(*ahead));
            return Some(());
        }
        let token = usize::from(u16::from_le_bytes(*ahead.first_chunk()?));
        let (distance, length) = ((token >> 3) + 1, (token & 7) + 3);
        if length == 7 + 3 {
            return self.long(output, flags, distance);
        }
        if distance < 16 {
            near_match(output, self.written, distance, length)?;
        } else {
            far_block::<16>(output, self.written, distance)?;
        }
        self.rest = self.rest.get(2..)?;
        self.flags = flags;
        self.written += length;
        Some(())
    }

    /// Takes a match whose length needs a nibble and perhaps a byte. `None` if it needs more.
    ///
    /// The waiting nibble, or else the lower one of the next byte, is taken without a branch, because the two cases
    /// alternate without a pattern that a processor could predict.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: the state must stay in registers")]
    fn long(&mut self, output: &mut [u8], flags: u64, distance: usize) -> Option<()> {
        let [_, _, byte, after] = *self.rest.first_chunk()?;
        let is_fresh = self.nibble == 0;
        let nibbles = if is_fresh { usize::from(byte) } else { self.nibble };
        let (mut used, mut length) = (2 + usize::from(is_fresh), (nibbles & 15) + 7 + 3);
        if length == 15 + 7 + 3 {
            let more = if is_fresh { after } else { byte };
            if more == 255 {
                return None;
            }
            used += 1;
            length += usize::from(more);
        }
        if distance < BLOCK {
            near_match(output, self.written, distance, length)?;
        } else {
            far_block::<BLOCK>(output, self.written, distance)?;
            if length > BLOCK {
                far_blocks(output, self.written, distance, length)?;
            }
        }
        self.rest = self.rest.get(used..)?;
        self.nibble = if is_fresh { usize::from(byte) >> 4 | NIBBLE } else { 0 };
        self.flags = flags;
        self.written += length;
        Some(())
    }
}

/// Copies `N` bytes to a place from a distance of at least so many.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is some five instructions")]
fn far_block<const N: usize>(output: &mut [u8], to: usize, distance: usize) -> Option<()> {
    let (done, room) = output.split_at_mut_checked(to)?;
    let from = done.len().checked_sub(distance)?;
    *room.first_chunk_mut::<N>()? = *done.get(from..)?.first_chunk()?;
    Some(())
}

/// Copies what is behind the first block of a match whose distance is that of a block at least, and junk behind it.
#[inline(always)]
#[expect(clippy::inline_always, reason = "measured: half of the long matches have one more block")]
fn far_blocks(output: &mut [u8], to: usize, distance: usize, length: usize) -> Option<()> {
    let span = output.get_mut(to.checked_sub(distance)?..)?;
    let mut done = BLOCK;
    while done < length {
        let block: [u8; BLOCK] = *span.get(done..)?.first_chunk()?;
        *span.get_mut(distance + done..)?.first_chunk_mut()? = block;
        done += BLOCK;
    }
    Some(())
}

/// Copies a match whose distance is less than a block, and junk behind it: as many bytes at once as can be without
/// reading one that is yet to be written.
#[inline(never)]
fn near_match(output: &mut [u8], to: usize, distance: usize, length: usize) -> Option<()> {
    let span = output.get_mut(to.checked_sub(distance)?..)?;
    if distance < 8 {
        return repeat(span, distance, length);
    }
    let mut done = 0;
    while done < length {
        let block: [u8; 8] = *span.get(done..)?.first_chunk()?;
        *span.get_mut(distance + done..)?.first_chunk_mut()? = block;
        done += 8;
    }
    Some(())
}

/// Copies a match with a distance below 8, from the start of `span` to that distance: the bytes of the distance are
/// repeated throughout a register, which is then written at every multiple of the distance that it fills.
fn repeat(span: &mut [u8], distance: usize, length: usize) -> Option<()> {
    let (factor, step) = *REPEAT.get(distance)?;
    let known = u64::from_le_bytes(*span.first_chunk()?) & ((1 << (8 * distance)) - 1);
    let pattern = known.wrapping_mul(factor).to_le_bytes();
    let mut done = 0;
    while done < length {
        *span.get_mut(distance + done..)?.first_chunk_mut()? = pattern;
        done += step;
    }
    Some(())
}

/// For each distance below 8: the factor which repeats that many bytes throughout a `u64`, and the
/// greatest multiple of the distance which is not above 8.
const REPEAT: [(u64, usize); 8] = [
    (0, 1),
    (0x0101_0101_0101_0101, 8),
    (0x0001_0001_0001_0001, 8),
    (0x0001_0000_0100_0001, 6),
    (0x0000_0001_0000_0001, 8),
    (0x0000_0100_0000_0001, 5),
    (0x0001_0000_0000_0001, 6),
    (0x0100_0000_0000_0001, 7),
];

/// Bytes that are copied at once of a match that is long and far away.
const BLOCK: usize = 32;
/// A mask of the number of leading zeros of flags: there are never more than 32.
const ZEROS_MASK: usize = 63;
/// Input that a turn may read without asking: as many literals as the mask allows, and a flag word or a match with a
/// nibble and a byte.
const IN_SLACK: usize = ZEROS_MASK + 5;
/// Output that a turn may scribble on without asking: 32 literals and a block.
const OUT_SLACK: usize = 64;
