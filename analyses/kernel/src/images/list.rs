//! The images of a trace.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::system::{Image, System};
use etwkit::trace::Trace;
use etwkit_analysis::guids::{IMAGE, IMAGE_ID, KERNEL_PROCESS};
use etwkit_analysis::{Analysis, Interest, Need, Time};

use super::fact::{FILE_VERSION, FileVersion, ImageFact, Signature};
use super::known::Known;

etwkit_analysis::row! {
    /// An image: an executable or a library in a process, or a driver.
    pub struct ImageRow {
        /// Process id; 0 for those of the kernel.
        pid: u32 as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Path of the image, as the kernel has it.
        path: String as Text,
        /// Address of its first byte, in hexadecimal digits.
        base: String as Text,
        /// Bytes in memory.
        size: u64 as Count,
        /// Time of its load, UTC; absent if it was there before the trace.
        load: Option<Time> as Time,
        /// Time of its unload, UTC; absent if it stayed to the end of the trace.
        unload: Option<Time> as Time,
        /// Time stamp of its PE header in hexadecimal digits, if events have it; a hash in reproducible builds.
        time_stamp: Option<String> as Text,
        /// Checksum of its PE header in hexadecimal digits, if events have it.
        checksum: Option<String> as Text,
        /// Name of its PDB file, or the path on the machine that built it; absent unless merging added it.
        pdb: Option<String> as Text,
        /// GUID and age of its PDB file, as folders of symbol stores are named.
        pdb_id: Option<String> as Text,
        /// Its original file name; absent unless merging added it.
        original_name: Option<String> as Text,
        /// Version of its file; absent unless merging added it.
        file_version: Option<String> as Text,
        /// Product that it is part of.
        product: Option<String> as Text,
        /// Version of the product.
        product_version: Option<String> as Text,
        /// Company that made it.
        company: Option<String> as Text,
        /// Level of its signature (`SE_SIGNING_LEVEL`): 4 is Authenticode, 8 Microsoft, 12 Windows; absent in old events.
        signature_level: Option<u8> as Id,
        /// Where its signature is (`SE_IMAGE_SIGNATURE_TYPE`): 1 is in the file, 2 to 6 in catalogs; absent in old events.
        signature_type: Option<u8> as Id,
    }
}

/// The kernel's events of images. The first pass has read them; the analysis reads their signatures.
const IMAGES: (etwkit::bytes::Guid, &[u8]) = (IMAGE, &[10, 2, 3, 4]);
const NEED: Need = Need::KernelFlags("PROC_THREAD+LOADER");

/// Lists the images of a trace. The first pass knows them; events add the versions of their files and their signatures.
#[derive(Clone, Debug, Default)]
pub struct ImageList {
    known: Known,
}

impl Analysis for ImageList {
    type Fact = ImageFact;
    type Row = ImageRow;

    const READS_EVENTS: bool = false;
    const NEEDS_IMAGE_IDENTITIES: bool = true;

    fn interest() -> Interest {
        Interest { manifest: &[], classic: &[IMAGES, (IMAGE_ID, &[FILE_VERSION])], need: NEED }
    }

    fn events(trace: &Trace) -> u64 {
        Interest { manifest: &[(KERNEL_PROCESS, &[5, 6])], classic: &[IMAGES], need: NEED }.events(trace)
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn is_answerable(trace: &Trace) -> bool {
        trace.systems().iter().any(|system| !system.images.list().is_empty())
    }

    fn fact(event: &Event<'_>) -> Option<ImageFact> {
        ImageFact::of(event)
    }

    fn step(&mut self, fact: ImageFact, _: &Trace) {
        self.known.take(fact);
    }

    fn excess(&self) -> u64 {
        self.known.excess()
    }

    fn finish(self, trace: &Trace) -> Vec<ImageRow> {
        let images =
            trace.systems().iter().flat_map(|system| system.images.list().iter().map(move |image| (system, image)));
        images.map(|(system, image)| row(system, image, &self.known)).collect()
    }
}

fn row(system: &System, image: &Image, known: &Known) -> ImageRow {
    let when = image.load.or(image.rundown).or(image.unload);
    let process = when.and_then(|when| system.process_name_at(image.pid, when));
    let hex = |number: u32| Some(format!("{number:08x}")).filter(|_| number != 0);
    let machine = system.machine.number;
    let (version, signature) = (known.version(machine, image), known.signature(machine, image));
    let text = |of: fn(&FileVersion) -> &str| version.map(of).filter(|text| !text.is_empty()).map(str::to_owned);
    ImageRow {
        pid: image.pid,
        process: process.map(str::to_owned),
        path: image.path.to_string(),
        base: format!("{:#x}", image.base),
        size: image.size,
        load: image.load.map(Time),
        unload: image.unload.map(Time),
        time_stamp: hex(image.time_stamp),
        checksum: hex(image.checksum),
        pdb: image.pdb.as_ref().map(|pdb| pdb.name.to_string()),
        pdb_id: image.pdb.as_ref().map(|pdb| format!("{:032X}{:X}", pdb.guid.to_u128(), pdb.age)),
        original_name: image.original_name.as_deref().map(str::to_owned).or_else(|| text(|file| &file.original_name)),
        file_version: text(|file| &file.version),
        product: text(|file| &file.product),
        product_version: text(|file| &file.product_version),
        company: text(|file| &file.company),
        signature_level: signature.map(|Signature { level, .. }| level),
        signature_type: signature.map(|Signature { kind, .. }| kind),
    }
}
