//! The files that are compared, and what is compared.

use etwkit_symbols::Frame;

/// A PDB file of the corpus, all of which have age 1.
pub(crate) struct Case {
    pub(crate) pdb: &'static str,
    pub(crate) image: Option<&'static str>,
    pub(crate) guid: u128,
    /// Addresses that are looked up in each function, at least.
    pub(crate) each: u32,
}

pub(crate) const CASES: [Case; 3] = [
    Case {
        pdb: "WriteArgument.pdb",
        image: Some("WriteArgument.exe"),
        guid: 0xDF50_16E1_7D4C_3014_4C4C_4420_5044_422E,
        each: 16,
    },
    Case { pdb: "crash.pdb", image: None, guid: 0x3249_D99D_0C40_4931_8610_F4E4_FB0B_6936, each: 16 },
    Case {
        pdb: "softokn3.pdb",
        image: Some("softokn3.dll"),
        guid: 0xCCF7_9D6C_6BA5_FBBF_4C4C_4420_5044_422E,
        each: 14,
    },
];

/// A frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) number: u32,
}

impl From<&Frame> for Line {
    fn from(frame: &Frame) -> Self {
        let text = |text: Option<&str>| text.unwrap_or("??").to_owned();
        let (function, file) = (text(frame.function.as_deref()), text(frame.file.as_deref()));
        Self { function, file, number: frame.line.unwrap_or(0) }
    }
}
