//! Counting by values: the same for any number of threads, also where there is no room for all groups.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::path::Path;

use etwkit::input::Input;
use etwkit::output::{Groups, Tally};
use etwkit::select::Selector;
use etwkit::trace::{RunOptions, Trace};
use etwkit_synth::{Buffer, LogfileHeader, Payload, PointerSize, SystemEvent, TraceBuilder};

fn census(name: &str) -> Trace {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    Trace::open(Input::open(file).unwrap(), etwkit_parsers::standard()).unwrap()
}

/// Returns a trace of many slices, so that threads share the work.
fn large() -> Trace {
    let fixtures = etwkit_synth::fixtures();
    let hello = fixtures.iter().find(|fixture| fixture.name == "many-processors.etl").unwrap();
    let mut bytes = Vec::new();
    etwkit_synth::repeat(&hello.bytes, 100).write_to(&mut bytes).unwrap();
    Trace::open(Input::bytes("memory", bytes), etwkit_parsers::standard()).unwrap()
}

fn selectors(names: &[&str]) -> Vec<Selector> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn count(trace: &Trace, names: &[&str], most: usize, threads: usize) -> Groups {
    let mut tally = Tally::new(selectors(names)).unwrap().at_most(most);
    trace.run(&RunOptions::default().threads(threads), &mut tally).unwrap();
    tally.into_groups()
}

/// Counts and values, `-` for those that are not there.
fn texts(groups: &Groups) -> Vec<(u64, Vec<&str>)> {
    let mut all = Vec::new();
    for group in &groups.list {
        all.push((group.events, group.values.iter().map(|value| value.as_deref().unwrap_or("-")).collect()));
    }
    all
}

#[test]
fn threads_make_no_difference_even_without_room() {
    let trace = large();
    for most in [0, 1, 7, 21, usize::MAX] {
        let one = count(&trace, &["cpu", "pid", "tid"], most, 1);
        assert!(one.list.len() <= most);
        let sum: u64 = one.list.iter().map(|group| group.events).sum();
        assert_eq!(sum + one.other, trace.events_total(), "nothing is lost");
        assert_eq!(one.other == 0, most == usize::MAX, "{most}: {} groups", one.list.len());
        for threads in [2, 3, 8] {
            assert_eq!(count(&trace, &["cpu", "pid", "tid"], most, threads), one, "{most} groups, {threads} threads");
        }
    }
}

/// Those that come first stay: counted here event by event.
#[test]
fn the_groups_that_are_kept_are_the_first() {
    let trace = census("many-processors.etl");
    let (mut kept, mut other) = (BTreeMap::new(), 0);
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        let cpu = event.raw().processor().to_string();
        if kept.len() < 5 || kept.contains_key(&cpu) {
            *kept.entry(cpu).or_insert(0) += 1;
        } else {
            other += 1;
        }
    }
    let groups = count(&trace, &["cpu"], 5, 4);
    let found = texts(&groups).into_iter().map(|(events, values)| (values.concat(), events)).collect();
    assert_eq!((kept, other), (found, groups.other));
    assert!(other > 0);
}

#[test]
fn fields_are_shown_with_their_brackets() {
    let trace = census("tracelogging-structs.etl");
    for (event, key, expected) in [
        ("Simple", "p", "{x=1, y=-1}"),
        ("Simple", "p.y", "-1"),
        ("Simple", "P.Y", "-1"),
        ("Simple", "nothing", "-"),
        ("Nested", "line", "{from={x=1, y=2}, to={x=3, y=4}, color=red}"),
        ("Nested", "line.to", "{x=3, y=4}"),
        ("Nested", "line.to.x", "3"),
        ("Nested", "line.x", "-"),
        ("Deep", "a.b.c", "{d=1}"),
        ("FixedArray", "p", "[{x=1, y=2}, {x=3, y=4}]"),
        ("FixedArray", "p.x", "1, 3"),
        ("VariableArray", "named.values", "[1], [1, 2]"),
        ("VariableArray", "named.name", "one, two"),
        ("NoElements", "named", "[]"),
        ("NoElements", "named.name", "-"),
        ("ArrayOfNested", "outer.p.y", "2, 4"),
        ("Empty", "nothing", "{}"),
    ] {
        let groups = count(&trace, &["header.event", key], usize::MAX, 1);
        let texts = texts(&groups);
        assert!(texts.contains(&(1, vec![event, expected])), "{event} {key}: {texts:?}");
    }
}

#[test]
fn the_header_and_the_payload_have_names_of_their_own() {
    let trace = census("hello.etl");
    let groups = count(&trace, &["header.event", "Item.Cups", "payload.Count"], usize::MAX, 2);
    let texts = texts(&groups);
    assert!(texts.contains(&(1, vec!["CoffeeOrder/Start", "2", "-"])), "{texts:?}");
    assert!(texts.contains(&(1, vec!["HelloWorld", "-", "1"])), "{texts:?}");
    assert_eq!(texts.iter().map(|(events, _)| events).sum::<u64>(), 11);
}

#[test]
fn too_many_selectors_are_refused() {
    assert!(Tally::new(selectors(&["pid"; 65])).is_err());
    assert!(Tally::new(selectors(&["pid"; 64])).is_ok());
}

/// What the first pass counted is what a run counts, whatever the trace: types that state all, and types that do not.
#[test]
fn counting_types_is_counting_events() {
    let known = ["kernel-stacks.etl", "hello.etl", "values.etl", "packets-pktmon.etl"];
    let mut traces: Vec<Trace> = known.iter().map(|name| census(name)).collect();
    traces.push(two_hooks());
    for trace in &traces {
        for names in [&["provider", "event"][..], &["event"], &["provider", "kind"]] {
            let mut tally = Tally::new(selectors(names)).unwrap();
            if tally.count_types(trace).is_some() {
                let by_run = count(trace, names, usize::MAX, 1);
                assert_eq!(texts(&tally.into_groups()), texts(&by_run), "{names:?}");
            }
        }
    }
    // Their events are called by the hook, which the type does not have.
    assert_eq!(Tally::new(selectors(&["event"])).unwrap().count_types(traces.last().unwrap()), None);
}

/// Returns a trace with two kernel events that nothing names, of one number in two groups.
fn two_hooks() -> Trace {
    let header = LogfileHeader::default();
    let event = |hook, ticks| {
        SystemEvent::system(PointerSize::Eight, hook).at(header.after(ticks)).payload(Payload::new().u32(1))
    };
    let buffer = Buffer::on(0).event(event(0x4C59, 10)).event(event(0x4D59, 20));
    let bytes = TraceBuilder::new(header.clone()).buffer(buffer).build().bytes;
    Trace::open(Input::bytes("memory", bytes), etwkit_parsers::standard()).unwrap()
}
