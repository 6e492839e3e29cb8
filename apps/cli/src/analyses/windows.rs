//! Analyses of the trace and the machine.

use etwkit_windows_analyses::{
    BootEach, BootPhases, EventTypes, GpuByEngine, GpuEach, HttpByUrl, IdleStates, Machine, PresentByProcess,
    ProcessorPower, RpcByProcedure, RpcEach, Summary, VSyncByAdapter,
};

use super::Entry;

pub(super) static ENTRIES: [Entry; 11] = [
    Entry::of::<Summary>("summary", "session, machine, extent and losses of the trace"),
    Entry::of::<EventTypes>("events", "events by provider and name: count, bytes, stacks, rate").not_compared(),
    Entry::of::<Machine>("machine", "processors, disks, adapters, services of the machine, results of WinSAT"),
    Entry::of::<BootPhases>("boot", "phases of a boot: when, how long, by which events").with_each(&BOOT_EACH),
    Entry::of::<RpcByProcedure>("rpc", "remote procedure calls by process and procedure").with_each(&RPC_EACH),
    Entry::of::<HttpByUrl>("http", "HTTP requests by URL: errors, times"),
    Entry::of::<PresentByProcess>("present", "frames that processes presented: rate, intervals"),
    Entry::of::<GpuByEngine>("gpu", "work of graphics processors by process and engine").with_each(&GPU_EACH),
    Entry::of::<VSyncByAdapter>("vsync", "vertical synchronizations of displays: rate, intervals"),
    Entry::of::<ProcessorPower>("power", "frequencies and parking of processors"),
    Entry::of::<IdleStates>("idle", "idle states of processors: how often, how long"),
];

static RPC_EACH: Entry = Entry::of::<RpcEach>("rpc", "each remote procedure call");
static BOOT_EACH: Entry = Entry::of::<BootEach>("boot", "each step of a boot: drivers, devices, services, programs");
static GPU_EACH: Entry = Entry::of::<GpuEach>("gpu", "each packet of work for a graphics processor");
