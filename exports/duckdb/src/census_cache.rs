//! Traces that were opened before: a statement is bound several times, and each time its columns are asked for.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use etwkit::input::Input;
use etwkit::{RawTrace, Trace};
use etwkit_archive::Inputs;

use crate::descriptions::Descriptions;
use crate::failure::Failure;

/// Traces that are kept. Each of small files may have up to 32 MiB of unpacked buffers, too.
const MOST_TRACES: usize = 16;
/// Bytes of the files of all traces that are kept, by which memory is bounded: the last trace is kept however large.
const MOST_BYTES: u64 = 8 << 30;

static CENSUSES: Mutex<Cache<Trace>> = Mutex::new(Cache::new(MOST_TRACES, MOST_BYTES));

/// Opens files as one trace, or returns it as it was opened before if no file has another length or time of change. Packed
/// ones are unpacked into memory.
pub(crate) fn open(files: &[PathBuf], descriptions: &Descriptions, threads: usize) -> Result<Arc<Trace>, Failure> {
    // A description that is given for another trace makes other types of events.
    let all = [(Role::Trace, files), (Role::Schemas, descriptions.schemas()), (Role::Symbols, descriptions.symbols())];
    let stamps = all.iter().flat_map(|(role, paths)| paths.iter().map(|path| Stamp::of(path, *role)));
    let stamps = stamps.collect::<Result<Vec<Stamp>, Failure>>()?;
    let kept = || CENSUSES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept().find(&stamps) {
        return Ok(found);
    }
    // Nobody waits for this: two statements may open one trace at the same time, and both are right.
    let raw = RawTrace::open_all(inputs(files)?)?.threads(threads);
    let trace = Arc::new(raw.decode(descriptions.parsers()?)?);
    kept().keep(stamps, Arc::clone(&trace));
    Ok(trace)
}

/// Opens files. There are no warnings here, so that a packed file that breaks off is an error.
fn inputs(files: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let mut inputs = Inputs::default();
    files.iter().try_for_each(|file| inputs.add_path(file))?;
    let (inputs, notes) = inputs.into_parts();
    match notes.into_iter().next() {
        Some(note) => Err(Failure::new(format_args!("{note}; what is there can be read once it is unpacked"))),
        None => Ok(inputs),
    }
}

/// What a file is given as: one may describe events and messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Trace,
    Schemas,
    Symbols,
}

/// By what a file is known.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    role: Role,
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path, role: Role) -> Result<Self, Failure> {
        let failed = |error| Failure::new(format_args!("{}: {error}", path.display()));
        // A relative path means another file in another folder.
        let path = std::path::absolute(path).map_err(failed)?;
        let found = path.metadata().map_err(failed)?;
        Ok(Self { len: found.len(), modified: found.modified().ok(), path, role })
    }
}

/// What was made of files, the last used at the end.
#[derive(Debug)]
struct Cache<T> {
    kept: Vec<(Vec<Stamp>, Arc<T>)>,
    most: usize,
    most_bytes: u64,
}

impl<T> Cache<T> {
    const fn new(most: usize, most_bytes: u64) -> Self {
        Self { kept: Vec::new(), most, most_bytes }
    }

    /// Returns what is kept of files.
    fn find(&mut self, stamps: &[Stamp]) -> Option<Arc<T>> {
        let place = self.kept.iter().position(|(kept, _)| kept == stamps)?;
        let found = self.kept.remove(place);
        let made = Arc::clone(&found.1);
        self.kept.push(found);
        Some(made)
    }

    /// Keeps what was made, in place of what was made of the same files when they were others.
    fn keep(&mut self, stamps: Vec<Stamp>, made: Arc<T>) {
        let paths = |stamps: &[Stamp]| stamps.iter().map(|stamp| (stamp.path.clone(), stamp.role)).collect::<Vec<_>>();
        let own = paths(&stamps);
        self.kept.retain(|(kept, _)| paths(kept) != own);
        self.kept.push((stamps, made));
        while self.kept.len() > self.most || (self.kept.len() > 1 && self.bytes() > self.most_bytes) {
            self.kept.remove(0);
        }
    }

    fn bytes(&self) -> u64 {
        self.kept.iter().flat_map(|(stamps, _)| stamps).fold(0, |sum, stamp| sum.saturating_add(stamp.len))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    fn stamps(name: &str, len: u64, seconds: u64) -> Vec<Stamp> {
        let modified = SystemTime::UNIX_EPOCH.checked_add(std::time::Duration::from_secs(seconds));
        vec![Stamp { path: name.into(), role: Role::Trace, len, modified }]
    }

    #[test]
    fn a_file_that_changed_is_another_one() {
        let mut cache = Cache::new(4, 1000);
        cache.keep(stamps("a", 10, 1), Arc::new(1));
        assert_eq!(cache.find(&stamps("a", 10, 1)), Some(Arc::new(1)));
        for other in [stamps("a", 11, 1), stamps("a", 10, 2), stamps("b", 10, 1)] {
            assert_eq!(cache.find(&other), None);
        }
        cache.keep(stamps("a", 11, 2), Arc::new(2));
        assert_eq!(cache.find(&stamps("a", 10, 1)), None);
        assert_eq!((cache.find(&stamps("a", 11, 2)), cache.kept.len()), (Some(Arc::new(2)), 1));
    }

    #[test]
    fn a_file_that_is_given_as_something_else_is_another_one() {
        let mut cache = Cache::new(4, 1000);
        let both = |role| [stamps("a", 10, 1), vec![Stamp { role, ..stamps("b", 10, 1).remove(0) }]].concat();
        cache.keep(both(Role::Schemas), Arc::new(1));
        cache.keep(both(Role::Symbols), Arc::new(2));
        assert_eq!(cache.find(&both(Role::Schemas)), Some(Arc::new(1)));
        assert_eq!(cache.find(&both(Role::Symbols)), Some(Arc::new(2)));
        assert_eq!(cache.find(&both(Role::Trace)), None);
    }

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let mut cache = Cache::new(2, 1000);
        for name in ["a", "b"] {
            cache.keep(stamps(name, 1, 1), Arc::new(name));
        }
        assert!(cache.find(&stamps("a", 1, 1)).is_some());
        cache.keep(stamps("c", 1, 1), Arc::new("c"));
        assert_eq!(["a", "b", "c"].map(|name| cache.find(&stamps(name, 1, 1)).is_some()), [true, false, true]);
    }

    #[test]
    fn the_last_one_is_kept_however_large() {
        let mut cache = Cache::new(9, 1000);
        cache.keep(stamps("a", 600, 1), Arc::new(1));
        cache.keep(stamps("b", 400, 1), Arc::new(2));
        assert_eq!(cache.kept.len(), 2);
        cache.keep(stamps("c", 5000, 1), Arc::new(3));
        assert_eq!((cache.kept.len(), cache.find(&stamps("c", 5000, 1))), (1, Some(Arc::new(3))));
    }

    #[test]
    fn a_trace_is_opened_once() {
        let path = [Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hello.etl")];
        let none = Descriptions::default();
        let (first, second) = (open(&path, &none, 1).unwrap(), open(&path, &none, 2).unwrap());
        assert!(Arc::ptr_eq(&first, &second));
        assert!(open(&["no such file".into()], &none, 1).unwrap_err().to_string().contains("no such file"));
    }
}
