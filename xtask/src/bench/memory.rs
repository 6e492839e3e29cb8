//! Peak anonymous memory: what the program allocates, without mapped files.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Looks at `RssAnon` of this process again and again, since the kernel keeps no peak of it.
pub(super) struct Peak {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    peak: AtomicU64,
    done: AtomicBool,
}

impl Peak {
    /// Begins to look.
    pub(super) fn watch() -> Self {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            while !own.done.load(Ordering::Relaxed) {
                own.peak.fetch_max(anonymous(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        Self { shared, thread }
    }

    /// Returns the highest value seen, KB; 0 where the system does not report it.
    pub(super) fn kilobytes(self) -> u64 {
        self.shared.done.store(true, Ordering::Relaxed);
        let _ = self.thread.join();
        self.shared.peak.load(Ordering::Relaxed)
    }
}

fn anonymous() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
