//! PDB files.

mod functions;
mod guard;
mod lines;
mod modules;
mod reader;
mod records;
mod source;
mod table;
mod worker;

use etwkit::bytes::Guid;
use pdb_addr2line::pdb::{self, PDB, StreamIndex};

use self::source::{LastView, Limited};
use crate::caught::caught;
use crate::contents::Contents;
use crate::limits::{MAX_INFORMATION, MAX_PDB};

pub(crate) use worker::PdbNames;

/// What identifies a PDB file, read from the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) guid: Guid,
    /// The age that the image names: that of the DBI stream. Tools that change a file raise the age of its information
    /// stream, which counts only in files that have no other.
    pub(crate) age: u32,
}

/// Reads the identity of a PDB file. The error states what is wrong.
pub(crate) fn identity(contents: &Contents) -> Result<Identity, String> {
    let mut pdb = open(contents)?.0;
    let read = caught(|| -> pdb::Result<Identity> {
        let information = pdb.pdb_information()?;
        let age = pdb.debug_information().ok().and_then(|modules| modules.age());
        Ok(Identity { guid: Guid::from_u128(information.guid.as_u128()), age: age.unwrap_or(information.age) })
    });
    read.ok_or_else(damaged)?.map_err(|error| error.to_string())
}

/// Opens a PDB file. Returns it with access to the bytes of the stream that is read last.
fn open(contents: &Contents) -> Result<(PDB<'static, Limited>, LastView), String> {
    let head = contents.head(MSF_MAGIC.len() as u64).map_err(|error| error.to_string())?;
    if head.starts_with(MSFZ_MAGIC) {
        return Err("a compressed PDB file (MSFZ), which is not supported".to_owned());
    }
    let (file, len) = contents.open().map_err(|error| error.to_string())?;
    if len > MAX_PDB {
        return Err(format!("{len} bytes; at most {MAX_PDB} are read"));
    }
    let limited = Limited::new(file, len);
    let last = limited.last();
    let opened = caught(|| {
        let mut pdb = PDB::open(limited)?;
        // Its list of names costs time that grows with the square of its length.
        let information = pdb.raw_stream(INFORMATION)?;
        Ok((pdb, information.is_some_and(|information| information.len() <= MAX_INFORMATION)))
    });
    let opened = opened.ok_or_else(damaged)?;
    let (pdb, is_short) = opened.map_err(|error: pdb::Error| error.to_string())?;
    if !is_short {
        return Err("damaged: its information stream is missing or too long".to_owned());
    }
    Ok((pdb, last))
}

fn damaged() -> String {
    "damaged: the code that reads it panicked".to_owned()
}

/// The stream with the GUID.
const INFORMATION: StreamIndex = StreamIndex(1);
const MSF_MAGIC: &[u8] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";
const MSFZ_MAGIC: &[u8] = b"Microsoft MSFZ Container";
