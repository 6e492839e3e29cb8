//! A PE file with resources, as small as can be ("PE Format" of Microsoft's documentation).

/// The place of the section in the file and in memory.
const FILE: usize = 0x200;
const MEMORY: u32 = 0x1000;

/// A resource: type by name or number, language, bytes.
pub(crate) struct Resource<'r> {
    pub(crate) name: Option<&'static str>,
    pub(crate) number: u32,
    pub(crate) language: u32,
    pub(crate) bytes: &'r [u8],
}

/// Returns a 64-bit image whose only section has these resources. Types with a name must come first.
pub(crate) fn image(resources: &[Resource<'_>]) -> Vec<u8> {
    let section = section(resources);
    let mut out = b"MZ".to_vec();
    out.resize(60, 0);
    out.extend(64u32.to_le_bytes()); // where the headers are
    out.extend(b"PE\0\0");
    out.extend(0x8664u16.to_le_bytes()); // x64
    out.extend(1u16.to_le_bytes()); // sections
    out.extend([0; 12]);
    out.extend(240u16.to_le_bytes()); // optional header
    out.extend(0x2022u16.to_le_bytes()); // executable, large addresses, library
    let optional = out.len();
    out.extend(0x20Bu16.to_le_bytes()); // 64 bit
    out.resize(optional + 32, 0);
    out.extend(0x1000u32.to_le_bytes()); // alignment in memory
    out.extend(0x200u32.to_le_bytes()); // and in the file
    out.resize(optional + 108, 0);
    out.extend(16u32.to_le_bytes()); // directories
    out.resize(optional + 112 + 2 * 8, 0);
    out.extend(MEMORY.to_le_bytes()); // the third: resources
    out.extend((section.len() as u32).to_le_bytes());
    out.resize(optional + 240, 0);
    out.extend(b".rsrc\0\0\0");
    for number in [section.len() as u32, MEMORY, section.len() as u32, FILE as u32, 0, 0, 0, 0x4000_0040] {
        out.extend(number.to_le_bytes());
    }
    out.resize(FILE, 0);
    out.extend(section);
    out
}

/// Directory of types, of names (one each, number 1), of languages (one each), data entries, names, data.
fn section(resources: &[Resource<'_>]) -> Vec<u8> {
    let count = resources.len();
    let leaves = 16 + 8 * count; // after the root
    let data_entries = leaves + count * 2 * 24;
    let mut tail = data_entries + count * 16;
    let mut out = directory(resources.iter().filter(|r| r.name.is_some()).count(), count);
    let (mut names, mut name_bytes) = (Vec::new(), Vec::new());
    for resource in resources {
        names.push(tail + name_bytes.len());
        if let Some(name) = resource.name {
            name_bytes.extend((name.len() as u16).to_le_bytes());
            name_bytes.extend(name.encode_utf16().flat_map(u16::to_le_bytes));
        }
    }
    for (at, resource) in resources.iter().enumerate() {
        let id = if resource.name.is_some() { names[at] as u32 | 0x8000_0000 } else { resource.number };
        entry(&mut out, id, (leaves + at * 48) as u32 | 0x8000_0000);
    }
    tail += name_bytes.len();
    for (at, resource) in resources.iter().enumerate() {
        out.extend(directory(0, 1));
        entry(&mut out, 1, (leaves + at * 48 + 24) as u32 | 0x8000_0000);
        out.extend(directory(0, 1));
        entry(&mut out, resource.language, (data_entries + at * 16) as u32);
    }
    for resource in resources {
        for number in [MEMORY + tail as u32, resource.bytes.len() as u32, 0, 0] {
            out.extend(number.to_le_bytes());
        }
        tail += resource.bytes.len();
    }
    out.extend(name_bytes);
    out.extend(resources.iter().flat_map(|resource| resource.bytes));
    out
}

fn directory(named: usize, all: usize) -> Vec<u8> {
    let mut out = vec![0; 12];
    out.extend((named as u16).to_le_bytes());
    out.extend(((all - named) as u16).to_le_bytes());
    out
}

fn entry(out: &mut Vec<u8>, id: u32, place: u32) {
    out.extend(id.to_le_bytes());
    out.extend(place.to_le_bytes());
}
