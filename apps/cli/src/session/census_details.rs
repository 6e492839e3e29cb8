//! What `--verbose` states about the first pass.

use std::collections::BTreeMap;

use etwkit::trace::Trace;

use crate::printer::Printer;
use crate::text::{counted, grouped};

/// Prints what was read of each file, and where the schemas came from.
pub(super) fn print(trace: &Trace, printer: Printer) {
    if !printer.is_verbose() {
        return;
    }
    for (number, file) in trace.files_with_ids() {
        let Some(counts) = trace.counts(number) else { continue };
        let packed = match counts.compressed_buffers {
            0 => String::new(),
            packed => format!(" ({} compressed)", grouped(packed)),
        };
        printer.detail(format_args!(
            "{}: {}, {}{packed}, {}",
            file.source.name(),
            counted(file.source.len(), "byte"),
            counted(counts.buffers, "buffer"),
            counted(counts.events, "event")
        ));
    }
    schemas(trace, printer);
}

/// Kinds of events and events, by the source of their schema.
fn schemas(trace: &Trace, printer: Printer) {
    let mut sources: BTreeMap<Option<&str>, (u64, u64)> = BTreeMap::new();
    for row in trace.types() {
        let source = row.layout_schema().map(|schema| schema.origin().source.name());
        let (keys, events) = sources.entry(source).or_default();
        *keys += 1;
        *events += row.events();
    }
    for (source, (keys, events)) in sources {
        let (keys, events) = (counted(keys, "kind"), counted(events, "event"));
        match source {
            Some(source) => printer.detail(format_args!("schemas from {source}: {keys} of events, {events}")),
            None => printer.detail(format_args!("without a schema: {keys} of events, {events}")),
        }
    }
}
