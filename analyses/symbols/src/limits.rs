//! Every cap on what a symbol file or a trace may make this crate read, keep or compute.

/// Bytes of a PDB file: MSF files of 4 KiB pages end here.
pub const MAX_PDB: u64 = 4 << 30;
/// Bytes of one stream of a PDB file, which is read as a whole.
pub const MAX_STREAM: u64 = 1 << 30;
/// Bytes of the information stream of a PDB file, which has the names of some streams.
pub const MAX_INFORMATION: usize = 256 << 10;
/// How often all bytes of a PDB file may be read through one handle. Real files have no page in two streams; few streams
/// are read twice.
pub const MAX_READS: u64 = 3;
/// Bytes of an image, which is read as a whole for its export table.
pub const MAX_IMAGE: u64 = 1 << 30;
/// Bytes of a Breakpad file. It is read as a whole, and its tables take up to six times as much memory.
pub const MAX_BREAKPAD: u64 = 512 << 20;
/// Bytes that a compressed file (`.pd_`, `.dl_`) may unpack to.
pub const MAX_UNPACKED: u64 = 1 << 30;
/// Bytes of a `file.ptr`: one path or message.
pub const MAX_POINTER: u64 = 4096;
/// Symbol files that are open at once; the one that was not used for longest is closed first.
pub const MAX_OPEN: usize = 256;
/// Bytes of symbol files that are open at once, counted by the lengths of the files.
pub const MAX_OPEN_BYTES: u64 = 8 << 30;
/// Files of a folder that are looked into; a folder of more is not indexed further.
pub const MAX_FOLDER_FILES: usize = 1 << 17;
/// Addresses whose frames are kept. When there are more, all of them are forgotten.
pub const MAX_CACHED: usize = 1 << 21;
/// Bytes of texts that are kept with them.
pub const MAX_CACHED_TEXT: usize = 256 << 20;
/// Modules that a symbolizer knows; further ones have no names.
pub const MAX_MODULES: usize = 1 << 20;
/// Bytes of one function name; longer ones are cut at a character.
pub const MAX_NAME: usize = 4 << 10;
/// Bytes of a decorated name that is undecorated; longer ones stay as they are.
pub const MAX_DECORATED: usize = 4096;
/// Parts that undecorating one name may make, by an upper bound. References in a decorated name may double it with every
/// few letters.
pub const MAX_UNDECORATED_PARTS: f64 = (1 << 22) as f64;
/// Bytes of the text of one type of a PDB file.
pub const MAX_TYPE_TEXT: u32 = 4 << 20;
/// Levels of types in types, and of scopes in scopes.
pub const MAX_TYPE_DEPTH: usize = 256;
/// Levels of inlined functions.
pub const MAX_INLINE_DEPTH: usize = 512;
/// How often a PDB file is opened again after code that reads it panicked.
pub const MAX_PANICS: usize = 4;
/// Bytes of stack for reading a PDB file. Only pages that are used take memory.
pub const STACK: usize = 64 << 20;
