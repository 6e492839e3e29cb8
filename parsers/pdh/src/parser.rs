//! The parser, and the counters that it finds in a log.

use std::collections::HashSet;
use std::sync::Arc;

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::RawEvent;
use etwkit::limits;
use etwkit::parser::{Claims, Finding, SchemaProvider, TraceFacts};
use etwkit::schema::Schema;

use crate::catalog::Catalog;
use crate::layout::{self, Shape};
use crate::sample::{Record, Sample};
use crate::{CLASS, LIST, OTHERS, SAMPLE};

/// Lists and kinds of samples of a trace whose layouts are kept: those of so many logs.
const MAX_LOGS: usize = 8;
/// Bytes that a path takes in addition to its text.
const PATH: usize = 64;
/// What it learns from.
const EVENTS: [(Guid, u8); 2] = [(CLASS, LIST), (CLASS, SAMPLE)];

/// Parser of performance logs. What a trace records is in its [`Counters`]: `trace.finding::<Counters>()`.
#[derive(Clone, Debug, Default)]
pub struct PerformanceLog {
    catalogs: Vec<Catalog>,
    samples: Vec<Vec<Shape>>,
    counters: Counters,
}

/// The counters of a trace.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Each once, in the order in which they come.
    paths: Vec<Arc<str>>,
    known: HashSet<Arc<str>>,
    /// Bytes of the paths.
    text: usize,
    unlisted: u64,
    samples: u64,
    unreadable: u64,
}

impl Counters {
    /// Returns the paths of the counters that are recorded, `*` for all instances; each once, even if several lists
    /// have it.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &str> {
        self.paths.iter().map(AsRef::as_ref)
    }

    /// Returns how often a list has a counter that is not among [`Counters::paths`]: these contain
    /// at most [`limits::MAX_LEARNED`] bytes.
    pub const fn unlisted(&self) -> u64 {
        self.unlisted
    }

    /// Returns how many samples there are.
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// Returns how many lists and samples could not be read.
    pub const fn unreadable(&self) -> u64 {
        self.unreadable
    }

    fn add(&mut self, path: String) {
        if self.known.contains(&*path) {
            return;
        }
        if path.len() + PATH > limits::MAX_LEARNED - self.text {
            self.unlisted += 1;
            return;
        }
        self.text += path.len() + PATH;
        let path: Arc<str> = path.into();
        self.known.insert(Arc::clone(&path));
        self.paths.push(path);
    }
}

impl PerformanceLog {
    fn list(&mut self, payload: &[u8]) -> Result<()> {
        let catalog = Catalog::parse(payload)?;
        catalog.counters.iter().for_each(|counter| self.counters.add(counter.path()));
        if self.catalogs.len() < MAX_LOGS && !self.catalogs.contains(&catalog) {
            self.catalogs.push(catalog);
        }
        Ok(())
    }

    fn sample(&mut self, payload: &[u8]) -> Result<()> {
        let sample = Sample::parse(payload)?;
        self.counters.samples += 1;
        let shapes: Option<Vec<Shape>> = sample.records.iter().map(shape).collect();
        let Some(shapes) = shapes else { return Ok(()) };
        if self.samples.len() < MAX_LOGS && !self.samples.contains(&shapes) {
            self.samples.push(shapes);
        }
        Ok(())
    }

    /// Paths for the records of samples: of the only log there is, for samples of two may look alike.
    fn names(&self) -> Option<Vec<String>> {
        match self.catalogs.as_slice() {
            [only] => Some(only.counters.iter().map(crate::Counter::path).collect()),
            _ => None,
        }
    }

    /// Returns the layouts of an event, the most detailed first. A list of more counters than a schema has room for has
    /// no layout of its own.
    fn layouts(&self, opcode: u8) -> Vec<Schema> {
        if !matches!(opcode, LIST | SAMPLE) {
            return layout::other(opcode).into_iter().collect();
        }
        let mut layouts: Vec<Schema> = if opcode == LIST {
            let told = |catalog: &&Catalog| catalog.counters.iter().all(|counter| !counter.texts.order.is_empty());
            self.catalogs.iter().filter(told).filter_map(|catalog| layout::catalog(catalog).ok()).collect()
        } else {
            let names = self.names();
            let names = |shapes: &[Shape]| names.as_deref().filter(|names| names.len() == shapes.len());
            let of = |shapes: &Vec<Shape>| layout::sample(shapes, names(shapes)).ok();
            self.samples.iter().filter_map(of).chain(layout::singles().ok()).collect()
        };
        layouts.extend(layout::plain(opcode).ok());
        layouts
    }
}

fn shape(record: &Record) -> Option<Shape> {
    match record {
        Record::Single { .. } => Some(Shape::Single),
        Record::Several { padding, .. } => Some(Shape::Several { padding: (*padding)? }),
    }
}

impl SchemaProvider for PerformanceLog {
    fn name(&self) -> &'static str {
        "performance-log"
    }

    fn claims(&self) -> Claims {
        let others = OTHERS.map(|opcode| (CLASS, opcode));
        Claims::classic(EVENTS.into_iter().chain(others).collect::<Vec<_>>())
    }

    fn learns_from(&self) -> Claims {
        Claims::classic(EVENTS)
    }

    fn learn(&mut self, event: &RawEvent<'_>) -> Result<()> {
        let read = match event.key().opcode {
            LIST => self.list(event.payload()),
            _ => self.sample(event.payload()),
        };
        read.inspect_err(|_| self.counters.unreadable += 1)
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        Ok(Schema::chained(self.layouts(event.key().opcode)))
    }

    fn finish(self: Box<Self>) -> Option<Finding> {
        Some(Box::new(self.counters))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_listed_once_and_paths_take_bounded_memory() {
        let mut found = Counters::default();
        for path in ["a", "b", "a"] {
            found.add(path.to_owned());
        }
        let long = "x".repeat(limits::MAX_LEARNED / 2);
        for number in 0..4 {
            found.add(format!("{number}{long}"));
        }
        let lengths: Vec<usize> = found.paths.iter().map(|path| path.len()).collect();
        assert_eq!((lengths, found.unlisted), (vec![1, 1, 1 + long.len()], 3));
    }
}
