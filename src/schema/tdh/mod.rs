//! TDH's way to describe a payload: numbered in-types and out-types, and a flat list of properties.
//!
//! `TRACE_EVENT_INFO`, manifests and `WEVT_TEMPLATE` resources all describe events in these terms; each parser makes
//! a list of [`Property`] of its input, and [`compile`] makes fields of the list. Sources: `tdh.h` of the Windows SDK;
//! `[MS-EVEN6]` for [`user_data`]; sections 9.1 to 9.3 of `docs/format`.

mod binary_xml;
mod properties;
mod show;
mod types;
mod wire;

pub use binary_xml::user_data;
pub use properties::{Property, Quantity, Shape, compile};
pub use show::show;
pub use types::{InType, OutType};
pub use wire::wire;
