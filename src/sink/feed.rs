//! What a run hands over when it is asked for.

use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::task::Poll;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::error::Result;

/// What a thread of its own makes, one item after the other: the batches of a [`Sink`](super::Sink), for example, for a
/// caller that asks for one at a time. The thread waits while nobody asks for what it has made. Dropping the feed ends
/// the work, and does not wait for it.
#[derive(Debug)]
pub struct Feed<T> {
    /// `None` once it is stopped.
    items: Option<Receiver<T>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The thread of a [`Feed`] has panicked: what it made is not all there is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine failed: {0}")]
pub struct Panicked(String);

/// Where the thread of a [`Feed`] puts what it makes.
#[derive(Debug)]
pub struct Outlet<T> {
    items: SyncSender<T>,
    is_over: Arc<AtomicBool>,
}

impl<T> Outlet<T> {
    /// Hands over an item, after those that wait, of which it waits for one to be taken if there are too many.
    /// [`ControlFlow::Break`] if nobody asks any more.
    pub fn send(&self, item: T) -> ControlFlow<()> {
        if self.items.send(item).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Returns whether to go on, for [`Trace::run_with`](crate::Trace::run_with): [`ControlFlow::Break`] if nobody asks
    /// any more.
    pub fn is_wanted(&self) -> ControlFlow<()> {
        if self.is_over.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<T: Send + 'static> Feed<T> {
    /// Starts work on a thread of a name, which may be so many items ahead.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn start(name: &str, ahead: usize, work: impl FnOnce(&Outlet<T>) + Send + 'static) -> Result<Self> {
        let (sender, items) = sync_channel(ahead);
        let is_over = Arc::new(AtomicBool::new(false));
        let outlet = Outlet { items: sender, is_over: Arc::clone(&is_over) };
        let thread = Builder::new().name(name.to_owned()).spawn(move || work(&outlet))?;
        Ok(Self { items: Some(items), is_over, thread: Some(thread) })
    }
}

impl<T> Feed<T> {
    /// Waits for the next item; `None` at the end.
    ///
    /// # Errors
    ///
    /// Once, at the end, if the work ended by a panic.
    #[expect(clippy::should_implement_trait, reason = "it has an error of its own")]
    pub fn next(&mut self) -> std::result::Result<Option<T>, Panicked> {
        match self.items.as_ref().and_then(|items| items.recv().ok()) {
            Some(item) => Ok(Some(item)),
            None => self.end(),
        }
    }

    /// Waits as [`Feed::next`] does, but no longer than a time, for callers that must look after something else
    /// meanwhile: [`Poll::Pending`] then.
    ///
    /// # Errors
    ///
    /// As [`Feed::next`].
    pub fn next_within(&mut self, time: Duration) -> Poll<std::result::Result<Option<T>, Panicked>> {
        let item = self.items.as_ref().map_or(Err(RecvTimeoutError::Disconnected), |items| items.recv_timeout(time));
        match item {
            Ok(item) => Poll::Ready(Ok(Some(item))),
            Err(RecvTimeoutError::Timeout) => Poll::Pending,
            Err(RecvTimeoutError::Disconnected) => Poll::Ready(self.end()),
        }
    }

    /// Ends the work, and waits until its thread is gone. Nothing comes any more.
    pub fn stop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // An outlet that waits fails.
        self.items = None;
        // Nobody asked for what it ended with.
        let _: std::result::Result<Option<T>, Panicked> = self.end();
    }

    /// Returns how the work ended.
    fn end(&mut self) -> std::result::Result<Option<T>, Panicked> {
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(panic)) => Err(Panicked::of(panic)),
            _ => Ok(None),
        }
    }
}

impl<T> Drop for Feed<T> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

impl Panicked {
    /// Reads what a thread or [`catch_unwind`](std::panic::catch_unwind) returns of a panic.
    pub fn of(panic: Box<dyn Any + Send>) -> Self {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned());
        // What a panic carries may panic when it is dropped.
        std::mem::forget(panic);
        Self(text)
    }

    /// Returns what the panic states.
    pub fn text(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_in_order_and_end() {
        let mut feed = Feed::start("test", 1, |outlet| {
            (0..10).all(|number| outlet.send(number).is_continue());
        });
        let feed = feed.as_mut().unwrap();
        let all: Vec<i32> = std::iter::from_fn(|| feed.next().unwrap()).collect();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
        assert_eq!(feed.next(), Ok(None));
    }

    #[test]
    fn a_panic_is_no_end() {
        let mut feed = Feed::<u8>::start("test", 1, |_| std::panic::panic_any("at 7")).unwrap();
        assert_eq!(feed.next(), Err(Panicked("at 7".to_owned())));
        assert_eq!(feed.next(), Ok(None));
    }

    #[test]
    fn who_waits_no_longer_is_told() {
        let (begin, wait) = sync_channel::<()>(0);
        let mut feed = Feed::start("test", 1, move |outlet| {
            let _: std::result::Result<(), _> = wait.recv();
            let _: ControlFlow<()> = outlet.send(1);
        });
        let feed = feed.as_mut().unwrap();
        assert_eq!(feed.next_within(Duration::from_millis(1)), Poll::Pending);
        begin.send(()).unwrap();
        assert_eq!(feed.next(), Ok(Some(1)));
    }

    #[test]
    fn work_that_nobody_asks_for_ends() {
        let mut feed = Feed::start("test", 1, |outlet| while outlet.send(0).is_continue() {}).unwrap();
        feed.stop();
        assert_eq!(feed.next(), Ok(None));
        let (told, ends) = sync_channel::<()>(0);
        drop(Feed::<u8>::start("test", 1, move |outlet| {
            while outlet.is_wanted().is_continue() {
                std::thread::yield_now();
            }
            drop(told);
        }));
        assert!(ends.recv().is_err());
    }
}
