//! Typed views that a user makes, and the dispatcher: every type of field, versions, shared ids, order, early ends.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]
#![allow(elided_lifetimes_in_paths, reason = "`on::<OrderStart>` is how users write it")]

use std::cell::{Cell, RefCell};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::ControlFlow;

use etwkit::bytes::Sid;
use etwkit::decode::{Array, FieldView};
use etwkit::format::SystemTime;
use etwkit::typed::{Dispatcher, EventId, TypedEvent, ViewInfo};
use etwkit::{Error, ErrorKind, FileTime, Filter, Guid, Input, Parsers, Trace};
use etwkit_parsers::UserSchemas;
use etwkit_synth::{ClassicEvent, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};

const SHOP: Guid = Guid::from_u128(0x6b7e_5f14_3a0c_4f6e_9d55_c0ff_ee00_0001);
const TILL: Guid = Guid::from_u128(0x6b7e_5f14_3a0c_4f6e_9d55_c0ff_ee00_0002);

/// A semicolon ends a line.
const TABLE: &str = r#"
provider "Shop" {6b7e5f14-3a0c-4f6e-9d55-c0ffee000001}
event id 1 Start version 0 task "Order" { Count u8; Name ansi; TableID u32; }
event id 1 Start version 1.. task "Order" { Count u32; Name utf16; TableId u32; Note utf16 optional; }
event id 2 task "Types" {
  Signed i32; Flag u32 as bool; Single f32; Double f64; Id guid; IdBytes bytes[16] as guid; User sid wrapped
  Data bytes counted; Made u64 as filetime; Day systemtime; From u32 as ipv4; To bytes[16] as ipv6; Port u16 as port
  Frames ptr x 3 as hex; Ids guid x counted; Items struct x 2 {; A u8; B u16; }
}
event id 3 Stop version 0 task "Order" { Count u32; Paid u8 nonzero; }
event id 3 Refund version 0 task "Order" { Count u32; Rest bytes rest; }
class Till {6b7e5f14-3a0c-4f6e-9d55-c0ffee000002}
event opcode 10 Open { Amount i64; }
"#;

etwkit::typed_events! {
    /// An order.
    pub struct OrderStart = "Order/Start" [EventId::manifest(SHOP, 1)];
    {
        /// How many.
        count: u32 = "Count";
        /// What.
        name: &'a str = "Name";
        /// Where to: the spelling changed.
        table_id: u32 = "TableID" | "TableId";
        /// Wishes.
        note: &'a str = "Note";
    }
}

etwkit::typed_events! {
    /// A field of every type.
    pub struct Types = "Types" [EventId::manifest(SHOP, 2)];
    {
        /// Of the type that its name states, like the others.
        signed: i32 = "Signed";
        /// A field of another type.
        not_text: &'a str = "Signed";
        /// A number that does not fit.
        too_small: u8 = "Signed";
        /// Boolean.
        flag: bool = "Flag";
        /// Single.
        single: f32 = "Single";
        /// Double.
        double: f64 = "Double";
        /// GUID.
        id: Guid = "Id";
        /// Bytes that are a GUID.
        id_bytes: Guid = "IdBytes";
        /// SID.
        user: Sid<'a> = "User";
        /// Bytes.
        data: &'a [u8] = "Data";
        /// FILETIME.
        made: FileTime = "Made";
        /// `SYSTEMTIME`.
        day: SystemTime = "Day";
        /// Address.
        from: Ipv4Addr = "From";
        /// Address.
        to: Ipv6Addr = "To";
        /// Port.
        port: u16 = "Port";
        /// Pointers.
        frames: Array<'a, u64> = "Frames";
        /// Elements that may not fit.
        narrow: Array<'a, u32> = "Frames";
        /// GUIDs.
        ids: Array<'a, Guid> = "Ids";
        /// Structs.
        items: FieldView<'a> = "Items";
    }
}

etwkit::typed_events! {
    /// The end of an order.
    pub struct OrderStop = "Order/Stop" [EventId::manifest(SHOP, 3).by_name()];
    /// Another event of the same id.
    pub struct OrderRefund = "Order/Refund" [EventId::manifest(SHOP, 3).by_name()];
    {
        /// How many.
        count: u32 = "Count";
    }
}

etwkit::typed_events! {
    /// The till opens.
    pub struct TillOpen = "Till/Open" [EventId::classic(TILL, 10)];
    {
        /// How much is in it.
        amount: i64 = "Amount";
    }
}

fn guid(guid: Guid) -> etwkit_synth::Guid {
    etwkit_synth::Guid::new(u128::from_str_radix(&guid.to_string().replace('-', ""), 16).unwrap())
}

fn shop(id: u16, version: u8, payload: Payload) -> ModernEvent {
    ModernEvent::new(guid(SHOP)).size(PointerSize::Four).id(id).version(version).payload(payload)
}

/// Returns a trace of these events, 10 ticks apart.
fn trace(events: Vec<etwkit_synth::Event>) -> Trace {
    let builder =
        events.into_iter().fold(TraceBuilder::new(LogfileHeader::default()), |trace, event| trace.log(0, event));
    let parsers = Parsers::none().with(UserSchemas::parse(&TABLE.replace(';', "\n")).unwrap());
    Trace::open(Input::bytes("memory", builder.build().bytes), parsers).unwrap()
}

fn at(number: i64) -> i64 {
    LogfileHeader::default().after(number)
}

/// Two orders, a stop, a refund, the till, and an event that no table knows.
fn shopping() -> Trace {
    trace(vec![
        shop(1, 0, Payload::new().u8(2).ansi_z("tea").u32(7)).at(at(50)).into(),
        shop(3, 0, Payload::new().u32(2).u8(1)).at(at(40)).into(),
        shop(9, 0, Payload::new().u32(2)).at(at(30)).into(),
        shop(3, 0, Payload::new().u32(3).u8(0)).at(at(20)).into(),
        ClassicEvent::new(PointerSize::Eight, guid(TILL), 10).at(at(15)).payload(Payload::new().i64(-3)).into(),
        shop(1, 4, Payload::new().u32(1).utf16z("café").u32(8)).at(at(10)).into(),
    ])
}

#[test]
fn a_view_reads_every_version() {
    let trace = shopping();
    let mut events = trace.events();
    let mut orders = Vec::new();
    while let Some(event) = events.next().unwrap() {
        if let Some(order) = OrderStart::from_event(&event) {
            assert_eq!(order.event().raw().id(), 1);
            assert!(TillOpen::from_event(&event).is_none() && OrderStop::from_event(&event).is_none());
            orders.push(format!("{order:?}"));
        }
    }
    assert_eq!(
        orders,
        [
            r#"OrderStart { count: Some(1), name: Some("café"), table_id: Some(8), note: None }"#,
            r#"OrderStart { count: Some(2), name: Some("tea"), table_id: Some(7), note: None }"#
        ]
    );
}

#[test]
fn a_view_has_fields_of_every_type() {
    let id = etwkit_synth::Guid::new(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10);
    let numbers = Payload::new().i32(-5).bool32(true).bytes(&0.5_f32.to_le_bytes()).bytes(&(-2.5_f64).to_le_bytes());
    let ids = numbers.guid(id).guid(id).mof_sid(PointerSize::Four, 5, &[18]).counted(b"data").filetime(1234);
    let times = ids.zeros(16).bytes(&[10, 0, 0, 1]).bytes(&[0xAA; 16]);
    let arrays = times.port(443).u32(1).u32(2).u32(u32::MAX).u16(2).guid(id).guid(id);
    let trace = trace(vec![shop(2, 0, arrays.u8(1).u16(2).u8(3).u16(4)).at(at(1)).into()]);
    let mut events = trace.select(&Filter::default().ids([2]));
    let event = events.next().unwrap().unwrap();
    let types = Types::from_event(&event).unwrap();
    let text = "01020304-0506-0708-090a-0b0c0d0e0f10";
    assert_eq!((types.signed(), types.not_text(), types.too_small()), (Some(-5), None, None));
    assert_eq!((types.flag(), types.single(), types.double()), (Some(true), Some(0.5), Some(-2.5)));
    assert_eq!([types.id(), types.id_bytes()].map(|id| id.unwrap().to_string()), [text, text]);
    assert_eq!((types.user().unwrap().to_string(), types.data()), ("S-1-5-18".to_owned(), Some(b"data".as_slice())));
    assert_eq!((types.made(), types.day().is_some()), (Some(FileTime(1234)), true));
    assert_eq!((types.from(), types.port()), (Some(Ipv4Addr::new(10, 0, 0, 1)), Some(443)));
    assert_eq!(types.to(), Some(Ipv6Addr::from([0xAA; 16])));
    let frames = types.frames().unwrap();
    assert_eq!((frames.len(), frames.collect::<Vec<_>>()), (3, vec![1, 2, u64::from(u32::MAX)]));
    assert!(types.narrow().is_none(), "a pointer need not fit into 32 bits");
    assert_eq!(types.ids().unwrap().map(|id| id.to_string()).collect::<Vec<_>>(), [text, text]);
    assert_eq!(types.items().unwrap().bytes(), [1, 2, 0, 3, 4, 0]);
}

/// A trace of one kind of event, with a reader that a test can compare with.
#[test]
fn the_dispatcher_calls_handlers_in_order_of_time() {
    let trace = shopping();
    let (log, mut opened) = (RefCell::new(Vec::new()), 0);
    Dispatcher::new()
        .on::<OrderStart>(|event, order| {
            assert_eq!(event.raw().id(), 1);
            log.borrow_mut().push(order.name().unwrap().to_owned());
        })
        .on::<OrderStop>(|_, stop| log.borrow_mut().push(format!("stop {}", stop.count().unwrap())))
        .on::<OrderRefund>(|_, refund| log.borrow_mut().push(format!("refund {}", refund.count().unwrap())))
        .on::<OrderStart>(|_, order| log.borrow_mut().push(format!("again {}", order.table_id().unwrap())))
        .on::<TillOpen>(|_, till| opened += till.amount().unwrap())
        .run(&trace)
        .unwrap();
    assert_eq!(log.into_inner(), ["café", "again 8", "refund 3", "stop 2", "tea", "again 7"]);
    assert_eq!(opened, -3);
}

#[test]
fn a_handler_can_end_the_run() {
    let (trace, calls) = (shopping(), Cell::new(0));
    let mut dispatcher = Dispatcher::new()
        .try_on::<OrderStart>(|_, _| {
            calls.set(calls.get() + 1);
            Ok(ControlFlow::Break(()))
        })
        .on::<OrderStart>(|_, _| panic!("called after the end"));
    dispatcher.run(&trace).unwrap();
    assert_eq!(calls.get(), 1);
    // Another run begins from the start.
    dispatcher.run(&trace).unwrap();
    assert_eq!(calls.get(), 2);
}

#[test]
fn an_error_of_a_handler_is_returned() {
    let mut dispatcher = Dispatcher::new().try_on::<OrderStop>(|_, _| Err(Error::schema("no such order")));
    let error = dispatcher.run(&shopping()).expect_err("the handler fails");
    assert!(matches!(error.kind(), ErrorKind::Schema(detail) if detail == "no such order"));
}

#[test]
fn traces_without_handled_events_are_not_read() {
    let trace = shopping();
    Dispatcher::new().run(&trace).unwrap();
    Dispatcher::new().on::<Types>(|_, _| panic!("there is none")).run(&trace).unwrap();
}

#[test]
fn views_can_be_handled_by_name() {
    const VIEWS: [ViewInfo; 2] = [ViewInfo::of::<OrderStart<'static>>(), ViewInfo::of::<TillOpen<'static>>()];
    assert_eq!(OrderStart::NAME, "Order/Start");
    assert_eq!(VIEWS[0].accessors[2], ("table_id", ["TableID", "TableId"].as_slice()));
    let trace = shopping();
    let mut events = trace.events();
    let mut seen = Vec::new();
    while let Some(event) = events.next().unwrap() {
        for view in &VIEWS {
            view.each(&event, &mut |accessor, value| seen.push(format!("{} {accessor} {value:?}", view.name)));
        }
    }
    assert_eq!(seen.len(), 9);
    assert!(seen.contains(&"Till/Open amount Some(-3)".to_owned()));
}
