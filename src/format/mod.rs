//! The fixed structures of the file, viewed in place.
//!
//! One file a structure family. Names are Rust's, each item states what Windows calls it. Every structure here has
//! alignment 1 and no padding, so a view of bytes is only a length check. Nothing here knows where a structure is
//! found.
//!
//! | file | structures |
//! |---|---|
//! | `buffer` | `WMI_BUFFER_HEADER`, flags, types |
//! | `logfile` | `TRACE_LOGFILE_HEADER` of the first event, file modes, clocks |
//! | `marker` | the four bytes with an event's header type and length |
//! | `system` | `SYSTEM_TRACE_HEADER`, compact and `PERFINFO_TRACE_HEADER` |
//! | `classic` | `EVENT_TRACE_HEADER`, `EVENT_INSTANCE_GUID_HEADER`, error events |
//! | `event` | `EVENT_HEADER` of manifest, TraceLogging and EventSource events |
//! | `message` | `MESSAGE_TRACE_HEADER` of WPP |
//! | `extended` | extended data items, provider traits |
//! | `record` | `EVENT_RECORD`, an event in a `.btl` file |
//! | `framing` | how the events of a buffer follow one another |
//! | `group` | kernel event groups and their class GUIDs |
//! | `cpu_config` | `CPU_CONFIG_RECORD`, the computer's name in it |

/// Declares a structure that is viewed in place, once: its layout, and a method for each field that returns it as a
/// plain value. The types of the layout are not part of the public API.
macro_rules! wire_struct {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident {
            $($(#[doc = $doc:literal])+ $field:ident: $stored:ty as $plain:ty),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(
            Clone, Copy, Debug, zerocopy::FromBytes, zerocopy::Immutable, zerocopy::KnownLayout, zerocopy::Unaligned,
        )]
        #[repr(C)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[doc = $doc])+ pub(crate) $field: $stored,)+
        }

        impl $name {
            $(
                $(#[doc = $doc])+
                #[inline]
                pub fn $field(&self) -> $plain {
                    self.$field.into()
                }
            )+
        }
    };
}

/// Declares a number of the file format with its known values: for each a constant and its name in output, so that both
/// are written once.
macro_rules! wire_constants {
    (
        $(#[$about:meta])+
        pub struct $name:ident($number:ty) {
            $($(#[doc = $doc:literal])+ $constant:ident = $value:literal, $text:literal;)+
        }
    ) => {
        $(#[$about])+
        pub struct $name(pub $number);

        impl $name {
            $($(#[doc = $doc])+ pub const $constant: Self = Self($value);)+

            const fn known_name(self) -> Option<&'static str> {
                match self.0 {
                    $($value => Some($text),)+
                    _ => None,
                }
            }
        }
    };
}

mod buffer;
mod classic;
mod cpu_config;
mod event;
mod extended;
mod framing;
mod group;
mod logfile;
mod loss_event;
mod marker;
mod message;
mod record;
mod system;

pub use buffer::{BufferFlags, BufferHeader, PreVistaBufferHeader};
pub use classic::{ClassicHeader, ErrorHeader, InstanceHeader, ShortInstanceHeader};
pub use cpu_config::{CPU_CONFIG_HOOK, computer_name};
pub use event::{EventHeader, event_flags};
pub use extended::{ExtendedType, ItemHeader, Traits};
pub use framing::Framing;
pub use group::{EVENT_METADATA, IMAGE_ID, SYSTEM_PROVIDER, group_guid, hook_guid};
pub use logfile::{ClockType, LogFileHeader, LogFileMode, SystemTime, TimeZone};
pub(crate) use loss_event::LossEvent;
pub use marker::{HeaderType, Marker};
pub use message::{MessageFields, MessageHeader, message_options};
pub use record::{RecordHeader, RecordItem};
pub use system::{CompactHeader, PerfInfoHeader, SystemHeader, counters_len};
