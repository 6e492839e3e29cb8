//! Places in which a symbol store may keep a PDB file.

use std::path::{Path, PathBuf};

use etwkit::bytes::Guid;

/// Returns the file `name` with this GUID and age, if the folder is a symbol store that has it:
/// `name.pdb/GUIDage/name.pdb`, or one level deeper in stores with two tiers. A name from a trace is only used if it is
/// a plain file name.
pub(crate) fn find(root: &Path, name: &str, guid: Guid, age: u32) -> Option<PathBuf> {
    if !is_plain(name) {
        return None;
    }
    let key = key(guid, age);
    let tier: String = name.chars().take(2).collect();
    let names = [name.to_owned(), name.to_lowercase()];
    let bases = [root.to_owned(), root.join(tier.to_lowercase())];
    let keys = [key.clone(), key.to_lowercase()];
    let folders = bases.iter().flat_map(|base| names.iter().map(|name| base.join(name)));
    folders
        .flat_map(|folder| keys.iter().map(move |key| folder.join(key)).collect::<Vec<_>>())
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
        .find(|path| path.is_file())
}

/// `GUIDage` as symbol stores write it: capital digits without hyphens, then the age in hexadecimal.
pub(crate) fn key(guid: Guid, age: u32) -> String {
    format!("{:032X}{age:X}", guid.to_u128())
}

/// Returns whether a name names nothing outside the folder it is looked for in.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', ':', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_names() {
        let guid = Guid::from_u128(0x00112233_4455_6677_8899_aabbccddeeff);
        assert_eq!(key(guid, 0x1A), "00112233445566778899AABBCCDDEEFF1A");
        assert!(is_plain("a.pdb") && !is_plain("..") && !is_plain("a/b.pdb") && !is_plain("c:a") && !is_plain(""));
        assert_eq!(find(Path::new("/"), "../etc/passwd", guid, 1), None);
    }
}
