//! What an event of the graphics kernel states.

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit_analysis::{Interest, Need};
use etwkit_kernel_analyses::NamedProcess;

use crate::dxgkrnl::DXGKRNL;

const DEVICE_START: u16 = 27;
const DEVICE_RUNDOWN: u16 = 29;
const CONTEXT_START: u16 = 30;
const CONTEXT_RUNDOWN: u16 = 32;
const ADAPTER: u16 = 110;
const DMA_START: u16 = 175;
const DMA_STOP: u16 = 176;
/// Also written at the end, with the type of the interrupt that reports it.
const DMA_INFO: u16 = 177;
/// Something is put into the queue of a context.
pub(super) const QUEUE_START: u16 = 178;
const QUEUE_STOP: u16 = 180;
const NODE: u16 = 250;

pub(super) const INTEREST: Interest = Interest {
    manifest: &[(
        DXGKRNL,
        &[
            DEVICE_START,
            DEVICE_RUNDOWN,
            CONTEXT_START,
            CONTEXT_RUNDOWN,
            ADAPTER,
            DMA_START,
            DMA_STOP,
            DMA_INFO,
            QUEUE_START,
            QUEUE_STOP,
            NODE,
        ],
    )],
    classic: &[],
    need: Need::Keywords("the provider Microsoft-Windows-DxgKrnl with the keyword 0x1, level 5, and its rundown"),
};

/// Ids of the events without which there are no packets.
pub(super) const PACKETS: [u16; 5] = [DMA_START, DMA_STOP, DMA_INFO, QUEUE_START, QUEUE_STOP];

/// The contents of an event.
#[derive(Clone, Debug)]
pub struct GpuFact {
    pub(super) time: FileTime,
    /// Number of the machine.
    pub(super) machine: u16,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Device {
        device: u64,
        adapter: u64,
        process: Option<Box<NamedProcess>>,
    },
    Context {
        context: u64,
        device: u64,
        node: u32,
        process: Option<Box<NamedProcess>>,
    },
    Node {
        adapter: u64,
        node: u32,
        name: Box<str>,
    },
    /// Ids of vendor and device on the bus.
    Adapter {
        adapter: u64,
        ids: (u32, u32),
    },
    Packet {
        context: u64,
        sequence: u32,
        step: Step,
    },
}

/// What happens to a packet.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// It is put into the queue of its context.
    Queued(Box<Queued>),
    /// It is handed to the engine.
    Submitted { kind: Option<u32> },
    /// The engine has done it, or was taken from it.
    Completed { is_preempted: bool },
    /// It leaves the queue.
    Retired { is_timeout: bool },
}

#[derive(Clone, Debug)]
pub(super) struct Queued {
    pub(super) process: NamedProcess,
    pub(super) kind: Option<u32>,
    pub(super) is_present: bool,
}

impl GpuFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let what = match event.id() {
            DEVICE_START | DEVICE_RUNDOWN => device(event)?,
            CONTEXT_START | CONTEXT_RUNDOWN => context(event)?,
            ADAPTER => What::Adapter {
                adapter: event.get("pDxgAdapter").ok()?,
                ids: (event.get("VendorID").ok()?, event.get("DeviceID").ok()?),
            },
            NODE => What::Node {
                adapter: event.get("pDxgAdapter").ok()?,
                node: event.get("NodeOrdinal").ok()?,
                name: event.get::<String>("FriendlyName").ok()?.into(),
            },
            _ => packet(event)?,
        };
        Some(Self { time: event.time()?, machine: event.system().machine.number, what })
    }
}

fn device(event: &Event<'_>) -> Option<What> {
    let pid = event.get::<u32>("hProcessId").ok().filter(|pid| *pid != 0);
    Some(What::Device {
        device: event.get("hDevice").ok()?,
        adapter: event.get("pDxgAdapter").ok()?,
        process: pid.map(|pid| Box::new(NamedProcess::of_pid(event, Some(pid)))),
    })
}

/// A context is made by its process; its rundown is written by anyone.
fn context(event: &Event<'_>) -> Option<What> {
    let is_start = event.id() == CONTEXT_START;
    Some(What::Context {
        context: event.get("hContext").ok()?,
        device: event.get("hDevice").ok()?,
        node: event.get("NodeOrdinal").ok()?,
        process: is_start.then(|| Box::new(NamedProcess::of(event))),
    })
}

fn packet(event: &Event<'_>) -> Option<What> {
    let is_set = |name: &str| event.get::<bool>(name).unwrap_or(false);
    let kind = || event.get("PacketType").ok();
    let (sequence, step) = match event.id() {
        QUEUE_START => {
            let queued = Queued { process: NamedProcess::of(event), kind: kind(), is_present: is_set("bPresent") };
            ("SubmitSequence", Step::Queued(Box::new(queued)))
        }
        QUEUE_STOP => ("SubmitSequence", Step::Retired { is_timeout: is_set("bTimeouted") }),
        DMA_START => ("ulQueueSubmitSequence", Step::Submitted { kind: kind() }),
        _ => ("ulQueueSubmitSequence", Step::Completed { is_preempted: is_set("bPreempted") }),
    };
    Some(What::Packet { context: event.get("hContext").ok()?, sequence: event.get(sequence).ok()?, step })
}
