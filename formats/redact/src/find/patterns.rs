//! What identifies itself by its form: e-mail addresses, IP addresses, SIDs, shares, and paths.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use regex::bytes::{Captures, Match};

use crate::address::{is_common_ipv4, is_common_ipv6, is_common_mac};
use crate::coding::fold;
use crate::kind::Kind;
use crate::sid::AccountSid;
use crate::well_known::is_account;

use super::found::mac_of;
use super::hints::Hint;
use super::hosts::Hosts;
use super::passwords::Passwords;
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
    passwords: Passwords,
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
            passwords: Passwords::new()?,
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
        for place in self.ipv4.matches(view).filter_map(|found| ipv4_at(view, found.range())) {
            push(place, Kind::Address, false);
        }
        for place in self.ipv6.matches(view).filter_map(|found| ipv6_at(view, found.range())) {
            push(place, Kind::Address, false);
        }
        for found in self.mac.matches(view).filter(|found| is_mac(view, &found.range())) {
            push(found.range(), Kind::Address, false);
        }
        self.hosts.find(view, &mut push);
        for found in self.sid.matches(view).filter(|found| is_sid(found.as_bytes())) {
            push(found.range(), Kind::Sid, false);
        }
        for found in self.share.captures(view).filter(|found| is_share(view, bytes, found)) {
            each_group(&found, &[2], |range| push(range, Kind::Machine, true));
            each_group(&found, &[4], |range| push(range, Kind::Share, false));
        }
        for found in self.kernel_share.captures(view).filter(|found| !is_known_server(view, bytes, found.get(1))) {
            each_group(&found, &[1], |range| push(range, Kind::Machine, true));
            each_group(&found, &[2], |range| push(range, Kind::Share, false));
        }
        self.passwords.find(view, |range| push(range, Kind::Password, true));
        let mut push = |characters: Range<usize>, kind, spreads| {
            let form = view.path_form(bytes, &characters);
            out.push(Found { spreads, ..Found::new(view.range(&characters), kind, form) });
        };
        let (mut covered, mut nested) = (0, 0);
        for folder in self.folder.captures(view).filter_map(|found| Some(found.get(1)?.range())) {
            nested = if folder.start < covered { nested + 1 } else { 0 };
            if nested < MOST_NESTED {
                covered = covered.max(paths::find(view, bytes, folder, &mut push));
            }
        }
    }

    /// Hands over pairs `X\Y` that may be a domain and a user.
    pub(super) fn pairs(&self, view: &View<'_>, bytes: &[u8], pair: &mut impl FnMut((String, String))) {
        for found in self.pair.captures(view) {
            let (Some(domain), Some(user)) = (found.get(1), found.get(2)) else { continue };
            let domain = domain.range();
            let inside = |byte: Option<u8>| byte.is_some_and(|byte| matches!(byte, b'\\' | b'/'));
            let is_path = inside(view.before(domain.start)) || is_behind_drive(view, domain.start);
            let is_pair = !is_path && !inside(view.at(user.end())) && view.at(user.end()) != Some(b':');
            // A dot at the end is that of a sentence.
            let len = user.as_bytes().iter().rposition(|byte| *byte != b'.').map_or(0, |last| last + 1);
            let user = user.start()..user.start() + len;
            if is_pair {
                pair((view.decode(bytes, &domain), view.decode(bytes, &user)));
            }
        }
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

/// Returns where an address is. Where it is not known what is text, a number beside it may look like one more digit.
fn ipv4_at(view: &View<'_>, found: Range<usize>) -> Option<Range<usize>> {
    let Range { start, end } = found;
    if view.is_text || ipv4(view, &found).is_some() {
        return is_ipv4(view, &found).then_some(found);
    }
    [start + 1..end, start..end - 1, start + 1..end - 1].into_iter().find(|place| is_ipv4(view, place))
}

fn ipv4(view: &View<'_>, found: &Range<usize>) -> Option<Ipv4Addr> {
    std::str::from_utf8(view.text.get(found.clone())?).ok()?.parse().ok()
}

/// Dots beside it make a number of versions of it, or of sections.
fn is_ipv4(view: &View<'_>, found: &Range<usize>) -> bool {
    let Some(address) = ipv4(view, found) else { return false };
    let is_number = |at: usize| view.at(at).is_some_and(|byte| byte.is_ascii_digit());
    let has_dots =
        view.before(found.start) == Some(b'.') || view.at(found.end) == Some(b'.') && is_number(found.end + 1);
    let is_joined = has_dots || view.is_joined(found, |byte| byte.is_ascii_digit());
    !is_joined && !is_common_ipv4(address) && !is_version(view, found)
}

/// Returns where an address is: a colon after it is that of a sentence.
fn ipv6_at(view: &View<'_>, found: Range<usize>) -> Option<Range<usize>> {
    let text = view.text.get(found.clone()).unwrap_or_default();
    let is_marked = text.ends_with(b":") && !text.ends_with(b"::");
    let place = found.start..found.end - usize::from(is_marked);
    is_ipv6(view, &place).then_some(place)
}

/// Names of C++ have colons too: an address has a digit or many groups.
fn is_ipv6(view: &View<'_>, found: &Range<usize>) -> bool {
    let text = view.text.get(found.clone()).unwrap_or_default();
    let Some(address) = std::str::from_utf8(text).ok().and_then(|text| text.parse::<Ipv6Addr>().ok()) else {
        return false;
    };
    let groups = text.split(|byte| *byte == b':').count();
    let is_address = text.iter().any(u8::is_ascii_digit) || groups > 4;
    let is_sign = |byte: Option<u8>| byte.is_some_and(|byte| matches!(byte, b':' | b'.'));
    let is_letter = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    // A dot or a colon after it is that of a sentence, unless something follows.
    let behind = is_sign(view.at(found.end)) && {
        let next = view.at(found.end + 1);
        is_letter(next) || is_sign(next)
    };
    let is_joined = is_sign(view.before(found.start)) || behind;
    is_address && !is_joined && !view.is_joined(found, |byte| byte.is_ascii_alphanumeric()) && !is_common_ipv6(address)
}

/// More groups beside it are that of something else, as in `00-00-00-00-00-00-00-E0`.
fn is_mac(view: &View<'_>, found: &Range<usize>) -> bool {
    let text = view.text.get(found.clone()).unwrap_or_default();
    let bytes = std::str::from_utf8(text).ok().and_then(mac_of);
    let is_one = bytes.is_some_and(|bytes| !is_common_mac(&bytes)) && (text.contains(&b':') != text.contains(&b'-'));
    is_one && !view.is_joined(found, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-'))
}

fn is_sid(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| AccountSid::parse(text).is_some() || text.len() > LONGEST_KNOWN_SID)
}

/// `\\server\share`, or the same with doubled backslashes.
fn is_share(view: &View<'_>, bytes: &[u8], found: &Captures<'_>) -> bool {
    let len = |group| found.get(group).map_or(0, |group: Match<'_>| group.len());
    let inside =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'\\' | b':' | b'.' | b'?' | b'*' | b']' | b')');
    let is_first = found.get(0).is_some_and(|found| !view.is_joined_before(&found.range(), inside));
    is_first && !is_known_server(view, bytes, found.get(2)) && matches!((len(1), len(3)), (2, 1) | (4, 2))
}

/// Returns whether a server is not a machine.
fn is_known_server(view: &View<'_>, bytes: &[u8], server: Option<Match<'_>>) -> bool {
    let server = server.map(|server| fold(&view.decode(bytes, &server.range())));
    server.is_some_and(|server| is_account(&server) || server == "device")
}

/// Folders of users that are looked for within one path. All of the path is replaced in any case.
const MOST_NESTED: usize = 8;
/// Shorter ones are found among random bytes.
const SHORTEST_MAIL: usize = 7;
/// `S-1-5-21-` and numbers beyond those of a SID.
const LONGEST_KNOWN_SID: usize = 40;

const MAIL: &str = r"(?-u)[A-Za-z0-9_%+\-][A-Za-z0-9._%+\-]*@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*\.[A-Za-z]{2,}";
const IPV4: &str = r"(?-u)[0-9]{1,3}(?:\.[0-9]{1,3}){3}";
/// The last two groups may be the numbers of an IPv4 address.
const IPV6: &str = concat!(
    r"(?-u)[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){1,6}:[0-9]{1,3}(?:\.[0-9]{1,3}){3}",
    r"|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}"
);
const MAC: &str = r"(?-u)[0-9A-Fa-f]{2}(?:[:\-][0-9A-Fa-f]{2}){5}";
const SID: &str = r"(?i-u)S-1-(?:5-21|12-1)(?:-[0-9]{1,10}){1,14}";
const SHARE: &str =
    r#"(?-u)(\\{2,4})([^\\/:*?"<>|\x00-\x20,;=()\[\]{}']{2,63})(\\{1,2})([^\\/:*?"<>|\x00-\x1f]{1,80})"#;
/// A share as the kernel writes it, also with the drive that is mapped to it.
const KERNEL_SHARE: &str = r#"(?i-u)\\(?:(?:\\\?|\?\?)\\{1,2}UNC|Device\\{1,2}(?:Mup|LanmanRedirector|WebDavRedirector))(?:\\{1,2};[^\\\x00-\x1f]{1,64})*\\{1,2}([^\\/:*?"<>|\x00-\x20,;=()\[\]{}']{2,63})\\{1,2}([^\\/:*?"<>|\x00-\x1f]{1,80})"#;
const PAIR: &str = r"(?-u)([A-Za-z0-9][A-Za-z0-9.\-]{0,62})\\{1,2}([A-Za-z0-9][A-Za-z0-9._\-$]{0,62})";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::find::hints::Hints;
    use crate::find::pieces::Piece;

    /// Parts of what the patterns look for, and what is between them.
    const PARTS: [&str; 54] = [
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
        "pass",
        "--password ",
        "-pwd",
        "_PROD1",
        "Authorization:",
        "Bearer ",
        "AccountKey",
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
            for view in View::all(text.as_bytes(), &Piece { range: 0..text.len(), is_text: false }) {
                let all = |view: &View<'_>| {
                    let (mut found, mut pairs) = (Vec::new(), Vec::new());
                    patterns.find(view, text.as_bytes(), &mut found);
                    patterns.pairs(view, text.as_bytes(), &mut |pair| pairs.push(pair));
                    (found, pairs)
                };
                let hinted = all(&view);
                prop_assert_eq!(hinted, all(&View { hints: Hints::all(), ..view }));
            }
        }
    }
}
