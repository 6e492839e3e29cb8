//! PDB files with annotations, made with the library's own writers.

use std::io::Cursor;
use std::path::PathBuf;

use etwkit_synth::kernel::{wpp_binary, wpp_pdb};
use etwkit_synth::{Event, Guid, MessageEvent, Payload};
use etwkit_wpp::{PdbSymbols, Symbols, extract, extract_bytes, tmf};
use ms_pdb_msf::{CreateOptions, Msf};
use ms_pdb_msfz::MsfzWriter;

use crate::common::{GUID, Run, folder, trace, with_group};

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

/// Streams 1 to 5 of a PDB with two modules of the same symbols.
fn streams(text: &str) -> Vec<Vec<u8>> {
    let symbols = module(text);
    let mut info = Vec::new();
    info.extend(20_000_404_u32.to_le_bytes()); // VC70
    info.extend(0_u32.to_le_bytes()); // signature
    info.extend(3_u32.to_le_bytes()); // age
    info.extend(Guid::new(PDB_GUID).to_bytes());
    info.extend([0_u32; 6].iter().flat_map(|word| word.to_le_bytes())); // no named streams
    let mut modules = Vec::new();
    for stream in [5_u16, 6] {
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
    let path = temporary("made.pdb");
    let file = ms_pdb::RandomAccessFile::from(
        std::fs::File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap(),
    );
    let mut msf = Msf::create_for(file, CreateOptions::default()).unwrap();
    for (at, stream) in streams(text).iter().enumerate() {
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
    for stream in streams(text) {
        writer.new_stream_writer().unwrap().1.write_all(&stream).unwrap();
    }
    writer.finish().unwrap().1.into_inner()
}

/// A path of this test's own.
fn temporary(name: &str) -> PathBuf {
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

const TEXT: &str = "#typev made_c1 10 \"%0n=%10!d!\" // LEVEL=L FUNC=f\n{\nn, ItemLong -- 10\n}\n#typev made_c2 11 \"%0c=%10!s!\" // FUNC=g\n{\nc, ItemListByte(red,green) -- 10\n}\n";

fn check(symbols: &PdbSymbols) {
    assert_eq!((symbols.guid.to_u128(), symbols.age), (PDB_GUID, 3));
    let [file] = &symbols.files[..] else { panic!("one message GUID: {:?}", symbols.files) };
    assert_eq!(file.name(), "2363c985-9b6e-3283-34a7-e8c27a60b889.tmf");
    assert_eq!(file.tmf.to_string(), format!("// PDB:  made.pdb\n{}", with_group(TEXT)));
}

#[test]
fn annotations_become_tmf_files() {
    check(&extract_bytes(msf(&with_group(TEXT)), "made.pdb").unwrap());
    check(&extract_bytes(msfz(&with_group(TEXT)), "made.pdb").unwrap());
}

#[test]
fn a_pdb_decodes_as_its_tmf_files_do() {
    let Some(corpus) = crate::common::corpus() else { return };
    let mut text = String::new();
    let mut files: Vec<_> = std::fs::read_dir(corpus.join("tmf")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        text += &std::fs::read_to_string(file).unwrap();
    }
    for bytes in [msf(&text), msfz(&text)] {
        let pdb = extract_bytes(bytes, "all.pdb").unwrap();
        assert_eq!(pdb.files.len(), 7);
        for name in ["wppemitter", "wppstr", "wpptypes", "wppenum", "wpptime", "wppmisc", "wppbin"] {
            let name = format!("{name}-sample.etl");
            let mut symbols = Symbols::default();
            symbols.add_pdb("all.pdb".as_ref(), pdb.clone());
            let by_pdb = Run::new(trace(&name).unwrap(), symbols).messages();
            assert_eq!(by_pdb, Run::new(trace(&name).unwrap(), folder("tmf").unwrap()).messages(), "{name}");
            assert!(by_pdb.iter().all(|message| message.text.is_some()));
        }
    }
}

fn events() -> Vec<Event> {
    let message = MessageEvent::new(Guid::new(GUID), 11).at(722_450_000_009).payload(Payload::new().u8(1));
    let provider = Guid::new(7);
    vec![
        message.into(),
        wpp_pdb(722_450_000_010, Guid::new(PDB_GUID), 3, r"D:\build\Made.pdb").into(),
        wpp_binary(722_450_000_011, &[provider], r"\SystemRoot\made.sys").into(),
        wpp_pdb(722_450_000_012, Guid::new(8), 1, r"..\..\evil.pdb").into(),
    ]
}

#[test]
fn a_symbol_store_has_what_a_trace_names() {
    let file = temporary("made.pdb");
    let root = file.parent().unwrap();
    let folder = root.join("Made.pdb/00112233445566778899AABBCCDDEEFF3");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("Made.pdb"), msf(&with_group(TEXT))).unwrap();
    let mut symbols = Symbols::default();
    symbols.add_path(root).unwrap();
    assert!(symbols.is_empty());
    let run = Run::of(events(), symbols);
    assert_eq!(run.messages()[0].text.as_deref(), Some("c=0x00000001(green)"));
    let wanted = run.wanted.list();
    assert_eq!(wanted[0].found.as_deref(), Some(&*folder.join("Made.pdb")));
    assert_eq!((wanted[0].providers[0].to_u128(), wanted[0].binary.as_deref()), (7, Some(r"\SystemRoot\made.sys")));
    let missing = run.wanted.missing();
    assert_eq!((missing.len(), &*missing[0].name), (1, "evil.pdb"));
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn pdb_files_of_a_folder_and_by_name() {
    let file = temporary("made.pdb");
    std::fs::write(&file, msf(&with_group(TEXT))).unwrap();
    std::fs::write(file.with_file_name("broken.pdb"), b"no pdb").unwrap();
    check(&extract(&file).unwrap());
    let mut symbols = Symbols::default();
    symbols.add_path(file.parent().unwrap()).unwrap();
    assert_eq!((symbols.len(), symbols.problems().len()), (2, 1));
    assert!(Symbols::default().add_path(&file.with_file_name("broken.pdb")).is_err());
    let run = Run::of(events(), symbols);
    assert_eq!(run.wanted.list()[0].found.as_deref(), Some(&*file));
    std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
}
