//! What is on a page.

/// Options for the parts of a page, and their sizes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReportOptions {
    /// The parts of the page.
    pub sections: Vec<Section>,
    /// Rows of each table. Of messages, five times as many.
    pub max_rows: usize,
    /// Threads that decode; the page does not depend on it.
    pub threads: usize,
}

/// Rows of each table unless the user asks for another number.
const ROWS: usize = 300;

impl Default for ReportOptions {
    fn default() -> Self {
        let threads = etwkit::trace::RunOptions::default().threads;
        Self { sections: Section::ALL.to_vec(), max_rows: ROWS, threads }
    }
}

impl ReportOptions {
    /// Sets [`ReportOptions::sections`].
    #[must_use]
    pub fn sections(mut self, sections: impl Into<Vec<Section>>) -> Self {
        self.sections = sections.into();
        self
    }

    /// Sets [`ReportOptions::max_rows`].
    #[must_use]
    pub const fn max_rows(mut self, rows: usize) -> Self {
        self.max_rows = rows;
        self
    }

    /// Sets [`ReportOptions::threads`].
    #[must_use]
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Returns how many messages the page has.
    pub(crate) const fn messages(&self) -> usize {
        self.max_rows.saturating_mul(5)
    }

    /// Returns whether the page has a part.
    pub fn has(&self, section: Section) -> bool {
        self.sections.contains(&section)
    }
}

/// A part of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Section {
    /// Lanes over time.
    Lanes,
    /// Messages, and events of the levels critical, error and warning.
    Messages,
    /// Numbers of events by provider and name.
    Events,
    /// Processes, images, processors, threads.
    Kernel,
    /// Functions and the flame graph of CPU samples.
    Profile,
    /// What .NET runtimes did.
    Dotnet,
    /// Disks, files, memory, the registry, the network.
    Io,
    /// The machine, calls, requests, graphics.
    Windows,
    /// Pairs of start and stop events.
    Spans,
    /// What is wrong with the trace, and what cannot be decoded.
    Problems,
    /// The first and the last events.
    Ends,
}

impl Section {
    /// All parts, in the order of the page.
    pub const ALL: [Self; 11] = [
        Self::Lanes,
        Self::Messages,
        Self::Problems,
        Self::Events,
        Self::Profile,
        Self::Kernel,
        Self::Dotnet,
        Self::Io,
        Self::Windows,
        Self::Spans,
        Self::Ends,
    ];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lanes => "lanes",
            Self::Messages => "messages",
            Self::Events => "events",
            Self::Kernel => "kernel",
            Self::Profile => "profile",
            Self::Dotnet => "dotnet",
            Self::Io => "io",
            Self::Windows => "windows",
            Self::Spans => "spans",
            Self::Problems => "problems",
            Self::Ends => "ends",
        }
    }
}
