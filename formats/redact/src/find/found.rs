//! What was found, and where.

use std::cmp::Reverse;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use crate::address::is_mixed;
use crate::coding::Coding;
use crate::kind::Kind;
use crate::sid::AccountSid;

/// A secret in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where it is.
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
    pub(crate) form: Form,
    /// Whether its text is looked for everywhere.
    pub(crate) spreads: bool,
}

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As text.
    Text(Coding),
    /// As text with `%20` for spaces.
    Encoded(Coding),
    /// Four bytes in network order.
    Ipv4,
    /// Sixteen bytes in network order.
    Ipv6,
    /// A binary SID.
    Sid,
    /// The bytes of the address of a network adapter.
    Mac,
}

impl Form {
    /// Returns the coding of text.
    pub(crate) const fn coding(self) -> Option<Coding> {
        match self {
            Self::Text(coding) | Self::Encoded(coding) => Some(coding),
            _ => None,
        }
    }
}

/// What a secret states, however it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Text(String),
    /// With `%20` for spaces.
    Encoded(String),
    Ipv4(Ipv4Addr),
    /// With its text, because there are several for an address.
    Ipv6(Ipv6Addr, String),
    /// With its text.
    Sid(AccountSid, String),
    /// With its text.
    Mac(Vec<u8>, String),
}

impl Content {
    /// Returns a text that is the same for all forms.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Encoded(text) => text.replace("%20", " "),
            Self::Ipv4(address) => address.to_string(),
            // Decimal numbers have other lengths than the groups that they stand for, and so another pseudonym.
            Self::Ipv6(address, form) if is_mixed(*address, form) => form.to_lowercase(),
            Self::Ipv6(address, _) => address.to_string(),
            Self::Sid(sid, _) => sid.to_text(),
            Self::Mac(bytes, _) => mac_text(bytes),
        }
    }
}

impl Found {
    pub(crate) const fn new(range: Range<usize>, kind: Kind, form: Form) -> Self {
        Self { range, kind, form, spreads: false }
    }

    /// Returns what it states; `bytes` are those in which it was found.
    pub(crate) fn content(&self, bytes: &[u8]) -> Content {
        let bytes = bytes.get(self.range.clone()).unwrap_or_default();
        let known = match self.form {
            Form::Ipv4 => bytes.first_chunk::<4>().map(|octets| Content::Ipv4((*octets).into())),
            Form::Ipv6 => bytes.first_chunk::<16>().map(|octets| {
                let address = Ipv6Addr::from(*octets);
                Content::Ipv6(address, address.to_string())
            }),
            Form::Sid => AccountSid::read(bytes).map(|sid| {
                let text = sid.to_text();
                Content::Sid(sid, text)
            }),
            Form::Mac => Some(Content::Mac(bytes.to_vec(), mac_text(bytes))),
            Form::Encoded(coding) => Some(Content::Encoded(coding.decode(bytes))),
            Form::Text(coding) => Some(self.of_text(coding.decode(bytes))),
        };
        known.unwrap_or_else(|| Content::Text(Coding::Latin1.decode(bytes)))
    }

    fn of_text(&self, text: String) -> Content {
        match self.kind {
            Kind::Address => match (text.parse::<Ipv4Addr>(), text.parse::<Ipv6Addr>()) {
                (Ok(address), _) => Content::Ipv4(address),
                (_, Ok(address)) => Content::Ipv6(address, text),
                _ => match mac_of(&text) {
                    Some(bytes) => Content::Mac(bytes, text),
                    None => Content::Text(text),
                },
            },
            Kind::Sid => match AccountSid::parse(&text) {
                Some(sid) => Content::Sid(sid, text),
                None => Content::Text(text),
            },
            _ => Content::Text(text),
        }
    }

    /// Writes a content in the form of this one.
    pub(crate) fn bytes(&self, content: &Content) -> Vec<u8> {
        match (self.form.coding(), content) {
            (Some(coding), Content::Text(text) | Content::Encoded(text)) => coding.encode(text),
            (Some(coding), Content::Ipv4(address)) => coding.encode(&address.to_string()),
            (Some(coding), Content::Ipv6(_, form) | Content::Sid(_, form) | Content::Mac(_, form)) => {
                coding.encode(form)
            }
            (None, Content::Ipv4(address)) => address.octets().to_vec(),
            (None, Content::Ipv6(address, _)) => address.octets().to_vec(),
            (None, Content::Sid(sid, _)) => sid.to_bytes(),
            (None, Content::Mac(bytes, _)) => bytes.clone(),
            (None, Content::Text(text) | Content::Encoded(text)) => Coding::Latin1.encode(text),
        }
    }

    /// Takes a part. What is cut is text, whatever it was.
    pub(crate) fn within(mut self, part: Range<usize>) -> Self {
        let is_even_place = part.start.abs_diff(self.range.start).is_multiple_of(2);
        self.range = part;
        let is_even = self.range.len().is_multiple_of(2);
        let coding = match self.form.coding() {
            Some(Coding::Utf16Big) if is_even && is_even_place => Coding::Utf16Big,
            Some(Coding::Utf16) if is_even => Coding::Utf16,
            Some(Coding::Utf16Short) if !is_even => Coding::Utf16Short,
            _ => Coding::Latin1,
        };
        Self { form: Form::Text(coding), spreads: false, ..self }
    }
}

/// Sorts what was found. Of what overlaps, the first and longest stays whole, and of others what follows it, so that
/// the same bytes are covered as before.
pub(crate) fn without_overlaps(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|found| (found.range.start, Reverse(found.range.end)));
    let mut end = 0;
    let mut kept: Vec<Found> = Vec::with_capacity(found.len());
    for found in found {
        if found.range.end <= end || found.range.is_empty() {
            continue;
        }
        let whole = found.range.start >= end;
        let start = found.range.start.max(end);
        end = found.range.end;
        kept.push(if whole { found } else { found.within(start..end) });
    }
    kept
}

/// Returns the usual text of the address of an adapter.
pub(crate) fn mac_text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join("-")
}

/// Reads the address of an adapter: twelve hexadecimal digits with or without separators.
pub(crate) fn mac_of(text: &str) -> Option<Vec<u8>> {
    let digits: String = text.chars().filter(|c| !matches!(c, '-' | ':')).collect();
    let pairs = digits.as_bytes().as_chunks::<2>().0.iter();
    let bytes: Option<Vec<u8>> =
        pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect();
    bytes.filter(|bytes| bytes.len() == 6 && digits.len() == 12)
}
