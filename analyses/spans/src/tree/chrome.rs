//! The form of Chrome's trace viewer, which Perfetto and the Firefox Profiler open, too.

use std::cmp::Reverse;
use std::io::{self, Write};

use etwkit::FileTime;
use etwkit::render::terminal;
use etwkit_analysis::ViewerPids;
use etwkit_kernel_analyses::ProcessKey;
use serde_json::{Value, json};

use crate::span::{Span, SpanId, between};
use crate::spans::Spans;

use super::children::{Node, Tree};

impl Tree<'_> {
    /// Writes the spans as JSON of the trace viewer; times are microseconds since the first one.
    ///
    /// A span that begins and ends on one thread, and within the ones around it there, is a slice of that thread
    /// (`X`). All others are asynchronous (`b`, `e`). An open span lasts until the last event of a span. Arrows lead
    /// from a span to those that it caused on other threads (`s`, `f`). A process whose id another one has, too, has a
    /// number of its own, and its name states the id. Names cannot command a terminal.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn chrome(&self, out: &mut dyn Write) -> io::Result<()> {
        let shown = self.shown();
        let times =
            || shown.iter().filter_map(|id| self.spans.get(*id)).flat_map(|span| [span.start, span.stop]).flatten();
        let processes = shown.iter().filter_map(|id| self.spans.get(*id)).map(|span| span.process);
        let axes = Axes {
            first: times().min().unwrap_or(FileTime(0)),
            last: times().max().unwrap_or(FileTime(0)),
            pids: ViewerPids::new(processes.filter_map(|process| Some((process, Some(process.pid?))))),
        };
        let mut events = Events { out, is_first: true };
        events.out.write_all(b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
        self.processes(&shown, &axes, &mut events)?;
        let mut around: Vec<&Span> = Vec::new();
        for id in shown {
            let Some(span) = self.spans.get(id) else { continue };
            let Some(start) = span.start else { continue };
            let stop = span.stop.unwrap_or(axes.last);
            let is_same = |other: &Span| (other.process, other.tid) == (span.process, span.tid);
            while around.pop_if(|other| !is_same(other) || end(other, axes.last) <= start).is_some() {}
            let nests = around.last().is_none_or(|other| stop <= end(other, axes.last));
            let stays = span.stop.is_none() || span.stop_tid == span.tid;
            if nests && stays {
                around.push(span);
            }
            self.slice(id, (span, start, stop), nests && stays, &axes, &mut events)?;
            self.arrow((id, span, start), &axes, &mut events)?;
        }
        events.out.write_all(b"\n]}\n")
    }

    /// The spans with a start, by thread and in order of time, the longest first.
    fn shown(&self) -> Vec<SpanId> {
        let mut shown = Vec::new();
        self.walk(|node, _| {
            if let Node::Span(id) = node {
                shown.push(id);
            }
        });
        shown.retain(|id| self.spans.get(*id).is_some_and(|span| span.start.is_some()));
        shown.sort_by_key(|id| {
            let span = self.spans.get(*id);
            let stop = span.map(|span| span.stop.unwrap_or(FileTime(i64::MAX)));
            (span.map(|span| (span.process, span.tid, span.start)), Reverse(stop), *id)
        });
        shown
    }

    fn processes(&self, shown: &[SpanId], axes: &Axes, events: &mut Events<'_>) -> io::Result<()> {
        let mut last = None;
        for span in shown.iter().filter_map(|id| self.spans.get(*id)) {
            if last != Some(span.process) {
                last = Some(span.process);
                let name = self.spans.process_name(span).unwrap_or("?");
                let pid = axes.pid(span);
                let name = match span.process.pid {
                    Some(real) if pid != Some(real) => format!("{name} ({real})"),
                    _ => name.to_owned(),
                };
                events.push(&json!({"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}))?;
            }
        }
        Ok(())
    }

    fn slice(
        &self,
        id: SpanId,
        (span, start, stop): (&Span, FileTime, FileTime),
        is_of_thread: bool,
        axes: &Axes,
        events: &mut Events<'_>,
    ) -> io::Result<()> {
        let (provider, task) = self.spans.names(span);
        let (pid, tid, args) = (axes.pid(span), span.tid, args(span, self.spans));
        let ts = axes.microseconds(start);
        if is_of_thread {
            let duration = microseconds(start, stop);
            return events.push(&json!({
                "ph": "X", "name": task, "cat": provider, "ts": ts, "dur": duration, "pid": pid, "tid": tid, "args": args,
            }));
        }
        let (stop, stop_tid) = (axes.microseconds(stop), span.stop_tid.or(tid));
        let number = format!("0x{:x}", id.0);
        events.push(&json!({
            "ph": "b", "name": task, "cat": provider, "id": number, "ts": ts, "pid": pid, "tid": tid, "args": args,
        }))?;
        events.push(&json!({
            "ph": "e", "name": task, "cat": provider, "id": number, "ts": stop, "pid": pid, "tid": stop_tid,
        }))
    }

    /// The arrow from the parent, if that one is of another thread.
    fn arrow(
        &self,
        (id, span, start): (SpanId, &Span, FileTime),
        axes: &Axes,
        events: &mut Events<'_>,
    ) -> io::Result<()> {
        let parent = span.parent.and_then(|id| self.spans.get(id));
        let Some(parent) = parent.filter(|parent| (parent.process, parent.tid) != (span.process, span.tid)) else {
            return Ok(());
        };
        let Some(began) = parent.start else { return Ok(()) };
        let from = axes.microseconds(start.min(end(parent, axes.last)).max(began));
        let end = |ph: &str, ts: f64, of: &Span| {
            json!({
                "ph": ph, "name": "caused", "cat": "causality", "id": id.0, "ts": ts, "pid": axes.pid(of), "tid": of.tid,
                "bp": "e",
            })
        };
        events.push(&end("s", from, parent))?;
        events.push(&end("f", axes.microseconds(start), span))
    }
}

fn end(span: &Span, last: FileTime) -> FileTime {
    span.stop.unwrap_or(last)
}

fn args(span: &Span, spans: &Spans) -> Value {
    let row = spans.span_row(span);
    let members = [("activity", row.activity), ("path", row.path), ("related", row.related)];
    let mut args: serde_json::Map<String, Value> =
        members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.into()))).collect();
    if span.stop.is_none() {
        args.insert("open".to_owned(), true.into());
    }
    args.into()
}

/// The times of the spans, and the numbers of their processes.
struct Axes {
    first: FileTime,
    last: FileTime,
    pids: ViewerPids<ProcessKey>,
}

impl Axes {
    /// Returns the number of a span's process; `None` if it is not known.
    fn pid(&self, span: &Span) -> Option<u32> {
        span.process.pid.map(|_| self.pids.number(&span.process))
    }

    fn microseconds(&self, time: FileTime) -> f64 {
        microseconds(self.first, time)
    }
}

#[expect(clippy::cast_precision_loss, reason = "spans of a trace are below 2^53 units of 100 ns")]
fn microseconds(from: FileTime, to: FileTime) -> f64 {
    between(from, to) as f64 / 10.0
}

/// Writes events of the viewer, one per line.
struct Events<'o> {
    out: &'o mut dyn Write,
    is_first: bool,
}

impl Events<'_> {
    fn push(&mut self, event: &Value) -> io::Result<()> {
        self.out.write_all(if self.is_first { b"\n" } else { b",\n" })?;
        self.is_first = false;
        let mut line = event.to_string().into_bytes();
        terminal::escape_json_from(&mut line, 0);
        self.out.write_all(&line)
    }
}
