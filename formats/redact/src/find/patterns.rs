//! What identifies itself by its form: e-mail addresses, IP addresses, SIDs, shares, passwords, and paths.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use regex::bytes::Captures;

use crate::address::{is_common_ipv4, is_common_ipv6, is_common_mac};
use crate::coding::fold;
use crate::kind::Kind;
use crate::sid::AccountSid;
use crate::well_known::is_account;

use super::found::mac_of;
use super::hints::Hint;
use super::hosts::Hosts;
use super::pattern::Pattern;
use super::versions::is_version;
use super::view::View;
use super::{Found, paths};

/// The patterns, compiled.
#[derive(Debug)]
pub(super) struct Patterns {
    mail: Pattern,
    ipv4: Pattern,
    ipv6: Pattern,
    sid: Pattern,
    share: Pattern,
    kernel_share: Pattern,
    password: Pattern,
    mac: Pattern,
    hosts: Hosts,
    folder: Pattern,
    pair: Pattern,
}

impl Patterns {
    pub(super) fn new() -> Option<Self> {
        Some(Self {
            mail: Pattern::new(MAIL, Hint::Mail)?,
            ipv4: Pattern::new(IPV4, Hint::Ipv4)?,
            ipv6: Pattern::new(IPV6, Hint::Ipv6)?,
            sid: Pattern::new(SID, Hint::Sid)?,
            share: Pattern::new(SHARE, Hint::Share)?,
            kernel_share: Pattern::new(KERNEL_SHARE, Hint::Pair)?,
            password: Pattern::new(PASSWORD, Hint::Password)?,
            mac: Pattern::new(MAC, Hint::Mac)?,
            hosts: Hosts::new()?,
            folder: Pattern::new(paths::FOLDER, Hint::Folder)?,
            pair: Pattern::new(PAIR, Hint::Pair)?,
        })
    }

    /// Finds all of them in a view of bytes.
    pub(super) fn find(&self, view: &View<'_>, bytes: &[u8], out: &mut Vec<Found>) {
        let mut push = |characters: Range<usize>, kind, spreads| {
            let form = view.form(bytes, &characters);
            out.push(Found { spreads, ..Found::new(view.range(&characters), kind, form) });
        };
        for found in self.mail.matches(view).filter(|found| found.len() >= SHORTEST_MAIL) {
            push(found.range(), Kind::Mail, true);
        }
        for found in self.ipv4.matches(view).filter(|found| is_ipv4(view, &found.range())) {
            push(found.range(), Kind::Address, false);
        }
        for found in self.ipv6.matches(view).filter(|found| is_ipv6(view, &found.range())) {
            push(found.range(), Kind::Address, false);
        }
        for found in self.mac.matches(view).filter(|found| is_mac(view, &found.range())) {
            push(found.range(), Kind::Address, false);
        }
        self.hosts.find(view, &mut push);
        for found in self.sid.matches(view).filter(|found| is_sid(found.as_bytes())) {
            push(found.range(), Kind::Sid, false);
        }
        for found in self.share.captures(view).filter(|found| is_share(view, found)) {
            each_group(&found, &[2], |range| push(range, Kind::Machine, true));
            each_group(&found, &[4], |range| push(range, Kind::Share, false));
        }
        for found in self.kernel_share.captures(view).filter(|found| !is_known_server(found.get(1))) {
            each_group(&found, &[1], |range| push(range, Kind::Machine, true));
            each_group(&found, &[2], |range| push(range, Kind::Share, false));
        }
        for found in self.password.captures(view).filter(|found| is_password(view, found)) {
            each_group(&found, &[1, 2, 3, 4], |range| push(range, Kind::Password, true));
        }
        let mut push = |characters: Range<usize>, kind, spreads| {
            let form = view.path_form(bytes, &characters);
            out.push(Found { spreads, ..Found::new(view.range(&characters), kind, form) });
        };
        let (mut covered, mut nested) = (0, 0);
        for folder in self.folder.captures(view).filter_map(|found| Some(found.get(1)?.range())) {
            nested = if folder.start < covered { nested + 1 } else { 0 };
            if nested < MOST_NESTED {
                covered = covered.max(paths::find(view, folder, &mut push));
            }
        }
    }

    /// Returns pairs `X\Y` that may be a domain and a user.
    pub(super) fn pairs(&self, view: &View<'_>, bytes: &[u8]) -> Vec<(String, String)> {
        let found = self.pair.captures(view).filter_map(|found| {
            let (domain, user) = (found.get(1)?.range(), found.get(2)?);
            let inside = |byte: Option<u8>| byte.is_some_and(|byte| matches!(byte, b'\\' | b'/'));
            let is_path = inside(view.before(domain.start)) || is_behind_drive(view, domain.start);
            let is_pair = !is_path && !inside(view.at(user.end())) && view.at(user.end()) != Some(b':');
            // A dot at the end is that of a sentence.
            let len = user.as_bytes().iter().rposition(|byte| *byte != b'.').map_or(0, |last| last + 1);
            let user = user.start()..user.start() + len;
            is_pair.then(|| (view.decode(bytes, &domain), view.decode(bytes, &user)))
        });
        found.collect()
    }
}

fn each_group(found: &Captures<'_>, groups: &[usize], mut each: impl FnMut(Range<usize>)) {
    groups.iter().filter_map(|group| found.get(*group)).for_each(|group| each(group.range()));
}

/// Returns whether a letter of a drive and a colon are before a place: in `/user:X\Y`, a colon is before it, too.
fn is_behind_drive(view: &View<'_>, at: usize) -> bool {
    let is_letter = |at: Option<usize>| at.and_then(|at| view.at(at)).is_some_and(|byte| byte.is_ascii_alphanumeric());
    view.before(at) == Some(b':') && is_letter(at.checked_sub(2)) && !is_letter(at.checked_sub(3))
}

/// Dots beside it make a number of versions of it, or of sections.
fn is_ipv4(view: &View<'_>, found: &Range<usize>) -> bool {
    let text = view.text.get(found.clone()).unwrap_or_default();
    let Some(address) = std::str::from_utf8(text).ok().and_then(|text| text.parse::<Ipv4Addr>().ok()) else {
        return false;
    };
    let joins = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit() || byte == b'.');
    let behind = match view.at(found.end) {
        Some(b'.') => view.at(found.end + 1).is_some_and(|byte| byte.is_ascii_digit()),
        Some(byte) => byte.is_ascii_digit(),
        None => false,
    };
    !joins(view.before(found.start)) && !behind && !is_common_ipv4(address) && !is_version(view, found)
}

/// Names of C++ have colons too: an address has a digit or many groups.
fn is_ipv6(view: &View<'_>, found: &Range<usize>) -> bool {
    let text = view.text.get(found.clone()).unwrap_or_default();
    let Some(address) = std::str::from_utf8(text).ok().and_then(|text| text.parse::<Ipv6Addr>().ok()) else {
        return false;
    };
    let joins =
        |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b':' || byte == b'.');
    let groups = text.split(|byte| *byte == b':').count();
    let is_address = text.iter().any(u8::is_ascii_digit) || groups > 4;
    is_address && !joins(view.before(found.start)) && !joins(view.at(found.end)) && !is_common_ipv6(address)
}

/// More groups beside it are that of something else, as in `00-00-00-00-00-00-00-E0`.
fn is_mac(view: &View<'_>, found: &Range<usize>) -> bool {
    let text = view.text.get(found.clone()).unwrap_or_default();
    let joins = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-'));
    let bytes = std::str::from_utf8(text).ok().and_then(mac_of);
    let is_one = bytes.is_some_and(|bytes| !is_common_mac(&bytes)) && (text.contains(&b':') != text.contains(&b'-'));
    is_one && !joins(view.before(found.start)) && !joins(view.at(found.end))
}

fn is_sid(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| AccountSid::parse(text).is_some() || text.len() > LONGEST_KNOWN_SID)
}

/// `\\server\share`, or the same with doubled backslashes.
fn is_share(view: &View<'_>, found: &Captures<'_>) -> bool {
    let len = |group| found.get(group).map_or(0, |group: regex::bytes::Match<'_>| group.len());
    let inside =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'\\' | b':' | b'.' | b'?' | b'*' | b']' | b')');
    let is_first = !found.get(0).and_then(|found| view.before(found.start())).is_some_and(inside);
    is_first && !is_known_server(found.get(2)) && matches!((len(1), len(3)), (2, 1) | (4, 2))
}

/// Returns whether a server is not a machine.
fn is_known_server(server: Option<regex::bytes::Match<'_>>) -> bool {
    let server = server.map(|server| fold(&String::from_utf8_lossy(server.as_bytes())));
    server.is_some_and(|server| is_account(&server) || server == "device")
}

/// `PublicKeyToken=` is part of the name of an assembly.
fn is_password(view: &View<'_>, found: &Captures<'_>) -> bool {
    let Some(whole) = found.get(0) else { return false };
    let is_token = whole.as_bytes().first_chunk::<5>().is_some_and(|word| word.eq_ignore_ascii_case(b"token"));
    !(is_token && view.before(whole.start()).is_some_and(|byte| byte.is_ascii_alphanumeric()))
}

/// Folders of users that are looked for within one path. All of the path is replaced in any case.
const MOST_NESTED: usize = 8;
/// Shorter ones are found among random bytes.
const SHORTEST_MAIL: usize = 7;
/// `S-1-5-21-` and numbers beyond those of a SID.
const LONGEST_KNOWN_SID: usize = 40;

const MAIL: &str = r"(?-u)[A-Za-z0-9_%+\-][A-Za-z0-9._%+\-]*@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*\.[A-Za-z]{2,}";
const IPV4: &str = r"(?-u)[0-9]{1,3}(?:\.[0-9]{1,3}){3}";
const IPV6: &str = r"(?-u)[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}";
const MAC: &str = r"(?-u)[0-9A-Fa-f]{2}(?:[:\-][0-9A-Fa-f]{2}){5}";
const SID: &str = r"(?i-u)S-1-(?:5-21|12-1)(?:-[0-9]{1,10}){1,14}";
const SHARE: &str =
    r#"(?-u)(\\{2,4})([^\\/:*?"<>|\x00-\x20,;=()\[\]{}']{2,63})(\\{1,2})([^\\/:*?"<>|\x00-\x1f]{1,80})"#;
/// A share as the kernel writes it, also with the drive that is mapped to it.
const KERNEL_SHARE: &str = r#"(?i-u)\\(?:(?:\\\?|\?\?)\\{1,2}UNC|Device\\{1,2}(?:Mup|LanmanRedirector|WebDavRedirector))(?:\\{1,2};[^\\\x00-\x1f]{1,64})*\\{1,2}([^\\/:*?"<>|\x00-\x20,;=()\[\]{}']{2,63})\\{1,2}([^\\/:*?"<>|\x00-\x1f]{1,80})"#;
/// Text in quotes may have spaces. In JSON within JSON, quotes are escaped, once for each level.
const PASSWORD: &str = r#"(?i-u)(?:password|passwd|pwd|passphrase|secret|api[_-]?key|access[_-]?key|token)(?:\\*["'])?\s*[=:]\s*(?:\\+"([^"\x00-\x1f]{3,256}?)\\+"|"([^"\x00-\x1f]{3,256})"|'([^'\x00-\x1f]{3,256})'|(?:\\*["'])?([^\s"';,&<>\x00-\x1f]{3,256}))"#;
const PAIR: &str = r"(?-u)([A-Za-z0-9][A-Za-z0-9.\-]{0,62})\\{1,2}([A-Za-z0-9][A-Za-z0-9._\-$]{0,62})";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::find::hints::Hints;

    /// Parts of what the patterns look for, and what is between them.
    const PARTS: [&str; 47] = [
        "a",
        "Z",
        "7",
        "e",
        "-",
        ".",
        ":",
        "::",
        "\\",
        "\\\\",
        "/",
        "//",
        "%5c",
        "@",
        "=",
        "_",
        "+",
        " ",
        "\t",
        "\"",
        "\\\"",
        "'",
        "\0",
        "\u{e9}",
        "bob@corp",
        ".example",
        "10.1.2.3",
        "fe80",
        "00-15-5d",
        "-01-02-03",
        "S-1-5-21",
        "-12345",
        "srv1",
        "share",
        "password",
        "Api-Key",
        "token",
        "users",
        "Documents and Settings",
        "home",
        "http:",
        "DESKTOP-AB12CD3",
        "WIN-0123456789A",
        "\\\\?\\UNC\\",
        "\\Device\\Mup\\;X:0",
        "pc_20200102-123456",
        "user",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn every_match_has_its_hint(parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 1..12)) {
            let text = parts.concat();
            let patterns = Patterns::new().unwrap();
            for view in View::all(text.as_bytes()) {
                let all = |view: &View<'_>| {
                    let mut found = Vec::new();
                    patterns.find(view, text.as_bytes(), &mut found);
                    (found, patterns.pairs(view, text.as_bytes()))
                };
                let hinted = all(&view);
                prop_assert_eq!(hinted, all(&View { hints: Hints::all(), ..view }));
            }
        }
    }
}
