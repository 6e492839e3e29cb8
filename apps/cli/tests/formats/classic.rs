//! The report's names, order and looks of classic fields, class by class and version by version, against the facts of
//! Windows' MOF classes (`shared/schemas/classic.jsonl`, made of the MOF text of PerfView and of Microsoft's pages).
//!
//! For each layout of the facts whose class is in `mof.txt` an event is made, with another value in each field; the
//! report of these must show these names and values. What it shows otherwise is in [`DIFFERENT`], each with its reason.

use std::collections::BTreeMap;
use std::path::Path;

use etwkit_synth::{ClassicEvent, Guid, LogfileHeader, Payload, PointerSize, TraceBuilder};
use serde_json::Value;

use super::etwkit;

const SIZE: PointerSize = PointerSize::Eight;

/// A layout of the facts: one event type of one version, as one of the sources has it.
struct Case {
    class: String,
    guid: String,
    opcode: u8,
    version: u16,
    sources: String,
    name: Option<String>,
    fields: Vec<Value>,
}

impl Case {
    fn title(&self) -> String {
        format!("{} {} v{} {}", self.class, self.opcode, self.version, self.sources)
    }
}

/// Event types, as `class opcode version sources` with `*` for any, and why the report differs from the facts.
///
/// Where the facts' two sources differ, or have lost something, the MOF text itself decides (section K2 of
/// `docs/format`, `shared/facts/traceevent/schema_kernel_mof.json`); payloads that it describes were seen in real
/// traces.
const DIFFERENT: [(&str, &str); 28] = [
    ("SystemConfig 10|11|12|13 v0 docs", "a page that leaves out fields at the end or lengths"),
    ("SystemConfig 10 v2 docs+perfview", "DomainName has 134 characters (sizes of real events)"),
    ("SystemConfig 12 v2 docs+perfview", "FileSystem has 16 characters; the facts lost it"),
    ("SystemConfig 13 v0 docs+perfview", "PhysicalAddr has 8 characters; the facts lost it"),
    ("SystemConfig 13 v1 perfview", "PhysicalAddr holds the bytes of an address, as many as PhysicalAddrLen states"),
    ("SystemConfig 14 v0 docs+perfview", "StateFlags is hexadecimal in the MOF text"),
    ("SystemConfig 16 v0|v2 docs+perfview", "S1 to S5 are capital in the MOF text"),
    ("Image 2 v2 docs+perfview", "UnLoad in the MOF text"),
    ("Process 1|2|3|4 v1 docs+perfview", "process ids are hexadecimal in the MOF text"),
    ("Thread 1|2|3|4 v1 docs+perfview", "ids are hexadecimal in the MOF text"),
    ("Thread 36 v2 docs+perfview", "OldThreadWaitIdealProcessor is decimal in the MOF text"),
    ("Thread 37 v2 perfview", "the MOF text has no fields, and real events have a batch of context switches"),
    ("Thread 48|49|52|53 v2 perfview", "since build 7000 these numbers are other events"),
    ("DiskIo 10|11|12|13|14|15 v0 docs", "a page of version 3"),
    ("DiskIo 37 v0 docs", "IrpPtr in the MOF text"),
    ("FileIo 72|77 v2 docs+perfview", "InfoClass has four bytes in the MOF text"),
    ("TcpIp 10|11|12|13|14|15|16 v1 docs", "a page that leaves out fields at the end"),
    ("TcpIp 10|11|12|13|14|15|16|18|19|20|21|22 v1 perfview", "connid is as wide as a pointer"),
    ("TcpIp 10 v2 docs+perfview", "SendIPV4 in the MOF text"),
    ("TcpIp 11|12|13|14|15 v0 docs+perfview", "the facts have the names of version 2 for all versions"),
    ("TcpIp 27|29|30|32|34 v2 docs", "seqnum goes before connid in the MOF text"),
    ("TcpIp 27|29|30|32|34 v2 perfview", "connid is as wide as a pointer"),
    ("Registry * v2 docs", "a page of version 1"),
    ("Registry * v2 docs+perfview", "Status has four bytes in the MOF text"),
    ("UdpIp 10|11 v0 docs", "a page of version 1"),
    ("UdpIp 10|11 v0|v1 perfview|docs+perfview", "the facts have the names of version 2 for all versions"),
    ("PerfInfo 46|66 v2 docs+perfview", "SampleProf and ThreadedDPC in the MOF text"),
    ("PerfInfo 67 v2 docs+perfview", "Reserved has two bytes in the MOF text, and the vector took one of them since"),
];

pub(super) fn matches(pattern: &str, title: &str) -> bool {
    let mut words = title.split(' ');
    pattern.split(' ').all(|part| {
        let word = words.next().unwrap_or_default();
        part.split('|').any(|part| part == "*" || part == word)
    })
}

fn cases(facts: &Path) -> Vec<Case> {
    let table = include_str!("../../../../formats/windows/data/mof.txt");
    let text = std::fs::read_to_string(facts).unwrap();
    let mut cases = Vec::new();
    for line in text.lines() {
        let class: Value = serde_json::from_str(line).unwrap();
        let guid = class["g"].as_str().unwrap();
        if !table.contains(guid) {
            continue;
        }
        for event in class["e"].as_array().unwrap() {
            let opcode = u8::try_from(event[0].as_u64().unwrap()).unwrap();
            let sources: Vec<_> = event[4].as_array().unwrap().iter().map(|source| source.as_str().unwrap()).collect();
            cases.push(Case {
                class: class["n"].as_str().unwrap().to_owned(),
                guid: guid.to_owned(),
                opcode,
                version: u16::try_from(event[1].as_u64().unwrap()).unwrap(),
                sources: sources.join("+"),
                name: class["y"][opcode.to_string()].as_str().map(str::to_owned),
                fields: class["T"][event[2].as_u64().unwrap() as usize].as_array().unwrap().clone(),
            });
        }
    }
    // The header's own event is the first of any trace: `the_first_event_has_the_fields_of_the_header`.
    cases.retain(|case| (&*case.class, case.opcode) != ("EventTraceEvent", 0));
    cases
}

/// Types of the facts, which are TDH's.
mod kind {
    pub(super) const WIDE: u64 = 1;
    pub(super) const NARROW: u64 = 2;
    pub(super) const BOOLEAN: u64 = 13;
    pub(super) const BINARY: u64 = 14;
    pub(super) const POINTER: u64 = 16;
    pub(super) const WIDE_CHARACTER: u64 = 306;
    pub(super) const CHARACTER: u64 = 307;
    pub(super) const SIZE: u64 = 308;
    pub(super) const SID: u64 = 310;
    /// Out-types.
    pub(super) const HEX: std::ops::RangeInclusive<u64> = 16..=19;
    pub(super) const PORT: u64 = 22;
    pub(super) const IPV4: u64 = 23;
}

/// Appends a value of its own for the field at a place; the result is how the report shows it.
fn write(payload: Payload, field: &Value, place: usize) -> (Payload, Vec<String>) {
    let (input, output) = (field[1].as_u64().unwrap(), field[2].as_u64());
    let value = 0x41 + place as u8;
    let wide = u64::from(value);
    let text = format!("t{place}");
    let number = |bytes: usize| {
        let shown = match output {
            Some(kind::PORT) => (wide << 8).to_string(),
            Some(kind::IPV4) => format!("{value}.0.0.0"),
            Some(output) if kind::HEX.contains(&output) => format!("0x{wide:X}"),
            _ if bytes == 4 => format!("{wide:>8}"),
            _ => wide.to_string(),
        };
        (wide.to_le_bytes()[..bytes].to_vec(), vec![shown])
    };
    let (bytes, shown) = match input {
        3 | 4 | kind::BOOLEAN | kind::CHARACTER => number(1),
        5 | 6 => number(2),
        7 | 8 => number(4),
        9 | 10 => number(8),
        kind::POINTER if field[4] == "*" => {
            return (payload.u64(wide).u64(wide + 1), vec![format!("0x{wide:X}"), format!("0x{:X}", wide + 1)]);
        }
        kind::POINTER | kind::SIZE => (wide.to_le_bytes().to_vec(), vec![format!("0x{wide:X}")]),
        kind::WIDE => return (payload.utf16z(&text), vec![text]),
        kind::NARROW => return (payload.ansi_z(&text), vec![text]),
        kind::SID => return (payload.mof_sid(SIZE, 5, &[18]), vec!["S-1-5-18".to_owned()]),
        kind::BINARY => {
            let bytes = [vec![value; 15], vec![1]].concat();
            let groups: Vec<_> =
                (0..7).map(|_| format!("{value:x}{value:x}")).chain([format!("{value:x}01")]).collect();
            (bytes, vec![groups.join(":")])
        }
        kind::WIDE_CHARACTER => {
            let units = field[4].as_u64().unwrap_or(1) as usize;
            let text = if units > text.len() { text } else { "t".to_owned() };
            return (payload.utf16_fixed(&text, units), vec![text]);
        }
        other => panic!("type {other} of {field}"),
    };
    (payload.bytes(&bytes), shown)
}

/// Name and text of each field, as the facts have them.
fn expected(case: &Case) -> (Vec<u8>, Vec<(String, String)>) {
    let (mut payload, mut shown) = (Payload::new(), Vec::new());
    for (place, field) in case.fields.iter().enumerate() {
        let name = field[0].as_str().unwrap();
        let (next, texts) = write(payload, field, place);
        payload = next;
        let is_numbered = texts.len() > 1;
        for (number, text) in (1..).zip(texts) {
            shown.push((if is_numbered { format!("{name}{number}") } else { name.to_owned() }, text));
        }
    }
    (payload.into_bytes(), shown)
}

/// An event of the report: the name of its type, and the fields.
pub(super) struct Reported {
    pub(super) opcode: String,
    pub(super) fields: Vec<(String, String)>,
    pub(super) error: bool,
}

fn reported(xml: &str) -> Vec<Reported> {
    let between = |text: &str, open: &str, close: &str| -> Option<String> {
        let (_, rest) = text.split_once(open)?;
        Some(rest.split_once(close)?.0.to_owned())
    };
    let event = |event: &str| Reported {
        opcode: event
            .split_once("<RenderingInfo")
            .and_then(|(_, info)| between(info, "<Opcode>", "</Opcode>"))
            .unwrap_or_default(),
        fields: event
            .lines()
            .filter_map(|line| Some((between(line, "<Data Name=\"", "\"")?, between(line, "\">", "</Data>")?)))
            .collect(),
        error: event.contains("<ProcessingErrorData>") || event.contains("<BinaryEventData>"),
    };
    xml.split("<Event xmlns=").skip(1).map(event).collect()
}

pub(super) fn report(bytes: &[u8]) -> Vec<Reported> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("made.etl"), bytes).unwrap();
    let output = etwkit(folder.path(), &["dump", "-q", "--format", "xml", "made.etl"]);
    reported(&String::from_utf8(output.stdout).unwrap())
}

pub(super) fn guid(text: &str) -> Guid {
    Guid::new(u128::from_str_radix(&text.replace('-', ""), 16).unwrap())
}

/// What is different, in words; `None` if nothing is.
fn difference(case: &Case, expected: &[(String, String)], found: &Reported) -> Option<String> {
    if found.error {
        return Some("the payload does not fit".to_owned());
    }
    let mut words = Vec::new();
    if case.name.as_ref().is_some_and(|name| *name != found.opcode) {
        words.push(format!("type {} for {}", found.opcode, case.name.as_deref().unwrap_or_default()));
    }
    let names = |fields: &[(String, String)]| fields.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    if names(expected) == names(&found.fields) {
        let pairs = expected.iter().zip(&found.fields).filter(|(expected, found)| expected != found);
        words.extend(pairs.map(|((name, expected), (_, found))| format!("{name} {found} for {expected}")));
    } else {
        words.push(format!("{:?} for {:?}", found.fields, expected));
    }
    (!words.is_empty()).then(|| words.join("; "))
}

#[test]
fn classic_events_have_the_names_and_looks_of_the_facts() {
    let Some(facts) = etwkit_corpus::schemas("classic.jsonl") else { return };
    let cases = cases(&facts);
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let start = header.start_time;
    let mut builder = TraceBuilder::new(LogfileHeader { ..header }.on_system_time());
    let mut wanted = Vec::new();
    for (case, at) in cases.iter().zip(1..) {
        let (payload, shown) = expected(case);
        let event = ClassicEvent::new(SIZE, guid(&case.guid), case.opcode).version(case.version).at(start + at * 1000);
        builder = builder.log(0, event.payload(payload));
        wanted.push(shown);
    }
    let found = report(&builder.build().bytes);
    assert_eq!(found.len(), cases.len() + 1, "an event each, and the header's");
    let (mut same, mut fields) = (0, 0);
    let mut unexplained = Vec::new();
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    for ((case, wanted), found) in cases.iter().zip(&wanted).zip(&found[1..]) {
        fields += wanted.len();
        let Some(difference) = difference(case, wanted, found) else {
            same += 1;
            continue;
        };
        let title = case.title();
        match DIFFERENT.iter().find(|(pattern, _)| matches(pattern, &title)) {
            Some((pattern, reason)) => {
                *used.entry(pattern).or_default() += 1;
                println!("{title}: {difference} ({reason})");
            }
            None => unexplained.push(format!("{title}: {difference}")),
        }
    }
    println!("{} layouts with {fields} fields, {same} the same", cases.len());
    assert!(cases.len() > 250, "{} layouts", cases.len());
    assert!(unexplained.is_empty(), "{} without a reason:\n{}", unexplained.len(), unexplained.join("\n"));
    let idle: Vec<_> = DIFFERENT.iter().filter(|(pattern, _)| !used.contains_key(pattern)).collect();
    assert!(idle.is_empty(), "reasons that nothing needs: {idle:?}");
}

#[test]
fn the_first_event_has_the_fields_of_the_header() {
    let Some(facts) = etwkit_corpus::schemas("classic.jsonl") else { return };
    let text = std::fs::read_to_string(facts).unwrap();
    let class: Value = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|class| class["n"] == "EventTraceEvent")
        .unwrap();
    let layouts = class["T"].as_array().unwrap().iter().map(|layout| layout.as_array().unwrap());
    let longest = layouts.max_by_key(|layout| layout.len()).unwrap();
    // A field that is not to be printed.
    let names = longest.iter().map(|field| field[0].as_str().unwrap()).filter(|name| *name != "TimeZoneInformation");
    let found = report(&TraceBuilder::new(LogfileHeader::default()).build().bytes);
    assert!(found[0].fields.iter().map(|(name, _)| &**name).eq(names));
    assert_eq!(found[0].opcode, "Header");
}
