//! Names of the kernel's event groups (`etwkit::format::group_guid` has their GUIDs).

/// The name of a group; a group without one has its number.
pub(super) fn name(group: u8) -> String {
    NAMES.get(usize::from(group)).map_or_else(|| format!("group {group:#04x}"), |name| (*name).to_owned())
}

/// In the order of their numbers, `EVENT_TRACE_GROUP_*` of `ntwmi.h`.
const NAMES: [&str; 31] = [
    "EventTrace (headers)",
    "DiskIo",
    "PageFault (memory)",
    "Process",
    "FileIo",
    "Thread",
    "TcpIp",
    "Job",
    "UdpIp",
    "Registry",
    "DbgPrint",
    "SystemConfig",
    "LastBranch",
    "Wnf",
    "Pool",
    "PerfInfo",
    "Heap",
    "Object",
    "Power",
    "ModBound",
    "Image",
    "Dpc",
    "Cc (cache)",
    "CritSec",
    "StackWalk",
    "UmsEvent",
    "ALPC",
    "SplitIo",
    "ThreadPool",
    "Hypervisor",
    "HypervisorX",
];
