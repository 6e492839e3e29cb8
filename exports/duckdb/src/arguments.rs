//! Arguments of table functions. One that is NULL counts as not given, but for the paths.

use std::ffi::CStr;
use std::path::PathBuf;

use etwkit::query::Expression;
use etwkit::trace::RunOptions;

use crate::failure::Failure;
use crate::host::{Argument, Binding};
use crate::paths;

/// Returns the files that the first argument names: a path or pattern, or a list of them.
pub(crate) fn files(binding: &Binding) -> Result<Vec<PathBuf>, Failure> {
    let first = binding.first().ok_or_else(|| Failure::new("the path is NULL"))?;
    if let Some(items) = first.items() {
        let text = |item: Option<Argument>| item.and_then(|item| item.text());
        let paths: Option<Vec<String>> = items.into_iter().map(text).collect();
        return paths::expand(&paths.ok_or_else(|| Failure::new("a path in the list is NULL or no text"))?);
    }
    paths::expand(&[first.text().ok_or_else(|| Failure::new("the path is neither a text nor a list of texts"))?])
}

/// Returns a text.
pub(crate) fn text(binding: &Binding, name: &CStr) -> Option<String> {
    binding.named(name)?.text()
}

/// Returns a truth value.
pub(crate) fn flag(binding: &Binding, name: &CStr, default: bool) -> bool {
    binding.named(name).map_or(default, |argument| argument.boolean())
}

/// Returns a condition on events.
pub(crate) fn filter(binding: &Binding, name: &CStr) -> Result<Option<Expression>, Failure> {
    let parse = |text: String| {
        let failed = |error| Failure::new(format_args!("filter: {:#}", etwkit::Error::from(error)));
        text.parse().map(Expression::with_rfc3339_times).map_err(failed)
    };
    text(binding, name).map(parse).transpose()
}

/// Returns how many threads are wanted.
pub(crate) fn threads(binding: &Binding, name: &CStr) -> Result<usize, Failure> {
    let Some(argument) = binding.named(name) else { return Ok(RunOptions::default().threads) };
    let wanted = argument.integer();
    let threads = usize::try_from(wanted).ok().filter(|threads| (1..=MAX_THREADS).contains(threads));
    threads.ok_or_else(|| Failure::new(format_args!("threads := {wanted}: 1 to {MAX_THREADS} are possible")))
}

/// Threads of one scan.
const MAX_THREADS: usize = 256;
