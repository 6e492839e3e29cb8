//! The committed fixtures are what `synth` writes, and reading them gives what `synth` meant: parse(build(x)) == x.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod support;

use etwkit::FileId;
use etwkit::event::RawEvent;
use etwkit::trace::{Filter, Order, Trace};
use etwkit::{Problem, Severity};
use etwkit_synth::{Expected, ExpectedEvent, Fixture, fixtures};
use support::{Seen, census_of, events, fixtures_folder, is_no_trace};

#[test]
fn committed_files_are_what_synth_writes() {
    let mut known = vec!["README.md".to_owned(), "expect.toml".to_owned()];
    for fixture in fixtures() {
        let path = fixtures_folder().join(fixture.name);
        let committed = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(committed == fixture.bytes, "{}: run `cargo xtask fixtures`", fixture.name);
        known.push(fixture.name.to_owned());
    }
    for entry in std::fs::read_dir(fixtures_folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "{name} is made by nothing");
    }
}

#[test]
fn what_is_no_trace_is_refused_with_a_reason() {
    let broken: Vec<Fixture> = fixtures().into_iter().filter(|f| !f.expected.is_trace()).collect();
    assert!(broken.len() >= 3);
    for fixture in broken {
        assert!(fixture.name.starts_with("x-"));
        let error = census_of(&fixture.bytes).expect_err(fixture.name);
        assert!(is_no_trace(&error), "{}: {error}", fixture.name);
        assert!(error.to_string().len() > "not an .etl trace: ".len());
    }
}

#[test]
fn file_order_gives_every_event_as_it_was_built() {
    for (fixture, trace) in readable() {
        let want = &fixture.expected;
        let mut got = trace.events_in(Order::File, &Filter::default());
        for (n, expected) in want.events.iter().enumerate() {
            let context = format!("{} event {n}", fixture.name);
            let event = got.next().unwrap().unwrap_or_else(|| panic!("{context} is missing"));
            if expected.event.time.is_some() {
                assert_eq!(event.time().map(|time| time.0), expected.utc, "{context}: UTC");
            }
            assert_eq!(event.raw().time().0, effective_time(want, n), "{context}: raw time");
            same_event(event.raw(), expected, &context);
        }
        let extra = got.next().unwrap().map(|event| event.raw().place());
        assert_eq!(extra, None, "{}: an event too many", fixture.name);
    }
}

#[test]
fn time_order_is_by_time_then_processor_then_place() {
    for (fixture, trace) in readable() {
        let want = &fixture.expected;
        let mut order: Vec<usize> = (0..want.events.len()).collect();
        // A block has events of several processors; among equal times they stay as they are.
        let processor = |n: usize| want.buffers[want.events[n].buffer].processor;
        order.sort_by_key(|&n| (effective_time(want, n), processor(n), n));
        let got = events(&trace, Order::Time, &Filter::default());
        let bytes = |seen: &Seen| (seen.buffer, seen.offset);
        let wanted = order.iter().map(|&n| {
            let event = &want.events[n];
            (want.buffers[event.buffer].offset, event.offset)
        });
        assert_eq!(got.iter().map(bytes).collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{}", fixture.name);
        by_time_alone(want, &got, fixture.name);
    }
}

#[test]
fn buffers_are_found_as_they_were_written() {
    for (fixture, trace) in readable() {
        let want = &fixture.expected;
        assert_eq!(trace.buffers().len(), want.buffers.len(), "{}", fixture.name);
        for (n, (got, want)) in trace.buffers().zip(&want.buffers).enumerate() {
            let context = format!("{} buffer {n}", fixture.name);
            let end = fixture.bytes.len() as u64;
            assert_eq!(got.offset, want.offset, "{context}");
            assert_eq!(u64::from(got.size), u64::from(want.size).min(end - want.offset), "{context}");
            assert_eq!(got.used, want.used, "{context}");
            assert_eq!(got.is_compressed(), want.compressed, "{context}");
            assert_eq!(got.processor, want.processor, "{context}");
            if let Some(sequence) = want.sequence {
                assert_eq!(
                    (got.sequence, got.flags.0, got.buffer_type),
                    (sequence, want.flags, want.kind),
                    "{context}"
                );
            }
        }
    }
}

#[test]
fn counts_are_equal() {
    for (fixture, trace) in readable() {
        let want = fixture.expected.counts();
        let got = trace.counts(FileId::FIRST).unwrap();
        assert_eq!(got.events, want.events, "{}", fixture.name);
        assert_eq!(got.payload_bytes, want.payload_bytes, "{}", fixture.name);
        let headers = etwkit::format::HeaderType::ALL.iter().map(|h| (h.name(), got.by_header[h.index()]));
        let headers = headers.filter(|(_, count)| *count > 0).collect::<std::collections::BTreeMap<_, _>>();
        assert_eq!(headers, want.by_header, "{}", fixture.name);
        let hooks = got.by_hook.iter().map(|(hook, count)| (format!("{hook:04x}"), *count)).collect();
        assert_eq!(want.by_kernel_hook, hooks, "{}", fixture.name);
        assert_eq!(got.by_item, want.by_extended_item, "{}", fixture.name);
        let by_provider = trace.by_provider();
        let named = by_provider.iter().filter(|(guid, _)| !guid.is_null());
        let providers = named.map(|(guid, count)| (guid.to_string(), count.events)).collect();
        assert_eq!(want.by_provider, providers, "{}", fixture.name);
        assert_eq!(got.buffers, fixture.expected.buffers.len() as u64, "{}", fixture.name);
        assert_eq!(trace.events_total(), want.events, "{}", fixture.name);
    }
}

#[test]
fn every_gap_is_reported_and_whole_files_report_none() {
    for (fixture, trace) in readable() {
        let damage: Vec<&Problem> =
            trace.problems().iter().filter(|problem| problem.severity == Severity::Damage).collect();
        for gap in &fixture.expected.gaps {
            let covered = (gap.offset..gap.offset + gap.len)
                .all(|byte| damage.iter().any(|p| (p.offset..p.offset + p.len).contains(&byte)));
            assert!(covered, "{}: {gap:x?} is not within {damage:#?}", fixture.name);
        }
        let whole = fixture.expected.gaps.is_empty() && fixture.expected.damaged_buffers.is_empty();
        let cut = fixture.name.starts_with("damaged-truncated");
        assert!(!whole || cut || damage.is_empty(), "{}: {damage:#?}", fixture.name);
        assert_eq!(fixture.name.starts_with("damaged-"), trace.is_damaged(), "{}", fixture.name);
    }
}

/// Fixtures that are traces, after the first pass.
fn readable() -> impl Iterator<Item = (Fixture, Trace)> {
    fixtures().into_iter().filter(|fixture| fixture.expected.is_trace()).map(|fixture| {
        let trace = census_of(&fixture.bytes).unwrap_or_else(|e| panic!("{}: {e}", fixture.name));
        (fixture, trace)
    })
}

fn same_event(got: &RawEvent<'_>, expected: &ExpectedEvent, context: &str) {
    let want = &expected.event;
    assert_eq!(got.header_type().name(), want.kind.name(), "{context}");
    assert_eq!(got.has_time(), want.time.is_some(), "{context}");
    assert_eq!((got.pid(), got.tid()), (want.pid, want.tid), "{context}");
    assert_eq!(got.processor(), expected.processor, "{context}");
    assert_eq!(got.place().buffer as usize, expected.buffer, "{context}");
    assert_eq!(got.place().offset, expected.offset, "{context}");
    assert_eq!(got.hook(), want.hook, "{context}");
    assert_eq!(got.bytes(), want.bytes, "{context}");
    assert_eq!(got.payload(), want.payload(), "{context}");
    if let Some(provider) = want.provider {
        assert_eq!(got.provider_guid().to_string(), provider.to_string(), "{context}");
    }
    if let Some(id) = want.id {
        assert_eq!(got.id(), id, "{context}");
    }
    assert_eq!((got.opcode(), got.level()), (want.opcode, want.level), "{context}");
    let items: Vec<(u16, &[u8])> = got.extended().map(|item| (item.item_type.0, item.data)).collect();
    let wanted: Vec<(u16, &[u8])> = want.items.iter().map(|item| (item.kind, &*item.data)).collect();
    assert_eq!(items, wanted, "{context}");
}

/// Raw time of an event; without one, of the event before it in its buffer, else of the first that has one.
fn effective_time(want: &Expected, n: usize) -> i64 {
    let buffer = want.events[n].buffer;
    let inside = |event: &&ExpectedEvent| event.buffer == buffer;
    let before = want.events[..=n].iter().rev().take_while(inside).find_map(|event| event.event.time);
    let after = || want.events[n..].iter().take_while(inside).find_map(|event| event.event.time);
    before.or_else(after).unwrap_or(0)
}

/// `synth` orders equal times by place alone; both orders have the same events at the same times.
fn by_time_alone(want: &Expected, got: &[Seen], name: &str) {
    let mut times: Vec<i64> = (0..want.events.len()).map(|n| effective_time(want, n)).collect();
    times.sort_unstable();
    assert_eq!(got.iter().map(|seen| seen.time).collect::<Vec<_>>(), times, "{name}");
}
