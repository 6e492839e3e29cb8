//! Compressed PDB files (MSFZ): chunks that are unpacked, streams made of their parts.
//!
//! The `ms-pdb` crate takes the memory that a file asks for. A file is refused first that claims more than any real one
//! does.

use std::collections::HashSet;
use std::io::Read as _;

use etwkit::bytes::{Guid, u32_at, u64_at};
use ms_pdb::msfz::Msfz;
use ms_pdb::{Pdb, ReadAt};

use super::collect::Collector;
use super::source::PdbFile;
use super::symbols::PdbSymbols;

/// Bytes of a file: it is held in memory.
const MAX_FILE: u64 = 1 << 30;
/// Bytes of a stream that is read as a whole. The symbols of a module are a few MiB.
const MAX_STREAM: u64 = 256 << 20;
/// Bytes of any stream, also of those that are not read.
const MAX_STREAM_SIZE: u64 = u32::MAX as u64 - 1;
/// Bytes of all chunks, unpacked: no PDB file is larger than 4 GiB.
const MAX_UNPACKED: u64 = 4 << 30;
/// How many times smaller than that a file may be, and what small ones may unpack to anyhow.
const MAX_RATIO: u64 = 256;
const LEAST_UNPACKED: u64 = 16 << 20;
/// Bytes of the stream directory, unpacked.
const MAX_DIRECTORY: u32 = 64 << 20;
/// Bytes of a chunk table's entry.
const CHUNK: usize = 20;

/// Reads the definitions of a file of `len` bytes, which begins with `header`. The error states what is wrong.
pub(super) fn read(mut file: impl PdbFile, header: &[u8], len: u64, name: &str) -> Result<PdbSymbols, String> {
    if len > MAX_FILE {
        return Err(format!("a compressed PDB file of {len} bytes; at most {MAX_FILE} are read"));
    }
    let mut bytes = Vec::new();
    file.rewind().map_err(|error| error.to_string())?;
    file.take(len).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let room = check(&bytes, header)?;
    let pdb = Pdb::open_from_random_file(bytes).map_err(|error| format!("{error:#}"))?;
    let mut collector = Collector::new(name);
    read_modules(&pdb, room, &mut collector)?;
    let key = pdb.binding_key();
    // Tools that change a file raise the age of the key; that of the modules' list stays the binary's.
    let age = Some(pdb.dbi_header().age.get()).filter(|age| *age != 0).unwrap_or(key.age);
    Ok(PdbSymbols { guid: Guid::from_u128(key.guid.as_u128()), age, files: collector.finish() })
}

/// Reads the symbols of each module. `left` is how many bytes all their streams may have.
fn read_modules<F: ReadAt>(pdb: &Pdb<F>, mut left: u64, collector: &mut Collector<'_>) -> Result<(), String> {
    let container = pdb.container();
    let mut seen = HashSet::new();
    let modules = pdb.modules().map_err(|error| format!("{error:#}"))?;
    for module in modules.iter() {
        // A stream belongs to one module; in a crafted file many name the same, or streams that share their parts.
        let Some(stream) = module.stream().filter(|stream| seen.insert(*stream)) else { continue };
        if stream >= container.num_streams() || container.stream_len(stream) > MAX_STREAM {
            continue;
        }
        left = left
            .checked_sub(container.stream_len(stream))
            .ok_or("damaged PDB file: its modules claim more than the file holds")?;
        // A module that cannot be read states nothing of the others.
        if let Ok(content) = container.read_stream(stream) {
            collector.add_module(content.get(..module.sym_size() as usize).unwrap_or_default());
        }
    }
    Ok(())
}

/// Checks the sizes of the directory, the chunks and the streams. Returns how many bytes all streams may have together.
fn check(file: &Vec<u8>, header: &[u8]) -> Result<u64, &'static str> {
    let len = file.len() as u64;
    let (streams, packed, directory) = (u32_at(header, 56), u32_at(header, 64), u32_at(header, 68));
    let (count, table) = (u32_at(header, 72), u32_at(header, 76));
    let table_fits = u64::from(count) * CHUNK as u64 == u64::from(table) && u64::from(table) <= len;
    // A stream has a size in the directory, at least.
    let streams_fit = streams <= directory / 4;
    if !table_fits || !streams_fit || u64::from(packed) > len || directory > MAX_DIRECTORY {
        return Err("damaged PDB file: its header claims more than the file holds");
    }
    // Parts of streams may also be uncompressed in the file.
    let room = unpacked(file, u64_at(header, 48), table)? + len;
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

/// Bytes of all chunks, unpacked. `at` and `size` are the offset and the bytes of the table of chunks.
fn unpacked(file: &[u8], at: u64, size: u32) -> Result<u64, &'static str> {
    let len = file.len() as u64;
    let table = usize::try_from(at).ok().and_then(|at| file.get(at..)?.get(..size as usize));
    let table = table.ok_or("damaged PDB file: its chunk table is not there")?;
    let most = MAX_UNPACKED.min(len.saturating_mul(MAX_RATIO) + LEAST_UNPACKED);
    let mut unpacked = 0;
    for chunk in table.chunks_exact(CHUNK) {
        let (packed, size) = (u32_at(chunk, 12), u64::from(u32_at(chunk, 16)));
        unpacked += size;
        if u64::from(packed) > len || size > MAX_STREAM || unpacked > most {
            return Err("damaged PDB file: its chunks claim too much");
        }
    }
    Ok(unpacked)
}
