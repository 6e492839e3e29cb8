//! Names of native code, and lists of the symbol files that are wanted.

use etwkit_synth::{Buffer, Guid, LogfileHeader, PointerSize, TraceBuilder, kernel, merged};

use super::Folder;

const SIZE: PointerSize = PointerSize::Eight;
const BASE: u64 = 0x7ff6_0000_0000;
const GUID: Guid = Guid::new(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
pub(super) const KEY: &str = "00112233445566778899AABBCCDDEEFF1A";
/// A Breakpad file: what has a function of 0x40 bytes, with one of 8 bytes inlined.
pub(super) const SYMBOLS: &str = "MODULE windows x86_64 00112233445566778899AABBCCDDEEFF1A app.pdb
FILE 0 a.cpp
FILE 1 b.h
INLINE_ORIGIN 0 inner
FUNC 1010 40 0 Space::outer
INLINE 0 11 0 0 1020 8
1010 10 10 0
1020 8 101 1
1028 28 12 0
";

/// A folder with a trace of an image in two processes, and one without the identity of a PDB file.
pub(super) fn folder() -> Folder {
    let header = LogfileHeader::default();
    let mut buffer = Buffer::on(0);
    for (pid, name) in [(400, "app.exe"), (500, "app.exe"), (400, "bare.dll")] {
        let base = if name == "app.exe" { BASE } else { BASE + 0x100_0000 };
        let at = header.after(i64::from(pid));
        if name == "app.exe" {
            buffer = buffer.event(merged::dbg_id_rsds(SIZE, base, pid, (GUID, 26, r"c:\obj\app.pdb")).at(at));
        }
        let path = format!(r"\Device\HarddiskVolume2\{name}");
        buffer = buffer.event(kernel::image(SIZE, 0x030A, base, 0x2000, pid, &path).at(at).by(pid, pid + 4));
    }
    for (pid, stack) in [(400, vec![BASE + 0x1022, BASE + 0x1050, BASE + 0x100_0123]), (500, vec![BASE + 0x1022])] {
        let at = header.after(600 + i64::from(pid));
        buffer = buffer
            .event(kernel::sampled_profile(SIZE, BASE + 0x1022, pid + 4).at(at))
            .event(kernel::stack_walk(SIZE, at, pid, pid + 4, &stack).at(at + 1));
    }
    let folder = Folder::with(&[]);
    folder.write("trace.etl", &TraceBuilder::new(header).buffer(buffer).build().bytes);
    folder.write("symbols/app.sym", SYMBOLS.as_bytes());
    folder
}

#[test]
fn wanted_symbol_files_are_listed() {
    let folder = folder();
    let run = folder.run(&["symbols", "trace.etl", "--format", "csv"]);
    let expected = "frames,module,pdb,guid,age,found,file\n\
                    3,app.exe,app.pdb,00112233-4455-6677-8899-aabbccddeeff,26,no,\n\
                    1,bare.dll,,,,no,\n";
    assert_eq!((run.code, run.out.as_str()), (0, expected), "{}", run.err);
    let said = "note: 4 frames in stacks: 0 in modules with a symbol file, 4 in modules without, 0 in methods that the trace \
                names, 0 in no module\nnote: 1 module without the identity of a PDB file: merging a trace (`xperf -d`, `wpr \
                -stop`) adds them\n";
    assert_eq!(run.err, said);
    let manifest = folder.run(&["symbols", "trace.etl", "--format", "manifest"]).out;
    assert_eq!(manifest, format!("app.pdb,{KEY},1\r\n"));
    let urls = folder.run(&["symbols", "trace.etl", "--format", "urls"]).out;
    assert_eq!(urls, format!("https://msdl.microsoft.com/download/symbols/app.pdb/{KEY}/app.pdb\n"));
    let urls = folder.run(&["symbols", "trace.etl", "--format", "urls", "--server", "http://own/"]).out;
    assert_eq!(urls, format!("http://own/app.pdb/{KEY}/app.pdb\n"));
    let refused = folder.run(&["symbols", "trace.etl", "--format", "urls", "--first", "1"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
}

#[test]
fn what_is_found_is_not_wanted() {
    let folder = folder();
    let run =
        folder.run(&["symbols", "trace.etl", "--symbols", "symbols", "--fields", "module,found,file", "-f", "json"]);
    let file = |path: &str| format!(r#"{{"module":"app.exe","found":"breakpad","file":"{path}"}}"#);
    assert_eq!(run.out.lines().next().unwrap().replace("\\\\", "/"), file("symbols/app.sym"), "{}", run.err);
    let by_file = folder.run(&["symbols", "trace.etl", "--symbols", "symbols/app.sym", "--format", "manifest"]);
    assert_eq!((by_file.code, by_file.out.as_str()), (0, ""), "{}", by_file.err);
}

#[test]
fn stacks_have_names_of_native_code() {
    let folder = folder();
    let run = folder.run(&["profile", "trace.etl", "--symbols", "symbols", "--format", "folded"]);
    let expected = "process (400);thread (404);bare.dll+0x123;app.exe!Space::outer;app.exe!Space::outer;app.exe!inner 1\n\
                    process (500);thread (504);app.exe!Space::outer;app.exe!inner 1\n";
    assert_eq!(run.out, expected, "{}", run.err);
    let said = "note: symbol files for 1 of 2 modules in stacks; `etwkit symbols` lists the others\n";
    assert!(run.err.ends_with(said), "{}", run.err);
    let plain = folder.run(&["profile", "trace.etl", "--format", "folded"]);
    assert!(plain.out.contains("bare.dll+0x123;app.exe+0x1050;app.exe+0x1022 1\n"), "{}", plain.out);
    assert!(!plain.err.contains("symbol"), "{}", plain.err);
    let dump = folder.run(&["dump", "trace.etl", "--stacks", "--symbols", "symbols"]);
    let members = r#""frames":["app.exe!Space::outer","app.exe!Space::outer","bare.dll+0x123"],"functions":[[{"name":"inner","file":"b.h","line":101},{"name":"Space::outer","file":"a.cpp","line":11}],[{"name":"Space::outer","file":"a.cpp","line":12}],null]"#;
    assert!(dump.out.contains(members), "{}\n{}", dump.out, dump.err);
    let fields = folder.run(&["dump", "trace.etl", "--stacks", "--symbols", "symbols", "--fields", "frames"]);
    assert!(fields.out.contains("app.exe!Space::outer"), "{}", fields.out);
}

#[test]
fn a_condition_on_frames_reads_what_names_them() {
    let folder = folder();
    let rows = |command: &[&str]| {
        let filter = ["trace.etl", "--symbols", "symbols", "--where", "frames ~ 'Space::outer'"];
        let run = folder.run(&[command, &filter].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let said = "note: symbol files for 1 of 2 modules in stacks; `etwkit symbols` lists the others\n";
        assert!(run.err.ends_with(said), "{}", run.err);
        run.out.lines().count()
    };
    assert_eq!(rows(&["dump"]), 2);
    assert_eq!(rows(&["dump", "--stacks"]), 2);
    assert_eq!(rows(&["count", "-f", "jsonl", "--group-by", "event"]), 1);
    assert_eq!(rows(&["table", "-f", "jsonl"]), 2);
    assert_eq!(rows(&["analyze", "events", "-f", "jsonl"]), 1);
    let groups = folder.run(&["count", "trace.etl", "--symbols", "symbols", "--group-by", "frames", "-f", "jsonl"]);
    assert!(groups.out.contains("app.exe!Space::outer"), "{}\n{}", groups.out, groups.err);
    let fields = folder.run(&["dump", "trace.etl", "--symbols", "symbols", "--fields", "frames"]);
    assert!(fields.out.contains("app.exe!Space::outer"), "{}\n{}", fields.out, fields.err);
}

#[test]
fn servers_are_never_asked() {
    let folder = folder();
    let mut command = folder.command(&["profile", "trace.etl", "--format", "folded"]);
    let variable = "srv*symbols*https://msdl.microsoft.com/download/symbols;http://own";
    let output = command.env("_NT_SYMBOL_PATH", variable).output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(out.contains("app.exe!Space::outer"), "{out}");
    let said = "note: _NT_SYMBOL_PATH names https://msdl.microsoft.com/download/symbols and 1 more: nothing is fetched; \
                `etwkit symbols FILE` lists the PDB files to fetch\n";
    assert_eq!(err.matches(said).count(), 1, "{err}");
}
