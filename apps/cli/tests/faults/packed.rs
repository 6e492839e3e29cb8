//! Packed data that is a trap, or not read without a word.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::common::{Folder, fixture};

const MIB: usize = 1 << 20;

fn gzip(start: &[u8], zeros: usize) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(start).unwrap();
    let some = vec![0; MIB];
    (0..zeros / MIB).for_each(|_| packed.write_all(&some).unwrap());
    packed.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in members {
        archive.start_file(*name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn what_is_packed_has_a_limit_in_proportion_to_its_size() {
    let folder = Folder::with(&[]);
    let hello = fixture("hello.etl");
    folder.write("bomb.etl.gz", &gzip(&hello, 150 * MIB));
    let zeros = vec![0; 60 * MIB];
    let large = [&*hello, &zeros].concat();
    folder.write("bombs.zip", &zip(&[("a.etl", &large), ("b.etl", &large), ("c.etl", &large), ("d.etl", &large)]));
    let why = "it unpacks to more than 128 MiB and 32 times its packed size, far more than traces do\nhint: if you trust the file";
    let gz = folder.run(&["info", "bomb.etl.gz"]);
    assert_eq!(gz.code, 2);
    assert!(gz.err.starts_with(&format!("error: bomb.etl.gz: {why}")), "{}", gz.err);
    // One after the other, and still all of them count.
    let zip = folder.run(&["info", "--brief", "bombs.zip"]);
    assert_eq!((zip.code, zip.out.lines().count()), (2, 3), "{}{}", zip.out, zip.err);
    assert!(zip.err.contains(&format!("error: bombs.zip!c.etl: {why}")), "{}", zip.err);
    assert!(zip.err.contains("bombs.zip: 1 member after it not read"), "{}", zip.err);
    let typed = folder.run(&["info", "--brief", "bomb.etl.gz", "--unpack-limit", "4GiB"]);
    assert!(typed.out.contains("bomb.etl.gz"), "{}", typed.err);
    // Zeros alone are not a trace: seen before they are all unpacked.
    folder.write("zeros.etl.gz", &gzip(b"", 200 * MIB));
    let zeros = folder.run(&["info", "zeros.etl.gz"]);
    assert!(zeros.code == 2 && zeros.err.contains("only zeros"), "{}", zeros.err);
}

#[test]
fn members_by_other_names_are_told() {
    let folder = Folder::with(&[]);
    let hello = fixture("hello.etl");
    let members: [(&str, &[u8]); 5] = [
        ("a.etl", &hello),
        ("b.etl.bak", &hello),
        ("inner.etl.gz", &gzip(&hello, 0)),
        ("inner.zip", &zip(&[("x.etl", &hello)])),
        ("notes.txt", b"text"),
    ];
    folder.write("all.zip", &zip(&members));
    let note = "note: traces by another name, read if they are named: all.zip!b.etl.bak; \
                packed itself, to be unpacked first: all.zip!inner.etl.gz, all.zip!inner.zip\n";
    for command in ["info", "dump", "buffers"] {
        let run = folder.run(&[command, "all.zip"]);
        assert_eq!((run.code, run.err.as_str()), (0, note), "{command}");
        let named = folder.run(&[command, "all.zip!b.etl.bak"]);
        assert_eq!((named.code, named.err.as_str()), (0, ""));
    }
    folder.write("others.zip", &zip(&members[1..]));
    let run = folder.run(&["info", "others.zip"]);
    assert!(run.code == 2 && run.err.contains("hint: traces by another name"), "{}", run.err);
    folder.write("plain.zip", &zip(&[members[0], members[4]]));
    assert_eq!(folder.run(&["info", "plain.zip"]).err, "");
}

/// Names of members lead to no file: such members are not read, others are.
#[test]
fn a_member_cannot_name_a_file_outside() {
    let folder = Folder::with(&[]);
    let hello = fixture("hello.etl");
    let members: [(&str, &[u8]); 4] =
        [("../../evil.etl", &hello), ("/tmp/x.etl", &hello), (r"a\..\..\y.etl", &hello), ("z.etl", &hello)];
    folder.write("in/all.zip", &zip(&members));
    let run = folder.run(&["dump", "in/all.zip", "-f", "csv", "-o", "out/"]);
    assert_eq!(run.code, 2, "{}", run.err);
    for name in ["../../evil.etl", "/tmp/x.etl", r"a\..\..\y.etl"] {
        let why = format!("error: in/all.zip!{name}: its name leads out of the archive\nhint: if you trust the file");
        assert!(run.err.contains(&why), "{}", run.err);
    }
    assert_eq!(crate::names(&folder), ["in", "out"]);
    let found: Vec<_> =
        std::fs::read_dir(folder.path().join("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(found.iter().all(|name| std::path::Path::new(name).extension().unwrap() == "csv"), "{found:?}");
    assert!(!found.is_empty(), "the last member is read");
}

/// Two entries of the directory with the bytes of one member, as in archives that unpack to very much.
#[test]
fn members_that_overlap_are_refused() {
    let folder = Folder::with(&[]);
    let mut archive = zip(&[("a.etl", &fixture("hello.etl")), ("b.etl", &fixture("hello.etl"))]);
    let second = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    archive[second + 42..second + 46].copy_from_slice(&[0; 4]);
    folder.write("all.zip", &archive);
    let run = folder.run(&["info", "all.zip"]);
    assert!(run.code == 2 && run.err.contains("error: all.zip: members of the archive overlap"), "{}", run.err);
}

/// What members hold counts also if it is not a trace: such an archive is not unpacked to its end.
#[test]
fn what_is_no_trace_counts() {
    let folder = Folder::with(&[]);
    let zeros = vec![0; 40 * MIB];
    folder.write("zeros.zip", &zip(&["a.etl", "b.etl", "c.etl", "d.etl", "e.etl"].map(|name| (name, &*zeros))));
    let refused = folder.run(&["info", "--unpack-limit", "1GiB", "zeros.zip"]).err;
    assert!(!refused.contains("far more than traces do"), "{refused}");
    let mut many: Vec<(String, &[u8])> = Vec::new();
    (0..12).for_each(|number| many.push((format!("{number:02}.etl"), &zeros)));
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    folder.write("many.zip", &zip(&many));
    let run = folder.run(&["info", "many.zip"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("far more than traces do") && run.err.contains("not read"), "{}", run.err);
}
