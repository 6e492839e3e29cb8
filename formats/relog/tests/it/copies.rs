//! How traces and their copies are compared.

use std::io::Cursor;

use etwkit::output::JsonLines;
use etwkit::trace::{Filter, RunOptions};
use etwkit::{Input, Parsers, Trace};
use etwkit_relog::{CopyOptions, Error, PROVIDER, copy};

/// The parsers that keep all that a copy needs.
pub(crate) fn parsers() -> Parsers {
    etwkit_parsers::with_stacks(etwkit_parsers::standard())
}

/// Returns a copy of a trace; `None` if files of its kind are refused.
pub(crate) fn copied(trace: &Trace, options: &CopyOptions) -> Option<Trace> {
    let (out, _) = match copy(trace, options, Cursor::new(Vec::new())) {
        Ok(copied) => copied,
        Err(Error::Refused { .. }) => return None,
        Err(error) => panic!("{error}"),
    };
    Some(Trace::open(Input::bytes("copy", out.into_inner()), parsers()).unwrap())
}

/// Returns the lines of the events that pass a filter, without the header's and the copy's own.
pub(crate) fn lines(trace: &Trace, filter: &Filter) -> Vec<String> {
    let mut out = Vec::new();
    trace.run(&RunOptions::default().filter(filter.clone()), &mut JsonLines::new(trace, &mut out)).unwrap();
    let own = format!("{PROVIDER}");
    let is_event = |line: &&str| !line.contains("\"BuffersWritten\":") && !line.contains(&own);
    String::from_utf8(out).unwrap().lines().filter(is_event).map(str::to_owned).collect()
}

/// Returns how the lines of a copy differ, if they do.
pub(crate) fn difference(trace: &Trace, copy: &Trace, filter: &Filter) -> Option<String> {
    let (old, new) = (lines(trace, filter), lines(copy, filter));
    let first = old.iter().zip(&new).position(|(old, new)| old != new);
    let found = first.map(|at| format!("line {at}:\n  {}\n  {}", old[at], new[at]));
    found.or_else(|| (old.len() != new.len()).then(|| format!("{} lines, {} in the copy", old.len(), new.len())))
}
