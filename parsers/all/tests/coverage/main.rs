//! Every event that TraceEvent's typed parsers of the kernel, the runtime and some others know, in every version that
//! they distinguish, written by 32- and 64-bit processes: the standard parsers have a schema, and it has the fields,
//! types and version gates of the facts.
//!
//! The payloads are made from the facts alone and put into traces that `etwkit-synth` writes; they are read through the
//! public interface. `docs/coverage.md` has the details, and the events that real traces contain.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    reason = "a test"
)]

mod compare;
mod expr;
mod layout;
mod rules;
mod trace_event_facts;

use std::collections::{BTreeMap, BTreeSet};

use etwkit::input::Input;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_synth::{ClassicEvent, Event, Guid, LogfileHeader, ModernEvent, PointerSize, TraceBuilder};

use compare::{Case, Tally, compare};
use rules::{Exceptions, Finding, Names};
use trace_event_facts::Facts;

macro_rules! fact_files {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("facts/", $name, ".txt")))),*] };
}

/// The .NET runtime, and .NET Native, which writes the same events (traceevent.md 1.1).
const RUNTIME: &str = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4";
const NATIVE: &str = "47c3ba0c-77f1-4eb0-8d4d-aef447f16a85";

/// Class, opcode, provider and id of the runtime's events that come in both forms.
const CLASSIC: &str = include_str!("../../../clr/data/classic.txt");

/// The highest version of most kernel events today.
const LAST_KERNEL_VERSION: u8 = 4;

/// The parsers and their facts.
const FILES: [(&str, &str); 12] = fact_files!(
    "kernel" "threadpool_heap_critsec" "symbol" "clr" "gcdynamic" "clr_rundown" "clr_stress" "clr_private"
    "sampleprofiler" "tpl" "jscript" "aspnet"
);

#[test]
fn every_event_is_read_as_the_facts_say() {
    let mut all: Vec<Facts> = FILES.iter().map(|(name, text)| Facts::parse(name, text)).collect();
    let sizes: usize = all.iter_mut().map(|facts| facts.take_sizes(include_str!("sizes.txt"))).sum();
    let names = Names::parse(include_str!("names.txt"));
    let exceptions = Exceptions::parse(include_str!("exceptions.txt"));
    let mut tally = Tally::default();
    let (mut findings, mut versions, mut payloads) = (Vec::new(), 0, 0);
    let mut compared: BTreeMap<String, usize> = BTreeMap::new();
    for size in [PointerSize::Four, PointerSize::Eight] {
        let cases = cases(&all, size);
        versions += if size == PointerSize::Eight { cases.len() } else { 0 };
        payloads += cases.len();
        for (_, case) in &cases {
            *compared.entry(case.subject()).or_default() += 1;
        }
        findings.append(&mut read(&cases, size, &names, &mut tally));
    }
    let (unread, findings): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| finding.kind == "unread");
    let events: usize = all.iter().map(|facts| facts.events.len()).sum();
    let (expected, wrong): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| exceptions.hold(finding));
    println!(
        "{events} events, {versions} versions of them, {payloads} payloads; {} fields as in the facts, {} not there as in \
         the facts, {} computed, {} payloads of which the facts know no field; {sizes} sizes added, {} names differ, {} exceptions for {} differences",
        tally.equal,
        tally.gated,
        tally.computed,
        tally.unread,
        names.len(),
        exceptions.len(),
        expected.len()
    );
    report(&wrong);
    let read =
        |subject: &String| compared.get(subject) > Some(&unread.iter().filter(|one| one.subject == *subject).count());
    let unread: BTreeSet<_> = compared.keys().filter(|subject| !read(subject)).cloned().collect();
    assert_eq!(unread, include_str!("unread.txt").lines().map(str::to_owned).collect(), "unread.txt");
    assert_eq!(wrong.len(), 0, "differences that no exception explains");
    assert_eq!(exceptions.idle(), Vec::<&str>::new(), "exceptions that nothing needs");
    assert_eq!(names.idle(), Vec::<&str>::new(), "names that nothing needs");
}

/// Returns an event of each version that the facts distinguish, and of the version after the last.
fn cases(all: &[Facts], size: PointerSize) -> Vec<(Event, Case<'_>)> {
    let mut cases = Vec::new();
    let first = LogfileHeader::default().t0 + 1_000;
    for facts in all {
        for (event, key) in facts.events.iter().flat_map(keys) {
            let class = facts.class(&event.class);
            let told = class.highest_version().map_or(0, |version| version + 1);
            // Kernel events have versions whether TraceEvent looks at them or not.
            let last = if event.classic && facts.file == "kernel" { told.max(LAST_KERNEL_VERSION) } else { told };
            for version in 0..=last {
                let opcode = if key.classic { key.number } else { 0 };
                let made = layout::make(class, version, opcode, size);
                let time = first + i64::try_from(cases.len()).unwrap();
                let written = written(key, version, size, time, &made.bytes);
                cases.push((
                    written,
                    Case { file: facts.file, event: &event.name, class, version, pointer: size.bytes(), made },
                ));
            }
        }
    }
    cases
}

/// How an event is found.
#[derive(Clone, Copy, Debug)]
struct Key<'f> {
    classic: bool,
    guid: &'f str,
    number: u16,
}

/// Returns an event with each of its keys: its own, that of the other provider, the classic one.
fn keys(event: &trace_event_facts::Event) -> impl Iterator<Item = (&trace_event_facts::Event, Key<'_>)> {
    let own = Key { classic: event.classic, guid: &event.guid, number: event.number };
    let native = (own.guid == RUNTIME).then_some(Key { guid: NATIVE, ..own });
    let classic = CLASSIC.lines().filter_map(move |line| {
        let (classic, manifest) = line.rsplit_once(own.guid)?;
        let (guid, opcode) = classic.trim_end().split_once(' ')?;
        let is_it = !own.classic && manifest.trim().parse() == Ok(own.number);
        is_it.then(|| Key { classic: true, guid, number: opcode.parse().unwrap() })
    });
    std::iter::once(own).chain(native).chain(classic).map(move |key| (event, key))
}

fn written(key: Key<'_>, version: u8, size: PointerSize, time: i64, payload: &[u8]) -> Event {
    let guid = Guid::new(u128::from_str_radix(&key.guid.replace('-', ""), 16).unwrap());
    if key.classic {
        let opcode = u8::try_from(key.number).unwrap();
        let event = ClassicEvent::new(size, guid, opcode).version(version.into()).by(4, 8);
        return event.at(time).payload(payload).into();
    }
    ModernEvent::new(guid).size(size).id(key.number).version(version).by(4, 8).at(time).payload(payload).into()
}

/// Writes a trace of the events and compares what is read.
fn read(cases: &[(Event, Case<'_>)], size: PointerSize, names: &Names, tally: &mut Tally) -> Vec<Finding> {
    let header = LogfileHeader { pointer_size: size.bytes() as u32, ..LogfileHeader::default() };
    let first = header.t0 + 1_000;
    let builder = cases.iter().fold(TraceBuilder::new(header), |trace, (event, _)| trace.log(0, event.clone()));
    let source = Input::bytes("made from the facts", builder.build().bytes);
    let trace = Trace::open(source, etwkit_parsers::standard()).unwrap();
    assert!(!trace.is_damaged(), "{:?}", trace.problems());
    let mut events = trace.events_in(Order::File, &Filter::default());
    let (mut findings, mut seen) = (Vec::new(), BTreeSet::new());
    while let Some(event) = events.next().unwrap() {
        let Some((_, case)) = usize::try_from(event.raw().time().0 - first).ok().and_then(|index| cases.get(index))
        else {
            continue;
        };
        assert!(seen.insert(event.raw().time()), "two events of one time");
        assert_eq!(event.payload(), case.made.bytes, "{}: not the payload that was written", case.event);
        findings.append(&mut compare(case, &event, names, tally));
    }
    assert_eq!(seen.len(), cases.len(), "events are missing");
    findings
}

/// Prints the findings, those of one kind and subject together.
fn report(findings: &[Finding]) {
    let mut groups: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        groups.entry((finding.kind, &finding.subject)).or_default().push(finding);
    }
    for ((kind, subject), group) in groups {
        let cases: BTreeSet<_> = group.iter().map(|finding| (finding.version, finding.pointer)).collect();
        let detail = group.first().map_or("", |finding| &finding.detail);
        println!("{kind} {subject} {cases:?}: {detail}");
    }
}
