//! What an event states about a connection.

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::event::Kind;
use etwkit_analysis::guids::{KERNEL_NETWORK, TCP_IP, UDP_IP};
use etwkit_analysis::{Interest, KernelSessions, Need};
use etwkit_kernel_analyses::NamedProcess;

use super::ends::{Ends, Protocol};

const CLASSIC: &[(Guid, &[u8])] =
    &[(TCP_IP, &[10, 11, 12, 13, 14, 15, 16, 26, 27, 28, 29, 30, 31, 32]), (UDP_IP, &[10, 11, 26, 27])];

pub(super) const INTEREST: Interest = Interest {
    manifest: &[(KERNEL_NETWORK, &[10, 11, 12, 13, 14, 15, 16, 26, 27, 28, 29, 30, 31, 32, 42, 43, 58, 59])],
    classic: CLASSIC,
    need: Need::KernelFlags(
        "PROC_THREAD+NETWORKTRACE, or the provider Microsoft-Windows-Kernel-Network with the keywords 0x30",
    ),
};

/// What the events of version 6 of IP have more in their opcodes and ids.
const VERSION_6: u16 = 16;
/// What ids have more for UDP.
const UDP_IDS: u16 = 32;

/// What an event states about a connection.
#[derive(Clone, Debug)]
pub struct NetworkFact {
    pub(super) time: FileTime,
    /// Whether the kernel's own session wrote it.
    is_classic: bool,
    pub(super) process: NamedProcess,
    pub(super) ends: Ends,
    pub(super) operation: Operation,
    pub(super) bytes: Option<u64>,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Send,
    Receive,
    Connect,
    Disconnect,
    Retransmit,
    Accept,
    Reconnect,
}

impl Operation {
    pub(super) const ALL: [Self; 7] =
        [Self::Send, Self::Receive, Self::Connect, Self::Disconnect, Self::Retransmit, Self::Accept, Self::Reconnect];

    /// Returns what an opcode or id means; `None` for others.
    fn of(event: &Event<'_>) -> Option<(Protocol, Self)> {
        let (number, protocol) = match event.raw().kind() {
            Kind::Manifest if event.id() > UDP_IDS => (event.id() - UDP_IDS, Protocol::Udp),
            Kind::Manifest => (event.id(), Protocol::Tcp),
            _ if event.raw().provider_guid() == UDP_IP => (event.opcode().into(), Protocol::Udp),
            _ => (event.opcode().into(), Protocol::Tcp),
        };
        let operation = match if number >= 26 { number - VERSION_6 } else { number } {
            10 => Self::Send,
            11 => Self::Receive,
            12 => Self::Connect,
            13 => Self::Disconnect,
            14 => Self::Retransmit,
            15 => Self::Accept,
            16 => Self::Reconnect,
            _ => return None,
        };
        Some((protocol, operation))
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Receive => "receive",
            Self::Connect => "connect",
            Self::Disconnect => "disconnect",
            Self::Retransmit => "retransmit",
            Self::Accept => "accept",
            Self::Reconnect => "reconnect",
        }
    }
}

impl NetworkFact {
    /// Returns whether it counts: of two events that state the same, the one of the kernel's session does.
    pub(super) fn counts(&self, sessions: &KernelSessions) -> bool {
        sessions.count(self.process.key.machine, self.is_classic)
    }

    /// Returns the process that owns the socket.
    pub(super) fn pid(event: &Event<'_>) -> Option<u32> {
        event.get("PID").ok().or_else(|| event.pid())
    }

    /// Reads an event. The process is that of the payload: the header has the one that ran.
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let (protocol, operation) = Operation::of(event)?;
        Some(Self {
            time: event.time()?,
            is_classic: event.raw().kind() == Kind::Classic,
            process: NamedProcess::of_pid(event, Self::pid(event)),
            ends: Ends::of(event, protocol, operation == Operation::Receive)?,
            operation,
            bytes: event.get::<u32>("size").ok().map(u64::from),
        })
    }
}
