//! Properties of spans of any events.

use std::sync::Arc;

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::sink::Sink;
use etwkit_kernel_analyses::ProcessKey;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::collector::SpanCollector;
use crate::fact::{Match, SpanFact, Version, What};
use crate::family::{Families, FamilyId};
use crate::options::{Keep, SpanOptions};
use crate::roles::Roles;
use crate::span::{Span, SpanId, State};
use crate::spans::Spans;
use crate::stem::Side;

/// Side, family, activity, process, thread, and the time since the event before.
type Made = (bool, u32, Option<u8>, u32, u32, i64);

fn made() -> impl Strategy<Value = Vec<Made>> {
    let event = (any::<bool>(), 0..3_u32, proptest::option::of(0..4_u8), 1..3_u32, 1..4_u32, 0..50_i64);
    vec(event, 0..120)
}

fn activity(number: u8) -> Guid {
    Guid::from_bytes([number + 1; 16])
}

fn fact(what: What, (activity, pid, tid): (Option<Guid>, u32, u32), time: i64) -> SpanFact {
    let process = ProcessKey { machine: 0, pid: Some(pid), start: None };
    SpanFact { time: Some(FileTime(time)), what, activity, related: None, process, name: None, tid: Some(tid) }
}

fn facts(events: &[Made]) -> Vec<SpanFact> {
    let mut time = 0;
    let mut facts = Vec::new();
    for (is_start, family, number, pid, tid, after) in events {
        time += after;
        let side = if *is_start { Side::Start } else { Side::Stop };
        let what = What::Side { side, family: FamilyId(*family), key: Match::Usual, version: None };
        facts.push(fact(what, (number.map(activity), *pid, *tid), time));
    }
    facts
}

fn collected(facts: Vec<SpanFact>, keep: Keep) -> Spans {
    let mut families = Families::default();
    for task in ["A", "B", "C"] {
        let id = families.add(Guid::NULL, "Provider", task);
        families.can_end(id);
    }
    let roles = Roles { families, by_type: Arc::new([]) };
    let mut collector = SpanCollector::of(roles, SpanOptions { keep, ..SpanOptions::default() });
    let _ = collector.accept(facts).unwrap();
    collector.finish()
}

/// The pairs by definition: each stop ends the newest start before it that has no stop and the same key.
fn by_definition(events: &[Made]) -> Vec<(Option<usize>, Option<usize>)> {
    let key = |place: usize| {
        let (_, family, activity, pid, tid, _) = events[place];
        (family, activity, if activity.is_some() { (0, 0) } else { (pid, tid) })
    };
    let mut pairs: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for (place, (is_start, ..)) in events.iter().enumerate() {
        if *is_start {
            pairs.push((Some(place), None));
            continue;
        }
        let open = pairs
            .iter_mut()
            .rev()
            .find(|(start, stop)| stop.is_none() && start.is_some_and(|at| key(at) == key(place)));
        match open {
            Some((_, stop)) => *stop = Some(place),
            None => pairs.push((None, Some(place))),
        }
    }
    pairs
}

/// Units in which a span ran and no complete one within it did, at any depth.
fn exclusive_by_definition(spans: &Spans, id: u32) -> Option<u64> {
    let whole = |span: &Span| Some((span.start?.0, span.stop?.0));
    let is_inner = |span: &Span| {
        let parents = std::iter::successors(span.parent, |id| spans.get(*id).and_then(|span| span.parent));
        parents.into_iter().any(|parent| parent.0 == id)
    };
    let inner: Vec<_> = spans.list().iter().filter(|span| is_inner(span)).filter_map(whole).collect();
    let (start, stop) = whole(spans.get(SpanId(id))?)?;
    let runs_alone = |unit: &i64| !inner.iter().any(|(from, to)| (*from..*to).contains(unit));
    Some((start..stop).filter(runs_alone).count() as u64)
}

fn folded_sum(folded: &str) -> f64 {
    folded.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap()).sum()
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

proptest! {
    #[test]
    fn each_event_is_in_one_span(events in made()) {
        let list = facts(&events);
        let times: Vec<FileTime> = list.iter().filter_map(|fact| fact.time).collect();
        let spans = collected(list, Keep::Spans);
        let at = |place: Option<usize>| place.map(|place| times[place]);
        let expected: Vec<_> = by_definition(&events).into_iter().map(|(start, stop)| (at(start), at(stop))).collect();
        let found: Vec<_> = spans.list().iter().map(|span| (span.start, span.stop)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn forms_agree(events in made()) {
        let spans = collected(facts(&events), Keep::Tree);
        let count = |state| spans.list().iter().filter(|span| span.state() == state).count() as u64;
        let table = spans.table();
        let total = |of: fn(&crate::TableRow) -> u64| table.iter().map(of).sum::<u64>();
        prop_assert_eq!(total(|row| row.count), count(State::Complete));
        prop_assert_eq!(total(|row| row.open), count(State::Open));
        prop_assert_eq!(total(|row| row.orphaned), count(State::Orphaned));
        prop_assert_eq!(table, collected(facts(&events), Keep::Durations).table());
        let sum: u64 = spans.list().iter().filter_map(Span::duration).sum();
        let rows: Vec<f64> = spans.rows().filter_map(|row| row.duration_ms).collect();
        prop_assert!(is_near(rows.iter().sum(), etwkit_analysis::units_to_milliseconds(sum)));
        prop_assert!(is_near(spans.table().iter().map(|row| row.sum_ms).sum(), etwkit_analysis::units_to_milliseconds(sum)));
    }

    #[test]
    fn the_longest_are_the_first_of_all_by_duration(events in made(), most in 0..20_usize) {
        let all = collected(facts(&events), Keep::Spans);
        let mut complete: Vec<&Span> = all.list().iter().filter(|span| span.duration().is_some()).collect();
        complete.sort_by_key(|span| std::cmp::Reverse(span.duration()));
        let (kept, left_out) = complete.split_at(most.min(complete.len()));
        let longest = collected(facts(&events), Keep::Longest(most));
        prop_assert_eq!(longest.shorter(), left_out.len() as u64);
        prop_assert_eq!(longest.rows().collect::<Vec<_>>(), kept.iter().map(|span| all.span_row(span)).collect::<Vec<_>>());
        prop_assert_eq!(longest.table(), all.table());
    }

    #[test]
    fn trees_have_each_span_once(events in made()) {
        let spans = collected(facts(&events), Keep::Tree);
        let mut rows = Vec::new();
        spans.tree().rows(|row| rows.push(row));
        prop_assert_eq!(rows.len(), spans.list().len());
        prop_assert!(rows.windows(2).all(|pair| pair[1].depth <= pair[0].depth + 1));
        for span in spans.list() {
            let parent = span.parent.and_then(|id| spans.get(id));
            prop_assert!(parent.is_none_or(|parent| parent.start.is_some() && parent.start <= span.start));
        }
        for id in 0..u32::try_from(spans.list().len()).unwrap() {
            prop_assert_eq!(spans.tree().exclusive(SpanId(id)), exclusive_by_definition(&spans, id));
        }
        let exclusive: f64 = rows.iter().filter_map(|row| row.exclusive_ms).sum();
        prop_assert!(rows.iter().all(|row| row.exclusive_ms <= row.duration_ms));
        prop_assert!(is_near(folded_sum(&spans.tree().folded()), exclusive));
    }

    #[test]
    fn viewers_get_each_span_once(events in made()) {
        let spans = collected(facts(&events), Keep::Tree);
        let mut out = Vec::new();
        spans.tree().chrome(&mut out).unwrap();
        let file: serde_json::Value = serde_json::from_slice(&out).unwrap();
        let list = file["traceEvents"].as_array().unwrap();
        let of = |phase: &str| list.iter().filter(|event| event["ph"] == phase).collect::<Vec<_>>();
        let begun = spans.list().iter().filter(|span| span.start.is_some()).count();
        prop_assert_eq!(of("X").len() + of("b").len(), begun);
        prop_assert_eq!(of("b").len(), of("e").len());
        prop_assert_eq!(of("s").len(), of("f").len());
        // Slices of a thread are within each other or apart.
        let number = |event: &serde_json::Value, name: &str| event[name].as_f64().unwrap();
        for (place, a) in of("X").iter().enumerate() {
            let end = number(a, "ts") + number(a, "dur");
            for b in of("X").iter().skip(place + 1).filter(|b| (&b["pid"], &b["tid"]) == (&a["pid"], &a["tid"])) {
                let (start, stop) = (number(b, "ts"), number(b, "ts") + number(b, "dur"));
                prop_assert!(start >= end - 1e-6 || stop <= end + 1e-6);
            }
        }
    }
}

#[test]
fn viewers_get_both_processes_of_an_id() {
    let of = |side, start, name: &str, time| {
        let what = What::Side { side, family: FamilyId(0), key: Match::Usual, version: None };
        let made = fact(what, (None, 100, 104), time);
        let process = ProcessKey { start: Some(FileTime(start)), ..made.process };
        SpanFact { process, name: Some(name.into()), ..made }
    };
    let lives = [(10, "first.exe"), (50, "second.exe")];
    let list = lives
        .into_iter()
        .flat_map(|(start, name)| [of(Side::Start, start, name, start + 10), of(Side::Stop, start, name, start + 20)]);
    let spans = collected(list.collect(), Keep::Tree);
    let mut out = Vec::new();
    spans.tree().chrome(&mut out).unwrap();
    let file: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let list = file["traceEvents"].as_array().unwrap();
    let pids = |phase: &str| {
        let shown = list.iter().filter(|event| event["ph"] == phase);
        shown.map(|event| (event["pid"].as_u64(), event["args"]["name"].as_str())).collect::<Vec<_>>()
    };
    assert_eq!(pids("M"), [(Some(100), Some("first.exe")), (Some(1), Some("second.exe (100)"))]);
    assert_eq!(pids("X"), [(Some(100), None), (Some(1), None)]);
}

#[test]
fn a_start_that_comes_in_two_versions_is_one() {
    let side = |side, version| {
        let version = Some(Version { id: 1, version });
        What::Side { side, family: FamilyId(0), key: Match::Usual, version }
    };
    let at = |what, time| fact(what, (None, 1, 1), time);
    let facts = vec![
        at(side(Side::Start, 1), 0),
        at(side(Side::Start, 2), 5),
        // One within the other.
        at(side(Side::Start, 1), 10),
        at(side(Side::Start, 2), 15),
        at(side(Side::Stop, 1), 20),
        at(side(Side::Stop, 1), 30),
    ];
    let spans = collected(facts, Keep::Spans);
    let found: Vec<_> = spans.rows().map(|row| row.duration_ms).collect();
    assert_eq!((found, spans.table()[0].open), (vec![Some(0.003), Some(0.001)], 0));
}

#[test]
fn a_task_is_within_the_span_that_scheduled_it() {
    let side = |side, family, key| What::Side { side, family: FamilyId(family), key, version: None };
    let list = vec![
        fact(side(Side::Start, 0, Match::Usual), (None, 1, 1), 0),
        fact(What::Scheduled { task: 7 }, (None, 1, 1), 10),
        fact(side(Side::Stop, 0, Match::Usual), (None, 1, 1), 20),
        fact(side(Side::Start, 1, Match::Task(7)), (None, 1, 2), 30),
        fact(side(Side::Start, 2, Match::Usual), (None, 1, 2), 40),
        fact(side(Side::Stop, 2, Match::Usual), (None, 1, 2), 50),
        // On another thread, as a continuation may.
        fact(side(Side::Stop, 1, Match::Task(7)), (None, 1, 3), 60),
    ];
    let spans = collected(list, Keep::Tree);
    assert_eq!(
        spans.tree().folded(),
        "? (1);Provider/A 0.002\n? (1);Provider/A;Provider/B 0.002\n? (1);Provider/A;Provider/B;Provider/C 0.001\n"
    );
}

/// Exclusive units of spans of three tasks within each other, by the thread, side, task and time of each event.
fn exclusive_of(events: &[(u32, Side, u32, i64)]) -> Vec<Option<u64>> {
    let of = |(tid, side, family, time): &(u32, Side, u32, i64)| {
        let key = if *tid == 1 { Match::Usual } else { Match::Task(7) };
        fact(What::Side { side: *side, family: FamilyId(*family), key, version: None }, (None, 1, *tid), *time)
    };
    let mut list: Vec<SpanFact> = events.iter().map(of).collect();
    // The task begins in the span that is open on the first thread then.
    if let Some(place) = events.iter().position(|(tid, ..)| *tid != 1) {
        list.insert(place, fact(What::Scheduled { task: 7 }, (None, 1, 1), events[place].3));
    }
    let spans = collected(list, Keep::Tree);
    let depths: Vec<u16> = spans.list().iter().map(|span| span.depth).collect();
    assert_eq!(depths, [0, 1, 2]);
    (0..3).map(|id| spans.tree().exclusive(SpanId(id))).collect()
}

#[test]
fn time_within_an_open_span_is_not_that_of_the_one_around_it() {
    let events = [
        (1, Side::Start, 0, 0),
        (1, Side::Start, 1, 100),
        (1, Side::Start, 2, 200),
        (1, Side::Stop, 2, 800),
        (1, Side::Stop, 0, 1_000),
    ];
    assert_eq!(exclusive_of(&events), [Some(400), None, Some(600)]);
}

#[test]
fn time_of_a_span_that_outlives_the_one_around_it_counts_once() {
    let events = [
        (1, Side::Start, 0, 0),
        (1, Side::Start, 1, 100),
        (2, Side::Start, 2, 200),
        (1, Side::Stop, 1, 300),
        (2, Side::Stop, 2, 800),
        (1, Side::Stop, 0, 1_000),
    ];
    assert_eq!(exclusive_of(&events), [Some(300), Some(100), Some(600)]);
}

#[test]
fn related_activities_and_paths_lead_across_threads() {
    let start = |family| What::Side { side: Side::Start, family: FamilyId(family), key: Match::Usual, version: None };
    let mut related = fact(start(1), (Some(activity(2)), 1, 2), 10);
    related.related = Some(activity(1));
    let path = |text: &str| Some(text.parse::<Guid>().unwrap());
    let list = vec![
        fact(start(0), (Some(activity(1)), 1, 1), 0),
        related,
        fact(start(0), (path("00000011-0000-0000-0000-0000e2919d59"), 2140, 3), 20),
        fact(start(1), (path("00001011-0000-0000-0000-0000e2a19d59"), 2140, 4), 30),
        // Another activity on the same thread.
        fact(start(2), (Some(activity(3)), 1, 1), 40),
    ];
    let spans = collected(list, Keep::Tree);
    let parents: Vec<Option<u32>> = spans.list().iter().map(|span| span.parent.map(|id| id.0)).collect();
    assert_eq!(parents, [None, Some(0), None, Some(2), None]);
}
