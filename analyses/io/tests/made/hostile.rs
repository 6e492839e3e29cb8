//! Payloads that are cut or full of ones: nothing panics.

use std::fmt::Debug;

use etwkit::trace::Trace;
use etwkit_analysis::Analysis;
use etwkit_io_analyses::{
    DiskByFile, DiskEach, DiskOverTime, DnsByName, DnsEach, FaultsByFile, FaultsEach, FileByFile, FileEach,
    MemoryByProcess, NetworkByPeer, NetworkEach, NetworkOverTime, RegistryByKey, RegistryEach,
};
use etwkit_synth::Payload;

use super::{Made, dns, found};

/// Groups of hooks: disk, memory, file, TCP, UDP, registry.
const GROUPS: [u16; 6] = [0x0100, 0x0200, 0x0400, 0x0600, 0x0800, 0x0900];

#[test]
fn broken_payloads_are_no_trouble() {
    for (byte, len) in [(0, 0), (0xff, 3), (0xff, 17), (0, 64), (0xff, 64), (0xff, 200)] {
        let hooks = GROUPS.iter().flat_map(|group| (10..=50).chain(64..=130).map(move |opcode| group | opcode));
        let payload = || Payload::new().bytes(&vec![byte; len]);
        let made = hooks.fold(Made::new(), |made, hook| made.kernel(100, hook, 2, payload()));
        let trace = [3006, 3008].iter().fold(made, |made, id| dns::with(made, *id, payload())).trace();
        survives::<DiskByFile>(&trace);
        survives::<DiskEach>(&trace);
        survives::<DiskOverTime>(&trace);
        survives::<FaultsByFile>(&trace);
        survives::<FaultsEach>(&trace);
        survives::<FileByFile>(&trace);
        survives::<FileEach>(&trace);
        survives::<RegistryByKey>(&trace);
        survives::<RegistryEach>(&trace);
        survives::<MemoryByProcess>(&trace);
        survives::<NetworkByPeer>(&trace);
        survives::<NetworkEach>(&trace);
        survives::<NetworkOverTime>(&trace);
        survives::<DnsByName>(&trace);
        survives::<DnsEach>(&trace);
    }
}

/// Runs an analysis, which reads some of the events.
fn survives<A: Analysis<Row: PartialEq + Debug>>(trace: &Trace) {
    assert!(A::events(trace) > 0, "{}", std::any::type_name::<A>());
    found::<A>(trace);
}
