//! Which pseudonym each secret has.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::address;
use crate::coding::fold;
use crate::error::{Error, Result};
use crate::find::{Content, Found};
use crate::key::Key;
use crate::kind::Kind;
use crate::limits::{LONGEST_PIECE, MOST_ATTEMPTS, MOST_SECRET_BYTES, MOST_SECRETS};
use crate::pseudonym;

/// A secret and its pseudonym, for the owner of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Secret {
    /// The secret, in lower case.
    pub text: String,
    /// What replaces it.
    pub pseudonym: String,
    /// What it is; of what is several things, the first one found.
    pub kind: Kind,
    /// How often it was replaced.
    pub count: u64,
}

/// Gives secrets their pseudonyms, and keeps both.
#[derive(Debug)]
pub(crate) struct Naming {
    key: Key,
    known: BTreeMap<String, Known>,
    bytes: usize,
    /// Texts that the output may have.
    made: HashSet<String>,
    /// Words of the user's list that were replaced in descriptions of events.
    described: BTreeSet<String>,
}

#[derive(Debug)]
struct Known {
    kind: Kind,
    pseudonym: String,
    count: u64,
}

impl Naming {
    pub(crate) fn new(key: Key) -> Self {
        Self { key, known: BTreeMap::new(), bytes: 0, made: HashSet::new(), described: BTreeSet::new() }
    }

    /// Enters a secret, before any of them gets its pseudonym.
    pub(crate) fn enter(&mut self, kind: Kind, text: &str) -> Result<()> {
        let text = fold(text);
        if self.known.contains_key(&text) {
            return Ok(());
        }
        self.bytes += 2 * text.len();
        if self.known.len() >= MOST_SECRETS {
            return Err(Error::Limit { what: "entries", limit: MOST_SECRETS });
        }
        if self.bytes > MOST_SECRET_BYTES {
            return Err(Error::Limit { what: "bytes of text", limit: MOST_SECRET_BYTES });
        }
        self.known.insert(text, Known { kind, pseudonym: String::new(), count: 0 });
        Ok(())
    }

    /// Returns the bytes that replace what was found, as many as it has.
    pub(crate) fn replace(&mut self, found: &Found, bytes: &[u8]) -> Result<Vec<u8>> {
        let old = found.content(bytes);
        let text = old.text();
        self.enter(found.kind, &text)?;
        let new = self.pseudonym(&old);
        if let Some(known) = self.known.get_mut(&fold(&text)) {
            known.count += 1;
            if known.pseudonym.is_empty() {
                known.pseudonym = fold(&new.text());
            }
        }
        Ok(found.bytes(&new))
    }

    /// Notes a text that the output has where a secret was.
    pub(crate) fn note_made(&mut self, text: &str) {
        let text = fold(text);
        if !self.made.contains(&text) {
            self.made.insert(text);
        }
    }

    /// Returns whether a text of the output is there by [`Naming::note_made`].
    pub(crate) fn is_made(&self, text: &str) -> bool {
        self.made.contains(&fold(text))
    }

    /// Notes a word of the user's list that a description of events has.
    pub(crate) fn note_described(&mut self, text: &str) {
        self.described.insert(fold(text));
    }

    /// Returns the words that were noted by [`Naming::note_described`], sorted.
    pub(crate) fn described(&self) -> impl Iterator<Item = &str> {
        self.described.iter().map(String::as_str)
    }

    /// Returns whether a secret was replaced.
    pub(crate) fn has_replaced(&self, text: &str) -> bool {
        self.known.get(&fold(text.trim())).is_some_and(|known| known.count > 0)
    }

    /// Returns all secrets that were replaced, sorted by their texts.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = Secret> {
        let replaced = self.known.iter().filter(|(_, known)| known.count > 0);
        replaced.map(|(text, known)| Secret {
            text: text.clone(),
            pseudonym: known.pseudonym.clone(),
            kind: known.kind,
            count: known.count,
        })
    }

    /// Returns a pseudonym. Each label of the name of a host or domain has one of its own, so that a short name has that with
    /// which the long one begins.
    fn pseudonym(&self, old: &Content) -> Content {
        match old {
            Content::Text(text) if text.contains('.') && self.is_host(text) => {
                let label = |label: &str| self.free(&Content::Text(label.to_owned())).text();
                Content::Text(text.split('.').map(label).collect::<Vec<_>>().join("."))
            }
            other => self.free(other),
        }
    }

    fn is_host(&self, text: &str) -> bool {
        self.known.get(&fold(text)).is_some_and(|known| matches!(known.kind, Kind::Machine | Kind::Domain))
    }

    /// Returns the first pseudonym that is not a secret of this trace.
    fn free(&self, old: &Content) -> Content {
        let attempts = (0..MOST_ATTEMPTS).map(|attempt| self.attempt(old, attempt));
        let mut last = None;
        for made in attempts {
            if !self.known.contains_key(&fold(&made.text())) {
                return made;
            }
            last = Some(made);
        }
        last.unwrap_or_else(|| old.clone())
    }

    fn attempt(&self, old: &Content, attempt: u32) -> Content {
        let key = &self.key;
        match old {
            Content::Text(text) => Content::Text(of_pieces(key, text, attempt)),
            Content::Encoded(text) => {
                Content::Encoded(of_pieces(key, &text.replace("%20", " "), attempt).replace(' ', "%20"))
            }
            Content::Ipv4(address) => Content::Ipv4(address::ipv4(key, *address, attempt)),
            Content::Ipv6(address, form) => {
                let made = address::ipv6_of(key, *address, form, attempt);
                Content::Ipv6(made, address::ipv6_text(form, made))
            }
            Content::Sid(sid, form) => {
                let made = sid.pseudonym(key, attempt);
                Content::Sid(made.clone(), with_case_of(form, &made.to_text()))
            }
            Content::Mac(bytes, form) => {
                let made = address::mac(key, bytes);
                let form = address::mac_form(form, &made);
                Content::Mac(made, form)
            }
        }
    }
}

/// Returns the pseudonym of a text; that of a long one consists of those of its pieces, each of which is a word.
fn of_pieces(key: &Key, text: &str, attempt: u32) -> String {
    pieces(text).map(|piece| pseudonym::of_text(key, piece, attempt)).collect()
}

/// Cuts a long text.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = (0..=rest.len().min(LONGEST_PIECE)).rev().find(|end| rest.is_char_boundary(*end))?;
        let (piece, behind) = rest.split_at_checked(end).filter(|(piece, _)| !piece.is_empty())?;
        rest = behind;
        Some(piece)
    })
}

/// `S` is the only letter of a SID.
fn with_case_of(form: &str, text: &str) -> String {
    if form.starts_with('s') { text.to_ascii_lowercase() } else { text.to_owned() }
}
