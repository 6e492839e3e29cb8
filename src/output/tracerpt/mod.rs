//! What Windows' report tool `tracerpt` prints: its XML and its CSV (`docs/xml.md`, `docs/csv.md`).
//!
//! | module | owns |
//! |---|---|
//! | `xml`, `csv` | the two sinks |
//! | `pick` | of each event its name and data, as cells |
//! | `system`, `info` | `<System>`; `<RenderingInfo>` and `<ExtendedTracingInfo>` |
//! | `data` | the fields |
//! | `user_data` | the fields in the elements of a manifest's template |
//! | `names` | what the report calls events and fields, where schemas use other names |
//! | `value` | one value as text |
//! | `escape` | text into XML |

mod csv;
mod data;
mod escape;
mod info;
pub(super) mod names;
mod pick;
pub(super) mod system;
mod user_data;
mod value;
mod xml;

pub use csv::{TracerptCsv, TracerptCsvWorker};
pub use names::{Alias, Aliases, FieldAppearance};
pub use pick::{PickWorker, PickedCells};
pub use xml::{XmlEvents, XmlWorker};
