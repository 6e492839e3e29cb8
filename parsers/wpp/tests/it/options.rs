//! Messages with every combination of header options.

use etwkit::decode::Fit;
use etwkit_synth::event::option;
use etwkit_synth::{Guid, MessageEvent, Payload, PointerSize};

use crate::common::{GUID, Run, symbols};

const TEXT: &str = "#typev made_c7 10 \"%0%7!d! %3!04X! %8!d! %9!d! %10!p! %11!s!\" // LEVEL=L FLAGS=F FUNC=f\n{\np, ItemPtr -- 10\ns, ItemString -- 11\n}\n";

fn event(options: u16) -> MessageEvent {
    let size = if options & option::POINTER32 != 0 { PointerSize::Four } else { PointerSize::Eight };
    let payload = Payload::new().ptr(size, 0xABCD).ansi_z("end");
    let event = MessageEvent::new(Guid::new(GUID), 10).options(options).sequence(77).component(5);
    event.at(722_450_000_000 + i64::from(options)).by(400, 404).payload(payload)
}

#[test]
fn every_combination_of_options() {
    let mut decoded = 0;
    for options in 0..256_u16 {
        let run = Run::of([event(options)], symbols(TEXT));
        let [message] = &run.messages()[..] else { panic!("one message") };
        let has = |flag| options & flag != 0;
        if has(option::COMPONENT_ID) || !has(option::GUID) {
            assert_eq!(message.text, None, "{options:#x}");
            let json = run.json().into_iter().find(|event| event["kind"] == "wpp").unwrap();
            assert!(json["payload"].as_str().unwrap().ends_with("656e6400"), "{json}");
            assert_eq!(json["component"].as_u64(), has(option::COMPONENT_ID).then_some(5));
            continue;
        }
        let (tid, pid) = if has(option::SYSTEM_INFO) { ("0194", "400") } else { ("0000", "0") };
        let sequence = if has(option::SEQUENCE) { 77 } else { 0 };
        let pointer = if has(option::POINTER32) { "0000ABCD" } else { "000000000000ABCD" };
        let expected = format!("{sequence} {tid} {pid} 3 {pointer} end");
        assert_eq!((message.text.as_deref(), message.fit), (Some(&*expected), Fit::Exact), "{options:#x}");
        decoded += 1;
    }
    assert_eq!(decoded, 64);
}
