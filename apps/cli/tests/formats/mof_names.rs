//! The report calls each type of the kernel's events and its fields as Windows' MOF classes do.
//!
//! The facts are those of the kernel's tables (`parsers/kernel/tests/mof/facts.txt`). For each of their rows an event is
//! made; a name that differs needs a reason, and each reason must be needed.

use etwkit_synth::{ClassicEvent, LogfileHeader, Payload, PointerSize, TraceBuilder};

use super::classic::{Reported, guid, matches, report};

const FACTS: &str = include_str!("../../../../parsers/kernel/tests/mof/facts.txt");

/// Types, as `class opcodes versions` with `*` for any; the name of the facts, that of the report, and why they differ.
const NAMES: [(&str, &str, &str, &str); 3] = [
    (
        "PerfInfo 73 *",
        "SampledProfileIntervalCollectionStart",
        "CollectionStart",
        "the MOF text; the facts have the class before it (SampledProfileInterval)",
    ),
    ("PerfInfo 74 *", "SampledProfileIntervalCollectionEnd", "CollectionEnd", "as above"),
    (
        "EventTrace 80 v2",
        "PartitionInfoExtension",
        "PartitionInfoExtensionV2",
        "from build 19041 on; the trace of this test does not have a build",
    ),
];

/// Types, as in [`NAMES`]; a field of the facts, that of the report, `-` for none, and why they differ.
const FIELDS: [(&str, &str, &str, &str); 13] = [
    ("SystemConfig 22 v3", "-", "ServiceName", "TraceEvent reads it"),
    ("SystemConfig 35 v2", "VendorIdentifier", "ProcessorIdentifier", "the order of real bytes"),
    ("SystemConfig 35 v2", "ProcessorIdentifier", "VendorIdentifier", "as above"),
    ("Thread 1|2|3|4 v3", "-", "ThreadName", "real events of version 3 have it in later builds"),
    ("Thread 36 v1", "-", "NewThreadWaitTime", "the older MOF text has it"),
    (
        "Thread 37 v2",
        "-",
        "FirstTimeStamp|TidTable|ThreadBasePriority|Packets",
        "the MOF class is empty; section 7.6 has the batch",
    ),
    ("EventTrace 0 *", "TimeZoneInformation", "-", "tracerpt leaves it out"),
    ("EventTrace 5|32 v0|v1", "-", "KernelEventVersion", "real events of version 1 have it"),
    ("FileIo 67|68 v3", "-", "ExtraFlags", "in real events of version 3"),
    ("PerfInfo 67 v2", "-", "MessageNumber", "one layout for both interrupts, as TraceEvent has it"),
    ("StackWalk 32|37|38 v2", "Timestamp", "EventTimeStamp", "the older MOF text and reports"),
    ("StackWalk 32|37|38 v2", "ProcessId", "StackProcess", "as above"),
    ("StackWalk 32|37|38 v2", "ThreadId", "StackThread", "as above"),
];

/// A row of the facts.
struct Row {
    class: &'static str,
    guid: &'static str,
    opcode: u8,
    version: u16,
    name: &'static str,
    fields: &'static str,
}

fn rows() -> Vec<Row> {
    let (mut rows, mut class) = (Vec::new(), ("", ""));
    for line in FACTS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let Some(event) = line.strip_prefix("  ") else {
            class = line.split_once(' ').unwrap();
            continue;
        };
        let (head, fields) = event.split_once(':').unwrap();
        let mut words = head.splitn(3, ' ');
        let opcode = words.next().unwrap().parse().unwrap();
        let version = words.next().unwrap().strip_prefix('v').unwrap().parse().unwrap();
        rows.push(Row { class: class.0, guid: class.1, opcode, version, name: words.next().unwrap(), fields });
    }
    rows
}

/// An event of each row, with this payload, as the report has it.
fn reported(rows: &[Row], payload: &[u8]) -> Vec<Reported> {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let start = header.start_time;
    let mut builder = TraceBuilder::new(header.on_system_time());
    for (row, at) in rows.iter().zip(1..) {
        let event = ClassicEvent::new(PointerSize::Eight, guid(row.guid), row.opcode).version(row.version);
        builder = builder.log(0, event.payload(Payload::new().bytes(payload)).at(start + at * 1000));
    }
    let mut found = report(&builder.build().bytes);
    assert_eq!(found.len(), rows.len() + 1, "an event each, and the header's");
    found.split_off(1)
}

#[test]
fn types_are_called_as_in_mof() {
    let rows = rows();
    assert_eq!(rows.len(), 446);
    let found = reported(&rows, &[]);
    let mut reasons = Reasons::new(&NAMES);
    for (row, found) in rows.iter().zip(&found).filter(|(row, found)| row.name != found.opcode) {
        reasons.need(row, row.name, &found.opcode);
    }
    reasons.check();
}

/// Padding that the tables here hide is shown, too. Arrays without elements in this payload of zeros, and frames of
/// stacks, are left out.
#[test]
fn fields_are_those_of_mof() {
    let rows = rows();
    let mut reasons = Reasons::new(&FIELDS);
    for (row, found) in rows.iter().zip(reported(&rows, &[0; 5000])) {
        assert!(!found.error, "{} {}", row.class, row.opcode);
        let mut ours: Vec<_> = found.fields.iter().map(|(name, _)| &**name).filter(|name| !is_frame(name)).collect();
        ours.dedup();
        let fields = row.fields.trim().split(", ").filter_map(|field| field.split_once(' '));
        let theirs = fields.filter(|(name, kind)| !kind.contains(" x ") || ours.contains(name));
        let theirs: Vec<_> = theirs.map(|(name, _)| name).collect();
        let (mut a, mut b) = (0, 0);
        while a < theirs.len() || b < ours.len() {
            let (their, own) = (theirs.get(a), ours.get(b));
            // What the other side has later only moved.
            let later = |list: &[&str], name: Option<&&str>| name.is_some_and(|name| list.contains(name));
            let skip_own = their != own && later(&ours[b..], their) && !later(&theirs[a..], own);
            let skip_their = their != own && later(&theirs[a..], own) && !later(&ours[b..], their);
            let (their, own) = (their.filter(|_| !skip_own), own.filter(|_| !skip_their));
            if their != own {
                reasons.need(row, their.unwrap_or(&"-"), own.unwrap_or(&"-"));
            }
            (a, b) = (a + usize::from(their.is_some()), b + usize::from(own.is_some()));
        }
    }
    reasons.check();
}

/// `Stack1`.
fn is_frame(name: &str) -> bool {
    name.strip_prefix("Stack").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Differences, and the reasons that they used.
struct Reasons<'r> {
    known: &'r [(&'r str, &'r str, &'r str, &'r str)],
    used: Vec<bool>,
    unexplained: Vec<String>,
}

impl<'r> Reasons<'r> {
    fn new(known: &'r [(&'r str, &'r str, &'r str, &'r str)]) -> Self {
        Self { known, used: vec![false; known.len()], unexplained: Vec::new() }
    }

    fn need(&mut self, row: &Row, theirs: &str, ours: &str) {
        let title = format!("{} {} v{}", row.class.trim_start_matches("Kernel-"), row.opcode, row.version);
        let explains = |reason: &&(&str, &str, &str, &str)| {
            matches(reason.0, &title) && matches(reason.1, theirs) && matches(reason.2, ours)
        };
        match self.known.iter().position(|reason| explains(&reason)) {
            Some(reason) => self.used[reason] = true,
            None => self.unexplained.push(format!("{title}: {theirs} -> {ours}")),
        }
    }

    fn check(self) {
        let Self { known, used, unexplained } = self;
        assert!(unexplained.is_empty(), "{} without a reason:\n{}", unexplained.len(), unexplained.join("\n"));
        let unused: Vec<_> = known.iter().zip(used).filter(|(_, used)| !used).map(|(reason, _)| reason).collect();
        assert!(unused.is_empty(), "reasons that nothing needs: {unused:?}");
    }
}
