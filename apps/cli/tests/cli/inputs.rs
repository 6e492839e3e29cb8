//! Files, folders, globs, archives and pipes.

use crate::common::{Folder, Run, fixture};
use crate::{files, gzip, zip};

#[test]
fn one_bad_input_does_not_stop_the_others() {
    let folder = Folder::with(&["hello.etl", "x-text.etl"]);
    let run = folder.run(&["info", "--json", "x-text.etl", "missing.etl", "hello.etl"]);
    assert_eq!(run.code, 2);
    assert_eq!(files(&run.json()), ["hello.etl"]);
    assert_eq!(run.err.matches("error: ").count(), 2, "{}", run.err);
    let run = folder.run(&["dump", "x-text.etl", "hello.etl"]);
    assert_eq!((run.code, run.out.lines().count()), (2, 11));
}

#[test]
fn a_folder_and_a_glob_mean_their_traces() {
    let folder = Folder::with(&["hello.etl"]);
    for name in ["in/b.etl", "in/a_10.etl", "in/a_9.etl", "in/deep/c.ETL.001", "in/d.blg", "in/notes.txt"] {
        folder.write(name, &fixture("hello.etl"));
    }
    folder.write("in/e.etl.gz", &gzip(&fixture("hello.etl")));
    let found = folder.run(&["info", "--json", "in"]).json();
    let expected = ["in/a_9.etl", "in/a_10.etl", "in/b.etl", "in/d.blg", "in/deep/c.ETL.001", "in/e.etl.gz"];
    assert_eq!(files(&found), expected);
    let found = folder.run(&["info", "--json", "in/a_*.etl", "in/a_9.etl", "hello.etl"]).json();
    assert_eq!(files(&found), ["in/a_9.etl", "in/a_10.etl", "hello.etl"], "each file once");
    folder.write("in/[x].etl", &fixture("hello.etl"));
    assert_eq!(folder.events(&["in/[x].etl"]), 11, "a file with that very name");
}

#[test]
fn archives_and_pipes_are_read_like_files() {
    let hello = fixture("hello.etl");
    let folder = Folder::with(&["hello.etl"]);
    let plain = folder.run(&["dump", "hello.etl"]).out;
    folder.write("hello.etl.gz", &gzip(&hello));
    let archive = zip(&[("read me.txt", b"text"), ("logs/hello.etl", &hello)]);
    folder.write("hello.diagsession", &archive);
    for name in ["hello.etl.gz", "hello.diagsession"] {
        assert_eq!(folder.run(&["dump", name]).out, plain, "{name}");
    }
    for input in [&hello, &gzip(&hello), &archive] {
        assert_eq!(folder.run_with_input(&["dump", "-"], input).out, plain);
    }
    assert_eq!(folder.run(&["dump", "--mmap", "hello.etl"]).out, plain);
    let found = folder.run(&["info", "--json", "hello.diagsession"]).json();
    assert_eq!(files(&found), ["hello.diagsession!logs/hello.etl"]);
}

#[test]
fn the_name_of_a_member_can_be_given_back() {
    let folder = Folder::with(&["hello.etl"]);
    let (hello, others) = (fixture("hello.etl"), fixture("many-processors.etl"));
    let members = [("a/b/hello.etl", &*hello), ("others.etl", &*others), ("odd!name", &*hello)];
    folder.write("all[1].zip", &zip(&members));
    let found = folder.run(&["info", "--json", "all[1].zip"]).json();
    assert_eq!(files(&found), ["all[1].zip!a/b/hello.etl", "all[1].zip!others.etl"]);
    for (name, bytes) in members {
        let name = format!("all[1].zip!{name}");
        let run = folder.run(&["info", "--json", &name, &name]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        let found = run.json();
        assert_eq!(files(&found), [&*name], "given twice, it is one");
        assert_eq!(found.first().unwrap()["bytes"].as_u64(), Some(bytes.len() as u64));
    }
    assert_eq!(folder.events(&["all[1].zip!a/b/hello.etl"]), folder.events(&["hello.etl"]));
    let none = folder.run(&["info", "all[1].zip!b/hello.etl"]);
    assert_eq!(none.code, 2);
    assert!(
        none.err.starts_with("error: all[1].zip: no member b/hello.etl in this archive\nhint: it contains "),
        "{}",
        none.err
    );
    let plain = folder.run(&["info", "hello.etl!x"]);
    assert_eq!((plain.code, plain.err.as_str()), (2, "error: hello.etl: not a zip archive, so it has no members\n"));
}

#[test]
fn a_member_that_is_named_beside_its_archive_is_read_once() {
    let folder = Folder::with(&["hello.etl"]);
    folder.write("t.zip", &zip(&[("a.etl", &fixture("hello.etl"))]));
    let alone = folder.events(&["t.zip"]);
    for inputs in [["t.zip", "t.zip!a.etl"], ["t.zip!a.etl", "./t.zip"]] {
        assert_eq!(folder.events(&inputs), alone, "{inputs:?}");
    }
}

#[test]
fn zeros_after_gzip_data_are_padding() {
    let folder = Folder::with(&["hello.etl"]);
    let packed = gzip(&fixture("hello.etl"));
    folder.write("padded.etl.gz", &[&packed[..], &[0; 512]].concat());
    folder.write("longer.etl.gz", &[&packed[..], b"rest"].concat());
    let padded = folder.run(&["dump", "padded.etl.gz"]);
    assert_eq!((padded.code, padded.err.as_str()), (0, ""));
    let longer = folder.run(&["dump", "longer.etl.gz"]);
    assert!(longer.code == 1 && longer.err.contains("other bytes follow the gzip data"), "{}", longer.err);
    assert_eq!(longer.out, padded.out);
}

#[test]
fn unpacking_stops_at_the_limit() {
    let folder = Folder::with(&[]);
    let bomb = vec![0; 3 << 20];
    folder.write("bomb.etl.gz", &gzip(&bomb));
    folder.write("bomb.zip", &zip(&[("a.etl", &bomb)]));
    for name in ["bomb.etl.gz", "bomb.zip"] {
        let run = folder.run(&["info", name, "--unpack-limit", "1M"]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("larger than the limit of 1 MiB") && run.err.contains("hint: "), "{}", run.err);
    }
    let hello = fixture("hello.etl");
    folder.write("two.zip", &zip(&[("a.etl", &hello), ("b.etl", &hello)]));
    let limit = (hello.len() + 1).to_string();
    assert_eq!(folder.run(&["info", "two.zip", "--unpack-limit", &limit]).code, 0, "one after the other");
    assert_eq!(folder.run(&["dump", "two.zip", "--unpack-limit", &limit]).code, 2, "both at a time");
    folder.write("none.zip", &zip(&[("a.txt", b"text")]));
    assert!(folder.run(&["info", "none.zip"]).err.contains("no trace in this archive"));
}

#[test]
fn a_packed_file_that_breaks_off_is_damage() {
    let folder = Folder::with(&[]);
    let packed = gzip(&fixture("many-processors.etl"));
    folder.write("cut.etl.gz", &packed[..packed.len() * 3 / 4]);
    let run = folder.run(&["dump", "cut.etl.gz"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("bad-archive") && run.out.lines().count() > 10, "{}", run.err);
    let problems = &folder.run(&["info", "--json", "cut.etl.gz"]).json()[0]["problems"];
    assert_eq!(problems[0]["kind"], "bad-archive");
}

#[test]
fn several_files_are_one_trace() {
    let folder = Folder::with(&["newfile_1.etl", "newfile_2.etl"]);
    let forward = folder.run(&["dump", "newfile_1.etl", "newfile_2.etl"]);
    let backward = folder.run(&["dump", "newfile_2.etl", "newfile_1.etl"]);
    let merged = folder.run(&["dump", "newfile_2.etl", "--merge"]);
    assert_eq!(forward.out.lines().count(), 38);
    assert_eq!((&forward.out, &forward.out), (&backward.out, &merged.out));
    let files_of = |run: Run| run.json().iter().map(|row| row["file"].clone()).collect::<Vec<_>>();
    assert_eq!(files_of(folder.run(&["info", "--json", "--merge", "newfile_2.etl"])).len(), 2);
    assert_eq!(folder.events(&["newfile_2.etl", "newfile_1.etl", "--until", "+1ms"]), 2, "from the earliest start");
}

#[test]
fn what_has_no_files_beside_it_is_not_merged() {
    let folder = Folder::with(&["hello.etl"]);
    let run = folder.run(&["info", "-", "--merge"]);
    assert!(run.code == 2 && run.err.contains("stdin has no other files beside it"), "{}", run.err);
}
