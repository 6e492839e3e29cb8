//! What a PDB file's header must hold before the library is let at it.
//!
//! The library believes the sizes it finds and takes memory for them. A file is refused here that claims more than it can
//! hold (MSF), or more than any real one does (MSFZ, which is compressed).

use etwkit::bytes::u32_at;
use ms_pdb::msf::Msf;
use ms_pdb::msfz::Msfz;
use ms_pdb::{Container, ReadAt};

/// Bytes of a stream that is read as a whole. The symbols of a module are a few MiB.
const MAX_STREAM: u64 = 256 << 20;
/// Bytes of any stream, also of those that are not read.
const MAX_STREAM_SIZE: u64 = u32::MAX as u64 - 1;
/// Bytes of all chunks of an MSFZ file, unpacked: no PDB file is larger than 4 GiB.
const MAX_UNPACKED: u64 = 4 << 30;
/// How many times smaller than that a file may be, and what small ones may unpack to anyhow.
const MAX_RATIO: u64 = 256;
const LEAST_UNPACKED: u64 = 16 << 20;
/// The stream that lists the modules; the library takes it to be there.
const DBI: u32 = 3;
/// Bytes of the stream directory of an MSFZ file, unpacked.
const MAX_DIRECTORY: u32 = 64 << 20;

const MSF: &[u8] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";
const MSFZ: &[u8] = b"Microsoft MSFZ Container\r\n\x1aALD\0\0";
/// Bytes of the longer header, MSFZ's.
const HEADER: usize = 80;
/// Bytes of a chunk table's entry.
const CHUNK: usize = 20;

/// Why a file is refused.
type Refusal = &'static str;

/// Checks the header of a file of `len` bytes. Returns how many bytes all its streams may have together.
pub(crate) fn check<F: ReadAt>(file: &F, len: u64) -> Result<u64, Refusal> {
    let mut header = [0; HEADER];
    if len < HEADER as u64 || file.read_exact_at(&mut header, 0).is_err() {
        return Err("not a PDB file: too short");
    }
    if header.starts_with(MSF) {
        check_msf(file, &header, len)
    } else if header.starts_with(MSFZ) {
        check_msfz(file, &header, len)
    } else {
        Err("not a PDB file of the kinds MSF 7 and MSFZ")
    }
}

/// Page size, active map, number of pages, size of the directory; then the sizes of all streams.
fn check_msf<F: ReadAt>(file: &F, header: &[u8], len: u64) -> Result<u64, Refusal> {
    let (page, pages, directory) = (u32_at(header, 32), u32_at(header, 40), u32_at(header, 44));
    let fits = u64::from(page) * u64::from(pages) <= len + u64::from(page);
    if !(page.is_power_of_two() && (512..=65536).contains(&page) && fits && u64::from(directory) <= len) {
        return Err("damaged PDB file: its header claims more than the file holds");
    }
    let Ok(msf) = Msf::open_with_file(file) else {
        return Err("damaged PDB file: its stream directory cannot be read");
    };
    if msf.num_streams() <= DBI {
        return Err("damaged PDB file: streams are missing");
    }
    // Stream 0 is an old directory, whose pages may be others' by now.
    let sizes = || (0..msf.num_streams()).map(|stream| u64::from(msf.stream_size(stream)));
    if sizes().any(|size| size > len) || sizes().skip(1).sum::<u64>() > len {
        return Err("damaged PDB file: its streams are larger than the file");
    }
    Ok(len)
}

/// Whether a stream that a module names is there, and is no larger than any real one.
pub(crate) fn is_readable<F: ReadAt>(container: &Container<F>, stream: u32) -> bool {
    stream < container.num_streams() && container.stream_len(stream) <= MAX_STREAM
}

/// Sizes of the directory and of the chunks.
fn check_msfz<F: ReadAt>(file: &F, header: &[u8], len: u64) -> Result<u64, Refusal> {
    let (streams, packed, directory) = (u32_at(header, 56), u32_at(header, 64), u32_at(header, 68));
    let (count, table) = (u32_at(header, 72), u32_at(header, 76));
    let table_fits = u64::from(count) * CHUNK as u64 == u64::from(table) && u64::from(table) <= len;
    // A stream has a size in the directory, at least.
    let streams_fit = streams <= directory / 4;
    if !table_fits || !streams_fit || u64::from(packed) > len || directory > MAX_DIRECTORY {
        return Err("damaged PDB file: its header claims more than the file holds");
    }
    let at = u64::from(u32_at(header, 48)) | u64::from(u32_at(header, 52)) << 32;
    let mut chunks = vec![0; table as usize];
    if file.read_exact_at(&mut chunks, at).is_err() {
        return Err("damaged PDB file: its chunk table is not there");
    }
    let most = MAX_UNPACKED.min(len.saturating_mul(MAX_RATIO) + LEAST_UNPACKED);
    let mut unpacked = 0;
    for chunk in chunks.chunks_exact(CHUNK) {
        let (packed, size) = (u32_at(chunk, 12), u64::from(u32_at(chunk, 16)));
        unpacked += size;
        if u64::from(packed) > len || size > MAX_STREAM || unpacked > most {
            return Err("damaged PDB file: its chunks claim too much");
        }
    }
    // Parts of streams may also lie in the file as they are.
    let room = unpacked + len;
    let Ok(container) = Msfz::from_file(file) else {
        return Err("damaged PDB file: its stream directory cannot be read");
    };
    // The library adds the parts of a stream up in 32 bits.
    let sizes = || (0..container.num_streams()).map(|stream| container.stream_size(stream).unwrap_or(u64::MAX));
    if sizes().any(|size| size > MAX_STREAM_SIZE) || sizes().fold(0, u64::saturating_add) > room {
        return Err("damaged PDB file: its streams are larger than what it holds");
    }
    Ok(room)
}
