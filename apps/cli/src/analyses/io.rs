//! Analyses of what processes use: disks, files, memory, the registry, the network.

use etwkit_io_analyses::{
    DiskByFile, DiskEach, DnsByName, DnsEach, FaultsByFile, FaultsEach, FileByFile, FileEach, MemoryByProcess,
    NetworkByPeer, NetworkEach, RegistryByKey, RegistryEach,
};

use super::Entry;

pub(super) static ENTRIES: [Entry; 7] = [
    Entry::of::<DiskByFile>("disk", "transfers of disks by process and file: bytes, times").with_each(&DISK_EACH),
    Entry::of::<FileByFile>("file", "operations on files by process and file: bytes, times, failures")
        .with_each(&FILE_EACH),
    Entry::of::<FaultsByFile>("faults", "page faults by process and file").with_each(&FAULTS_EACH),
    Entry::of::<RegistryByKey>("registry", "operations on the registry by process and key").with_each(&REGISTRY_EACH),
    Entry::of::<MemoryByProcess>("memory", "virtual memory, heaps and working sets of processes")
        .for_people(&MEMORY_FOR_PEOPLE),
    Entry::of::<NetworkByPeer>("network", "TCP and UDP by process and peer: bytes, connections")
        .with_each(&NETWORK_EACH),
    Entry::of::<DnsByName>("dns", "queries of names by process").with_each(&DNS_EACH),
];

const MEMORY_FOR_PEOPLE: [&str; 8] = [
    "pid",
    "process",
    "allocs",
    "net_committed_bytes",
    "peak_committed_bytes",
    "heap_net_bytes",
    "heap_peak_bytes",
    "working_set_bytes_max",
];

static DISK_EACH: Entry = Entry::of::<DiskEach>("disk", "each transfer of a disk");
static FILE_EACH: Entry = Entry::of::<FileEach>("file", "each operation on a file");
static FAULTS_EACH: Entry = Entry::of::<FaultsEach>("faults", "each page that was read from a disk for a fault");
static REGISTRY_EACH: Entry = Entry::of::<RegistryEach>("registry", "each operation on the registry");
static NETWORK_EACH: Entry = Entry::of::<NetworkEach>("network", "each operation on a connection");
static DNS_EACH: Entry = Entry::of::<DnsEach>("dns", "each query");
