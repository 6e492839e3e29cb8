//! Names of values that manifests and MOF classes state.
#![expect(clippy::unwrap_used, reason = "a test")]

use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::Trace;
use etwkit_registered::Registered;
use etwkit_synth::{ClassicEvent, Event, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};

const AUTHENTICATION: Guid = Guid::new(0xc33b_be8f_985b_4080_81e6_005f_1a06_b9e2);
const SECURITY: Guid = Guid::new(0x2934_7ffb_ba48_41e6_bffd_469c_5e54_3ca5);
const CACHE: Guid = Guid::new(0xac1d_69f1_bf33_4ca0_9313_bca1_3873_e1dc);
const JSCRIPT: Guid = Guid::new(0x5727_7741_3638_4a4b_bdba_0ac6_e45d_a56c);

/// Returns the fields of the last event of a trace.
fn fields(event: impl Into<Event>) -> Vec<String> {
    let bytes = TraceBuilder::new(LogfileHeader::default()).log(0, event).build().bytes;
    let trace = Trace::open(Input::bytes("made", bytes), Parsers::none().with(Registered::new())).unwrap();
    let (mut events, mut found) = (trace.events(), Vec::new());
    while let Some(event) = events.next().unwrap() {
        found = event.fields().map(|view| format!("{}={view}", view.name())).collect();
    }
    found
}

fn classic(class: Guid, opcode: u8, payload: Payload) -> Vec<String> {
    let event = ClassicEvent::new(PointerSize::Eight, class, opcode).version(1).payload(payload);
    fields(event.at(LogfileHeader::default().t0 + 1_000))
}

#[test]
fn classes_of_iis_have_the_formats_and_names_of_their_mof() {
    let context = || Payload::new().bytes(&[0; 16]);
    let succeeded = classic(AUTHENTICATION, 11, context().u32(2).u32(1).utf16z("a").utf16z("b").u32(2));
    let wanted = ["AuthType=Basic", "NTLMUsed=true", "RemoteUserName=a", "AuthUserName=b"];
    assert_eq!(succeeded[1..5], wanted);
    assert_eq!(succeeded[5], "TokenImpersonationLevel=ImpersonationImpersonate");
    assert_eq!(classic(SECURITY, 18, context().u32(18).u32(1))[1..], ["CurrentFlags=0x12", "NeededFlags=0x1"]);
    // Two events with the same fields.
    assert_eq!(classic(CACHE, 16, context().u32(1))[1..], ["Result=FOUND"]);
    assert_eq!(classic(CACHE, 18, context().u32(1))[1..], ["Result=UNKNOWN_ERROR"]);
}

#[test]
fn each_loop_body_of_a_script_has_its_name() {
    let range = |range: u16| {
        let start = Payload::new().u64(1).u64(2).u64(3).u32(4).u16(5).u16(range);
        let event = ModernEvent::new(JSCRIPT).id(9).task(1).opcode(10).payload(start.u64(6).u32(7).u32(8).utf16z("f"));
        fields(event.at(LogfileHeader::default().t0 + 1_000))[5].clone()
    };
    let named = (3..=10).map(range).collect::<Vec<_>>();
    assert_eq!(named, vec!["MethodAddressRangeID=JITLoopBody"; 8]);
    assert_eq!(range(11), "MethodAddressRangeID=11");
}
