//! The text of a value as bytes again, by nothing that etwkit has.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use etwkit_synth::values::{BITS, NAMES, ValueKind};
use jiff::civil::DateTime;

/// The bytes of a value in a payload; `None` if it is not text of such a value. `written` states how many there are,
/// and what no text contains: the day of the week.
pub(crate) fn bytes(kind: ValueKind, text: &str, written: &[u8]) -> Option<Vec<u8>> {
    let len = written.len();
    match kind {
        ValueKind::Signed | ValueKind::Unsigned => integer(text.parse().ok()?, len),
        ValueKind::Float if len == 4 => Some(text.parse::<f32>().ok()?.to_le_bytes().to_vec()),
        ValueKind::Float => Some(text.parse::<f64>().ok()?.to_le_bytes().to_vec()),
        ValueKind::Bool => integer(text.parse::<bool>().ok()?.into(), len),
        ValueKind::Hex => integer(number(text)?, len),
        ValueKind::Time => integer(text.parse().ok().or_else(|| time(text))?, len),
        ValueKind::DateTime => date_time(text, written),
        ValueKind::Guid => guid(text),
        ValueKind::Sid => sid(text),
        ValueKind::Ipv4 => Some(text.parse::<Ipv4Addr>().ok()?.octets().to_vec()),
        ValueKind::Ipv6 => Some(text.parse::<Ipv6Addr>().ok()?.octets().to_vec()),
        ValueKind::Socket => socket(text),
        ValueKind::Bytes => digits(text),
        ValueKind::Port => Some(text.parse::<u16>().ok()?.to_be_bytes().to_vec()),
        ValueKind::Char => integer(u32::from(text.parse::<char>().ok()?).into(), len),
        ValueKind::Named => {
            let named = NAMES.iter().find(|(_, name)| *name == text).map(|(number, _)| i128::from(*number));
            integer(named.or_else(|| text.parse().ok())?, len)
        }
        ValueKind::Bits => {
            let bit = |part: &str| {
                let named = BITS.iter().find(|(_, name)| *name == part).map(|(bit, _)| i128::from(*bit));
                named.or_else(|| number(part)).or_else(|| part.parse().ok())
            };
            integer(text.split('|').map(bit).sum::<Option<i128>>()?, len)
        }
        ValueKind::Text | ValueKind::Json => None,
    }
}

fn integer(number: i128, len: usize) -> Option<Vec<u8>> {
    number.to_le_bytes().get(..len).map(<[u8]>::to_vec)
}

/// `0x` and digits.
fn number(text: &str) -> Option<i128> {
    i128::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

fn digits(text: &str) -> Option<Vec<u8>> {
    let pair = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    (0..text.len()).step_by(2).map(pair).collect()
}

/// RFC 3339 as units of 100 ns since 1601.
fn time(text: &str) -> Option<i128> {
    let at: DateTime = text.strip_suffix('Z')?.parse().ok()?;
    Some(at.duration_since(DateTime::constant(1601, 1, 1, 0, 0, 0, 0)).as_nanos() / 100)
}

fn date_time(text: &str, written: &[u8]) -> Option<Vec<u8>> {
    let parts: Vec<u16> = text.split(['-', 'T', ':', '.']).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [year, month, day, rest @ ..] = parts.as_slice() else { return None };
    let head = [year.to_le_bytes(), month.to_le_bytes()].concat();
    let tail: Vec<u8> = std::iter::once(day).chain(rest).flat_map(|part| part.to_le_bytes()).collect();
    Some([&head, written.get(4..6)?, &tail].concat())
}

/// Three numbers, least significant byte first, then bytes.
fn guid(text: &str) -> Option<Vec<u8>> {
    let mut bytes = digits(&text.replace('-', ""))?;
    bytes.get_mut(..4)?.reverse();
    bytes.get_mut(4..6)?.reverse();
    bytes.get_mut(6..8)?.reverse();
    Some(bytes)
}

fn sid(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.strip_prefix("S-1-")?.split('-');
    let authority = parts.next()?;
    let authority = number(authority).or_else(|| authority.parse().ok())? as u64;
    let parts: Vec<u32> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let mut bytes = vec![1, u8::try_from(parts.len()).ok()?];
    bytes.extend(authority.to_be_bytes().get(2..)?);
    bytes.extend(parts.iter().flat_map(|part| part.to_le_bytes()));
    Some(bytes)
}

fn socket(text: &str) -> Option<Vec<u8>> {
    Some(match text.parse() {
        Ok(SocketAddr::V4(to)) => [&[2, 0], &to.port().to_be_bytes()[..], &to.ip().octets(), &[0; 8]].concat(),
        Ok(SocketAddr::V6(to)) => {
            let scope = to.scope_id().to_le_bytes();
            [&[23, 0], &to.port().to_be_bytes()[..], &[0; 4], &to.ip().octets(), &scope].concat()
        }
        Err(_) => digits(text)?,
    })
}
