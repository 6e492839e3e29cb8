//! WPP software tracing: messages that are formatted by TMF files or PDB files.
//!
//! A WPP message has a GUID, a number and packed arguments; what they mean is in a TMF text (trace message format),
//! which is a file of its own or part of the PDB of the binary. [`Symbols`] gathers such definitions, [`Wpp`] is the
//! parser that turns them into schemas with messages. `etwkit-windows-formats` prints messages as Microsoft's tracefmt
//! does.
//!
//! | module | owns |
//! |---|---|
//! | [`tmf`] | TMF text: model, reader, printer |
//! | `item` | the item types: wire form, presentation |
//! | `expand` | a definition's text, or the prefix of lines, as a [`Message`](etwkit::schema::Message) |
//! | `compile` | a definition as a [`Schema`](etwkit::schema::Schema) |
//! | `pdb` | `TMF:` annotations of PDB files |
//! | `symbols`, `store` | files and folders of definitions, symbol stores |
//! | `referenced_pdbs` | which PDB files a trace asks for |
//! | `parser` | [`Wpp`] |
//!
//! The feature `msfz` adds compressed PDB files; it needs a C compiler.
//!
//! Source: section 12 of `docs/format`.
//!
//! ```
//! let mut symbols = etwkit_wpp::Symbols::default();
//! symbols.add_text("2363c985-9b6e-3283-34a7-e8c27a60b889 demo // SRC=a.c\n\
//!     #typev a_c15 11 \"%0n=%10!d!\" // FUNC=main\n{\ni, ItemLong -- 10\n}\n");
//! let guid = "2363c985-9b6e-3283-34a7-e8c27a60b889".parse()?;
//! let schema = symbols.schema(guid, 11)?.ok_or("not there")?;
//! assert_eq!(&*schema.fields()[0].name, "i");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compile;
mod expand;
mod item;
mod parser;
mod pdb;
mod referenced_pdbs;
mod store;
mod symbols;
pub mod tmf;

pub use compile::{DefinitionContext, compile};
pub use expand::{DEFAULT_PREFIX, prefix};
pub use item::is_known_item;
pub use parser::Wpp;
pub use pdb::{PdbSymbols, TmfFile, extract, extract_bytes};
pub use referenced_pdbs::{ReferencedPdb, ReferencedPdbs};
pub use symbols::Symbols;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
