//! The tokens of plain LZ77 in whole blocks of bytes.
//!
//! What makes it fast is that few values live in the loop, all of them in registers, and that few checks are left. The
//! output is a [`Window`] of constant size. One comparison per turn keeps a literal run and the longest match within
//! it, and places in it are masked, so that the compiler needs no check for a block and, as it knows the comparison, no
//! mask either. One check covers all reads of a turn from the input, a slice that becomes shorter. A turn changes the
//! state only where nothing can fail any more, and so no copy of an earlier state is kept.

use super::state::{NIBBLE, State, with_end};
use super::window::{FAR, MATCH_ROOM, REACH, SPAN, Window, copy, far_match, near_match, put};

/// Decodes tokens as long as there is slack on both sides and nothing unusual occurs. Leaves
/// `state` before the first token it did not take; output after `state.written` may be scribbled on.
pub(super) fn tokens(state: &mut State, input: &[u8], output: &mut [u8]) {
    let Some(last) = output.len().checked_sub(size_of::<Window>()) else {
        return short_output(state, input, output);
    };
    loop {
        let base = state.written.saturating_sub(REACH).min(last);
        let Some(window) = output.get_mut(base..).and_then(|rest| rest.first_chunk_mut()) else { return };
        tokens_of_window(state, input, (base, window), LIMIT);
        let is_used_up = state.written - base > LIMIT;
        if !is_used_up || base == last {
            return;
        }
    }
}

/// Decodes tokens of an output that is shorter than a window into a window of its own.
fn short_output(state: &mut State, input: &[u8], output: &mut [u8]) {
    let start = state.written;
    if output.len() - start < LEAST || input.len().saturating_sub(state.read) < LEAST / 2 {
        return;
    }
    #[expect(clippy::large_stack_arrays, reason = "16 KB")]
    let mut window: Window = [0; size_of::<Window>()];
    let known = window.iter_mut().zip(output.iter());
    known.take(start).for_each(|(slot, byte)| *slot = *byte);
    tokens_of_window(state, input, (0, &mut window), output.len() - SLACK);
    let made = output.iter_mut().zip(&window).take(state.written);
    made.skip(start).for_each(|(slot, byte)| *slot = *byte);
}

/// Decodes tokens into a window that begins at a place of the output, up to a place of the window.
#[inline(never)]
fn tokens_of_window(state: &mut State, input: &[u8], (base, window): (usize, &mut Window), limit: usize) {
    let Some(rest) = input.get(state.read..) else { return };
    // Said again, for the compiler.
    let limit = limit.min(LIMIT);
    let mut tokens = Tokens { rest, written: state.written - base, flags: state.flags, nibble: state.nibble };
    while tokens.next(window, limit).is_some() {}
    let Tokens { rest, written, flags, nibble } = tokens;
    *state = State { read: input.len() - rest.len(), written: base + written, flags, nibble };
}

/// A [`State`] whose input is what is left of it, and whose output is a window.
struct Tokens<'i> {
    rest: &'i [u8],
    written: usize,
    flags: u64,
    nibble: usize,
}

impl Tokens<'_> {
    /// Takes a run of literals, which may be empty, and what follows it: a match, or a new flag word. `None` if that
    /// is unusual, or if there is too little slack.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: the state must stay in registers")]
    fn next(&mut self, window: &mut Window, limit: usize) -> Option<()> {
        let ahead: &[u8; IN_SLACK] = self.rest.first_chunk()?;
        if self.written > limit {
            return None;
        }
        // Flags of literals are 0, so the leading zeros count them; the 1 that closes the flags ends the run, which is
        // of 32 at most. The mask states to the compiler that it is within the slack, the 1 that there is an end.
        let run = (self.flags | 1).leading_zeros() as usize & ZEROS_MASK;
        put::<8>(window, self.written, *ahead.first_chunk()?);
        if run > 8 {
            put::<32>(window, self.written, *ahead.first_chunk()?);
        }
        let (at, flags) = (self.written + run, self.flags << run << 1);
        let behind: &[u8; 4] = ahead.get(run..)?.first_chunk()?;
        if flags == 0 {
            self.rest = self.rest.get(run + 4..)?;
            self.flags = with_end(u32::from_le_bytes(*behind));
            self.written = at;
            return Some(());
        }
        let token = usize::from(u16::from_le_bytes(*behind.first_chunk()?));
        let distance = (token >> 3) + 1;
        let from = at.checked_sub(distance)?;
        let (mut used, mut length) = (run + 2, (token & 7) + 3);
        if length == 7 + 3 {
            // The waiting nibble, or else the lower one of the next byte, is taken without a branch, because the two
            // cases alternate without a pattern that a processor could predict.
            let [_, _, byte, after] = *behind;
            let is_fresh = self.nibble == 0;
            let nibbles = if is_fresh { usize::from(byte) } else { self.nibble };
            used += usize::from(is_fresh);
            length += nibbles & 15;
            if length == 15 + 7 + 3 {
                let more = if is_fresh { after } else { byte };
                if more == 255 {
                    return None;
                }
                used += 1;
                length += usize::from(more);
            }
            // Nothing fails from here on.
            self.nibble = if is_fresh { usize::from(byte) >> 4 | NIBBLE } else { 0 };
            if distance < FAR {
                near_match(window, from, at, length);
            } else {
                far_match(window, from, at, length);
            }
        } else if distance < FAR {
            near_match(window, from, at, length);
        } else {
            copy::<FAR>(window, from, at);
        }
        // Within the slack that was found.
        self.rest = self.rest.get(used..)?;
        self.flags = flags;
        self.written = at + length;
        Some(())
    }
}

/// A mask of the number of leading zeros of flags: there are never more than 32.
const ZEROS_MASK: usize = 63;
/// Input that a turn may read without asking: as many literals as the mask allows, and a flag word or a match with a
/// nibble and a byte.
const IN_SLACK: usize = ZEROS_MASK + 5;
/// Places that a turn may touch: 32 literals and a match.
const SLACK: usize = 32 + MATCH_ROOM;
/// The last place of a window where a turn may begin.
const LIMIT: usize = SPAN - SLACK;
/// Fewer bytes are not worth a window of their own.
const LEAST: usize = 2 * SLACK;
