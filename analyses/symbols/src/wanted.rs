//! Lists of symbol files to fetch, for tools that may use the network.

use std::collections::BTreeSet;

use crate::identity::PdbId;

/// Returns a manifest for `symchk /im`, which fetches the PDB files: a line `name,GUIDage,1` each, sorted. Files without a
/// plain name are left out.
///
/// The lines are those that `symchk /om` writes, from memory: no description of the format is public.
pub fn manifest(pdbs: &[PdbId]) -> String {
    let mut text = String::new();
    for (name, key) in unique(pdbs) {
        text.extend([&name, ",", &key, ",1\r\n"]);
    }
    text
}

/// Returns the address of each PDB file on a symbol server, `server/name/GUIDage/name`, sorted. Files without a plain
/// name are left out. What an address cannot have is percent-encoded.
pub fn urls(pdbs: &[PdbId], server: &str) -> Vec<String> {
    let server = server.trim_end_matches('/');
    let url = |(name, key): (String, String)| {
        let name = encoded(&name);
        format!("{server}/{name}/{key}/{name}")
    };
    unique(pdbs).into_iter().map(url).collect()
}

/// Names and keys, each file once. Names that differ in the case of letters are the same file.
fn unique(pdbs: &[PdbId]) -> BTreeSet<(String, String)> {
    let plain = pdbs.iter().filter(|pdb| pdb.store_path().is_some() && !pdb.file_name().contains(['\r', '\n', ',']));
    let mut seen = BTreeSet::new();
    plain
        .filter(|pdb| seen.insert((pdb.file_name().to_ascii_lowercase(), pdb.key())))
        .map(|pdb| (pdb.file_name().to_owned(), pdb.key()))
        .collect()
}

fn encoded(name: &str) -> String {
    let byte = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    name.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etwkit::bytes::Guid;

    #[test]
    fn lists_are_sorted_and_have_no_file_twice() {
        let guid = Guid::from_u128(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
        let names = [r"d:\os\ntdll.pdb", "NTDLL.pdb", r"C:\a b+.pdb", "..", "x\n.pdb"];
        let pdbs: Vec<PdbId> = names.map(|name| PdbId::new(name, guid, 10)).into();
        let key = "00112233445566778899AABBCCDDEEFFA";
        assert_eq!(manifest(&pdbs), format!("a b+.pdb,{key},1\r\nntdll.pdb,{key},1\r\n"));
        let expected =
            [format!("http://s/x/a%20b%2B.pdb/{key}/a%20b%2B.pdb"), format!("http://s/x/ntdll.pdb/{key}/ntdll.pdb")];
        assert_eq!(urls(&pdbs, "http://s/x/"), expected);
    }
}
