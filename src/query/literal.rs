//! The right side of a comparison.

use std::cmp::Ordering;
use std::fmt;
use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;

use crate::bytes::Guid;
use crate::select::{fold, same, write_quoted};
use crate::time::FileTime;

use super::numeral::Numeral;

/// The right side of a comparison: a text, and its other possible meanings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Literal {
    text: Box<str>,
    quoted: bool,
    number: Option<Numeral>,
    /// Whether the number is what the text stands for, and the text is not one of digits.
    is_word_for_number: bool,
    time: Option<FileTime>,
    network: Option<IpNet>,
}

impl Literal {
    /// A word without quotes: a number if it looks like one.
    pub(super) fn word(text: &str) -> Self {
        Self {
            text: text.into(),
            quoted: false,
            number: Numeral::parse(text),
            is_word_for_number: false,
            time: None,
            network: network(text),
        }
    }

    /// A text in quotes: never a number, but an address still.
    pub(super) fn quoted(text: &str) -> Self {
        let (number, is_word_for_number, time) = (None, false, None);
        Self { text: text.into(), quoted: true, number, is_word_for_number, time, network: network(text) }
    }

    /// Returns the same text, known to mean this number.
    pub(super) fn meaning(mut self, number: impl Into<i128>) -> Self {
        self.number = Some(Numeral::Integer(number.into()));
        self.is_word_for_number = true;
        self
    }

    /// Returns the same text, known to be this point in time.
    pub(super) const fn at(mut self, time: FileTime) -> Self {
        self.time = Some(time);
        self
    }

    /// Returns the text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns its number.
    pub(super) const fn number(&self) -> Option<Numeral> {
        self.number
    }

    /// Returns the point in time that it is.
    pub(super) const fn time(&self) -> Option<FileTime> {
        self.time
    }

    /// Returns whether it is a number, or the text of one, such as `NaN` or digits in quotes.
    pub(super) fn may_be_number(&self) -> bool {
        self.number.or_else(|| Numeral::parse(&self.text)).is_some() || self.text.parse::<f64>().is_ok()
    }

    /// Returns whether it is a word that stands for its number, such as a level's name: a value may be this word, too.
    pub(super) const fn is_word_for_number(&self) -> bool {
        self.is_word_for_number
    }

    /// Returns whether it is an address with a prefix that no network has.
    pub(super) fn is_broken_network(&self) -> bool {
        let parts = self.text.split_once('/');
        self.network.is_none()
            && parts.is_some_and(|(address, prefix)| {
                address.parse::<IpAddr>().is_ok() && prefix.bytes().all(|b| b.is_ascii_digit())
            })
    }

    /// Returns whether a text is this one without regard to case, the same GUID, or an address of this network.
    pub(super) fn is_text(&self, text: &str) -> bool {
        let same_guid = || Some(text.parse::<Guid>().ok()? == self.text.parse::<Guid>().ok()?);
        let address = || Some(self.network?.contains(&address(text)?));
        same(text, &self.text) || same_guid().or_else(address).unwrap_or(false)
    }

    /// Returns how a text compares with this one: as addresses if both are, else as text without regard to case.
    pub(super) fn order_text(&self, text: &str) -> Ordering {
        let as_address = self.network.and_then(|network| Some(order_address(address(text)?, network)));
        as_address.unwrap_or_else(|| fold(text).cmp(fold(&self.text)))
    }
}

/// Prints the form that can be parsed again.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.quoted { write_quoted(f, &self.text) } else { f.write_str(&self.text) }
    }
}

fn network(text: &str) -> Option<IpNet> {
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

/// Returns how an address compares with all those of a network; it is equal within. Those of IPv4 come before those of
/// IPv6.
fn order_address(address: IpAddr, network: IpNet) -> Ordering {
    if network.contains(&address) { Ordering::Equal } else { address.cmp(&network.addr()) }
}

/// Returns the address that a value shows, with or without port.
fn address(text: &str) -> Option<IpAddr> {
    text.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()))
}
