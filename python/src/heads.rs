//! The members of an event's header that its type decides: read once, and known again by their text.

use hashbrown::HashMap;

use crate::tape::Token;

/// What such members begin with.
pub(crate) const BEGIN: &[u8] = b"\"provider\":\"";
/// Bytes after the beginning by which heads are looked for.
const SAMPLE: usize = 128;
/// Heads that are kept: a crafted trace has any number of them.
const MOST_HEADS: usize = 1 << 12;
/// Heads of the same sample.
const MOST_ALIKE: usize = 16;
/// Bytes of a head that is kept.
const LONGEST: usize = 1 << 10;

/// The heads that one thread has met.
#[derive(Debug, Default)]
pub(crate) struct Heads {
    alike: HashMap<u64, Vec<Head>>,
    count: usize,
}

/// Some members, one after the other.
#[derive(Debug)]
pub(crate) struct Head {
    /// With the byte that ends the last value.
    text: Box<[u8]>,
    /// Names and values, none of which is a place in the lines.
    pub(crate) tokens: Box<[Token]>,
    /// The number of the last name.
    pub(crate) last: u32,
}

impl Head {
    /// Returns the length of the members.
    pub(crate) fn len(&self) -> usize {
        self.text.len() - 1
    }
}

impl Heads {
    /// Returns the head that a line goes on with.
    #[inline]
    pub(crate) fn find(&self, line: &[u8]) -> Option<&Head> {
        self.alike.get(&sample(line)?)?.iter().find(|head| line.starts_with(&head.text))
    }

    /// Keeps a head with the byte after it, if its values stand for themselves.
    pub(crate) fn keep(&mut self, line: &[u8], text: &[u8], tokens: &[Token]) {
        let Some(sample) = sample(line).filter(|_| self.count < MOST_HEADS && text.len() <= LONGEST) else { return };
        let stands = |token: &Token| matches!(token, Token::Key(_) | Token::Shared(_) | Token::Integer(_));
        let last = tokens.iter().rev().find_map(|token| if let Token::Key(key) = token { Some(*key) } else { None });
        let Some(last) = last.filter(|_| tokens.iter().all(stands)) else { return };
        // From here on, an entry that is made gets a head: there are no more entries than heads.
        let alike = self.alike.entry(sample).or_default();
        if alike.len() < MOST_ALIKE {
            alike.push(Head { text: text.into(), tokens: tokens.into(), last });
            self.count += 1;
        }
    }
}

/// Returns a number that lines with different heads hardly share.
#[inline]
fn sample(line: &[u8]) -> Option<u64> {
    let (words, _) = line.get(BEGIN.len()..BEGIN.len() + SAMPLE)?.as_chunks::<8>();
    let add =
        |sum: u64, word: &[u8; 8]| (sum.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Some(words.iter().fold(0, add))
}
