//! Decides which of what is found is looked for everywhere.

use std::collections::BTreeSet;

use etwkit::Trace;
use etwkit::decode::Scratch;
use etwkit::event::RawEvent;

use crate::arguments::{self, telling};
use crate::buffers;
use crate::coding::fold;
use crate::error::{Error, Result};
use crate::find::{Content, Finder, Form, Found, mac_text};
use crate::kind::Kind;
use crate::limits::{LONGEST_PIECE, MOST_ARGUMENT_BYTES, MOST_ARGUMENTS, MOST_PAIRS};
use crate::naming::{Naming, pieces};
use crate::packed::unpacked;
use crate::region::Region;
use crate::well_known::{is_account, is_vocabulary};
use crate::words::{SHORTEST, WordList, is_searchable};

/// Collects the secrets of a trace.
#[derive(Debug)]
pub(crate) struct Collection<'f> {
    finder: &'f Finder,
    pub(crate) words: WordList,
    /// Pairs `X\Y`; `Y` is a user if `X` turns out to be a domain or a machine.
    pairs: BTreeSet<(String, String)>,
    argument_bytes: usize,
    /// Command lines and long passwords that are replaced where they are found only, because there are too many of them.
    pub(crate) arguments_left: u64,
    /// Pairs beyond the limit.
    pub(crate) pairs_left: u64,
}

/// An address with fewer bytes other than zero is looked for nowhere.
const LEAST_DISTINCT: usize = 4;
/// What follows `password=` is looked for everywhere if it has as many bytes.
const SHORTEST_PASSWORD: usize = 6;

impl<'f> Collection<'f> {
    pub(crate) fn new(finder: &'f Finder) -> Self {
        let (words, pairs) = <_>::default();
        Self { finder, words, pairs, argument_bytes: 0, arguments_left: 0, pairs_left: 0 }
    }

    /// Adds a word of the user's list.
    pub(crate) fn add_word(&mut self, text: &str, naming: &mut Naming) -> Result<()> {
        let refused = |why| Err(Error::Word { word: text.to_owned(), why });
        if !text.chars().any(char::is_alphanumeric) {
            return refused("it has neither a letter nor a digit");
        }
        if text.trim().chars().count() < SHORTEST {
            return refused("it has fewer than three characters, which are in any bytes");
        }
        self.words.add(Kind::Word, text, false)?;
        naming.enter(Kind::Word, text.trim())
    }

    /// Adds a secret that another trace revealed. One that is too short to be looked for in any bytes is left out.
    pub(crate) fn add_known(&mut self, kind: Kind, text: &str, naming: &mut Naming) -> Result<()> {
        match kind {
            Kind::Machine | Kind::Domain => self.add_host(kind, text, naming),
            Kind::User => self.add(kind, text, false, naming),
            _ if !is_searchable(text) => Ok(()),
            _ => {
                self.words.add(kind, text, false)?;
                naming.enter(kind, text.trim())
            }
        }
    }

    /// Reads all events.
    pub(crate) fn read(&mut self, trace: &Trace, naming: &mut Naming) -> Result<()> {
        let mut scratch = Scratch::default();
        buffers::each(trace, |buffer| buffer.each_event(|event| self.event(trace, event, &mut scratch, naming)))?;
        self.add_users_of_pairs(naming)
    }

    fn event(&mut self, trace: &Trace, event: RawEvent<'_>, scratch: &mut Scratch, naming: &mut Naming) -> Result<()> {
        let start = Region::of(&event).start;
        let region = event.bytes().get(start..).unwrap_or_default();
        let located = buffers::located(trace, event, scratch);
        for region in [Some(region), unpacked(&located)].into_iter().flatten() {
            let (found, _) = self.finder.find_all(region, &located, |(domain, user)| self.add_pair(&domain, &user));
            for found in found {
                let text = found.content(region).text();
                naming.enter(found.kind, &text)?;
                self.spread(&found, &text, naming)?;
                self.spread_address(&found, region)?;
            }
        }
        Ok(())
    }

    /// Adds the words of what was found.
    fn spread(&mut self, found: &Found, text: &str, naming: &mut Naming) -> Result<()> {
        if !found.spreads {
            return Ok(());
        }
        match found.kind {
            Kind::Command => {
                self.add_long(Kind::Command, text, naming)?;
                telling(text).iter().try_for_each(|argument| self.add_argument(argument, naming))
            }
            Kind::Password if text.len() > LONGEST_PIECE => self.add_long(Kind::Password, text, naming),
            Kind::Password if text.len() >= SHORTEST_PASSWORD => self.add(Kind::Password, text, false, naming),
            Kind::Mail => {
                let name = text.split('@').next().unwrap_or_default();
                self.add(Kind::User, name, true, naming)
            }
            Kind::User => {
                self.add(Kind::User, text, false, naming)?;
                let Some((user, domain)) = parts_of_folder(text) else { return Ok(()) };
                self.add(Kind::User, user, true, naming)?;
                domain.map_or(Ok(()), |domain| self.add(Kind::Domain, domain, true, naming))
            }
            Kind::Machine | Kind::Domain => self.add_host(found.kind, text, naming),
            _ => Ok(()),
        }
    }

    /// Adds the binary forms of an address, and the texts of that of an adapter: it is part of GUIDs made from time.
    fn spread_address(&mut self, found: &Found, region: &[u8]) -> Result<()> {
        match found.content(region) {
            Content::Ipv6(address, _) if is_distinct(&address.octets()) => {
                self.words.add_address(&address.octets(), Form::Ipv6)
            }
            Content::Mac(bytes, _) if is_distinct(&bytes) => {
                self.words.add_address(&bytes, Form::Mac)?;
                let text = mac_text(&bytes);
                [text.replace('-', ":"), text.replace('-', ""), text]
                    .iter()
                    .try_for_each(|text| self.words.add(Kind::Address, text, false))
            }
            _ => Ok(()),
        }
    }

    /// Adds the name of a host or domain, and its parts but for the last one.
    fn add_host(&mut self, kind: Kind, text: &str, naming: &mut Naming) -> Result<()> {
        self.add(kind, text, false, naming)?;
        let Some((first, rest)) = text.split_once('.') else { return Ok(()) };
        self.add(kind, first, true, naming)?;
        if rest.contains('.') { self.add_host(Kind::Domain, rest, naming) } else { Ok(()) }
    }

    fn add(&mut self, kind: Kind, text: &str, is_alone: bool, naming: &mut Naming) -> Result<()> {
        let folded = fold(text.trim());
        if folded.chars().count() < SHORTEST || is_vocabulary(&folded) || is_account(&folded) {
            return Ok(());
        }
        pieces(&folded).filter(|piece| piece.chars().count() >= SHORTEST).try_for_each(|piece| {
            self.words.add(kind, piece, is_alone)?;
            naming.enter(kind, piece)
        })
    }

    /// Adds text that may be long. Of such texts there may be many: those beyond a limit are left out.
    fn add_long(&mut self, kind: Kind, text: &str, naming: &mut Naming) -> Result<()> {
        let text = text.trim();
        if text.len() < arguments::SHORTEST || self.words.contains(text) || !self.has_room(text) {
            return Ok(());
        }
        for piece in pieces(text).filter(|piece| piece.len() >= arguments::SHORTEST) {
            self.add(kind, piece, false, naming)?;
        }
        Ok(())
    }

    /// Adds an argument of a command line, which is looked for as a whole word: it may be a word of every trace.
    fn add_argument(&mut self, argument: &str, naming: &mut Naming) -> Result<()> {
        let folded = fold(argument);
        let is_public = is_vocabulary(&folded) || is_account(&folded);
        if is_public || argument.len() > LONGEST_PIECE || self.words.contains(argument) || !self.has_room(argument) {
            return Ok(());
        }
        self.words.add_whole(Kind::Command, argument)?;
        naming.enter(Kind::Command, argument)
    }

    /// Returns whether a text of a command line can be looked for, and counts it.
    fn has_room(&mut self, text: &str) -> bool {
        let has_room = self.argument_bytes + text.len() <= MOST_ARGUMENT_BYTES && self.words.len() < MOST_ARGUMENTS;
        if has_room {
            self.argument_bytes += text.len();
        } else {
            self.arguments_left += 1;
        }
        has_room
    }

    fn add_pair(&mut self, domain: &str, user: &str) {
        let pair = (fold(domain), fold(user));
        if self.pairs.contains(&pair) {
            return;
        }
        if self.pairs.len() < MOST_PAIRS {
            self.pairs.insert(pair);
        } else {
            self.pairs_left += 1;
        }
    }

    fn add_users_of_pairs(&mut self, naming: &mut Naming) -> Result<()> {
        let pairs = std::mem::take(&mut self.pairs);
        for (domain, user) in pairs.iter().filter(|(domain, _)| self.is_known(domain)).cloned().collect::<Vec<_>>() {
            // A program below a folder of that name is not a user.
            if domain.contains('.') || !is_file(&user) {
                self.add(Kind::User, &user, true, naming)?;
            }
        }
        Ok(())
    }

    /// Returns whether a name is a domain that is known, also with a number before it that looks like a letter.
    fn is_known(&self, domain: &str) -> bool {
        let mut rest = domain.chars();
        rest.next();
        self.words.contains(domain) || self.words.contains(rest.as_str())
    }
}

/// Extensions of what is in folders of programs.
const EXTENSIONS: [&str; 16] =
    ["bat", "cmd", "config", "cpl", "dat", "dll", "drv", "etl", "exe", "inf", "ini", "log", "mui", "ocx", "sys", "xml"];

/// Returns whether a name is that of a program or another file.
fn is_file(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}

/// Returns whether bytes are not found by chance, as `fe80::1` or `00-00-00-00-00-01` would be.
fn is_distinct(bytes: &[u8]) -> bool {
    bytes.iter().filter(|byte| **byte != 0).count() >= LEAST_DISTINCT
}

/// Returns the user and the domain or machine in the name of a folder, `jdoe.CONTOSO`, to which Windows may add a number,
/// `jdoe.000`: it adds them, the domain in capitals, where the folder of the user's name is that of another account.
fn parts_of_folder(name: &str) -> Option<(&str, Option<&str>)> {
    let is_number = |text: &&str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_domain = |text: &str| text.chars().any(char::is_alphabetic) && !text.chars().any(char::is_lowercase);
    let without_number = name.rsplit_once('.').filter(|(_, number)| is_number(number)).map(|(rest, _)| rest);
    let rest = without_number.unwrap_or(name);
    match rest.rsplit_once('.').filter(|(user, domain)| !user.is_empty() && is_domain(domain)) {
        Some((user, domain)) => Some((user, Some(domain))),
        None => without_number.map(|user| (user, None)),
    }
}
