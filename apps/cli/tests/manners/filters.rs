//! Filters that choose events: levels, processes, texts, windows of time, and the fields of WPP messages.

use serde_json::{Value, json};

use super::Folder;

fn count(folder: &Folder, arguments: &[&str]) -> u64 {
    folder.output(&[&["dump", "-q", "--count"], arguments].concat()).trim().parse().unwrap()
}

/// `hello.etl` has three kernel events without a level, four of level 4 and four of level 5.
#[test]
fn a_level_is_a_level() {
    let folder = Folder::with(&["hello.etl"]);
    for (arguments, events) in [
        (&["--level", "error"][..], 0),
        (&["--level", "info"], 4),
        (&["--level", "0x5"], 8),
        (&["--level", "info", "--level-0"], 7),
        (&["--level", "5", "--session-filters"], 11),
        (&["--level", "0"], 0),
        (&["--where", "level <= error"], 0),
        (&["--where", "level <= info"], 4),
        (&["-w", "not level > info"], 7),
    ] {
        assert_eq!(count(&folder, &[&["hello.etl"], arguments].concat()), events, "{arguments:?}");
    }
    assert_eq!(folder.run(&["dump", "hello.etl", "--level-0"]).code, 2);
}

#[test]
fn numbers_may_be_hexadecimal() {
    let folder = Folder::with(&["hello.etl"]);
    for (option, number, events) in
        [("--pid", "0x4b0", 4), ("--tid", "0xd54", 4), ("--cpu", "0x1", 4), ("--first", "0x2", 2), ("--last", "0x3", 3)]
    {
        assert_eq!(count(&folder, &["hello.etl", option, number]), events, "{option}");
    }
    let rows = folder.output(&["count", "hello.etl", "--top", "0x1", "--format", "csv"]);
    assert_eq!(rows.lines().count(), 3, "{rows}");
}

#[test]
fn texts_and_processes_are_looked_for() {
    let folder = Folder::with(&["hello.etl", "kernel-stacks.etl"]);
    for (arguments, events) in [
        (&["hello.etl", "--grep", "espresso"][..], 2),
        (&["hello.etl", "--grep", "SYNTH.CAFE"], 4),
        (&["hello.etl", "--grep", "Grüße"], 1),
        (&["hello.etl", "--grep", "Hello, world", "--grep", "flat white"], 3),
        (&["hello.etl", "--grep", "espresso", "-w", "opcode == 2"], 1),
        (&["hello.etl", "--grep", r"C:\traces\hello.etl"], 1),
        (&["hello.etl", "--grep", "e.*o"], 0),
        (&["kernel-stacks.etl", "--process", "APP.*"], 8),
        (&["kernel-stacks.etl", "--process", "app"], 0),
        (&["hello.etl", "--time", "+10ms..+40ms"], 3),
        (&["hello.etl", "--time", "..+10ms", "-p", "synth.*"], 1),
        (&["hello.etl", "-p", "synth.*", "-n", "3"], 3),
    ] {
        assert_eq!(count(&folder, arguments), events, "{arguments:?}");
    }
}

const TMF: &str = "//PDB: synth.pdb
5e7a1000-0006-4b1d-9c0d-e7a51d0c0006 synthdrv // SRC=driver.c MJ= MN=
#typev driver_c120 12 \"%0started\" // LEVEL=TRACE_LEVEL_ERROR FLAGS=INIT FUNC=DriverEntry
{
}
#typev driver_c7 13 \"%0stopped\" // LEVEL=TRACE_LEVEL_INFORMATION FUNC=DriverUnload
{
}
#typev driver_c8 20 \"%0noise\" // LEVEL=NOISE
{
}
";

#[test]
fn what_defines_a_wpp_message_has_names() {
    let folder = Folder::with(&["message-options.etl"]);
    folder.write("synth.tmf", TMF.as_bytes());
    let trace = ["message-options.etl", "-q", "--symbols", "synth.tmf"];
    let lines = |arguments: &[&str]| -> Vec<Value> {
        let out = folder.output(&[&["dump"], &trace[..], arguments].concat());
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let names = "level,function,flags,source_file,line,symbols";
    let of = |id: &str| lines(&["--id", id, "--fields", names]).swap_remove(0);
    let first = json!({"level": 2, "function": "DriverEntry", "flags": "INIT", "source_file": "driver.c", "line": 120, "symbols": "synth.pdb"});
    assert_eq!(of("12"), first);
    assert_eq!(
        of("13"),
        json!({"level": 4, "function": "DriverUnload", "source_file": "driver.c", "line": 7, "symbols": "synth.pdb"})
    );
    assert_eq!(of("20"), json!({"level": "NOISE", "source_file": "driver.c", "line": 8, "symbols": "synth.pdb"}));
    for condition in
        ["level <= error", "function == driverentry", "flags ~ init", "source_file == driver.c and line > 100"]
    {
        assert_eq!(lines(&["-w", condition, "--fields", names]), [of("12")], "{condition}");
    }
    assert_eq!(lines(&["--level", "info"]).len(), 2);
    let groups = folder
        .output(&[&["count"], &trace[..], &["-g", "function,line", "--format", "csv", "-w", "line > 0"]].concat());
    assert_eq!(groups, "events,function,line\n1,,8\n1,DriverEntry,120\n1,DriverUnload,7\n");
}

/// No name that JSON lines document is taken for a misspelt one.
#[test]
fn documented_names_give_no_warnings() {
    let folder = Folder::with(&["hello.etl"]);
    for name in ["problem", "details", "payload", "task_guid", "frames", "stack", "extended", "function", "line"] {
        folder.output(&["dump", "hello.etl", "--fields", &format!("time,{name}")]);
        folder.output(&["count", "hello.etl", "--group-by", name]);
    }
}

#[test]
fn several_names_in_one_are_explained() {
    let folder = Folder::with(&["hello.etl"]);
    let run = folder.run(&["dump", "hello.etl", "--count", "--provider", "Synth.Cafe,Synth.Greeter"]);
    let hint = "is one name: for several use `--provider Synth.Cafe --provider Synth.Greeter`";
    assert!(run.out == "0\n" && run.err.contains(hint), "{}", run.err);
    let near = folder.run(&["dump", "hello.etl", "--count", "--provider", "Synth.Gree"]);
    assert!(near.err.contains("did you mean `Synth.Greeter`?"), "{}", near.err);
}
