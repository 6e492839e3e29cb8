//! The traces that are damaged: fixtures, and real traces of some size.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use etwkit::format::LogFileMode;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, Order, Trace};

use crate::Done;
use crate::done::root;

/// Bytes of the largest traces that are damaged: a run of a larger one takes seconds by itself.
const MOST: u64 = 2 << 20;

/// A whole trace.
#[derive(Debug)]
pub(super) struct Original {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) buffers: Vec<Buffer>,
    /// Whether buffers state how long they are, so that those after a damaged one can be found.
    pub(super) is_modern: bool,
    /// Whether the header's count of buffers states which ones are missing.
    pub(super) is_counted: bool,
    /// Whether zeros up to the end are what its kind of file may have.
    pub(super) may_end_in_zeros: bool,
}

/// One of its buffers.
#[derive(Debug)]
pub(super) struct Buffer {
    pub(super) range: Range<usize>,
    /// Bytes from the start of the buffer that hold its events; fill is after them.
    pub(super) used: usize,
    pub(super) events: u64,
}

impl Original {
    /// Reads the traces of the fixtures and of a corpus that are whole.
    pub(super) fn all(corpus: Option<&Path>) -> Done<Vec<Self>> {
        let mut paths = files(&root().join("fixtures"))?;
        if let Some(corpus) = corpus {
            paths.extend(files(corpus)?);
        }
        let mut all = Vec::new();
        for path in paths {
            let is_small = path.metadata()?.len() <= MOST;
            if is_small && path.extension().is_some_and(|ext| ["etl", "btl", "blg"].iter().any(|trace| ext == *trace)) {
                all.extend(Self::read(&path)?);
            }
        }
        Ok(all)
    }

    /// Events of all buffers.
    pub(super) fn events(&self) -> u64 {
        self.buffers.iter().map(|buffer| buffer.events).sum()
    }

    /// Returns a trace, unless it is damaged as it is.
    fn read(path: &Path) -> Done<Option<Self>> {
        let bytes = std::fs::read(path)?;
        let Ok(trace) = Trace::open(Input::bytes("original", bytes.clone()), Parsers::none()) else { return Ok(None) };
        if trace.is_damaged() {
            return Ok(None);
        }
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        let mut events = trace.events_in(Order::File, &Filter::default());
        while let Some(event) = events.next_raw()? {
            *counts.entry(event.place().buffer).or_default() += 1;
        }
        let buffers = (0..).zip(trace.buffers()).map(|(number, info)| {
            let start = info.offset as usize;
            let range = start..start + info.size as usize;
            let used = if info.is_compressed() { info.size } else { info.used.min(info.size) } as usize;
            Buffer { range, used, events: counts.get(&number).copied().unwrap_or_default() }
        });
        let buffers: Vec<Buffer> = buffers.collect();
        let Some(head) = trace.files().first().map(|file| &file.head) else { return Ok(None) };
        let mode = head.log.mode;
        let is_circular = [LogFileMode::CIRCULAR, LogFileMode::APPEND, LogFileMode::BUFFERING, LogFileMode::NEW_FILE];
        let is_modern = !head.is_pre_vista() && path.extension().is_none_or(|ext| ext != "btl");
        let is_stopped = head.log.end_time.0 != 0;
        let is_counted = is_modern
            && is_stopped
            && buffers.len() > 1
            && buffers.len() as u64 == u64::from(head.log.buffers_written)
            && !is_circular.into_iter().any(|bit| mode.intersects(bit));
        let may_end_in_zeros = !is_stopped || mode.intersects(LogFileMode::PREALLOCATE);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Some(Self { name, bytes, buffers, is_modern, is_counted, may_end_in_zeros }))
    }
}

/// Returns the files of a folder and of those in it, sorted.
fn files(folder: &Path) -> Done<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}
