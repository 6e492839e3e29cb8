//! What sessions lost, whoever states it: the log-file header, buffers of Windows 2000 and XP, or events.
#![allow(clippy::unwrap_used, reason = "a test")]

mod support;

use etwkit::format::BufferFlags;
use etwkit::trace::Trace;
use etwkit::{FileId, ProblemKind, Severity};
use etwkit_synth::{
    Buffer, BufferLayout, ClassicEvent, ErrorEvent, Event, Guid, LogfileHeader, ModernEvent, PointerSize, TraceBuilder,
};
use support::census_of;

const LOST_EVENT: Guid = Guid::new(0x6a39_9ae0_4bc6_4de9_870b_3657_f894_7e7e);

fn loss(header: &LogfileHeader, opcode: u8) -> Event {
    ClassicEvent::new(PointerSize::Eight, LOST_EVENT, opcode).at(header.after(1)).into()
}

fn traced(header: LogfileHeader, events: impl IntoIterator<Item = Event>) -> Trace {
    census_of(&TraceBuilder::new(header).buffer(Buffer::on(0).events(events)).build().bytes).unwrap()
}

/// Returns what the losses of a trace are, in words.
fn told(trace: &Trace) -> Vec<&str> {
    let losses = trace.problems().iter().filter(|problem| problem.severity == Severity::Loss);
    losses.map(|problem| &*problem.detail).collect()
}

#[test]
fn events_state_losses() {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    // Most of them are counted as those of a type that was found before.
    let opcodes = [32; 300].into_iter().chain([33, 33, 34, 35]);
    let trace = traced(header.clone(), opcodes.map(|opcode| loss(&header, opcode)));
    let losses = trace.losses(FileId::FIRST);
    assert_eq!((losses.events, losses.buffers, losses.backups), (300, 2, 1));
    assert_eq!((trace.events_lost(), trace.buffers_lost()), (300, 2));
    assert_eq!(
        told(&trace),
        [
            "the session lost 300 events while it recorded",
            "the session lost 2 buffers while it recorded",
            "the session lost 1 files of events for a consumer in real time while it recorded"
        ]
    );
}

#[test]
fn what_the_header_states_counts_once() {
    let header = LogfileHeader { events_lost: 5, buffers_lost: 0, ..LogfileHeader::default() };
    let trace = traced(header.clone(), [32, 32, 33].map(|opcode| loss(&header, opcode)));
    assert_eq!((trace.events_lost(), trace.buffers_lost()), (5, 1));
}

#[test]
fn losses_are_those_of_their_file() {
    let header = LogfileHeader::default();
    let files = [[32, 33], [32, 32]].map(|opcodes| {
        let events = opcodes.map(|opcode| loss(&header, opcode));
        let bytes = TraceBuilder::new(header.clone()).buffer(Buffer::on(0).events(events)).build().bytes;
        etwkit::Input::bytes("made", bytes)
    });
    let trace = Trace::open_all(files, etwkit::Parsers::none()).unwrap();
    let losses = FileId::all().take(2).map(|id| (trace.losses(id).events, trace.losses(id).buffers));
    assert_eq!(losses.collect::<Vec<_>>(), [(1, 1), (2, 0)]);
}

/// Returns a trace of before Vista, two buffers of which have a word where later ones have flags and type.
fn old(version: [u8; 4], words: [u32; 2]) -> Trace {
    let (header_event, pointer_size) = (PointerSize::Four, 4);
    let header = LogfileHeader { version, header_event, pointer_size, buffer_size: 4096, ..LogfileHeader::default() };
    let event = ClassicEvent::new(PointerSize::Four, Guid::new(7), 1).at(header.after(1));
    let buffers = words.map(|word| Buffer::on(0).pre_vista(Guid::new(8), word).event(event.clone()));
    let builder = TraceBuilder::new(header).layout(BufferLayout::PreVista);
    census_of(&builder.buffers(buffers).build().bytes).unwrap()
}

#[test]
fn buffers_of_windows_2000_and_xp_count_lost_events() {
    for version in [[5, 0, 1, 0], [5, 1, 1, 0]] {
        let trace = old(version, [5, 40]);
        assert_eq!((trace.events_lost(), told(&trace)), (45, vec!["the session lost 45 events while it recorded"]));
        assert!(trace.buffers().all(|buffer| buffer.flags == BufferFlags::default()));
    }
}

#[test]
fn buffers_of_windows_server_2003_have_flags() {
    let trace = old([5, 2, 1, 2], [0x1_0062, 0]);
    assert_eq!((trace.events_lost(), told(&trace)), (0, vec![]));
    let found: Vec<_> = trace.buffers().skip(1).map(|buffer| (buffer.flags, buffer.buffer_type)).collect();
    assert_eq!(found, [(BufferFlags::EVENTS_LOST, 1), (BufferFlags::default(), 0)]);
}

#[test]
fn events_that_could_not_be_written_are_a_loss_and_not_undecoded() {
    let header = LogfileHeader::default();
    let unknown = ModernEvent::new(Guid::new(9)).id(1).at(header.after(1));
    let trace = traced(header, [ErrorEvent::new().into(), unknown.into(), ErrorEvent::new().into()]);
    assert_eq!(told(&trace), ["2 events could not be written: only their sizes are there"]);
    assert!(trace.problems().iter().any(|problem| problem.kind == ProblemKind::ErrorEvents));
    // The header event and the one of an unknown provider.
    assert_eq!((trace.decoded(), trace.events_lost()), ((0, 2), 0));
    assert_eq!(trace.undecoded_types().iter().map(|types| types.events).sum::<u64>(), 2);
}
