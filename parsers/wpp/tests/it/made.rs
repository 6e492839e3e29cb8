//! PDB files with annotations. The fuzz targets' seeds are made of them, too.

use etwkit_synth::Guid;
use etwkit_wpp::tmf;

pub(crate) const PDB_GUID: u128 = 0x00112233_4455_6677_8899_aabbccddeeff;

/// Returns a symbol record: length without itself, kind, content, padding to 4 bytes.
fn record(kind: u16, content: &[u8]) -> Vec<u8> {
    let mut bytes = content.to_vec();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let mut record = u16::try_from(bytes.len() + 2).unwrap().to_le_bytes().to_vec();
    record.extend(kind.to_le_bytes());
    record.extend(bytes);
    record
}

/// `S_ANNOTATION`: offset, segment, count of strings, strings.
fn annotation(strings: &[&str]) -> Vec<u8> {
    let mut content = vec![0x10, 0, 0, 0, 1, 0]; // offset 0x10, segment 1
    content.extend(u16::try_from(strings.len()).unwrap().to_le_bytes());
    content.extend(strings.iter().flat_map(|text| text.bytes().chain([0])));
    record(0x1019, &content)
}

/// Returns the symbols of a module: each definition of a TMF text as an annotation, as the compiler leaves them.
fn module(text: &str) -> Vec<u8> {
    let mut symbols = 4_u32.to_le_bytes().to_vec(); // C13
    symbols.extend(record(0x1101, b"\0\0\0\0module.obj\0")); // S_OBJNAME
    symbols.extend(annotation(&["other", "annotation"]));
    let parsed = tmf::parse(text);
    for (group, definition) in parsed.definitions() {
        let (group, definition) = (group.to_string(), definition.to_string());
        let strings: Vec<&str> = ["TMF:", &group].into_iter().chain(definition.lines()).collect();
        symbols.extend(annotation(&strings));
    }
    symbols
}

/// Streams 1 to 6 of a PDB with two streams of the same symbols; `times` modules name each of them.
pub(crate) fn streams(text: &str, times: usize) -> Vec<Vec<u8>> {
    let symbols = module(text);
    let named: Vec<(u16, usize)> = [5, 6].repeat(times).into_iter().map(|stream| (stream, symbols.len())).collect();
    vec![information(), Vec::new(), modules(&named), Vec::new(), symbols.clone(), symbols]
}

/// Returns the PDB information: the GUID, and an age.
pub(crate) fn information() -> Vec<u8> {
    let mut info = Vec::new();
    info.extend(20_000_404_u32.to_le_bytes()); // VC70
    info.extend(0_u32.to_le_bytes()); // signature
    info.extend(4_u32.to_le_bytes()); // age, raised by a tool
    info.extend(Guid::new(PDB_GUID).to_bytes());
    info.extend([0_u32; 6].iter().flat_map(|word| word.to_le_bytes())); // no named streams
    info
}

/// Returns the list of modules: the stream and the bytes of symbols of each.
pub(crate) fn modules(named: &[(u16, usize)]) -> Vec<u8> {
    let mut modules = Vec::new();
    for (stream, symbols) in named {
        let mut header = vec![0; 64];
        header[34..36].copy_from_slice(&stream.to_le_bytes());
        header[36..40].copy_from_slice(&u32::try_from(*symbols).unwrap().to_le_bytes());
        modules.extend(header);
        modules.extend(b"a.obj\0a.obj\0");
    }
    let mut dbi = vec![0; 64];
    dbi[..4].fill(0xFF); // signature -1
    dbi[4..8].copy_from_slice(&19_990_903_u32.to_le_bytes()); // V70
    dbi[8..12].copy_from_slice(&3_u32.to_le_bytes()); // age, as the binary names it
    dbi[12..14].fill(0xFF); // no globals
    dbi[16..18].fill(0xFF); // no publics
    dbi[20..22].fill(0xFF); // no symbol records
    dbi[24..28].copy_from_slice(&u32::try_from(modules.len()).unwrap().to_le_bytes());
    dbi.extend(modules);
    dbi
}

/// Bytes of a page of a file.
const PAGE: usize = 4096;

/// As MSF 7.
pub(crate) fn msf(text: &str) -> Vec<u8> {
    msf_of(text, 1)
}

/// As MSF 7, with each stream of symbols named `times` times.
pub(crate) fn msf_of(text: &str, times: usize) -> Vec<u8> {
    container(&streams(text, times))
}

/// Returns a file of these streams, numbered from 1.
pub(crate) fn container(streams: &[Vec<u8>]) -> Vec<u8> {
    let mut container = Container::new();
    for stream in streams {
        container.add(stream);
    }
    container.finish()
}

/// A file of the kind MSF 7 that is being made. A stream's pages go backwards, so that none follows another.
pub(crate) struct Container {
    file: Vec<u8>,
    /// Length and pages of each stream.
    streams: Vec<(usize, Vec<u32>)>,
}

impl Container {
    pub(crate) fn new() -> Self {
        // The header, and two maps of free pages, which nobody reads; stream 0, which is empty.
        Self { file: vec![0; 3 * PAGE], streams: vec![(0, Vec::new())] }
    }

    /// Adds a stream. Returns its pages in their order.
    pub(crate) fn add(&mut self, stream: &[u8]) -> Vec<u32> {
        let pages = self.place(stream);
        self.share(stream.len(), pages.clone());
        pages
    }

    /// Adds a stream of pages that may be others', too.
    pub(crate) fn share(&mut self, len: usize, pages: Vec<u32>) {
        self.streams.push((len, pages));
    }

    /// Appends bytes, the last page first. Returns their pages in their order.
    fn place(&mut self, bytes: &[u8]) -> Vec<u32> {
        let mut pages = Vec::new();
        for page in bytes.chunks(PAGE).rev() {
            pages.push(u32::try_from(self.file.len() / PAGE).unwrap());
            self.file.extend(page);
            self.file.resize(self.file.len().next_multiple_of(PAGE), 0);
        }
        pages.reverse();
        pages
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let len = |(len, _): &(usize, Vec<u32>)| u32::try_from(*len).unwrap();
        let mut directory = words(&[u32::try_from(self.streams.len()).unwrap()]);
        directory.extend(words(&self.streams.iter().map(len).collect::<Vec<_>>()));
        directory.extend(self.streams.iter().flat_map(|(_, pages)| words(pages)));
        let directory_pages = self.place(&directory);
        let map = self.place(&words(&directory_pages));
        assert_eq!(map.len(), 1, "a directory of more than a thousand pages");
        let [page, pages, directory] =
            [PAGE, self.file.len() / PAGE, directory.len()].map(|n| u32::try_from(n).unwrap());
        let header = [&MAGIC[..], &words(&[page, 1, pages, directory, 0, map[0]])].concat();
        self.file[..header.len()].copy_from_slice(&header);
        self.file
    }
}

const MAGIC: &[u8; 32] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// As MSFZ, compressed.
#[cfg(feature = "msfz")]
pub(crate) fn msfz(text: &str) -> Vec<u8> {
    use std::io::Write as _;
    let mut writer = ms_pdb::msfz::MsfzWriter::new(std::io::Cursor::new(Vec::new())).unwrap();
    for stream in streams(text, 1) {
        writer.new_stream_writer().unwrap().1.write_all(&stream).unwrap();
    }
    writer.finish().unwrap().1.into_inner()
}
