//! From a file's bytes to buffers to raw events, whatever is damaged.
//!
//! | file | does |
//! |---|---|
//! | `head` | reads the first buffer: header of the trace, clock |
//! | `foreign` | names what is no trace |
//! | `frame` | finds the buffers one after the other, resynchronising after damage |
//! | `searched` | remembers where no buffer was found |
//! | `block` | the same for the blocks of a `.btl` file |
//! | `load` | brings a buffer's event area into memory, unpacked |
//! | `walk` | iterates the events of a loaded buffer, resynchronising after damage |

mod block;
mod foreign;
mod frame;
mod head;
mod load;
mod searched;
mod walk;

pub use frame::{BufferInfo, Frame, Frames};
pub use head::Head;
pub(crate) use load::start_of;
pub use load::{Arena, Loaded};
pub(crate) use walk::leads_on;
pub use walk::{Stamp, Step, UnreadBytes, Walk};
