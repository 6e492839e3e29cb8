//! Folded paths, which tools for flame graphs read.

use std::collections::BTreeMap;
use std::fmt::Write;

use etwkit::FileTime;
use etwkit::render::terminal;
use etwkit_kernel_analyses::ProcessKey;

use crate::span::Span;

use super::children::{Node, Tree};

impl Tree<'_> {
    /// Returns a line for each path of spans within each other, sorted: `process (pid);provider/task;... weight`. The
    /// weight is the exclusive time in milliseconds. A path that goes on in another process names it. Semicolons within
    /// names are colons, and what could command a terminal is escaped ([`terminal`]).
    pub fn folded(&self) -> String {
        let mut weights: BTreeMap<String, u64> = BTreeMap::new();
        let mut path = String::new();
        // Where the path of each depth ends, and its process.
        let mut ends: Vec<(usize, ProcessKey)> = Vec::new();
        self.walk(|node, depth| {
            let Node::Span(id) = node else { return };
            let Some(span) = self.spans.get(id) else { return };
            ends.truncate(depth);
            let above = ends.last().copied();
            path.truncate(above.map_or(0, |(end, _)| end));
            self.push(&mut path, span, above.map(|(_, process)| process));
            ends.push((path.len(), span.process));
            let weight = self.exclusive(id).filter(|weight| *weight > 0);
            if let Some(weight) = weight {
                match weights.get_mut(&path) {
                    Some(sum) => *sum += weight,
                    None => drop(weights.insert(path.clone(), weight)),
                }
            }
        });
        let mut out = String::new();
        for (path, weight) in weights {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{path} {}", milliseconds(weight));
        }
        out
    }

    /// Appends a frame, and before it the process if it is another one.
    fn push(&self, path: &mut String, span: &Span, above: Option<ProcessKey>) {
        if above != Some(span.process) {
            let name = self.spans.process_name(span).unwrap_or("?");
            separate(path);
            push_escaped(path, name);
            let _ = match span.process.pid {
                Some(pid) => write!(path, " ({pid})"),
                None => write!(path, " (?)"),
            };
        }
        let (provider, task) = self.spans.names(span);
        separate(path);
        push_escaped(path, provider);
        path.push('/');
        push_escaped(path, task);
    }
}

fn separate(path: &mut String) {
    if !path.is_empty() {
        path.push(';');
    }
}

fn push_escaped(path: &mut String, name: &str) {
    path.push_str(&terminal::escaped(name).replace(';', ":"));
}

/// Returns units of 100 ns as milliseconds, without zeros at the end.
fn milliseconds(units: u64) -> String {
    let per_millisecond = FileTime::UNITS_PER_MILLISECOND.unsigned_abs();
    let text = format!("{}.{:04}", units / per_millisecond, units % per_millisecond);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_have_a_fraction_where_there_is_one() {
        assert_eq!([1, 10_000, 12_500, 100_000].map(milliseconds), ["0.0001", "1", "1.25", "10"]);
    }
}
