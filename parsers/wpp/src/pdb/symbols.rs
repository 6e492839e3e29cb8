//! The definitions of one PDB file.

use etwkit::bytes::Guid;

use crate::tmf::Tmf;

/// The message definitions of a PDB file, and the key by which a trace names the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PdbSymbols {
    /// Its GUID, by which a binary and a trace name it.
    pub guid: Guid,
    /// Its age, as the binary names it.
    pub age: u32,
    /// A TMF text per message GUID, in the order of GUIDs.
    pub files: Vec<TmfFile>,
}

/// The definitions of one message GUID.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TmfFile {
    /// The message GUID.
    pub guid: Guid,
    /// The definitions; `to_string()` is the file's text.
    pub tmf: Tmf,
}

impl TmfFile {
    /// Returns the name under which tracepdb would store it.
    pub fn name(&self) -> String {
        format!("{}.tmf", self.guid)
    }
}
