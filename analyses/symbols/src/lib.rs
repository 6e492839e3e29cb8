//! Names, source files and lines of native code addresses, offline.
//!
//! A [`Symbolizer`] takes the identity of a module ([`Module`]) and an address in it (RVA), and returns the functions
//! there, inlined ones first ([`Frames`]). It finds symbol files on a [`SearchPath`] of folders and symbol stores:
//!
//! | file | identity that must be equal | names |
//! |---|---|---|
//! | PDB (`.pdb`, packed `.pd_`) | GUID and age | functions, inlined functions, files, lines |
//! | Breakpad (`.sym`) | debug id, which is GUID and age | the same |
//! | image (`.dll`, `.exe`, `.sys`, packed `.dl_`) | `TimeDateStamp` and `SizeOfImage` | exported functions |
//!
//! A PDB file of the GUID with another age is used with a [`Warning`]. Age is that of the DBI stream, which the linker
//! writes into the image too; the one of the information stream grows when tools change the file.
//!
//! [`ImageNames`] does so for the images of a trace: registered as a parser, it names native frames in all outputs of
//! etwkit. [`StackModules`] counts the frames of each module.
//!
//! Nothing is fetched: servers on the search path are listed by [`SearchPath::urls`], and [`wanted`] lists the files to
//! fetch for tools that may use the network.
//!
//! Symbol files are untrusted. Each of them has a limit ([`limits`]), what claims more is refused before memory is taken
//! for it, and a panic of the crates that read them costs the names and not the program.
//!
//! # Places of files
//!
//! Each folder of the search path is looked at as a symbol store and as a flat folder; names match whatever the case of
//! their letters.
//!
//! * Store: `NAME.pdb/GUIDage/NAME.pdb`, `NAME.dll/TIMESTAMPsize/NAME.dll`, `NAME.pdb/GUIDage/NAME.sym`; with `index2.txt`,
//!   below a folder of the name's first two letters. Instead of the file, its packed form (last letter `_`), or
//!   `file.ptr` with the path of the file.
//! * Flat folder: all symbol files in it and in `dll`, `exe`, `sys` and `symbols/dll`, `symbols/exe`, `symbols/sys`
//!   below it, by what they contain; packed files by name.

mod breakpad;
mod cache;
mod caught;
mod contents;
mod decorated;
mod frame;
mod identity;
mod image;
mod image_names;
pub mod limits;
mod locate;
mod names;
mod opened;
mod options;
mod pdb;
mod search;
mod stack_modules;
mod symbol_file;
mod symbolizer;
pub mod wanted;

pub use frame::{Frame, Frames, Missing, Provenance, Source, Warning};
pub use identity::{Module, PdbId};
pub use image_names::ImageNames;
pub use options::Options;
pub use search::{SearchPath, may_name_code};
pub use stack_modules::{ModuleFrames, StackModules, StackModulesWorker};
pub use symbol_file::SymbolFile;
pub use symbolizer::{ModuleNumber, Symbolizer};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
