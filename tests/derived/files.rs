//! The file of a key, with the drive letter of its volume.

use etwkit::error::ProblemKind;
use etwkit::input::Input;
use etwkit::limits::MAX_SHARED_NAME;
use etwkit::output::{Tally, TextLines};
use etwkit::trace::Trace;
use etwkit_synth::{ClassicEvent, Event, Guid, LogfileHeader, ModernEvent, Payload, SystemEvent, kernel};

use super::{EIGHT, json, rows, run, trace_of};

const KEY: u64 = 0xffff_a08d_2000_0010;
/// The class `SysConfig`, which merging adds.
const SYSCONFIG: Guid = Guid::new(0x9b79ee91_b5fd_41c0_a243_4248e266e9d0);

/// A volume and its drive letter.
fn volume(header: &LogfileHeader) -> ClassicEvent {
    let names = Payload::new().utf16z(r"\Device\HarddiskVolume3\").utf16z(r"C:\");
    ClassicEvent::new(EIGHT, SYSCONFIG, 35).payload(names).at(header.after(1))
}

/// A read of a file, with the ticks that it took.
fn read(header: &LogfileHeader, at: i64, key: u64, ticks: u64) -> SystemEvent {
    let payload = Payload::new().u32(0).u32(0).u32(4096).u32(0).u64(0).ptr(EIGHT, key).ptr(EIGHT, 0x10).u64(ticks);
    SystemEvent::system(EIGHT, 0x010A).version(3).payload(payload.u32(4)).at(header.after(at)).by(4, 8)
}

/// A file, two reads of it and one of a file without a name.
fn trace() -> Trace {
    let header = LogfileHeader::default();
    let volume = volume(&header);
    let name = Payload::new().ptr(EIGHT, KEY).utf16z(r"\Device\HarddiskVolume3\Temp\a.txt");
    let name = SystemEvent::system(EIGHT, 0x0420).version(2).payload(name).at(header.after(2));
    let reads = [(10, KEY, 12_345), (20, 0x77, 50_000), (30, KEY, 5)];
    let reads = reads.map(|(at, key, ticks)| Event::from(read(&header, at, key, ticks)));
    trace_of(&header, [volume.into(), name.into()].into_iter().chain(reads))
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
fn a_long_path_is_cut_where_many_events_show_it() {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let name = Payload::new().ptr(EIGHT, KEY).utf16z(&format!(r"\Device{}", "x".repeat(20_000)));
    let name = SystemEvent::system(EIGHT, 0x0420).version(2).payload(name).at(header.after(2));
    let reads = (10..20).map(|at| Event::from(read(&header, at, KEY, 5)));
    let trace = trace_of(&header, std::iter::once(name.into()).chain(reads));
    let lines = rows(&trace, "file_name", "event == DiskIO/Read");
    // A backslash is two bytes in JSON.
    let len = MAX_SHARED_NAME + 1 + r#"{"file_name":""}"#.len();
    assert_eq!(lines.lines().map(str::len).collect::<Vec<_>>(), [len; 10]);
    assert!(trace.problems().iter().any(|problem| problem.kind == ProblemKind::StateFull), "{:?}", trace.problems());
}

#[test]
fn lines_of_text_and_json_have_them() {
    let trace = trace();
    let mut sink = TextLines::new(&trace, Vec::new());
    run(&trace, "event == DiskIO/Read and elapsed_ms < 0.001", &mut sink);
    let text = String::from_utf8(sink.finish().unwrap()).unwrap();
    assert!(text.ends_with(" file_name=C:\\Temp\\a.txt elapsed_ms=0.0005\n"), "{text}");
    let expected = [
        r#""file_name":"C:\\Temp\\a.txt","elapsed_ms":1.2345"#,
        r#""elapsed_ms":5.0"#,
        r#""file_name":"C:\\Temp\\a.txt","elapsed_ms":0.0005"#,
    ];
    assert_eq!(json(&trace, "event == DiskIO/Read"), expected);
}

#[test]
fn the_own_path_of_an_event_gets_a_drive_letter() {
    let header = LogfileHeader::default();
    let path = r"\Device\HarddiskVolume3\Windows\a.dll";
    let image = kernel::image(EIGHT, 0x1403, 0x1_0000, 0x1000, 8, path).at(header.after(2));
    let unknown =
        kernel::image(EIGHT, 0x1403, 0x2_0000, 0x1000, 8, r"\Device\HarddiskVolume7\b.dll").at(header.after(3));
    let create = Payload::new().ptr(EIGHT, 1).ptr(EIGHT, 2).u32(8).u32(0x0100_0060).u32(0).u32(7).utf16z(path);
    let create = SystemEvent::system(EIGHT, 0x0440).version(3).payload(create).at(header.after(4)).by(4, 8);
    // Of the same file object as the one before: what is searched for is not a path.
    let searched = Payload::new().ptr(EIGHT, 1).ptr(EIGHT, 2).ptr(EIGHT, 3).u32(8).u32(0).u32(0).u32(0).utf16z("*.dll");
    let searched = SystemEvent::system(EIGHT, 0x0448).version(3).payload(searched).at(header.after(5)).by(4, 8);
    let events = [volume(&header).into(), image.into(), unknown.into(), create.into(), searched.into()];
    let trace = trace_of(&header, events);
    assert_eq!(
        rows(&trace, "event,file_name", "event in (Image/DCStart, FileIO/Create, FileIO/DirEnum)"),
        "{\"event\":\"Image/DCStart\",\"file_name\":\"C:\\\\Windows\\\\a.dll\"}\n\
         {\"event\":\"Image/DCStart\",\"file_name\":\"\\\\Device\\\\HarddiskVolume7\\\\b.dll\"}\n\
         {\"event\":\"FileIO/Create\",\"file_name\":\"C:\\\\Windows\\\\a.dll\"}\n\
         {\"event\":\"FileIO/DirEnum\",\"file_name\":\"C:\\\\Windows\\\\a.dll\"}\n"
    );
}

#[test]
fn events_of_other_providers_have_none() {
    let header = LogfileHeader::default();
    let event = ModernEvent::new(Guid::new(7)).id(1).at(header.after(1));
    let trace = trace_of(&header, [Event::from(event)]);
    assert_eq!(rows(&trace, "id,file_name,elapsed_ms,old_pid", "id == 1"), "{\"id\":1}\n");
    assert_eq!(rows(&trace, "id", "has file_name or has elapsed_ms or not has old_pid and id == 2"), "");
}

#[test]
fn a_real_trace_has_drive_letters() {
    let Some(path) = etwkit_corpus::path("perfview/net.4.5.2.x64.etl") else { return };
    let trace = Trace::open(Input::open(path).unwrap(), etwkit_parsers::standard()).unwrap();
    // `baseline` of the same events: `ElapsedTimeMSec=3.426`, `FileName=C:\Windows\System32\...`.
    let first = rows(&trace, "event,FileName,elapsed_ms", "raw_time in (1957521828, 1955368307)");
    assert_eq!(
        first,
        "{\"event\":\"DiskIO/Read\",\"FileName\":\"C:\\\\Users\\\\brianrob\\\\AppData\\\\Local\\\\Temp\\\\PerfView\\\\PerfViewLogFile.txt\",\
         \"elapsed_ms\":25.8208}\n\
         {\"event\":\"Memory/HardFault\",\"FileName\":\"C:\\\\Windows\\\\System32\\\\srvsvc.dll\",\"elapsed_ms\":3.4255}\n"
    );
    let image = rows(&trace, "file_name", "event == Image/Load and file_name ~ 'mscoree.dll$' and pid == 3676");
    assert_eq!(image, "{\"file_name\":\"C:\\\\Windows\\\\System32\\\\mscoree.dll\"}\n");
    let with_drive = rows(&trace, "event", "event == DiskIO/Read and file_name ~ '^[a-z]:'");
    assert_eq!(with_drive.lines().count(), 1207);
}
