#![doc = include_str!("../README.md")]

mod conditions;
mod density;
mod density_lane;
mod detail;
mod event_list;
mod exports;
mod extent;
mod facets;
mod limits;
mod names;
mod parts;
mod rows;
mod short_members;

pub use conditions::quoted;
pub use density::Density;
pub use detail::{Detail, FieldPlace};
pub use event_list::{EventList, Progress};
pub use exports::{ExportFormat, event as export_event, part as export_part};
pub use extent::{Extent, folds};
pub use facets::{Facet, FacetLists, Facets, OverTime};
pub use limits::MAX_HEX;
pub use names::{Vocabulary, names, vocabulary};
pub use parts::parts;
pub use rows::{Row, RowWriter};
