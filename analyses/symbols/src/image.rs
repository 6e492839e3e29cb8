//! Images (`.dll`, `.exe`, `.sys`): what identifies them, and the names that they export.

use etwkit::bytes::Guid;
use object::read::pe::{ImageNtHeaders, PeFile, PeFile32, PeFile64};
use object::{FileKind, LittleEndian as LE};

use crate::caught::caught;
use crate::contents::Contents;
use crate::decorated::Undecorate;
use crate::frame::Found;
use crate::identity::{ImageId, PdbId};
use crate::limits::{MAX_DECORATED, MAX_IMAGE};
use crate::options::Options;

/// What identifies an image, without the rest of it.
pub(crate) fn image_id(contents: &Contents) -> Option<ImageId> {
    // The headers are in front of the sections.
    let head = contents.head(HEADERS).ok()?;
    caught(|| match FileKind::parse(&*head).ok()? {
        FileKind::Pe32 => headers::<object::pe::ImageNtHeaders32>(&head),
        FileKind::Pe64 => headers::<object::pe::ImageNtHeaders64>(&head),
        _ => None,
    })?
}

fn headers<Pe: ImageNtHeaders>(head: &[u8]) -> Option<ImageId> {
    use object::read::pe::ImageOptionalHeader as _;
    let mut offset = object::pe::ImageDosHeader::parse(head).ok()?.nt_headers_offset().into();
    let (headers, _) = Pe::parse(head, &mut offset).ok()?;
    Some(ImageId {
        time_date_stamp: headers.file_header().time_date_stamp.get(LE),
        size_of_image: headers.optional_header().size_of_image(),
    })
}

/// What an image states about itself.
#[derive(Debug, Default)]
pub(crate) struct Image {
    /// The PDB file that its debug directory names.
    pub(crate) pdb: Option<PdbId>,
    pub(crate) exports: Exports,
}

impl Image {
    /// Reads an image. The error states what is wrong.
    pub(crate) fn read(contents: &Contents, options: Options) -> Result<Self, String> {
        let bytes = contents.read(MAX_IMAGE).map_err(|error| error.to_string())?;
        let read = caught(|| match FileKind::parse(&*bytes).map_err(|error| error.to_string())? {
            FileKind::Pe32 => {
                Ok(Self::of(&PeFile32::parse(&*bytes).map_err(|error| error.to_string())?, options.arguments))
            }
            FileKind::Pe64 => {
                Ok(Self::of(&PeFile64::parse(&*bytes).map_err(|error| error.to_string())?, options.arguments))
            }
            _ => Err("not an image of Windows".to_owned()),
        });
        read.unwrap_or_else(|| Err("damaged: the code that reads it panicked".to_owned()))
    }

    fn of<Pe: ImageNtHeaders>(file: &PeFile<'_, Pe>, arguments: bool) -> Self {
        use object::Object as _;
        let codeview = file.pdb_info().ok().flatten();
        let pdb = codeview.map(|info| {
            // The bytes of a GUID as Windows lays them out.
            let name = String::from_utf8_lossy(info.path()).into_owned();
            PdbId::new(name, Guid::from_bytes(info.guid()), info.age())
        });
        Self { pdb, exports: Exports::of(file, arguments) }
    }
}

/// The functions that an image exports by name, by address.
#[derive(Debug, Default)]
pub(crate) struct Exports {
    /// Start (RVA) and name, sorted by start.
    functions: Vec<(u32, String)>,
    /// Start and end (RVA) of the sections with code, sorted.
    sections: Vec<(u32, u32)>,
}

impl Exports {
    fn of<Pe: ImageNtHeaders>(file: &PeFile<'_, Pe>, arguments: bool) -> Self {
        let code = file
            .section_table()
            .iter()
            .filter(|section| section.characteristics.get(LE).0 & object::pe::IMAGE_SCN_MEM_EXECUTE.0 != 0);
        let range = |section: &object::pe::ImageSectionHeader| {
            let start = section.virtual_address.get(LE);
            (start, start.saturating_add(section.virtual_size.get(LE)))
        };
        let mut sections: Vec<(u32, u32)> = code.map(range).collect();
        sections.sort_unstable();
        let is_x86 = file.nt_headers().file_header().machine.get(LE) == object::pe::IMAGE_FILE_MACHINE_I386;
        let undecorate = Undecorate { is_x86, arguments };
        let mut functions = named(file, undecorate);
        let in_code = |start: u32| sections.iter().any(|(from, to)| (*from..*to).contains(&start));
        functions.retain(|(start, _)| in_code(*start));
        // Of several names of a function the first in the table counts, which is the first by the alphabet.
        functions.sort_by_key(|(start, _)| *start);
        functions.dedup_by_key(|(start, _)| *start);
        Self { functions, sections }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// Returns the last function that begins at or before an address in the same section.
    pub(crate) fn frames(&self, rva: u32) -> Vec<Found> {
        let section = self.sections.iter().find(|(from, to)| (*from..*to).contains(&rva));
        let before = self.functions.partition_point(|(start, _)| *start <= rva);
        let last = before.checked_sub(1).and_then(|last| self.functions.get(last));
        let function = last.zip(section).filter(|((start, _), (from, _))| start >= from);
        let frame = |((start, name), _): (&(u32, String), &(u32, u32))| Found {
            function: Some(name.clone()),
            offset: rva - start,
            ..Found::default()
        };
        function.map(frame).into_iter().collect()
    }
}

/// Returns the starts and names of exported functions.
fn named<Pe: ImageNtHeaders>(file: &PeFile<'_, Pe>, undecorate: Undecorate) -> Vec<(u32, String)> {
    let Ok(Some(table)) = file.export_table() else { return Vec::new() };
    let mut functions = Vec::new();
    // Names do not share bytes but in a crafted file.
    let mut left = file.data().len();
    for (pointer, index) in table.name_iter() {
        let Ok(start) = table.address_by_index(index) else { continue };
        let bytes = file.section_table().pe_data_at(file.data(), pointer).unwrap_or_default();
        // Not by `name_from_pointer`, which may look for the end of each name in all of the file.
        let name = bytes.get(..MAX_DECORATED).unwrap_or(bytes).split(|byte| *byte == 0).next().unwrap_or_default();
        let Some(rest) = left.checked_sub(name.len() + 1) else { break };
        left = rest;
        if !name.is_empty() && !table.is_forward(start) {
            functions.push((start, undecorate.name(String::from_utf8_lossy(name).into_owned())));
        }
    }
    functions
}

/// Bytes in which the headers of an image are.
const HEADERS: u64 = 64 << 10;
