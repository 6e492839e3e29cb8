//! What an event states about a boot.

use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::event::{EventKey, Kind};
use etwkit::trace::Trace;
use etwkit_analysis::guids::{KERNEL_PROCESS, PROCESS};
use etwkit_analysis::{Interest, Need};

use super::label::label;
use super::pairs::{
    PNP_GUID, PNP_IDS, Place, Role, SERVICES_GUID, SERVICES_IDS, SESSIONS_GUID, SESSIONS_IDS, SHELL_GUID, SHELL_IDS,
    SMSS_GUID, SMSS_IDS, SVCHOST_GUID, SVCHOST_IDS, WINLOGON_GUID, WINLOGON_IDS,
};
use super::stated::{DIAGNOSTICS, DIAGNOSTICS_IDS, OS_LOADER, Stated};

const START: u8 = 1;
const STOP: u8 = 2;
const BOOT_PHASE_START: u8 = 38;
const PROCESS_START: u16 = 1;
const PROCESS_STOP: u16 = 2;
/// The id of `ServiceStatusChange`, and states of services (`winsvc.h`).
const STATUS_CHANGE: u16 = 105;
const START_PENDING: u32 = 2;
const RUNNING: u32 = 4;
/// The process that starts the first `smss.exe`.
const SYSTEM: u32 = 4;

pub(super) const INTEREST: Interest = Interest {
    manifest: &[
        (PNP_GUID, PNP_IDS),
        (PNP_GUID, &[OS_LOADER]),
        (SMSS_GUID, SMSS_IDS),
        (SERVICES_GUID, SERVICES_IDS),
        (SVCHOST_GUID, SVCHOST_IDS),
        (WINLOGON_GUID, WINLOGON_IDS),
        (SHELL_GUID, SHELL_IDS),
        (SESSIONS_GUID, SESSIONS_IDS),
        (DIAGNOSTICS, DIAGNOSTICS_IDS),
        (KERNEL_PROCESS, &[PROCESS_START, PROCESS_STOP]),
    ],
    classic: &[(PROCESS, &[START, STOP, BOOT_PHASE_START])],
    need: Need::Keywords(
        "the boot itself, with a session that starts with the machine (xperf -boottrace, wpr -boottrace): the kernel flags \
         PROC_THREAD+LOADER, and the providers Microsoft-Windows-Kernel-PnP, -Subsys-SMSS, -Services, -Services-Svchost, \
         -Winlogon and -Shell-Core",
    ),
};

/// The contents of an event.
#[derive(Clone, Debug)]
pub struct BootFact {
    pub(super) time: FileTime,
    /// Number of the machine and boot.
    pub(super) machine: u16,
    pub(super) pid: Option<u32>,
    pub(super) tid: Option<u32>,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// Something begins or ends.
    Edge(Box<Edge>),
    /// A process starts.
    Started {
        image: Box<str>,
        landmark: Option<Landmark>,
        /// The events that state it: provider and names or ids.
        source: &'static str,
    },
    /// A process ends, with an exit code.
    Ended {
        status: Option<u32>,
    },
    /// The kernel enters a phase.
    Phase(i32),
    Stated(Box<Stated>),
}

#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) place: Place,
    pub(super) is_start: bool,
    pub(super) label: Box<str>,
    pub(super) status: Option<u32>,
}

/// A process whose start divides a boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Landmark {
    /// The first `smss.exe`, which the kernel starts: the others are its copies for sessions.
    Smss,
    /// Runs in the first session only, from the boot to the shutdown.
    Wininit,
    Winlogon,
    Explorer,
}

impl Landmark {
    fn of(image: &str, parent: Option<u32>) -> Option<Self> {
        let names =
            [("wininit.exe", Self::Wininit), ("winlogon.exe", Self::Winlogon), ("explorer.exe", Self::Explorer)];
        if image.eq_ignore_ascii_case("smss.exe") {
            return (parent == Some(SYSTEM)).then_some(Self::Smss);
        }
        names.into_iter().find(|(name, _)| image.eq_ignore_ascii_case(name)).map(|(_, landmark)| landmark)
    }

    /// Returns whether a start shows that the machine boots.
    pub(super) const fn is_of_boot(self) -> bool {
        matches!(self, Self::Smss | Self::Wininit)
    }
}

impl BootFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let provider = event.provider_guid();
        let what = if event.id() == 0 {
            of_kernel(event)?
        } else if provider == KERNEL_PROCESS {
            of_process(event)?
        } else if provider == DIAGNOSTICS || (provider == PNP_GUID && event.id() == OS_LOADER) {
            What::Stated(Box::new(Stated::of(event)?))
        } else {
            What::Edge(Box::new(Edge::of(event)?))
        };
        let is_process = matches!(what, What::Started { .. } | What::Ended { .. });
        // Events of the manifest are written by who starts the process.
        let pid = if is_process { event.get("ProcessId").ok() } else { event.pid() };
        Some(Self { time: event.time()?, machine: event.system().machine.number, pid, tid: event.tid(), what })
    }

    /// Returns whether it shows that the machine boots.
    pub(super) fn is_of_boot(&self) -> bool {
        match &self.what {
            What::Edge(edge) => edge.place.pair().role == Role::Boot,
            What::Started { landmark, .. } => landmark.is_some_and(Landmark::is_of_boot),
            What::Phase(_) => true,
            What::Stated(stated) => stated.is_of_boot(),
            What::Ended { .. } => false,
        }
    }
}

fn of_kernel(event: &Event<'_>) -> Option<What> {
    match event.opcode() {
        START => {
            let parent = event.get("ParentId").ok();
            Some(started(&event.get::<String>("ImageFileName").ok()?, parent, "Process/Start, Stop"))
        }
        STOP => Some(ended(event, "ExitStatus")),
        _ => Some(What::Phase(event.get("Phase").ok()?)),
    }
}

fn of_process(event: &Event<'_>) -> Option<What> {
    if event.id() == PROCESS_STOP {
        return Some(ended(event, "ExitCode"));
    }
    let parent = event.get("ParentProcessID").ok();
    Some(started(&event.get::<String>("ImageName").ok()?, parent, "Microsoft-Windows-Kernel-Process/1, 2"))
}

fn started(path: &str, parent: Option<u32>, source: &'static str) -> What {
    let image = path.rsplit('\\').next().unwrap_or(path);
    What::Started { image: image.into(), landmark: Landmark::of(image, parent), source }
}

fn ended(event: &Event<'_>, code: &str) -> What {
    What::Ended { status: event.get::<i64>(code).ok().map(|code| code as u32) }
}

impl Edge {
    fn of(event: &Event<'_>) -> Option<Self> {
        let (place, is_start) = Place::of(event.provider_guid(), event.id())?;
        let pair = place.pair();
        let label = if pair.label.is_empty() { Box::default() } else { label(event, pair.label) };
        if event.id() == STATUS_CHANGE {
            // A service is starting, or has started; other states do not belong to a start.
            let is_start = match event.get("CurrentState").ok()? {
                START_PENDING => true,
                RUNNING => false,
                _ => return None,
            };
            return Some(Self { place, is_start, label, status: None });
        }
        let is_whole = event.remainder().is_empty();
        let field = |name: &str| event.get::<u32>(name).ok().filter(|_| is_whole && !is_start);
        Some(Self { place, is_start, label, status: field("Status").or_else(|| field("Win32Status")) })
    }
}

/// Returns whether a machine boots in a trace, by the types of its events and by its processes.
pub(super) fn is_boot(trace: &Trace) -> bool {
    let is_of_boot = |key: &EventKey| match key.kind {
        Kind::Manifest => {
            let pair = Place::of(key.provider, key.id).map(|(place, _)| place.pair().role);
            let is_stated = key.provider == DIAGNOSTICS && DIAGNOSTICS_IDS.contains(&key.id);
            pair == Some(Role::Boot) || is_stated || (key.provider == PNP_GUID && key.id == OS_LOADER)
        }
        Kind::Classic => key.provider == PROCESS && key.opcode == BOOT_PHASE_START,
        _ => false,
    };
    let has_event = trace.types().iter().any(|row| row.events() > 0 && is_of_boot(row.key()));
    let started = |process: &etwkit::system::Process| {
        let landmark = Landmark::of(process.file_name(), process.facts.parent);
        process.start.is_some() && landmark.is_some_and(Landmark::is_of_boot)
    };
    has_event || trace.systems().iter().flat_map(|system| system.processes.list()).any(|(_, process)| started(process))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::pairs::PROVIDERS;
    use super::*;

    #[test]
    fn pairs_are_of_interest() {
        for provider in &PROVIDERS {
            let of_pairs = provider.pairs.iter().flat_map(|pair| [pair.ids.0.unwrap_or(pair.ids.1), pair.ids.1]);
            let interest = INTEREST.manifest.iter().find(|(guid, _)| *guid == provider.guid).map(|(_, ids)| *ids);
            let interest = interest.unwrap_or_default().iter().copied();
            assert_eq!(of_pairs.collect::<BTreeSet<_>>(), interest.collect(), "{}", provider.name);
        }
        assert!(Place::of(PNP_GUID, 0).is_none());
    }
}
