//! How good the stacks of a profile are.

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
}

impl Quality {
    /// Returns how many frames are nowhere: neither in a method nor in an image.
    pub const fn unknown(&self) -> u64 {
        self.frames - self.named - self.in_images
    }
}
