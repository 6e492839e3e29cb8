//! A PDB file, as small as can be: a function at 0x1010 with one that is inlined into it, and a public symbol at 0x1100.
//!
//! Layout: "The PDB File Format" of LLVM's documentation.

use etwkit::bytes::Guid;

/// Returns a file of this identity. The age of the information stream is another one.
pub(crate) fn pdb(guid: Guid, age: u32) -> Vec<u8> {
    let symbols = module_symbols();
    let lines = module_lines();
    let module = [symbols.clone(), lines.clone()].concat();
    let sizes = [symbols.len() as u32, 0, lines.len() as u32];
    let streams = [
        Vec::new(),
        information(guid, age + 7),
        types(&[record(0x1201, &words(&[1, 0x74])), record(0x1008, &words(&[0x74, 0x1_0000, 0x1000]))]),
        debug_information(age, sizes),
        types(&[record(0x1601, &[&words(&[0, 0x1001])[..], b"inner\0"].concat())]),
        record(0x110E, &[&words(&[2, 0x100])[..], &1_u16.to_le_bytes(), b"?shown@Space@@YAXXZ\0"].concat()),
        module,
        section(),
        names(),
    ];
    container(&streams)
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Length without itself, kind, content, padding to 4 bytes.
fn record(kind: u16, content: &[u8]) -> Vec<u8> {
    let mut content = content.to_vec();
    content.resize((content.len() + 4).next_multiple_of(4) - 4, 0);
    [&(content.len() as u16 + 2).to_le_bytes()[..], &kind.to_le_bytes(), &content].concat()
}

fn information(guid: Guid, age: u32) -> Vec<u8> {
    let head = [words(&[20_000_404, 0, age]), guid.to_bytes().to_vec()].concat();
    // One named stream: the names, their hash table (count, capacity, bits), offset of the name, stream.
    [head, words(&[7]), b"/names\0".to_vec(), words(&[1, 2, 1, 1, 0, 0, 8])].concat()
}

fn types(records: &[Vec<u8>]) -> Vec<u8> {
    let content = records.concat();
    let mut out = words(&[20_040_203, 56, 0x1000, 0x1000 + records.len() as u32, content.len() as u32]);
    out.extend([0xFF; 4]);
    out.resize(56, 0);
    [out, content].concat()
}

fn debug_information(age: u32, sizes: [u32; 3]) -> Vec<u8> {
    let mut module = vec![0; 34];
    module.extend(6_u16.to_le_bytes());
    module.extend(words(&sizes));
    module.resize(64, 0);
    module.extend(b"a.obj\0a.obj\0");
    // Section, offset, size, flags, module, checksums.
    let contributions = words(&[0xF12E_BA2D, 1, 0, 0x200, 0x6000_0020, 0, 0, 0]);
    let streams: Vec<u8> =
        (0..11_u16).flat_map(|kind| (if kind == 5 { 7_u16 } else { 0xFFFF }).to_le_bytes()).collect();
    let mut out = words(&[u32::MAX, 19_990_903, age]);
    out.extend([0xFFFF_u16, 0, 0xFFFF, 0, 5, 0].iter().flat_map(|word| word.to_le_bytes()));
    out.extend(words(&[module.len() as u32, contributions.len() as u32, 0, 0, 0, 0, streams.len() as u32, 0]));
    out.extend([0_u16, 0x8664, 0, 0].iter().flat_map(|word| word.to_le_bytes()));
    [out, module, contributions, streams].concat()
}

/// `S_GPROC32`, `S_INLINESITE` with its end, `S_END`.
fn module_symbols() -> Vec<u8> {
    let procedure = |end: u32| {
        let head = words(&[0, end, 0, 0x40, 0, 0x40, 0x1001, 0x10]);
        record(0x1110, &[&head[..], &[1, 0, 0], b"Space::outer\0"].concat())
    };
    // A line more and 0x10 bytes on, then the length.
    let annotations = [0x06, 0x02, 0x03, 0x10, 0x04, 0x08, 0, 0];
    let site = |end: u32| record(0x114D, &[&words(&[4, end, 0x1000])[..], &annotations].concat());
    let end_of_site = 4 + procedure(0).len() + site(0).len();
    let end = end_of_site as u32 + 4;
    [words(&[4]), procedure(end), site(end_of_site as u32), record(0x114E, &[]), record(0x0006, &[])].concat()
}

/// Lines of the outer function, files, and the first line of the inner one.
fn module_lines() -> Vec<u8> {
    let entries = [0, 10, 0x10, 11, 0x30, 12].map(u32::to_le_bytes).concat();
    let lines = [words(&[0x10, 1, 0x40, 0, 3, 12 + 24]), entries].concat();
    // Names of files, without checksums.
    let files = [words(&[1]), vec![0; 4], words(&[7]), vec![0; 4]].concat();
    let inlinees = words(&[0, 0x1000, 8, 100]);
    let table = |kind: u32, content: &[u8]| [words(&[kind, content.len() as u32]), content.to_vec()].concat();
    [table(0xF2, &lines), table(0xF4, &files), table(0xF6, &inlinees)].concat()
}

fn section() -> Vec<u8> {
    [b".text\0\0\0".to_vec(), words(&[0x200, 0x1000, 0x200, 0x400, 0, 0, 0, 0x6000_0020])].concat()
}

fn names() -> Vec<u8> {
    let text = b"\0a.cpp\0b.h\0";
    [words(&[0xEFFE_EFFE, 1, text.len() as u32]), text.to_vec(), words(&[0; 4])].concat()
}

const PAGE: usize = 512;

fn container(streams: &[Vec<u8>]) -> Vec<u8> {
    let mut file = vec![0; 3 * PAGE];
    let mut place = |bytes: &[u8]| {
        let first = (file.len() / PAGE) as u32;
        file.extend(bytes);
        file.resize(file.len().next_multiple_of(PAGE), 0);
        (first..(file.len() / PAGE) as u32).collect::<Vec<u32>>()
    };
    let pages: Vec<Vec<u32>> = streams.iter().map(|stream| place(stream)).collect();
    let sizes: Vec<u32> = streams.iter().map(|stream| stream.len() as u32).collect();
    let directory = words(&[&[streams.len() as u32][..], &sizes, &pages.concat()].concat());
    let directory_pages = place(&directory);
    let map = place(&words(&directory_pages))[0];
    let head = [&b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0"[..]].concat();
    let head = [head, words(&[PAGE as u32, 1, (file.len() / PAGE) as u32, directory.len() as u32, 0, map])].concat();
    file[..head.len()].copy_from_slice(&head);
    file
}
