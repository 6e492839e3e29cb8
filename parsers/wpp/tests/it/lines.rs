//! Lines as tracefmt prints them.

use etwkit_synth::event::option;
use etwkit_synth::{Guid, MessageEvent, Payload};

use crate::common::{GUID, Run, symbols};

const TEXT: &str = "#typev made_c17 10 \"%0 [%!FUNC!] 100%% of %10!s!\\n\" // LEVEL=TRACE_LEVEL_ERROR FLAGS=MAIN FUNC=f\n{\ns, ItemString -- 10\n}\n";

fn run() -> Run {
    let event = |time: i64, text: &str| {
        let event = MessageEvent::new(Guid::new(GUID), 10).options(option::USUAL | option::SEQUENCE).sequence(9);
        event.at(722_450_000_000 + time * 10_000).by(0x11F0, 0x1A3C).payload(Payload::new().ansi_z(text))
    };
    let unknown =
        MessageEvent::new(Guid::new(GUID), 99).at(722_450_050_000).by(1, 2).payload(Payload::new().u16(0xABCD));
    Run::of([event(1, "one"), event(2, "two\u{1b}[2J"), unknown], symbols(TEXT))
}

#[test]
fn the_usual_prefix() {
    let lines = run().lines(None);
    let expected = [
        "[3]11F0.1A3C::01/02/2026-03:04:05.679 [made] [f] 100% of one",
        "[3]11F0.1A3C::01/02/2026-03:04:05.680 [made] [f] 100% of two\\u{1b}[2J",
        "[3]0001.0002::01/02/2026-03:04:05.683 [Unknown]Unknown( 99): GUID=2363c985-9b6e-3283-34a7-e8c27a60b889 (no format information found) arguments=cdab",
    ];
    let without_time = |line: &str| {
        let (ids, rest) = line.split_once("::").unwrap();
        format!("{ids}{}", rest.split_at(rest.find(' ').unwrap()).1)
    };
    let found: Vec<_> = lines.lines().map(without_time).collect();
    assert_eq!(found, expected.map(without_time));
    let time = lines.split("::").nth(1).unwrap().split(' ').next().unwrap();
    let shape: String = time.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
    assert_eq!(shape, "99/99/9999-99:99:99.999");
}

#[test]
fn a_prefix_of_ones_own() {
    let lines = run().lines(Some("%!LEVEL!|%!FLAGS!|%2!s!|%!FILE!:%!LINE!|%7!03d!|%8!d!|"));
    assert_eq!(lines.lines().next(), Some("TRACE_LEVEL_ERROR|MAIN|made_c17|made.c:17|009|4592| [f] 100% of one"));
}
