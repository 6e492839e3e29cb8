//! The file format of Perfetto: samples with call stacks (`perf_sample`).

use super::by_thread::{ThreadSamples, by_thread_for_viewers};
use super::proto::Message;
use super::used_frames::UsedFrames;
use crate::{Profile, Sample, Unit};

/// Fields of `TracePacket`.
mod packet {
    pub(super) const PROCESS_TREE: u64 = 2;
    pub(super) const CLOCK_SNAPSHOT: u64 = 6;
    pub(super) const TIMESTAMP: u64 = 8;
    pub(super) const SEQUENCE_ID: u64 = 10;
    pub(super) const INTERNED_DATA: u64 = 12;
    pub(super) const SEQUENCE_FLAGS: u64 = 13;
    pub(super) const DEFAULTS: u64 = 59;
    pub(super) const PERF_SAMPLE: u64 = 66;
}

/// The state of the sequence begins, with this packet.
const STATE_CLEARED: u64 = 1;
/// The packet refers to the state.
const NEEDS_STATE: u64 = 2;
/// The clock of time stamps: nanoseconds since the trace began.
const BOOTTIME: u64 = 6;
/// The clock of nanoseconds since 1970.
const REALTIME: u64 = 1;
/// All packets are one sequence.
const SEQUENCE: u64 = 1;

/// Returns the profile as a trace of [Perfetto](https://ui.perfetto.dev): processes, threads, and samples in order of
/// time with their call stacks. Perfetto counts samples; the weights add up in their `timebase_count`.
pub fn perfetto(profile: &Profile) -> Vec<u8> {
    let threads = by_thread_for_viewers(profile);
    let mut samples: Vec<(&ThreadSamples, Sample)> =
        threads.iter().flat_map(|thread| thread.samples.iter().map(move |sample| (thread, *sample))).collect();
    samples.sort_by_key(|(_, sample)| sample.time);
    let mut out = Vec::new();
    add(&mut out, &clocks(profile));
    add(&mut out, &processes(profile, &threads));
    add(&mut out, &interned(profile, &samples));
    let mut total: u64 = 0;
    for (thread, sample) in samples {
        total = total.saturating_add(sample.weight);
        let body = Message::default()
            .number(2, thread.pid.into())
            .number(3, thread.tid.into())
            .number(4, u64::from(sample.node.0) + 1)
            .number(6, total);
        let packet = in_sequence(NEEDS_STATE).number(packet::TIMESTAMP, nanoseconds(profile, &sample));
        add(&mut out, &packet.message(packet::PERF_SAMPLE, &body));
    }
    out
}

/// Adds a packet to the trace.
fn add(out: &mut Vec<u8>, packet: &Message) {
    out.extend(Message::default().message(1, packet).into_bytes());
}

fn in_sequence(flags: u64) -> Message {
    Message::default().number(packet::SEQUENCE_ID, SEQUENCE).number(packet::SEQUENCE_FLAGS, flags)
}

fn nanoseconds(profile: &Profile, sample: &Sample) -> u64 {
    u64::try_from(sample.time.0.saturating_sub(profile.start.0)).unwrap_or(0).saturating_mul(100)
}

/// Returns the clocks at the start of the trace.
fn clocks(profile: &Profile) -> Message {
    let clock = |id, time| Message::default().number(1, id).number(2, time);
    let clocks = Message::default().message(1, &clock(BOOTTIME, 0));
    let clocks = clocks.message(1, &clock(REALTIME, profile.start_since_1970())).number(2, BOOTTIME);
    in_sequence(0).message(packet::CLOCK_SNAPSHOT, &clocks)
}

/// Returns the processes and threads with their names.
fn processes(profile: &Profile, threads: &[ThreadSamples]) -> Message {
    let mut tree = Message::default();
    let mut seen = hashbrown::HashSet::new();
    for thread in threads {
        if seen.insert(thread.pid) {
            let name = profile.frame(thread.process);
            tree = tree.message(1, &Message::default().number(1, thread.pid.into()).text(3, name));
        }
    }
    for thread in threads {
        let body = Message::default().number(1, thread.tid.into()).number(3, thread.pid.into());
        tree = tree.message(2, &body.text(2, profile.frame(thread.thread)));
    }
    in_sequence(0).number(packet::TIMESTAMP, 0).message(packet::PROCESS_TREE, &tree)
}

/// Returns the names, frames and call stacks to which samples refer.
fn interned(profile: &Profile, samples: &[(&ThreadSamples, Sample)]) -> Message {
    let mut frames = UsedFrames::default();
    let mut nodes: Vec<_> = samples.iter().map(|(_, sample)| sample.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let mut stacks = Message::default();
    for node in nodes {
        let ids = frames.below_thread(profile, node).into_iter().map(|frame| u64::from(frame) + 1);
        let stack = ids.fold(Message::default().number(1, u64::from(node.0) + 1), |stack, id| stack.number(2, id));
        stacks = stacks.message(7, &stack);
    }
    let mut data = Message::default();
    let mut modules: Vec<&str> = frames.list().iter().map(|frame| module(profile, *frame)).collect();
    modules.sort_unstable();
    modules.dedup();
    for (id, module) in (1..).zip(&modules) {
        data = data.message(17, &Message::default().number(1, id).text(2, module));
        data = data.message(19, &Message::default().number(1, id).number(7, id));
    }
    for (id, frame) in (1..).zip(frames.list()) {
        let mapping = modules.binary_search(&module(profile, *frame)).map_or(0, |place| place as u64 + 1);
        data = data.message(5, &Message::default().number(1, id).text(2, profile.frame(*frame)));
        data = data.message(6, &Message::default().number(1, id).number(2, id).number(3, mapping));
    }
    let data = [data.into_bytes(), stacks.into_bytes()].concat();
    in_sequence(STATE_CLEARED).message(packet::DEFAULTS, &defaults(profile)).bytes(packet::INTERNED_DATA, &data)
}

/// Returns the file name of a frame's module; empty if it is not known.
fn module(profile: &Profile, frame: u32) -> &str {
    profile.module_of(frame).map_or("", |module| &module.name)
}

/// Returns what is written once for all samples: the name of what is counted.
fn defaults(profile: &Profile) -> Message {
    let name = match profile.unit {
        Unit::Samples => profile.title.to_owned(),
        Unit::Time => format!("{} (100 ns)", profile.title),
        Unit::Bytes | Unit::Events => format!("{} ({})", profile.title, profile.unit.name()),
    };
    let timebase = Message::default().number(1, 1).text(10, &name);
    Message::default().number(58, BOOTTIME).message(12, &Message::default().message(1, &timebase))
}
