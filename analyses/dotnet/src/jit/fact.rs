//! What an event states about compilations.

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::trace::Trace;
use etwkit_analysis::guids::{DOT_NET_NATIVE, DOT_NET_RUNTIME, DOT_NET_RUNTIME_PRIVATE};
use etwkit_analysis::{Interest, Need};

use crate::origin::Origin;

use super::kind::Tier;

/// `ClrMulticoreJit/Common` of the private provider.
const MULTICORE: u16 = 201;
const IDS: &[u16] = &[143, 145, 146];
const OF_RUNTIMES: &[(Guid, &[u16])] = &[(DOT_NET_RUNTIME, IDS), (DOT_NET_NATIVE, IDS)];
const EVENTS: &[(Guid, &[u16])] =
    &[(DOT_NET_RUNTIME, IDS), (DOT_NET_NATIVE, IDS), (DOT_NET_RUNTIME_PRIVATE, &[MULTICORE])];

pub(super) const INTEREST: Interest = Interest {
    manifest: EVENTS,
    classic: &[],
    need: Need::Keywords("Microsoft-Windows-DotNETRuntime with the keyword Jit (0x10), level 5"),
};

/// Returns whether a trace has events of compilations: private events alone are not enough.
pub(super) fn is_answerable(trace: &Trace) -> bool {
    Interest { manifest: OF_RUNTIMES, ..INTEREST }.events(trace) > 0
}

/// Of the flags of a method: its code was compiled, not read from an image.
const JITTED: u32 = 8;
/// What a thread of multicore JIT reports.
const OF_MULTICORE_THREAD: [&str; 2] = ["GROUPWAIT", "JITTHREAD"];

/// The contents of an event, and the process that wrote it.
#[derive(Clone, Debug)]
pub struct JitFact {
    pub(super) origin: Origin,
    pub(super) what: What,
}

/// What an event states.
#[derive(Clone, Debug)]
pub(super) enum What {
    Start {
        method: u64,
        il_bytes: u32,
    },
    /// Memory is allocated for the code of a method.
    Allocated {
        method: u64,
        bytes: u64,
    },
    Loaded {
        method: u64,
        name: Box<str>,
        native_bytes: u32,
        tier: Tier,
    },
    /// The thread compiles in advance what earlier runs of the program needed.
    OfMulticore,
}

impl JitFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let number = |name: &str| event.get::<u32>(name).ok();
        let text = |name: &str| event.get::<String>(name).unwrap_or_default();
        let method = || event.get::<u64>("MethodID").ok();
        let what = match event.raw().id() {
            MULTICORE => OF_MULTICORE_THREAD.contains(&&*text("String1")).then_some(What::OfMulticore)?,
            145 => What::Start { method: method()?, il_bytes: number("MethodILSize")? },
            146 => What::Allocated { method: method()?, bytes: event.get("AllocatedSizeForJitCode").ok()? },
            _ => {
                let flags = number("MethodFlags").filter(|flags| flags & JITTED != 0)?;
                let name = format!("{}.{}", text("MethodNamespace"), text("MethodName")).into();
                What::Loaded { method: method()?, name, native_bytes: number("MethodSize")?, tier: Tier::of(flags) }
            }
        };
        Some(Self { origin: Origin::of(event)?, what })
    }
}
