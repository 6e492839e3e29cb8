//! Queries and their answers.

use std::collections::{HashMap, VecDeque};

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::{Excess, Interest, Need, milliseconds};
use etwkit_kernel_analyses::{NamedProcess, ProcessKey};

use crate::limits::MOST_OPEN;

/// `Microsoft-Windows-DNS-Client`.
const DNS_CLIENT: Guid = Guid::from_u128(0x1c95126e_7eea_49a9_a3fe_a378b03ddb4d);
const ASKED: u16 = 3006;
const ANSWERED: u16 = 3008;

pub(super) const INTEREST: Interest = Interest {
    manifest: &[(DNS_CLIENT, &[ASKED, ANSWERED])],
    classic: &[],
    need: Need::Keywords("the provider Microsoft-Windows-DNS-Client, level 4"),
};

/// Types of queries, as RFC 1035, 3596, 2782, 6891 and 9460 name them.
const TYPES: [(u32, &str); 12] = [
    (1, "A"),
    (2, "NS"),
    (5, "CNAME"),
    (6, "SOA"),
    (12, "PTR"),
    (15, "MX"),
    (16, "TXT"),
    (28, "AAAA"),
    (33, "SRV"),
    (64, "SVCB"),
    (65, "HTTPS"),
    (255, "ANY"),
];

/// What an event states about a query.
#[derive(Clone, Debug)]
pub struct DnsFact {
    time: FileTime,
    process: NamedProcess,
    query: (Box<str>, u32),
    answer: Option<Answer>,
}

#[derive(Clone, Debug)]
struct Answer {
    status: u32,
    results: Box<str>,
}

/// A query, with its answer if the trace has it.
#[derive(Clone, Debug)]
pub(super) struct Query {
    /// When it was asked; when it was answered, if the question is not in the trace.
    pub(super) time: FileTime,
    pub(super) process: NamedProcess,
    pub(super) name: Box<str>,
    pub(super) kind: u32,
    /// Milliseconds until the answer.
    pub(super) elapsed: Option<f64>,
    answer: Option<Answer>,
}

/// A query, and whether the filter chooses the event of its question.
type Asked = (DnsFact, bool);

/// Queries that have no answer, by process, name and type; the oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    asked: HashMap<(ProcessKey, Box<str>, u32), VecDeque<Asked>>,
    open: usize,
    excess: Excess,
}

impl DnsFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let answer = || Answer {
            status: event.get("QueryStatus").unwrap_or(0),
            results: event.get::<String>("QueryResults").unwrap_or_default().into(),
        };
        Some(Self {
            time: event.time()?,
            process: NamedProcess::of(event),
            query: (event.get::<String>("QueryName").ok()?.into(), event.get("QueryType").ok()?),
            answer: (event.id() == ANSWERED).then(answer),
        })
    }
}

impl State {
    /// Takes what an event states. Returns a query that counts and is answered.
    pub(super) fn take(&mut self, fact: DnsFact, is_chosen: bool) -> Option<Query> {
        let (name, kind) = fact.query.clone();
        let key = (fact.process.key, name, kind);
        if fact.answer.is_none() {
            if !self.excess.admits(self.open, MOST_OPEN) {
                return is_chosen.then(|| Query::of(fact, None));
            }
            self.open += 1;
            self.asked.entry(key).or_default().push_back((fact, is_chosen));
            return None;
        }
        let asked = self.asked.get_mut(&key);
        let began = asked.and_then(VecDeque::pop_front).map(|(asked, is_chosen)| (asked.time, is_chosen));
        self.open -= usize::from(began.is_some());
        if self.asked.get(&key).is_some_and(VecDeque::is_empty) {
            self.asked.remove(&key);
        }
        let is_counted = began.map_or(is_chosen, |(_, is_chosen)| is_chosen);
        is_counted.then(|| Query::of(fact, began.map(|(time, _)| time)))
    }

    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Takes the queries that count and have no answer, in order of time.
    pub(super) fn take_open(&mut self) -> Vec<Query> {
        let counted = std::mem::take(&mut self.asked).into_values().flatten().filter(|(_, is_chosen)| *is_chosen);
        let mut open: Vec<Query> = counted.map(|(asked, _)| Query::of(asked, None)).collect();
        open.sort_by(|a, b| (a.time, a.process.key, &a.name, a.kind).cmp(&(b.time, b.process.key, &b.name, b.kind)));
        open
    }
}

impl Query {
    fn of(DnsFact { time, process, query: (name, kind), answer }: DnsFact, began: Option<FileTime>) -> Self {
        let elapsed = began.map(|began| milliseconds(began, time));
        Self { time: began.unwrap_or(time), process, name, kind, elapsed, answer }
    }

    /// Returns the name of its type.
    pub(super) fn kind_name(&self) -> String {
        let known = TYPES.iter().find(|(number, _)| *number == self.kind);
        known.map_or_else(|| self.kind.to_string(), |(_, name)| (*name).to_owned())
    }

    /// Returns the status, a Win32 error; `None` without an answer.
    pub(super) fn status(&self) -> Option<u32> {
        self.answer.as_ref().map(|answer| answer.status)
    }

    pub(super) fn is_failure(&self) -> bool {
        self.status().is_some_and(|status| status != 0)
    }

    /// Returns the results: addresses and names.
    pub(super) fn results(&self) -> impl Iterator<Item = &str> {
        let results = self.answer.as_ref().map_or("", |answer| &answer.results);
        results.split(';').map(str::trim).filter(|result| !result.is_empty())
    }
}
