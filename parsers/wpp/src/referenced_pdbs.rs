//! Which PDB files a trace asks for.
//!
//! A session that records a WPP provider notes the provider's PDB (kernel hook 0x0040, `DBGID_RSDS`) and its binary
//! (hook 0x0043) in the trace (section 4.4).

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use etwkit::bytes::{AnsiText, Guid, Utf16Text, utf16_nul};
use etwkit::error::{Error, Result};
use etwkit::input::file_name;

/// Hook of `DBGID_RSDS`.
pub(crate) const HOOK_PDB: u16 = 0x0040;
/// Hook of a provider's binary.
pub(crate) const HOOK_BINARY: u16 = 0x0043;

/// PDB files that are listed, and binaries that are kept; a trace may name any number.
const MAX_LISTED: usize = 4096;
/// Bytes of the names, paths and providers of all PDB files and binaries that are kept, and of the paths of binaries in
/// a list: an event may have a path of nearly 64 KiB, and many PDB files one binary. Paths of Windows have some hundred.
const MAX_BYTES: usize = 4 << 20;
/// Providers of all listed PDB files.
const MAX_PROVIDERS: usize = 1 << 16;

/// The PDB files that a trace names.
#[derive(Clone, Debug, Default)]
pub struct ReferencedPdbs {
    pdbs: Vec<ReferencedPdb>,
    /// The first binary of each name. Only the name links a binary and its PDB: both have the same stem.
    binaries: HashMap<String, Binary>,
    /// GUIDs and ages of the PDB files.
    known: HashSet<(Guid, u32)>,
    /// What counts towards [`MAX_BYTES`].
    bytes: usize,
    /// Something was not kept, which is reported once.
    is_full: bool,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binary {
    pub(crate) providers: Vec<Guid>,
    pub(crate) path: String,
}

impl ReferencedPdbs {
    /// Returns the PDB files, in the order in which the trace names them. All of them together have at most 65,536
    /// providers, and 4 MiB of paths of binaries: a damaged trace may name many files of one binary.
    pub fn list(&self) -> Vec<ReferencedPdb> {
        let mut pdbs = self.pdbs.clone();
        let (mut providers, mut bytes) = (MAX_PROVIDERS, MAX_BYTES);
        for pdb in &mut pdbs {
            let Some(binary) = self.binaries.get(&stem(&pdb.path)) else { continue };
            if let Some(rest) = providers.checked_sub(binary.providers.len()) {
                providers = rest;
                pdb.providers.clone_from(&binary.providers);
            }
            if let Some(rest) = bytes.checked_sub(binary.path.len()) {
                bytes = rest;
                pdb.binary = Some(binary.path.clone());
            }
        }
        pdbs
    }

    /// Returns the PDB files that were not found.
    pub fn missing(&self) -> Vec<ReferencedPdb> {
        self.list().into_iter().filter(|pdb| pdb.found.is_none()).collect()
    }

    /// Keeps a PDB file. Returns what is kept of it; `None` if it is known or does not fit.
    pub(crate) fn add(&mut self, pdb: ReferencedPdb) -> Result<Option<&mut ReferencedPdb>> {
        let key = (pdb.guid, pdb.age);
        if self.known.contains(&key) || !self.take(self.pdbs.len(), pdb.path.len() + pdb.name.len())? {
            return Ok(None);
        }
        self.known.insert(key);
        self.pdbs.push(pdb);
        Ok(self.pdbs.last_mut())
    }

    /// Keeps a binary, unless one of its name is known or it does not fit.
    pub(crate) fn add_binary(&mut self, binary: Binary) -> Result<()> {
        let stem = stem(&binary.path);
        let bytes = stem.len() + binary.path.len() + size_of_val(&*binary.providers);
        if !self.binaries.contains_key(&stem) && self.take(self.binaries.len(), bytes)? {
            self.binaries.insert(stem, binary);
        }
        Ok(())
    }

    /// Returns whether one more fits, besides `listed` and with so many bytes; if so they count as taken.
    ///
    /// # Errors
    ///
    /// The limit that is exceeded, the first time that something does not fit.
    fn take(&mut self, listed: usize, bytes: usize) -> Result<bool> {
        let limit = if listed >= MAX_LISTED {
            Error::limit("PDB files and binaries that a trace names", MAX_LISTED)
        } else if bytes > MAX_BYTES - self.bytes {
            Error::limit("bytes of PDB files and binaries that a trace names", MAX_BYTES)
        } else {
            self.bytes += bytes;
            return Ok(true);
        };
        if std::mem::replace(&mut self.is_full, true) { Ok(false) } else { Err(limit) }
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
        assert!(pdbs.add(read_pdb(&rsds).unwrap()).unwrap().is_some());
        assert!(pdbs.add(read_pdb(&rsds).unwrap()).unwrap().is_none());
        pdbs.add_binary(read_binary(&binary).unwrap()).unwrap();
        let [pdb] = &pdbs.missing()[..] else { panic!("one PDB") };
        assert_eq!((&*pdb.name, pdb.age, pdb.guid), ("Drv.pdb", 3, Guid::from_bytes([7; 16])));
        assert_eq!(
            (&*pdb.providers, pdb.binary.as_deref()),
            (&[Guid::from_bytes([9; 16])][..], Some("\\SystemRoot\\drv.sys"))
        );
        assert_eq!(pdb.store_key(), "070707070707070707070707070707073");
    }

    /// Adds a PDB file with a path of so many bytes; whether it is kept.
    fn add(pdbs: &mut ReferencedPdbs, guid: u128, len: usize) -> Result<bool> {
        let pdb = ReferencedPdb { guid: Guid::from_u128(guid), ..read_pdb(&vec![b'A'; 20 + len]).unwrap() };
        pdbs.add(pdb).map(|kept| kept.is_some())
    }

    #[test]
    fn the_first_binary_of_a_name_counts_and_the_list_is_bounded() {
        let mut pdbs = ReferencedPdbs::default();
        let most = MAX_LISTED as u128;
        (0..most).for_each(|guid| assert!(add(&mut pdbs, guid, 1).unwrap()));
        assert!(!add(&mut pdbs, 0, 1).unwrap(), "a known one");
        assert!(add(&mut pdbs, most, 1).is_err() && !add(&mut pdbs, most, 1).unwrap(), "it is reported once");
        for path in ["x\\a.sys", "y\\A.dll", "x\\a.sys"] {
            pdbs.add_binary(Binary { providers: Vec::new(), path: path.to_owned() }).unwrap();
        }
        let list = pdbs.list();
        assert_eq!((list.len(), list[0].binary.as_deref()), (MAX_LISTED, Some("x\\a.sys")));
        assert_eq!(pdbs.binaries.len(), 1);
    }

    #[test]
    fn long_paths_and_many_providers_take_bounded_memory() {
        const LEN: usize = 60_000;
        let mut pdbs = ReferencedPdbs::default();
        // The path is the name, too.
        let kept = (0..MAX_LISTED as u128).take_while(|guid| add(&mut pdbs, *guid, LEN).is_ok()).count();
        assert_eq!((kept, pdbs.list().len()), (MAX_BYTES / (2 * LEN), MAX_BYTES / (2 * LEN)));
        let mut pdbs = ReferencedPdbs::default();
        let binary = |at: u128| Binary { providers: vec![Guid::from_u128(at); 4_000], path: format!("{at}.sys") };
        let kept = (0..MAX_LISTED as u128).take_while(|at| pdbs.add_binary(binary(*at)).is_ok()).count();
        assert!((1..=MAX_BYTES / (4_000 * 16)).contains(&kept), "{kept}");
        assert!(pdbs.add_binary(binary(5_000)).is_ok(), "it is reported once");
        assert!(add(&mut pdbs, 7, 1).unwrap(), "a short one still fits");
    }

    #[test]
    fn a_list_repeats_the_path_of_a_binary_a_bounded_number_of_times() {
        let mut pdbs = ReferencedPdbs::default();
        (0..100).for_each(|guid| assert!(add(&mut pdbs, guid, 1).unwrap()));
        let path = format!("{}\\a.sys", "x".repeat(60_000));
        pdbs.add_binary(Binary { providers: Vec::new(), path: path.clone() }).unwrap();
        let list = pdbs.list();
        let binaries = list.iter().filter(|pdb| pdb.binary.is_some()).count();
        assert_eq!((list.len(), binaries), (100, MAX_BYTES / path.len()));
    }

    #[test]
    fn all_files_together_have_a_limited_number_of_providers() {
        let mut pdbs = ReferencedPdbs::default();
        (0..100).for_each(|guid| assert!(add(&mut pdbs, guid, 1).unwrap()));
        let providers = (0..4_000).map(Guid::from_u128).collect();
        pdbs.add_binary(Binary { providers, path: "a.sys".to_owned() }).unwrap();
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
