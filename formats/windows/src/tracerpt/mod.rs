//! The output of Windows' report tool `tracerpt`: its XML and its CSV (`docs/xml.md`, `docs/csv.md`).
//!
//! | module | owns |
//! |---|---|
//! | `xml`, `csv` | the two formats |
//! | `csv_fields` | the fields of an event in the CSV |
//! | `rows` | of each event its name and data, as a row of cells |
//! | `row_data`, `row_texts` | the data of a row, and the texts of many rows as one |
//! | `system` | `<System>` |
//! | `rendering_info` | `<RenderingInfo>` and `<ExtendedTracingInfo>` |
//! | `columns` | how each field of a schema is printed |
//! | `data` | the payload |
//! | `elements` | the elements of fields |
//! | `prepared` | the elements of fields that go from the payload into the output |
//! | `user_data` | the fields in the elements of a manifest's template |
//! | `message` | the message |
//! | `value` | one value as text |
//! | `forms` | how integers are printed, where their field alone decides that |
//! | `digits` | integers as text |
//! | `escape` | text into XML |

mod columns;
mod csv;
mod csv_fields;
mod data;
mod digits;
mod elements;
mod escape;
mod forms;
mod message;
mod named_number;
mod prepared;
mod rendering_info;
mod row_data;
mod row_texts;
mod rows;
mod system;
mod user_data;
mod value;
mod value_name;
mod xml;

pub use csv::{TracerptCsv, TracerptCsvLines, TracerptCsvState};
pub use rows::{ReportBatch, ReportRow, ReportRows, ReportRowsWorker};
pub use xml::{TracerptXml, XmlEvents, XmlState};
