//! Calls that run, and their cancellation.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Calls that may run at the same time.
const MOST: usize = 8;

/// The calls that run, by the ids of their requests.
#[derive(Debug, Default)]
pub(super) struct Calls {
    running: Mutex<BTreeMap<String, Arc<AtomicBool>>>,
    /// Calls that have not been answered; more than those that run.
    unanswered: Mutex<usize>,
    answered: Condvar,
}

impl Calls {
    /// Begins a call. What is returned becomes true if the call is cancelled. The error is a message for the client.
    pub(super) fn begin(&self, id: &str) -> Result<Arc<AtomicBool>, String> {
        let mut running = self.running();
        if running.len() >= MOST {
            return Err(format!("{MOST} calls are running: wait for one of them"));
        }
        if running.contains_key(id) {
            return Err(format!("a request with the id {id} is running"));
        }
        let is_cancelled = Arc::new(AtomicBool::new(false));
        running.insert(id.to_owned(), Arc::clone(&is_cancelled));
        *self.unanswered() += 1;
        Ok(is_cancelled)
    }

    /// Ends a call: another one has its place. [`Calls::answered`] follows.
    pub(super) fn end(&self, id: &str) {
        self.running().remove(id);
    }

    /// States that a call that has ended was answered.
    pub(super) fn answered(&self) {
        *self.unanswered() -= 1;
        self.answered.notify_all();
    }

    /// Cancels a call, if it runs.
    pub(super) fn cancel(&self, id: &str) {
        if let Some(is_cancelled) = self.running().get(id) {
            is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until all calls are answered: the client has sent all that it wanted.
    pub(super) fn wait(&self) {
        let mut unanswered = self.unanswered();
        while *unanswered > 0 {
            unanswered = self.answered.wait(unanswered).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn unanswered(&self) -> MutexGuard<'_, usize> {
        self.unanswered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<String, Arc<AtomicBool>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_cancelled_by_its_id() {
        let calls = Calls::default();
        let first = calls.begin("1").unwrap();
        assert!(calls.begin("1").is_err());
        calls.cancel("2");
        assert!(!first.load(Ordering::Relaxed));
        calls.cancel("1");
        assert!(first.load(Ordering::Relaxed));
        calls.end("1");
        calls.answered();
        calls.wait();
        let many: Vec<_> = (0..9).map(|id| calls.begin(&id.to_string()).is_ok()).collect();
        assert_eq!(many.iter().filter(|is_begun| **is_begun).count(), MOST);
    }
}
