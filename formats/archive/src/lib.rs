//! Unpacks Windows `.etl` traces from gzip data and zip archives into memory.
//!
//! Everything may be untrusted. Limits on what is unpacked count all data of an [`Unpacker`], also what is
//! refused in the end. Only traces are delivered, recognized by their first bytes: not what is packed itself. Members
//! whose names lead out of a folder are refused, and so are archives whose members share bytes.
//!
//! ```
//! use etwkit_archive::{Archive, Limits, Packing, Unpacker};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let packed = {
//! #     use std::io::Write;
//! #     let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
//! #     archive.start_file("logs/hello.etl", zip::write::SimpleFileOptions::default())?;
//! #     archive.write_all(&etwkit_synth::fixtures().into_iter().find(|made| made.name == "hello.etl").unwrap().bytes)?;
//! #     archive.finish()?.into_inner()
//! # };
//! assert_eq!(Packing::of(&packed), Packing::Zip);
//! let mut unpacker = Unpacker::new(Limits::default());
//! unpacker.begin(packed.len() as u64);
//! let mut archive = Archive::open(std::io::Cursor::new(&packed))?;
//! for member in archive.members().to_vec() {
//!     let unpacked = unpacker.member(member.name(), &mut archive, &member)?;
//!     println!("{}: {} bytes", member.name(), unpacked.bytes.len());
//! }
//! # Ok(())
//! # }
//! ```

mod archive;
mod counted;
mod error;
mod gzip_members;
mod head;
pub mod limits;
mod member;
#[cfg(not(target_family = "wasm"))]
mod open;
mod packing;
mod trace_names;
mod unpacker;

pub use archive::Archive;
pub use counted::Counted;
pub use error::{Error, Result};
pub use limits::Limits;
pub use member::{Member, MemberKind};
#[cfg(not(target_family = "wasm"))]
pub use open::Inputs;
pub use packing::{Packing, first_bytes};
pub use trace_names::{is_trace_name, is_wanted_name, without_number};
pub use unpacker::{Unpacked, Unpacker};
