//! Events and fields for `serde`, with the feature `serde`.
//!
//! [`Event::deserialize`] fills any type that derives `Deserialize` from the fields of an event:
//!
//! ```no_run
//! #[derive(serde::Deserialize)]
//! #[serde(rename_all = "PascalCase")]
//! struct ProcessStart<'a> {
//!     process_id: u32,
//!     image_file_name: &'a str,
//!     command_line: Option<String>, // versions of the event before 2 do not have it
//! }
//!
//! # fn f(event: &etwkit::Event<'_>) -> etwkit::Result<()> {
//! let start: ProcessStart<'_> = event.deserialize()?;
//! # Ok(())
//! # }
//! ```
//!
//! [`Event`] and [`OwnedEvent`](crate::OwnedEvent) are `Serialize`: the members of their JSON lines, in any format:
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello.etl");
//! let trace = etwkit::Trace::open(path, etwkit::Parsers::none())?;
//! for event in trace.into_events() {
//!     let line = serde_json::to_string(&event?)?;
//!     assert!(line.starts_with(r#"{"time":"2026-"#));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod event;
mod node;
mod serialize;
mod value;

use ::serde::de;

use crate::bytes::Guid;
use crate::decode::Event;
use crate::error::Result;
use crate::time::FileTime;

impl<'a> Event<'a> {
    /// Fills a type from the fields of the event.
    ///
    /// Fields are found by exact name, else without regard to ASCII case. Structs of the payload are structs or maps,
    /// arrays and binary fields are sequences. A number can be read as a number of any type that holds it, as it is
    /// shown or as its type has it; named values, GUIDs, addresses and times are texts as in JSON lines, or their numbers where the type is one. `&str`
    /// works for every top-level text; inside structs and arrays use `String`.
    ///
    /// # Errors
    ///
    /// [`crate::ErrorKind::Deserialize`] contains what `serde` states is missing or of another type.
    pub fn deserialize<T: de::Deserialize<'a>>(&self) -> Result<T> {
        T::deserialize(event::EventDeserializer::new(*self)).map_err(Into::into)
    }
}

/// From a number of 100 ns units since 1601.
impl<'de> de::Deserialize<'de> for FileTime {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(Self)
    }
}

/// From its text, with or without braces.
impl<'de> de::Deserialize<'de> for Guid {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| de::Error::invalid_value(de::Unexpected::Str(&text), &"a GUID"))
    }
}
