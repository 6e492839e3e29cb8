//! Groups frames.

use hashbrown::HashMap;

use super::rebuild::{Becomes, rebuild};
use crate::{FrameKind, Module, NodeId, Profile};

/// How frames are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Frames of one module that call each other are one frame, with the name of the module.
    Module,
    /// Frames in modules of Windows and of the .NET runtime that call each other are one frame, with the name of the first
    /// of them: `OTHER <<ntdll.dll+0x1a2b>>`. So does PerfView's "Just My App".
    JustMyApp,
}

/// Groups the frames of a profile. Processes, threads and labels stay.
pub fn group(profile: &Profile, grouping: Grouping) -> Profile {
    let mut groups = Groups::default();
    rebuild(profile, |new, _, node, caller| {
        let FrameKind::Code { .. } = profile.kind(node.frame) else { return Becomes::Frame(node.frame) };
        let module = profile.module_of(node.frame);
        let (group, text) = match (grouping, module) {
            (Grouping::Module, Some(Module { name, .. })) => (&**name, name.to_string()),
            (Grouping::Module, None) => (UNKNOWN, UNKNOWN.to_owned()),
            (Grouping::JustMyApp, Some(Module { is_system: false, .. })) => return Becomes::Frame(node.frame),
            (Grouping::JustMyApp, _) => (OTHER, format!("{OTHER} <<{}>>", profile.frame(node.frame))),
        };
        if caller.is_some_and(|caller| groups.is_in(caller, group, new)) {
            return Becomes::Caller;
        }
        Becomes::Frame(groups.frame(group, text, profile.kind(node.frame), new))
    })
}

/// The group of frames in no module that is known.
const UNKNOWN: &str = "unknown";
/// The group of frames that are not the application's.
const OTHER: &str = "OTHER";

/// The frames of groups.
#[derive(Clone, Debug, Default)]
struct Groups<'p> {
    frames: HashMap<String, u32>,
    /// The group of each of them.
    groups: HashMap<u32, &'p str>,
}

impl<'p> Groups<'p> {
    fn is_in(&self, node: NodeId, group: &str, new: &Profile) -> bool {
        new.node(node).and_then(|node| self.groups.get(&node.frame)).is_some_and(|found| *found == group)
    }

    fn frame(&mut self, group: &'p str, text: String, kind: FrameKind, new: &mut Profile) -> u32 {
        if let Some(frame) = self.frames.get(&text) {
            return *frame;
        }
        let frame = new.add_frame(text.clone(), kind);
        self.frames.insert(text, frame);
        self.groups.insert(frame, group);
        frame
    }
}
