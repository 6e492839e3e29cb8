//! Memory of written batches, for the next ones.

use std::sync::{Arc, Mutex};

/// Maximum number of bytes of memory that is kept.
const MAX_KEPT: usize = 8 << 20;

/// Empty buffers that a sink and its workers share: a batch is megabytes, and new memory costs the system's time for
/// each page. As many are kept as were in use at once.
#[derive(Clone, Debug, Default)]
pub(super) struct SpareBuffers(Arc<Mutex<Vec<Vec<u8>>>>);

impl SpareBuffers {
    /// Returns an empty buffer, with memory if there is some.
    pub(super) fn take(&self) -> Vec<u8> {
        self.0.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default()
    }

    /// Keeps the memory of a buffer that is not needed any more. One without memory must not hide those that have some.
    pub(super) fn keep(&self, mut buffer: Vec<u8>) {
        if (1..=MAX_KEPT).contains(&buffer.capacity())
            && let Ok(mut spare) = self.0.lock()
        {
            buffer.clear();
            spare.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_unless_it_is_large() {
        let spare = SpareBuffers::default();
        spare.keep(Vec::with_capacity(1000));
        spare.keep(Vec::new());
        spare.keep(Vec::with_capacity(MAX_KEPT + 1));
        assert!((1000..MAX_KEPT).contains(&spare.take().capacity()));
        assert_eq!(spare.take().capacity(), 0);
    }
}
