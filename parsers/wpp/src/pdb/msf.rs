//! PDB files of the kind MSF 7: streams of pages, a directory of the streams.

use std::collections::HashSet;
use std::io::ErrorKind;

use etwkit::bytes::{Guid, u32_at};
use pdb2::{DebugInformation, Error, FallibleIterator as _, Module, PDB, StreamIndex};

use super::collect::Collector;
use super::source::{Limited, PdbFile};
use super::symbols::PdbSymbols;

/// The stream that lists the modules.
const DBI: StreamIndex = StreamIndex(3);
/// Bytes of the stream directory, which has four bytes per page of the file: 16 million pages.
const MAX_DIRECTORY: u32 = 64 << 20;
/// Sizes in the directory that are skipped to find streams, for a byte of the file. `pdb2` skips those of all streams
/// before the one it looks for; 65,535 streams of a page of 4 KiB each need as many as this.
const SKIPPED_PER_BYTE: u64 = 8;
/// Sizes that are skipped in any file.
const SKIPPED: u64 = 1 << 24;

type Pdb<R> = PDB<'static, Limited<R>>;

/// Reads the definitions of a file of `len` bytes, which begins with `header`. The error states what is wrong.
pub(super) fn read(file: impl PdbFile, header: &[u8], len: u64, name: &str) -> Result<PdbSymbols, String> {
    check(header, len)?;
    let directory = |error| describe("stream directory", error);
    let mut pdb = PDB::open(Limited::new(file, len)).map_err(directory)?;
    let information = pdb.pdb_information().map_err(|error| describe("PDB information", error))?;
    let mut collector = Collector::new(name);
    // Tools that change a file raise the age of the PDB information; that of the modules' list stays the binary's.
    let mut age = information.age;
    if let Some(modules) = debug_information(&mut pdb).map_err(|error| describe("list of modules", error))? {
        age = modules.age().unwrap_or(age);
        read_modules(&mut pdb, &modules, len, &mut collector)?;
    }
    Ok(PdbSymbols { guid: Guid::from_u128(information.guid.as_u128()), age, files: collector.finish() })
}

/// Page size, number of pages, size of the directory.
fn check(header: &[u8], len: u64) -> Result<(), String> {
    let (page, pages, directory) = (u32_at(header, 32), u32_at(header, 40), u32_at(header, 44));
    let fits = u64::from(page) * u64::from(pages) <= len + u64::from(page);
    let is_directory = directory <= MAX_DIRECTORY && u64::from(directory) <= len;
    if page.is_power_of_two() && (512..=65536).contains(&page) && fits && is_directory {
        Ok(())
    } else {
        Err("damaged PDB file: its header claims more than the file holds".to_owned())
    }
}

/// Returns the list of modules; none if its stream is empty, as in the files that a compiler writes for types alone.
fn debug_information<R: PdbFile>(pdb: &mut Pdb<R>) -> pdb2::Result<Option<DebugInformation<'static>>> {
    match pdb.debug_information() {
        Err(error) => match pdb.raw_stream(DBI) {
            Ok(Some(stream)) if stream.is_empty() => Ok(None),
            _ => Err(error),
        },
        modules => modules.map(Some),
    }
}

/// Reads the symbols of each module. One that cannot be read states nothing of the others.
fn read_modules<R: PdbFile>(
    pdb: &mut Pdb<R>,
    information: &DebugInformation<'_>,
    len: u64,
    collector: &mut Collector<'_>,
) -> Result<(), String> {
    let mut modules = information.modules().map_err(|error| describe("list of modules", error))?;
    let mut seen = HashSet::new();
    let mut skipped = len.saturating_mul(SKIPPED_PER_BYTE).saturating_add(SKIPPED);
    while let Ok(Some(module)) = modules.next() {
        // A stream belongs to one module; in a crafted file many name the same, or streams that share their pages.
        let stream = module.info().stream;
        if !seen.insert(stream) {
            continue;
        }
        skipped = skipped
            .checked_sub(stream.0.into())
            .ok_or("damaged PDB file: it has more streams than the file holds".to_owned())?;
        match pdb.raw_stream(stream) {
            Ok(Some(content)) => collector.add_module(symbols(&content, &module)),
            Err(Error::IoError(error)) if error.kind() == ErrorKind::QuotaExceeded => return Err(error.to_string()),
            _ => {}
        }
    }
    Ok(())
}

/// Returns the symbols in the stream of a module; none if the module claims more than the stream has.
fn symbols<'a>(stream: &'a [u8], module: &Module<'_>) -> &'a [u8] {
    stream.get(..module.info().symbols_size as usize).unwrap_or_default()
}

/// Returns the error for a file in which `part` was read.
fn describe(part: &str, error: Error) -> String {
    match error {
        // The system's own, or that of `Limited`.
        Error::IoError(error) => error.to_string(),
        Error::UnexpectedEof | Error::ScrollError(_) => format!("damaged PDB file: its {part} is cut off"),
        Error::StreamNotFound(stream) => format!("damaged PDB file: stream {stream} ({part}) is missing"),
        Error::PageReferenceOutOfRange(page) => {
            format!("damaged PDB file: its {part} names page {page}, which is not there")
        }
        error => format!("damaged PDB file: its {part} cannot be read: {error}"),
    }
}
