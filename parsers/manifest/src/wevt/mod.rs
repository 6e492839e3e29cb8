//! Manifests that `mc.exe` compiled into a binary.
//!
//! | module | owns |
//! |---|---|
//! | `template` | the `WEVT_TEMPLATE` resource as [`Provider`](crate::Provider)s |
//! | `items` | its templates and maps |
//! | `blocks` | reading by offset, with a limit on what all of it may take |
//! | `messages` | `RT_MESSAGETABLE` resources |
//! | `image` | resources of a PE file |
//!
//! Sources: section 10.2 of `docs/format`; "PE Format" of Microsoft's documentation.

mod blocks;
mod image;
mod items;
mod messages;
mod template;

pub use image::Resources;
pub use messages::Messages;
pub use template::parse;
