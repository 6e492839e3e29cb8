//! Every command and every format over traces whose names and texts are hostile: what `SECURITY.md` promises.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::{Folder, fixture};
use crate::injection::{evil, evil_with, formulas};

/// Traces of all that commands know: processes, stacks, waits, requests, packets, counters, messages.
const TRACES: [&str; 13] = [
    "counters.etl",
    "event-info.etl",
    "extended-items.etl",
    "hello.etl",
    "http-sys.etl",
    "iisnode.etl",
    "kernel-stacks.etl",
    "message-items.etl",
    "packets-ndis.etl",
    "scheduling.etl",
    "string-only.etl",
    "tracelogging-types.etl",
    "values.etl",
];
/// Commands whose output is not made of a trace, or no text.
const OTHERS: [&str; 5] = ["completions", "help", "man", "mcp", "pcap"];
/// Commands without formats, with what they need besides inputs.
const PLAIN: [&[&str]; 15] = [
    &["baseline"],
    &["check"],
    &["check", "--json"],
    &["report", "-o", "out/report.html"],
    &["export", "-o", "out/all.parquet"],
    &["export", "-o", "out/tables", "--by-event"],
    &["info", "--brief"],
    &["info", "--brief", "--json"],
    &["info", "--together", "--json"],
    &["redact"],
    &["relog", "-o", "out/copy.etl"],
    &["repair", "-o", "out/whole.etl"],
    &["schema"],
    &["twapi-header"],
    &["twapi-header", "--report", "logfile"],
];
/// Commands with formats, and forms of their rows.
const FORMATTED: [&[&str]; 16] = [
    &["analyze"],
    &["buffers"],
    &["count"],
    &["count", "--group-by", "provider,event,process"],
    &["counters"],
    &["dump"],
    &["dump", "--group-by", "event"],
    &["info"],
    &["profile"],
    &["profile", "--by", "events", "--rows", "callers"],
    &["requests"],
    &["spans"],
    &["spans", "--list"],
    &["spans", "--tree"],
    &["symbols"],
    &["table"],
];

/// A folder of hostile traces.
fn folder() -> (Folder, Vec<String>) {
    let folder = Folder::with(&[]);
    let mut names = vec!["evil.etl".to_owned()];
    folder.write("evil.etl", &evil());
    for name in TRACES {
        let mut bytes = fixture(name);
        poison(&mut bytes);
        folder.write(name, &bytes);
        names.push(name.to_owned());
    }
    std::fs::create_dir(folder.path().join("out")).unwrap();
    (folder, names)
}

/// Puts `=`, ESC, U+009B and U+202E at the start of each text of a trace, whatever it is.
fn poison(bytes: &mut [u8]) {
    // The header of the log stays readable.
    let mut at = 0x70;
    while at < bytes.len() {
        let rest = &mut bytes[at..];
        let wide = rest.chunks_exact(2).take_while(|unit| unit[1] == 0 && is_letter(unit[0])).count();
        let narrow = rest.iter().take_while(|byte| is_letter(**byte)).count();
        if wide >= 6 {
            let units = ['=' as u16, 0x1B, 0x9B, 0x202E];
            units.iter().zip(rest.chunks_exact_mut(2)).for_each(|(unit, to)| to.copy_from_slice(&unit.to_le_bytes()));
        } else if narrow >= 8 {
            rest[..7].copy_from_slice("=\u{1b}\u{9b}\u{202e}".as_bytes());
        }
        at += (2 * wide).max(narrow).max(1);
    }
}

const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'.' | b'-' | b'_' | b'\\' | b'/' | b':')
}

/// Returns the formats of a command, as it lists them.
fn formats(folder: &Folder, command: &str) -> Vec<String> {
    let refused = folder.run(&[command, "-", "--format", "?"]).err;
    let list = refused.split("[possible values: ").nth(1).unwrap_or_else(|| panic!("{command}: {refused}"));
    list.split(']').next().unwrap().split(", ").map(str::to_owned).collect()
}

/// Returns the names of all analyses, as they are listed.
fn analyses(folder: &Folder) -> Vec<String> {
    let listed = folder.run(&["analyze", "hello.etl", "--format", "jsonl"]).out;
    let name = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["name"].as_str().or_else(|| row["analysis"].as_str()).map(str::to_owned).unwrap()
    };
    listed.lines().map(name).collect()
}

/// What a run may print on stdout, and that stderr quotes nothing that commands a terminal.
fn check(folder: &Folder, arguments: &[String], format: &str) -> usize {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = folder.command(&arguments).stdin(Stdio::null()).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code().is_some_and(|code| code <= 2) && !err.contains("panicked"), "{arguments:?}: {err}");
    assert_eq!(err.find(is_hazard), None, "{arguments:?}: {}", err.escape_debug());
    // These are bytes.
    if matches!(format, "perfetto" | "pprof") {
        return 0;
    }
    let out = String::from_utf8(output.stdout).unwrap();
    let bad = match format {
        "csv" | "tsv" => {
            let found = formulas_of(&out, if format == "csv" { b',' } else { b'\t' });
            assert!(found.is_empty(), "{arguments:?}: {found:?}");
            None
        }
        // Values as they are, for files.
        "twapi" => None,
        "xml" => out.find(|c: char| c.is_control() && !matches!(c, '\n' | '\t')),
        _ => out.find(is_hazard),
    };
    let around = |at: usize| out.get(at.saturating_sub(60)..).unwrap_or(&out).chars().take(120).collect::<String>();
    assert_eq!(bad, None, "{arguments:?}: {}", around(bad.unwrap_or(0)).escape_debug());
    if matches!(format, "json" | "jsonl" | "speedscope" | "firefox" | "chrome") {
        let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&out).into_iter().collect();
        assert!(values.is_ok(), "{arguments:?}: {values:?}");
    }
    ["\\u{202e}", "\\u202e", "'=", "\u{202e}"].iter().map(|mark| out.matches(mark).count()).sum()
}

fn is_hazard(c: char) -> bool {
    etwkit::render::terminal::is_hazard(c) && !matches!(c, '\n' | '\t')
}

fn formulas_of(text: &str, separator: u8) -> Vec<String> {
    if separator == b',' { formulas(text) } else { formulas(&text.replace(',', ";").replace('\t', ",")) }
}

/// Returns the arguments of all runs, and their formats.
fn runs(folder: &Folder, traces: &[String]) -> Vec<(Vec<String>, String)> {
    let mut runs = Vec::new();
    let mut add = |words: &[&str], format: &str| {
        let mut all: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        if !format.is_empty() {
            all.extend(["--format".to_owned(), format.to_owned()]);
        }
        if matches!(format, "csv" | "tsv") {
            all.push("--csv-safe".to_owned());
        }
        all.extend(if words[0] == "counters" { vec!["counters.etl".to_owned()] } else { traces.to_vec() });
        let is_json = words.contains(&"--json");
        runs.push((all, if is_json { "json" } else { format }.to_owned()));
    };
    for words in PLAIN {
        add(words, "");
    }
    for words in FORMATTED {
        for format in formats(folder, words[0]) {
            add(words, &format);
        }
    }
    let forms = formats(folder, "analyze");
    for name in analyses(folder) {
        for format in &forms {
            add(&["analyze", &name], format);
        }
    }
    for format in formats(folder, "diff") {
        let words = ["diff", "hello.etl", "kernel-stacks.etl", "--format", &format, "--csv-safe"];
        runs.push((words.map(str::to_owned).to_vec(), format.clone()));
    }
    runs
}

#[test]
fn no_command_prints_what_commands_a_terminal() {
    let (folder, traces) = folder();
    let runs = runs(&folder, &traces);
    let (first, second) = runs.split_at(runs.len() / 2);
    let hostile: usize = std::thread::scope(|scope| {
        let halves = [first, second].map(|half| {
            let folder = &folder;
            scope.spawn(move || half.iter().filter(|(words, format)| check(folder, words, format) > 0).count())
        });
        halves.into_iter().map(|half| half.join().unwrap()).sum()
    });
    assert!(runs.len() > 150 && hostile > 60, "{hostile} of {} runs print hostile texts", runs.len());
}

/// A command that is new is in one of the lists.
#[test]
fn every_command_is_looked_at() {
    let help = Folder::with(&[]).run(&["--help"]).out;
    let lines = help.lines().skip_while(|line| !line.starts_with("Commands:"));
    let lines = lines.take_while(|line| !line.starts_with("Examples:") && !line.starts_with("Options:"));
    let names = lines.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let commands: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"dump") && commands.contains(&"mcp"), "{help}");
    // `tmf` reads PDB files and writes files; `tui` needs a terminal, and its own tests look at its screens; `view`
    // prints an address and serves the bytes of files.
    let looked_at = |command: &&str| {
        let lists = PLAIN.iter().chain(&FORMATTED);
        lists.map(|words| words[0]).chain(OTHERS).chain(["diff", "tmf", "tui", "view"]).any(|known| known == *command)
    };
    let missing: Vec<_> = commands.iter().filter(|command| !looked_at(command)).collect();
    assert!(missing.is_empty(), "no test of their output: {missing:?}");
}

#[test]
fn what_a_redaction_tells_commands_nothing() {
    let folder = Folder::with(&[]);
    folder.write("evil.etl", &evil_with("=Marguerite"));
    let words = ["redact", "evil.etl", "--word", "=Marguerite", "-o", "x.etl", "--report", "r.json", "--map", "m.csv"];
    let run = folder.run(&[&words[..], &["--csv-safe"]].concat());
    assert!(run.code <= 1 && !run.err.contains(is_hazard), "{}", run.err);
    let report = std::fs::read_to_string(folder.path().join("r.json")).unwrap();
    assert!(!report.contains(is_hazard) && report.contains("\\u202e"), "{}", report.escape_debug());
    let map = std::fs::read_to_string(folder.path().join("m.csv")).unwrap();
    assert!(map.contains("'=marguerite") && formulas(&map).is_empty(), "{map}");
}

#[test]
fn answers_of_the_server_command_nothing() {
    let (folder, _) = folder();
    let mut server =
        folder.command(&["mcp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (mut input, output) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
    let mut answers = output.lines().map(Result::unwrap);
    let mut hostile = 0;
    let mut call = |id: u32, name: &str, arguments: Value| {
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": name, "arguments": arguments } });
        writeln!(input, "{call}").unwrap();
        let line = answers.next().unwrap();
        assert_eq!(line.find(is_hazard), None, "{name}: {}", line.escape_debug());
        let answer: Value = serde_json::from_str(&line).unwrap();
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{name}: {line}"));
        assert_eq!(text.find(is_hazard), None, "{name}: {}", text.escape_debug());
        hostile += usize::from(text.contains("\\u202e") || text.contains("\\u{202e}"));
    };
    call(1, "open", json!({ "paths": ["evil.etl", "kernel-stacks.etl"] }));
    for (id, name) in (2..).zip(["events", "count", "schema", "processes", "spans", "symbols", "analyze", "info"]) {
        call(id, name, json!({ "trace": "t1" }));
    }
    call(20, "count", json!({ "trace": "t1", "group_by": ["provider", "event"] }));
    call(21, "profile", json!({ "trace": "t1", "by": "events", "format": "folded" }));
    call(22, "open", json!({ "paths": ["no\u{202e}\u{9b}.etl"] }));
    drop(input);
    assert!(server.wait().unwrap().success() && hostile >= 3, "{hostile} answers have hostile texts");
}
