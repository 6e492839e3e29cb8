//! Message definitions in PDB files.
//!
//! | module | owns |
//! |---|---|
//! | `annotation` | symbol records, and the TMF text of an annotation |
//! | `collect` | the definitions of all modules, by message GUID |
//! | `msf` | PDB files of the kind MSF 7 |
//! | `source` | a file or bytes in memory, and the part of it that may be read |
//! | `symbols` | the definitions of one PDB file |
//! | `msfz` | compressed PDB files, with the feature of this name |

mod annotation;
mod collect;
mod msf;
#[cfg(feature = "msfz")]
mod msfz;
mod source;
mod symbols;

use std::fs::File;
use std::io::{Cursor, SeekFrom};
use std::path::Path;

use etwkit::error::{Error, Result};

use source::PdbFile;

pub use symbols::{PdbSymbols, TmfFile};

/// First bytes of the two kinds of PDB files.
const MSF: &[u8] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";
const MSFZ: &[u8] = b"Microsoft MSFZ Container\r\n\x1aALD\0\0";
/// Bytes of the longer header, MSFZ's.
const HEADER: usize = 80;

/// Reads the definitions of a PDB file of the kind MSF 7, or MSFZ (compressed) with the feature `msfz`.
///
/// # Errors
///
/// The file cannot be read, is not a PDB file, or claims more than it contains.
pub fn extract(path: &Path) -> Result<PdbSymbols> {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    open(File::open(path).map_err(Error::opening)?, &name)
}

/// Reads the definitions of a PDB file from its bytes, as [`extract`] does. `name` goes into a comment of each TMF
/// text.
///
/// # Errors
///
/// The bytes are not a PDB file, or claim more than they contain.
pub fn extract_bytes(bytes: Vec<u8>, name: &str) -> Result<PdbSymbols> {
    open(Cursor::new(bytes), name)
}

fn open(mut file: impl PdbFile, name: &str) -> Result<PdbSymbols> {
    let len = file.seek(SeekFrom::End(0)).map_err(Error::reading)?;
    let mut header = [0; HEADER];
    file.rewind().map_err(Error::reading)?;
    let symbols = if len < HEADER as u64 || file.read_exact(&mut header).is_err() {
        Err("not a PDB file: too short".to_owned())
    } else if header.starts_with(MSF) {
        msf::read(file, &header, len, name)
    } else if header.starts_with(MSFZ) {
        unpack(file, &header, len, name)
    } else {
        Err("not a PDB file of the kinds MSF 7 and MSFZ".to_owned())
    };
    symbols.map_err(|detail| Error::caller(format!("{name}: {detail}")))
}

#[cfg(feature = "msfz")]
use msfz::read as unpack;

#[cfg(not(feature = "msfz"))]
fn unpack(_: impl PdbFile, _: &[u8], _: u64, _: &str) -> Result<PdbSymbols, String> {
    Err("a compressed PDB file (MSFZ): only a build with the feature `msfz` of etwkit-wpp reads it".to_owned())
}
