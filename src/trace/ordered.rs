//! Work done by several threads, delivered in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use crate::error::Result;

/// Runs `work` on each task and hands the results to `accept` in the order of the tasks. With one thread everything
/// happens on the caller's thread. With more, at most two results a thread are alive; `accept` may stop it early. Where
/// the system refuses threads, fewer work. A panic of a worker continues on the caller's thread.
pub(super) fn ordered<T: Send, W, R: Send>(
    threads: usize,
    tasks: impl Iterator<Item = T> + Send,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, T) -> Result<R> + Sync,
    mut accept: impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    if threads <= 1 {
        return alone(tasks, &worker, &work, &mut accept);
    }
    let tasks = Mutex::new(tasks.enumerate());
    let (permit, permits) = sync_channel::<()>(2 * threads);
    let permits = Mutex::new(permits);
    std::thread::scope(|scope| {
        let (sender, results) = sync_channel(2 * threads);
        for _ in 0..2 * threads {
            let _ = permit.send(());
        }
        let spawned = (0..threads).map_while(|_| {
            let (sender, tasks, permits, worker, work) = (sender.clone(), &tasks, &permits, &worker, &work);
            let thread = std::thread::Builder::new();
            thread.spawn_scoped(scope, move || produce(&sender, tasks, permits, worker, work)).ok()
        });
        let spawned = spawned.count();
        drop(sender);
        if spawned == 0 {
            let tasks = std::iter::from_fn(|| lock(&tasks).next().map(|(_, task)| task));
            return alone(tasks, &worker, &work, &mut accept);
        }
        let done = deliver(&results, &permit, &mut accept);
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
    work: impl Fn(&mut W, T) -> Result<R>,
    accept: &mut impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let mut state = worker();
    for task in tasks {
        if accept(work(&mut state, task)?)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Returns a lock that a panic of another worker does not take away.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

type Delivery<R> = (usize, std::thread::Result<Result<R>>);

fn produce<T, W, R>(
    sender: &SyncSender<Delivery<R>>,
    tasks: &Mutex<impl Iterator<Item = (usize, T)>>,
    permits: &Mutex<Receiver<()>>,
    worker: impl Fn() -> W,
    work: impl Fn(&mut W, T) -> Result<R>,
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
        let result = catch_unwind(AssertUnwindSafe(|| work(&mut state, task)));
        if sender.send((number, result)).is_err() {
            return;
        }
    }
}

/// Hands results on in order; each that was handed on is a permit for another one.
fn deliver<R>(
    results: &Receiver<Delivery<R>>,
    permit: &SyncSender<()>,
    accept: &mut impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    while let Ok((number, result)) = results.recv() {
        waiting.insert(number, result);
        while let Some(result) = waiting.remove(&next) {
            next += 1;
            let result = result.unwrap_or_else(|panic| resume_unwind(panic))?;
            if accept(result)?.is_break() {
                return Ok(());
            }
            let _ = permit.try_send(());
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
            |(), n| {
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
    fn an_error_ends_it_and_a_panic_goes_on() {
        let fail = |n: usize| if n == 50 { Err(crate::Error::limit("test", 50)) } else { Ok(n) };
        let run = |threads| ordered(threads, 0..100usize, || (), |(), n| fail(n), |_| Ok(ControlFlow::Continue(())));
        assert!(run(1).is_err());
        assert!(run(4).is_err());
        let panicked = catch_unwind(|| {
            ordered(
                3,
                0..10usize,
                || (),
                |(), n| {
                    assert!(n != 5);
                    Ok(n)
                },
                |_| Ok(ControlFlow::Continue(())),
            )
        });
        assert!(panicked.is_err());
    }
}
