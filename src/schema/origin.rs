//! Where a schema came from.

use std::fmt;

/// Where a schema came from, with what was guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Origin {
    /// The kind of source.
    pub source: SchemaSource,
    /// The event's version was unknown: the nearest lower one is used.
    pub guessed_version: bool,
    /// The layout was chosen by the trace's OS build, by which fits, or among manifests of several builds of a program.
    pub guessed_build: bool,
}

/// A kind of source of schemas: one of the constants, or one of your own.
///
/// Sources are in order of their rank, then of their names; so reports list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaSource {
    rank: u8,
    name: &'static str,
}

impl SchemaSource {
    /// The event itself: TraceLogging metadata, a string-only event.
    pub const EVENT: Self = Self::new("event", 10);
    /// `TRACE_EVENT_INFO` in the trace or a sibling file.
    pub const TRACE_EVENT_INFO: Self = Self::new("trace-event-info", 20);
    /// An EventSource manifest in the trace or a sibling file.
    pub const IN_TRACE_MANIFEST: Self = Self::new("in-trace-manifest", 30);
    /// Schema text, manifest, PE or MOF file given by the user.
    pub const USER: Self = Self::new("user", 40);
    /// A TMF file or PDB given by the user.
    pub const SYMBOLS: Self = Self::new("symbols", 50);
    /// Tables built in.
    pub const BUILT_IN: Self = Self::new("built-in", 60);
    /// The bundled facts of registered providers.
    pub const REGISTERED: Self = Self::new("registered", 70);

    /// All sources of etwkit's own, in the order of their rank.
    pub const OWN: [Self; 7] = [
        Self::EVENT,
        Self::TRACE_EVENT_INFO,
        Self::IN_TRACE_MANIFEST,
        Self::USER,
        Self::SYMBOLS,
        Self::BUILT_IN,
        Self::REGISTERED,
    ];

    /// Describes a source. `name` is its name in output: letters, digits and hyphens, beginning with a letter. `rank`
    /// is its place in reports; those of [`SchemaSource::OWN`] are 10, 20, and so on.
    ///
    /// ```
    /// use etwkit::schema::SchemaSource;
    ///
    /// const DEVICE: SchemaSource = SchemaSource::new("device", 45);
    /// assert!(SchemaSource::USER < DEVICE && DEVICE < SchemaSource::SYMBOLS);
    /// ```
    pub const fn new(name: &'static str, rank: u8) -> Self {
        Self { rank, name }
    }

    /// Returns its name in output.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Returns its place in reports.
    pub const fn rank(self) -> u8 {
        self.rank
    }

    /// Returns the source of etwkit's own that has this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::OWN.into_iter().find(|source| source.name == name)
    }
}

impl Origin {
    /// Sets [`Origin::guessed_version`](field@Origin::guessed_version).
    #[must_use]
    pub const fn guessed_version(mut self, guessed_version: bool) -> Self {
        self.guessed_version = guessed_version;
        self
    }

    /// Sets [`Origin::guessed_build`](field@Origin::guessed_build).
    #[must_use]
    pub const fn guessed_build(mut self, guessed_build: bool) -> Self {
        self.guessed_build = guessed_build;
        self
    }
}

impl From<SchemaSource> for Origin {
    fn from(source: SchemaSource) -> Self {
        Self { source, guessed_version: false, guessed_build: false }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.source.name())?;
        if self.guessed_version {
            f.write_str(" version-guessed")?;
        }
        if self.guessed_build {
            f.write_str(" build-guessed")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::SchemaSource;

    #[test]
    fn sources_of_our_own_are_in_the_order_of_their_rank_and_found_by_name() {
        assert!(SchemaSource::OWN.is_sorted_by(|a, b| a.rank() < b.rank()));
        for source in SchemaSource::OWN {
            assert_eq!(SchemaSource::from_name(source.name()), Some(source));
        }
        assert_eq!(SchemaSource::from_name("device"), None);
    }
}
