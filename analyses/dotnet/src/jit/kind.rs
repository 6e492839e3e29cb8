//! What compilations are for, and how well they optimize.

/// The tier of a method's code: bits 7 to 9 of its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tier(u32);

impl Tier {
    /// Names of tiers, as TraceEvent has them.
    const NAMES: [&str; 8] = [
        "Unknown",
        "MinOptJitted",
        "Optimized",
        "QuickJitted",
        "OptimizedTier1",
        "OptimizedTier1OSR",
        "QuickJittedInstrumented",
        "OptimizedTier1Instrumented",
    ];

    /// Returns the tier that the flags of a method state.
    pub(super) const fn of(flags: u32) -> Self {
        Self(flags >> 7 & 7)
    }

    /// Returns its name; `None` if runtimes do not state it: those before .NET Core 3.0.
    pub(super) fn name(self) -> Option<&'static str> {
        Self::NAMES.get(self.0 as usize).copied().filter(|_| self.0 != 0)
    }

    /// Returns whether the thread of tiered compilation makes such code; `None` if the tier is not stated. Code that
    /// replaces that of a running method (OSR) is made by the program's own thread.
    const fn is_tiered(self) -> Option<bool> {
        match self.0 {
            0 => None,
            4 | 6 | 7 => Some(true),
            _ => Some(false),
        }
    }
}

/// What a method was compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A thread of the program needed it at once.
    Foreground,
    /// In advance, as earlier runs of the program needed it.
    Multicore,
    /// Better code for a method that has some.
    Tiered,
}

impl Kind {
    /// Returns what a compilation is for. Where the tier is not stated, all but the first one of a method are tiered, as
    /// TraceEvent counts.
    pub(super) fn of(tier: Tier, (is_first, is_of_multicore): (bool, bool)) -> Self {
        if is_of_multicore {
            Self::Multicore
        } else if tier.is_tiered().unwrap_or(!is_first) {
            Self::Tiered
        } else {
            Self::Foreground
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Foreground => "foreground",
            Self::Multicore => "multicore",
            Self::Tiered => "tiered",
        }
    }
}
