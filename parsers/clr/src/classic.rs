//! The runtime's events as classic ones: the runtime of Windows XP and 2003 has no manifests, and writes the class of
//! the task and the opcode instead of provider and id; version and payload are the same.
//!
//! Source: TraceEvent, which finds each of these events both ways (`lookup` of its facts). `data/classic.txt` has a
//! line for each: class, opcode, provider, id.

use std::sync::LazyLock;

use etwkit::bytes::Guid;
use etwkit::error::Result;
use etwkit::event::{EventKey, Kind, RawEvent};
use etwkit::parser::{Claims, SchemaProvider, TraceFacts};
use etwkit::schema::{Schema, SchemaEntry, SchemaSelector};

/// Serves the tables of manifest events for their classic form.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClassicRuntime;

const TEXT: &str = include_str!("../data/classic.txt");

/// The lines of [`TEXT`], sorted; read when the first event of [`CLASSES`] comes, once in a process. One that cannot be
/// read is a defect, which a test finds.
static TWINS: LazyLock<Vec<Twin>> = LazyLock::new(|| {
    let mut twins: Vec<_> = TEXT.lines().filter_map(twin).collect();
    twins.sort_unstable();
    twins
});

/// Class and opcode of a classic event; provider and id of the manifest event with the same payload.
type Twin = ((Guid, u8), (Guid, u16));

fn twin(line: &str) -> Option<Twin> {
    let mut words = line.split(' ');
    let classic = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some((classic, (words.next()?.parse().ok()?, words.next()?.parse().ok()?)))
}

/// Returns the manifest events that share a class and opcode.
fn twins(classic: (Guid, u8)) -> impl Iterator<Item = (Guid, u16)> {
    let start = TWINS.partition_point(|(known, _)| *known < classic);
    let rest = TWINS.get(start..).unwrap_or_default();
    rest.iter().take_while(move |(known, _)| *known == classic).map(|(_, twin)| *twin)
}

impl ClassicRuntime {
    /// Returns the runtime's schemas, found by class and opcode.
    pub fn entries() -> Vec<SchemaEntry> {
        let tables: Vec<SchemaEntry> = crate::tables().entries().flatten().collect();
        let of_twin = |((class, opcode), (provider, id)): &Twin| {
            let twin = SchemaSelector::Manifest { provider: *provider, id: *id };
            let select = SchemaSelector::Classic { class: *class, opcode: *opcode };
            let same = tables.iter().filter(|entry| entry.select == twin);
            let of_class = |entry: &SchemaEntry| {
                let mut entry = entry.clone();
                entry.select = select.clone();
                entry
            };
            same.map(of_class).collect::<Vec<_>>()
        };
        TWINS.iter().flat_map(of_twin).collect()
    }
}

impl SchemaProvider for ClassicRuntime {
    fn name(&self) -> &'static str {
        "clr-classic"
    }

    fn claims(&self) -> Claims {
        Claims::providers(CLASSES)
    }

    fn schema(&self, event: &RawEvent<'_>, facts: &TraceFacts) -> Result<Option<Schema>> {
        let key = event.key();
        if key.kind != Kind::Classic {
            return Ok(None);
        }
        let schemas = twins((key.provider, key.opcode)).filter_map(|(provider, id)| {
            let twin = EventKey { kind: Kind::Manifest, provider, id, version: key.version, opcode: 0, task: 0 };
            crate::tables().choose(&twin, None, facts.os_build)
        });
        // Where several share them, the payload decides which it is.
        Ok(Schema::chained(schemas))
    }
}

/// The classes of [`TEXT`], sorted.
const CLASSES: [Guid; 46] = [
    Guid::from_u128(0x300ce105_86d1_41f8_b9d2_83fcbff32d99),
    Guid::from_u128(0xcc82530e_a21c_4eb0_a68a_fa4f7e66498f),
    Guid::from_u128(0xee9ede12_c5f5_4995_81a2_dcfb5f6b80c8),
    Guid::from_u128(0x15447a14_b523_46ae_b75b_023f900b4393),
    Guid::from_u128(0x24333617_5ae4_4f9e_a5c5_5ede1bc59207),
    Guid::from_u128(0x3044f61a_99b0_4c21_b203_d39423c73b00),
    Guid::from_u128(0xb4afc324_dece_4b02_86dc_aab8f22bc1b1),
    Guid::from_u128(0xf8666925_22c8_4b70_a131_0738137e7f25),
    Guid::from_u128(0x94179831_e99a_4625_8824_23ca5e00ca7d),
    Guid::from_u128(0xcd7d3e32_65fe_40cd_9225_a2577d203fc3),
    Guid::from_u128(0x861f5339_19d6_4873_b350_7b03228bda7c),
    Guid::from_u128(0x51b6c146_777f_4375_a0f8_1349d076e215),
    Guid::from_u128(0xa77f474d_9d0d_4311_b98e_cfbcf84b9e0f),
    Guid::from_u128(0xea40c74d_4f65_4561_bb26_656231c8967f),
    Guid::from_u128(0x02d08a4f_fd01_4538_989b_03e437b950f4),
    Guid::from_u128(0x840c8456_6457_4eb7_9cd0_d28f01c64f5e),
    Guid::from_u128(0x88e83959_6185_4e0b_95b8_0e4a35df6122),
    Guid::from_u128(0x87f1e966_d604_41ba_b1ab_183849dff29d),
    Guid::from_u128(0x6d168d67_fb06_4a60_83ba_2544e817f6a3),
    Guid::from_u128(0xa1673472_0564_48ea_a95d_b49d4173f105),
    Guid::from_u128(0xe2444377_ddf9_4589_a885_08d6092521df),
    Guid::from_u128(0x4f67e18d_eedd_4056_b8ce_dd822fe54553),
    Guid::from_u128(0x1b032b96_767c_42e4_8481_cb528a66d7bd),
    Guid::from_u128(0x86b6c496_0d9e_4ba6_8193_ca58e6e8c515),
    Guid::from_u128(0x402ee399_c137_4dc0_a5ab_3c2dea64ac9c),
    Guid::from_u128(0x003e5a9b_4757_4d3e_b4a1_e47bfb489408),
    Guid::from_u128(0xbcf2339e_b0a6_452d_966c_33ac9dd82573),
    Guid::from_u128(0x8a9a44ab_f681_4271_8810_830dab9f5621),
    Guid::from_u128(0xe90e32ba_e396_4e6a_a790_0a08c6c925dc),
    Guid::from_u128(0xd3363dc0_243a_4620_a4d0_8a07d772f533),
    Guid::from_u128(0x641994c5_16f2_4123_91a7_a2999dd7bfc3),
    Guid::from_u128(0x598832c8_df4d_4e9e_abe6_2c7bf0ba2da2),
    Guid::from_u128(0xdff63eca_adaa_431f_8f91_72820c7217db),
    Guid::from_u128(0x044973cd_251f_4dff_a3e9_9d6307286b05),
    Guid::from_u128(0xe90049d8_8ab8_4799_b072_eef41265bca4),
    Guid::from_u128(0xb17304d9_5afa_4da6_9f7b_5a4fa73129b6),
    Guid::from_u128(0xd00792da_07b7_40f5_0000_5d974e054740),
    Guid::from_u128(0xd00792da_07b7_40f5_97eb_5d974e054740),
    Guid::from_u128(0x0bcd91db_f943_454a_a662_6edbcfbb76d2),
    Guid::from_u128(0xc71408de_42cc_4f81_9c93_b8912abf2a0f),
    Guid::from_u128(0x5a54f4df_d302_4fee_a211_6c2c0c1dcb1a),
    Guid::from_u128(0xb85ad9e5_658b_4215_8ddb_834040f4bc10),
    Guid::from_u128(0x561410f5_a138_4ab3_945e_516483cddfbc),
    Guid::from_u128(0x2f1b6bf6_18ff_4645_9501_15df6c64c2cf),
    Guid::from_u128(0xeac685f6_2104_4dec_88fd_91e4254221ec),
    Guid::from_u128(0xead685f6_2104_4dec_88fd_91e4254221e9),
];

#[cfg(test)]
mod tests {
    use etwkit::schema::{SchemaSelector, text};

    use super::{CLASSES, ClassicRuntime, TEXT, TWINS};

    #[test]
    fn every_line_leads_to_a_table() {
        assert_eq!(TWINS.len(), TEXT.lines().count());
        let mut classes: Vec<_> = TWINS.iter().map(|((class, _), _)| *class).collect();
        classes.dedup();
        assert_eq!(classes, CLASSES);
        for (classic, (provider, id)) in &*TWINS {
            let is_there = crate::tables().set().providers().contains(provider);
            assert!(is_there, "{classic:?}: {provider} {id}");
        }
    }

    #[test]
    fn every_class_and_opcode_has_an_entry_that_reads_back() {
        let entries = ClassicRuntime::entries();
        for ((class, opcode), _) in &*TWINS {
            let select = SchemaSelector::Classic { class: *class, opcode: *opcode };
            assert!(entries.iter().any(|entry| entry.select == select), "{class} {opcode}");
        }
        assert_eq!(text::parse(&text::print(&entries)).unwrap(), entries);
    }
}
