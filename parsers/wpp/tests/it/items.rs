//! Every item type, in both pointer sizes.

use etwkit::decode::Fit;
use etwkit_synth::event::option;
use etwkit_synth::{Guid, MessageEvent, Payload, PointerSize};
use etwkit_wpp::is_known_item;

use crate::common::{GUID, Run, symbols};

/// Item, form, bytes, text; bytes and text of a pointer depend on its size.
type Case = (&'static str, &'static str, Payload, &'static str);

const P: fn() -> Payload = Payload::new;
const TIME: i64 = 132_223_104_000_000_000;

fn integers() -> Vec<Case> {
    vec![
        ("ItemChar", "c", P().u8(b'x'), "x"),
        ("ItemChar", "d", P().i8(-5), "-5"),
        ("ItemCharSign", "d", P().i8(-5), "-5"),
        ("ItemUChar", "u", P().u8(0xFF), "255"),
        ("ItemUChar", "02X", P().u8(0xA), "0A"),
        ("ItemCharShort", "d", P().u8(200), "200"),
        ("ItemShort", "d", P().i16(-300), "-300"),
        ("ItemUShort", "d", P().u16(65_000), "65000"),
        ("ItemLong", "d", P().i32(-1000), "-1000"),
        ("ItemLong", "u", P().u32(4_000_000_000), "4000000000"),
        ("ItemLong", "05d", P().i32(42), "00042"),
        ("ItemLong", "08x", P().u32(0xBEEF), "0000beef"),
        ("ItemLong", "s", P().i32(7), "7"),
        ("ItemLong", "-6d", P().i32(7), "7     "),
        ("ItemInt", "i", P().i32(-1), "-1"),
        ("ItemULong", "u", P().u32(u32::MAX), "4294967295"),
        ("ItemULong", "#x", P().u32(0xAB), "0xab"),
        ("ItemULongX", "s", P().u32(0xAB), "ab"),
        ("ItemLongLong", "I64d", P().i64(-5_000_000_000), "-5000000000"),
        ("ItemULongLong", "I64u", P().u64(u64::MAX), "18446744073709551615"),
        ("ItemLongLongX", "I64x", P().u64(0xDEAD_BEEF_CAFE), "deadbeefcafe"),
        ("ItemLongLongXX", "012I64X", P().u64(0xAB_CDEF), "000000ABCDEF"),
        ("ItemLongLongO", "I64o", P().u64(8), "10"),
        ("ItemDouble", "s", P().f64(3.140_625), "3.14062"),
        ("ItemDouble", ".2f", P().f64(2.5), "2.50"),
        ("ItemFloat", "s", P().f32(0.5), "0.5"),
    ]
}

fn texts() -> Vec<Case> {
    vec![
        ("ItemString", "s", P().ansi_z("alpha"), "alpha"),
        ("ItemString", "8s", P().ansi_z("alpha"), "   alpha"),
        ("ItemRString", "s", P().ansi_z("line\r\n"), "line"),
        ("ItemWString", "s", P().utf16z("wide"), "wide"),
        ("ItemWString", "ws", P().utf16z(""), ""),
        ("ItemRWString", "s", P().utf16z("a\nb\n"), "a\nb"),
        ("ItemPString", "s", P().ansi_counted("counted"), "counted"),
        ("ItemPWString", "wZ", P().utf16_counted("counted"), "counted"),
        ("ItemDSString", "s", P().ansi_counted("ds"), "ds"),
        ("ItemDWString", "s", P().utf16_counted("dw"), "dw"),
        ("ItemChar4", "s", P().u32(0x4142_4752), "RGBA"),
        ("ItemHexDump", "s", P().counted(&[0xDE, 0xAD, 0]), "DEAD00"),
        ("ItemHEXDump", "s", P().counted(&[]), ""),
    ]
}

fn codes() -> Vec<Case> {
    vec![
        ("ItemNTSTATUS", "s", P().u32(0xC000_0022), "0xc0000022(STATUS_ACCESS_DENIED)"),
        ("ItemNTSTATUS", "08X", P().u32(0xC000_0022), "C0000022"),
        ("ItemNTerror", "s", P().u32(0), "0x00000000(STATUS_SUCCESS)"),
        ("ItemHRESULT", "s", P().u32(0x8007_0005), "0x80070005(ERROR_ACCESS_DENIED)"),
        ("ItemWINERROR", "s", P().u32(2), "2(ERROR_FILE_NOT_FOUND)"),
        ("ItemSetupError", "s", P().u32(0xE000_020B), "3758096907(ERROR_NO_SUCH_DEVINST)"),
        ("ItemNDIS_STATUS", "s", P().u32(0xC001_0015), "0xc0010015(NDIS_STATUS_INVALID_DATA)"),
        ("ItemNDIS_OID", "s", P().u32(0x0001_0101), "0x00010101(OID_GEN_SUPPORTED_LIST)"),
        ("ItemListByte(Low,APC,DPC)", "s", P().u8(2), "0x00000002(DPC)"),
        ("ItemListShort(a,b=5,c)", "s", P().u16(6), "0x00000006(c)"),
        ("ItemListLong(false,true)", "s", P().u32(1), "0x00000001(true)"),
        ("ItemListLong(false,true)", "d", P().u32(1), "1"),
        ("ItemSetByte(1,2,3)", "s", P().u8(5), "[1,3]"),
        ("ItemSetShort(a,b)", "s", P().u16(0), "[]"),
        ("ItemSetLong(1,2)", "s", P().u32(9), "[1,0x8]"),
        ("ItemSetLong(a,,c)", "s", P().u32(3), "[a,0x2]"),
        ("ItemEnum(COLOUR)", "s", P().u32(1), "Green"),
        ("ItemEnum(COLOUR)", "s", P().u32(7), "0x7"),
        ("ItemEnum(COLOUR)", "d", P().u32(7), "7"),
        ("ItemEnum(COLOUR)", "-7s", P().u32(1), "Green  "),
        ("ItemEnum(NONE)", "s", P().u32(1), "0x1"),
        ("ItemFlagsEnum(FLAGS)", "s", P().u32(5), "FlagRead | FlagExec(0x5)"),
        ("ItemFlagsEnum(FLAGS)", "s", P().u32(9), "FlagRead | 0x8(0x9)"),
        ("ItemFlagsEnum(FLAGS)", "s", P().u32(8), "0x8"),
    ]
}

fn others() -> Vec<Case> {
    let guid = Guid::new(0x11223344_5566_7788_99aa_bbccddeeff00);
    let text = "11223344-5566-7788-99aa-bbccddeeff00";
    vec![
        ("ItemGuid", "s", P().guid(guid), text),
        ("ItemIID", "s", P().guid(guid), text),
        ("ItemCLSID", "s", P().guid(guid), text),
        ("ItemLIBID", "s", P().guid(guid), text),
        ("ItemSid", "s", P().sid(5, &[18]), "S-1-5-18"),
        ("ItemIPAddr", "s", P().bytes(&[127, 0, 0, 1]), "127.0.0.1"),
        ("ItemIPV6Addr", "s", P().zeros(15).u8(1), "::1"),
        ("ItemMACAddr", "s", P().bytes(&[0, 1, 0xAB, 3, 4, 5]), "00:01:ab:03:04:05"),
        ("ItemPort", "s", P().port(8080), "8080"),
        ("ItemPort", "d", P().port(8080), "8080"),
        ("ItemTimestamp", "s", P().i64(TIME), "2020-01-01 00:00:00.000Z"),
        ("ItemWaitTime", "s", P().i64(TIME), "2020-01-01 00:00:00.000Z"),
        ("ItemWaitTime", "s", P().i64(-50_000_000), "-5.000s"),
        ("ItemTimeDelta", "s", P().i64(50_000_000), "5.000s"),
    ]
}

fn pointers(size: PointerSize) -> Vec<Case> {
    let p = |value| P().ptr(size, value);
    let (text, null, small) = match size {
        PointerSize::Four => ("12345678", "00000000", "0x12345678"),
        PointerSize::Eight => ("00007FF012345678", "0000000000000000", "0x7ff012345678"),
    };
    vec![
        ("ItemPtr", "p", p(0x7FF0_1234_5678), text),
        ("ItemPtr", "s", p(0), null),
        ("ItemPtr", "#I64x", p(0x7FF0_1234_5678), small),
        ("ItemHandle", "p", p(0x7FF0_1234_5678), text),
        ("ItemSize", "Iu", p(4096), "4096"),
        ("ItemSize", "s", p(4096), "4096"),
    ]
}

const ENUMS: &str =
    "#enumv COLOUR\n{\nRed,0x0\nGreen,0x1\n}\n#enumv FLAGS\n{\nFlagRead,0x1\nFlagWrite,0x2\nFlagExec,0x4\n}\n";

fn check(size: PointerSize) {
    let cases: Vec<Case> = [integers(), texts(), codes(), others(), pointers(size)].concat();
    let mut definitions = ENUMS.to_owned();
    let mut events = Vec::new();
    let bits = if size == PointerSize::Four { option::POINTER32 } else { option::POINTER64 };
    let options = option::GUID | option::TIMESTAMP | option::SYSTEM_INFO | bits;
    for (at, (item, form, payload, _)) in cases.iter().enumerate() {
        let number = u16::try_from(at + 10).unwrap();
        // A number after it shows that the item ends where it should.
        let definition = format!(
            "#typev made_c{at} {number} \"%0<%10!{form}!> %11!x!\" // FUNC=f\n{{\nx, {item} -- 10\ny, ItemLong -- 11\n}}\n"
        );
        definitions.push_str(&definition);
        let payload = payload.clone().u32(0x5EED);
        let event = MessageEvent::new(Guid::new(GUID), number).options(options);
        events.push(event.at(722_450_000_000 + i64::from(number)).by(4, 8).payload(payload));
    }
    let messages = Run::of(events, symbols(&definitions)).messages();
    assert_eq!(messages.len(), cases.len());
    for ((item, form, _, text), message) in cases.iter().zip(&messages) {
        assert!(is_known_item(item.split('(').next().unwrap()), "{item}");
        let expected = format!("<{text}> 5eed");
        assert_eq!((message.text.as_deref(), message.fit), (Some(&*expected), Fit::Exact), "{item} {form}");
    }
}

#[test]
fn every_item_type_of_a_64_bit_writer() {
    check(PointerSize::Eight);
}

#[test]
fn every_item_type_of_a_32_bit_writer() {
    check(PointerSize::Four);
}

#[test]
fn fields_are_typed_and_named_by_their_expressions() {
    let definitions = format!(
        "{ENUMS}#typev made_c9 10 \"%0%10!u! %11!s! %12!s! %13!s! %14!x!\" // LEVEL=L FUNC=f\n{{\n(unsigned)n, ItemLong -- 10\nstatus, ItemNTSTATUS -- 11\nirql(), ItemListByte(Low,APC) -- 12\ndev->flags, ItemFlagsEnum(FLAGS) -- 13\nmask, ItemLong -- 14\n}}\n"
    );
    let payload = P().u32(4_000_000_000).u32(0xC000_0022).u8(1).u32(3).u32(0xAB);
    let run = Run::of([MessageEvent::new(Guid::new(GUID), 10).payload(payload)], symbols(&definitions));
    let json = run.json().into_iter().find(|event| event["kind"] == "wpp").unwrap();
    let expected = serde_json::json!({
        "(unsigned)n": 4_000_000_000_u32, "status": "0xc0000022", "irql()": "APC", "dev->flags": "FlagRead|FlagWrite", "mask": "0xab"
    });
    assert_eq!(json["fields"], expected);
    assert_eq!(
        (&json["provider"], &json["event"], &json["schema"]),
        (&"made".into(), &"made_c9".into(), &"symbols".into())
    );
    assert_eq!(json["details"], serde_json::json!({"level": "L", "function": "f", "source": "made.c"}));
    assert_eq!(
        json["message"],
        "4000000000 0xc0000022(STATUS_ACCESS_DENIED) 0x00000001(APC) FlagRead | FlagWrite(0x3) ab"
    );
}

#[test]
fn of_a_misfitting_definition_what_fits_is_shown() {
    let text = "#typev made_c1 10 \"%0a=%10!d! b=%11!d! c=%12!d!\"\n{\na, ItemLong -- 10\nb, ItemLong -- 11\nc, ItemLong -- 12\n}\n";
    let short = MessageEvent::new(Guid::new(GUID), 10).at(722_450_000_001).payload(P().i32(7).u16(1));
    let long = MessageEvent::new(Guid::new(GUID), 10).at(722_450_000_002).payload(P().i32(1).i32(2).i32(3).u8(0xEE));
    let run = Run::of([short, long], symbols(text));
    let messages = run.messages();
    assert_eq!((messages[0].text.as_deref(), messages[0].fit), (Some("a=7 b=%11 c=%12"), Fit::Misfit));
    assert_eq!((messages[1].text.as_deref(), messages[1].fit), (Some("a=1 b=2 c=3"), Fit::Surplus));
}
