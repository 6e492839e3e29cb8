//! Which events are wanted.

use crate::bytes::Guid;
#[cfg(feature = "query")]
use crate::query::Expression;

use super::TimeRange;
use super::glob::Glob;

/// Conditions on events; an event must meet all that are set. Lists are alternatives.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Filter {
    /// Providers by name or GUID text, with `*` and `?`; without regard to case.
    pub providers: Vec<Glob>,
    /// GUIDs of providers: as [`crate::decode::EventType::provider_guid`] has them, so that the class of a classic event is none. An event
    /// must also meet [`Filter::providers`](field@Filter::providers).
    pub provider_guids: Vec<Guid>,
    /// Event ids (message numbers for WPP). An event without an id, such as a classic one, does not pass.
    pub ids: Vec<u16>,
    /// Event names (`Task/Opcode`), with `*` and `?`.
    pub names: Vec<Glob>,
    /// Most verbose level: this one and more severe ones. Level 0 (log always) passes only if this is 0, or with
    /// [`Filter::level_zero`](field@Filter::level_zero); events without a level pass only with the latter. A WPP message
    /// has the level of its definition.
    pub level: Option<u8>,
    /// Level 0 and events without a level pass [`Filter::level`](field@Filter::level), as in a session.
    pub level_zero: bool,
    /// Any of these keyword bits; events without keywords pass, as in a session.
    pub keywords: Option<u64>,
    /// Processes that events are about ([`crate::decode::Attribution`]).
    pub pids: Vec<u32>,
    /// File names of the images of processes that events are about, with `*` and `?`.
    pub processes: Vec<Glob>,
    /// Threads that events are about.
    pub tids: Vec<u32>,
    /// Processors.
    pub processors: Vec<u16>,
    /// Time window.
    pub time: TimeRange,
    /// Any other condition, also on fields of the payload. Needs the feature `query`.
    #[cfg(feature = "query")]
    pub expression: Option<Expression>,
}

impl Filter {
    /// Sets [`Filter::providers`](field@Filter::providers).
    #[must_use]
    pub fn providers(mut self, providers: impl IntoIterator<Item = Glob>) -> Self {
        self.providers = providers.into_iter().collect();
        self
    }

    /// Sets [`Filter::provider_guids`](field@Filter::provider_guids).
    #[must_use]
    pub fn provider_guids(mut self, guids: impl IntoIterator<Item = Guid>) -> Self {
        self.provider_guids = guids.into_iter().collect();
        self
    }

    /// Sets [`Filter::ids`](field@Filter::ids).
    #[must_use]
    pub fn ids(mut self, ids: impl IntoIterator<Item = u16>) -> Self {
        self.ids = ids.into_iter().collect();
        self
    }

    /// Sets [`Filter::names`](field@Filter::names).
    #[must_use]
    pub fn names(mut self, names: impl IntoIterator<Item = Glob>) -> Self {
        self.names = names.into_iter().collect();
        self
    }

    /// Sets [`Filter::level`](field@Filter::level).
    #[must_use]
    pub fn level(mut self, level: impl Into<Option<u8>>) -> Self {
        self.level = level.into();
        self
    }

    /// Sets [`Filter::level_zero`](field@Filter::level_zero).
    #[must_use]
    pub const fn level_zero(mut self, passes: bool) -> Self {
        self.level_zero = passes;
        self
    }

    /// Sets [`Filter::keywords`](field@Filter::keywords).
    #[must_use]
    pub fn keywords(mut self, keywords: impl Into<Option<u64>>) -> Self {
        self.keywords = keywords.into();
        self
    }

    /// Sets [`Filter::pids`](field@Filter::pids).
    #[must_use]
    pub fn pids(mut self, pids: impl IntoIterator<Item = u32>) -> Self {
        self.pids = pids.into_iter().collect();
        self
    }

    /// Sets [`Filter::processes`](field@Filter::processes).
    #[must_use]
    pub fn processes(mut self, names: impl IntoIterator<Item = Glob>) -> Self {
        self.processes = names.into_iter().collect();
        self
    }

    /// Sets [`Filter::tids`](field@Filter::tids).
    #[must_use]
    pub fn tids(mut self, tids: impl IntoIterator<Item = u32>) -> Self {
        self.tids = tids.into_iter().collect();
        self
    }

    /// Sets [`Filter::processors`](field@Filter::processors).
    #[must_use]
    pub fn processors(mut self, processors: impl IntoIterator<Item = u16>) -> Self {
        self.processors = processors.into_iter().collect();
        self
    }

    /// Sets [`Filter::time`](field@Filter::time).
    #[must_use]
    pub fn time(mut self, time: TimeRange) -> Self {
        self.time = time;
        self
    }

    /// Sets [`Filter::expression`](field@Filter::expression).
    #[cfg(feature = "query")]
    #[must_use]
    pub fn expression(mut self, expression: Expression) -> Self {
        self.expression = Some(expression);
        self
    }

    /// Returns whether its conditions on processes and threads choose a thread by its ids; `name` returns the file name of
    /// the image of its process. A thread of which a condition asks for something that is not known is not chosen.
    pub fn has_thread<'n>(
        &self,
        pid: Option<u32>,
        tid: Option<u32>,
        name: impl FnOnce(u32) -> Option<&'n str>,
    ) -> bool {
        let among = |list: &[u32], id: Option<u32>| list.is_empty() || id.is_some_and(|id| list.contains(&id));
        let is_named = |name: &str| self.processes.iter().any(|glob| glob.matches(name));
        among(&self.pids, pid)
            && among(&self.tids, tid)
            && (self.processes.is_empty() || pid.and_then(name).is_some_and(is_named))
    }
}
