//! Log-file header, buffers, and how they make a file (sections 1, 2, 4).

mod assemble;
mod blocks;
mod buffer;
mod builder;
mod clock;
mod header;
mod layout;
mod sets;

pub use blocks::{Block, block_file, huffman_block_file};
pub use buffer::{Buffer, Compression, buffer_flag};
pub use builder::{Padding, Trace, TraceBuilder};
pub use clock::Clock;
pub use header::{HeaderText, LogfileHeader, mode};
pub use layout::BufferLayout;
pub use sets::new_file_set;
