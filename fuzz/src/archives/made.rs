//! Archives made of pieces, with what an attacker may have changed in them.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::pieces::pieces;

/// Maximum number of members of an archive.
const MOST: usize = 8;
/// Names of members, by the lowest three bits of their kind.
const NAMES: [&str; 8] =
    ["a.etl", "logs/b.etl", "../c.etl", "/d.etl", r"x\..\..\e.etl", "C:f.etl", "g\u{202e}\u{9b}.etl", "a/.. /h\0.etl"];
/// Bytes of an entry of the directory before its name, and where it has sizes and the place of the member.
const ENTRY: usize = 46;
const PACKED_SIZE: usize = 20;
const SIZE: usize = 24;
const NAME_LEN: usize = 28;
const PLACE: usize = 42;

/// An archive.
pub(super) struct Made {
    pub(super) bytes: Vec<u8>,
    /// Whether two entries of the directory name the same bytes.
    pub(super) overlaps: bool,
}

impl Made {
    /// Makes an archive. The first byte states whether it is gzip data (bit 0), and how sizes and places are changed
    /// (bits 1 to 3), the second one of which member. Pieces are members: bits 3 and 4 of their kind state whether a
    /// member is gzip data or an archive itself, bit 5 that zeros follow it.
    pub(super) fn of(data: &[u8]) -> Option<Self> {
        let ([form, which], rest) = data.split_first_chunk()?;
        let (pieces, _) = pieces(rest, MOST);
        let members: Vec<(String, Vec<u8>)> = (0..)
            .zip(pieces)
            .map(|(number, (kind, bytes)): (u32, _)| (name(kind, number), content(kind, bytes)))
            .collect();
        if form & 1 == 1 {
            let bytes = members.iter().flat_map(|(_, bytes)| gzip(bytes)).collect();
            return Some(Self { bytes, overlaps: false });
        }
        let members: Vec<(&str, &[u8])> = members.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
        let mut bytes = zip(&members, form & 0x10 == 0);
        let overlaps = change(&mut bytes, form >> 1 & 7, usize::from(*which)).is_some();
        Some(Self { bytes, overlaps })
    }
}

/// Names that differ, since equal ones are another case.
fn name(kind: u8, number: u32) -> String {
    let name = NAMES.get(usize::from(kind & 7)).copied().unwrap_or("a.etl");
    if kind & 0x80 == 0 { format!("{}{number}.etl", name.trim_end_matches(".etl")) } else { name.to_owned() }
}

fn content(kind: u8, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if kind & 0x20 != 0 {
        bytes.resize(bytes.len() + (256 << 10), 0);
    }
    match kind >> 3 & 3 {
        1 => gzip(&bytes),
        2 => zip(&[("inner.etl", &bytes)], true),
        _ => bytes,
    }
}

/// Changes an entry of the directory. Returns it if two entries name the same bytes now.
fn change(archive: &mut [u8], how: u8, which: usize) -> Option<()> {
    let entries = entries(archive);
    let at = *entries.get(which % entries.len().max(1))?;
    let place = archive.get(at + PLACE..at + PLACE + 4)?.to_vec();
    let mut put =
        |field: usize, value: &[u8]| archive.get_mut(at + field..at + field + 4).map(|at| at.copy_from_slice(value));
    match how {
        1 => put(SIZE, &[0; 4])?,
        2 => put(SIZE, &(u32::MAX - 1).to_le_bytes())?,
        3 => put(PACKED_SIZE, &0x1000_u32.to_le_bytes())?,
        4 => put(PACKED_SIZE, &[1, 0, 0, 0])?,
        5 => put(PLACE, &0x7FFF_FFFF_u32.to_le_bytes())?,
        6 if place != [0; 4] => {
            put(PLACE, &[0; 4])?;
            return Some(());
        }
        _ => {}
    }
    None
}

/// Returns where the entries of the directory begin: it is the end of the archive but for its last record.
fn entries(archive: &[u8]) -> Vec<usize> {
    let mut entries = Vec::new();
    let end = archive.len().saturating_sub(22);
    let word = |at: usize| archive.get(at..).and_then(|bytes| bytes.first_chunk().copied()).map(u32::from_le_bytes);
    let Some(mut at) = word(end + 16).map(|at| at as usize) else { return entries };
    while at < end && word(at) == Some(0x0201_4B50) {
        entries.push(at);
        let lens = archive.get(at + NAME_LEN..).and_then(|bytes| bytes.first_chunk::<6>());
        let Some([a, b, c, d, e, f]) = lens else { break };
        let lens = [[a, b], [c, d], [e, f]].map(|[low, high]| usize::from(u16::from_le_bytes([*low, *high])));
        at += ENTRY + lens.iter().sum::<usize>();
    }
    entries
}

/// Packs bytes as gzip data.
pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    let written = packed.write_all(bytes).and_then(|()| packed.finish());
    written.unwrap_or_default()
}

/// Packs members as an archive, deflated or as they are. The second of a name is left out.
pub(super) fn zip(members: &[(&str, &[u8])], deflate: bool) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let method = if deflate { CompressionMethod::Deflated } else { CompressionMethod::Stored };
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in members {
        if archive.start_file(*name, options).is_ok() {
            let written = archive.write_all(bytes);
            assert!(written.is_ok(), "memory can be written");
        }
    }
    archive.finish().map(Cursor::into_inner).unwrap_or_default()
}
