//! Names of machines that are known by what is around them: hosts of URLs, names that Windows makes up.

use std::ops::Range;

use crate::coding::fold;
use crate::kind::Kind;
use crate::well_known::{is_account, is_frequent};

use super::hints::Hint;
use super::pattern::Pattern;
use super::view::View;

/// Schemes whose host is a machine; that of `res://` or `ms-appx://` is not. A byte before them may be a number. Between
/// the user and the host there may be a password, which is found by [`LOGIN`].
const URL: &str = r#"(?i-u)(?:https?|wss?|ftps?|sftp|ssh|ldaps?|tcp|udp|net\.tcp|rtsp|rdp|smb|file|amqps?|mongodb|redis|mysql|postgres(?:ql)?)://(?:([^\s/@"'<>\\:\x00-\x20]{1,64})(?::[^\s/@"'<>\\\x00-\x20]{1,128})?@)?([a-z0-9_][a-z0-9_.\-]{1,252})"#;
/// A user, a password and a host behind any scheme. Each of them may be empty or cut.
const LOGIN: &str =
    r#"(?i-u)[a-z0-9+.\-]://([^\s/@"'<>\\:\x00-\x20]*):([^\s/@"'<>\\\x00-\x20]*)@([a-z0-9_][a-z0-9_.\-]*)?"#;
/// What Windows calls machines that nobody named: Setup, Windows PE, Server.
const MADE_UP: &str = r"(?i-u)(?:DESKTOP-[A-Z0-9]{7}|LAPTOP-[A-Z0-9]{7,8}|MININT-[A-Z0-9]{7}|WIN-[A-Z0-9]{11})";
/// The folder of a data collector set: machine, day and number.
const COLLECTOR: &str = r"(?-u)[\\/]([A-Za-z0-9\-]{2,15})_[0-9]{8}-[0-9]{6}(?:[\\/]|\x00|$)";
/// Ends of names that are not of the Internet.
const LOCAL: [&str; 9] =
    [".local", ".localdomain", ".lan", ".internal", ".intranet", ".intra", ".corp", ".home", ".private"];

/// The patterns, compiled.
#[derive(Debug)]
pub(super) struct Hosts {
    url: Pattern,
    login: Pattern,
    made_up: Pattern,
    collector: Pattern,
}

impl Hosts {
    pub(super) fn new() -> Option<Self> {
        Some(Self {
            url: Pattern::new(URL, Hint::Url)?,
            login: Pattern::new(LOGIN, Hint::Url)?,
            made_up: Pattern::new(MADE_UP, Hint::MadeUp)?,
            collector: Pattern::new(COLLECTOR, Hint::Collector)?,
        })
    }

    /// Finds all of them. `push` takes characters, what they are, and whether the text is looked for everywhere.
    pub(super) fn find(&self, view: &View<'_>, push: &mut impl FnMut(Range<usize>, Kind, bool)) {
        let logins = self.login.captures(view).map(|found| [found.get(1), found.get(2), found.get(3)]);
        let others = self.url.captures(view).map(|found| [found.get(1), None, found.get(2)]);
        for [user, password, host] in logins.chain(others) {
            let host = host.filter(|host| is_local(host.as_bytes()));
            let parts = [(user, Kind::User), (password, Kind::Password), (host, Kind::Machine)];
            for (part, kind) in parts.into_iter().filter_map(|(part, kind)| Some((part?.range(), kind))) {
                if !part.is_empty() {
                    push(part, kind, true);
                }
            }
        }
        for found in self.made_up.matches(view).filter(|found| is_made_up(view, &found.range())) {
            push(found.range(), Kind::Machine, true);
        }
        for found in self.collector.captures(view) {
            if let Some(machine) = found.get(1) {
                push(machine.range(), Kind::Machine, true);
            }
        }
    }
}

/// Names of the Internet have a dot and stay; numbers are addresses.
fn is_local(host: &[u8]) -> bool {
    let host = fold(&String::from_utf8_lossy(host));
    let host = host.trim_end_matches('.');
    let is_one_word = !host.contains('.') && host.chars().any(char::is_alphabetic);
    (is_one_word || LOCAL.iter().any(|end| host.ends_with(end))) && !is_account(host) && !is_frequent(host)
}

/// Without a digit, a word may look like them, unless it is in the capital letters of Windows and none of `WIN-` and a
/// word.
fn is_made_up(view: &View<'_>, found: &Range<usize>) -> bool {
    let name = view.text.get(found.clone()).unwrap_or_default();
    let is_upper = !name.iter().any(u8::is_ascii_lowercase) && !name.starts_with(b"WIN-");
    let is_name = is_upper || name.iter().any(u8::is_ascii_digit);
    is_name && !view.is_joined(found, |byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
