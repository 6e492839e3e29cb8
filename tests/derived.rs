//! What follows from the fields of kernel events and the traced system has names for conditions, columns and groups.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use etwkit::input::Input;
use etwkit::output::{LineSink, RowFormat, TableFormat, Tally, TextLines};
use etwkit::query::Expression;
use etwkit::sink::Sink;
use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_synth::{
    Buffer, ClassicEvent, Guid, LogfileHeader, Payload, PointerSize, SystemEvent, TraceBuilder, kernel,
};

const EIGHT: PointerSize = PointerSize::Eight;
const KEY: u64 = 0xffff_a08d_2000_0010;
/// The class `SysConfig`, which merging adds.
const SYSCONFIG: Guid = Guid::new(0x9b79ee91_b5fd_41c0_a243_4248e266e9d0);

/// A file, two reads of it and one of a file without a name.
fn trace() -> Trace {
    let header = LogfileHeader::default();
    let volume = Payload::new().utf16z(r"\Device\HarddiskVolume3\").utf16z(r"C:\");
    let volume = ClassicEvent::new(EIGHT, SYSCONFIG, 35).payload(volume).at(header.after(1));
    let name = Payload::new().ptr(EIGHT, KEY).utf16z(r"\Device\HarddiskVolume3\Temp\a.txt");
    let name = SystemEvent::system(EIGHT, 0x0420).version(2).payload(name).at(header.after(2));
    let read = |at: i64, key: u64, ticks: u64| {
        let payload = Payload::new().u32(0).u32(0).u32(4096).u32(0).u64(0).ptr(EIGHT, key).ptr(EIGHT, 0x10).u64(ticks);
        SystemEvent::system(EIGHT, 0x010A).version(3).payload(payload.u32(4)).at(header.after(at)).by(4, 8)
    };
    let buffer = Buffer::on(0).event(volume).event(name).event(read(10, KEY, 12_345)).event(read(20, 0x77, 50_000));
    let trace = TraceBuilder::new(header.clone()).buffer(buffer.event(read(30, KEY, 5))).build();
    Trace::open(Input::bytes("made", trace.bytes), etwkit_parsers::standard()).unwrap()
}

fn rows(trace: &Trace, fields: &str, condition: &str) -> String {
    let columns: Vec<_> = fields.split(',').map(|name| etwkit::output::Column::Named(name.parse().unwrap())).collect();
    let mut sink = LineSink::with_format(trace, TableFormat::new(columns, RowFormat::Json), Vec::new());
    run(trace, condition, &mut sink);
    String::from_utf8(sink.finish().unwrap()).unwrap()
}

fn run(trace: &Trace, condition: &str, sink: &mut impl Sink) {
    let filter = Filter::default().expression(condition.parse::<Expression>().unwrap());
    trace.run(&RunOptions::default().threads(1).filter(filter), sink).unwrap();
}

#[test]
fn disk_events_have_their_file_and_milliseconds() {
    let trace = trace();
    let reads = "event == DiskIO/Read";
    assert_eq!(
        rows(&trace, "FileName,elapsed_ms", reads),
        "{\"FileName\":\"C:\\\\Temp\\\\a.txt\",\"elapsed_ms\":1.2345}\n{\"elapsed_ms\":5.0}\n\
         {\"FileName\":\"C:\\\\Temp\\\\a.txt\",\"elapsed_ms\":0.0005}\n"
    );
    let slow = rows(&trace, "file_name", "elapsed_ms > 1 and file_name ~ '^c:.*txt$'");
    assert_eq!(slow, "{\"file_name\":\"C:\\\\Temp\\\\a.txt\"}\n");
    // The event that names the file has a field of that name, in the kernel's form.
    let own = rows(&trace, "FileName", "event == FileIO/FileCreate");
    assert_eq!(own, "{\"FileName\":\"\\\\Device\\\\HarddiskVolume3\\\\Temp\\\\a.txt\"}\n");
    let mut tally = Tally::new(vec!["file_name".parse().unwrap()]).unwrap();
    run(&trace, reads, &mut tally);
    let groups = tally.into_groups().list;
    let groups: Vec<_> = groups.iter().map(|group| (group.values.first().cloned().flatten(), group.events)).collect();
    assert_eq!(groups, [(Some(r"C:\Temp\a.txt".into()), 2), (None, 1)]);
}

#[test]
fn lines_for_people_have_them_and_json_lines_do_not() {
    let trace = trace();
    let mut sink = TextLines::new(&trace, Vec::new());
    run(&trace, "event == DiskIO/Read and elapsed_ms < 0.001", &mut sink);
    let text = String::from_utf8(sink.finish().unwrap()).unwrap();
    assert!(text.ends_with(" file_name=C:\\Temp\\a.txt elapsed_ms=0.0005\n"), "{text}");
    let mut sink = etwkit::output::JsonLines::new(&trace, Vec::new());
    run(&trace, "event == DiskIO/Read", &mut sink);
    let json = String::from_utf8(sink.finish().unwrap()).unwrap();
    assert!(!json.contains("elapsed_ms") && !json.contains("file_name"), "{json}");
}

#[test]
fn samples_have_the_image_of_their_address() {
    let (header, base) = (LogfileHeader::default(), 0xffff_f800_0100_0000);
    let image = kernel::image(EIGHT, 0x1403, base, 0x1000, 0, r"\SystemRoot\system32\ntoskrnl.exe").at(header.t0);
    let sample = |at: i64, ip: u64| kernel::sampled_profile(EIGHT, ip, 8).at(header.after(at));
    let buffer = Buffer::on(0).event(image).event(sample(10, base + 0x12)).event(sample(20, base + 0x1000));
    let trace = TraceBuilder::new(header.clone()).buffer(buffer).build();
    let trace = Trace::open(Input::bytes("made", trace.bytes), etwkit_parsers::standard()).unwrap();
    assert_eq!(rows(&trace, "image", "has image"), "{\"image\":\"ntoskrnl.exe+0x12\"}\n");
}
