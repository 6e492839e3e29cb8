//! Schemas of the Windows kernel and of what merging adds, as tables in the text form.
//!
//! Each file of `schemas/` describes one class of events; their comments name sources and conflicts. The names that
//! Windows' own reports use are in `etwkit-windows-formats`.
//!
//! [`events`] has a typed view of every event. `docs/events/README.md` of the repository lists all events with their
//! fields, types and values.

pub mod events;
mod image_identities;
mod inline;
mod observer;
mod parsers;
mod stacks;
mod system_facts;

use etwkit::bytes::Guid;
use etwkit::parser::SchemaTables;
use etwkit::schema::SchemaEntry;

pub use parsers::{ImageIdentities, Kernel, KernelStacks};

static TABLES: SchemaTables = SchemaTables::built_in("kernel", &CLAIMS, &TEXTS);

/// Returns every table of this crate. They are read once in a process.
pub fn tables() -> &'static SchemaTables {
    &TABLES
}

/// Returns all schemas, for printing: a list for each table.
pub fn entries() -> impl Iterator<Item = Vec<SchemaEntry>> {
    TABLES.entries()
}

/// The providers and event classes that the tables describe, sorted.
const CLAIMS: [Guid; 35] = [
    Guid::from_u128(0xa9152f00_3f58_4bee_92a1_70c7d079d5dd),
    Guid::from_u128(0x68fdd900_4a3e_11d1_84f4_0000f80464e3),
    Guid::from_u128(0x13976d09_a327_438c_950b_7f03192815c7),
    Guid::from_u128(0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518),
    Guid::from_u128(0xae53722e_c863_11d2_8659_00c04fa321a1),
    Guid::from_u128(0x3ac66736_cc59_4cff_8115_8df50e39816b),
    Guid::from_u128(0x7687a439_f752_45b8_b741_321aec0f8df9),
    Guid::from_u128(0x90cbdc39_4a3e_11d1_84f4_0000f80464e3),
    Guid::from_u128(0xdef2fe46_7bd6_4b80_bd94_f57fe20d0ce3),
    Guid::from_u128(0x9aec974b_5b8e_4118_9b92_3186d8002ce5),
    Guid::from_u128(0x89497f50_effe_4440_8cf2_ce6b1cdcaca7),
    Guid::from_u128(0x42695762_ea50_497a_9068_5cbbb35e0b95),
    Guid::from_u128(0x01853a65_418f_4f36_aefc_dc0f1d2fd235),
    Guid::from_u128(0x3282fc76_feed_498e_8aa7_e70f459d430e),
    Guid::from_u128(0x99134383_5248_43fc_834b_529454e75df3),
    Guid::from_u128(0x9b79ee91_b5fd_41c0_a243_4248e266e9d0),
    Guid::from_u128(0xd837ca92_12b9_44a5_ad6a_3a65b3578aa8),
    Guid::from_u128(0x222962ab_6180_4b88_a825_346b75f2a24a),
    Guid::from_u128(0xce1dbfb4_137e_4da6_87b0_3f59aa102cbc),
    Guid::from_u128(0x0268a8b6_74fd_4302_9dd0_6e8f1795c0cf),
    Guid::from_u128(0x9a280ac0_c8e0_11d1_84e2_00c04fb998a2),
    Guid::from_u128(0xbbccf6c1_6cd1_48c4_80ff_839482e37671),
    Guid::from_u128(0xbf3a50c5_a9c9_4988_a005_2df0b7c80f80),
    Guid::from_u128(0xbf6ef1cb_89b5_0490_80ac_b180cfbcff0f),
    Guid::from_u128(0x45d8cccd_539f_4b72_a8b7_5c683142609a),
    Guid::from_u128(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c),
    Guid::from_u128(0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c),
    Guid::from_u128(0x3d6fa8d3_fe05_11d0_9dda_00c04fd7ba7c),
    Guid::from_u128(0x3d6fa8d4_fe05_11d0_9dda_00c04fd7ba7c),
    Guid::from_u128(0xb3e675d7_2554_4f18_830b_2762732560de),
    Guid::from_u128(0xe43445e0_0903_48c3_b878_ff0fccebdd04),
    Guid::from_u128(0x6a399ae0_4bc6_4de9_870b_3657f8947e7e),
    Guid::from_u128(0xc861d0e2_a2c1_4d36_9f9c_970bab943a12),
    Guid::from_u128(0xd1d93ef7_e1f2_4f45_9943_03d245fe6c00),
    Guid::from_u128(0xed54dff8_c409_4cf6_bf83_05e1e61a09c4),
];

const TEXTS: [&str; 29] = [
    include_str!("../schemas/alpc.schema"),
    include_str!("../schemas/cc.schema"),
    include_str!("../schemas/critsec.schema"),
    include_str!("../schemas/dbgprint.schema"),
    include_str!("../schemas/diskio.schema"),
    include_str!("../schemas/eventtrace.schema"),
    include_str!("../schemas/fileio.schema"),
    include_str!("../schemas/heap.schema"),
    include_str!("../schemas/image.schema"),
    include_str!("../schemas/job.schema"),
    include_str!("../schemas/memory.schema"),
    include_str!("../schemas/modbound.schema"),
    include_str!("../schemas/object.schema"),
    include_str!("../schemas/perfinfo.schema"),
    include_str!("../schemas/pool.schema"),
    include_str!("../schemas/power.schema"),
    include_str!("../schemas/process.schema"),
    include_str!("../schemas/registry.schema"),
    include_str!("../schemas/splitio.schema"),
    include_str!("../schemas/stackwalk.schema"),
    include_str!("../schemas/symbol.schema"),
    include_str!("../schemas/sysconfig.schema"),
    include_str!("../schemas/systemconfig.schema"),
    include_str!("../schemas/tcpip.schema"),
    include_str!("../schemas/thread.schema"),
    include_str!("../schemas/threadpool.schema"),
    include_str!("../schemas/udpip.schema"),
    include_str!("../schemas/ums.schema"),
    include_str!("../schemas/wnf.schema"),
];

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use etwkit::schema::text;

    #[test]
    fn every_table_can_be_read() {
        for source in super::TEXTS {
            let head = source.lines().next().unwrap_or_default();
            if let Err(error) = text::parse(source) {
                panic!("{head}: {error}");
            }
        }
    }

    #[test]
    fn the_claims_are_what_the_tables_describe() {
        let tables = super::tables();
        assert_eq!(tables.guids(), tables.set().providers());
    }
}
