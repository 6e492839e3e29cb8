//! Bytes of connections over time.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, KernelSessions, Time};

use super::ends::Protocol;
use super::fact::{INTEREST, NetworkFact, Operation};
use crate::packed_list::{Entry, PackedList};

etwkit_analysis::row! {
    /// The bytes of an operation on a connection.
    pub struct NetworkOverTimeRow {
        /// Time, UTC.
        time: Time as Time,
        /// `tcp` or `udp`.
        protocol: &'static str as Text,
        /// `send`, `receive`, `connect`, `accept`, `disconnect`, `retransmit` or `reconnect`.
        operation: &'static str as Text,
        /// Bytes, as the event states them.
        bytes: Option<u64> as Count,
    }
}

/// Lists how many bytes each operation on a connection had, in order of time: the operations of
/// [`NetworkEach`](crate::NetworkEach) in few bytes each, for pictures.
#[derive(Debug, Default)]
pub struct NetworkOverTime {
    sessions: KernelSessions,
    list: PackedList,
}

impl Analysis for NetworkOverTime {
    type Fact = NetworkFact;
    type Row = NetworkOverTimeRow;

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
            let what = (fact.ends.protocol as u64) << OPERATION_BITS | fact.operation as u64;
            self.list.push(Entry { time: fact.time, what, bytes: fact.bytes });
        }
    }

    fn excess(&self) -> u64 {
        self.list.excess()
    }

    fn finish(self, trace: &Trace) -> Vec<NetworkOverTimeRow> {
        self.finish_by_row(trace).collect()
    }

    fn finish_by_row(self, _: &Trace) -> impl Iterator<Item = NetworkOverTimeRow> {
        self.list.into_iter().map(row)
    }
}

/// Bits of the number of an operation, below that of the protocol.
const OPERATION_BITS: u32 = 3;

fn row(Entry { time, what, bytes }: Entry) -> NetworkOverTimeRow {
    let own = what & ((1 << OPERATION_BITS) - 1);
    let operation = Operation::ALL.into_iter().find(|operation| *operation as u64 == own);
    let protocol = if what >> OPERATION_BITS == Protocol::Tcp as u64 { Protocol::Tcp } else { Protocol::Udp };
    NetworkOverTimeRow {
        time: Time(time),
        protocol: protocol.name(),
        operation: operation.map_or("", Operation::name),
        bytes,
    }
}
