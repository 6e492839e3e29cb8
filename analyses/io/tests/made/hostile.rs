//! Payloads that are cut or full of ones: nothing panics.

use etwkit_io_analyses::{
    DiskByFile, DiskEach, DiskOverTime, DnsByName, DnsEach, FaultsByFile, FaultsEach, FileByFile, FileEach,
    MemoryByProcess, NetworkByPeer, NetworkEach, NetworkOverTime, RegistryByKey, RegistryEach,
};
use etwkit_synth::Payload;

use super::{Made, found};

/// Groups of hooks: disk, memory, file, TCP, UDP, registry.
const GROUPS: [u16; 6] = [0x0100, 0x0200, 0x0400, 0x0600, 0x0800, 0x0900];

#[test]
fn broken_payloads_are_no_trouble() {
    for (byte, len) in [(0, 0), (0xff, 3), (0xff, 17), (0, 64), (0xff, 64), (0xff, 200)] {
        let hooks = GROUPS.iter().flat_map(|group| (10..=50).chain(64..=130).map(move |opcode| group | opcode));
        let payload = || Payload::new().bytes(&vec![byte; len]);
        let trace = hooks.fold(Made::new(), |made, hook| made.kernel(100, hook, 2, payload())).trace();
        found::<DiskByFile>(&trace);
        found::<DiskEach>(&trace);
        found::<DiskOverTime>(&trace);
        found::<FaultsByFile>(&trace);
        found::<FaultsEach>(&trace);
        found::<FileByFile>(&trace);
        found::<FileEach>(&trace);
        found::<RegistryByKey>(&trace);
        found::<RegistryEach>(&trace);
        found::<MemoryByProcess>(&trace);
        found::<NetworkByPeer>(&trace);
        found::<NetworkEach>(&trace);
        found::<NetworkOverTime>(&trace);
        found::<DnsByName>(&trace);
        found::<DnsEach>(&trace);
    }
}
