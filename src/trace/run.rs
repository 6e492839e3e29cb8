//! The second pass: events through schemas into a sink.

use std::ops::ControlFlow;

use crate::decode::{Fit, PendingEvent, Scratch};
use crate::error::{Error, Result};
use crate::event::Kind;
use crate::sink::{Sink, Worker};

use super::Trace;
use super::accept::Accept;
use super::event_range::EventRange;
use super::ordered::ordered;
use super::run_options::{Order, RunOptions};
use super::segment::Wanted;
use super::slices::SliceReader;
use super::slices::{Slice, Slices};

/// Counts of what was delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Events handed to the sink.
    pub events: u64,
    /// Of these, events without a schema that has a layout.
    pub undecoded: u64,
    /// Events with a field that does not fit.
    pub misfits: u64,
    /// Events with fields left out because they would print far more than their bytes.
    pub cut: u64,
    /// Events with bytes after their last field.
    pub surplus: u64,
}

impl Summary {
    /// Counts an event by how its payload and its schema fit together; `None` without a schema.
    #[inline]
    const fn count(&mut self, fit: Option<Fit>) {
        self.events += 1;
        match fit {
            None => self.undecoded += 1,
            Some(Fit::Misfit) => self.misfits += 1,
            Some(Fit::Cut) => self.cut += 1,
            Some(Fit::Surplus) => self.surplus += 1,
            Some(Fit::Exact) => {}
        }
    }

    const fn add(&mut self, other: &Self) {
        self.events += other.events;
        self.undecoded += other.undecoded;
        self.misfits += other.misfits;
        self.cut += other.cut;
        self.surplus += other.surplus;
    }
}

/// A part of a run.
struct Task {
    slice: Slice,
    /// Which of its events are wanted.
    range: EventRange,
}

/// What was done of a task: the last batch, or one before it.
struct Done<B> {
    batch: B,
    /// Of the whole task, with its last batch.
    summary: Summary,
    /// Bytes of the task's events, with its last batch.
    bytes: u64,
}

impl<B> Done<B> {
    /// A batch before the last one.
    fn first(batch: B) -> Self {
        Self { batch, summary: Summary::default(), bytes: 0 }
    }
}

/// Memory of one thread.
struct Own<W> {
    worker: W,
    reader: SliceReader,
    scratch: Scratch,
}

impl<W> Own<W> {
    fn new(worker: W) -> Self {
        Self { worker, reader: SliceReader::default(), scratch: Scratch::default() }
    }
}

impl Trace {
    /// Hands every wanted event to the sink, in order, decoded by the given number of threads.
    pub fn run<S: Sink>(&self, options: &RunOptions, sink: &mut S) -> Result<Summary> {
        self.run_with(options, sink, &mut |_, _| ControlFlow::Continue(()))
    }

    /// Runs as [`Trace::run`] does; `progress` receives how many bytes of (unpacked) events were read and how many
    /// there are to read, whether they are wanted or not. The first number never falls; it ends at the second unless
    /// the sink ends the run. With [`ControlFlow::Break`], `progress` cancels the run.
    ///
    /// # Errors
    ///
    /// [`crate::ErrorKind::Cancelled`] if `progress` ended it. The sink has taken whole batches until then.
    pub fn run_with<S: Sink>(
        &self,
        options: &RunOptions,
        sink: &mut S,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Summary> {
        sink.begin(&mut self.buffers());
        let accept = Accept::new(&options.filter, self);
        let slices = self.run_slices(options, &accept);
        // A range is planned by counting all events first.
        let passes = 1 + u64::from(EventRange::is_wanted(options));
        let (mut done, total) = (0, slices.bytes() * passes);
        let mut read = |bytes: u64| {
            done += bytes;
            Error::if_cancelled(progress(done, total))
        };
        let ranges = EventRange::plan(self, options, &accept, &mut read)?;
        let tasks = slices.over(self).enumerate().map(|(number, slice)| {
            let range = ranges.as_ref().map_or(EventRange::ALL, |all| EventRange::of(all, number));
            Task { slice, range }
        });
        let (summary, flow) = match options.threads {
            0 | 1 => self.run_alone(tasks, &accept, sink, &mut read)?,
            threads => self.run_threads(threads, tasks, &accept, sink, &mut read)?,
        };
        // Slices without wanted events are not read.
        if flow.is_continue() && done < total {
            Error::if_cancelled(progress(total, total))?;
        }
        Ok(summary)
    }

    /// Does everything on this thread, so that a batch can be handed over when it is full.
    fn run_alone<S: Sink>(
        &self,
        tasks: impl Iterator<Item = Task>,
        accept: &Accept,
        sink: &mut S,
        read: &mut impl FnMut(u64) -> Result<()>,
    ) -> Result<(Summary, ControlFlow<()>)> {
        let mut own = Own::new(sink.worker());
        let mut summary = Summary::default();
        for task in tasks {
            let mut hand_over = |worker: &mut S::Worker| sink.accept(worker.take());
            let flow = self.slice(&task, accept, &mut own, &mut summary, &mut hand_over)?;
            read(task.slice.bytes_done())?;
            if flow.is_break() || hand_over(&mut own.worker)?.is_break() {
                return Ok((summary, ControlFlow::Break(())));
            }
        }
        Ok((summary, ControlFlow::Continue(())))
    }

    fn run_threads<S: Sink>(
        &self,
        threads: usize,
        tasks: impl Iterator<Item = Task> + Send,
        accept: &Accept,
        sink: &mut S,
        read: &mut impl FnMut(u64) -> Result<()>,
    ) -> Result<(Summary, ControlFlow<()>)> {
        let (mut summary, mut flow) = (Summary::default(), ControlFlow::Continue(()));
        let own = Own::new(sink.worker());
        let others = (1..threads).map(|_| Own::new(sink.worker())).collect();
        ordered(
            (own, others),
            tasks,
            |own, task, outlet| {
                let mut summary = Summary::default();
                // What the caller's thread hands over at once is still in its cache, and the memory is used again.
                let mut if_due = |worker: &mut S::Worker| {
                    let is_due = outlet.is_open() || worker.is_overfull();
                    let flow = is_due.then(|| outlet.hand_over(Done::first(worker.take())));
                    flow.unwrap_or(Ok(ControlFlow::Continue(())))
                };
                let _ = self.slice(&task, accept, own, &mut summary, &mut if_due)?;
                Ok(Done { batch: own.worker.take(), summary, bytes: task.slice.bytes_done() })
            },
            |done| {
                summary.add(&done.summary);
                read(done.bytes)?;
                flow = sink.accept(done.batch)?;
                Ok(flow)
            },
        )?;
        Ok((summary, flow))
    }

    /// Returns the slices of a run.
    pub(super) fn run_slices(&self, options: &RunOptions, accept: &Accept) -> Slices {
        let (from, to) = self.window(&options.filter.time);
        // Small events make text of ten times their size. One thread hands it over as it comes; of several threads, two
        // results each may wait for their turn, and their memory should not grow with the threads.
        let target = match options.threads {
            0 | 1 => 1 << 20,
            threads => ((1 << 19) / threads).max(64 << 10),
        };
        let marks = accept.marks(self);
        let wanted = if marks == u64::MAX { Wanted::All } else { Wanted::Marked(marks) };
        match options.order {
            // A window that ends before it begins is empty.
            _ if from > to => Slices::none(),
            Order::Time => Slices::by_time(self, wanted, (from, to), target),
            Order::File => Slices::by_place(self, wanted, (from, to), target),
        }
    }

    /// Hands the events of a slice to a worker, and calls `hand_over` each time its batch is full.
    fn slice<W: Worker>(
        &self,
        task: &Task,
        accept: &Accept,
        own: &mut Own<W>,
        summary: &mut Summary,
        hand_over: &mut impl FnMut(&mut W) -> Result<ControlFlow<()>>,
    ) -> Result<ControlFlow<()>> {
        let mut range = task.range;
        let mut flow = ControlFlow::Continue(());
        own.reader.push([task.slice.clone()].into_iter());
        while range.take > 0 && flow.is_continue() && own.reader.load(self, accept)? {
            let Own { worker, reader, scratch } = own;
            range.skip -= reader.memory.skip(range.skip);
            reader.memory.each(|event| {
                let mut pending = PendingEvent::new(event, self.decoder(), scratch);
                pending.begin(|event| self.type_of(event));
                let fit = worker.pending(&mut pending)?;
                // No schema would help where the kernel could not write an event.
                let is_loss = fit.is_none() && pending.raw().kind() == Kind::Error;
                summary.count(if is_loss { Some(Fit::Exact) } else { fit });
                range.take -= 1;
                if worker.is_full() {
                    flow = hand_over(worker)?;
                }
                Ok(if range.take == 0 { ControlFlow::Break(()) } else { flow })
            })?;
        }
        own.reader.clear();
        Ok(flow)
    }
}
