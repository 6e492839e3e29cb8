//! Events that state something about a whole trace: programs read them whatever events are chosen, so every copy has them.
//!
//! Parsers learn nothing from them, so the first pass does not know them. A test compares what the readers of this project
//! find in traces and in copies.

use etwkit::Guid;
use etwkit::event::EventKey;
use etwkit::format::IMAGE_ID;

/// Which events of a provider or class.
enum Which {
    All,
    Ids(&'static [u16]),
    Opcodes(&'static [u8]),
}

const FACTS: [(Guid, Which); 8] = [
    // PerfInfo: SetInterval, CollectionStart, CollectionEnd. The time that a sample stands for, and names of counters.
    (Guid::from_u128(0xce1d_bfb4_137e_4da6_87b0_3f59_aa10_2cbc), Which::Opcodes(&[72, 73, 74])),
    // KernelTraceControl, ImageID: FileVersion. The versions of files, which merging adds for all processes at once.
    (IMAGE_ID, Which::Opcodes(&[64])),
    // Registry: KCBCreate, KCBDelete, KCBRundownBegin, KCBRundownEnd. The paths of keys.
    (Guid::from_u128(0xae53_722e_c863_11d2_8659_00c0_4fa3_21a1), Which::Opcodes(&[22, 23, 24, 25])),
    // SystemConfig: processors, memory, disks, network adapters, services.
    (Guid::from_u128(0x0185_3a65_418f_4f36_aefc_dc0f_1d2f_d235), Which::All),
    // What sessions add when they are stopped: the system's build, network adapters.
    (Guid::from_u128(0x9b79_ee91_b5fd_41c0_a243_4248_e266_e9d0), Which::All),
    // EventTrace: the system's build.
    (Guid::from_u128(0x68fd_d900_4a3e_11d1_84f4_0000_f804_64e3), Which::All),
    // Microsoft-Windows-PktMon: components, and their properties.
    (Guid::from_u128(0x4d4f_80d9_c8bd_4d73_bb5b_19c9_0402_c5ac), Which::Ids(&[20, 30, 70])),
    // Microsoft-Windows-NDIS-PacketCapture: names of interfaces.
    (Guid::from_u128(0x2ed6_006e_4729_4609_b423_3ee7_bcd6_78ef), Which::Ids(&[5101])),
];

/// Returns whether events with a key state something about the whole trace.
pub(crate) fn is_fact(key: &EventKey) -> bool {
    FACTS.iter().any(|(provider, which)| *provider == key.provider && which.has(key))
}

impl Which {
    fn has(&self, key: &EventKey) -> bool {
        match self {
            Self::All => true,
            Self::Ids(ids) => ids.contains(&key.id),
            Self::Opcodes(opcodes) => opcodes.contains(&key.opcode),
        }
    }
}
