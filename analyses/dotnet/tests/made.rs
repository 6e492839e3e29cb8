//! Analyses of traces that are made here: events that no trace of the corpus has. Times are written by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

mod common;

use etwkit_analysis::{Row, Value};
use etwkit_dotnet_analyses::{
    AspNetByProcess, AspNetEach, ContentionByThread, ContentionEach, ExceptionsByType, ExceptionsEach, LoaderByProcess,
    LoaderEach, TasksByScheduler, TasksEach, ThreadPoolByProcess, ThreadPoolEach, ThreadPoolRow,
};
use etwkit_synth::{ClassicEvent, Event, Guid, LogfileHeader, Payload, PointerSize};

use common::{found, is_near, modern, only, runtime, trace};

const TPL: Guid = Guid::new(0x2e5d_ba47_a3d2_4d16_8ee0_6671_ffdc_d7b5);
const ASP_NET_REQUEST: Guid = Guid::new(0x06a0_1367_79d3_4594_8eb3_c721_603c_4679);

#[test]
fn waits_for_locks_are_from_start_to_stop_or_as_stated() {
    let start = |ms, tid| runtime(ms, tid, (81, 1), Payload::new().u8(0).u16(7));
    let with_lock = runtime(30, 2, (81, 2), Payload::new().u8(0).u16(7).u64(0xabc0).u64(0).u64(9));
    let stated = |ms, tid, ns| runtime(ms, tid, (91, 1), Payload::new().u8(0).u16(7).f64(ns));
    let stop = |ms, tid| runtime(ms, tid, (91, 0), Payload::new().u8(0).u16(7));
    let trace = trace(vec![
        start(0, 1),
        start(5, 2),
        stop(10, 1),
        stop(25, 2),
        with_lock,
        stated(40, 2, 9_500_000.0),
        // Its start is not in the trace, but the event states how long it was.
        stated(50, 3, 1_000_000.0),
        stop(51, 4),
        start(60, 1),
    ]);
    let rows = found::<ContentionByThread>(&trace);
    let of = |tid| rows.iter().find(|row| row.tid == tid).map(|row| (row.waits, row.incomplete, row.wait_ms_sum));
    assert_eq!(
        [of(1), of(2), of(3), of(4)],
        [Some((2, 1, Some(10.0))), Some((2, 0, Some(29.5))), Some((1, 0, Some(1.0))), Some((1, 1, None))]
    );
    let each = found::<ContentionEach>(&trace);
    assert_eq!(each.len(), 6);
    let locked = each.iter().find(|row| row.lock.is_some()).unwrap();
    assert_eq!((locked.lock.as_deref(), locked.holder, locked.kind), (Some("0xabc0"), Some(9), "managed"));
}

#[test]
fn exceptions_are_counted_by_type_and_message() {
    let thrown = |ms, message: &str, flags| {
        let payload = Payload::new().utf16z("App.Wrong").utf16z(message).u64(0).u32(0x8013_1500).u16(flags).u16(7);
        runtime(ms, 1, (80, 1), payload)
    };
    let trace = trace(vec![thrown(0, "a", 0x10), thrown(1, "b", 0), thrown(2, "a", 0x14)]);
    let rows = found::<ExceptionsByType>(&trace);
    let numbers: Vec<_> = rows.iter().map(|row| (&*row.message, row.count, row.rethrown)).collect();
    assert_eq!(numbers, [("a", 2, 1), ("b", 1, 0)]);
    let each = found::<ExceptionsEach>(&trace);
    assert_eq!(each.iter().map(|row| row.rethrown).collect::<Vec<_>>(), [false, false, true]);
    assert!(each.iter().all(|row| row.hresult.as_deref() == Some("0x80131500")));
}

#[test]
fn thread_pools_have_adjustments_and_a_queue() {
    let worker = |ms, id, active| runtime(ms, 1, (id, 0), Payload::new().u32(active).u32(0).u16(7));
    let adjusted =
        |ms, workers, reason| runtime(ms, 1, (55, 0), Payload::new().f64(120.5).u32(workers).u32(reason).u16(7));
    let item = |ms, id, item| runtime(ms, 1, (id, 0), Payload::new().u64(item).u16(7));
    let trace = trace(vec![
        worker(0, 50, 3),
        item(1, 61, 0x10),
        item(2, 61, 0x20),
        runtime(3, 1, (54, 0), Payload::new().f64(99.0).u16(7)),
        adjusted(4, 8, 6),
        item(5, 62, 0x20),
        item(9, 62, 0x10),
        adjusted(10, 5, 3),
        adjusted(11, 6, 6),
        worker(12, 51, 2),
        runtime(13, 1, (44, 1), Payload::new().u32(4).u32(0).u16(7)),
    ]);
    let row = only(found::<ThreadPoolByProcess>(&trace));
    assert_eq!((row.worker_starts, row.worker_stops, row.workers_max, row.io_max), (1, 1, Some(8), Some(4)));
    assert_eq!((row.adjustments, row.reasons), (3, vec!["ClimbingMove 1".to_owned(), "Starvation 2".to_owned()]));
    // An adjustment states more than the sample.
    assert_eq!((row.enqueued, row.dequeued, row.throughput_max), (2, 2, Some(120.5)));
    // 8 ms and 3 ms.
    assert_eq!((row.queue_ms_mean, row.queue_ms_max), (Some(5.5), Some(8.0)));
    assert_eq!(found::<ThreadPoolEach>(&trace).iter().map(|row| row.workers).collect::<Vec<_>>(), [8, 5, 6]);
}

#[test]
fn what_was_not_measured_is_absent() {
    let pool =
        only(found::<ThreadPoolByProcess>(&trace(vec![runtime(0, 1, (51, 0), Payload::new().u32(1).u32(0).u16(7))])));
    assert_eq!((pool.worker_stops, pool.workers_max, pool.io_max, pool.throughput_max), (1, None, None, None));
    let columns = ThreadPoolRow::COLUMNS.iter().map(|column| column.name);
    let absent: Vec<_> = columns.zip(pool.values()).filter(|(_, value)| *value == Value::Absent).collect();
    assert!(absent.contains(&("reasons", Value::Absent)), "{absent:?}");
    let lone = runtime(0, 1, (81, 1), Payload::new().u8(0).u16(7));
    let waits = only(found::<ContentionByThread>(&trace(vec![lone])));
    assert_eq!((waits.waits, waits.incomplete, waits.wait_ms_sum, waits.wait_ms_max), (1, 1, None, None));
    // A task that is only waited for, until after the trace.
    let wait = modern(TPL, 0, 1, (10, 0), Payload::new().i32(1).i32(0).i32(1).u32(1).i32(0));
    let trace = trace(vec![wait]);
    let tasks = only(found::<TasksByScheduler>(&trace));
    assert_eq!((tasks.tasks, tasks.waits, tasks.wait_ms_sum, tasks.wait_ms_max), (1, 1, None, None));
    assert_eq!([tasks.delay_ms_sum, tasks.delay_ms_max, tasks.run_ms_sum, tasks.run_ms_max], [None; 4]);
    assert_eq!(only(found::<TasksEach>(&trace)).wait_ms, None);
}

#[test]
fn waits_for_tasks_are_those_of_threads() {
    let task = |ms, tid, id, number| {
        let payload = Payload::new().i32(1).i32(0).i32(number);
        let payload = match id {
            7 => payload.i32(0).i32(0),
            9 => payload.bool32(number == 2),
            10 => payload.u32(1).i32(0),
            _ => payload,
        };
        modern(TPL, ms, tid, (id, 0), payload)
    };
    let trace = trace(vec![
        task(0, 1, 7, 1),
        task(1, 1, 7, 2),
        task(2, 1, 10, 1),
        task(4, 2, 8, 1),
        task(14, 2, 9, 1),
        task(15, 2, 8, 2),
        task(16, 1, 11, 1),
        task(18, 2, 9, 2),
    ]);
    let row = only(found::<TasksByScheduler>(&trace));
    assert_eq!((row.tasks, row.completed, row.exceptional, row.waits), (2, 2, 1, 1));
    assert!(is_near(row.delay_ms_sum.unwrap(), 18.0) && is_near(row.delay_ms_max.unwrap(), 14.0));
    assert!(is_near(row.run_ms_sum.unwrap(), 13.0) && is_near(row.wait_ms_sum.unwrap(), 14.0));
}

#[test]
fn assemblies_have_the_time_of_their_load() {
    let name = "App, Version=1.0.0.0";
    let five = || Payload::new().u16(7).utf16z("App").utf16z("").utf16z("").utf16z("Default").utf16z("");
    let trace = trace(vec![
        runtime(0, 1, (156, 1), Payload::new().u64(1).u32(0).utf16z("Domain").u32(1).u16(7)),
        runtime(1, 1, (290, 0), five()),
        runtime(2, 1, (154, 1), Payload::new().u64(2).u64(1).u64(0).u32(0).utf16z(name).u16(7)),
        runtime(3, 1, (152, 1), Payload::new().u64(3).u64(2).u32(0x24).u32(0).utf16z("App.dll").utf16z("").u16(7)),
        runtime(13, 1, (291, 0), five().bool32(true).utf16z(name).utf16z("App.dll").bool32(false)),
        runtime(20, 1, (153, 1), Payload::new().u64(3).u64(2).u32(0x24).u32(0).utf16z("App.dll").utf16z("").u16(7)),
        // Another module with the number of the one that was unloaded.
        runtime(30, 1, (152, 1), Payload::new().u64(3).u64(2).u32(2).u32(0).utf16z("B.dll").utf16z("B.ni.dll").u16(7)),
    ]);
    let row = only(found::<LoaderByProcess>(&trace));
    assert_eq!((row.app_domains, row.assemblies, row.modules, row.dynamic, row.precompiled), (1, 1, 2, 1, 2));
    assert_eq!(row.loading_ms_sum, Some(12.0));
    let each = found::<LoaderEach>(&trace);
    let text =
        |row: &etwkit_dotnet_analyses::LoaderEachRow| (row.path.clone(), row.precompiled, row.unloaded.is_some());
    let modules: Vec<_> = each.iter().map(text).collect();
    assert_eq!(modules, [("App.dll".to_owned(), Some("ReadyToRun"), true), ("B.dll".to_owned(), Some("NGEN"), false)]);
    assert!(each.iter().all(|row| row.app_domain.as_deref() == Some("Domain") && row.loading_ms == Some(12.0)));
}

/// An event of a request of ASP.NET.
fn asp_net(ms: i64, opcode: u8, context: u128, rest: Payload) -> Event {
    let time = LogfileHeader::default().after(ms * 10_000);
    let payload = Payload::new().u64(1).guid(Guid::new(context)).rest(rest.into_bytes());
    let class = ClassicEvent::new(PointerSize::Eight, ASP_NET_REQUEST, opcode);
    Event::from(class.payload(payload).at(time).by(40, 1))
}

/// Two pairs of events state begin and end of a handler, one within the other; their ends may be missing.
#[test]
fn the_time_in_handlers_is_that_of_the_outermost() {
    let start = || asp_net(0, 1, 1, Payload::new().ansi_z("GET").ansi_z("/a").ansi_z(""));
    let name = |opcode| if opcode == 8 { Payload::new().utf16z("H").utf16z("Execute") } else { Payload::new() };
    let handler_ms = |list: &[(i64, u8)]| {
        let handlers = list.iter().map(|(ms, opcode)| asp_net(*ms, *opcode, 1, name(*opcode)));
        only(found::<AspNetEach>(&trace([start()].into_iter().chain(handlers).collect()))).handler_ms
    };
    assert_eq!(handler_ms(&[(2, 8), (4, 18), (10, 19), (13, 9)]), Some(11.0));
    assert_eq!(handler_ms(&[(2, 18), (4, 8), (10, 9), (13, 19)]), Some(11.0));
    assert_eq!(handler_ms(&[(2, 8), (3, 9), (4, 18), (10, 19)]), Some(1.0 + 6.0));
    assert_eq!(handler_ms(&[(2, 8), (4, 8), (10, 9), (13, 9)]), Some(11.0));
    assert_eq!(handler_ms(&[(2, 8), (10, 19), (13, 9)]), Some(11.0));
    assert_eq!(handler_ms(&[(10, 19), (13, 9)]), None);
}

#[test]
fn requests_of_asp_net_have_stages() {
    let event = asp_net;
    let none = Payload::new;
    let start = |path: &str| none().ansi_z("GET").ansi_z(path).ansi_z("q=1");
    let trace = trace(vec![
        event(0, 1, 1, start("/a")),
        event(1, 3, 1, none()),
        event(2, 1, 2, start("/b")),
        event(5, 4, 1, none()),
        event(6, 8, 1, none().utf16z("System.Handler").utf16z("Execute")),
        event(16, 9, 1, none()),
        event(20, 2, 1, none()),
    ]);
    let row = only(found::<AspNetByProcess>(&trace));
    assert_eq!((row.requests, row.completed), (2, 1));
    assert_eq!((row.total_ms_sum, row.total_ms_max), (Some(20.0), Some(20.0)));
    assert_eq!((row.queue_ms_sum, row.handler_ms_sum), (Some(4.0), Some(10.0)));
    let each = found::<AspNetEach>(&trace);
    assert_eq!(
        each.iter().map(|row| (&*row.path, row.total_ms)).collect::<Vec<_>>(),
        [("/a", Some(20.0)), ("/b", None)]
    );
    assert_eq!(each.iter().filter_map(|row| row.handler.as_deref()).collect::<Vec<_>>(), ["System.Handler"]);
}
