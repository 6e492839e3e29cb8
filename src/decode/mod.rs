//! The executor: runs a schema over a payload. There is no other decoding path.
//!
//! [`Event::locate`] finds where each top-level field lies; after that a field is looked at on demand. The same code walks
//! into arrays and structs and hands their values to a [`Visitor`].

mod array;
mod attribution;
mod decode_event;
mod decode_guid;
mod decoder;
mod early;
mod event;
mod event_type;
mod field_view;
mod fields;
mod fixed_numbers;
mod get;
mod header;
mod ids_once;
mod layout_id;
mod locate;
mod number_at;
mod owned;
mod payload_fit;
mod pending;
mod placed;
mod print_budget;
mod recent_types;
mod run;
mod samples;
mod short_key;
mod shown;
mod stack;
#[cfg(feature = "output")]
mod subject_ids;
mod subject_places;
mod text_arena;
mod types;
mod value;

pub use array::{Array, Element};
pub use attribution::Attribution;
pub(crate) use decode_guid::decode_guid;
pub use decoder::Decoder;
pub use early::EarlyFields;
pub use event::Event;
pub use event_type::{EventType, UndecodedReason};
pub use field_view::FieldView;
pub use fixed_numbers::{FixedNumbers, FixedValues};
pub use get::{FromField, FromValue, NotInRange};
pub use layout_id::LayoutId;
pub use locate::Scratch;
pub use owned::OwnedEvent;
pub use payload_fit::Fit;
pub use pending::PendingEvent;
pub use placed::PlacedFields;
pub(crate) use recent_types::{RecentTypes, Seen, Tally};
pub use run::Visitor;
#[cfg(feature = "output")]
pub(crate) use run::{Ignore, Runner, Slots};
pub(crate) use short_key::ShortKey;
pub(crate) use shown::Shown;
pub use stack::StackFound;
pub(crate) use stack::find_stack;
#[cfg(feature = "output")]
pub(crate) use stack::stack_of;
#[cfg(feature = "output")]
pub(crate) use subject_ids::SubjectIds;
pub(crate) use types::EventTypes;
pub use value::Value;
