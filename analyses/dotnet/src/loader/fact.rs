//! What an event states about assemblies and modules.

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::guids::{DOT_NET_NATIVE, DOT_NET_RUNTIME, DOT_NET_RUNTIME_RUNDOWN};
use etwkit_analysis::{Interest, Need, shared_name};

use crate::origin::Origin;

const IDS: &[u16] = &[151, 152, 153, 154, 155, 156, 157, 290, 291];
const RUNDOWN_IDS: &[u16] = &[151, 152, 153, 154, 155, 156, 157, 158];
const EVENTS: &[(Guid, &[u16])] =
    &[(DOT_NET_RUNTIME, IDS), (DOT_NET_NATIVE, IDS), (DOT_NET_RUNTIME_RUNDOWN, RUNDOWN_IDS)];

pub(super) const INTEREST: Interest = Interest {
    manifest: EVENTS,
    classic: &[],
    need: Need::Keywords(
        "Microsoft-Windows-DotNETRuntime or its rundown with the keyword Loader (0x8), level 4; for loading times the \
         keyword AssemblyLoader (0x4)",
    ),
};

/// The contents of an event, and the process that wrote it.
#[derive(Clone, Debug)]
pub struct LoaderFact {
    pub(crate) origin: Origin,
    pub(super) when: When,
    pub(super) what: What,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Load,
    Unload,
    /// It was there at the begin or the end of the session.
    Rundown,
}

/// To what.
#[derive(Clone, Debug)]
pub(super) enum What {
    Domain {
        id: u64,
        name: Box<str>,
    },
    Assembly {
        id: u64,
        domain: u64,
        name: Box<str>,
    },
    Module {
        id: u64,
        assembly: u64,
        domain: Option<u64>,
        flags: u32,
        path: Box<str>,
        native: Box<str>,
    },
    /// The runtime begins to load an assembly.
    LoadBegin,
    /// It has loaded it.
    LoadEnd {
        name: Box<str>,
    },
}

impl LoaderFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let id = event.raw().id();
        let origin = Origin::of(event)?;
        let (when, what) = if event.raw().provider_guid() == DOT_NET_RUNTIME_RUNDOWN {
            let what = match id {
                151 | 152 => module(event, true),
                153 | 154 => module(event, false),
                155 | 156 => assembly(event),
                _ => domain(event),
            };
            (When::Rundown, what)
        } else {
            match id {
                151 => (When::Load, module(event, true)),
                152 => (When::Load, module(event, false)),
                153 => (When::Unload, module(event, false)),
                154 => (When::Load, assembly(event)),
                155 => (When::Unload, assembly(event)),
                156 => (When::Load, domain(event)),
                157 => (When::Unload, domain(event)),
                290 => (When::Load, Some(What::LoadBegin)),
                _ => (When::Load, Some(loaded(event))),
            }
        };
        Some(Self { origin, when, what: what? })
    }
}

fn text(event: &Event<'_>, name: &str) -> Box<str> {
    event.get::<String>(name).map(|text| shared_name(&text)).unwrap_or_default()
}

fn domain(event: &Event<'_>) -> Option<What> {
    Some(What::Domain { id: event.get("AppDomainID").ok()?, name: text(event, "AppDomainName") })
}

fn assembly(event: &Event<'_>) -> Option<What> {
    Some(What::Assembly {
        id: event.get("AssemblyID").ok()?,
        domain: event.get("AppDomainID").ok()?,
        name: text(event, "FullyQualifiedAssemblyName"),
    })
}

fn module(event: &Event<'_>, is_of_domain: bool) -> Option<What> {
    Some(What::Module {
        id: event.get("ModuleID").ok()?,
        assembly: event.get("AssemblyID").ok()?,
        domain: if is_of_domain { event.get("AppDomainID").ok() } else { None },
        flags: event.get("ModuleFlags").unwrap_or(0),
        path: text(event, "ModuleILPath"),
        native: text(event, "ModuleNativePath"),
    })
}

/// The end of a load that found an assembly which was not loaded yet.
fn loaded(event: &Event<'_>) -> What {
    let is = |name: &str| event.get::<bool>(name).unwrap_or(false);
    let result = text(event, "ResultAssemblyName");
    let is_new = is("Success") && !is("Cached");
    What::LoadEnd { name: if is_new { result } else { "".into() } }
}
