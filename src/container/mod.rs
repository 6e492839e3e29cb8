//! From a file's bytes to buffers to raw events, whatever is damaged.
//!
//! | file | does | damage it handles |
//! |---|---|---|
//! | `head` | reads the first buffer: header of the trace, clock | a log-file header that cannot be read |
//! | `foreign_format` | names what is not a trace | |
//! | `frame` | walks from buffer to buffer, whatever their kind | reports what is in no buffer, and a cut-off last buffer |
//! | `modern` | buffers of Vista and later | wrong sizes in headers, damaged headers |
//! | `pre_vista` | buffers of before Vista | impossible used lengths |
//! | `btl` | blocks of `.btl` files | wrong sizes of blocks, bytes between them |
//! | `packing` | unpacks the stream of a block, however it is packed | |
//! | `candidate` | judges bytes that may be a buffer's header | |
//! | `content` | states whether the content of a buffer speaks for its header | |
//! | `has_buffers` | looks for buffers in what begins as another file | a first page that was overwritten |
//! | `resync` | searches the next modern buffer | bytes that are not a buffer |
//! | `searched_ranges` | remembers where no buffer was found | |
//! | `unpack_room` | limits what compressed buffers unpack to | |
//! | `scan` | reads a file in growing windows | |
//! | `zero_tail` | finds zeros up to the end | files that were preallocated or not closed |
//! | `missing_buffers` | compares the buffers with the count in the header | buffers that were taken out or cut off |
//! | `ring` | states how many buffers a circular file has that has wrapped | buffers that were cut off |
//! | `load` | brings a buffer's event area into memory, unpacked | corrupt compression, used lengths that cannot be right; makes the problem of a gap |
//! | `walk` | iterates the events of a loaded buffer | bytes between events |
//!
//! Which function decides the place of a reported problem:
//!
//! | problem | file | function |
//! |---|---|---|
//! | `bad-header` | `head` | `Head::read` |
//! | `bad-buffer`, `zero-tail` | `frame` | `Frames::gap` |
//! | `truncated` | `frame` | `Frames::buffer`; `Frames::gap` inside a header |
//! | `truncated` | `load` | `shrunk`, if the file became shorter while it was read |
//! | `buffers-missing` | `missing_buffers` | `MissingBuffers::problem` |
//! | `used-length` | `load` | `beyond` |
//! | `slack` | `load` | `unread_slack` |
//! | `bad-compression` | `load` | `unpack` |
//! | `bad-event`, `fill` | `load` | `Loaded::problem_of` |
//!
//! A used length beyond the buffer is `used-length` only if the buffer is the file's first or its size was corrected.
//! Another header with such a length is not a header (`BufferHeader::is_plausible`; `pre_vista`): the bytes up to the
//! next one are a `bad-buffer`.

mod btl;
mod buffer_info;
mod candidate;
mod content;
mod foreign_format;
mod frame;
mod has_buffers;
mod head;
mod held_buffers;
mod load;
mod missing_buffers;
mod modern;
mod packing;
mod part_walk;
mod pre_vista;
mod resync;
mod ring;
mod scan;
mod searched_ranges;
#[cfg(test)]
mod tests;
mod timed_marker;
mod unpack_room;
mod walk;
mod zero_tail;

pub use buffer_info::BufferInfo;
pub use frame::{Frame, Frames};
pub use head::Head;
pub(crate) use load::start_of;
pub use load::{Arena, Loaded};
pub(crate) use part_walk::PartWalk;
pub(crate) use walk::leads_on;
pub use walk::{Stamp, Step, UnreadBytes, Walk};
