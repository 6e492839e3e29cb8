//! What Windows' report tool `tracerpt` prints: its XML and its CSV (`docs/xml.md`, `docs/csv.md`).
//!
//! | module | owns |
//! |---|---|
//! | `xml`, `csv` | the two sinks |
//! | `system`, `info` | `<System>`; `<RenderingInfo>` and `<ExtendedTracingInfo>` |
//! | `data` | the fields |
//! | `names` | what the report calls events and fields, where schemas use other names |
//! | `value` | one value as text |
//! | `escape` | text into XML |

mod csv;
mod data;
mod escape;
mod info;
mod names;
mod system;
mod value;
mod xml;

pub use csv::{TracerptCsv, TracerptCsvWorker};
pub use names::{Alias, Aliases, Look};
pub use xml::{XmlEvents, XmlWorker};
