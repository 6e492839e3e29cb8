//! `etwkit counters`: names of columns, several logs, local times.

use etwkit_synth::event::PointerSize;
use etwkit_synth::zone::TimeZone;
use etwkit_synth::{Buffer, ClassicEvent, Clock, Guid, LogfileHeader, Payload, TraceBuilder};

use parquet::file::reader::{FileReader, SerializedFileReader};

use super::Folder;

const CLASS: Guid = Guid::new(0x933f_3bb3_943e_490d_9ced_3cbb_14c1_4479);
const NONE: u32 = u32::MAX;
/// 2016-11-26T13:46:30.8740000, local.
const FIRST: i64 = 131_246_415_908_740_000;

fn head(log: u128) -> Payload {
    Payload::new().guid(Guid::new(log)).u32(1).u32(1)
}

/// The entry of a counter that is a count of 32 bits.
fn entry(machine: &str, instance: &str) -> Vec<u8> {
    let mut texts = Payload::new();
    let offsets = [format!(r"\\{machine}").as_str(), "Processor", instance, "% Processor Time"].map(|text| {
        let at = u32::try_from(texts.len()).unwrap();
        texts = std::mem::take(&mut texts).utf16z(text);
        at
    });
    let padding = (8 - (52 + texts.len()) % 8) % 8;
    let len = u32::try_from(52 + texts.len() + padding).unwrap();
    let entry = Payload::new().u32(len).u32(0).u32(0).u32(0x0001_0000).i64(10).i32(0);
    let [machine, object, instance, name] = offsets;
    let entry = entry.u32(machine).u32(object).u32(instance).u32(NONE).u32(0).u32(name);
    entry.rest(texts).zeros(padding).into_bytes()
}

fn sample(log: u128, values: &[i64]) -> Payload {
    let mut records = Payload::new();
    for value in values {
        records = records.u32(0x0103_4C42).u32(48).u32(0).i64(5).u32(0).i64(*value).i64(0).u32(1).u32(0);
    }
    let len = u32::try_from(records.len() + 8).unwrap();
    head(log).u32(0x0003_4C42).u32(len).rest(records)
}

/// A log of two processors, whose samples are two seconds apart.
fn log(log: u128, machine: &str, first: i64, samples: &[[i64; 2]]) -> Vec<u8> {
    log_of(LogfileHeader::default(), log, machine, first, samples)
}

fn log_of(header: LogfileHeader, log: u128, machine: &str, first: i64, samples: &[[i64; 2]]) -> Vec<u8> {
    let start_time = FIRST + 8 * 36_000_000_000;
    let header = LogfileHeader { t0: start_time, clock: Clock::SystemTime, start_time, ..header };
    let event = |opcode, at| ClassicEvent::new(PointerSize::Eight, CLASS, opcode).version(60).at(at);
    let entries = [entry(machine, "0"), entry(machine, "_Total")].concat();
    let list = head(log).u32(0x6FF).u32(0x2_0008).bytes(&entries);
    let mut buffer = Buffer::on(0).event(event(32, first).payload(list));
    for (at, values) in (0..).map(|second| first + second * 20_000_000).zip(samples) {
        buffer = buffer.event(event(34, at).payload(sample(log, values)));
    }
    TraceBuilder::new(header).buffer(buffer).build().bytes
}

fn folder() -> Folder {
    let folder = Folder::with(&[]);
    folder.write("one.blg", &log(1, "m", FIRST, &[[1, 10], [2, 20], [3, 30]]));
    folder.write("two.blg", &log(2, "m", FIRST + 10_000_000, &[[4, 15], [5, 25]]));
    folder
}

#[test]
fn the_name_of_a_file_makes_it_a_table_of_columns() {
    let folder = folder();
    folder.output(&["counters", "one.blg", "-o", "one.parquet"]);
    let file = std::fs::File::open(folder.path().join("one.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let lines = folder.output(&["counters", "one.blg", "-f", "jsonl"]).lines().count();
    assert_eq!((reader.get_row_iter(None).unwrap().count(), lines), (3, 3));
    for (name, arguments) in [("one.csv", &[][..]), ("one.jsonl", &["-f", "jsonl"]), ("one.txt", &["-f", "csv"])] {
        folder.output(&["counters", "one.blg", "-o", name]);
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text, folder.output(&[&["counters", "one.blg"], arguments].concat()), "{name}");
    }
}

#[test]
fn a_path_is_found_as_it_is_copied() {
    let folder = folder();
    let times = |name: &str| {
        let condition = format!(r#""{name}" > 10"#);
        folder.output(&["counters", "one.blg", "-f", "csv", "--fields", "time", "-w", &condition])
    };
    let wanted = "time\n2016-11-26T13:46:32.8740000\n2016-11-26T13:46:34.8740000\n";
    for name in [
        r"\\m\Processor(_Total)\% Processor Time",
        r"\\\\m\\Processor(_Total)\\% Processor Time",
        r"\Processor(_Total)\% Processor Time",
        r"\\Processor(_Total)\\% Processor Time",
        r"processor(_total)\% processor time",
        r"\Processor(*)\% Processor Time",
        r"\\*\Processor(_T?tal)\*",
    ] {
        assert_eq!(times(name), wanted, "{name}");
    }
    let head = |fields: &str| folder.output(&["counters", "one.blg", "-f", "csv", "-n", "1", "--fields", fields]);
    assert_eq!(head(r"\processor(0)\% processor time"), "\\\\m\\Processor(0)\\% Processor Time\n1\n");
    assert_eq!(head(r"\Processor(*)\% Processor Time").lines().last(), Some("1,10"));
    // Where a name means several columns, one is enough; with `!=`, none may be equal.
    let count =
        |condition: &str| folder.output(&["counters", "one.blg", "-f", "csv", "-w", condition]).lines().count() - 1;
    assert_eq!((count("'*Time' == 10"), count("'*Time' != 10"), count("'*Time' not in (2, 30)")), (1, 2, 1));
    let wrong = folder.run(&["counters", "one.blg", "-w", r#""\Processor(_Totl)\% Processor Time" > 5"#]);
    let message = r"error: --where: there is no column `\Processor(_Totl)\% Processor Time`";
    let meant = r"hint: did you mean `\\m\Processor(_Total)\% Processor Time`? ";
    assert!(wrong.code == 2 && wrong.err.starts_with(&format!("{message}\n{meant}")), "{}", wrong.err);
    let several = folder.run(&["counters", "one.blg", "-w", "'% Processor Time' > 5"]);
    let message = "error: --where: several columns end with `% Processor Time`\nhint: name one of ";
    assert!(several.code == 2 && several.err.starts_with(message), "{}", several.err);
}

#[test]
fn each_log_has_its_own_time_zone() {
    let folder = folder();
    let utc = LogfileHeader { time_zone: TimeZone::utc(), ..LogfileHeader::default() };
    folder.write("utc.blg", &log_of(utc, 3, "m", FIRST, &[[1, 10]]));
    let heads = folder.output(&["counters", "one.blg", "utc.blg"]);
    let heads: Vec<_> =
        heads.lines().filter_map(|line| line.split(',').next()?.strip_prefix("\"(PDH-CSV 4.0) ")).collect();
    assert_eq!(heads, ["(W. Europe Standard Time)(-60)\"", "(UTC)(0)\""]);
}

#[test]
fn several_logs_are_one_table() {
    let folder = folder();
    let run = |options: &[&str]| folder.output(&[&["counters", "one.blg", "two.blg", "-f", "csv"], options].concat());
    let sorted =
        run(&[r"--sort=-\Processor(_Total)*", "--first", "3", "--fields", r"file,Processor(_Total)\% Processor Time"]);
    assert_eq!(sorted, "file,\\\\m\\Processor(_Total)\\% Processor Time\none.blg,30\ntwo.blg,25\none.blg,20\n");
}

/// The log begins in the middle of a second.
#[test]
fn relative_spans_begin_with_the_trace() {
    let spans = folder().output(&["count", "-q", "one.blg", "--by-time", "2s", "--relative", "-f", "csv"]);
    let expected = "events,time\n2,+0.0000000s\n1,+2.0000000s\n1,+4.0000000s\n1,+28800.0000000s\n";
    assert_eq!(spans, expected);
}

#[test]
fn times_of_a_log_are_local_and_that_is_said() {
    let folder = folder();
    let relative = folder.output(&["counters", "one.blg", "--relative", "--fields", "time", "--last", "1"]);
    assert_eq!(relative, "time\n+4.0000000s\n");
    let all = folder.output(&["counters", "one.blg", "--relative"]);
    assert!(all.starts_with("time,\\\\m\\Processor(0)\\% Processor Time,"), "{all}");
    let note = "note: times of a performance log are local to its machine: ";
    for command in [&["counters", "one.blg", "-f", "csv"][..], &["dump", "one.blg", "--count"]] {
        let run = folder.run(&[command, &["--since", "2016-11-26T13:46:34Z"]].concat());
        assert_eq!(run.err, format!("{note}not before 2016-11-26T13:46:34.0000000 there\n"));
        assert_eq!(run.out.lines().count(), if command.len() == 4 { 2 } else { 1 }, "{}", run.out);
        let run = folder.run(&[command, &["--since", "+1s"]].concat());
        assert_eq!(run.err, "");
    }
    let zone = folder.run(&["counters", "one.blg", "-f", "text", "--fields", "time", "-n", "1", "--time-zone", "UTC"]);
    assert_eq!(zone.err, format!("{note}--time-zone does not change them\n"));
    assert_eq!(zone.out, "time\n2016-11-26T13:46:30.8740000\n");
    let trace = folder.run(&["counters", "one.blg", "-f", "text", "--fields", "time", "--time-zone", "trace"]);
    assert_eq!(trace.err, "");
    let late = folder.run(&["counters", "one.blg", "--since", "+1h"]);
    let reason = "the last one is at 2016-11-26T13:46:34.8740000 (+4.0000000s), before the time that is wanted";
    assert_eq!((late.code, late.err), (0, format!("note: no sample: of all events, {reason}\n")));
}
