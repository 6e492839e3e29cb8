//! What is kept of stacks, and what is missing.

/// The mode of the frames of a part of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StackPart {
    /// Kernel, user, or both: the addresses show which.
    Whole,
    /// Frames of the kernel.
    Kernel,
    /// Frames of the process.
    User,
}

impl StackPart {
    /// Returns the part whose innermost and outermost frames are the kernel's or not, in this order: one of both modes is
    /// whole.
    pub const fn of_ends(are_kernel: (bool, bool)) -> Self {
        match are_kernel {
            (true, true) => Self::Kernel,
            (false, false) => Self::User,
            _ => Self::Whole,
        }
    }
}

/// Why a stack, or a part of it, is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MissingFrames {
    /// Its key is defined nowhere in the trace.
    NoDefinition,
    /// There were more stacks than are kept.
    TooMany,
    /// The kernel's or the user's frames came in another event, which is not there or was not looked for.
    OtherPart,
}

impl MissingFrames {
    /// Returns the reason in words.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NoDefinition => "its key is not defined in the trace",
            Self::TooMany => "more stacks than are kept",
            Self::OtherPart => "its other part came in another event that was not found",
        }
    }
}

/// How many stacks of a trace were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StackCounts {
    /// Stack events, each a part of a stack.
    pub parts: u64,
    /// Parts that were not kept.
    pub refused: u64,
    /// Parts whose key is defined nowhere.
    pub undefined: u64,
    /// Distinct lists of frames.
    pub distinct: u64,
    /// Definitions of keys that were not kept; not among the parts.
    pub refused_definitions: u64,
    /// Stacks that name no event they belong to; not among the parts.
    pub ownerless: u64,
}

#[cfg(test)]
mod tests {
    use super::StackPart;

    #[test]
    fn the_ends_of_a_part_decide_its_mode() {
        let ends = [(true, true), (false, false), (true, false), (false, true)];
        let parts = [StackPart::Kernel, StackPart::User, StackPart::Whole, StackPart::Whole];
        assert_eq!(ends.map(StackPart::of_ends), parts);
    }
}
