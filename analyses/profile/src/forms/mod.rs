//! The forms of a profile.

mod by_thread;
mod call_tree;
mod chrome;
mod firefox;
mod flame_graph;
mod folded;
mod lazy;
mod merged;
mod perfetto;
mod pprof;
mod proto;
mod room;
mod speedscope;
mod track;
mod used_frames;

pub use call_tree::call_tree;
pub use chrome::chrome;
pub use firefox::firefox;
pub use flame_graph::flame_graph;
pub use folded::folded;
pub use perfetto::perfetto;
pub use pprof::pprof;
pub use speedscope::speedscope;
