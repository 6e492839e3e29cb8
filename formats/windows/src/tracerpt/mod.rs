//! The output of Windows' report tool `tracerpt`: its XML and its CSV (`docs/xml.md`, `docs/csv.md`).
//!
//! | module | owns |
//! |---|---|
//! | `xml`, `csv` | the two formats |
//! | `rows` | of each event its name and data, as a row of cells |
//! | `system` | `<System>` |
//! | `rendering_info` | `<RenderingInfo>` and `<ExtendedTracingInfo>` |
//! | `columns` | how each field of a schema is printed |
//! | `data` | the payload |
//! | `elements` | the elements of fields |
//! | `user_data` | the fields in the elements of a manifest's template |
//! | `message` | the message |
//! | `value` | one value as text |
//! | `forms` | how integers are printed, where their field alone decides that |
//! | `digits` | integers as text |
//! | `escape` | text into XML |

mod columns;
mod csv;
mod data;
mod digits;
mod elements;
mod escape;
mod forms;
mod message;
mod rendering_info;
mod rows;
mod system;
mod user_data;
mod value;
mod xml;

pub use csv::{TracerptCsv, TracerptCsvLines, TracerptCsvState};
pub use rows::{ReportRow, ReportRows, ReportRowsWorker};
pub use xml::{TracerptXml, XmlEvents, XmlState};
