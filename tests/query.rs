//! The filter language: a table of cases over a made trace, and invariants of all expressions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::fmt::Write as _;

use etwkit::FileTime;
use etwkit::input::Input;
use etwkit::query::Expression;
use etwkit::trace::{Filter, FilterCheck, Glob, TimeRange, Trace};
use etwkit_parsers::UserSchemas;
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};
use proptest::prelude::*;

const SCHEMAS: &str = r#"
provider "Test-Network-Kernel" {00000000-0000-0000-0000-0000000000a1}
event id 1, 2 task "Tcp" opcode "Connect" message "to %1:%2" {
  daddr  u32 as ipv4
  dport  u16 as port
  size   u32
  name   utf16
}

provider "Test-Values" {00000000-0000-0000-0000-0000000000b2}
map Verdict values { 0x1 "Good" 0x2 "Bad" }
map Access bits { 0x1 "Read" 0x2 "Write" 0x4 "Delete" }
event id 3 task "Everything" {
  Delta    i32
  Ratio    f64
  Big      u64
  Status   u32 map Verdict
  Flags    u32 map Access
  Ok       u32 as bool
  Address  ptr as hex
  Code     u32 as ntstatus
  Guid     guid
  Values   u16 x 3
  Peer     struct {
    Address  bytes[16] as ipv6
    Port     u16
  }
  Pairs    struct x 2 {
    Key      u8
    Value    u8
  }
  Count    u16
  Empty    u32 x Count
}
event id 4 task "Texts" {
  "odd name"  u8
  Text        ansi
  Umlaut      utf16
  pid         u32
}
event id 5 version 2 task "About" process-from ProcessID {
  ProcessID  u32 as pid
}
"#;

fn census() -> Trace {
    let header = LogfileHeader::default();
    let t0 = header.t0;
    let a = || ModernEvent::new(Guid::new(0xA1)).opcode(12).level(4);
    let b = || ModernEvent::new(Guid::new(0xB2)).level(4);
    let tcp =
        |ip: [u8; 4], port: u16, size: u32, name: &str| Payload::new().bytes(&ip).port(port).u32(size).utf16z(name);
    let six = [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let three = Payload::new().i32(-5).f64(1.5).u64(u64::MAX).u32(2).u32(3).u32(1);
    let three = three.ptr(PointerSize::Eight, 0x7FF6_1234_0000).u32(0xC000_0005);
    let three = three.guid(Guid::new(0x12345678_1234_1234_1234_123456789ABC)).u16(1).u16(2).u16(3);
    let three = three.bytes(&six).u16(8080).u8(5).u8(50).u8(6).u8(60).u16(0);
    let quoted = Payload::new().u8(9).ansi_z("it's \"quoted\"").utf16z("äöü").u32(99);
    let activity = Guid::new(0x11111111_2222_3333_4444_555555555555);
    let first = a().id(1).keyword(0x10).by(4, 8).payload(tcp([10, 1, 2, 3], 443, 4096, "ntdll.dll"));
    let second = a().id(2).keyword(1 << 63).level(2).by(100, 200);
    let second = second.payload(tcp([192, 168, 1, 1], 80, 10, r"C:\Windows\System32\NTDLL.DLL"));
    let events = [
        first,
        b().id(3).by(4, 8).payload(three),
        b().id(4).by(4, 8).activity(activity).payload(quoted),
        b().id(5).version(2).by(4, 8).payload(Payload::new().u32(77)),
        ModernEvent::string_only(Guid::new(0xC3), "text").id(6).level(4).by(4, 8),
        ModernEvent::new(Guid::new(0xC3)).id(7).level(4).by(4, 8).payload(Payload::new().u32(1)),
    ];
    let one = (t0 + 10..).zip(events).map(|(at, event)| event.task(7).at(at));
    let trace = TraceBuilder::new(header)
        .buffer(Buffer::on(0).events(one))
        .buffer(Buffer::on(1).event(second.task(7).at(t0 + 100)))
        .build();
    let parsers = etwkit_parsers::standard().with_first(UserSchemas::parse(SCHEMAS).unwrap());
    Trace::open(Input::bytes("made", trace.bytes), parsers).unwrap()
}

/// Ids of the events that pass, without the header event.
fn passing(trace: &Trace, expression: &Expression) -> Vec<u16> {
    let filter = Filter::default().expression(expression.clone());
    let mut events = trace.select(&filter);
    let mut ids = Vec::new();
    while let Some(event) = events.next_raw().unwrap() {
        ids.extend(Some(event.id()).filter(|id| *id != 0));
    }
    ids.sort_unstable();
    ids
}

/// Offsets of the events that pass, as a selection and as a check of each event have them.
fn offsets(trace: &Trace, filter: &Filter) -> (Vec<u32>, Vec<u32>) {
    let (mut events, mut selected) = (trace.select(filter), Vec::new());
    while let Some(event) = events.next_raw().unwrap() {
        selected.push(event.place().offset);
    }
    let (mut events, mut check, mut passed) = (trace.events(), FilterCheck::new(trace, filter), Vec::new());
    while let Some(event) = events.next_raw().unwrap() {
        passed.extend(check.passes(&event).then(|| event.place().offset));
    }
    (selected, passed)
}

#[test]
fn a_check_of_each_event_agrees_with_a_selection() {
    let trace = census();
    let (first, last) = trace.first_and_last().unwrap();
    let some = |filter: Filter| {
        let (selected, passed) = offsets(&trace, &filter);
        assert!(!selected.is_empty() && selected.len() < 8, "{filter:?}: {selected:?}");
        assert_eq!(selected, passed, "{filter:?}");
    };
    let middle = FileTime(first.0.midpoint(last.0));
    some(Filter::default().time(TimeRange::default().since(middle)));
    some(Filter::default().time(TimeRange::default().until(FileTime(middle.0 - 1))));
    some(Filter::default().pids([77]));
    some(Filter::default().tids([8]).ids([1, 5]));
    some(Filter::default().level(2));
    some(Filter::default().names([Glob::new("Tcp/*")]));
    some(Filter::default().expression("size > 100 or Code == 0xC0000005".parse().unwrap()));
    let (selected, passed) = offsets(&trace, &Filter::default());
    assert_eq!((selected.len(), passed.len()), (7 + 1, 7 + 1), "with the event of the header");
}

#[test]
fn the_table_of_cases() {
    let trace = census();
    let (mut wrong, mut count) = (String::new(), 0);
    for line in include_str!("query/cases.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        count += 1;
        let (text, want) = match line.split_once("=>") {
            Some((text, ids)) if !line.contains("!!") => {
                (text.trim(), Ok(ids.split_whitespace().collect::<Vec<_>>().join(" ")))
            }
            _ => {
                let (text, error) = line.split_once("!!").expect("a case has an arrow or an error");
                (text.trim(), Err(error.trim().to_owned()))
            }
        };
        let got = match text.parse::<Expression>() {
            Ok(expression) => Ok(passing(&trace, &expression).iter().map(u16::to_string).collect::<Vec<_>>().join(" ")),
            Err(error) => Err(error.to_string()),
        };
        if got != want {
            let _ = writeln!(wrong, "{text}\n    want {want:?}\n    got  {got:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count >= 150, "{count} cases");
}

/// A trace of one event whose opcode has a name, and whose fields are not what their text suggests.
fn shown_otherwise() -> Trace {
    let schemas = r#"provider "Test-Shown" {00000000-0000-0000-0000-0000000000d4}
        map Words values { 0x5 "error" }
        event id 8 task "Work" opcode "Start" {
          Result  i32 as hresult
          Single  f32
          Level   u8 map Words
        }"#;
    let payload = Payload::new().u32(0x8000_4005).f32(0.1).u8(5);
    let header = LogfileHeader::default();
    let event = ModernEvent::new(Guid::new(0xD4)).id(8).opcode(1).level(4).payload(payload).at(header.t0 + 10);
    let bytes = TraceBuilder::new(header).log(0, event).build().bytes;
    let parsers = etwkit_parsers::standard().with_first(UserSchemas::parse(schemas).unwrap());
    Trace::open(Input::bytes("made", bytes), parsers).unwrap()
}

#[test]
fn values_are_compared_as_they_are_shown() {
    let trace = shown_otherwise();
    let passes = |text: &str| passing(&trace, &text.parse().unwrap()) == [8];
    for text in [
        "Result == 0x80004005",
        "Result in (0x80004005)",
        "Result > 0x80000000",
        "Single == 0.1",
        "Single <= 0.1",
        "Level == error",
        "fields.Level == error",
        "opcode == Start",
        "opcode == 1",
        "opcode < 5",
    ] {
        assert!(passes(text), "{text}");
    }
    for text in [
        "Result < 0",
        "Level != error",
        "Level == warning",
        "Single != 0.1",
        "Single > 0.1",
        "opcode > 100",
        "opcode > 1",
        "opcode >= 2",
    ] {
        assert!(!passes(text), "{text}");
    }
}

/// Seconds of 2021-09-01T20:00:00Z since 1970.
const EVENING: u32 = 1_630_526_400;

/// A trace of one event whose times are all of one second, by different counts, and with texts of one digit.
fn times_of_a_second() -> Trace {
    let schemas = r#"provider "Test-Times" {00000000-0000-0000-0000-0000000000e5}
        event id 9 {
          F       u64 as filetime
          P       u32 as unixtime
          U       systemtime as filetime
          C       u64 as clocktime
          Local   systemtime
          Number  u32
          None    systemtime
          Digit   u8 as char
          Hash    u32 as unixtime
          Zero    u64 as filetime
        }"#;
    let date = |payload: Payload| [2021, 9, 3, 1, 20, 0, 0, 0].into_iter().fold(payload, Payload::u16);
    let header = LogfileHeader::default();
    let payload = Payload::new().u64(FileTime::from_unix_seconds(EVENING.into()).0.cast_unsigned()).u32(EVENING);
    let payload =
        date(date(payload).u64(header.t0.cast_unsigned() + 10)).u32(7).bytes(&[0; 16]).u8(b'7').u32(0x9912_3456).u64(0);
    let event = ModernEvent::new(Guid::new(0xE5)).id(9).level(4).payload(payload).at(header.t0 + 10);
    let bytes = TraceBuilder::new(header).log(0, event).build().bytes;
    let parsers = etwkit_parsers::standard().with_first(UserSchemas::parse(schemas).unwrap());
    Trace::open(Input::bytes("made", bytes), parsers).unwrap()
}

#[test]
fn times_are_compared_as_points_in_time_however_they_are_counted() {
    let trace = times_of_a_second();
    let of_event = trace.first_and_last().unwrap().1;
    let evening = FileTime::from_unix_seconds(EVENING.into());
    for (field, time) in [("F", evening), ("P", evening), ("U", evening), ("C", of_event)] {
        for (operator, wanted) in [
            ("==", [false, true, false]),
            ("!=", [true, false, true]),
            ("<", [false, false, true]),
            ("<=", [false, true, true]),
            (">", [true, false, false]),
            (">=", [true, true, false]),
        ] {
            for (units, wanted) in [-1, 0, 1].into_iter().zip(wanted) {
                let text = format!("{field} {operator} 'a time'");
                let expression = text.parse::<Expression>().unwrap();
                let expression = expression.with_times(|_| Some(FileTime(time.0 + units)));
                assert_eq!(passing(&trace, &expression) == [9], wanted, "{text} {units:+}");
            }
        }
    }
    // What is no time, or of no known zone, is compared as text.
    for text in ["Number < 'a time'", "Local < 'a time'"] {
        let expression = text.parse::<Expression>().unwrap().with_times(|_| Some(FileTime(i64::MAX)));
        assert_eq!(passing(&trace, &expression), [9], "{text}: a digit comes before a letter");
        let expression = text.parse::<Expression>().unwrap().with_times(|_| Some(FileTime(0)));
        assert_eq!(passing(&trace, &expression), [9], "{text}: whatever the time");
    }
    // A field of times that has none is neither before nor after any.
    for (field, operator) in ["Hash", "Zero"].into_iter().flat_map(|field| ["<", ">", "=="].map(|sign| (field, sign))) {
        let text = format!("{field} {operator} '2021'");
        let expression = text.parse::<Expression>().unwrap().with_times(|_| Some(evening));
        assert_eq!(passing(&trace, &expression), [0_u16; 0], "{text}");
    }
    let passes = |text: &str| passing(&trace, &text.parse().unwrap()) == [9];
    assert!(passes("None == 0") && passes("None == 0x0") && !passes("None != 0x0"), "no date is shown as 0");
    assert!(passes("Digit == 7") && passes("Digit == '7'") && !passes("Digit == 55"), "a character is text");
}

#[test]
fn the_right_side_of_a_pattern_is_text_alone() {
    for text in ["name ~ 1000000000000000000000", "name ~ 10.0.0.0/99"] {
        assert!(text.parse::<Expression>().is_ok(), "{text}");
    }
    for text in ["size < 1_000_000_000_000_000_000_000", "size == 0x1_0000_0000_0000_0000"] {
        assert!(text.parse::<Expression>().unwrap_err().to_string().contains("does not fit in 64 bits"), "{text}");
    }
}

#[test]
fn what_is_printed_reads_back_the_same() {
    for line in include_str!("query/cases.txt").lines().filter(|line| !line.starts_with('#')) {
        let text = line.split_once("=>").map_or("", |(text, _)| text.trim());
        let Ok(expression) = text.parse::<Expression>() else { continue };
        let printed = expression.to_string();
        assert_eq!(printed.parse().as_ref(), Ok(&expression), "{text} was printed as {printed}");
    }
}

#[test]
fn depth_and_length_are_limited() {
    let deep = "(".repeat(100_000) + "id == 1";
    assert!(deep.parse::<Expression>().unwrap_err().to_string().contains("more than"));
    let deep = "(".repeat(1000) + "id == 1";
    assert!(deep.parse::<Expression>().unwrap_err().to_string().contains("too many brackets"));
    let wide = vec!["id == 1"; 5000].join(" or ");
    assert!(wide.parse::<Expression>().is_ok());
}

/// Comparisons that can be joined in any way: each passes some events and not others.
fn leaf() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "size > 100",
        "id == 3",
        "pid == 4",
        "name ~ 'ntdll'",
        "Values in (2, 3)",
        "daddr in 10.0.0.0/8",
        "keywords & 0x10",
        "provider != Test-Values",
        "has activity",
        "missing == 1",
    ])
    .prop_map(str::to_owned)
}

fn any_expression() -> impl Strategy<Value = String> {
    leaf().prop_recursive(5, 40, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} and {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} or {b})")),
            inner.prop_map(|a| format!("not ({a})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// `and`, `or` and `not` are those of sets.
    #[test]
    fn joining_is_set_algebra(a in any_expression(), b in any_expression()) {
        thread_local!(static CENSUS: Trace = census());
        CENSUS.with(|trace| {
            let ids = |text: &str| passing(trace, &text.parse().unwrap());
            let (of_a, of_b) = (ids(&a), ids(&b));
            let all = ids("raw_time > 0");
            let pick = |keep: &dyn Fn(&u16) -> bool| all.iter().copied().filter(|id| keep(id)).collect::<Vec<_>>();
            assert_eq!(ids(&format!("{a} and {b}")), pick(&|id| of_a.contains(id) && of_b.contains(id)));
            assert_eq!(ids(&format!("{a} or {b}")), pick(&|id| of_a.contains(id) || of_b.contains(id)));
            assert_eq!(ids(&format!("not ({a})")), pick(&|id| !of_a.contains(id)));
        });
    }

    #[test]
    fn printing_and_reading_again_changes_nothing(text in any_expression()) {
        let expression: Expression = text.parse().unwrap();
        prop_assert_eq!(expression.to_string().parse(), Ok(expression));
    }

    #[test]
    fn no_text_breaks_the_reader(text in "[a-z0-9 ()!=<>~&|,.'\"\\\\{}/:_-]{0,80}") {
        let _ = text.parse::<Expression>();
    }

    #[test]
    fn any_text_in_quotes_stays_the_same(text in "\\PC{0,30}") {
        let quoted = text.replace('\\', "\\\\").replace('\'', "\\'");
        let expression: Expression = format!("name == '{quoted}'").parse().unwrap();
        prop_assert_eq!(expression.to_string().parse(), Ok(expression));
    }
}
