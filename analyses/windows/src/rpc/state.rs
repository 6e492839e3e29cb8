//! Calls and their ends.

use std::collections::HashMap;

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::{Excess, Interest, Need, milliseconds};
use etwkit_kernel_analyses::NamedProcess;

use crate::limits::{MOST_NESTED, MOST_OPEN};

/// `Microsoft-Windows-RPC`.
const RPC: Guid = Guid::from_u128(0x6ad52b32_d609_4be9_ae07_ce8dae937e39);

pub(super) const INTEREST: Interest = Interest {
    manifest: &[(RPC, &[5, 6, 7, 8])],
    classic: &[],
    need: Need::Keywords("the provider Microsoft-Windows-RPC, level 4"),
};

/// Protocols, by the numbers of the provider.
const PROTOCOLS: [(u32, &str); 4] = [(1, "ncacn_ip_tcp"), (2, "ncacn_np"), (3, "ncalrpc"), (4, "ncacn_http")];

/// What an event states about a call.
#[derive(Clone, Debug)]
pub struct RpcFact {
    time: FileTime,
    key: CallKey,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Began(Box<Begin>),
    Ended { status: u32 },
}

/// What joins a call with its end: the machine, the side, and the activity, or the thread where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CallKey {
    machine: u16,
    side: Side,
    activity: Option<Guid>,
    tid: Option<u32>,
}

/// Who wrote the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Side {
    Client,
    Server,
}

#[derive(Clone, Debug)]
pub(super) struct Begin {
    pub(super) process: NamedProcess,
    pub(super) tid: Option<u32>,
    pub(super) interface: Guid,
    pub(super) procedure: u32,
    pub(super) protocol: u32,
    pub(super) endpoint: Box<str>,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) time: FileTime,
    pub(super) side: Side,
    pub(super) begin: Box<Begin>,
    /// Milliseconds until the end, and the status; `None` if the end is not in the trace.
    pub(super) end: Option<(f64, u32)>,
}

/// A call that has begun: when, and whether the filter chooses that event.
type Open = (FileTime, Box<Begin>, bool);

/// Calls that have begun. One of a thread may make others before it ends: the last one ends first.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    open: HashMap<CallKey, Vec<Open>>,
    count: usize,
    excess: Excess,
}

impl Side {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

impl RpcFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let what = if matches!(event.id(), 5 | 6) {
            What::Began(Box::new(Begin {
                process: NamedProcess::of(event),
                tid: event.tid(),
                interface: event.get("InterfaceUuid").ok()?,
                procedure: event.get("ProcNum").ok()?,
                protocol: event.get("Protocol").unwrap_or(0),
                endpoint: event.get::<String>("Endpoint").unwrap_or_default().into(),
            }))
        } else {
            What::Ended { status: event.get("Status").ok()? }
        };
        let activity = event.activity_id();
        let key = CallKey {
            machine: event.system().machine.number,
            side: if matches!(event.id(), 5 | 7) { Side::Client } else { Side::Server },
            activity,
            tid: event.tid().filter(|_| activity.is_none()),
        };
        Some(Self { time: event.time()?, key, what })
    }
}

impl State {
    /// Takes what an event states. Returns a call that counts and ended, or that cannot be kept.
    pub(super) fn take(&mut self, RpcFact { time, key, what }: RpcFact, is_chosen: bool) -> Option<Call> {
        match what {
            What::Began(begin) => {
                let nested = self.open.get(&key).map_or(0, Vec::len);
                let has_room = self.excess.admits(self.count, MOST_OPEN) && self.excess.admits(nested, MOST_NESTED);
                if !has_room {
                    return is_chosen.then_some(Call { time, side: key.side, begin, end: None });
                }
                self.count += 1;
                self.open.entry(key).or_default().push((time, begin, is_chosen));
                None
            }
            What::Ended { status } => {
                let open = self.open.get_mut(&key)?;
                let (began, begin, is_counted) = open.pop()?;
                if open.is_empty() {
                    self.open.remove(&key);
                }
                self.count -= 1;
                let end = Some((milliseconds(began, time), status));
                is_counted.then_some(Call { time: began, side: key.side, begin, end })
            }
        }
    }

    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Takes the calls that count and whose ends are not in the trace, in order of time.
    pub(super) fn take_open(&mut self) -> Vec<Call> {
        let of_key = |(key, open): (CallKey, Vec<Open>)| {
            let counted = open.into_iter().filter(|(.., is_chosen)| *is_chosen);
            counted.map(move |(time, begin, _)| (key, Call { time, side: key.side, begin, end: None }))
        };
        let mut calls: Vec<(CallKey, Call)> = self.open.drain().flat_map(of_key).collect();
        calls.sort_by_key(|(key, call)| (call.time, *key));
        calls.into_iter().map(|(_, call)| call).collect()
    }
}

impl Begin {
    /// Returns the name of the protocol sequence.
    pub(super) fn protocol_name(&self) -> String {
        let known = PROTOCOLS.iter().find(|(number, _)| *number == self.protocol);
        known.map_or_else(|| self.protocol.to_string(), |(_, name)| (*name).to_owned())
    }
}
