//! TDH's way to describe a payload: numbered in-types and out-types, and a flat list of properties.
//!
//! This module owns what the numbers mean: [`field`] makes the field of a value of two types. `TRACE_EVENT_INFO`,
//! manifests, `WEVT_TEMPLATE` resources and MOF classes describe events by properties; their parsers make a list of
//! [`Property`], and [`compile`] makes fields of the list. TraceLogging and the pack of registered providers have forms
//! of their own and call [`field`].
//!
//! Sources: `tdh.h` of the Windows SDK; `[MS-EVEN6]` for [`user_data`]; sections 9.1 to 9.3 of `docs/format`.

mod binary_xml;
mod display_format;
mod field;
mod names;
mod properties;
mod types;
mod wire;

pub use binary_xml::user_data;
pub use field::field;
pub use names::types_from_names;
pub use properties::{Property, Quantity, Shape, compile};
pub use types::{InType, OutType};
