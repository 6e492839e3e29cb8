//! Each operation on a connection.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, KernelSessions, Time};

use super::ends::OwnAddresses;
use super::fact::{INTEREST, NetworkFact};
use crate::list::List;

etwkit_analysis::row! {
    /// An operation on a connection.
    pub struct NetworkEachRow {
        /// Time, UTC.
        time: Time as Time,
        /// Process id of the owner of the socket.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// `tcp` or `udp`.
        protocol: &'static str as Text,
        /// `send`, `receive`, `connect`, `accept`, `disconnect`, `retransmit` or `reconnect`.
        operation: &'static str as Text,
        /// Address of this machine.
        local_address: String as Text,
        /// Port of this machine.
        local_port: u16 as Id,
        /// Address of the peer.
        address: String as Text,
        /// Port of the peer.
        port: u16 as Id,
        /// Bytes, as the event states them.
        bytes: Option<u64> as Count,
    }
}

/// Lists the operations on connections in order of time.
#[derive(Debug, Default)]
pub struct NetworkEach {
    sessions: KernelSessions,
    own: OwnAddresses,
    list: List<NetworkFact>,
}

impl Analysis for NetworkEach {
    type Fact = NetworkFact;
    type Row = NetworkEachRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(trace: &Trace) -> Result<Self> {
        Ok(Self { sessions: KernelSessions::of(INTEREST, trace)?, ..Self::default() })
    }

    fn owner(event: &Event<'_>) -> (Option<u32>, Option<u32>) {
        (NetworkFact::pid(event), event.tid())
    }

    fn fact(event: &Event<'_>) -> Option<NetworkFact> {
        NetworkFact::of(event)
    }

    fn step(&mut self, fact: NetworkFact, _: &Trace) {
        if fact.counts(&self.sessions) {
            self.own.add(fact.process.key.machine, &fact.ends);
            self.list.push(fact);
        }
    }

    fn follow(&mut self, fact: NetworkFact, _: &Trace) {
        if fact.counts(&self.sessions) {
            self.own.add(fact.process.key.machine, &fact.ends);
        }
    }

    fn excess(&self) -> u64 {
        self.own.excess() + self.list.excess()
    }

    fn finish(self, _: &Trace) -> Vec<NetworkEachRow> {
        let Self { own, list, .. } = self;
        list.into_rows(|fact| {
            let ends = fact.ends.with_own_source(fact.process.key.machine, &own);
            NetworkEachRow {
                time: Time(fact.time),
                pid: fact.process.key.pid,
                process: fact.process.name.map(String::from),
                protocol: ends.protocol.name(),
                operation: fact.operation.name(),
                local_address: ends.source.0.to_string(),
                local_port: ends.source.1,
                address: ends.destination.0.to_string(),
                port: ends.destination.1,
                bytes: fact.bytes,
            }
        })
    }
}
