//! Bytes and the small things that are made of them: numbers, GUIDs, SIDs, text.

mod ansi;
mod cursor;
mod cut;
// For the crates of this workspace.
#[doc(hidden)]
pub mod digits;
mod file;
mod file_name;
mod guid;
mod hex;
mod number;
mod read;
mod sid;
mod utf16;
mod varint;

pub use ansi::{AnsiText, nul_terminated};
pub use cursor::Cursor;
pub use cut::cut_text;
pub use file::{file_text, utf16_file};
pub use file_name::file_name;
pub use guid::{Guid, ParseGuidError};
pub use hex::{Hex, write_hex};
// For the crates of this workspace.
#[doc(hidden)]
pub use number::number;
#[cfg(feature = "output")]
pub(crate) use read::padded;
pub use read::{PointerSize, i64_at, read_pointer, u8_at, u16_at, u32_at, u64_at};
pub use sid::{Sid, sid_len, wrapped_sid};
#[cfg(feature = "output")]
pub(crate) use utf16::units8;
pub use utf16::{Utf16Text, push_utf16_nul, utf16_nul, utf16_units};
// For the crates of this workspace.
#[doc(hidden)]
pub use varint::{push_signed_varint, push_varint, take_signed_varint, take_varint};
