//! The file format of pprof: `profile.proto`.

use hashbrown::HashMap;

use super::proto::Message;
use super::used_frames::UsedFrames;
use crate::{FrameKind, Node, NodeId, Profile, Unit};

/// Nanoseconds in a unit of 100 ns.
const NANOSECONDS: u64 = 100;

/// Returns the profile as a `profile.proto` of [pprof](https://github.com/google/pprof), without compression. Each path is
/// a sample with two values: the number of samples, and their weight; with the number alone, if that is the weight.
/// Processes and threads are labels: `pprof -tagroot=process,thread` makes them frames.
pub fn pprof(profile: &Profile) -> Vec<u8> {
    let mut writer = Writer { profile, frames: UsedFrames::default(), texts: Texts::default() };
    let mut samples = Message::default();
    for (id, node) in profile.nodes().filter(|(_, node)| node.own.samples > 0) {
        samples = samples.message(2, &writer.sample(id, node));
    }
    let value = |texts: &mut Texts, kind: &str, unit: &str| {
        Message::default().number(1, texts.number(kind)).number(2, texts.number(unit))
    };
    let mut out = Message::default().message(1, &value(&mut writer.texts, "samples", "count"));
    if let Some((kind, unit)) = value_type(profile.unit) {
        out = out.message(1, &value(&mut writer.texts, kind, unit));
    }
    let mut bytes = out.into_bytes();
    bytes.extend(samples.into_bytes());
    bytes.extend(writer.code().into_bytes());
    let comment = writer.texts.number(profile.title);
    let start = profile.start_since_1970();
    writer.texts.list.iter().for_each(|text| bytes.extend(Message::default().text(6, text).into_bytes()));
    bytes.extend(Message::default().number(9, start).number(13, comment).into_bytes());
    bytes
}

/// Returns the type and the unit of weights; `None` if they are samples.
const fn value_type(unit: Unit) -> Option<(&'static str, &'static str)> {
    match unit {
        Unit::Samples => None,
        Unit::Time => Some(("time", "nanoseconds")),
        Unit::Bytes => Some(("space", "bytes")),
        Unit::Events => Some(("events", "count")),
    }
}

/// The texts of the file, each once; the first one is empty.
#[derive(Debug)]
struct Texts {
    numbers: HashMap<String, u64>,
    list: Vec<String>,
}

impl Default for Texts {
    fn default() -> Self {
        Self { numbers: [(String::new(), 0)].into(), list: vec![String::new()] }
    }
}

impl Texts {
    fn number(&mut self, text: &str) -> u64 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.list.len() as u64;
        self.list.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

/// What is known while samples are written.
struct Writer<'p> {
    profile: &'p Profile,
    frames: UsedFrames,
    texts: Texts,
}

impl Writer<'_> {
    fn sample(&mut self, id: NodeId, node: &Node) -> Message {
        let (roots, stack) = self.profile.split_path(id);
        // A sample needs a location.
        let stack = if stack.is_empty() { roots.last().copied().into_iter().collect() } else { stack };
        let locations: Vec<u64> = stack.iter().rev().map(|frame| u64::from(self.frames.number(*frame)) + 1).collect();
        let weight = match self.profile.unit {
            Unit::Samples => None,
            Unit::Time => Some(node.own.weight.saturating_mul(NANOSECONDS)),
            Unit::Bytes | Unit::Events => Some(node.own.weight),
        };
        let values = std::iter::once(node.own.samples).chain(weight);
        let mut sample = Message::default().packed(1, locations).packed(2, values);
        for frame in roots {
            sample = self.labels(sample, frame);
        }
        sample
    }

    /// Adds the labels of a process or a thread: its text and its id.
    fn labels(&mut self, sample: Message, frame: u32) -> Message {
        let (name, id_name, id) = match self.profile.kind(frame) {
            FrameKind::Process { pid } => ("process", "pid", pid),
            FrameKind::Thread { tid } => ("thread", "tid", Some(tid)),
            FrameKind::Code { .. } | FrameKind::Label => return sample,
        };
        let text = self.texts.number(self.profile.frame(frame));
        let label = Message::default().number(1, self.texts.number(name)).number(2, text);
        let sample = sample.message(3, &label);
        let Some(id) = id else { return sample };
        let label = Message::default().number(1, self.texts.number(id_name)).number(3, id.into());
        sample.message(3, &label)
    }

    /// Returns the mappings, locations and functions of the frames.
    fn code(&mut self) -> Message {
        let Self { profile, frames, texts } = self;
        let mut out = Message::default();
        let mut mappings: HashMap<&str, u64> = HashMap::new();
        for (place, frame) in frames.list().iter().enumerate() {
            let id = place as u64 + 1;
            let mut location = Message::default().number(1, id);
            if let Some(module) = profile.module_of(*frame) {
                let next = mappings.len() as u64 + 1;
                let mapping = *mappings.entry(&module.name).or_insert(next);
                if mapping == next {
                    // Without `has_functions`, pprof would look for symbols.
                    let name = texts.number(&module.name);
                    out = out.message(3, &Message::default().number(1, mapping).number(5, name).number(7, 1));
                }
                location = location.number(2, mapping);
            }
            let name = texts.number(profile.frame(*frame));
            out = out.message(4, &location.message(4, &Message::default().number(1, id)));
            out = out.message(5, &Message::default().number(1, id).number(2, name).number(3, name));
        }
        out
    }
}
