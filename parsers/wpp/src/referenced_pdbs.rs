//! Which PDB files a trace asks for.
//!
//! A session that records a WPP provider notes the provider's PDB (kernel hook 0x0040, `DBGID_RSDS`) and its binary
//! (hook 0x0043) in the trace (section 4.4).

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use etwkit::bytes::{AnsiText, Guid, Utf16Text, utf16_nul};
use etwkit::input::file_name;

/// Hook of `DBGID_RSDS`.
pub(crate) const HOOK_PDB: u16 = 0x0040;
/// Hook of a provider's binary.
pub(crate) const HOOK_BINARY: u16 = 0x0043;

/// PDB files that are listed; a trace may name any number.
const MAX_LISTED: usize = 4096;
/// Providers of all listed PDB files.
const MAX_PROVIDERS: usize = 1 << 16;

/// The PDB files that a trace names.
#[derive(Clone, Debug, Default)]
pub struct ReferencedPdbs {
    pdbs: Vec<ReferencedPdb>,
    binaries: Vec<Binary>,
    /// GUIDs and ages of the PDB files.
    known: HashSet<(Guid, u32)>,
    /// What `binaries` has.
    known_binaries: HashSet<Binary>,
}

/// A PDB file that a trace names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReferencedPdb {
    /// File name.
    pub name: String,
    /// Path on the machine that built the binary.
    pub path: String,
    /// GUID.
    pub guid: Guid,
    /// Age.
    pub age: u32,
    /// Control GUIDs of its provider, if the trace names the binary.
    pub providers: Vec<Guid>,
    /// The binary on the recording machine, if the trace names it.
    pub binary: Option<String>,
    /// The file that was used; `None`: it is missing.
    pub found: Option<PathBuf>,
}

impl ReferencedPdb {
    /// Returns the folder of the PDB in a symbol store: GUID and age as it writes them.
    pub fn store_key(&self) -> String {
        crate::store::key(self.guid, self.age)
    }
}

/// The contents of an event with hook 0x0043.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Binary {
    pub(crate) providers: Vec<Guid>,
    pub(crate) path: String,
}

impl ReferencedPdbs {
    /// Returns the PDB files, in the order in which the trace names them. All of them together have at most 65,536
    /// providers: a damaged trace may name many files of one binary.
    pub fn list(&self) -> Vec<ReferencedPdb> {
        let mut pdbs = self.pdbs.clone();
        // Only the name links a binary and its PDB: both have the same stem. Of several the first one counts.
        let by_name: HashMap<String, &Binary> =
            self.binaries.iter().rev().map(|binary| (stem(&binary.path), binary)).collect();
        let mut left = MAX_PROVIDERS;
        for pdb in &mut pdbs {
            if let Some(binary) = by_name.get(&stem(&pdb.path)) {
                if let Some(rest) = left.checked_sub(binary.providers.len()) {
                    left = rest;
                    pdb.providers.clone_from(&binary.providers);
                }
                pdb.binary = Some(binary.path.clone());
            }
        }
        pdbs
    }

    /// Returns the PDB files that were not found.
    pub fn missing(&self) -> Vec<ReferencedPdb> {
        self.list().into_iter().filter(|pdb| pdb.found.is_none()).collect()
    }

    pub(crate) fn add(&mut self, pdb: ReferencedPdb) {
        if self.pdbs.len() < MAX_LISTED && self.known.insert((pdb.guid, pdb.age)) {
            self.pdbs.push(pdb);
        }
    }

    pub(crate) fn add_binary(&mut self, binary: Binary) {
        if self.binaries.len() < MAX_LISTED && self.known_binaries.insert(binary.clone()) {
            self.binaries.push(binary);
        }
    }
}

/// Reads the payload of hook 0x0040: GUID, `u32` age, path up to a NUL.
pub(crate) fn read_pdb(payload: &[u8]) -> Option<ReferencedPdb> {
    let (guid, rest) = payload.split_first_chunk::<16>()?;
    let (age, path) = rest.split_first_chunk::<4>()?;
    let path = path.split(|&b| b == 0).next().unwrap_or_default();
    let path = AnsiText(path).to_string();
    Some(ReferencedPdb {
        name: file_name(&path).to_owned(),
        path,
        guid: Guid::from_bytes(*guid),
        age: u32::from_le_bytes(*age),
        providers: Vec::new(),
        binary: None,
        found: None,
    })
}

/// Reads the payload of hook 0x0043: `u32` count, GUIDs, path up to a NUL.
pub(crate) fn read_binary(payload: &[u8]) -> Option<Binary> {
    let (count, mut rest) = payload.split_first_chunk::<4>()?;
    let mut providers = Vec::new();
    for _ in 0..u32::from_le_bytes(*count) {
        let (guid, tail) = rest.split_first_chunk::<16>()?;
        providers.push(Guid::from_bytes(*guid));
        rest = tail;
    }
    Some(Binary { providers, path: Utf16Text(utf16_nul(rest).0).to_string() })
}

/// Returns a file's name without extension, in lower case.
fn stem(path: &str) -> String {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_are_read_and_joined_by_name() {
        let mut rsds = vec![7; 16]; // GUID
        rsds.extend(3_u32.to_le_bytes()); // age
        rsds.extend(b"C:\\obj\\Drv.pdb\0");
        let mut binary = 1_u32.to_le_bytes().to_vec();
        binary.extend([9; 16]);
        binary.extend("\\SystemRoot\\drv.sys\0".encode_utf16().flat_map(u16::to_le_bytes));
        let mut pdbs = ReferencedPdbs::default();
        pdbs.add(read_pdb(&rsds).unwrap());
        pdbs.add(read_pdb(&rsds).unwrap());
        pdbs.add_binary(read_binary(&binary).unwrap());
        let [pdb] = &pdbs.missing()[..] else { panic!("one PDB") };
        assert_eq!((&*pdb.name, pdb.age, pdb.guid), ("Drv.pdb", 3, Guid::from_bytes([7; 16])));
        assert_eq!(
            (&*pdb.providers, pdb.binary.as_deref()),
            (&[Guid::from_bytes([9; 16])][..], Some("\\SystemRoot\\drv.sys"))
        );
        assert_eq!(pdb.store_key(), "070707070707070707070707070707073");
    }

    #[test]
    fn the_first_binary_of_a_name_counts_and_the_list_is_bounded() {
        let mut pdbs = ReferencedPdbs::default();
        let pdb = |guid: u128| ReferencedPdb { guid: Guid::from_u128(guid), ..read_pdb(&[b'A'; 21]).unwrap() };
        (0..=MAX_LISTED as u128).chain([0]).for_each(|guid| pdbs.add(pdb(guid)));
        for path in ["x\\a.sys", "y\\A.dll", "x\\a.sys"] {
            pdbs.add_binary(Binary { providers: Vec::new(), path: path.to_owned() });
        }
        let list = pdbs.list();
        assert_eq!((list.len(), list[0].binary.as_deref()), (MAX_LISTED, Some("x\\a.sys")));
        assert_eq!(pdbs.binaries.len(), 2);
    }

    #[test]
    fn all_files_together_have_a_limited_number_of_providers() {
        let mut pdbs = ReferencedPdbs::default();
        let pdb = |guid: u128| ReferencedPdb { guid: Guid::from_u128(guid), ..read_pdb(&[b'A'; 21]).unwrap() };
        (0..100).for_each(|guid| pdbs.add(pdb(guid)));
        let providers = (0..4_000).map(Guid::from_u128).collect();
        pdbs.add_binary(Binary { providers, path: "a.sys".to_owned() });
        let list = pdbs.list();
        let counts: Vec<usize> = list.iter().map(|pdb| pdb.providers.len()).filter(|count| *count > 0).collect();
        assert_eq!(counts, [4_000; MAX_PROVIDERS / 4_000]);
        assert!(list.iter().all(|pdb| pdb.binary.is_some()));
    }

    #[test]
    fn short_payloads_are_nothing() {
        assert!(read_pdb(&[0; 19]).is_none() && read_binary(&[0xFF; 40]).is_none() && read_binary(&[]).is_none());
    }
}
