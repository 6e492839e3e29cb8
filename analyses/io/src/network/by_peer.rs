//! Connections of each process and peer.

use std::collections::BTreeMap;

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, KernelSessions};
use etwkit_kernel_analyses::{ProcessKey, ProcessSum, ProcessTable};

use super::ends::{Ends, OwnAddresses};
use super::fact::{INTEREST, NetworkFact, Operation};

etwkit_analysis::row! {
    /// Data that a process and a peer sent each other over a pair of ports.
    pub struct NetworkRow {
        /// Process id of the owner of the socket; 4 is the kernel: SMB, HTTP.sys.
        pid: Option<u32> as Id,
        /// File name of its image.
        process: Option<String> as Text,
        /// `tcp` or `udp`.
        protocol: &'static str as Text,
        /// Address of this machine.
        local_address: String as Text,
        /// Port of this machine.
        local_port: u16 as Id,
        /// Address of the peer.
        address: String as Text,
        /// Port of the peer.
        port: u16 as Id,
        /// Connections that the process asked for.
        connects: u64 as Count,
        /// Connections that it accepted.
        accepts: u64 as Count,
        /// Connections that were ended.
        disconnects: u64 as Count,
        /// Attempts to connect again.
        reconnects: u64 as Count,
        /// Events of data that was sent.
        sends: u64 as Count,
        /// Bytes that were sent.
        sent_bytes: u64 as Count,
        /// Events of data that was received.
        receives: u64 as Count,
        /// Bytes that were received.
        received_bytes: u64 as Count,
        /// Events of data that was sent again.
        retransmits: u64 as Count,
    }
}

/// Adds up what each process and peer sent each other.
#[derive(Debug, Default)]
pub struct NetworkByPeer {
    sessions: KernelSessions,
    own: OwnAddresses,
    table: ProcessTable<Ends, Sum>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    connects: u64,
    accepts: u64,
    disconnects: u64,
    reconnects: u64,
    sends: u64,
    sent_bytes: u64,
    receives: u64,
    received_bytes: u64,
    retransmits: u64,
}

impl Analysis for NetworkByPeer {
    type Fact = NetworkFact;
    type Row = NetworkRow;

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
            self.table.sum(fact.process, fact.ends).add(fact.operation, fact.bytes.unwrap_or(0));
        }
    }

    fn follow(&mut self, fact: NetworkFact, _: &Trace) {
        if fact.counts(&self.sessions) {
            self.own.add(fact.process.key.machine, &fact.ends);
        }
    }

    fn excess(&self) -> u64 {
        self.own.excess() + self.table.excess()
    }

    fn finish(self, _: &Trace) -> Vec<NetworkRow> {
        let mut sums: BTreeMap<(ProcessKey, Ends), (Option<String>, Sum)> = BTreeMap::new();
        for ProcessSum { key, process, subject, sum } in self.table.into_sums() {
            let ends = subject.with_own_source(key.machine, &self.own);
            sums.entry((key, ends)).or_insert_with(|| (process, Sum::default())).1.add_all(sum);
        }
        let mut rows: Vec<NetworkRow> = sums.into_iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.sent_bytes + row.received_bytes));
        rows
    }
}

impl Sum {
    fn add(&mut self, operation: Operation, bytes: u64) {
        match operation {
            Operation::Send => {
                self.sends += 1;
                self.sent_bytes += bytes;
            }
            Operation::Receive => {
                self.receives += 1;
                self.received_bytes += bytes;
            }
            Operation::Connect => self.connects += 1,
            Operation::Disconnect => self.disconnects += 1,
            Operation::Retransmit => self.retransmits += 1,
            Operation::Accept => self.accepts += 1,
            Operation::Reconnect => self.reconnects += 1,
        }
    }

    fn add_all(&mut self, other: Self) {
        self.connects += other.connects;
        self.accepts += other.accepts;
        self.disconnects += other.disconnects;
        self.reconnects += other.reconnects;
        self.sends += other.sends;
        self.sent_bytes += other.sent_bytes;
        self.receives += other.receives;
        self.received_bytes += other.received_bytes;
        self.retransmits += other.retransmits;
    }
}

fn row(((key, ends), (process, sum)): ((ProcessKey, Ends), (Option<String>, Sum))) -> NetworkRow {
    NetworkRow {
        pid: key.pid,
        process,
        protocol: ends.protocol.name(),
        local_address: ends.source.0.to_string(),
        local_port: ends.source.1,
        address: ends.destination.0.to_string(),
        port: ends.destination.1,
        connects: sum.connects,
        accepts: sum.accepts,
        disconnects: sum.disconnects,
        reconnects: sum.reconnects,
        sends: sum.sends,
        sent_bytes: sum.sent_bytes,
        receives: sum.receives,
        received_bytes: sum.received_bytes,
        retransmits: sum.retransmits,
    }
}
