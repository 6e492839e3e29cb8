//! What is known of an address.

use std::path::PathBuf;
use std::sync::Arc;

/// A function at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// Name of the function without its module; `None` if only its file and line are known.
    pub function: Option<Arc<str>>,
    /// Bytes from the start of the function whose code it is, which for inlined functions is the one they are inlined
    /// into.
    pub offset: u32,
    /// Path of the source file on the machine that built the module.
    pub file: Option<Arc<str>>,
    /// Line of the source file, counted from 1.
    pub line: Option<u32>,
    /// Whether the function is inlined into the one of the next frame.
    pub is_inlined: bool,
}

/// The frames at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frames<'s> {
    /// The innermost inlined function first, the function that is called last, as in the stacks of traces. None if no
    /// function is known there.
    pub frames: &'s [Frame],
    /// Where the names are from; `Provenance::None` if there are no frames.
    pub provenance: Provenance,
}

/// Where names are from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Provenance {
    /// Nowhere: there are no names.
    #[default]
    None,
    /// A PDB file.
    Pdb,
    /// A Breakpad file.
    Breakpad,
    /// The export table of the image. An address may belong to a function after the exported one that is not exported: such
    /// names are guesses.
    Export,
}

/// The file that names the addresses of a module, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// Kind of the file.
    pub provenance: Provenance,
    /// The file.
    pub path: Option<PathBuf>,
    /// Why the names may be wrong.
    pub warning: Option<Warning>,
    /// Why there is no file, or no better one: what was wrong with files that were found, then that nothing was found.
    pub missing: Vec<Missing>,
}

/// Why names may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// The PDB file is of the same build, but of another link.
    #[error("the PDB file has age {found}, the module age {wanted}: names may be wrong")]
    Age {
        /// Age in the trace.
        wanted: u32,
        /// Age in the file.
        found: u32,
    },
}

/// Why a module has no names, or no better ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Missing {
    /// The trace has neither the PDB's GUID nor the image's time stamp and size, as traces that were not merged.
    #[error("the trace does not identify the module")]
    Unidentified,
    /// No file of the search path belongs to the module.
    #[error("no symbol file on the search path")]
    NotFound,
    /// There are more modules than a symbolizer keeps.
    #[error("too many modules")]
    TooMany,
    /// A file was found and cannot be used.
    #[error("{}: {reason}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// A frame before its texts are shared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) function: Option<String>,
    pub(crate) offset: u32,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) is_inlined: bool,
}
