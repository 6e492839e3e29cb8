//! What events state about the files of images, and of their signatures.

use etwkit::decode::Event;
use etwkit::system::Image;
use etwkit_analysis::guids::IMAGE;

/// `ImageID/FileVersion`: the version resource of a file. Merging adds one for each file.
pub(super) const FILE_VERSION: u8 = 64;

/// What an event states about a file, or of the signature of an image.
#[derive(Clone, Debug)]
pub struct ImageFact(pub(super) What);

#[derive(Clone, Debug)]
pub(super) enum What {
    File(FileKey, Box<FileVersion>),
    Signature(MappingKey, Signature),
}

/// What events of versions have of a file: machine, time stamp of the PE header, bytes in memory.
pub(super) type FileKey = (u16, u32, u64);

/// An image at an address: machine, process, address, bytes, checksum.
pub(super) type MappingKey = (u16, u32, u64, u64, u32);

/// The version resource of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileVersion {
    pub(super) original_name: Box<str>,
    pub(super) version: Box<str>,
    pub(super) product: Box<str>,
    pub(super) product_version: Box<str>,
    pub(super) company: Box<str>,
}

/// How the kernel judged the signature of an image: `SE_SIGNING_LEVEL` and `SE_IMAGE_SIGNATURE_TYPE` of `winnt.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    pub(super) level: u8,
    pub(super) kind: u8,
}

impl ImageFact {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        let machine = event.system().machine.number;
        if event.raw().provider_guid() == IMAGE {
            let signature =
                Signature { level: event.get("SignatureLevel").ok()?, kind: event.get("SignatureType").ok()? };
            let number = |name| event.get::<u64>(name).ok();
            let mapping = (
                machine,
                event.get("ProcessId").ok()?,
                number("ImageBase")?,
                number("ImageSize")?,
                event.get("ImageChecksum").ok()?,
            );
            return Some(Self(What::Signature(mapping, signature)));
        }
        let text = |name| event.get::<String>(name).unwrap_or_default().into();
        let key = (machine, event.get("TimeDateStamp").ok()?, event.get::<u32>("ImageSize").ok()?.into());
        let version = FileVersion {
            original_name: text("OrigFileName"),
            version: text("FileVersion"),
            product: text("ProductName"),
            product_version: text("ProductVersion"),
            company: text("CompanyName"),
        };
        Some(Self(What::File(key, Box::new(version))))
    }
}

/// Returns the key of an image's file.
pub(super) const fn file_key(machine: u16, image: &Image) -> FileKey {
    (machine, image.time_stamp, image.size)
}

/// Returns the key of an image at its address.
pub(super) const fn mapping_key(machine: u16, image: &Image) -> MappingKey {
    (machine, image.pid, image.base, image.size, image.checksum)
}
