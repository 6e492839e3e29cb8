//! A lying schema cannot cost more than its event: what each output prints of an event has a cap.

mod common;
#[path = "common/formats.rs"]
mod formats;

use common::Folder;
use etwkit::limits;
use etwkit_synth::{Buffer, Guid, LogfileHeader, MessageEvent, ModernEvent, TraceBuilder};

/// Bytes of each event's payload.
const PAYLOAD: usize = 20_000;
const GUID: u128 = 0x6d3c_1e52_0a1f_4f0e_9d3a_55aa_2b90_1107;

/// What may print much: its name, its schema, and what of it must be left out.
struct Case {
    name: &'static str,
    entry: String,
    /// Whether not even the numbers fit.
    cut: bool,
    payload: Vec<u8>,
}

impl Case {
    fn new(name: &'static str, entry: &str, cut: bool) -> Self {
        Self { name, entry: entry.to_owned(), cut, payload: vec![7; PAYLOAD] }
    }
}

fn cases() -> Vec<Case> {
    let (label, long, bits) = ("L".repeat(60_000), "N".repeat(4_000), "B".repeat(7_000));
    let labels = format!("map M values {{ 0x7 \"{label}\" }}\nevent id 1 {{\na u8 x rest map M\n}}\n");
    let quotes = labels.replace(&label, &"\\\"".repeat(30_000));
    let bits = format!(
        "map M bits {{ 0x1 \"{bits}1\" 0x2 \"{bits}2\" 0x4 \"{bits}4\" }}\nevent id 1 {{\na u8 x rest map M\n}}\n"
    );
    let members = format!("event id 1 {{\na struct x rest {{\n{long} u8\n}}\n}}\n");
    let open = (0..30).map(|depth| format!("{}{depth} struct {{\n", "S".repeat(100))).collect::<Vec<_>>().concat();
    let nested = format!("event id 1 {{\na struct x rest {{\n{open}b u8\n{}}}\n}}\n", "}\n".repeat(30));
    let fields = (0..4_000).map(|at| format!("{}{at} bytes[0]\n", "F".repeat(3_000))).collect::<Vec<_>>().concat();
    let empty = Case { payload: Vec::new(), ..Case::new("fields", &format!("event id 1 {{\n{fields}}}\n"), true) };
    let one =
        format!("map M values {{ 0x7 \"{}\" }}\nevent id 1 {{\na u8 map M\nb bytes rest\n}}\n", "L".repeat(4 << 20));
    let message = "%1 ".repeat(8_000);
    let elements = format!("{}(%1) ", "E".repeat(100)).repeat(limits::MAX_USER_DATA_REPEATS);
    let elements = format!("event id 1 user-data R({elements}) {{\na u8 x rest\n}}\n");
    vec![
        Case::new("labels", &labels, false),
        Case::new("quotes", &quotes, false),
        Case::new("bits", &bits, false),
        Case::new("one", &one, false),
        Case::new("elements", &elements, false),
        Case::new("members", &members, true),
        Case::new("nested", &nested, true),
        Case::new("message", &labels.replace("event id 1 {", &format!("event id 1 message \"{message}\" {{")), false),
        empty,
    ]
}

/// A folder with a trace of one event, and a schema of it.
fn folder(case: &Case) -> Folder {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let at = header.after(10);
    let event = ModernEvent::new(Guid::new(GUID)).id(1).at(at).payload(case.payload.clone());
    write(Buffer::on(0).event(event), header, &format!("provider \"Lie\" {{{}}}\n{}", guid(), case.entry))
}

fn write(buffer: Buffer, header: LogfileHeader, schema: &str) -> Folder {
    let folder = Folder::with(&[]);
    folder.write("lie.etl", &TraceBuilder::new(header).buffer(buffer).build().bytes);
    folder.write("lie.schema", schema.as_bytes());
    folder
}

fn guid() -> String {
    etwkit::bytes::Guid::from_u128(GUID).to_string()
}

/// Every way to print a value; [`formats::formats`] has the formats that are not here.
const WAYS: [&[&str]; 14] = [
    &["dump", "--format", "jsonl"],
    &["dump", "--format", "text"],
    &["dump", "--format", "csv"],
    &["dump", "--format", "xml"],
    &["dump", "--format", "tracerpt-csv"],
    &["dump", "--format", "twapi", "--fields", "-properties"],
    &["dump", "--format", "tracefmt"],
    &["dump", "--format", "jsonl", "--fields", "a"],
    &["dump", "--format", "text", "--fields", "a"],
    &["dump", "--format", "csv", "--fields", "a"],
    &["table"],
    &["count", "--group-by", "a"],
    &["baseline"],
    &["requests"],
];

#[test]
fn no_output_is_far_longer_than_its_event() {
    let formats = formats::formats();
    let of_format = formats.iter().map(|name| vec!["dump", "--format", name]);
    let others = of_format.filter(|way| !WAYS.iter().any(|known| known.starts_with(way)));
    let ways: Vec<Vec<&str>> = WAYS.into_iter().map(<[&str]>::to_vec).chain(others).collect();
    for case in cases() {
        let folder = folder(&case);
        // Quotes are escaped where a format has them; at most two bytes per byte, six in XML.
        let most = limits::shown(case.payload.len()) + limits::MAX_MESSAGE + 5 * PAYLOAD + 50_000;
        for way in &ways {
            let run = folder.run(&[way, &["--schemas", "lie.schema", "lie.etl"][..]].concat());
            let len = run.out.len();
            let told = format!("{} {way:?}: {len} of {most} bytes; {}", case.name, run.err);
            // The provider is not a web server.
            let is_expected = if *way == ["requests"] { run.code == 2 } else { matches!(run.code, 0 | 1) };
            assert!(is_expected && len <= most, "{told}");
            assert!(!run.out.contains(&"L".repeat(60_000)) && !run.out.contains(&"N".repeat(4_000)), "{told}");
            let is_told = run.err.contains("print far more") || run.err.contains("could not be decoded in full");
            let is_told = is_told || run.err.contains("without a schema that fits");
            let tells = !matches!(way[..], ["baseline" | "requests", ..]);
            assert_eq!(is_told, case.cut && tells, "{told}");
        }
    }
}

/// Every format states how many values are missing, and contains the bytes.
#[test]
fn what_is_left_out_is_told() {
    let case = cases().into_iter().find(|case| case.name == "members").unwrap();
    let folder = folder(&case);
    let digits = "07".repeat(PAYLOAD);
    let marks: [(&[&str], &str, bool); 11] = [
        (
            WAYS[0],
            "\"fields\":{\"#left_out\":20000},\"problem\":\"fields from a on would print too much: 20000 values left out\"",
            true,
        ),
        (WAYS[1], " !misfit=a !left-out=20000 extra=", true),
        (WAYS[2], "{\"\"#left_out\"\":20000}", true),
        (WAYS[3], "</ProcessingErrorData>\n\t<!-- 20000 values left out: ", true),
        (WAYS[4], ", \"20000 values left out: ", true),
        (WAYS[5], "_leftout 20000 _userdata 0707", true),
        (WAYS[7], "{\"a\":\"(values left out)\"}", false),
        (WAYS[9], "\n(values left out)\n", false),
        (WAYS[10], "20000 values left out: ", true),
        (WAYS[11], "", false),
        (WAYS[12], "ValuesLeftOut=20000; ", false),
    ];
    for (way, mark, has_bytes) in marks {
        let run = folder.run(&[way, &["--schemas", "lie.schema", "lie.etl"]].concat());
        assert!(run.out.contains(mark), "{way:?}: {:.2000}", run.out);
        // For people, the first bytes and their number.
        let has_bytes = has_bytes && way != WAYS[1];
        assert_eq!(run.out.contains(&digits), has_bytes, "{way:?}");
        assert!(way != WAYS[1] || run.out.contains(&format!("0707...({PAYLOAD} bytes)")), "{:.2000}", run.out);
    }
}

#[test]
fn labels_give_way_to_numbers() {
    let case = cases().into_iter().find(|case| case.name == "labels").unwrap();
    let run = folder(&case).run(&["dump", "--schemas", "lie.schema", "lie.etl"]);
    let event = run.out.lines().last().unwrap();
    assert!(event.contains("\"fields\":{\"a\":[7,7,7,7,") && !event.contains("left_out") && !event.contains("extra"));
    // The same labels where there is room for them.
    let case = Case { payload: vec![7], ..case };
    let run = folder(&case).run(&["dump", "--schemas", "lie.schema", "lie.etl"]);
    assert!(run.out.contains(&"L".repeat(60_000)));
}

/// A message of WPP, whose fields are only in its text.
#[test]
fn a_message_of_wpp_is_no_longer() {
    let entry = format!(
        "class Lie {{{}}}\nmap M values {{ 0x7 \"{}\" }}\nevent message 10 message \"{}\" {{\na u8 x rest map M\n}}\n",
        guid(),
        "L".repeat(60_000),
        "%1 %{cpu}!250d! ".repeat(1_000)
    );
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let event = MessageEvent::new(Guid::new(GUID), 10).at(header.after(10)).payload(vec![7; PAYLOAD]);
    let folder = write(Buffer::on(0).event(event), header, &format!("provider \"Lie\" {{{}}}\n{entry}", guid()));
    for format in ["tracefmt", "text", "tracerpt-csv"] {
        let run = folder.run(&["dump", "--format", format, "--schemas", "lie.schema", "lie.etl"]);
        let most = limits::MAX_MESSAGE + 6 * PAYLOAD + 50_000;
        assert!(run.out.contains("7 7 7 7") && run.out.len() < most, "{format}: {} bytes", run.out.len());
    }
}

/// Names of a schema are in each of its events: there are limits to them.
#[test]
fn names_and_messages_have_a_limit() {
    let long = "T".repeat(limits::MAX_NAMES + 1);
    for attribute in ["task", "message", "channel", "detail flags"] {
        let case = Case::new("names", &format!("event id 1 {attribute} \"{long}\" {{\n}}\n"), false);
        let run = folder(&case).run(&["dump", "--schemas", "lie.schema", "lie.etl"]);
        assert!(run.out.len() < limits::MAX_NAMES, "{attribute}: {} bytes", run.out.len());
        // Names are cut, and the event has them; a message is given up with its schema.
        let is_cut = matches!(attribute, "task" | "channel");
        assert_eq!(run.err.contains("names and message of a schema"), !is_cut, "{attribute}: {}", run.err);
    }
}
