//! What an event states about a thread pool.

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::guids::{DOT_NET_NATIVE, DOT_NET_RUNTIME};
use etwkit_analysis::{Interest, Need};

use crate::origin::Origin;

/// `System.Diagnostics.Eventing.FrameworkEventSource`.
const FRAMEWORK: Guid = Guid::from_u128(0x8e9f5090_2d75_4d03_8a81_e5afbf85daf1);
const IDS: &[u16] = &[44, 45, 50, 51, 54, 55, 61, 62];
const EVENTS: &[(Guid, &[u16])] = &[(DOT_NET_RUNTIME, IDS), (DOT_NET_NATIVE, IDS), (FRAMEWORK, &[30, 31])];

pub(super) const INTEREST: Interest = Interest {
    manifest: EVENTS,
    classic: &[],
    need: Need::Keywords(
        "Microsoft-Windows-DotNETRuntime with the keyword Threading (0x10000), level 4; for work items level 5, or \
         System.Diagnostics.Eventing.FrameworkEventSource with the keyword ThreadPool (0x2), level 5",
    ),
};

/// The contents of an event, and the process that wrote it.
#[derive(Clone, Debug)]
pub struct ThreadPoolFact {
    pub(crate) origin: Origin,
    pub(super) what: What,
}

/// What an event states.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// A worker thread starts; how many are active then.
    WorkerStart {
        active: u32,
    },
    WorkerStop,
    /// A thread for completions of I/O starts; how many there are then.
    IoStart {
        threads: u32,
    },
    IoStop,
    /// Measured: work items per second.
    Sample {
        throughput: f64,
    },
    /// The number of worker threads is set.
    Adjusted(Adjustment),
    Enqueued {
        item: u64,
        by: By,
    },
    Dequeued {
        item: u64,
        by: By,
    },
}

/// The provider that writes of a work item: of newer runtimes both do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Runtime,
    Framework,
}

/// A change of the number of worker threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adjustment {
    pub(super) workers: u32,
    pub(super) reason: u32,
    pub(super) throughput: Option<f64>,
}

impl Adjustment {
    /// The names of reasons, as the runtime's manifest has them.
    const REASONS: [&str; 9] = [
        "Warmup",
        "Initializing",
        "RandomMove",
        "ClimbingMove",
        "ChangePoint",
        "Stabilizing",
        "Starvation",
        "ThreadTimedOut",
        "CooperativeBlocking",
    ];

    /// Returns the name of its reason, else the number.
    pub(super) fn reason_name(reason: u32) -> String {
        let name = Self::REASONS.get(reason as usize);
        name.map_or_else(|| reason.to_string(), |name| (*name).to_owned())
    }
}

impl ThreadPoolFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let number = |name: &str| event.get::<u32>(name).ok();
        let real = |name: &str| event.get::<f64>(name).ok().filter(|number| number.is_finite());
        // Manifests in traces of the framework have another case.
        let item = || event.get::<u64>("WorkID").or_else(|_| event.get("workID")).ok();
        let by = if event.raw().provider_guid() == FRAMEWORK { By::Framework } else { By::Runtime };
        let what = match event.raw().id() {
            30 | 61 => What::Enqueued { item: item()?, by },
            31 | 62 => What::Dequeued { item: item()?, by },
            44 => What::IoStart { threads: number("IOThreadCount")? },
            45 => What::IoStop,
            50 => What::WorkerStart { active: number("ActiveWorkerThreadCount")? },
            51 => What::WorkerStop,
            54 => What::Sample { throughput: real("Throughput")? },
            55 => What::Adjusted(Adjustment {
                workers: number("NewWorkerThreadCount")?,
                reason: number("Reason")?,
                throughput: real("AverageThroughput"),
            }),
            _ => return None,
        };
        Some(Self { origin: Origin::of(event)?, what })
    }
}
