//! Files that are read as one trace: every output can name the file of an event.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use etwkit::input::Input;
use etwkit::output::{
    Column, JsonFormat, LineFormat, LineSink, RowFormat, SplitRows, TableFormat, TableInfo, TableWriter, Tally,
    TextFormat,
};
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder};

/// Returns a file with one event of this id.
fn file(name: &str, id: u16) -> Input {
    let header = LogfileHeader::default();
    let event = ModernEvent::new(Guid::new(7)).id(id).at(header.after(i64::from(id))).by(4, 8);
    Input::bytes(name, TraceBuilder::new(header).buffer(Buffer::on(0).event(event)).build().bytes)
}

fn one() -> Trace {
    Trace::open_all([file("traces/a.etl", 1)], Parsers::none()).unwrap()
}

fn two() -> Trace {
    Trace::open_all([file("traces/a.etl", 1), file("traces/day \"2\"/b.etl", 2)], Parsers::none()).unwrap()
}

/// The events of the files, without those of their headers.
fn events() -> RunOptions {
    RunOptions::default().threads(1).filter(Filter::default().expression("kind == 'manifest'".parse().unwrap()))
}

fn text<F: LineFormat>(trace: &Trace, format: F) -> String {
    let mut sink = LineSink::with_format(trace, format, Vec::new());
    trace.run(&events(), &mut sink).unwrap();
    String::from_utf8(sink.finish().unwrap()).unwrap()
}

fn columns(names: &[&str]) -> Vec<Column> {
    names.iter().map(|name| Column::Named(name.parse().unwrap())).collect()
}

#[test]
fn json_has_the_file_of_several() {
    let member =
        |line: &str| line.split(",\"provider_guid\"").next().unwrap().split_once("raw_time").unwrap().1.to_owned();
    let lines = |trace: &Trace, format| text(trace, format).lines().map(member).collect::<Vec<_>>();
    let both = ["\":722450000001,\"file\":\"traces/a.etl\"", "\":722450000002,\"file\":\"traces/day \\\"2\\\"/b.etl\""];
    assert_eq!(lines(&two(), JsonFormat::default()), both);
    assert_eq!(lines(&one(), JsonFormat::default()), ["\":722450000001"]);
    assert_eq!(lines(&one(), JsonFormat::default().with_file(true)), &both[..1]);
}

#[test]
fn an_event_serialises_with_its_file() {
    let file = |trace: &Trace| {
        let mut events = trace.select(&Filter::default().expression("id == 1".parse().unwrap()));
        let event = events.next().unwrap().unwrap();
        assert_eq!(event.file(), Some("traces/a.etl"));
        serde_json::to_value(event).unwrap().get("file").cloned()
    };
    assert_eq!((file(&two()), file(&one())), (Some("traces/a.etl".into()), None));
}

#[test]
fn tables_have_a_column() {
    let format = TableFormat::new(columns(&["id", "file"]), RowFormat::Csv);
    assert_eq!(text(&two(), format.clone()), "id,file\n1,traces/a.etl\n2,\"traces/day \"\"2\"\"/b.etl\"\n");
    assert_eq!(text(&one(), format), "id,file\n1,traces/a.etl\n");
    let names = |trace: &Trace| Column::usual_of(trace).iter().map(Column::name).collect::<Vec<_>>();
    let (alone, several) = (names(&one()), names(&two()));
    assert_eq!(alone, Column::usual().iter().map(Column::name).collect::<Vec<_>>());
    assert_eq!(several.iter().position(|name| name == "file"), Some(2));
    assert_eq!(several.len(), alone.len() + 1);
}

/// The rows of all tables.
#[derive(Debug, Default)]
struct Rows(String);

impl TableWriter for Rows {
    fn append(&mut self, _: usize, table: &TableInfo, rows: &[u8]) -> etwkit::Result<()> {
        self.0 += std::str::from_utf8(&table.header).unwrap();
        self.0 += std::str::from_utf8(rows).unwrap();
        Ok(())
    }
}

#[test]
fn tables_of_one_type_have_it_too() {
    let rows = |trace: &Trace| {
        let mut sink = SplitRows::new(trace, Rows::default());
        trace.run(&events(), &mut sink).unwrap();
        sink.into_inner().0
    };
    let (alone, several) = (rows(&one()), rows(&two()));
    assert!(alone.starts_with("time,raw_time,process,pid,") && !alone.contains("a.etl"), "{alone}");
    assert!(several.starts_with("time,raw_time,file,process,pid,"), "{several}");
    assert!(several.contains(",722450000001,traces/a.etl,,4,8,"), "{several}");
}

#[test]
fn text_has_its_name_without_the_common_folder() {
    let (alone, several) = (text(&one(), TextFormat::default()), text(&two(), TextFormat::default()));
    assert!(alone.contains(" 4            8 00000000…/"), "{alone}");
    let lines: Vec<&str> = several.lines().collect();
    assert!(lines.first().is_some_and(|line| line.contains("    tid file          event ")), "{several}");
    assert!(lines.get(1).is_some_and(|line| line.contains(" 4            8 a.etl         00000000…/")), "{several}");
    assert!(lines.last().is_some_and(|line| line.contains(" 4            8 day \"2\"/b.etl 00000000…/")), "{several}");
}

#[test]
fn conditions_and_groups_know_it() {
    let passing = |condition: &str| {
        let trace = two();
        let mut events = trace.select(&Filter::default().expression(condition.parse().unwrap()));
        let mut ids = Vec::new();
        while let Some(event) = events.next().unwrap() {
            ids.push(event.raw().id());
        }
        ids
    };
    assert_eq!(passing("file ~ 'b.etl' and has id"), [2]);
    assert_eq!(passing("file == traces/a.etl and has id"), [1]);
    assert_eq!(passing("has file and has id"), [1, 2]);
    let (trace, mut tally) = (two(), Tally::new(vec!["file".parse().unwrap()]).unwrap());
    trace.run(&events(), &mut tally).unwrap();
    let groups = tally.into_groups().list;
    let mut counts: Vec<_> =
        groups.iter().map(|group| (group.values.first().and_then(Option::as_deref), group.events)).collect();
    counts.sort_unstable();
    assert_eq!(counts, [(Some("traces/a.etl"), 1), (Some("traces/day \"2\"/b.etl"), 1)]);
}
