//! The kind of a file that is not a trace, by its first bytes.
//!
//! Damage handled here: none. A file whose first buffer is damaged is not foreign as long as another buffer may follow.

use crate::bytes::u32_at;
use crate::error::ForeignFormat;
use crate::format::{BufferHeader, Marker};

/// First bytes and what begins with them.
const MAGICS: [(&[u8], ForeignFormat); 33] = [
    (b"version https://git-lfs", ForeignFormat::GitLfsPointer),
    (b"PK\x03\x04", ForeignFormat::Zip),
    (b"PK\x05\x06", ForeignFormat::EmptyZip),
    (b"\x1F\x8B", ForeignFormat::Gzip),
    (b"ElfFile\0", ForeignFormat::Evtx),
    (b"0\0\0\0LfLe", ForeignFormat::Evt),
    (b"MSCF", ForeignFormat::Cabinet),
    (b"7z\xBC\xAF\x27\x1C", ForeignFormat::SevenZip),
    (b"Rar!\x1A\x07", ForeignFormat::Rar),
    (b"\x28\xB5\x2F\xFD", ForeignFormat::Zstd),
    (b"\xFD7zXZ\0", ForeignFormat::Xz),
    (b"BZh", ForeignFormat::Bzip2),
    (b"MSWIM\0\0\0", ForeignFormat::Wim),
    (b"Microsoft C/C++ MSF", ForeignFormat::Pdb),
    (b"MZ", ForeignFormat::WindowsProgram),
    (b"\x7FELF", ForeignFormat::ElfProgram),
    (b"\x0A\x0D\x0D\x0A", ForeignFormat::Pcapng),
    (b"\xD4\xC3\xB2\xA1", ForeignFormat::Pcap),
    (b"\xA1\xB2\xC3\xD4", ForeignFormat::Pcap),
    (b"GMBU", ForeignFormat::NetworkMonitor),
    (b"Nettrace", ForeignFormat::NetTrace),
    (b"\x14\0\0\0!FastSerialization.1", ForeignFormat::FastSerialization),
    (b"MDMP", ForeignFormat::Minidump),
    (b"PAGEDU64", ForeignFormat::MemoryDump),
    (b"PAGEDUMP", ForeignFormat::MemoryDump),
    (b"regf", ForeignFormat::RegistryHive),
    (b"PERFILE2", ForeignFormat::PerfData),
    (b"SQLite format 3\0", ForeignFormat::Sqlite),
    (b"%PDF-", ForeignFormat::Pdf),
    (b"\x89PNG", ForeignFormat::Png),
    (b"\xD0\xCF\x11\xE0", ForeignFormat::CompoundDocument),
    (b"\xFF\xFE<\0", ForeignFormat::Utf16Xml),
    (b"\xFF\xFE", ForeignFormat::Utf16Text),
];

/// Returns what a file is that is not a trace; `None` if it may be a damaged trace. The blocks of a `.btl` file may
/// still be found in one that is [`ForeignFormat::Unknown`].
pub(super) fn foreign_format(start: &[u8], len: u64) -> Option<ForeignFormat> {
    if len == 0 {
        return Some(ForeignFormat::Empty);
    }
    if let Some((_, format)) = MAGICS.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some(*format);
    }
    if start.get(257..262) == Some(b"ustar") {
        return Some(ForeignFormat::Tar);
    }
    if is_text(start) {
        let is_xml = start.trim_ascii_start().starts_with(b"<") || start.starts_with(b"\xEF\xBB\xBF<");
        return Some(if is_xml { ForeignFormat::Xml } else { ForeignFormat::Text });
    }
    if len < BufferHeader::SIZE as u64 {
        return Some(ForeignFormat::TooShort);
    }
    let plausible = |at: usize| {
        let header = start.get(at..).and_then(BufferHeader::view);
        header.is_some_and(|h| h.is_plausible(start.get(at + BufferHeader::SIZE..).filter(|m| m.len() >= 4)))
    };
    // A damaged trace has a plausible buffer header somewhere near its start, or a zeroed one where one should be.
    let any = (0..start.len().saturating_sub(BufferHeader::SIZE + 4)).step_by(8).any(plausible);
    if !any && u32_at(start, 0) != 0 {
        return Some(ForeignFormat::Unknown);
    }
    let other = (BufferHeader::SIZE..start.len().saturating_sub(BufferHeader::SIZE + 4)).step_by(8).any(plausible);
    (!other && is_cut_header(start, len)).then_some(ForeignFormat::CutHeader)
}

/// Returns whether the file ends inside its first event, so that nothing at all can be read.
fn is_cut_header(start: &[u8], len: u64) -> bool {
    let Some(area) = start.get(BufferHeader::SIZE..) else { return true };
    let end = |marker: Marker| (BufferHeader::SIZE + marker.len) as u64;
    Marker::read(area).map_or(area.len() < 8, |marker| end(marker) > len)
}

fn is_text(start: &[u8]) -> bool {
    let sample = start.get(..256).unwrap_or(start);
    sample.iter().all(|&b| b == b'\t' || b == b'\n' || b == b'\r' || (b' '..0x7F).contains(&b) || b >= 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_kinds_are_called_by_their_names() {
        let filled = |magic: &[u8]| [magic, &[1; 600]].concat();
        for (magic, what) in MAGICS {
            assert_eq!(foreign_format(&filled(magic), 600), Some(what));
        }
        let mut tar = vec![b'a'; 600];
        tar.splice(257..262, *b"ustar");
        assert_eq!(foreign_format(&tar, 600), Some(ForeignFormat::Tar));
        assert_eq!(foreign_format(&filled(b"<?xml"), 600), Some(ForeignFormat::Unknown), "bytes 1 are not text");
        assert_eq!(foreign_format(&[b' '; 600], 600), Some(ForeignFormat::Text));
        assert_eq!(
            foreign_format(&[b"\xEF\xBB\xBF<a>".as_slice(), &[b' '; 600]].concat(), 600),
            Some(ForeignFormat::Xml)
        );
        for (short, what) in [
            (b"{\"a\":1}".as_slice(), ForeignFormat::Text),
            (b"hi", ForeignFormat::Text),
            (b" <a/>\n", ForeignFormat::Xml),
            (b"\0\0\x01\0", ForeignFormat::TooShort),
        ] {
            assert_eq!(foreign_format(short, short.len() as u64), Some(what));
        }
        assert_eq!(foreign_format(&[], 0), Some(ForeignFormat::Empty));
    }
}
