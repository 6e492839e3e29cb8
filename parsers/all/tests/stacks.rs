//! Stacks are joined with their events, and what is not is counted with a reason: synthetic traces for each case, and
//! one real trace. Skipped loudly where the corpus is absent.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, reason = "a test")]

mod common;

use etwkit::input::Input;
use etwkit::system::{MissingFrames, NoStackReason, StackJoins, UnjoinedReason};
use etwkit::trace::Trace;
use etwkit_synth::{
    Buffer, Event, ExtendedItem, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, SystemEvent, TraceBuilder,
    kernel,
};

const SIZE: PointerSize = PointerSize::Eight;
const KERNEL: [u64; 2] = [0xffff_f800_0100_2000, 0xffff_f800_0100_1000];
const USER: [u64; 2] = [0x7ff6_1a00_1234, 0x7ff6_1a00_0010];
const BOTH: [u64; 4] = [KERNEL[0], KERNEL[1], USER[0], USER[1]];
const PID: u32 = 40;
const TID: u32 = 44;

fn header() -> LogfileHeader {
    LogfileHeader { processors: 2, ..LogfileHeader::default() }
}

fn at(ticks: i64) -> i64 {
    header().after(ticks)
}

/// Returns a sample, whose header has no thread.
fn sample(ticks: i64) -> SystemEvent {
    kernel::sampled_profile(SIZE, USER[0], TID).at(at(ticks))
}

/// Returns the stack of the event at `of`, written later.
fn walk(of: i64, later: i64, frames: &[u64]) -> SystemEvent {
    walk_of(of, later, TID, frames)
}

fn walk_of(of: i64, later: i64, tid: u32, frames: &[u64]) -> SystemEvent {
    kernel::stack_walk(SIZE, at(of), PID, tid, frames).at(at(of + later))
}

fn census(trace: TraceBuilder) -> Trace {
    let source = Input::bytes("memory", trace.build().bytes);
    Trace::open(source, etwkit_parsers::with_stacks(etwkit_parsers::standard())).unwrap()
}

/// Returns a trace of one processor.
fn one(events: impl IntoIterator<Item = Event>) -> Trace {
    let buffer = events.into_iter().fold(Buffer::on(0), Buffer::event);
    census(TraceBuilder::new(header()).buffer(buffer))
}

type Found = (Vec<u64>, Option<MissingFrames>);

/// Returns the stack of the first event at a time that is not a stack itself.
fn stack(trace: &Trace, ticks: i64) -> Option<Found> {
    let mut events = trace.events();
    let mut frames = Vec::new();
    while let Some(event) = events.next().unwrap() {
        if event.raw().time().0 == at(ticks) && !trace.system().stacks.is_carrier(&event.raw().key()) {
            let found = event.stack(&mut frames);
            assert_eq!(event.has_stack(), found.is_some());
            return found.map(|found| (frames, found.missing));
        }
    }
    panic!("no event at {ticks}");
}

fn joins(trace: &Trace) -> StackJoins {
    trace.stack_joins().unwrap()
}

#[expect(clippy::unnecessary_wraps, reason = "compared with what is found")]
fn whole(frames: &[u64]) -> Option<Found> {
    Some((frames.to_vec(), None))
}

#[test]
fn both_parts_belong_to_the_event_whatever_their_order() {
    let trace = one([
        sample(10).into(),
        walk(10, 900, &USER).into(),
        walk(10, 1, &KERNEL).into(),
        sample(20).into(),
        walk(20, 1, &BOTH).into(),
    ]);
    assert_eq!(stack(&trace, 10), whole(&BOTH));
    assert_eq!(stack(&trace, 20), whole(&BOTH));
    let joins = joins(&trace);
    assert_eq!((joins.joined, joins.parts, joins.parts_joined), (2, 3, 3));
    assert!(joins.orphans.is_empty() && joins.bare.is_empty() && joins.incomplete.is_empty(), "{joins:?}");
}

#[test]
fn a_stack_finds_its_event_behind_more_than_2048_others() {
    let mut trace = TraceBuilder::new(header()).log(0, sample(10));
    for n in 0..5_000 {
        trace = trace.log(0, sample(1_000 + n));
    }
    let trace = census(trace.log(0, walk(10, 90_000, &USER)));
    assert_eq!(stack(&trace, 10), whole(&USER));
    // The others are younger than the last event that has a stack: none was taken any more.
    assert_eq!(joins(&trace).bare.get(&NoStackReason::Outside), Some(&5_000));
}

#[test]
fn the_thread_decides_then_the_processor() {
    let event = |tid| kernel::image(SIZE, 0x1402, 0x1000, 0x1000, PID, "a.dll").by(PID, tid).at(at(10));
    let first = Buffer::on(0).event(sample(10)).event(walk_of(10, 1, TID, &USER));
    let second = Buffer::on(1).event(event(TID + 4)).event(walk_of(10, 2, TID + 4, &KERNEL));
    let trace = census(TraceBuilder::new(header()).buffer(first).buffer(second));
    let mut events = trace.events();
    let (mut frames, mut found) = (Vec::new(), Vec::new());
    while let Some(event) = events.next().unwrap() {
        if event.raw().time().0 == at(10) && event.stack(&mut frames).is_some() {
            found.push((event.raw().processor(), frames.clone()));
        }
    }
    println!("{found:x?} {:?}", joins(&trace));
    assert_eq!(found, [(0, USER.to_vec()), (1, KERNEL.to_vec())]);
}

#[test]
fn equal_time_and_thread_share_a_stack() {
    let trace = one([sample(10).into(), sample(10).into(), walk(10, 1, &USER).into()]);
    let joins = joins(&trace);
    assert_eq!((joins.joined, joins.shared, joins.parts_joined), (2, 1, 1));
}

#[test]
fn keys_are_defined_after_their_use_and_used_again() {
    let key = |hook, of, key| kernel::stack_key(SIZE, hook, at(of), PID, TID, key).at(at(of + 2));
    let define = |hook, key, frames: &[u64], now| kernel::stack_definition(SIZE, hook, key, frames).at(at(now));
    let trace = one([
        sample(10).into(),
        key(0x1825, 10, 0xa0).into(),
        key(0x1826, 10, 0xb0).into(),
        define(0x1823, 0xb0, &USER, 50).into(),
        sample(60).into(),
        key(0x1826, 60, 0xb0).into(),
        define(0x1824, 0xb0, &KERNEL, 90).into(),
        define(0x1824, 0xa0, &KERNEL, 91).into(),
        sample(70).into(),
        key(0x1826, 70, 0xc0).into(),
    ]);
    assert_eq!(stack(&trace, 10), whole(&BOTH));
    assert_eq!(stack(&trace, 60), whole(&KERNEL));
    assert_eq!(stack(&trace, 70), Some((vec![], Some(MissingFrames::NoDefinition))));
    assert_eq!(joins(&trace).incomplete.get(&MissingFrames::NoDefinition), Some(&1));
}

#[test]
fn orphans_have_a_reason() {
    let events = || {
        [
            sample(10).into(),
            walk(10, 1, &USER).into(),
            sample(40).into(),
            walk_of(40, 1, TID + 4, &USER).into(),
            walk(30, 20, &USER).into(),
            walk(-500_000, 500_060, &USER).into(),
            sample(70).into(),
            Event::from(walk(60, 40, &USER)),
        ]
    };
    let counted = |joins: &StackJoins, why| joins.orphans.get(&why).copied().unwrap_or(0);
    let whole = joins(&one(events()));
    assert_eq!(counted(&whole, UnjoinedReason::OtherThread), 1, "{whole:?}");
    assert_eq!((counted(&whole, UnjoinedReason::Outside), counted(&whole, UnjoinedReason::NoEvent)), (1, 2));
    assert_eq!((whole.parts, whole.parts_joined), (5, 1));
    let lossy = LogfileHeader { events_lost: 3, ..header() };
    let buffer = events().into_iter().fold(Buffer::on(0), Buffer::event);
    let lossy = joins(&census(TraceBuilder::new(lossy).buffer(buffer)));
    assert_eq!((counted(&lossy, UnjoinedReason::Lost), counted(&lossy, UnjoinedReason::NoEvent)), (2, 0));
    assert_eq!(lossy.parts, lossy.parts_joined + lossy.orphans.values().sum::<u64>());
}

#[test]
fn runtime_stacks_belong_to_the_event_before_them_on_their_thread() {
    let runtime = Guid::new(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4);
    let native = Guid::new(0x47c3_ba0c_77f1_4eb0_8d4d_aef4_47f1_6a85);
    for provider in [runtime, native] {
        let start = |ticks, tid| {
            let payload = Payload::new().u32(1).u32(1).u32(0).u32(0).u16(7).u64(0);
            ModernEvent::new(provider).id(1).version(2).opcode(1).payload(payload).at(at(ticks)).by(PID, tid)
        };
        let walk = |ticks, tid, frames: &[u64]| {
            let head = Payload::new().u16(7).u8(0).u8(0).u32(frames.len() as u32);
            let payload = frames.iter().fold(head, |payload, frame| payload.ptr(SIZE, *frame));
            ModernEvent::new(provider).id(82).payload(payload).at(at(ticks)).by(PID, tid)
        };
        let trace = one([
            walk(5, 99, &USER).into(),
            start(10, 44).into(),
            start(11, 45).into(),
            walk(12, 44, &USER).into(),
            walk(13, 45, &KERNEL).into(),
        ]);
        assert_eq!((stack(&trace, 10), stack(&trace, 11)), (whole(&USER), whole(&KERNEL)));
        let joins = joins(&trace);
        let first = joins.orphans.get(&UnjoinedReason::First);
        assert_eq!((joins.joined, joins.parts, first), (2, 3, Some(&1)), "{joins:?}");
    }
}

#[test]
fn parts_with_one_number_come_together() {
    let provider = Guid::new(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
    let tracing = Guid::new(0xb675_ec37_bdb6_4648_bc92_f3fd_c74d_3ca2);
    let event = |provider, id, ticks, item| {
        ModernEvent::new(provider).id(id).at(at(ticks)).by(PID, TID).item(item).payload(Payload::new())
    };
    let trace = one([
        event(provider, 1, 10, ExtendedItem::stack64(5, &KERNEL)).into(),
        event(tracing, 18, 30, ExtendedItem::stack64(5, &USER)).into(),
        event(provider, 1, 40, ExtendedItem::stack64(6, &KERNEL)).into(),
        event(provider, 1, 50, ExtendedItem::stack64(0, &BOTH)).into(),
        event(provider, 1, 60, ExtendedItem::stack32(7, &[0x8000_1000])).into(),
        event(tracing, 18, 70, ExtendedItem::stack32(7, &[0x1000])).into(),
        event(provider, 1, 80, ExtendedItem::stack_key64(0, 0xa0)).into(),
        kernel::stack_definition(SIZE, 0x1824, 0xa0, &USER).at(at(90)).into(),
    ]);
    assert_eq!((stack(&trace, 10), stack(&trace, 30)), (whole(&BOTH), whole(&BOTH)));
    assert_eq!(stack(&trace, 40), Some((KERNEL.to_vec(), Some(MissingFrames::OtherPart))));
    assert_eq!(stack(&trace, 50), whole(&BOTH));
    assert_eq!(stack(&trace, 60), whole(&[0x8000_1000, 0x1000]));
    assert_eq!(stack(&trace, 80), whole(&USER));
    let joins = joins(&trace);
    assert_eq!((joins.inline, joins.incomplete.get(&MissingFrames::OtherPart)), (7, Some(&1)));
}

#[test]
fn events_without_a_stack_have_a_reason() {
    let trace = one([
        sample(10).into(),
        walk(10, 1, &USER).into(),
        sample(20).into(),
        kernel::sampled_profile(SIZE, 0, 0).at(at(30)).into(),
        sample(40).into(),
        walk(40, 1, &USER).into(),
        sample(50).into(),
    ]);
    let bare = joins(&trace).bare;
    let wanted = [(NoStackReason::Idle, 1), (NoStackReason::Outside, 1), (NoStackReason::NotTaken, 1)];
    assert_eq!(bare.into_iter().collect::<Vec<_>>(), wanted);
}

#[test]
fn a_real_trace_is_explained() {
    let Some(path) = etwkit_corpus::path("perfview/net.4.5.2.x64.etl") else { return };
    let trace = common::census(&path, etwkit_parsers::with_stacks(etwkit_parsers::standard()));
    let joins = joins(&trace);
    println!("{joins:#?} {:?}", trace.system().stacks.counts());
    assert_eq!(joins.parts, joins.parts_joined + joins.orphans.values().sum::<u64>());
    // The trace carries 655 stacks in events of providers and 24,342 parts of stacks as events; 16 of these belong to
    // no event.
    assert_eq!((joins.inline, joins.joined, joins.shared), (655, 22_749, 29));
    assert_eq!((joins.parts, joins.parts_joined), (24_342, 24_326));
    assert_eq!(joins.orphans.into_iter().collect::<Vec<_>>(), [(UnjoinedReason::OtherThread, 16)]);
    assert!(joins.incomplete.is_empty(), "every key is defined");
    // Three quarters of the samples are of idle threads, for which Windows takes no stack.
    let bare = [(NoStackReason::Idle, 73_209), (NoStackReason::Outside, 16), (NoStackReason::NotTaken, 43)];
    assert_eq!(joins.bare.into_iter().collect::<Vec<_>>(), bare);
}
