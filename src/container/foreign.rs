//! What a file is that is no trace, by its first bytes.

use crate::bytes::u32_at;
use crate::format::{BufferHeader, Marker};

/// What is said of a file that is nothing known. The blocks of a `.btl` file may be found in it nevertheless.
pub(super) const NO_BUFFER: &str = "it does not begin with a trace buffer";

/// First bytes and what begins with them.
const MAGICS: [(&[u8], &str); 33] = [
    (b"version https://git-lfs", "a Git LFS pointer file: fetch the real file with `git lfs pull`"),
    (b"PK\x03\x04", "a zip archive: its members may be traces"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1F\x8B", "gzip data: unpack it first"),
    (b"ElfFile\0", "an .evtx event log"),
    (b"0\0\0\0LfLe", "an .evt event log"),
    (b"MSCF", "a cabinet archive: unpack it first"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive: unpack it first"),
    (b"Rar!\x1A\x07", "a RAR archive: unpack it first"),
    (b"\x28\xB5\x2F\xFD", "zstd data: unpack it first"),
    (b"\xFD7zXZ\0", "xz data: unpack it first"),
    (b"BZh", "bzip2 data: unpack it first"),
    (b"MSWIM\0\0\0", "a WIM image: unpack it first"),
    (b"Microsoft C/C++ MSF", "a PDB file"),
    (b"MZ", "a Windows program"),
    (b"\x7FELF", "an ELF program"),
    (b"\x0A\x0D\x0D\x0A", "a pcapng capture"),
    (b"\xD4\xC3\xB2\xA1", "a pcap capture"),
    (b"\xA1\xB2\xC3\xD4", "a pcap capture"),
    (b"GMBU", "a Network Monitor capture"),
    (b"Nettrace", "an EventPipe .nettrace file"),
    (b"\x14\0\0\0!FastSerialization.1", "a file that PerfView makes of a trace (.etlx, .gcdump) or .netperf"),
    (b"MDMP", "a minidump"),
    (b"PAGEDU64", "a Windows memory dump"),
    (b"PAGEDUMP", "a Windows memory dump"),
    (b"regf", "a registry hive"),
    (b"PERFILE2", "a perf.data file of Linux"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xD0\xCF\x11\xE0", "a compound document (.msi, .doc"),
    (b"\xFF\xFE<\0", "it is XML in UTF-16"),
    (b"\xFF\xFE", "it is text in UTF-16"),
];

/// Names what a file is that is no trace; `None` if it may be a damaged trace.
pub(super) fn looks_like(start: &[u8], len: u64) -> Option<&'static str> {
    if len == 0 {
        return Some("the file is empty");
    }
    if let Some((_, what)) = MAGICS.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some(what);
    }
    if start.get(257..262) == Some(b"ustar") {
        return Some("a tar archive: unpack it first");
    }
    if is_text(start) {
        let is_xml = start.trim_ascii_start().starts_with(b"<") || start.starts_with(b"\xEF\xBB\xBF<");
        return Some(if is_xml { "it is XML" } else { "it is text" });
    }
    if len < BufferHeader::SIZE as u64 {
        return Some("shorter than one buffer header");
    }
    let plausible = |at: usize| {
        let header = start.get(at..).and_then(BufferHeader::view);
        header.is_some_and(|h| h.is_plausible(start.get(at + BufferHeader::SIZE..).filter(|m| m.len() >= 4)))
    };
    // A damaged trace has a plausible buffer header somewhere near its start, or a zeroed one where one should be.
    let any = (0..start.len().saturating_sub(BufferHeader::SIZE + 4)).step_by(8).any(plausible);
    if !any && u32_at(start, 0) != 0 {
        return Some(NO_BUFFER);
    }
    let other = (BufferHeader::SIZE..start.len().saturating_sub(BufferHeader::SIZE + 4)).step_by(8).any(plausible);
    (!other && is_cut_header(start, len)).then_some("the file ends inside the trace's header, before the first event")
}

/// Whether the file ends inside its first event, so that nothing at all can be read.
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
            assert_eq!(looks_like(&filled(magic), 600), Some(what));
        }
        let mut tar = vec![b'a'; 600];
        tar.splice(257..262, *b"ustar");
        assert_eq!(looks_like(&tar, 600), Some("a tar archive: unpack it first"));
        assert_eq!(looks_like(&filled(b"<?xml"), 600), Some(NO_BUFFER), "bytes 1 are no text");
        assert_eq!(looks_like(&[b' '; 600], 600), Some("it is text"));
        assert_eq!(looks_like(&[b"\xEF\xBB\xBF<a>".as_slice(), &[b' '; 600]].concat(), 600), Some("it is XML"));
        for (short, what) in [
            (b"{\"a\":1}".as_slice(), "it is text"),
            (b"hi", "it is text"),
            (b" <a/>\n", "it is XML"),
            (b"\0\0\x01\0", "shorter than one buffer header"),
        ] {
            assert_eq!(looks_like(short, short.len() as u64), Some(what));
        }
        assert_eq!(looks_like(&[], 0), Some("the file is empty"));
    }
}
