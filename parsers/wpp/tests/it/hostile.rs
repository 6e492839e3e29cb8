//! Input that nobody means well with: nothing panics, nothing grows without bound.

use etwkit_synth::{Guid, MessageEvent};
use etwkit_wpp::Symbols;

use crate::common::{GUID, Run, with_group};
use crate::random::{Random, rounds};

pub(crate) const TEXT: &str = "#enumv E\n{\na,0x1\n}\n#typev made_c1 10 \"%0n=%10!08.3d! %11!s! %12!-20.5s! %13!s! %99!s! %!FUNC! %4!s!\" // LEVEL=L FUNC=f\n{\nn, ItemLong -- 10\ns, ItemPWString -- 11\nt, ItemSetLong(a,b,c) -- 12\nu, ItemFlagsEnum(E) -- 13\nv, ItemSid -- 14\nw, ItemDouble -- 15\n}\n";

#[test]
fn damaged_texts_and_payloads() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..rounds() {
        let mut text = with_group(TEXT).into_bytes();
        random.damage(&mut text);
        let mut symbols = Symbols::default();
        symbols.add_text(&String::from_utf8_lossy(&text));
        let events = (0..4).map(|_| {
            let len = random.next(60);
            let payload: Vec<u8> = (0..len).map(|_| u8::try_from(random.next(256)).unwrap()).collect();
            MessageEvent::new(Guid::new(GUID), 10).payload(payload)
        });
        let run = Run::of(events.collect::<Vec<_>>(), symbols);
        assert_eq!(run.messages().len(), 4);
        run.json();
    }
}

#[test]
fn texts_that_ask_for_much() {
    let wide = with_group("#typev a_c1 10 \"%0%10!99999999d!%10!.99999999s!%1!-9999999s!\"\n{\nn, ItemLong -- 10\n}\n");
    let long = format!("#typev a_c1 10 \"{}\"\n{{\n}}\n", "x".repeat(70_000));
    let many = (10..9000).map(|n| format!("n, ItemLong -- {n}\n")).collect::<Vec<_>>().concat();
    for text in [wide, with_group(&long), with_group(&format!("#typev a_c1 10 \"%0\"\n{{\n{many}}}\n"))] {
        let mut symbols = Symbols::default();
        symbols.add_text(&text);
        let run = Run::of([MessageEvent::new(Guid::new(GUID), 10).payload(vec![1, 0, 0, 0])], symbols);
        assert!(run.messages()[0].text.as_ref().is_none_or(|text| text.len() < 2000));
    }
}

#[test]
fn an_enumeration_that_all_arguments_name_is_read_once() {
    let values = (0..60_000).map(|value| format!("a{value},{value}\n")).collect::<Vec<_>>().concat();
    let many = (10..4000).map(|n| format!("n, ItemEnum(E) -- {n}\n")).collect::<Vec<_>>().concat();
    let text = format!("#enumv E\n{{\n{values}}}\n#typev a_c1 10 \"%0%10!s!\"\n{{\n{many}}}\n");
    let mut symbols = Symbols::default();
    symbols.add_text(&with_group(&text));
    let schema = symbols.schema(etwkit::bytes::Guid::from_u128(GUID), 10).unwrap().unwrap();
    assert_eq!((schema.fields().len(), schema.maps().len()), (3990, 1));
}

#[test]
fn a_long_value_cannot_be_shown_many_times() {
    let format = "%10!s!".repeat(9_000);
    let text = with_group(&format!("#typev a_c1 10 \"{format}\"\n{{\ns, ItemString -- 10\n}}\n"));
    let mut symbols = Symbols::default();
    symbols.add_text(&text);
    let run = Run::of([MessageEvent::new(Guid::new(GUID), 10).payload(vec![b'x'; 50_000])], symbols);
    let text = run.messages().remove(0).text.unwrap();
    assert!(text.len() < etwkit::limits::MAX_MESSAGE + 50_000 + 9_000 * 3 && text.ends_with("%10%10"));
}
