//! Values of kernel events whose layouts or meanings are easily taken for others.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use etwkit::bytes::Guid;
use etwkit::codes::Codes;
use etwkit::event::{EventKey, Kind};
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::Trace;
use etwkit_synth::{ClassicEvent, LogfileHeader, Payload, PointerSize as Size, TraceBuilder};

const THREAD: u128 = 0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c;
const DISK: u128 = 0x3d6fa8d4_fe05_11d0_9dda_00c04fd7ba7c;
const PROCESS: u128 = 0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c;
const FILE: u128 = 0x90cbdc39_4a3e_11d1_84f4_0000f80464e3;
const PERF: u128 = 0xce1dbfb4_137e_4da6_87b0_3f59aa102cbc;
const CONFIG: u128 = 0x01853a65_418f_4f36_aefc_dc0f1d2fd235;
const MERGED: u128 = 0x9b79ee91_b5fd_41c0_a243_4248e266e9d0;
const REGISTRY: u128 = 0xae53722e_c863_11d2_8659_00c04fa321a1;
const TRACE: u128 = 0x68fdd900_4a3e_11d1_84f4_0000f80464e3;
const POWER: u128 = 0xe43445e0_0903_48c3_b878_ff0fccebdd04;
const IMAGE: u128 = 0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518;

/// The visible fields of an event of a 64-bit kernel, as `Name=text`.
fn fields(class: u128, opcode: u8, version: u16, payload: Payload) -> Vec<String> {
    let header = LogfileHeader::default();
    let event = ClassicEvent::new(Size::Eight, etwkit_synth::Guid::new(class), opcode)
        .version(version)
        .at(header.t0 + 10_000)
        .by(4, 8)
        .payload(payload);
    let bytes = TraceBuilder::new(header).log(0, event).build().bytes;
    let trace = Trace::open(Input::bytes("made", bytes), Parsers::none().with(etwkit_kernel::Kernel)).unwrap();
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if event.raw().provider_guid() == Guid::from_u128(class) && event.raw().opcode() == opcode {
            assert_eq!(event.fit(), etwkit::decode::Fit::Exact, "{:?}", event.name());
            let visible = event.fields().filter(|view| view.field.display != etwkit::schema::DisplayFormat::Hidden);
            return visible.map(|view| format!("{}={view}", view.name())).collect();
        }
    }
    panic!("no such event")
}

#[test]
fn a_sample_counts_in_16_bits() {
    // As one u32, Count and what follows are 7340033.
    let payload = Payload::new().u64(0xffff_f800_1234_5678).u32(77).u32(7_340_033);
    let wanted = ["InstructionPointer=0xfffff80012345678", "ThreadId=77", "Count=1", "Flags=0x70", "Rank=0"];
    assert_eq!(fields(PERF, 46, 2, payload), wanted);
    let payload = Payload::new().u64(0x1000).u32(77).u16(3);
    assert_eq!(fields(PERF, 46, 1, payload), ["InstructionPointer=0x1000", "ThreadId=77", "Count=3"]);
}

#[test]
fn quantums_are_those_of_the_first_version_only() {
    let payload = || Payload::new().u32(20).u32(10).bytes(&[8, 9, 1, 0xff, 6, 1, 5, 3]).u32(2).u32(4);
    let head = ["NewThreadId=20", "OldThreadId=10", "NewThreadPriority=8", "OldThreadPriority=9"];
    let tail = ["OldThreadState=Wait", "OldThreadWaitIdealProcessor=3", "NewThreadWaitTime=2"];
    let middle = |names: [&'static str; 4]| [&head[..], &names[..], &tail[..]].concat();
    let second = fields(THREAD, 36, 2, payload());
    let wanted =
        middle(["PreviousCState=1", "SpareByte=-1", "OldThreadWaitReason=UserRequest", "OldThreadWaitMode=Swappable"]);
    assert_eq!((&second[..11], &second[11..]), (&wanted.map_string()[..], &["Reserved=4".to_owned()][..]));
    for version in [3, 4] {
        let names = ["PreviousCState=1", "SpareByte=-1", "OldThreadWaitReason=UserRequest", "ThreadFlags=0x1"];
        assert_eq!(&fields(THREAD, 36, version, payload())[..11], &middle(names).map_string()[..]);
    }
    let first = Payload::new().u32(20).u32(10).bytes(&[8, 9, 1, 0xff, 6, 1, 5, 3]).u32(2);
    let names =
        ["NewThreadQuantum=1", "OldThreadQuantum=-1", "OldThreadWaitReason=UserRequest", "OldThreadWaitMode=Swappable"];
    assert_eq!(fields(THREAD, 36, 1, first), middle(names).map_string());
}

trait MapString {
    fn map_string(self) -> Vec<String>;
}

impl MapString for Vec<&str> {
    fn map_string(self) -> Vec<String> {
        self.into_iter().map(str::to_owned).collect()
    }
}

#[test]
fn create_options_have_the_ddks_names() {
    let payload = Payload::new().u64(1).u64(2).u32(3).u32(0x0100_0060).u32(0x80).u32(7).utf16z("\\a");
    let wanted = [
        "IrpPtr=0x1",
        "FileObject=0x2",
        "TTID=3",
        "CreateOptions=FILE_SYNCHRONOUS_IO_NONALERT|FILE_NON_DIRECTORY_FILE",
        "CreateDisposition=FILE_OPEN",
        "FileAttributes=Normal",
        "ShareAccess=Read|Write|Delete",
        "OpenPath=\\a",
    ];
    assert_eq!(fields(FILE, 64, 3, payload), wanted);
}

#[test]
fn irp_flags_have_the_ddks_names() {
    let payload = Payload::new().u32(0).u32(0x6_0043).u32(4096).u32(0).u64(0x200).u64(5).u64(6).u64(7).u32(8);
    let found = fields(DISK, 10, 3, payload);
    assert_eq!(found[1], "IrpFlags=IRP_NOCACHE|IRP_PAGING_IO|IRP_SYNCHRONOUS_PAGING_IO");
    assert_eq!(found[2], "Priority=IoPriorityNormal");
    assert_eq!(found[6], "FileObject=0x5");
}

const WRITE: &str = "MajorFunction=IRP_MJ_WRITE";

/// A driver call of versions 0 and 2.
fn driver_call(major: u32) -> Payload {
    Payload::new().u32(major).u32(5).u64(0x20).u64(0x60).u64(0x30).u32(1)
}

#[test]
fn driver_calls_of_version_1_have_their_order() {
    let payload = Payload::new().u32(1).u64(0x20).u64(0x30).u32(4).u32(5).u64(0x60);
    let wanted = ["UniqMatchId=1", "RoutineAddr=0x20", "Irp=0x30", WRITE, "MinorFunction=5", "FileObject=0x60"];
    assert_eq!(fields(DISK, 34, 1, payload), wanted);
    let payload = driver_call(4);
    let wanted = [WRITE, "MinorFunction=5", "RoutineAddr=0x20", "FileObject=0x60", "Irp=0x30", "UniqMatchId=1"];
    assert_eq!(fields(DISK, 34, 2, payload), wanted);
    assert_eq!(fields(DISK, 34, 0, driver_call(4)), wanted);
    assert_eq!(fields(DISK, 35, 1, Payload::new().u32(1).u64(0x30)), ["UniqMatchId=1", "Irp=0x30"]);
}

#[test]
fn major_functions_have_names() {
    let major = |code| fields(DISK, 34, 2, driver_call(code)).swap_remove(0);
    assert_eq!([0, 15, 27].map(major), MAJORS.map(|name| format!("MajorFunction={name}")));
    assert_eq!(major(28), "MajorFunction=28");
    // Those of minifilters are more: bytes below zero.
    let call = |code| Payload::new().zeros(40).u32(code);
    let callback = |code| fields(FILE, 96, 3, call(code)).swap_remove(5);
    assert_eq!(callback(3), "MajorFunction=IRP_MJ_READ");
    assert_eq!(callback(0xff), "MajorFunction=IRP_MJ_ACQUIRE_FOR_SECTION_SYNCHRONIZATION");
    assert_eq!(callback(0xec), "MajorFunction=IRP_MJ_VOLUME_DISMOUNT");
    assert_eq!(callback(0xf8), "MajorFunction=248");
    let notify = Payload::new().zeros(16).bytes(&[2, 22, 3]).u32(1).u32(4).u32(1).utf16z("\\a");
    assert_eq!(fields(POWER, 38, 2, notify)[3], "MajorFunction=IRP_MJ_POWER");
}

const MAJORS: [&str; 3] = ["IRP_MJ_CREATE", "IRP_MJ_INTERNAL_DEVICE_CONTROL", "IRP_MJ_PNP"];

/// The tables of `etwkit::codes`, but for the two names that the kernel's MOF and earlier output have otherwise.
#[test]
fn wait_reasons_and_states_are_complete() {
    let switch = |reason: u8, state: u8| {
        let payload = Payload::new().u32(20).u32(10).bytes(&[8, 9, 1, 0xff, reason, 1, state, 3]).u32(2).u32(4);
        let found = fields(THREAD, 36, 4, payload);
        [6, 8].map(|at| found[at].split_once('=').unwrap().1.to_owned())
    };
    for code in 0..=43 {
        let name = |codes: Codes| codes.name(code.into()).map_or_else(|| code.to_string(), str::to_owned);
        let reason = if code == 14 { "WrEventPair".to_owned() } else { name(Codes::WaitReason) };
        let state = if code == 5 { "Wait".to_owned() } else { name(Codes::ThreadState) };
        assert_eq!(switch(code, code), [reason, state], "{code}");
    }
    assert_eq!(switch(37, 8), ["WrAlertByThreadId", "GateWaitObsolete"]);
    assert_eq!(switch(42, 9), ["WrRcu", "WaitingForProcessInSwap"]);
    assert_eq!(switch(43, 10), ["43", "10"]);
}

#[test]
fn threads_have_an_affinity_since_version_3() {
    let payload = Payload::new().u32(4).u32(8).zeros(32).u64(0xff).u64(0x1000).u64(0).u32(9).bytes(&[8, 5, 2, 0]);
    let found = fields(THREAD, 3, 3, payload);
    assert_eq!((&*found[6], &*found[7], &*found[10]), ("Affinity=0xff", "Win32StartAddr=0x1000", "BasePriority=8"));
}

#[test]
fn physical_addresses_are_as_long_as_they_are() {
    let payload =
        |address: u64, len| Payload::new().u64(address).u32(len).u32(1).u32(1).utf16z("n").utf16z("").utf16z("");
    assert_eq!(fields(CONFIG, 13, 2, payload(0x0000_285c_7d58_1500, 6))[0], "PhysicalAddr=00:15:58:7d:5c:28");
    assert_eq!(fields(CONFIG, 13, 2, payload(0, 0))[0], "PhysicalAddr=");
    let head = Payload::new().zeros(28 + 2 * 257 * 2);
    let adapter = head.u32(6).bytes(&[1, 2, 3, 4, 5, 6]).zeros(26).bytes(&[1, 2, 3, 4, 5, 7]).zeros(26);
    let found = fields(MERGED, 36, 0, adapter.zeros(1352 - 28 - 1028 - 4 - 64));
    assert!(found.contains(&"PhysicalAddress=01:02:03:04:05:06".to_owned()), "{found:?}");
    assert!(found.contains(&"PermanentPhysicalAddress=01:02:03:04:05:07".to_owned()), "{found:?}");
}

#[test]
fn transactions_of_the_registry_have_their_order() {
    let payload = Payload::new().bytes(&[0x11; 16]).u32(0).u32(2).u64(5).utf16z("\\h");
    let found = fields(REGISTRY, 32, 2, payload);
    let guid = "TxrGUID=11111111-1111-1111-1111-111111111111";
    assert_eq!((&*found[0], &*found[1], &*found[2], &*found[4]), (guid, "Status=0x0", "UowCount=2", "Hive=\\h"));
}

#[test]
fn wake_events_and_boosts_have_their_widths() {
    assert_eq!(fields(PROCESS, 96, 2, Payload::new().u64(0x10)), ["Object=0x10"]);
    let payload = Payload::new().u64(0x10).u64(0x20).u32(4).u32(0xffff_ffff);
    assert_eq!(fields(PROCESS, 48, 2, payload)[3], "Count=4294967295");
    let payload = Payload::new().u64(0x10).u32(8).u32(0x0001_8000);
    assert_eq!(fields(THREAD, 67, 2, payload), ["LockAddress=0x10", "ThreadId=8", "BoostBitmap=0x18000"]);
    let payload = Payload::new().u64(0x10).u32(8).bytes(&[16, 9, 0x22, 1]);
    let wanted = [
        "Lock=0x10",
        "ThreadId=8",
        "NewCpuPriorityFloor=16",
        "OldCpuPriority=9",
        "IoPriorities=0x22",
        "BoostFlags=0x1",
    ];
    assert_eq!(fields(THREAD, 66, 2, payload), wanted);
}

#[test]
fn notes_of_the_trace_have_windows_names() {
    let guid = "22222222-2222-2222-2222-222222222222";
    let found = fields(TRACE, 64, 2, Payload::new().bytes(&[0x22; 16]).u32(3).bytes(b"a.pdb\0"));
    assert_eq!(found, [&*format!("Guid={guid}"), "Age=3", "PdbName=a.pdb"]);
    assert_eq!(fields(TRACE, 66, 2, Payload::new().bytes(b"19041.vb\0")), ["BuildString=19041.vb"]);
    let found = fields(TRACE, 67, 2, Payload::new().u32(1).bytes(&[0x22; 16]).utf16z("a.exe"));
    assert_eq!(found, ["GuidCount=1", &*format!("Guid=[\"{guid}\"]"), "BinaryPath=a.exe"]);
    let found = fields(TRACE, 82, 2, Payload::new().u32(2).u32(0).u64(0).u64(0));
    assert_eq!(found, ["TimeStampCount=2", "TimeStamp=[0,0]"]);
}

/// What finds a field by another name must not find two.
#[test]
fn other_names_are_nobodys_own() {
    let mut others = 0;
    for entry in etwkit_kernel::entries().flatten() {
        let fields = entry.schema.fields();
        for (at, field) in fields.iter().enumerate() {
            let Some(alias) = &field.alias else { continue };
            let is_same = |(place, other): (usize, &etwkit::schema::Field)| {
                place != at && (other.name.eq_ignore_ascii_case(alias) || other.is_alias(alias))
            };
            assert!(!fields.iter().enumerate().any(is_same), "{}: {alias}", entry.schema.name().unwrap_or_default());
            assert!(!field.name.eq_ignore_ascii_case(alias), "{alias} needs no alias");
            others += 1;
        }
    }
    assert!(others > 100, "{others}");
}

/// The name depends on the build of the trace.
#[test]
fn the_partition_has_another_name_since_19041() {
    let name = |build| {
        let provider = Guid::from_u128(TRACE);
        let key = EventKey { kind: Kind::Classic, provider, id: 0, version: 2, opcode: 80, task: 0 };
        let schema = etwkit_kernel::tables().set().choose(&key, None, build).unwrap();
        format!("{} {}", schema.names().opcode.as_deref().unwrap(), schema.origin())
    };
    assert_eq!(name(17763), "PartitionInfoExtension built-in");
    assert_eq!(name(19041), "PartitionInfoExtensionV2 built-in");
    assert_eq!(name(0), "PartitionInfoExtensionV2 built-in build-guessed");
}

#[test]
fn the_loader_tells_its_addresses_in_64_bits() {
    let payload = Payload::new().u64(0x7ff8_0000_0000).bytes(&[2, 0xff]).utf16z("ntdll.dll");
    let wanted = ["BaseAddress=0x7ff800000000", "ErrorOpcode=2", "Code=-1", "String=ntdll.dll"];
    assert_eq!(fields(IMAGE, 160, 2, payload), wanted);
    assert_eq!(fields(IMAGE, 144, 2, Payload::new().u64(0x1000)), ["BaseAddress=0x1000"]);
    assert!(fields(IMAGE, 128, 2, Payload::new()).is_empty());
}

#[test]
fn events_without_a_layout_before_have_one() {
    let payload = Payload::new().u32(8).u16(1).u16(2).u8(9).u8(1).u16(3);
    let wanted = [
        "ThreadId=8",
        "SourceProcessorIndex=1",
        "TargetProcessorIndex=2",
        "Priority=9",
        "IdealProcessorAdjust=true",
        "OldIdealProcessorIndex=3",
    ];
    assert_eq!(fields(THREAD, 61, 2, payload), wanted);
    assert_eq!(fields(REGISTRY, 35, 2, Payload::new().u32(1)), ["CurrentControlSet=1"]);
    let payload = Payload::new().u32(0x51).u8(1).u8(0);
    assert_eq!(fields(PERF, 114, 2, payload), ["CallCode=0x51", "IsFast=true", "IsNested=false"]);
    let payload = || Payload::new().u32(1).u32(2).u32(3);
    assert_eq!(fields(PERF, 75, 2, payload()).len(), 3);
    assert_eq!(fields(PERF, 75, 3, payload().u32(4))[3], "SpinLockHoldThreshold=4");
}
