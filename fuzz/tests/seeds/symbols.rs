//! Symbol files.

use std::io::{Cursor, Write as _};

use etwkit::bytes::Guid;

use super::Seeds;
use crate::pdb_file::pdb;
use crate::pe_file::Pe;

const BREAKPAD: &str = "MODULE windows x86_64 00112233445566778899AABBCCDDEEFF1A a.pdb\nFILE 0 a.cpp\nINLINE_ORIGIN 3 inner(int)\n\
    PUBLIC 1300 0 last\nFUNC m 1000 40 0 outer(int)\nINLINE 0 12 0 3 1010 8 1020 4\n1000 10 10 0\n1010 8 99 0\n";

impl Seeds {
    pub(super) fn symbols(&mut self) {
        let guid = Guid::from_u128(0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF);
        let file = pdb(guid, 0x1A);
        let mut builder = cab::CabinetBuilder::new();
        builder.add_folder(cab::CompressionType::MsZip).add_file("a.pdb");
        let mut cabinet = builder.build(Cursor::new(Vec::new())).unwrap();
        cabinet.next_file().unwrap().unwrap().write_all(&file).unwrap();
        let cabinet = cabinet.finish().unwrap().into_inner();
        let exports = [("Alpha", 0x1010), ("?run@Job@@QEAAXPEAV1@0@Z", 0x1080)];
        let exports = exports.map(|(name, rva)| (name.to_owned(), rva)).to_vec();
        let pdb = Some((r"d:\a.pdb".to_owned(), guid, 0x1A));
        let image =
            Pe { time_date_stamp: 1, size_of_image: 0x20_0000, code: (0x1000, 0x400), exports, pdb, is_x86: true };
        let files: [(&str, u8, &[u8]); 5] = [
            ("image", 0, &image.bytes()),
            ("breakpad", 1, BREAKPAD.as_bytes()),
            ("cabinet", 2, &cabinet),
            ("pdb", 3, &file),
            ("arguments", 0x83, &file),
        ];
        for (name, kind, bytes) in files {
            self.add("symbols", name, &[&[kind], bytes].concat());
        }
    }
}
