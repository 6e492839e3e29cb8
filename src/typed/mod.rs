//! Typed views: a struct for each known event, with an accessor for each field.
//!
//! The crates of parsers have views of the events that their tables describe: `etwkit_kernel::events::ProcessStart`,
//! `etwkit_clr::events::GcStart`. [`crate::typed_events!`] makes views of other events. A view borrows the event and
//! decodes a field when its accessor is called:
//!
//! ```
//! use etwkit::typed::EventId;
//! use etwkit::{Event, Guid};
//!
//! const SHOP: Guid = Guid::from_u128(0x6b7e5f14_3a0c_4f6e_9d55_c0ffee000001);
//!
//! etwkit::typed_events! {
//!     /// An order of the shop.
//!     pub struct OrderStart = "Order/Start" [EventId::manifest(SHOP, 1)];
//!     {
//!         /// How many.
//!         count: u32 = "Count";
//!         /// What was ordered.
//!         name: &'a str = "Name";
//!     }
//! }
//!
//! fn print(event: &Event<'_>) {
//!     if let Some(order) = OrderStart::from_event(event) {
//!         println!("{:?} of {:?}", order.count(), order.name());
//!     }
//! }
//! ```
//!
//! [`Dispatcher`] hands the events of a trace to one handler for each view.

mod dispatcher;
mod id;
mod macros;
mod view;

pub use dispatcher::Dispatcher;
pub use id::EventId;
#[doc(hidden)]
pub use view::debug;
pub use view::{Fields, TypedEvent, ViewInfo};
