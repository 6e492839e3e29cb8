//! Colours of lines for people.

/// The escape sequences of the colours.
#[derive(Debug)]
pub(super) struct Paint {
    pub(super) time: &'static str,
    /// By level, 0 to 5.
    name: [&'static str; 6],
    pub(super) key: &'static str,
    pub(super) off: &'static str,
}

/// No colours.
pub(super) static PLAIN: Paint = Paint { time: "", name: [""; 6], key: "", off: "" };
/// The colours of terminals.
pub(super) static COLORS: Paint = Paint {
    time: "\u{1b}[2m",
    name: ["\u{1b}[1m", "\u{1b}[1;31m", "\u{1b}[31m", "\u{1b}[33m", "\u{1b}[1m", "\u{1b}[2m"],
    key: "\u{1b}[36m",
    off: "\u{1b}[0m",
};

impl Paint {
    /// Returns what switches on the colour of names of a level.
    pub(super) fn name_of(&self, level: u64) -> &'static str {
        self.name.get(level as usize).copied().unwrap_or(self.off)
    }
}
