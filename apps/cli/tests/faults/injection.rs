//! Names and values of a trace that would command a terminal or a spreadsheet.

use etwkit_synth::schema::{Metadata, Traits, in_type};
use etwkit_synth::{ExtendedItem, Guid, HeaderText, LogfileHeader, ModernEvent, Payload, TraceBuilder};
use serde_json::Value;

use crate::common::Folder;

const PROVIDER: &str = "=cmd|'/c calc'!A0";
const EVENT: &str = "@evil\u{1b}[2J\u{9b}31m\u{202e}gpj";
const TEXT: &str = "+1\u{85}\u{2066}\u{e0041}x";

/// A trace of one event, all of whose names and texts are hostile.
pub(crate) fn evil() -> Vec<u8> {
    evil_with(TEXT)
}

/// The same with this text.
pub(crate) fn evil_with(text: &str) -> Vec<u8> {
    let header = LogfileHeader {
        session_name: HeaderText::Whole("-s\u{1b}]0;evil\u{7}\u{9b}".into()),
        ..LogfileHeader::default()
    };
    let event = ModernEvent::new(Guid::new(7)).channel(11).at(header.after(10));
    let event = event.item(ExtendedItem::provider_traits(Traits::new(PROVIDER)));
    let schema = Metadata::event(EVENT).field("-name", in_type::UTF16, 0).field("n", in_type::INT32, 0);
    let event = event.item(ExtendedItem::schema_tl(schema)).payload(Payload::new().utf16z(text).i32(-5));
    TraceBuilder::new(header).log(0, event).build().bytes
}

fn folder() -> Folder {
    let folder = Folder::with(&[]);
    folder.write("evil.etl", &evil());
    folder
}

/// Whether a terminal would obey a character, or show it as something else.
fn is_hazard(c: char) -> bool {
    etwkit::render::terminal::is_hazard(c) && c != '\n'
}

#[test]
fn json_has_no_character_that_commands_a_terminal() {
    let folder = folder();
    for arguments in [
        &["dump", "evil.etl"][..],
        &["dump", "evil.etl", "-f", "jsonl", "--fields", "provider,event,-name"],
        &["table", "evil.etl", "-f", "jsonl"],
        &["count", "evil.etl", "-f", "jsonl"],
        &["info", "evil.etl", "--json"],
        &["info", "evil.etl", "--json", "--brief"],
        &["check", "evil.etl", "--json"],
        &["buffers", "evil.etl", "-f", "jsonl"],
    ] {
        let run = folder.run(arguments);
        assert!(run.code <= 1, "{arguments:?}: {}", run.err);
        assert!(!run.out.contains(is_hazard), "{arguments:?}: {}", run.out.escape_debug());
        run.out.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap()));
    }
    let out = folder.run(&["dump", "evil.etl"]).out;
    let event: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!((event["event"].as_str(), event["fields"]["-name"].as_str()), (Some(EVENT), Some(TEXT)));
}

#[test]
fn no_text_commands_a_terminal() {
    let folder = folder();
    for arguments in [
        &["baseline", "evil.etl"][..],
        &["twapi-header", "evil.etl"],
        &["twapi-header", "evil.etl", "--report", "logfile"],
        &["dump", "evil.etl", "-f", "text"],
        &["dump", "evil.etl", "-f", "tracerpt-csv"],
        &["table", "evil.etl"],
        &["count", "evil.etl"],
        &["info", "evil.etl"],
        &["check", "evil.etl"],
        &["buffers", "evil.etl"],
        &["schema", "evil.etl"],
        &["spans", "evil.etl"],
    ] {
        let run = folder.run(arguments);
        let bad = |c: char| is_hazard(c) && c != '\t';
        assert!(!run.out.contains(bad) && !run.err.contains(bad), "{arguments:?}: {}", run.out.escape_debug());
    }
}

/// Returns the cells of CSV that a spreadsheet would run.
pub(crate) fn formulas(csv: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let cells = rows.iter().flat_map(|row| row.iter().map(|cell| cell.trim_start_matches([' ', '"']).to_owned()));
    let is_formula = |cell: &String| {
        cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.trim_end_matches('"').parse::<f64>().is_err()
    };
    cells.filter(is_formula).collect()
}

#[test]
fn csv_can_be_made_safe_for_spreadsheets() {
    let folder = folder();
    for arguments in [
        &["dump", "evil.etl", "-f", "csv"][..],
        &["dump", "evil.etl", "-f", "csv", "--fields", "provider,event,-name,n"],
        &["dump", "evil.etl", "-f", "csv", "--fields", "-name"],
        &["dump", "evil.etl", "-f", "tracerpt-csv"],
        &["table", "evil.etl", "-f", "csv"],
        &["count", "evil.etl", "-f", "csv"],
        &["dump", "evil.etl", "--group-by", "provider", "-f", "csv"],
    ] {
        let plain = folder.run(arguments);
        assert!(!formulas(&plain.out).is_empty(), "{arguments:?}: {}", plain.out);
        let safe = folder.run(&[arguments, &["--csv-safe"]].concat());
        assert_eq!(formulas(&safe.out), Vec::<String>::new(), "{arguments:?}: {}", safe.out);
        assert_eq!((safe.code, &safe.err), (plain.code, &plain.err));
        assert_eq!(safe.out.replace('\'', ""), plain.out.replace('\'', ""), "{arguments:?}");
    }
    let row = folder.run(&["dump", "evil.etl", "--csv-safe", "-f", "csv", "--fields", "n,provider"]).out;
    assert!(row.ends_with(&format!("\n-5,'{PROVIDER}\n")), "{row}");
    assert_eq!(folder.run(&["dump", "evil.etl", "--csv-safe", "-f", "csv", "-o", "out/"]).code, 0);
    for entry in std::fs::read_dir(folder.path().join("out")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert_eq!(formulas(&text), Vec::<String>::new(), "{text}");
    }
    let none = folder.run(&["dump", "evil.etl", "--csv-safe"]);
    assert!(none.code == 0 && none.err.contains("--csv-safe had no effect"), "{}", none.err);
}
