//! One event as it is stored in a buffer, whatever its header.

mod extended;
mod header;
mod ids;
mod key;
mod quick;
mod raw;

pub use extended::{ExtendedItem, ExtendedItems, Stack};
pub use header::Header;
pub use ids::{NO_ID, known_id};
pub use key::{EventKey, EventTypeId, Kind};
pub use raw::{BufferContext, Place, RawEvent};
