//! Sets of files from one session (section 8.7).

use super::{Trace, TraceBuilder};

/// Builds the files of a new-file session in order: sequence numbers go on from file to file.
pub fn new_file_set(files: impl IntoIterator<Item = TraceBuilder>) -> Vec<Trace> {
    let mut next = 1;
    let mut traces = Vec::new();
    for file in files {
        let file = file.first_sequence(next);
        next += i64::from(crate::narrow::u32_of(file.buffer_count()));
        traces.push(file.build());
    }
    traces
}
