//! Options of `NtCreateFile` in Microsoft-Windows-Kernel-File.
#![expect(clippy::unwrap_used, reason = "a test")]

use etwkit::decode::Fit;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::schema::{DisplayFormat, Schema};
use etwkit::trace::Trace;
use etwkit_registered::{Overrides, Registered};
use etwkit_synth::{Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

const KERNEL_FILE: Guid = Guid::new(0xedd0_8927_9cc4_4e65_b970_c256_0fb5_c289);

/// Name, source and fields of an event, and its schema.
fn read(id: u16, version: u8, payload: Payload) -> (Vec<String>, Schema) {
    let header = LogfileHeader::default();
    let event = ModernEvent::new(KERNEL_FILE).id(id).version(version).task(id).channel(16).keyword(0x20);
    let event = event.at(header.t0 + 1_000).payload(payload);
    let bytes = TraceBuilder::new(header).log(0, event).build().bytes;
    let parsers = Parsers::none().with(Overrides).with(Registered::new());
    let trace = Trace::open(Input::bytes("made", bytes), parsers).unwrap();
    let mut events = trace.events();
    loop {
        let event = events.next().unwrap().unwrap();
        let Some(schema) = event.schema().filter(|_| event.raw().id() == id) else { continue };
        assert_eq!(event.fit(), Fit::Exact);
        let names = schema.names();
        let name = format!("{} {} {}", names.provider.as_deref().unwrap(), event.name(), schema.origin());
        let fields = event.fields().map(|view| format!("{}={view}", view.name()));
        return (std::iter::once(name).chain(fields).collect(), schema.clone());
    }
}

fn shown(id: u16, version: u8, payload: Payload) -> Vec<String> {
    read(id, version, payload).0
}

fn tail(payload: Payload) -> Payload {
    payload.u32(0x0100_0060).u32(0x80).u32(7).utf16z("\\Device\\a.txt")
}

#[test]
fn create_options_are_apart_from_the_disposition() {
    let options = [
        "CreateOptions=FILE_SYNCHRONOUS_IO_NONALERT|FILE_NON_DIRECTORY_FILE",
        "CreateDisposition=FILE_OPEN",
        "CreateAttributes=0x80",
        "ShareAccess=0x7",
        "FileName=\\Device\\a.txt",
    ];
    let old = tail(Payload::new().u64(0x10).u64(77).u64(0x20));
    let new = tail(Payload::new().u64(0x10).u64(0x20).u32(77));
    for (id, name) in [(12, "Create"), (30, "CreateNewFile")] {
        let head = format!("Microsoft-Windows-Kernel-File {name} built-in");
        let wanted = |ids: [&str; 3]| {
            let ids = ids.map(str::to_owned);
            [vec![head.clone()], ids.to_vec(), options.map(str::to_owned).to_vec()].concat()
        };
        assert_eq!(shown(id, 0, old.clone()), wanted(["Irp=0x10", "ThreadId=0x4d", "FileObject=0x20"]));
        assert_eq!(shown(id, 1, new.clone()), wanted(["Irp=0x10", "FileObject=0x20", "IssuingThreadId=77"]));
    }
}

/// Reports have the manifest's words, which has no field for the disposition.
#[test]
fn a_table_is_reported_in_the_words_of_the_pack() {
    let (_, schema) = read(12, 1, tail(Payload::new().u64(0x10).u64(0x20).u32(77)));
    let (reported, names) = (schema.reported(), schema.reported().names());
    assert_eq!(names.channel.as_deref(), Some("Microsoft-Windows-Kernel-File/Analytic"));
    assert!(names.keywords.iter().any(|(mask, name)| (*mask, &**name) == (0x20, "KERNEL_FILE_KEYWORD_FILEIO")));
    let pairs: Vec<_> = schema.reported_fields().map(|((_, own), (_, theirs))| (&*own.name, &*theirs.name)).collect();
    assert!(pairs.iter().all(|(own, theirs)| own == theirs), "{pairs:?}");
    assert_eq!((schema.fields().len(), pairs.len()), (8, 7));
    assert_eq!(reported.fields()[3].display, DisplayFormat::Hex);
}

/// The other events are those of the manifest.
#[test]
fn a_close_is_read_by_the_pack() {
    let payload = Payload::new().u64(0x10).u64(0x20).u64(0x30).u32(77);
    let found = shown(14, 1, payload);
    assert_eq!(found[0], "Microsoft-Windows-Kernel-File Close registered");
    assert_eq!(found[1..], ["Irp=0x10", "FileObject=0x20", "FileKey=0x30", "IssuingThreadId=77"]);
}
