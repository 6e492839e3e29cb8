//! Where answers go: to the client at once, or into the answer to a batch.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::text::safe_json;

/// Takes the answers to one message or to those of one batch.
#[derive(Clone, Default)]
pub(super) struct Outlet(Option<Arc<Batch>>);

/// The answers to a batch, which are sent when the last one is there.
#[derive(Default)]
struct Batch(Mutex<Vec<Value>>);

impl Outlet {
    /// For the messages of a batch: their answers are sent together when the last copy of this is dropped.
    pub(super) fn of_batch() -> Self {
        Self(Some(Arc::default()))
    }

    /// Takes an answer.
    pub(super) fn send(&self, answer: Value) {
        match &self.0 {
            Some(batch) => batch.0.lock().unwrap_or_else(PoisonError::into_inner).push(answer),
            None => write(&answer),
        }
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let answers = std::mem::take(self.0.get_mut().unwrap_or_else(PoisonError::into_inner));
        // Notifications have no answers, and nor have batches of them.
        if !answers.is_empty() {
            write(&answers.into());
        }
    }
}

/// Writes a message. A client that has gone reads no answer.
fn write(message: &Value) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{}", safe_json(message)).and_then(|()| out.flush());
}
