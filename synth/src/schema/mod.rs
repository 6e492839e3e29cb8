//! Schemas that travel inside a trace.

mod event_info;
mod manifest;
mod metadata;
mod traits;
mod types;

pub use event_info::{EventInfo, EventMap, Property, map_event, schema_event};
pub use manifest::manifest_events;
pub use metadata::{Field, Metadata};
pub use traits::Traits;
pub use types::{in_type, out_type};
