//! PDB files with annotations.

use etwkit_synth::kernel::{wpp_binary, wpp_pdb};
use etwkit_synth::{Event, Guid, MessageEvent, Payload};
use etwkit_wpp::{PdbSymbols, Symbols, extract, extract_bytes};

use crate::common::{GUID, Run, folder, temporary, trace, with_group};
use crate::made::{PDB_GUID, msf};

const TEXT: &str = "#typev made_c1 10 \"%0n=%10!d!\" // LEVEL=L FUNC=f\n{\nn, ItemLong -- 10\n}\n#typev made_c2 11 \"%0c=%10!s!\" // FUNC=g\n{\nc, ItemListByte(red,green) -- 10\n}\n";

fn check(symbols: &PdbSymbols) {
    assert_eq!((symbols.guid.to_u128(), symbols.age), (PDB_GUID, 3));
    let [file] = &symbols.files[..] else { panic!("one message GUID: {:?}", symbols.files) };
    assert_eq!(file.name(), "2363c985-9b6e-3283-34a7-e8c27a60b889.tmf");
    assert_eq!(file.tmf.to_string(), format!("// PDB:  made.pdb\n{}", with_group(TEXT)));
}

#[test]
fn annotations_become_tmf_files() {
    for bytes in both(&with_group(TEXT)) {
        check(&extract_bytes(bytes, "made.pdb").unwrap());
    }
}

/// Returns the same definitions in both kinds of files, if this build reads both.
fn both(text: &str) -> Vec<Vec<u8>> {
    vec![
        msf(text),
        #[cfg(feature = "msfz")]
        crate::made::msfz(text),
    ]
}

#[cfg(not(feature = "msfz"))]
#[test]
fn a_compressed_file_names_the_feature_that_reads_it() {
    let mut bytes = b"Microsoft MSFZ Container\r\n\x1aALD\0\0".to_vec();
    bytes.resize(100, 0);
    let error = extract_bytes(bytes, "made.pdb").unwrap_err().to_string();
    assert!(error.contains("made.pdb: a compressed PDB file (MSFZ)") && error.contains("feature `msfz`"), "{error}");
}

/// The GUID and the age that a binary names its PDB file by.
#[test]
fn the_key_is_that_of_the_binary() {
    let Some(folder) = etwkit_corpus::path("symbols") else { return };
    for (binary, pdb) in [("WriteArgument.exe", "WriteArgument.pdb"), ("softokn3.dll", "softokn3.pdb")] {
        let binary = std::fs::read(folder.join(binary)).unwrap();
        let at = binary.windows(4).position(|bytes| bytes == b"RSDS").unwrap() + 4;
        let symbols = extract(&folder.join(pdb)).unwrap();
        let (guid, age) = (&binary[at..at + 16], &binary[at + 16..at + 20]);
        assert_eq!((&Guid::new(symbols.guid.to_u128()).to_bytes()[..], &symbols.age.to_le_bytes()[..]), (guid, age));
        assert!(symbols.files.is_empty(), "{pdb} has no messages");
    }
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
    for bytes in both(&text) {
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
    assert_eq!(symbols.add_path(root).unwrap(), 0);
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
    assert_eq!(symbols.add_path(file.parent().unwrap()).unwrap(), 2);
    assert_eq!((symbols.len(), symbols.problems().count()), (2, 1));
    assert!(Symbols::default().add_path(&file.with_file_name("broken.pdb")).is_err());
    let run = Run::of(events(), symbols);
    assert_eq!(run.wanted.list()[0].found.as_deref(), Some(&*file));
    std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
}
