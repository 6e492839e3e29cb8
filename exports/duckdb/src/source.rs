//! The traces of a call.

use std::path::PathBuf;
use std::sync::Arc;

use etwkit::{Problem, Severity, Trace};

use crate::census_cache;
use crate::descriptions::Descriptions;
use crate::failure::Failure;

/// A trace that a call reads.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// It is open.
    Opened(Arc<Trace>),
    /// It is opened when its turn comes.
    Later(PathBuf, Descriptions),
}

impl Source {
    /// Returns one trace of all files, or one for each.
    pub(crate) fn all(
        files: Vec<PathBuf>,
        descriptions: &Descriptions,
        merge: bool,
        threads: usize,
    ) -> Result<Vec<Self>, Failure> {
        if merge || files.len() == 1 {
            return Ok(vec![Self::Opened(census_cache::open(&files, descriptions, threads)?)]);
        }
        Ok(files.into_iter().map(|file| Self::Later(file, descriptions.clone())).collect())
    }

    /// Opens the trace.
    pub(crate) fn open(&self, threads: usize) -> Result<Arc<Trace>, Failure> {
        match self {
            Self::Opened(trace) => Ok(Arc::clone(trace)),
            Self::Later(file, descriptions) => census_cache::open(std::slice::from_ref(file), descriptions, threads),
        }
    }
}

/// Refuses a trace with damage, with the place of the first one.
pub(crate) fn refuse_damage(trace: &Trace) -> Result<(), Failure> {
    let changes = trace.changes();
    let mut damages = trace.problems().iter().chain(&changes).filter(|problem| problem.severity == Severity::Damage);
    match damages.next() {
        Some(first) => {
            let more = damages.count() as u64 + trace.unlisted_damage();
            let and = if more > 0 { format!(" (and {more} more: etl_problems lists them)") } else { String::new() };
            Err(Failure::new(format_args!("{}: {first}{and}", file_of(trace, first))))
        }
        None if trace.is_damaged() => Err(Failure::new("the trace is damaged")),
        None => Ok(()),
    }
}

/// Returns the name of the file that a problem is in.
pub(crate) fn file_of<'t>(trace: &'t Trace, problem: &Problem) -> &'t str {
    trace.file(problem.file).map_or("", |file| file.source.name())
}
