//! The nodes of stacks.

use etwkit::system::{FrameLookup, System, When};

use super::frame_names::FrameNames;
use super::stacked::Stacked;
use crate::{NodeId, Profile, Quality};

/// The thread of a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whose<'t> {
    pub(crate) system: &'t System,
    pub(crate) pid: Option<u32>,
    pub(crate) tid: Option<u32>,
    /// When the name of its process is looked up.
    pub(crate) process_when: When,
    /// When its own name is looked up.
    pub(crate) thread_when: When,
}

/// A profile, and the names of the frames of the stacks that are added to it.
#[derive(Clone, Debug)]
pub(crate) struct StackSums<'t> {
    pub(crate) profile: Profile,
    lookup: FrameLookup<'t>,
    names: FrameNames,
    /// The frames at one address.
    numbers: Vec<u32>,
}

impl<'t> StackSums<'t> {
    pub(crate) fn new(profile: Profile) -> Self {
        Self { profile, lookup: FrameLookup::default(), names: FrameNames::default(), numbers: Vec::new() }
    }

    /// Returns the node of a sample: that of its label, else of the innermost frame of its stack. Counts the quality of
    /// the stack.
    pub(crate) fn node(&mut self, whose: Whose<'t>, stack: Option<&Stacked>, label: Option<&str>) -> NodeId {
        let mut quality = Quality { samples: 1, ..Quality::default() };
        let thread = self.thread(whose);
        let mut node = thread;
        if let Some(stack) = stack {
            quality.with_stack += u64::from(stack.is_found);
            quality.incomplete += u64::from(stack.is_incomplete);
            node = self.frames(thread, stack, whose, &mut quality);
        }
        let below = label.and_then(|label| self.below(node, label));
        if label.is_some() && below.is_none() {
            quality.cut = 1;
        }
        self.profile.quality.add(&quality);
        below.unwrap_or(node)
    }

    /// Returns the node of a label below another node; `None` if there is no more room.
    pub(crate) fn below(&mut self, node: NodeId, label: &str) -> Option<NodeId> {
        if self.profile.is_full() {
            return None;
        }
        let frame = self.names.of_label(label, &mut self.profile);
        Some(self.profile.child(Some(node), frame))
    }

    /// Returns the node of the innermost frame.
    fn frames(&mut self, thread: NodeId, stack: &Stacked, whose: Whose<'t>, quality: &mut Quality) -> NodeId {
        let Self { profile, lookup, names, numbers } = self;
        let pid = stack.pid.or(whose.pid).unwrap_or(0);
        let (mut node, mut in_kernel) = (thread, 0);
        for (place, address) in stack.addresses.iter().enumerate().rev() {
            let frame = lookup.frame_at(whose.system, pid, *address, place, stack.when);
            let functions = whose.system.functions_at(&frame);
            in_kernel += usize::from(frame.image.map_or(address >> 63 == 1, |image| image.pid == 0));
            quality.add_frame(&frame, functions.is_some());
            if profile.is_full() {
                quality.cut = 1;
                return node;
            }
            names.of_address(frame, functions.as_deref(), profile, numbers);
            for number in &*numbers {
                if profile.is_full() {
                    quality.cut = 1;
                    return node;
                }
                node = profile.child(Some(node), *number);
            }
        }
        if stack.is_found && !stack.addresses.is_empty() {
            quality.kernel_only += u64::from(in_kernel == stack.addresses.len());
            quality.user_only += u64::from(in_kernel == 0);
        }
        node
    }

    /// Returns the node of a thread.
    pub(crate) fn thread(&mut self, whose: Whose<'_>) -> NodeId {
        let Self { profile, names, .. } = self;
        let Whose { system, pid, tid, process_when, thread_when } = whose;
        let tid = tid.unwrap_or(0);
        let name = pid.and_then(|pid| system.process_name_at(pid, process_when));
        let process = names.of_process(system.machine.number, pid, name, profile);
        let process = profile.child(None, process);
        let thread = names.of_thread(tid, system.thread_name_at(tid, thread_when), profile);
        profile.child(Some(process), thread)
    }
}
