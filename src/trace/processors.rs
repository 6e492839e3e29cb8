//! Raw events processor by processor, without a first pass.

use std::collections::BTreeMap;

use crate::FileId;
use crate::container::{Arena, BufferInfo, Frame, Frames, Loaded, Step, Walk};
use crate::error::{Problem, ProblemList, Result, Severity};
use crate::event::RawEvent;
use crate::format::Framing;

use super::open::{RawTrace, TraceFile};

impl RawTrace {
    /// Returns the processors that wrote the trace, by number. Reads the headers of the buffers only; in `.btl` files,
    /// whose records name their processor themselves, all records.
    ///
    /// ```no_run
    /// # fn main() -> etwkit::Result<()> {
    /// let trace = etwkit::RawTrace::open("trace.etl")?;
    /// for processor in trace.processors()?.iter() {
    ///     let (mut buffers, mut count) = (processor.buffers(), 0);
    ///     while let Some(mut events) = buffers.next()? {
    ///         while events.next().is_some() {
    ///             count += 1;
    ///         }
    ///     }
    ///     println!("processor {}: {count} events", processor.number());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn processors(&self) -> Result<Processors<'_>> {
        let mut problems = ProblemList::default();
        let mut arena = Arena::default();
        let mut by_number: BTreeMap<u16, Vec<(u32, BufferInfo)>> = BTreeMap::new();
        let mut number = 0;
        for (id, file) in FileId::all().zip(&self.files) {
            let mut frames = Frames::new(&file.source, id, &file.head);
            while let Some(frame) = frames.next_frame()? {
                match frame {
                    Frame::Problem(problem) => problems.push(problem.severity, || problem),
                    Frame::Buffer(info) => {
                        for processor in writers(file, &info, number, &mut arena)? {
                            by_number.entry(processor).or_default().push((number, info));
                        }
                        number += 1;
                    }
                }
            }
        }
        let processor = |(number, buffers)| Processor { files: &self.files, number, buffers };
        Ok(Processors { list: by_number.into_iter().map(processor).collect(), problems })
    }
}

/// Returns the processors whose events are in a buffer: its own, or those that its records name.
fn writers(file: &TraceFile, info: &BufferInfo, number: u32, arena: &mut Arena) -> Result<Vec<u16>> {
    if info.framing != Framing::Records {
        return Ok(vec![info.processor]);
    }
    let mut walk = Walk::new(arena.load(&file.source, info)?.bytes, info, number);
    let mut all = std::collections::BTreeSet::new();
    while let Some(event) = walk.next_event() {
        all.insert(event.processor());
    }
    Ok(all.into_iter().collect())
}

/// The processors of a trace, see [`RawTrace::processors`].
#[derive(Debug)]
pub struct Processors<'t> {
    list: Vec<Processor<'t>>,
    problems: ProblemList,
}

impl<'t> Processors<'t> {
    /// Returns the processors, sorted by number.
    pub fn iter(&self) -> std::slice::Iter<'_, Processor<'t>> {
        self.list.iter()
    }

    /// Returns what is wrong with the buffers as a whole: bytes that are not buffers, and a cut end; at most
    /// [`MAX_PROBLEMS`](crate::limits::MAX_PROBLEMS) of it. [`BufferEvents::problems`] has what is wrong in a buffer.
    pub fn problems(&self) -> &[Problem] {
        &self.problems.listed
    }

    /// Returns how many more problems there are.
    pub const fn unlisted_problems(&self) -> u64 {
        self.problems.unlisted
    }
}

impl<'s, 't> IntoIterator for &'s Processors<'t> {
    type Item = &'s Processor<'t>;
    type IntoIter = std::slice::Iter<'s, Processor<'t>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A processor and the buffers with its events, in file order.
#[derive(Debug)]
pub struct Processor<'t> {
    files: &'t [TraceFile],
    number: u16,
    buffers: Vec<(u32, BufferInfo)>,
}

impl<'t> Processor<'t> {
    /// Returns its number, from 0.
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// Returns the facts in the headers of its buffers.
    pub fn buffer_infos(&self) -> impl Iterator<Item = &BufferInfo> {
        self.buffers.iter().map(|(_, info)| info)
    }

    /// Iterates its buffers. Plain buffers of a source in memory, or mapped, are walked in place.
    pub fn buffers(&self) -> ProcessorBuffers<'_, 't> {
        ProcessorBuffers { processor: self, next: 0, arena: Arena::default() }
    }
}

/// Loads the buffers of a processor one after the other.
#[derive(Debug)]
pub struct ProcessorBuffers<'p, 't> {
    processor: &'p Processor<'t>,
    next: usize,
    arena: Arena,
}

impl ProcessorBuffers<'_, '_> {
    /// Loads the next buffer and returns its events; `None` at the end.
    #[expect(clippy::should_implement_trait, reason = "the events borrow from the iterator")]
    pub fn next(&mut self) -> Result<Option<BufferEvents<'_>>> {
        let Some((number, info)) = self.processor.buffers.get(self.next) else { return Ok(None) };
        self.next += 1;
        let Some(file) = self.processor.files.get(info.file.index()) else { return Ok(None) };
        let mut loaded = self.arena.load(&file.source, info)?;
        let (walk, processor) = (Walk::new(loaded.bytes, info, *number), self.processor.number);
        let mut problems = ProblemList::default();
        if let Some(problem) = loaded.problem.take() {
            problems.push(problem.severity, || problem);
        }
        Ok(Some(BufferEvents { walk, processor, info: *info, loaded, problems }))
    }
}

/// The raw events of one processor in one buffer, in the order in which they follow one another there.
#[derive(Debug)]
pub struct BufferEvents<'b> {
    walk: Walk<'b>,
    processor: u16,
    info: BufferInfo,
    loaded: Loaded<'b>,
    problems: ProblemList,
}

impl BufferEvents<'_> {
    /// Returns what could not be read of the buffer, as far as its events were asked for; at most
    /// [`MAX_PROBLEMS`](crate::limits::MAX_PROBLEMS) of it.
    pub fn problems(&self) -> &[Problem] {
        &self.problems.listed
    }

    /// Returns how many more problems there are.
    pub const fn unlisted_problems(&self) -> u64 {
        self.problems.unlisted
    }
}

impl<'b> Iterator for BufferEvents<'b> {
    type Item = RawEvent<'b>;

    #[inline]
    fn next(&mut self) -> Option<RawEvent<'b>> {
        loop {
            match self.walk.step()? {
                // A block of records has events of several processors (section 17).
                Step::Event(event) if event.processor() == self.processor => return Some(event),
                Step::Event(_) => {}
                Step::UnreadBytes(gap) => {
                    let Self { loaded, info, .. } = self;
                    self.problems.push(Severity::Damage, || loaded.problem_of(info, gap));
                }
            }
        }
    }
}
