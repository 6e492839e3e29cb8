//! Images that tests make.
#![allow(dead_code, reason = "each program of tests uses some")]

use etwkit::bytes::Guid;

/// An image that is being made ("PE Format" of Microsoft's documentation).
#[derive(Clone, Default)]
pub(crate) struct Pe {
    pub is_x86: bool,
    pub(crate) time_date_stamp: u32,
    pub(crate) size_of_image: u32,
    /// RVA and size of the section with code.
    pub(crate) code: (u32, u32),
    /// Path, GUID and age of the PDB file.
    pub(crate) pdb: Option<(String, Guid, u32)>,
    /// Names and RVAs, sorted by name.
    pub(crate) exports: Vec<(String, u32)>,
}

/// Where the data of the image is, in memory and in the file.
const DATA: u32 = 0x10_0000;
const FILE: u32 = 0x400;
const DEBUG: u32 = 6;

impl Pe {
    /// Returns the file: headers, and a section with the debug directory and the export table. The code is not in it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let (debug, debug_len) = self.debug_directory(DATA);
        let exports_at = DATA + debug.len() as u32;
        let exports = self.export_table(exports_at);
        let data = [debug, exports.clone()].concat();
        let mut out = b"MZ".to_vec();
        out.resize(60, 0);
        out.extend(64_u32.to_le_bytes());
        out.extend(b"PE\0\0");
        out.extend((if self.is_x86 { 0x014C_u16 } else { 0x8664 }).to_le_bytes());
        out.extend(2_u16.to_le_bytes()); // sections
        out.extend(self.time_date_stamp.to_le_bytes());
        out.extend([0; 8]);
        let directories: usize = if self.is_x86 { 96 } else { 112 };
        out.extend((directories as u16 + 128).to_le_bytes());
        out.extend(0x2022_u16.to_le_bytes()); // executable, library
        let optional = out.len();
        out.resize(optional + directories + 128, 0);
        let mut put = |at: usize, word: u32| out[optional + at..optional + at + 4].copy_from_slice(&word.to_le_bytes());
        put(0, if self.is_x86 { 0x10B } else { 0x20B });
        put(if self.is_x86 { 28 } else { 24 }, 0x40_0000); // base
        put(32, 0x1000); // alignment in memory
        put(36, 0x200); // and in the file
        put(56, self.size_of_image);
        put(60, FILE); // bytes of headers
        put(directories - 4, 16);
        if !self.exports.is_empty() {
            put(directories, exports_at);
            put(directories + 4, exports.len() as u32);
        }
        put(directories + 8 * DEBUG as usize, DATA);
        put(directories + 8 * DEBUG as usize + 4, debug_len);
        section(&mut out, *b".text\0\0\0", [self.code.1, self.code.0, 0, 0], 0x6000_0020);
        section(&mut out, *b".rdata\0\0", [data.len() as u32, DATA, data.len() as u32, FILE], 0x4000_0040);
        out.resize(FILE as usize, 0);
        out.extend(data);
        out
    }

    /// Returns the debug directory and what it names, and the bytes of the directory alone.
    fn debug_directory(&self, at: u32) -> (Vec<u8>, u32) {
        let Some((path, guid, age)) = &self.pdb else { return (Vec::new(), 0) };
        let mut info = b"RSDS".to_vec();
        info.extend(guid.to_bytes());
        info.extend(age.to_le_bytes());
        info.extend(path.bytes().chain([0]));
        let words = [0, self.time_date_stamp, 0, 2, info.len() as u32, at + 28, FILE + 28]; // 2: CodeView
        let mut out: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        out.extend(info);
        out.resize(out.len().next_multiple_of(4), 0);
        (out, 28)
    }

    fn export_table(&self, at: u32) -> Vec<u8> {
        let count = self.exports.len() as u32;
        let [addresses, names] = [at + 40, at + 40 + 4 * count];
        let ordinals = names + 4 * count;
        let mut texts = ordinals + 2 * count;
        let mut out: Vec<u8> = [0, 0, 0, 0, 1, count, count, addresses, names, ordinals].map(u32::to_le_bytes).concat();
        out.extend(self.exports.iter().flat_map(|(_, rva)| rva.to_le_bytes()));
        for (name, _) in &self.exports {
            out.extend(texts.to_le_bytes());
            texts += name.len() as u32 + 1;
        }
        out.extend((0..count as u16).flat_map(u16::to_le_bytes));
        out.extend(self.exports.iter().flat_map(|(name, _)| name.bytes().chain([0])));
        out
    }
}

fn section(out: &mut Vec<u8>, name: [u8; 8], [size, address, file_size, file]: [u32; 4], flags: u32) {
    out.extend(name);
    out.extend([size, address, file_size, file, 0, 0, 0, flags].iter().flat_map(|word| word.to_le_bytes()));
}
