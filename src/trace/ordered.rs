//! Work done by several threads, delivered in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::error::Result;

/// Runs `work` on each task and hands the results to `accept` in the order of the tasks. With one thread everything
/// happens on the caller's thread. With more, at most two results a thread are alive; `accept` may stop it early. `work`
/// may hand over parts of a result before its last one by its [`Outlet`]. Where the system refuses threads, fewer work. A
/// panic of a worker continues on the caller's thread.
pub(super) fn ordered<T: Send, W, R: Send>(
    threads: usize,
    tasks: impl Iterator<Item = T> + Send,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, T, &mut dyn Outlet<R>) -> Result<R> + Sync,
    mut accept: impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    if threads <= 1 {
        return alone(tasks, &worker, &work, &mut accept);
    }
    let tasks = Mutex::new(tasks.enumerate());
    let turn = Turn::default();
    let (permit, permits) = sync_channel::<()>(2 * threads);
    let permits = Mutex::new(permits);
    std::thread::scope(|scope| {
        let (sender, results) = sync_channel(2 * threads);
        for _ in 0..2 * threads {
            let _ = permit.send(());
        }
        let spawned = (0..threads).map_while(|_| {
            let (sender, tasks, permits, turn, worker, work) =
                (sender.clone(), &tasks, &permits, &turn, &worker, &work);
            let thread = std::thread::Builder::new();
            thread.spawn_scoped(scope, move || produce(&sender, tasks, permits, turn, worker, work)).ok()
        });
        let spawned = spawned.count();
        drop(sender);
        if spawned == 0 {
            let tasks = std::iter::from_fn(|| lock(&tasks).next().map(|(_, task)| task));
            return alone(tasks, &worker, &work, &mut accept);
        }
        let done = deliver(&results, &permit, &turn, &mut accept);
        // Workers that wait for a permit or a place in the channel end when these are gone.
        drop(permit);
        drop(results);
        done
    })
}

/// Does everything on this thread.
fn alone<T, W, R>(
    tasks: impl Iterator<Item = T>,
    worker: impl Fn() -> W,
    work: impl Fn(&mut W, T, &mut dyn Outlet<R>) -> Result<R>,
    accept: &mut impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let mut state = worker();
    for task in tasks {
        let mut outlet = Alone { accept, is_ended: false };
        let last = work(&mut state, task, &mut outlet)?;
        if outlet.is_ended || accept(last)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Where a task hands over parts of its result.
pub(super) trait Outlet<R> {
    /// Returns whether all tasks before this one are done, so that a part is accepted without waiting.
    fn is_open(&self) -> bool;

    /// Hands over a part, and waits for the tasks before this one if they are not done.
    fn hand_over(&mut self, part: R) -> Result<ControlFlow<()>>;
}

/// The outlet of tasks that are done one after the other.
struct Alone<'a, A> {
    accept: &'a mut A,
    is_ended: bool,
}

impl<R, A: FnMut(R) -> Result<ControlFlow<()>>> Outlet<R> for Alone<'_, A> {
    fn is_open(&self) -> bool {
        true
    }

    fn hand_over(&mut self, part: R) -> Result<ControlFlow<()>> {
        let flow = (self.accept)(part)?;
        self.is_ended |= flow.is_break();
        Ok(flow)
    }
}

/// The outlet of a task among others.
struct InTurn<'a, R> {
    number: usize,
    turn: &'a Turn,
    sender: &'a SyncSender<Delivery<R>>,
}

impl<R> Outlet<R> for InTurn<'_, R> {
    fn is_open(&self) -> bool {
        self.turn.is(self.number)
    }

    fn hand_over(&mut self, part: R) -> Result<ControlFlow<()>> {
        let is_taken = self.turn.wait(self.number) && self.sender.send(Delivery::Part(part)).is_ok();
        Ok(if is_taken { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    }
}

/// The number of the task whose results are accepted.
#[derive(Debug, Default)]
struct Turn {
    next: Mutex<usize>,
    changed: Condvar,
    /// As `next`, for those who only look.
    seen: AtomicUsize,
}

impl Turn {
    /// Waits for the turn of a task; false if it never comes.
    fn wait(&self, number: usize) -> bool {
        let next = self.changed.wait_while(lock(&self.next), |next| *next < number);
        *next.unwrap_or_else(PoisonError::into_inner) == number
    }

    /// Returns whether it is the turn of a task. It may be late to say so.
    fn is(&self, number: usize) -> bool {
        self.seen.load(Ordering::Relaxed) == number
    }

    fn set(&self, number: usize) {
        *lock(&self.next) = number;
        self.seen.store(number, Ordering::Relaxed);
        self.changed.notify_all();
    }
}

/// Ends the waiting of all workers, also when a panic passes.
struct EndTurns<'t>(&'t Turn);

impl Drop for EndTurns<'_> {
    fn drop(&mut self) {
        self.0.set(usize::MAX);
    }
}

/// Returns a lock that a panic of another worker does not take away.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a worker sends: a part of the result of the task whose turn it is, or the last one of any task.
enum Delivery<R> {
    Part(R),
    Last(usize, std::thread::Result<Result<R>>),
}

fn produce<T, W, R>(
    sender: &SyncSender<Delivery<R>>,
    tasks: &Mutex<impl Iterator<Item = (usize, T)>>,
    permits: &Mutex<Receiver<()>>,
    turn: &Turn,
    worker: impl Fn() -> W,
    work: impl Fn(&mut W, T, &mut dyn Outlet<R>) -> Result<R>,
) {
    let mut state = worker();
    loop {
        // A permit precedes each task. It bounds the number of results that wait for an earlier, slower task.
        let permit = lock(permits).recv();
        if permit.is_err() {
            return;
        }
        let Some((number, task)) = lock(tasks).next() else { return };
        // A panic must reach the caller: without a result for its number, `deliver` would wait for it to the end.
        let mut outlet = InTurn { number, turn, sender };
        let result = catch_unwind(AssertUnwindSafe(|| work(&mut state, task, &mut outlet)));
        if sender.send(Delivery::Last(number, result)).is_err() {
            return;
        }
    }
}

/// Hands results on in order; each that was handed on is a permit for another one.
fn deliver<R>(
    results: &Receiver<Delivery<R>>,
    permit: &SyncSender<()>,
    turn: &Turn,
    accept: &mut impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let _end = EndTurns(turn);
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    while let Ok(delivery) = results.recv() {
        match delivery {
            Delivery::Part(part) => {
                if accept(part)?.is_break() {
                    return Ok(());
                }
            }
            Delivery::Last(number, result) => drop(waiting.insert(number, result)),
        }
        while let Some(result) = waiting.remove(&next) {
            next += 1;
            let result = result.unwrap_or_else(|panic| resume_unwind(panic))?;
            if accept(result)?.is_break() {
                return Ok(());
            }
            let _ = permit.try_send(());
            turn.set(next);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(threads: usize, stop_at: usize) -> Vec<usize> {
        let mut out = Vec::new();
        ordered(
            threads,
            0..200usize,
            || (),
            |(), n, _| {
                if n % 7 == 0 {
                    std::thread::sleep(std::time::Duration::from_micros(200));
                }
                Ok(n * 2)
            },
            |n| {
                out.push(n);
                Ok(if out.len() == stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            },
        )
        .unwrap();
        out
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        let all: Vec<usize> = (0..200).map(|n| n * 2).collect();
        for threads in [1, 2, 8] {
            assert_eq!(collect(threads, usize::MAX), all);
            assert_eq!(collect(threads, 5), all[..5]);
        }
    }

    #[test]
    fn parts_come_before_the_last_one_of_their_task() {
        for (threads, stop_at) in [(1, usize::MAX), (2, usize::MAX), (8, usize::MAX), (1, 33), (8, 33)] {
            let mut out = Vec::new();
            let work = |(): &mut (), n: usize, outlet: &mut dyn Outlet<usize>| {
                for part in 0..n % 4 {
                    if outlet.hand_over(n * 10 + part)?.is_break() {
                        break;
                    }
                }
                Ok(n * 10 + 9)
            };
            let accept = |n| {
                out.push(n);
                Ok(if out.len() == stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            };
            ordered(threads, 0..200usize, || (), work, accept).unwrap();
            let all = (0..200).flat_map(|n| (0..n % 4).chain([9]).map(move |part| n * 10 + part));
            assert_eq!(out, all.take(stop_at).collect::<Vec<_>>(), "{threads}");
        }
    }

    #[test]
    fn an_outlet_opens_when_all_tasks_before_are_done() {
        for threads in [1, 2, 8] {
            let done = AtomicUsize::new(0);
            let work = |(): &mut (), n: usize, outlet: &mut dyn Outlet<usize>| {
                while !outlet.is_open() {
                    std::thread::yield_now();
                }
                assert_eq!(done.fetch_add(1, Ordering::Relaxed), n);
                Ok(n)
            };
            ordered(threads, 0..50usize, || (), work, |_| Ok(ControlFlow::Continue(()))).unwrap();
            assert_eq!(done.into_inner(), 50);
        }
    }

    #[test]
    fn an_error_ends_it_and_a_panic_goes_on() {
        let fail = |n: usize| if n == 50 { Err(crate::Error::limit("test", 50)) } else { Ok(n) };
        let run = |threads| ordered(threads, 0..100usize, || (), |(), n, _| fail(n), |_| Ok(ControlFlow::Continue(())));
        assert!(run(1).is_err());
        assert!(run(4).is_err());
        let panicked = catch_unwind(|| {
            ordered(
                3,
                0..10usize,
                || (),
                |(), n, _| {
                    assert!(n != 5);
                    Ok(n)
                },
                |_| Ok(ControlFlow::Continue(())),
            )
        });
        assert!(panicked.is_err());
    }
}
