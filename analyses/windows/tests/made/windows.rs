//! Two windows of time that cover a trace have what the whole has: what several events make is in the window of the
//! event that begins it.

use std::path::PathBuf;

use etwkit_analysis::Run;
use etwkit_http_requests::{limits, requests};

use super::*;

/// The rows of the windows until before a time, and since it.
fn halves<A: Analysis>(trace: &Trace, cut: FileTime) -> [Vec<A::Row>; 2] {
    let windows = [TimeRange::default().until(FileTime(cut.0 - 1)), TimeRange::default().since(cut)];
    windows.map(|time| rows::<A>(trace, &RunOptions::default().filter(Filter::default().time(time))).unwrap())
}

fn present(at: i64) -> ModernEvent {
    let payload = Payload::new().u32(1).u64(2).u32(0).u32(1).u32(0).u32(0).u64(3).u64(4);
    event(DXGKRNL, (184, 1), at, 8, payload)
}

#[test]
fn intervals_are_in_the_window_of_their_first_frame() {
    let trace = trace([100, 10_100, 30_100, 100_100].map(present));
    let start = trace.start().unwrap();
    let of = |rows: &[etwkit_windows_analyses::PresentRow]| {
        rows.iter().map(|row| (row.presents, row.interval_ms_max)).collect::<Vec<_>>()
    };
    assert_eq!(of(&found::<PresentByProcess>(&trace)), [(4, Some(70.0))]);
    // The interval from the second frame to the third one is in the first window, that of the third one in the second.
    let [before, after] = halves::<PresentByProcess>(&trace, FileTime(start.0 + 200_000));
    assert_eq!((of(&before), of(&after)), (vec![(2, Some(20.0))], vec![(2, Some(70.0))]));
    assert_eq!((before[0].interval_ms_p50, before[0].fps), (Some(10.0), Some(100.0)));
    let [before, after] = halves::<PresentByProcess>(&trace, FileTime(start.0 + 900_000));
    assert_eq!((of(&before), of(&after)), (vec![(3, Some(70.0))], vec![(1, None)]));
    let [before, _] = halves::<PresentByProcess>(&trace, FileTime(start.0 + 500));
    assert!(before.is_empty());
}

#[test]
fn frequencies_and_parking_are_in_the_window_of_their_begin() {
    let speed = |at: i64, mhz: u32| event(PROCESSOR_POWER, (10, 0), at, 8, Payload::new().u32(0).u32(mhz).u16(0).u8(0));
    let parked = |id: u16, at: i64| event(PROCESSOR_POWER, (id, 0), at, 8, Payload::new().u64(0).u16(0).u8(0));
    let trace =
        trace([speed(1_000, 1_000), parked(14, 2_000), speed(4_000, 3_000), parked(15, 7_000), speed(8_000, 2_000)]);
    let start = trace.start().unwrap();
    let of = |rows: &[etwkit_windows_analyses::PowerRow]| {
        let numbers = |row: &etwkit_windows_analyses::PowerRow| (row.changes, row.mhz_mean, row.parks, row.parked_ms);
        rows.iter().map(numbers).collect::<Vec<_>>()
    };
    // 1000 MHz for 3 ms, 3000 MHz for 4 ms.
    assert_eq!(of(&found::<ProcessorPower>(&trace)), [(3, Some(15_000.0 / 7.0), 1, 5.0)]);
    let [before, after] = halves::<ProcessorPower>(&trace, FileTime(start.0 + 50_000));
    assert_eq!((of(&before), of(&after)), (vec![(2, Some(15_000.0 / 7.0), 1, 5.0)], vec![(1, Some(2_000.0), 0, 0.0)]));
    let [before, after] = halves::<ProcessorPower>(&trace, FileTime(start.0 + 30_000));
    assert_eq!((of(&before), of(&after)), (vec![(1, Some(1_000.0), 1, 5.0)], vec![(2, Some(3_000.0), 0, 0.0)]));
}

#[test]
fn processors_beyond_the_limit_are_counted() {
    let change = |processor: u32| {
        let payload = Payload::new().u32(0).u32(1_000).u16((processor >> 8) as u16).u8(processor as u8);
        event(PROCESSOR_POWER, (10, 0), 1, 8, payload)
    };
    for (processors, excess) in [(2, 0), ((1 << 16) + 3, 3)] {
        let trace = trace((0..processors).map(change));
        let mut run = Run::<ProcessorPower>::new(&trace).unwrap();
        trace.run(&RunOptions::default(), &mut run).unwrap();
        let (rows, counted) = run.finish_counted();
        assert_eq!((rows.len() as u64, counted), (u64::from(processors) - excess, excess));
    }
}

/// Requests, errors, and milliseconds.
fn sum(rows: &[etwkit_windows_analyses::HttpRow]) -> (u64, u64, f64) {
    let errors = rows.iter().map(|row| row.client_errors + row.server_errors).sum();
    let elapsed = rows.iter().map(|row| row.elapsed_ms_sum.unwrap()).sum();
    (rows.iter().map(|row| row.requests).sum(), errors, elapsed)
}

#[test]
fn requests_are_in_the_window_of_their_first_event() {
    for (file, at_least) in [("http-sys.etl", 2), ("iisnode.etl", 1)] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(file);
        let trace = Trace::open(path, etwkit_parsers::standard()).unwrap();
        let whole = sum(&found::<HttpByUrl>(&trace));
        let all = requests(&trace, &RunOptions::default()).unwrap().rows;
        assert!(whole.0 >= at_least && whole.0 == all.len() as u64, "{file}: {whole:?}");
        for request in &all {
            // Before, within and after each request.
            for cut in [request.first, FileTime(request.first.0 + 1), request.last, FileTime(request.last.0 + 1)] {
                let [before, after] = halves::<HttpByUrl>(&trace, cut).map(|rows| sum(&rows));
                assert_eq!((before.0 + after.0, before.1 + after.1), (whole.0, whole.1), "{file} at {cut:?}");
                assert!(is_near(before.2 + after.2, whole.2), "{file} at {cut:?}");
                let begun = all.iter().filter(|request| request.first < cut).count();
                assert_eq!(before.0, begun as u64, "{file} at {cut:?}");
            }
        }
        let none = Filter::default().pids([0xffff_fff0]);
        assert!(rows::<HttpByUrl>(&trace, &RunOptions::default().filter(none)).unwrap().is_empty());
    }
}

#[test]
fn requests_beyond_the_limit_are_counted() {
    const SERVER: Guid = Guid::new(0xdd5e_f90a_6398_47a4_ad34_4dce_cdef_795f);
    let begun = |number: u128| {
        let of_request = event(SERVER, (1, 0), 1, 8, Payload::new()).task(1);
        of_request.activity(Guid::new(number << 96 | 0xfb00_0000))
    };
    let most = limits::MAX_REQUESTS as u128;
    for (requests, excess) in [(2, 0), (most + 3, 3)] {
        let trace = trace((1..=requests).map(begun));
        let mut run = Run::<HttpByUrl>::new(&trace).unwrap();
        trace.run(&RunOptions::default(), &mut run).unwrap();
        let (rows, counted) = run.finish_counted();
        assert_eq!((sum(&rows).0, counted), ((requests as u64) - excess, excess));
    }
}
