//! The tasks that several threads share.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Numbered tasks, of which those up to some number after the first unfinished one may be taken: that bounds the results
/// that wait for an earlier, slower task.
#[derive(Debug)]
pub(super) struct TaskQueue<I> {
    state: Mutex<State<I>>,
    changed: Condvar,
    /// How many tasks may be taken and not finished.
    window: usize,
}

#[derive(Debug)]
struct State<I> {
    tasks: I,
    /// The number of the next task.
    next: usize,
    /// The number of the first task whose result has not been accepted.
    turn: usize,
    is_ended: bool,
}

/// What is there to do.
pub(super) enum Taken<T> {
    /// A task and its number.
    Task(usize, T),
    /// Nothing until a result is accepted.
    Full,
    /// Nothing any more.
    Over,
}

impl<T, I: Iterator<Item = T>> TaskQueue<I> {
    pub(super) const fn new(tasks: I, window: usize) -> Self {
        let state = State { tasks, next: 0, turn: 0, is_ended: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), window }
    }

    /// Takes the next task, if one may be taken now.
    pub(super) fn try_take(&self) -> Taken<T> {
        self.take(&mut self.lock())
    }

    /// Takes the next task as soon as it may be taken; `None` if there is none any more.
    pub(super) fn wait_for_task(&self) -> Option<(usize, T)> {
        let mut state = self.lock();
        loop {
            match self.take(&mut state) {
                Taken::Task(number, task) => return Some((number, task)),
                Taken::Full => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Taken::Over => return None,
            }
        }
    }

    fn take(&self, state: &mut State<I>) -> Taken<T> {
        if state.is_ended {
            return Taken::Over;
        }
        if state.next >= state.turn + self.window {
            return Taken::Full;
        }
        let Some(task) = state.tasks.next() else {
            state.is_ended = true;
            return Taken::Over;
        };
        let number = state.next;
        state.next += 1;
        Taken::Task(number, task)
    }
}

impl<I> TaskQueue<I> {
    /// Waits until the results of all tasks before this one have been accepted; false if that never comes.
    pub(super) fn wait_for_turn(&self, number: usize) -> bool {
        let waits = |state: &mut State<I>| state.turn < number;
        let state = self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner);
        state.turn == number
    }

    /// Notes that the results of all tasks before this one have been accepted.
    pub(super) fn set_turn(&self, number: usize) {
        self.lock().turn = number;
        self.changed.notify_all();
    }

    /// Ends all waiting when the returned value is dropped.
    pub(super) const fn end_when_dropped(&self) -> EndOfQueue<'_, I> {
        EndOfQueue(self)
    }

    /// Returns the state, which a panic in another thread does not take away.
    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the waiting of all threads when it is dropped, also when a panic passes.
pub(super) struct EndOfQueue<'q, I>(&'q TaskQueue<I>);

impl<I> Drop for EndOfQueue<'_, I> {
    fn drop(&mut self) {
        {
            let mut state = self.0.lock();
            (state.is_ended, state.turn) = (true, usize::MAX);
        }
        self.0.changed.notify_all();
    }
}
