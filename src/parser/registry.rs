//! The registered parsers.

use std::sync::Arc;

use super::{FirstPass, Parser};

/// The registered parsers, in order of precedence. A clone is cheap: it shares the parsers, and each trace
/// begins with fresh state.
#[derive(Clone, Debug, Default)]
pub struct Parsers {
    list: Vec<Arc<dyn Parser>>,
}

impl Parsers {
    /// Returns a set without parsers: every event is delivered undecoded.
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds a parser after the present ones.
    #[must_use]
    pub fn with(mut self, parser: impl Parser + 'static) -> Self {
        self.list.push(Arc::new(parser));
        self
    }

    /// Adds a parser before the present ones, so that it can correct them.
    #[must_use]
    pub fn with_first(mut self, parser: impl Parser + 'static) -> Self {
        self.list.insert(0, Arc::new(parser));
        self
    }

    /// Returns the parsers in order of precedence.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Parser> {
        self.list.iter().map(AsRef::as_ref)
    }

    /// Makes the parts for one trace.
    pub(crate) fn begin(&self) -> FirstPass {
        let mut pass = FirstPass::default();
        self.iter().for_each(|parser| parser.begin(&mut pass));
        pass
    }
}
