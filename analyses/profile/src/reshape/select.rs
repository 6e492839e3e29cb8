//! Chooses samples by their frames.

use etwkit::trace::Glob;

use super::rebuild::{Becomes, rebuild};
use crate::{FrameKind, Profile};

/// The samples that stay.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// A sample stays if one of its frames is called so; all stay if it is empty.
    pub include: Vec<Glob>,
    /// A sample is left out if one of its frames is called so.
    pub exclude: Vec<Glob>,
    /// A sample stays if its thread has this name or number; all stay if it is empty.
    pub threads: Vec<Glob>,
}

impl Selection {
    /// Returns whether all samples stay.
    pub const fn is_all(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty() && self.threads.is_empty()
    }
}

/// What is known of the frames of a node and of its callers.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    included: bool,
    excluded: bool,
    is_thread: bool,
}

impl Seen {
    const fn or(self, other: Self) -> Self {
        Self {
            included: self.included || other.included,
            excluded: self.excluded || other.excluded,
            is_thread: self.is_thread || other.is_thread,
        }
    }
}

/// Chooses samples by the names of their frames, those of the process and the thread among them.
pub fn select(profile: &Profile, selection: &Selection) -> Profile {
    let frames: Vec<Seen> = (0..).zip(profile.frames()).map(|(frame, _)| selection.of_frame(profile, frame)).collect();
    let mut nodes: Vec<Seen> = Vec::with_capacity(profile.nodes().len());
    rebuild(profile, |_, _, node, _| {
        let of_caller = node.parent.and_then(|parent| nodes.get(parent.0 as usize)).copied().unwrap_or_default();
        let seen = of_caller.or(frames.get(node.frame as usize).copied().unwrap_or_default());
        nodes.push(seen);
        let stays = (seen.included || selection.include.is_empty())
            && !seen.excluded
            && (seen.is_thread || selection.threads.is_empty());
        if stays { Becomes::Frame(node.frame) } else { Becomes::Unweighed(node.frame) }
    })
}

impl Selection {
    fn of_frame(&self, profile: &Profile, frame: u32) -> Seen {
        let text = profile.frame(frame);
        let any = |globs: &[Glob], text: &str| globs.iter().any(|glob| glob.matches(text));
        let is_thread = match profile.kind(frame) {
            FrameKind::Thread { tid } => {
                let name = text.rsplit_once(" (").map_or(text, |(name, _)| name);
                any(&self.threads, name) || any(&self.threads, &tid.to_string())
            }
            _ => false,
        };
        Seen { included: any(&self.include, text), excluded: any(&self.exclude, text), is_thread }
    }
}
