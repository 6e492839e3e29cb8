//! MOF text (Managed Object Format): descriptions of classic providers, as they are compiled into the WMI repository.
//!
//! A provider is a class derived from `EventTrace`, an event class derives from it and has the GUID that events carry,
//! and classes with `EventType` derive from that and have the fields. [`Mof`] reads such files and is the parser that
//! makes schemas of them.
//!
//! | module | owns |
//! |---|---|
//! | `text` | bytes as text, lines and columns |
//! | `lex`, `fault` | the smallest parts of the grammar, and what is wrong with a text |
//! | `ast`, `grammar` | classes with their qualifiers and properties |
//! | `repository` | classes of all files: amendments, base classes |
//! | `events` | classes with `EventType` by class GUID, opcode and version |
//! | `property`, `maps` | a property as TDH describes it, names of its values |
//! | `files` | [`Mof`]: files and folders of the user |
//!
//! Sources: sections 9.5 to 9.7 and 13 of `docs/format`; the grammar is that of DMTF's DSP0004.
//!
//! ```
//! let text = r#"
//!     [Guid("{00112233-4455-6677-8899-aabbccddeeff}")] class Demo : EventTrace { };
//!     [Guid("{00112233-4455-6677-8899-aabbccddee00}"), EventVersion(1), DisplayName("Work")] class Work : Demo { };
//!     [EventType(1), EventTypeName("Start")] class WorkStart : Work {
//!         [WmiDataId(1), pointer] uint32 Key;
//!         [WmiDataId(2), format("w"), StringTermination("NullTerminated")] string Name;
//!     };"#;
//! let mof = etwkit_mof::Mof::parse("demo.mof", text.as_bytes())?;
//! let class = "00112233-4455-6677-8899-aabbccddee00".parse()?;
//! let schema = mof.find(class, 1, 1)?.ok_or("not there")?;
//! assert_eq!(schema.names().full().as_deref(), Some("Work/Start"));
//! assert_eq!(schema.fields().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ast;
mod events;
mod fault;
mod files;
mod grammar;
mod lex;
pub mod limits;
mod maps;
mod property;
mod repository;
mod text;

pub use files::Mof;
pub use repository::Note;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
