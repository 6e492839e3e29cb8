//! Which file a module was loaded from.

use etwkit::bytes::Guid;
use etwkit::input::file_name;

use crate::names::is_plain;

/// The identity of a PDB file, as an image names it in its debug directory (RSDS) and the event `DbgID_RSDS` in a
/// trace.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PdbId {
    /// Path or name of the file on the machine that built the image; only the file name counts.
    pub name: String,
    /// GUID of the build.
    pub guid: Guid,
    /// Age: how often the linker had written the file.
    pub age: u32,
}

impl PdbId {
    /// Returns an identity.
    pub fn new(name: impl Into<String>, guid: Guid, age: u32) -> Self {
        Self { name: name.into(), guid, age }
    }

    /// Returns the name of the file without its folder.
    pub fn file_name(&self) -> &str {
        file_name(&self.name)
    }

    /// Returns the name of the file's folder in a symbol store, which is Breakpad's debug id, too: the GUID as 32
    /// capital hexadecimal digits, then the age in hexadecimal.
    pub fn key(&self) -> String {
        format!("{:032X}{:X}", self.guid.to_u128(), self.age)
    }

    /// Returns the path of the file in a symbol store and on a symbol server, `name/GUIDage/name`; `None` if the name
    /// is not a plain file name.
    pub fn store_path(&self) -> Option<String> {
        let name = self.file_name();
        is_plain(name).then(|| format!("{name}/{}/{name}", self.key()))
    }
}

/// The identity of a module: what a trace states about an image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Module {
    /// Path or name of the image; only the file name counts.
    pub path: String,
    /// `TimeDateStamp` of the image's header: seconds since 1970 or a hash; 0 if unknown.
    pub time_date_stamp: u32,
    /// `SizeOfImage` of the image's header, in bytes; 0 if unknown.
    pub size_of_image: u32,
    /// The PDB file, if it is known.
    pub pdb: Option<PdbId>,
}

impl Module {
    /// Returns a module of which only the path is known.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// Sets what identifies the image: `TimeDateStamp` and `SizeOfImage` (bytes) of its header.
    #[must_use]
    pub fn image(mut self, time_date_stamp: u32, size_of_image: u32) -> Self {
        (self.time_date_stamp, self.size_of_image) = (time_date_stamp, size_of_image);
        self
    }

    /// Sets the PDB file.
    #[must_use]
    pub fn pdb(mut self, pdb: PdbId) -> Self {
        self.pdb = Some(pdb);
        self
    }

    /// Returns the name of the image without its folder.
    pub fn file_name(&self) -> &str {
        file_name(&self.path)
    }

    /// Returns what identifies the image, if it is known.
    pub(crate) fn image_id(&self) -> Option<ImageId> {
        let id = ImageId { time_date_stamp: self.time_date_stamp, size_of_image: self.size_of_image };
        (id.size_of_image != 0 && id.time_date_stamp != 0).then_some(id)
    }

    /// Returns the same identity for the same files: folders and capital letters do not count.
    pub(crate) fn normal(&self) -> Self {
        let lower = |path: &str| file_name(path).to_ascii_lowercase();
        let pdb = self.pdb.as_ref().map(|pdb| PdbId { name: lower(&pdb.name), ..pdb.clone() });
        Self { path: lower(&self.path), pdb, ..*self }
    }
}

/// What identifies an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ImageId {
    pub(crate) time_date_stamp: u32,
    /// Bytes.
    pub(crate) size_of_image: u32,
}

impl ImageId {
    /// Returns the name of the image's folder in a symbol store.
    pub(crate) fn key(self) -> String {
        format!("{:08X}{:x}", self.time_date_stamp, self.size_of_image)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_symbol_stores() {
        let guid = Guid::from_u128(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
        let pdb = PdbId::new(r"C:\obj\a.pdb", guid, 0x1A);
        assert_eq!(pdb.key(), "00112233445566778899AABBCCDDEEFF1A");
        assert_eq!(pdb.store_path().unwrap(), "a.pdb/00112233445566778899AABBCCDDEEFF1A/a.pdb");
        assert_eq!(PdbId::new(r"..", guid, 1).store_path(), None);
        assert_eq!(ImageId { time_date_stamp: 0x5E, size_of_image: 0x1_C000 }.key(), "0000005E1c000");
    }

    #[test]
    fn the_same_files_have_the_same_normal_identity() {
        let pdb = |name: &str| PdbId::new(name, Guid::from_u128(1), 1);
        let one = Module::new(r"\Device\HarddiskVolume2\Windows\A.DLL").pdb(pdb(r"d:\A.pdb"));
        let other = Module::new(r"C:\Windows\a.dll").pdb(pdb("a.pdb"));
        assert_eq!(one.normal(), other.normal());
        assert_ne!(one.normal(), other.clone().image(1, 1).normal());
        assert_eq!((other.image_id(), one.image(0, 7).image_id()), (None, None));
    }
}
