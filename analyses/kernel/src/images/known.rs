//! What is known of the files of images.

use std::collections::HashMap;

use etwkit::system::Image;
use etwkit_analysis::Excess;

use super::fact::{FileKey, FileVersion, ImageFact, MappingKey, Signature, What, file_key, mapping_key};

/// Versions and signatures, as events state them.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Files with the same time stamp and size are rare, but there are some.
    files: HashMap<FileKey, Vec<FileVersion>>,
    signatures: HashMap<MappingKey, Signature>,
    excess: Excess,
}

/// Files, and signatures, that are kept.
const MOST: usize = 1 << 18;
/// Files with the same time stamp and size that are kept.
const MOST_ALIKE: usize = 64;

impl Known {
    pub(super) fn take(&mut self, ImageFact(what): ImageFact) {
        match what {
            What::Signature(key, signature) => {
                // Of an image that was not checked yet, later events state more.
                let is_new = self.signatures.get(&key).is_none_or(|known| known.level == 0);
                let Self { signatures, excess, .. } = self;
                if is_new {
                    excess.insert(signatures, (key, signature), MOST);
                }
            }
            What::File(key, version) => {
                if !self.files.contains_key(&key) && !self.excess.admits(self.files.len(), MOST) {
                    return;
                }
                let alike = self.files.entry(key).or_default();
                if !alike.contains(&version) && self.excess.admits(alike.len(), MOST_ALIKE) {
                    alike.push(*version);
                }
            }
        }
    }

    pub(super) const fn excess(&self) -> u64 {
        self.excess.count()
    }

    /// Returns the version of an image's file. Of several files with its time stamp and size, it is the one with its
    /// original name.
    pub(super) fn version(&self, machine: u16, image: &Image) -> Option<&FileVersion> {
        let alike = self.files.get(&file_key(machine, image)).filter(|_| image.time_stamp != 0)?;
        let name = image.original_name.as_deref().unwrap_or_else(|| image.file_name());
        match &alike[..] {
            [only] => Some(only),
            _ => alike.iter().find(|version| version.original_name.eq_ignore_ascii_case(name)),
        }
    }

    /// Returns how the kernel judged the signature of an image.
    pub(super) fn signature(&self, machine: u16, image: &Image) -> Option<Signature> {
        self.signatures.get(&mapping_key(machine, image)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(name: &str, version: &str) -> ImageFact {
        let text = |text: &str| text.into();
        let version = FileVersion {
            original_name: text(name),
            version: text(version),
            product: text(""),
            product_version: text(""),
            company: text(""),
        };
        ImageFact(What::File((0, 7, 0x1000), Box::new(version)))
    }

    #[test]
    fn the_name_decides_between_files_that_are_alike() {
        let mut known = Known::default();
        let mut image = Image::new(4, 0x10_0000, 0x1000, r"C:\Windows\mouclass.sys");
        let found = |known: &Known, image: &Image| known.version(0, image).map(|found| found.version.to_string());
        known.take(version("KBDCLASS.SYS", "1.0"));
        assert_eq!(found(&known, &image), None, "no time stamp");
        image.time_stamp = 7;
        assert_eq!(found(&known, &image).as_deref(), Some("1.0"), "the name of the file is not the original one");
        known.take(version("MOUCLASS.SYS", "2.0"));
        assert_eq!(found(&known, &image).as_deref(), Some("2.0"));
        image.original_name = Some("kbdclass.sys".into());
        assert_eq!(found(&known, &image).as_deref(), Some("1.0"));
        image.original_name = Some("other.sys".into());
        assert_eq!(found(&known, &image), None);
    }
}
