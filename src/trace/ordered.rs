//! Work done by several threads, delivered in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::error::Result;

use super::task_queue::{Taken, TaskQueue};

/// Runs `work` on each task and hands the results to `accept` in the order of the tasks. `own` is the memory of this
/// thread, `others` that of the other ones, one each. This thread does its share of the work, and it alone calls
/// `accept`: nobody needs to be woken for a result. At most two results per thread are alive; `accept` may stop it early.
/// `work` may hand over parts of a result before its last one by its [`Outlet`]. Where the system refuses threads, fewer
/// work. A panic of a worker continues on this thread.
pub(super) fn ordered<T: Send, W: Send, R: Send>(
    (own, others): (W, Vec<W>),
    tasks: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut W, T, &mut dyn Outlet<R>) -> Result<R> + Sync,
    mut accept: impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    if others.is_empty() {
        return alone(own, tasks, &work, &mut accept);
    }
    let threads = 1 + others.len();
    let queue = TaskQueue::new(tasks, 2 * threads);
    std::thread::scope(|scope| {
        // Workers that wait for their turn or a place in the channel end when these are gone, also when a panic passes.
        let _end = queue.end_when_dropped();
        let (sender, results) = sync_channel(2 * threads);
        for other in others {
            let (sender, queue, work) = (sender.clone(), &queue, &work);
            let thread = std::thread::Builder::new();
            if thread.spawn_scoped(scope, move || produce(&sender, queue, other, work)).is_err() {
                break;
            }
        }
        drop(sender);
        let mut delivery =
            Deliveries { results, waiting: BTreeMap::new(), next: 0, queue: &queue, accept: &mut accept };
        delivery.run(own, &work).map(drop)
    })
}

/// Does everything on this thread.
fn alone<T, W, R>(
    mut own: W,
    tasks: impl Iterator<Item = T>,
    work: impl Fn(&mut W, T, &mut dyn Outlet<R>) -> Result<R>,
    accept: &mut impl FnMut(R) -> Result<ControlFlow<()>>,
) -> Result<()> {
    for task in tasks {
        let mut outlet = Alone { accept, is_ended: false };
        let last = work(&mut own, task, &mut outlet)?;
        if outlet.is_ended || accept(last)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// Where a task hands over parts of its result.
pub(super) trait Outlet<R> {
    /// Returns whether a part is accepted at once: all tasks before this one are done, and no other thread is needed.
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

/// The outlet of a task of another thread than the caller's.
struct InTurn<'a, Q, R> {
    number: usize,
    queue: &'a Q,
    sender: &'a SyncSender<Delivery<R>>,
}

impl<T, I: Iterator<Item = T>, R> Outlet<R> for InTurn<'_, TaskQueue<I>, R> {
    /// The caller's thread has work of its own, and takes a part no sooner than the whole.
    fn is_open(&self) -> bool {
        false
    }

    fn hand_over(&mut self, part: R) -> Result<ControlFlow<()>> {
        let is_taken = self.queue.wait_for_turn(self.number) && self.sender.send(Delivery::Part(part)).is_ok();
        Ok(if is_taken { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    }
}

/// What a thread sends: a part of the result of the task whose turn it is, or the last one of any task.
enum Delivery<R> {
    Part(R),
    Last(usize, std::thread::Result<Result<R>>),
}

/// Works on tasks until there are no more.
fn produce<T, W, R>(
    sender: &SyncSender<Delivery<R>>,
    queue: &TaskQueue<impl Iterator<Item = T>>,
    mut own: W,
    work: impl Fn(&mut W, T, &mut dyn Outlet<R>) -> Result<R>,
) {
    while let Some((number, task)) = queue.wait_for_task() {
        // A panic must reach the caller, who would wait for a result of this number to the end.
        let mut outlet = InTurn { number, queue, sender };
        let result = catch_unwind(AssertUnwindSafe(|| work(&mut own, task, &mut outlet)));
        if sender.send(Delivery::Last(number, result)).is_err() {
            return;
        }
    }
}

/// The caller's side: accepts results in order, and works when none is there.
struct Deliveries<'a, I, R, A> {
    results: Receiver<Delivery<R>>,
    /// Results that came before their turn.
    waiting: BTreeMap<usize, std::thread::Result<Result<R>>>,
    /// The task whose result is accepted next.
    next: usize,
    queue: &'a TaskQueue<I>,
    accept: &'a mut A,
}

impl<T, I, R, A> Deliveries<'_, I, R, A>
where
    I: Iterator<Item = T>,
    A: FnMut(R) -> Result<ControlFlow<()>>,
{
    fn run<W>(
        &mut self,
        mut own: W,
        work: impl Fn(&mut W, T, &mut dyn Outlet<R>) -> Result<R>,
    ) -> Result<ControlFlow<()>> {
        loop {
            while let Ok(delivery) = self.results.try_recv() {
                if self.take(delivery)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            let flow = match self.queue.try_take() {
                Taken::Task(number, task) => {
                    let mut outlet = OfCaller { number, deliveries: self, flow: ControlFlow::Continue(()) };
                    let result = work(&mut own, task, &mut outlet);
                    match outlet.flow {
                        ControlFlow::Continue(()) => self.take(Delivery::Last(number, Ok(result))),
                        ControlFlow::Break(()) => result.map(|_| ControlFlow::Break(())),
                    }
                }
                Taken::Full | Taken::Over => match self.results.recv() {
                    Ok(delivery) => self.take(delivery),
                    // All threads have ended, and nothing is left.
                    Err(_) => Ok(ControlFlow::Break(())),
                },
            };
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }

    /// Accepts what came if it is its turn, and then what waited for it.
    fn take(&mut self, delivery: Delivery<R>) -> Result<ControlFlow<()>> {
        match delivery {
            Delivery::Part(part) => {
                if (self.accept)(part)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Delivery::Last(number, result) => drop(self.waiting.insert(number, result)),
        }
        while let Some(result) = self.waiting.remove(&self.next) {
            self.next += 1;
            let result = result.unwrap_or_else(|panic| resume_unwind(panic))?;
            if (self.accept)(result)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.queue.set_turn(self.next);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The outlet of a task of the caller's thread.
struct OfCaller<'d, 'a, I, R, A> {
    number: usize,
    deliveries: &'d mut Deliveries<'a, I, R, A>,
    flow: ControlFlow<()>,
}

impl<T, I, R, A> Outlet<R> for OfCaller<'_, '_, I, R, A>
where
    I: Iterator<Item = T>,
    A: FnMut(R) -> Result<ControlFlow<()>>,
{
    fn is_open(&self) -> bool {
        self.deliveries.next == self.number
    }

    fn hand_over(&mut self, part: R) -> Result<ControlFlow<()>> {
        while self.flow.is_continue() && self.deliveries.next < self.number {
            self.flow = match self.deliveries.results.recv() {
                Ok(delivery) => self.deliveries.take(delivery)?,
                Err(_) => ControlFlow::Break(()),
            };
        }
        if self.flow.is_continue() {
            self.flow = (self.deliveries.accept)(part)?;
        }
        Ok(self.flow)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn workers(threads: usize) -> ((), Vec<()>) {
        ((), vec![(); threads - 1])
    }

    fn collect(threads: usize, stop_at: usize) -> Vec<usize> {
        let mut out = Vec::new();
        ordered(
            workers(threads),
            0..200usize,
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
            ordered(workers(threads), 0..200usize, work, accept).unwrap();
            let all = (0..200).flat_map(|n| (0..n % 4).chain([9]).map(move |part| n * 10 + part));
            assert_eq!(out, all.take(stop_at).collect::<Vec<_>>(), "{threads}");
        }
    }

    #[test]
    fn an_outlet_opens_when_all_tasks_before_are_done() {
        for threads in [1, 2, 8] {
            let (done, open) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let work = |(): &mut (), n: usize, outlet: &mut dyn Outlet<usize>| {
                if outlet.is_open() {
                    open.fetch_add(1, Ordering::Relaxed);
                    assert_eq!(done.load(Ordering::Relaxed), n);
                }
                Ok(n)
            };
            let accept = |n| {
                assert_eq!(done.fetch_add(1, Ordering::Relaxed), n);
                Ok(ControlFlow::Continue(()))
            };
            ordered(workers(threads), 0..50usize, work, accept).unwrap();
            assert_eq!(done.into_inner(), 50);
            assert!(threads > 1 || open.into_inner() == 50, "one thread never waits");
        }
    }

    #[test]
    fn an_error_ends_it_and_a_panic_goes_on() {
        let fail = |n: usize| if n == 50 { Err(crate::Error::limit("test", 50)) } else { Ok(n) };
        let run =
            |threads| ordered(workers(threads), 0..100usize, |(), n, _| fail(n), |_| Ok(ControlFlow::Continue(())));
        assert!(run(1).is_err());
        assert!(run(4).is_err());
        let panicked = catch_unwind(|| {
            ordered(
                workers(3),
                0..10usize,
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
