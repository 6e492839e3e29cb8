//! Two windows of time that cover a trace have what the whole has: each operation is in one of them, with its end.

use std::fmt::Debug;

use etwkit::FileTime;
use etwkit::trace::{Filter, Glob, RunOptions, TimeRange, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_io_analyses::{
    DiskByFile, DiskEach, DnsEach, FileByFile, FileEach, MemoryByProcess, MemoryRow, NetworkByPeer, NetworkEach,
    RegistryEach,
};

use super::{PID, disk, dns, file, is_near, memory};

fn of<A: Analysis<Row: Debug>>(trace: &Trace, filter: Filter) -> Vec<A::Row> {
    rows::<A>(trace, &RunOptions::default().threads(1).filter(filter)).unwrap()
}

/// The rows of the windows until before a time, and since it.
fn halves<A: Analysis<Row: Debug>>(trace: &Trace, cut: FileTime) -> [Vec<A::Row>; 2] {
    let windows = [TimeRange::default().until(FileTime(cut.0 - 1)), TimeRange::default().since(cut)];
    windows.map(|time| of::<A>(trace, Filter::default().time(time)))
}

/// Compares the rows as texts, without regard to their order. Returns the greatest difference of what the halves have.
fn check<A: Analysis<Row: Debug>>(trace: &Trace) -> usize {
    let sorted = |rows: Vec<A::Row>| {
        let mut texts: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
        texts.sort_unstable();
        texts
    };
    let whole = sorted(of::<A>(trace, Filter::default()));
    let (first, last) = trace.first_and_last().unwrap();
    let count = 60;
    let cut = |part: i64| FileTime(first.0 + (last.0 - first.0) * part / count);
    let mut most = 0;
    for cut in (1..count).map(cut) {
        let [before, after] = halves::<A>(trace, cut);
        most = most.max(before.len().min(after.len()));
        assert_eq!(sorted(before.into_iter().chain(after).collect()), whole, "{cut:?}");
    }
    most
}

#[test]
fn operations_are_in_one_window() {
    assert!(check::<FileEach>(&file::made().trace()) > 3);
    assert!(check::<DnsEach>(&dns::made().trace()) > 1);
    assert!(check::<DiskEach>(&disk::made().trace()) > 1);
}

#[test]
fn operations_of_real_traces_are_in_one_window() {
    let open = |file: &str| Some(Trace::open(etwkit_corpus::path(file)?, etwkit_parsers::standard()).unwrap());
    let Some((perfview, network)) = open("perfview/net.4.5.2.x64.etl").zip(open("tx/KernelNetwork.etl")) else {
        return;
    };
    assert!(check::<DiskEach>(&perfview) > 100);
    assert!(check::<NetworkEach>(&network) > 5);
    let (first, last) = perfview.first_and_last().unwrap();
    let cut = FileTime(first.0.midpoint(last.0));
    let sums = |rows: &[etwkit_io_analyses::FileRow]| {
        rows.iter().map(|row| (row.operations, row.read_bytes)).fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1))
    };
    let [before, after] = halves::<FileByFile>(&perfview, cut).map(|rows| sums(&rows));
    let whole = sums(&of::<FileByFile>(&perfview, Filter::default()));
    assert_eq!((before.0 + after.0, before.1 + after.1), whole);
}

#[test]
fn a_process_has_its_rows() {
    let open = |file: &str| Some(Trace::open(etwkit_corpus::path(file)?, etwkit_parsers::standard()).unwrap());
    let Some((perfview, network)) = open("perfview/net.4.5.2.x64.etl").zip(open("tx/KernelNetwork.etl")) else {
        return;
    };
    let peers = |filter| of::<NetworkByPeer>(&network, filter);
    for pid in peers(Filter::default()).iter().filter_map(|row| row.pid) {
        let all: Vec<_> = peers(Filter::default()).into_iter().filter(|row| row.pid == Some(pid)).collect();
        assert_eq!(peers(Filter::default().pids([pid])), all);
    }
    let all = of::<DiskByFile>(&perfview, Filter::default());
    for pid in [4, 1632, 3676] {
        let own: Vec<_> = all.iter().filter(|row| row.pid == Some(pid)).cloned().collect();
        assert!(!own.is_empty());
        assert_eq!(of::<DiskByFile>(&perfview, Filter::default().pids([pid])), own);
    }
    let named = |name| of::<DiskByFile>(&perfview, Filter::default().processes([Glob::new(name)]));
    assert_eq!(named("*").len(), all.iter().filter(|row| row.process.is_some()).count());
}

#[test]
fn a_process_has_the_transfers_that_it_asked_for() {
    let trace = disk::made().trace();
    let all = of::<DiskByFile>(&trace, Filter::default());
    let own = of::<DiskByFile>(&trace, Filter::default().pids([PID]));
    assert_eq!(own, all.into_iter().filter(|row| row.pid == Some(PID)).collect::<Vec<_>>());
    // The disk was busy with the read until 300 us, whatever window the read is in: only the write began after 105 us.
    let start = trace.start().unwrap();
    let [_, after] = halves::<DiskEach>(&trace, FileTime(start.0 + 1_050));
    let write = after.iter().find(|row| row.operation == "write").unwrap();
    assert!(is_near(write.service_ms.unwrap(), 0.15), "{write:?}");
    assert!(of::<RegistryEach>(&trace, Filter::default()).is_empty());
}

/// What the rows of a process add up to: counts, bytes, and what is not freed at the end of the trace.
fn sums(rows: &[MemoryRow], pid: u32) -> [i64; 10] {
    let own = rows.iter().filter(|row| row.pid == Some(pid));
    let numbers = own.map(|row| {
        let net = [row.net_reserved_bytes, row.net_committed_bytes].map(|net| net.unwrap_or(0));
        let ranges = [row.allocs, row.frees, row.reserved_bytes, row.committed_bytes].map(u64::cast_signed);
        let heap = [row.heap_allocs, row.heap_bytes, row.heap_frees, row.heap_net_bytes.unwrap_or(0)];
        let all = [&ranges[..], &net, &heap.map(u64::cast_signed)].concat();
        <[i64; 10]>::try_from(all).unwrap()
    });
    numbers.fold([0; 10], |sum, row| std::array::from_fn(|place| sum[place] + row[place]))
}

#[test]
fn memory_is_in_the_window_of_its_allocation() {
    let trace = memory::made().trace();
    let start = trace.start().unwrap().0;
    let whole = of::<MemoryByProcess>(&trace, Filter::default());
    for us in [5, 15, 105, 115, 125, 135, 145, 155, 165, 175, 201, 202, 203, 204, 205, 250] {
        let [before, after] = halves::<MemoryByProcess>(&trace, FileTime(start + 10 * us));
        for pid in [PID, 4] {
            let both = std::array::from_fn(|place| sums(&before, pid)[place] + sums(&after, pid)[place]);
            assert_eq!(sums(&whole, pid), both, "{pid} at {us} us");
        }
    }
    let [before, after] = halves::<MemoryByProcess>(&trace, FileTime(start + 1_150));
    let peak_and_net = |rows: &[MemoryRow]| {
        let row = rows.iter().find(|row| row.pid == Some(PID)).unwrap();
        (row.peak_committed_bytes.map(|bytes| bytes / 4096), row.net_committed_bytes.map(|bytes| bytes / 4096))
    };
    // Of the rundown 2 pages, and 8; then 4 that are new, of which 2 pages of the first 8 are gone, and 3.
    assert_eq!((peak_and_net(&before), peak_and_net(&after)), ((Some(10), Some(0)), (Some(7), Some(3))));
}
