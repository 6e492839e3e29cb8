//! Every kernel event of every real trace has a table, and nearly all end where their table ends. The others are listed
//! with the reason. Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test")]

mod common;

use std::collections::BTreeMap;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Fit};
use etwkit::event::Kind;
use etwkit::input::Input;
use etwkit::trace::{Filter, Order, Trace};

/// Events of the kernel's classes, whether their header is the kernel's own or that of classic events.
#[derive(Debug, Default)]
struct Tally {
    total: u64,
    exact: u64,
    /// Of the exact ones, those whose header is that of any classic event.
    classic: u64,
    /// What does not end exactly, with the reason.
    others: BTreeMap<String, u64>,
    undecoded: BTreeMap<String, u64>,
}

impl Tally {
    fn file(&mut self, name: &str, trace: &Trace, classes: &[Guid]) {
        let mut events = trace.events_in(Order::File, &Filter::default());
        while let Some(event) = events.next().unwrap() {
            let key = event.raw().key();
            if event.raw().hook().is_some() || (key.kind == Kind::Classic && classes.contains(&key.provider)) {
                self.event(name, &event);
            }
        }
    }

    fn event(&mut self, name: &str, event: &Event<'_>) {
        self.total += 1;
        let key = event.raw().key();
        let what = format_args!("{name}: {} opcode {} version {}", key.provider, key.opcode, key.version).to_string();
        if event.schema().is_none() {
            *self.undecoded.entry(what).or_default() += 1;
            return;
        }
        let left = event.remainder().len();
        let why = match event.fit() {
            Fit::Exact => {
                self.exact += 1;
                self.classic += u64::from(event.raw().hook().is_none());
                return;
            }
            Fit::Surplus => format!("{what}: {left} bytes more than its table knows"),
            _ => {
                let field = event.misfit().map_or("?", |field| &*field.name);
                format!("{what}: {left} bytes from {field} on do not fit")
            }
        };
        *self.others.entry(why).or_default() += 1;
    }
}

#[test]
fn kernel_events_end_where_their_tables_end() {
    let classes = etwkit_kernel::tables().guids();
    let mut tally = Tally::default();
    let files = etwkit_corpus::traces();
    for (name, path) in &files {
        match Trace::open(Input::open(path).unwrap(), etwkit_parsers::standard()) {
            Ok(trace) => tally.file(name, &trace, classes),
            // Dumps of PerfView (.btl) have another form.
            Err(error) => println!("{name} is not read: {error}"),
        }
    }
    let Tally { total, exact, classic, others, undecoded } = &tally;
    println!("{} files, {total} kernel events, {exact} exact ({classic} with a classic header)", files.len());
    others.iter().chain(undecoded).for_each(|(what, count)| println!("  {count} x {what}"));
    assert!(files.is_empty() || *total > 0, "no kernel event in all of the corpus");
    assert!(undecoded.is_empty(), "{undecoded:#?}");
    assert!(exact * 1000 >= total * 999, "{exact} of {total} are exact");
}
