//! Odd values and layouts, which all formats show alike.

use etwkit_synth::{Buffer, Clock, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

use super::etwkit;

const PROVIDER: Guid = Guid::new(0x1111_1111_2222_3333_4444_5555_5555_5555);
const HEAD: &str = "provider \"Sample\" {11111111-2222-3333-4444-555555555555}\n\
                    map V values {\n1 \"one\"\n}\nmap B bits {\n0x80000000 \"top\"\n}\n";

/// A folder with a trace of events with these ids and payloads, a tick apart, and the schemas of the provider.
fn folder(schemas: &str, events: &[(u16, Payload)]) -> tempfile::TempDir {
    let header = LogfileHeader { buffer_size: 1 << 16, ..LogfileHeader::default() };
    let event = |(ticks, (id, payload)): (i64, &(u16, Payload))| {
        ModernEvent::new(PROVIDER).id(*id).version(1).at(header.after(ticks)).payload(payload.clone())
    };
    let buffer = (1..).zip(events).map(event).fold(Buffer::on(0), Buffer::event);
    let folder = tempfile::tempdir().unwrap();
    let trace = TraceBuilder::new(header.clone()).buffer(buffer).build().bytes;
    std::fs::write(folder.path().join("t.etl"), trace).unwrap();
    std::fs::write(folder.path().join("s.schema"), [HEAD, schemas].concat()).unwrap();
    folder
}

fn dump(folder: &tempfile::TempDir, options: &[&str]) -> String {
    let fixed = ["-q", "dump", "t.etl", "--schemas", "s.schema"];
    let output = etwkit(folder.path(), &[&fixed, options].concat());
    assert!(output.status.code().unwrap() < 2, "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn negative_numbers_are_numbers_in_twapi_and_their_bits_have_their_width() {
    let fields = "event id 1 version 1 {\na i32\nb i32 map B\nc i16 as win32\nd i64\n}";
    let payload = Payload::new().i32(-1_073_741_510).i32(i32::MIN).u16(0xFFFB).u64(-7_i64 as u64);
    let folder = folder(fields, &[(1, payload)]);
    let twapi = dump(&folder, &["-f", "twapi", "--provider", "Sample", "--fields=-properties"]);
    assert!(twapi.ends_with("\na -1073741510 b top c 0xfffb d -7\n"), "{twapi}");
}

#[test]
fn a_value_without_a_name_has_the_look_of_its_field() {
    let fields = "event id 1 version 1 message \"%1 %2 %3 %4\" {\n\
                  a u32 as ntstatus map V\nb u32 as ipv4 map V\nc u16 as port map V\nd u8 as hex map V\n}";
    let payload = Payload::new().u32(0xC000_0005).u32(0x0100_007F).u16(20_480).u8(1);
    let folder = folder(fields, &[(1, payload)]);
    let shown = |options: &[&str]| dump(&folder, &[&["--provider", "Sample"], options].concat());
    let xml = shown(&["-f", "xml"]);
    assert!(xml.contains("<Message>0xC0000005 127.0.0.1 80 one </Message>"), "{xml}");
    let twapi = shown(&["-f", "twapi", "--fields=-properties"]);
    assert!(twapi.ends_with("\na 0xc0000005 b 127.0.0.1 c 80 d one\n"), "{twapi}");
}

#[test]
fn members_that_are_not_meant_to_be_shown_are_in_no_format() {
    let fields = "event id 1 version 1 {\nItem struct {\nShown u32\nUnseen u32 as hidden\n}\nLast u32\n}";
    let folder = folder(fields, &[(1, Payload::new().u32(987_601).u32(987_602).u32(987_603))]);
    for format in ["jsonl", "text", "csv", "xml", "tracerpt-csv", "twapi"] {
        let text = dump(&folder, &["-f", format, "--provider", "Sample"]);
        assert!(text.contains("987601") && !text.contains("987602") && text.contains("987603"), "{format}: {text}");
    }
    let named = dump(&folder, &["--provider", "Sample", "--fields", "Item,Item.Unseen"]);
    assert_eq!(named, "{\"Item\":{\"Shown\":987601},\"Item.Unseen\":987602}\n");
}

#[test]
fn a_cut_payload_is_not_read_by_a_layout_for_other_values() {
    let fields = "event id 1 version 1 {\nName utf16 is \"A\"\nFirst u32\nSecond u64\n}\n\
                  event id 1 version 1 {\nName utf16\nSize u32\nData bytes[Size]\n}";
    let folder =
        folder(fields, &[(1, Payload::new().utf16z("B").u32(100).u32(1)), (1, Payload::new().utf16z("A").u32(7))]);
    let lines = dump(&folder, &["--provider", "Sample", "--fields", "fields,problem"]);
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines[0].starts_with("{\"fields\":{\"Name\":\"B\",\"Size\":100}"), "{lines:?}");
    assert!(lines[1].starts_with("{\"fields\":{\"Name\":\"A\",\"First\":7}"), "{lines:?}");
}

#[test]
fn the_offset_from_utc_is_in_each_line_if_it_changes() {
    // 25 hours; clocks are put back in Paris at 01:00 UTC.
    let (clock, start_time) = (Clock::Qpc(10_000_000), 132_800_472_000_000_000);
    let header = LogfileHeader { clock, start_time, ..LogfileHeader::default() };
    let event = |hours: i64| ModernEvent::new(PROVIDER).id(1).at(header.after(hours * 36_000_000_000));
    let buffer = [0, 25].map(event).into_iter().fold(Buffer::on(0), Buffer::event);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.etl"), TraceBuilder::new(header.clone()).buffer(buffer).build().bytes)
        .unwrap();
    let output = etwkit(folder.path(), &["-q", "dump", "t.etl", "-f", "text", "--time-zone", "Europe/Paris"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("+02:00 ") && text.contains("+01:00 "), "{text}");
    assert!(!text.lines().next().unwrap().contains("+02:00"), "{text}");
}

#[test]
fn numbers_beyond_all_dates_are_numbers_without_a_sign() {
    let folder = folder(
        "event id 1 version 1 {\na u64 as filetime\nb u64 as clocktime\n}",
        &[(1, Payload::new().u64(u64::MAX).u64(1 << 63))],
    );
    for format in ["jsonl", "text", "csv", "xml", "tracerpt-csv", "twapi"] {
        let text = dump(&folder, &["-f", format, "--provider", "Sample"]);
        assert!(text.contains("18446744073709551615") && text.contains("9223372036854775808"), "{format}: {text}");
        assert!(!text.contains("-9223372036854775808") && !text.contains("1600-"), "{format}: {text}");
    }
}

/// Columns of one table are at different places in the layouts of its events.
#[test]
fn rows_of_a_folder_have_each_field_in_its_column() {
    let fields = "event id 1 Same version 1 task \"T\" {\na u32\npad u32 as hidden\nb u32\n}\n\
                  event id 2 Same version 1 task \"T\" {\na u32\nb u32\n}\n\
                  event id 3 Same version 1 task \"T\" {\na struct {\nm u8\nn u8\n}\nb u32\n}";
    let events = [
        (1, Payload::new().u32(1).u32(99).u32(2)),
        (2, Payload::new().u32(3).u32(4)),
        (3, Payload::new().u8(5).u8(6).u32(7)),
    ];
    let folder = folder(fields, &events);
    dump(&folder, &["-f", "csv", "-o", "tables/"]);
    let table = std::fs::read_to_string(folder.path().join("tables/Sample.T_Same.v1.csv")).unwrap();
    let ends: Vec<&str> = table.lines().map(|line| line.rsplit("0x0,,,").next().unwrap()).collect();
    assert!(ends[0].ends_with(",a,b,extra"), "{table}");
    assert_eq!(ends[1..], ["1,2,", "3,4,", "\"{\"\"m\"\":5,\"\"n\"\":6}\",7,"], "{table}");
}

#[test]
fn line_ends_in_attributes_are_references() {
    let fields = "event id 1 version 1 user-data R(@v(%1) E(%1)) {\na utf16\n}\n\
                  event id 2 version 1 user-data \"p:R\"(\"q:E\"(%1)) {\na utf16\n}";
    let payload = || Payload::new().utf16z("l1\nl2\tx");
    let xml = dump(&folder(fields, &[(1, payload()), (2, payload())]), &["-f", "xml"]);
    assert!(xml.contains("<R v=\"l1&#10;l2&#9;x\">\n\t\t\t<E>l1\nl2\tx</E>"), "{xml}");
    // Prefixes that nothing declares mean nothing.
    assert!(xml.contains("<R>\n\t\t\t<E>l1\nl2\tx</E>"), "{xml}");
}

#[test]
fn a_time_stamp_that_is_no_date_leaves_others_their_dates() {
    let header = LogfileHeader::default();
    let (first, event) = (header.t0, ModernEvent::new(PROVIDER).id(1));
    let times = [first, first + 864_000_000_000, i64::MAX];
    let buffer = times.into_iter().fold(Buffer::on(0), |buffer, time| buffer.event(event.clone().at(time)));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.etl"), TraceBuilder::new(header).buffer(buffer).build().bytes).unwrap();
    let output = etwkit(folder.path(), &["-q", "dump", "t.etl", "-f", "text", "--where", "id = 1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("UTC "), "{text}");
    assert!(lines[1].starts_with("2026-01-02 03:04:05.0000000 ") && lines[2].starts_with("2026-01-03 "), "{text}");
    assert!(lines[3].starts_with("9223372036854775807 "), "{text}");
}
