//! What is stated about files that were given as schemas or symbols.

use super::{Folder, Run};

const MANIFEST: &str = "<instrumentationManifest xmlns=\"http://schemas.microsoft.com/win/2004/08/events\">
 <instrumentation><events>
  <provider name=\"My-Own\" guid=\"{5e7a1000-0001-4b1d-9c0d-e7a51d0c0001}\" symbol=\"MINE\"
            resourceFileName=\"x\" messageFileName=\"x\">
   <events><event symbol=\"Mine\" value=\"7\" version=\"0\" template=\"T\"/></events>
   <templates><template tid=\"T\"><data name=\"Size\" inType=\"win:UInt32\"/></template></templates>
  </provider>
 </events></instrumentation>
</instrumentationManifest>
";

fn folder() -> Folder {
    let folder = Folder::with(&["hello.etl"]);
    folder.write("my.man", MANIFEST.as_bytes());
    folder.write("broken.man", MANIFEST.split("=\"Size\"").next().unwrap().as_bytes());
    folder.write("elf", &[b"\x7FELF".as_slice(), &[1; 2000]].concat());
    folder.write("picture.png", &[b"\x89PNG\r\n\x1A\n".as_slice(), &[1; 2000]].concat());
    folder
}

/// A run that must fail for one reason.
fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let Run { code, out, err } = folder.run(arguments);
    assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
    let (first, rest) = err.split_once('\n').unwrap();
    assert!(rest.is_empty() || rest.starts_with("hint: "), "{arguments:?}: {err}");
    first.to_owned()
}

#[test]
fn a_file_that_holds_no_schemas_is_named_for_what_it_is() {
    let folder = folder();
    for command in ["info", "dump", "count", "table", "requests", "schema"] {
        let said = |file: &str| refused(&folder, &[command, "hello.etl", "--schemas", file]);
        let broken = said("broken.man");
        assert!(broken.starts_with("error: broken.man: line 6: "), "{command}: {broken}");
        assert_eq!(said("hello.etl"), "error: hello.etl: no schemas: it is an .etl trace");
        assert_eq!(said("elf"), "error: elf: no schemas: it is an ELF program");
        assert_eq!(said("picture.png"), "error: picture.png: no schemas: it is a picture");
    }
    let together = refused(&folder, &["info", "--together", "hello.etl", "--schemas", "broken.man"]);
    assert!(together.starts_with("error: broken.man: line 6: "), "{together}");
}

const TMF: &str = "5e7a1000-0002-4b1d-9c0d-e7a51d0c0002 sample // SRC=sample.c
#typev sample_c1 10 \"%0Started %10!d!\" // LEVEL=INFO
{
a, ItemLong -- 10
}
";

const SCHEMA: &str = "provider \"P\" {5e7a1000-0003-4b1d-9c0d-e7a51d0c0003}\nevent id 1 { A u8 }\n";

#[test]
fn what_was_brought_along_is_printed_without_a_trace() {
    let folder = folder();
    folder.write("my.schema", SCHEMA.as_bytes());
    folder.write("my.tmf", TMF.as_bytes());
    let run = |arguments: &[&str]| folder.output(&[&["schema"], arguments].concat());
    let text = run(&["--schemas", "my.schema", "--provider", "P"]);
    assert!(text.contains("{5e7a1000-0003-4b1d-9c0d-e7a51d0c0003}") && text.contains("A  u8"), "{text}");
    let text = run(&["--schemas", "my.man", "--provider", "My-Own"]);
    assert!(text.contains("{5e7a1000-0001-4b1d-9c0d-e7a51d0c0001}") && text.contains("Size  u32"), "{text}");
    // What was printed can be given back, and is the same.
    folder.write("again.schema", text.as_bytes());
    let again = run(&["--schemas", "again.schema", "--provider", "My-Own"]);
    assert_eq!(again, text);
    let text = run(&["--symbols", "my.tmf", "--provider", "5e7a1000-0002-4b1d-9c0d-e7a51d0c0002"]);
    assert!(text.contains("Started"), "{text}");
    // First what is asked first.
    let all = run(&["--schemas", "my.schema"]);
    assert!(all.starts_with("provider \"P\"") && all.contains("Windows Kernel"), "{}", all.get(..300).unwrap());
    assert_eq!(refused(&folder, &["schema", "--schemas", "no/such"]), "error: no/such: no such file or folder");
    assert_eq!(refused(&folder, &["schema", "--symbols", "no.tmf"]), "error: no.tmf: no such file or folder");
    assert!(refused(&folder, &["schema", "--schemas", "broken.man"]).starts_with("error: broken.man: line 6: "));
}

#[test]
fn a_file_that_holds_no_symbols_is_refused_and_a_folder_warned_of() {
    let folder = folder();
    folder.write("x.tmf", b"x");
    folder.write("x.json", b"{\"a\": [1, 2]}");
    folder.write("tmf/my.tmf", TMF.as_bytes());
    folder.write("store/my.pdb/00112233445566778899AABBCCDDEEFF1/my.pdb", b"not looked at");
    folder.write("none/notes.txt", b"notes");
    let said = |file: &str| refused(&folder, &["count", "hello.etl", "--symbols", file]);
    assert_eq!(said("hello.etl"), "error: hello.etl: no symbols: it is an .etl trace");
    assert_eq!(said("elf"), "error: elf: no symbols: it is an ELF program");
    assert_eq!(said("picture.png"), "error: picture.png: no symbols: it is a picture");
    for text in ["my.man", "x.tmf", "x.json"] {
        assert_eq!(said(text), format!("error: {text}: no symbols: there is no definition of a WPP message in it"));
    }
    let warned = |option: &str, path: &str| {
        let run = folder.run(&["count", "hello.etl", option, path]);
        assert_eq!(run.code, 0, "{option} {path}: {}", run.err);
        run.err
    };
    assert!(warned("--symbols", "none").starts_with("warning: none: no symbols in this folder"));
    assert!(warned("--schemas", "tmf").starts_with("warning: tmf: no schemas in this folder"));
    for (option, path) in [("--symbols", "tmf"), ("--symbols", "tmf/my.tmf"), ("--symbols", "store")] {
        assert_eq!(warned(option, path), "", "{path}");
    }
    // The same file twice, by its folder and by its name, is not a mistake.
    assert_eq!(folder.run(&["count", "hello.etl", "--symbols", "tmf", "--symbols", "tmf/my.tmf"]).err, "");
}

#[test]
fn schemas_of_a_folder_are_not_overwritten() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("own")).unwrap();
    folder.write("own/my.man", MANIFEST.as_bytes());
    for command in ["dump", "relog", "redact"] {
        let run = folder.run(&[command, "hello.etl", "--schemas", "own", "-o", "own/my.man"]);
        assert!(run.code == 2 && run.err.contains("would overwrite an input"), "{command}: {}", run.err);
    }
    assert_eq!(std::fs::read(folder.path().join("own/my.man")).unwrap(), MANIFEST.as_bytes());
    let beside = folder.run(&["dump", "hello.etl", "--schemas", "own", "-o", "own/hello.jsonl"]);
    assert_eq!(beside.code, 0, "{}", beside.err);
}

#[test]
fn what_is_no_symbols_is_refused_where_code_is_named_too() {
    let folder = folder();
    folder.write("notes.md", b"# Notes\n");
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let trace = refused(&folder, &["symbols", "hello.etl", "--symbols", "hello.etl"]);
    assert_eq!(trace, "error: hello.etl: no symbols: it is an .etl trace");
    let text = refused(&folder, &["dump", "hello.etl", "--stacks", "--symbols", "notes.md"]);
    assert!(text.starts_with("error: notes.md: no symbols"), "{text}");
    let run = folder.run(&["symbols", "hello.etl", "--symbols", "empty"]);
    assert!(run.err.contains("warning: empty: no symbols in this folder"), "{}", run.err);
}
