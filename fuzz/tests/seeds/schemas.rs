//! Sources of schemas.

use etwkit_synth::schema::{EventInfo, EventMap, Property};
use etwkit_synth::{Guid, Payload};

use super::Seeds;
use crate::image::{Resource, image};
use crate::made::msf;
use crate::mc::{message_table, resource};

const MAN: &str = include_str!("../../../parsers/manifest/tests/common/sample.man");

/// What event sources of .NET write, but short.
const SOURCE: &str = r#"<instrumentationManifest><instrumentation><events>
<provider name="S" guid="{00112233-4455-6677-8899-aabbccddeeff}">
<tasks><task name="T" value="65533"/></tasks>
<maps><valueMap name="M"><map value="1" message="$(string.m)"/></valueMap></maps>
<events><event value="1" version="0" task="T" opcode="win:Start" template="A" message="$(string.e)"/></events>
<templates><template tid="A"><data name="N" inType="win:UInt32" map="M"/><data name="B" inType="win:Binary" length="N"/></template></templates>
</provider></events></instrumentation>
<localization><resources culture="en-US"><stringTable><string id="m" value="one"/><string id="e" value="%1 of %2"/></stringTable></resources></localization>
</instrumentationManifest>"#;

const TMF: &str = "// PDB:  a.pdb\n2363c985-9b6e-3283-34a7-e8c27a60b889 sys // SRC=a.c MJ= MN=\n#enumv E\n{\nRed,0x0\nGreen,1\n}\n\
    #typev a_c1 10 \"%0n=%10!08.3d! \\\"%11!s!\\\" %12!-20.5s! %99!s! %!FUNC! %4!s!\" // LEVEL=L FLAGS=A | B FUNC=f\n{\n\
    f(a, ItemLong -- b), ItemLong -- 10\ns, ItemPWString -- 11\nt, ItemSetLong(a,b,c) -- 12\nodd\n}\n\
    #type a_c2 11 \"%0%10!s!%11!s!\"\n{\nu, ItemFlagsEnum(E) -- 10\nv, ItemSid -- 11\n}\nwhat is this\n";

/// Returns a piece: kind, length, bytes.
fn piece(kind: u8, bytes: &[u8]) -> Vec<u8> {
    [&[kind][..], &u16::try_from(bytes.len()).unwrap().to_le_bytes(), bytes].concat()
}

/// Pieces, their end, and a payload.
fn pieces(pieces: &[(u8, &[u8])], payload: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = pieces.iter().flat_map(|(kind, bytes)| piece(*kind, bytes)).collect();
    out.extend([0xFF, 0, 0]);
    out.extend(payload);
    out
}

impl Seeds {
    pub(super) fn schemas(&mut self) {
        self.tei();
        self.manifests();
        self.pack();
        self.wpp();
    }

    fn tei(&mut self) {
        let property = |name: &str, input, output| Property::new(name, input, output, 0);
        let items =
            Property { flags: 1 | 4, name: "I".into(), in_type: 4, out_type: 2, count: 1, ..Property::default() };
        let info = EventInfo {
            provider: Guid::new(7),
            id: 7,
            opcode: 11,
            keyword: 5,
            provider_name: "P".into(),
            task_name: "T".into(),
            keywords: vec!["One".into(), "Four".into()],
            message: "%1 of %4!x!%n".into(),
            top_level: 4,
            properties: vec![
                Property { map: "K".into(), ..property("Kind", 8, 8) },
                property("Count", 4, 0),
                items,
                property("Name", 1, 1),
                property("Size", 6, 0),
                Property { flags: 2, length: 4, ..property("Data", 14, 15) },
            ],
            ..EventInfo::default()
        };
        let map = |flag| EventMap { name: "K".into(), flag, entries: vec![(1, "A".into()), (2, "B".into())] };
        let payload = Payload::new().u32(2).u8(2).u16(1).u8(0xAA).u16(0).utf16z("end").into_bytes();
        for (name, flag) in [("values", 1), ("bits", 2)] {
            let map = Payload::new().guid(info.provider).bytes(&map(flag).to_bytes()).into_bytes();
            self.add("tei", name, &pieces(&[(0, &info.to_bytes()), (1, &map)], &payload));
        }
        let class = EventInfo { event_guid: Guid::new(5), decoding_source: 1, ..info.clone() };
        self.add("tei", "class", &pieces(&[(0, &info.to_bytes()), (0, &class.to_bytes())], &payload));
    }

    fn manifests(&mut self) {
        let wide =
            |text: &str| [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        self.add("manifest_xml", "sample", MAN.as_bytes());
        self.add("manifest_xml", "source", SOURCE.as_bytes());
        self.add("manifest_xml", "wide", &wide(SOURCE));
        let payload = [1, 0, 0, 0, 9];
        self.add("manifest_chunks", "whole", &pieces(&[(0x10, SOURCE.as_bytes())], &payload));
        let (first, second) = SOURCE.as_bytes().split_at(SOURCE.len() / 2);
        let chunk = |number: u8, text: &[u8]| [&[1, 0, 0, 0x5B, 2, 0, number, 0], text].concat();
        let halves = [(1, chunk(0, first)), (2, chunk(0, first)), (1, chunk(1, second)), (2, chunk(1, second))];
        let halves: Vec<(u8, &[u8])> = halves.iter().map(|(kind, bytes)| (*kind, &bytes[..])).collect();
        self.add("manifest_chunks", "halves", &pieces(&halves, &payload));
        let (table, template) = (message_table(), resource());
        let payload = [1, 0, 0, 0, 1, 1, 0, 7, 3, 0, 0, 0];
        self.add("wevt", "template", &pieces(&[(0, &table), (1, &template)], &payload));
        let parts = [
            Resource { name: Some("WEVT_TEMPLATE"), number: 0, language: 0x409, bytes: &template },
            Resource { name: None, number: 11, language: 0x409, bytes: &table },
        ];
        self.add("wevt", "image", &pieces(&[(2, &image(&parts))], &payload));
    }

    /// A provider as `cargo xtask schemas` would write it: texts; name, no owner; a task, an opcode; a map; builds.
    fn pack(&mut self) {
        let mut block = vec![3, 1, 2, 3];
        block.extend(b"aTxMap");
        block.extend([0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 2, 0, 1, 1, 1, 1, 0, 0]);
        // Fields: a number with a map, bytes of its length, a struct of both.
        block.extend([3, 0, 8, 0, 0x10, 0, 1, 14, 0, 2, 0, 2, 24, 0, 0x20, 2, 0, 1]);
        // A template of the struct and a number; two events with it.
        block.extend([1, 2, 2, 0, 2, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
        self.add("pack", "block", &[&[1][..], &block].concat());
        self.add("pack", "twice", &[&[3][..], &block].concat());
        let mut whole = b"ETWFACT1".to_vec();
        whole.extend([1, 0, 0, 0, 1, 0, 0, 0]);
        whole.extend([7; 16]);
        whole.extend([0; 8]);
        let packed = miniz_oxide::deflate::compress_to_vec(&block, 6);
        for number in [52, packed.len(), block.len()] {
            whole.extend(u32::try_from(number).unwrap().to_le_bytes());
        }
        self.add("pack", "whole", &[&[0][..], &whole, &packed].concat());
    }

    fn wpp(&mut self) {
        self.add("tmf", "items", TMF.as_bytes());
        let payload = Payload::new().u32(7).u16(4).u16(0x41).u16(0x42).u32(5).into_bytes();
        self.add("wpp", "text", &[&[10, 0x28][..], &pieces(&[(0, TMF.as_bytes())], &payload)].concat());
        for number in (0..60).step_by(3) {
            let payload: Vec<u8> = (0..40_u8).map(|at| at.wrapping_mul(number) % 7).collect();
            self.add("wpp", &format!("item-{number}"), &[&[number, 0][..], &pieces(&[], &payload)].concat());
        }
        self.add("pdb", "msf", &msf(TMF));
        #[cfg(feature = "msfz")]
        self.add("pdb", "msfz", &crate::made::msfz(TMF));
    }
}
