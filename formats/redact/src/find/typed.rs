//! What the type or the name of a field identifies.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use etwkit::decode::{Event, FieldView, Value, Visitor};
use etwkit::schema::{Count, DisplayFormat, Field, Scalar, Wire};

use crate::address::{is_common_ipv4, is_common_ipv6, is_common_mac};
use crate::coding::{Coding, fold};
use crate::kind::Kind;
use crate::region::place_of;
use crate::well_known::is_account;

use super::pieces::{Builder, Pieces};
use super::view::View;
use super::{Form, Found};

/// Finds secrets by the fields of an event, and returns the pieces of the region. Fields of a payload that was converted
/// have no place in the region.
pub(super) fn find(event: &Event<'_>, region: &[u8], out: &mut Vec<Found>) -> Pieces {
    let mut pieces = Builder::default();
    for field in event.fields() {
        let Some(place) = place_of(region, field.bytes()) else { continue };
        match field.field.wire {
            Wire::Bits { .. } => continue,
            Wire::Scalar(_) if field.field.is_characters() => {}
            Wire::Scalar(scalar) if is_text_possible(scalar, field.field.count) => pieces.bytes(&place),
            Wire::Scalar(_) | Wire::Sid { .. } => pieces.number(&place),
            _ => pieces.unknown_up_to(place.start),
        }
        if !may_identify(field.field) {
            continue;
        }
        let end = place.end;
        // An array of addresses may have a count before it.
        let is_array = matches!(field.field.wire, Wire::Scalar(_));
        let next = is_array.then(|| place.start + place.len() % 4);
        let mut search = Search { region, place, next, known: Vec::new(), pieces: &mut pieces, out: &mut *out };
        if field.field.is_characters() {
            characters(&field, &mut search);
        } else {
            field.visit(&mut search);
        }
        pieces.unknown_up_to(end);
    }
    pieces.finish(region.len())
}

/// Returns whether an array of numbers may be text.
fn is_text_possible(scalar: Scalar, count: Count) -> bool {
    count != Count::One && matches!(scalar, Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16)
}

/// Returns whether values of a field may be secrets. Numbers are most fields.
fn may_identify(field: &Field) -> bool {
    match field.wire {
        Wire::Scalar(_) => field.is_characters() || matches!(field.display, DisplayFormat::Ipv4 | DisplayFormat::Mac),
        Wire::Bits { .. } => false,
        _ => true,
    }
}

/// An array of characters is one text.
fn characters(field: &FieldView<'_>, search: &mut Search<'_>) {
    if let Some(value) = field.value() {
        search.value(field.index(), field.field, value);
    }
}

/// Returns where the fields are that have a version: four numbers in them are not an address.
pub(super) fn versions(event: &Event<'_>, region: &[u8]) -> Vec<Range<usize>> {
    let fields = event.fields().filter(|field| {
        let name = field.name().as_bytes();
        name.last_chunk::<7>().is_some_and(|end| end.eq_ignore_ascii_case(b"version"))
    });
    fields.filter_map(|field| place_of(region, field.bytes())).collect()
}

/// Searches one top-level field.
struct Search<'s> {
    region: &'s [u8],
    /// Where the field is in the region.
    place: Range<usize>,
    /// Where the next number of four bytes is, unless it is in a struct.
    next: Option<usize>,
    /// Addresses in structs that were found before.
    known: Vec<[u8; 4]>,
    pieces: &'s mut Builder,
    out: &'s mut Vec<Found>,
}

impl Visitor for Search<'_> {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        match value {
            Value::Utf16(text) => self.text(field, text.0, Coding::Utf16),
            Value::Ansi(text) => self.text(field, text.0, Coding::of_8_bit(text.0)),
            Value::Utf8(text) => self.text(field, text, Coding::of_8_bit(text)),
            Value::Bytes(bytes) => self.bytes(field.display, bytes),
            Value::Unsigned(number, 4) if field.display == DisplayFormat::Ipv4 => {
                self.ipv4((number as u32).to_le_bytes());
            }
            Value::Unsigned(number, 8) if field.display == DisplayFormat::Mac => self.mac(number.to_le_bytes()),
            _ => {}
        }
    }
}

impl Search<'_> {
    /// An address as a number. The place of a member of a struct is not known: the same bytes of the field are it,
    /// wherever they are among others.
    fn ipv4(&mut self, octets: [u8; 4]) {
        let next = self.next;
        self.next = next.map(|at| at + 4);
        if is_common_ipv4(Ipv4Addr::from(octets)) || self.known.contains(&octets) {
            return;
        }
        if let Some(at) = next {
            self.out.push(Found::new(at..at + 4, Kind::Address, Form::Ipv4));
            return;
        }
        self.known.push(octets);
        let bytes = self.region.get(self.place.clone()).unwrap_or_default();
        let places = bytes.windows(4).enumerate().filter(|(_, window)| *window == octets);
        let start = self.place.start;
        self.out.extend(places.map(|(at, _)| Found::new(start + at..start + at + 4, Kind::Address, Form::Ipv4)));
    }

    /// The address of an adapter in the lowest six bytes of a number.
    fn mac(&mut self, number: [u8; 8]) {
        let [address @ .., _, _] = number;
        let bytes = self.region.get(self.place.clone()).unwrap_or_default();
        let place = bytes.windows(8).position(|window| *window == number);
        if let Some(start) = place.map(|at| self.place.start + at).filter(|_| !is_common_mac(&address)) {
            self.out.push(Found::new(start..start + 6, Kind::Address, Form::Mac));
        }
    }

    fn bytes(&mut self, display: DisplayFormat, bytes: &[u8]) {
        let Some(place) = place_of(self.region, bytes) else { return };
        self.pieces.bytes(&place);
        let (at, len) = match (display, bytes) {
            (DisplayFormat::Mac, [_, _, _, _, _, _]) if !is_common_mac(bytes) => {
                self.out.push(Found::new(place, Kind::Address, Form::Mac));
                return;
            }
            (DisplayFormat::Ipv4, [_, _, _, _]) => (0, 4),
            (DisplayFormat::Ipv6, _) if bytes.len() >= 16 => (0, 16),
            // `AF_INET` and `AF_INET6`: port and flow information precede the address.
            (DisplayFormat::SocketAddress, [2, 0, ..]) => (4, 4),
            (DisplayFormat::SocketAddress, [23, 0, ..]) => (8, 16),
            _ => return,
        };
        let Some(address) = bytes.get(at..at + len) else { return };
        let form = if len == 4 { Form::Ipv4 } else { Form::Ipv6 };
        if !is_common(address) {
            self.out.push(Found::new(place.start + at..place.start + at + len, Kind::Address, form));
        }
    }

    fn text(&mut self, field: &Field, bytes: &[u8], coding: Coding) {
        let Some(place) = place_of(self.region, bytes) else { return };
        self.pieces.text(&place);
        let Some(kind) = kind_of(&field.name) else { return };
        let view = View::of(bytes, coding);
        let end = view.text.iter().position(|byte| *byte == 0).unwrap_or(view.text.len());
        let text = view.text.get(..end).unwrap_or_default();
        let start = if kind == Kind::Command && !is_without_program(&field.name) { program_len(text) } else { 0 };
        for (part, kind) in parts(kind, start, text) {
            let part = trimmed(text, part);
            let name = fold(&view.decode(bytes, &part));
            // What has a form of its own is found by that.
            if part.is_empty()
                || is_account(&name)
                || name.starts_with("s-1-")
                || name.parse::<std::net::IpAddr>().is_ok()
            {
                continue;
            }
            let range = view.range(&part);
            let range = place.start + range.start..place.start + range.end;
            self.out.push(Found { spreads: true, ..Found::new(range, kind, Form::Text(coding)) });
        }
    }
}

fn is_common(address: &[u8]) -> bool {
    let v4 = <[u8; 4]>::try_from(address).is_ok_and(|octets| is_common_ipv4(Ipv4Addr::from(octets)));
    v4 || <[u8; 16]>::try_from(address).is_ok_and(|octets| is_common_ipv6(Ipv6Addr::from(octets)))
}

/// Returns the parts of a text that are secret.
fn parts(kind: Kind, start: usize, text: &[u8]) -> Vec<(Range<usize>, Kind)> {
    let whole = start..text.len();
    match kind {
        Kind::Command => vec![(whole, kind)],
        // `DOMAIN\user`
        Kind::User => match text.iter().rposition(|byte| *byte == b'\\') {
            Some(at) => vec![(0..at, Kind::Domain), (at + 1..text.len(), kind)],
            None => vec![(whole, kind)],
        },
        _ => {
            let start = text.iter().take_while(|byte| **byte == b'\\').count();
            vec![(start..text.len(), kind)]
        }
    }
}

/// Returns a part without white space at its ends: it is not part of a secret, which occurs elsewhere without it.
fn trimmed(text: &[u8], part: Range<usize>) -> Range<usize> {
    let bytes = text.get(part.clone()).unwrap_or_default();
    let start = part.start + bytes.len() - bytes.trim_ascii_start().len();
    start..start + bytes.trim_ascii().len()
}

/// Returns whether a field has arguments alone.
fn is_without_program(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("arguments") || name.ends_with("args")
}

/// Returns the length of the program's name in a command line, with its quotes.
fn program_len(line: &[u8]) -> usize {
    let start = line.iter().take_while(|byte| **byte == b' ').count();
    let rest = line.get(start..).unwrap_or_default();
    let len = if let [b'"', quoted @ ..] = rest {
        quoted.iter().position(|byte| *byte == b'"').map_or(0, |at| at + 2)
    } else {
        let is_end = |at: &usize| {
            let behind = rest.get(at + 4);
            rest.get(*at..at + 4).is_some_and(|word| word.eq_ignore_ascii_case(b".exe"))
                && behind.is_none_or(u8::is_ascii_whitespace)
        };
        let blank = || rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        (0..rest.len()).find(is_end).map_or_else(blank, |at| at + 4)
    };
    start + len
}

/// Returns what fields of a name have.
fn kind_of(name: &str) -> Option<Kind> {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let ends = |words: &[&str]| words.iter().any(|word| name.ends_with(word));
    let is = |words: &[&str]| words.contains(&&*name);
    if name.contains("appdomain") {
        None
    } else if ends(&["commandline", "cmdline", "arguments"]) || is(&["args", "commandargs", "startupargs"]) {
        Some(Kind::Command)
    } else if ends(&["username", "accountname", "userid", "useraccount", "loginname", "logonname", "principalname"])
        || is(&["user", "account", "owner", "upn", "principal", "subject"])
    {
        Some(Kind::User)
    } else if ends(&["computername", "machinename", "hostname", "workstation", "workstationname", "servername"])
        || is(&["computer", "machine", "host", "server", "clientname", "nodename", "fqdn", "netbiosname"])
    {
        Some(Kind::Machine)
    } else if ends(&["domainname", "logondomain"]) || is(&["domain", "userdomain", "targetdomain"]) {
        Some(Kind::Domain)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_of_a_command_line_ends() {
        let program = |line: &str| line[..program_len(line.as_bytes())].to_owned();
        assert_eq!(program(r#""C:\a b\c.exe" --x"#), r#""C:\a b\c.exe""#);
        assert_eq!(program(r"C:\Program Files\c.EXE -k y"), r"C:\Program Files\c.EXE");
        assert_eq!(program("tool x.executable y"), "tool");
        assert_eq!(program("tool"), "tool");
        assert_eq!(program("\"unfinished x"), "");
    }
}
