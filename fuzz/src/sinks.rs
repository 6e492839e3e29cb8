//! Every output format, read back by a reader of that format.

use etwkit::output::{Column, JsonFormat, LineFormat, LineSink, RowFormat, TableFormat, TextFormat};
use etwkit::trace::{RunOptions, Trace};
use etwkit_windows_formats::{Tracefmt, TracerptCsv, TracerptXml, Twapi};
use quick_xml::events::Event as Xml;

use crate::traces;

/// Writes a trace (see `traces::file`) in every format. JSON must be JSON, CSV rectangular, XML well-formed; no
/// format for people may print a control character but the ends of lines, nor a mark that changes the direction of text.
pub fn sinks(data: &[u8]) {
    let Some(file) = traces::file(data) else { return };
    let Some(trace) = traces::open(&file) else { return };
    let total = trace.events_total();
    assert_eq!(json_lines(&written(&trace, JsonFormat::default())), total);
    let table = |format| TableFormat::new(Column::usual_of(&trace), format);
    assert_eq!(json_lines(&written(&trace, table(RowFormat::Json))), total);
    assert_eq!(cells(&written(&trace, table(RowFormat::Csv)), false), total + 1, "a head, then the events");
    // Windows' form has as many cells as the event has fields.
    let tracerpt_csv = written(&trace, TracerptCsv::default());
    lines(&tracerpt_csv);
    cells(&tracerpt_csv, true);
    assert_eq!(xml_events(&written(&trace, TracerptXml::default())), total);
    lines(&written(&trace, TextFormat::default()));
    lines(&written(&trace, Tracefmt::default()));
    // Values are as they are, for programs: this must be UTF-8.
    drop(written(&trace, Twapi::default()));
}

/// Returns what a format prints of a trace; all formats promise UTF-8.
pub(crate) fn written<F: LineFormat>(trace: &Trace, format: F) -> String {
    written_with(trace, format, &RunOptions::default().threads(1))
}

/// The same of what options choose.
pub(crate) fn written_with<F: LineFormat>(trace: &Trace, format: F, options: &RunOptions) -> String {
    let mut sink = LineSink::with_format(trace, format, Vec::new());
    let run = trace.run(options, &mut sink).and_then(|_| sink.finish());
    match run.map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(error)) => panic!("not UTF-8: {error}"),
        Err(error) => panic!("memory can be read and written: {error}"),
    }
}

/// Returns the number of lines, each of which must be a JSON object.
fn json_lines(text: &str) -> u64 {
    lines(text);
    for line in text.lines() {
        let read: Result<serde_json::Map<String, serde_json::Value>, _> = serde_json::from_str(line);
        assert!(read.is_ok(), "{read:?}: {line}");
    }
    text.lines().count() as u64
}

/// Returns the number of rows, which must have the same number of cells unless they are `flexible`.
fn cells(text: &str, flexible: bool) -> u64 {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(flexible).from_reader(text.as_bytes());
    let mut rows = 0;
    for row in reader.records() {
        assert!(row.is_ok(), "{row:?}");
        rows += 1;
    }
    rows
}

/// Returns the number of `Event` elements of a well-formed document.
fn xml_events(text: &str) -> u64 {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let (mut depth, mut events) = (0_u64, 0);
    loop {
        match reader.read_event() {
            Ok(Xml::Start(tag)) => {
                events += u64::from(depth == 1 && tag.name().as_ref() == "Event");
                depth += 1;
            }
            Ok(Xml::End(_)) => depth -= 1,
            Ok(Xml::Eof) => break,
            Ok(_) => {}
            Err(error) => panic!("not XML: {error}"),
        }
    }
    assert_eq!(depth, 0, "an element is not closed");
    assert!(
        text.chars()
            .all(|c| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..))
    );
    events
}

/// Checks that text controls no terminal, and reads in the order in which it is written.
fn lines(text: &str) {
    let control = text.chars().find(|c| is_control(*c) && !matches!(c, '\n' | '\r' | '\t'));
    assert_eq!(control, None, "a control character is printed");
}

/// Returns whether a character is a control character, or changes the direction of text (UAX #9).
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
