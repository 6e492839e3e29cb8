//! PDB files with annotations, made with the library's own writers. The fuzz targets' seeds are made of them, too.

use std::io::Cursor;
use std::path::PathBuf;

use etwkit_synth::Guid;
use etwkit_wpp::tmf;
use ms_pdb_msf::{CreateOptions, Msf};
use ms_pdb_msfz::MsfzWriter;

pub(crate) const PDB_GUID: u128 = 0x00112233_4455_6677_8899_aabbccddeeff;

/// A symbol record: length without itself, kind, content, padding to 4 bytes.
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

/// The symbols of a module: each definition of a TMF text as an annotation, as the compiler leaves them.
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

/// Streams 1 to 5 of a PDB with two streams of the same symbols, each of which so many modules name.
fn streams(text: &str, times: usize) -> Vec<Vec<u8>> {
    let symbols = module(text);
    let mut info = Vec::new();
    info.extend(20_000_404_u32.to_le_bytes()); // VC70
    info.extend(0_u32.to_le_bytes()); // signature
    info.extend(3_u32.to_le_bytes()); // age
    info.extend(Guid::new(PDB_GUID).to_bytes());
    info.extend([0_u32; 6].iter().flat_map(|word| word.to_le_bytes())); // no named streams
    let mut modules = Vec::new();
    for stream in [5_u16, 6].repeat(times) {
        let mut header = vec![0; 64];
        header[34..36].copy_from_slice(&stream.to_le_bytes());
        header[36..40].copy_from_slice(&u32::try_from(symbols.len()).unwrap().to_le_bytes());
        modules.extend(header);
        modules.extend(b"a.obj\0a.obj\0");
    }
    let mut dbi = vec![0; 64];
    dbi[..4].fill(0xFF); // signature -1
    dbi[4..8].copy_from_slice(&19_990_903_u32.to_le_bytes()); // V70
    dbi[8..12].copy_from_slice(&3_u32.to_le_bytes()); // age
    dbi[12..14].fill(0xFF); // no globals
    dbi[16..18].fill(0xFF); // no publics
    dbi[20..22].fill(0xFF); // no symbol records
    dbi[24..28].copy_from_slice(&u32::try_from(modules.len()).unwrap().to_le_bytes());
    dbi.extend(modules);
    vec![info, Vec::new(), dbi, Vec::new(), symbols.clone(), symbols]
}

/// As MSF 7.
pub(crate) fn msf(text: &str) -> Vec<u8> {
    msf_of(text, 1)
}

/// As MSF 7, with each stream of symbols named so many times.
pub(crate) fn msf_of(text: &str, times: usize) -> Vec<u8> {
    let path = temporary("made.pdb");
    let file = ms_pdb::RandomAccessFile::from(
        std::fs::File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap(),
    );
    let mut msf = Msf::create_for(file, CreateOptions::default()).unwrap();
    for (at, stream) in streams(text, times).iter().enumerate() {
        let at = u32::try_from(at + 1).unwrap();
        if at < msf.num_streams() {
            msf.write_stream(at).unwrap().set_contents(stream).unwrap();
        } else {
            assert_eq!(msf.new_stream_data(stream).unwrap(), at);
        }
    }
    msf.commit().unwrap();
    drop(msf);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    bytes
}

/// As MSFZ, compressed.
pub(crate) fn msfz(text: &str) -> Vec<u8> {
    use std::io::Write as _;
    let mut writer = MsfzWriter::new(Cursor::new(Vec::new())).unwrap();
    for stream in streams(text, 1) {
        writer.new_stream_writer().unwrap().1.write_all(&stream).unwrap();
    }
    writer.finish().unwrap().1.into_inner()
}

/// A path of this test's own.
pub(crate) fn temporary(name: &str) -> PathBuf {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let folder = std::env::temp_dir().join(format!(
        "etwkit-wpp-{}-{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    ));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}
