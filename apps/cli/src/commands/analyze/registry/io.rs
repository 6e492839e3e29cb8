//! Analyses of what processes use: disks, files, memory, network.

use etwkit_io_analyses::{DiskByFile, DiskEach, FaultsByFile, FaultsEach, NetworkByPeer, NetworkEach};

use super::Entry;

pub(super) static ENTRIES: [Entry; 3] = [
    Entry::of::<DiskByFile>("disk", "transfers of disks by process and file: bytes, times").with_each(&DISK_EACH),
    Entry::of::<FaultsByFile>("faults", "page faults by process and file").with_each(&FAULTS_EACH),
    Entry::of::<NetworkByPeer>("network", "TCP and UDP by process and peer: bytes, connections")
        .with_each(&NETWORK_EACH),
];

static DISK_EACH: Entry = Entry::of::<DiskEach>("disk", "each transfer of a disk");
static FAULTS_EACH: Entry = Entry::of::<FaultsEach>("faults", "each page that was read from a disk for a fault");
static NETWORK_EACH: Entry = Entry::of::<NetworkEach>("network", "each operation on a connection");
