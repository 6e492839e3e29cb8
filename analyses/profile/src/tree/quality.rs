//! How good the stacks of a profile are.

use etwkit::system::FrameAt;

/// How many samples have stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quality {
    /// Samples.
    pub samples: u64,
    /// Samples that have a stack.
    pub with_stack: u64,
    /// Samples whose stack has frames of the kernel only: those of kernel threads, and those without their user part.
    pub kernel_only: u64,
    /// Samples whose stack has frames of the process only.
    pub user_only: u64,
    /// Samples whose stack lacks a part.
    pub incomplete: u64,
    /// Frames of all stacks.
    pub frames: u64,
    /// Frames in a method or function with a name.
    pub named: u64,
    /// Frames that are only known to be in an image.
    pub in_images: u64,
    /// Samples whose innermost frames are left out, because the call tree had no room for them.
    pub cut: u64,
    /// Samples that are in the call tree, and not in the timeline, which had no room for them.
    pub beyond_timeline: u64,
    /// Samples of which a part of the weight is left out, because no trace has that much: numbers of damaged events.
    pub clipped: u64,
    /// Ends of operations whose start is not in the trace, and which do not state how long they took.
    pub without_start: u64,
    /// Operations whose end is not in the trace.
    pub without_end: u64,
    /// What had no room: operations that are not weighed; threads, stacks and causes of waits, without which times count
    /// at the thread alone, or at an earlier stack, or without what the wait was for.
    pub forgotten: u64,
}

impl Quality {
    /// Adds what another one counts.
    pub(crate) const fn add(&mut self, other: &Self) {
        self.samples += other.samples;
        self.with_stack += other.with_stack;
        self.kernel_only += other.kernel_only;
        self.user_only += other.user_only;
        self.incomplete += other.incomplete;
        self.frames += other.frames;
        self.named += other.named;
        self.in_images += other.in_images;
        self.cut += other.cut;
        self.beyond_timeline += other.beyond_timeline;
        self.clipped += other.clipped;
        self.without_start += other.without_start;
        self.without_end += other.without_end;
        self.forgotten += other.forgotten;
    }

    /// Counts a frame.
    pub(crate) fn add_frame(&mut self, frame: &FrameAt<'_>, has_functions: bool) {
        let is_named = has_functions || frame.has_method_name();
        self.frames += 1;
        self.named += u64::from(is_named);
        self.in_images += u64::from(!is_named && frame.image.is_some());
    }

    /// Returns how many frames are nowhere: neither in a method nor in an image.
    pub const fn unknown(&self) -> u64 {
        self.frames - self.named - self.in_images
    }
}
