//! Numbers of real traces that others found, too: baselines of TraceEvent, and a second program. Skipped loudly where
//! the corpus is absent.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::fmt::Debug;

use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::{Analysis, rows};
use etwkit_io_analyses::{
    DiskByFile, DiskEach, DiskOverTime, FaultsByFile, FaultsEach, FileByFile, NetworkByPeer, NetworkEach,
    NetworkOverTime, NetworkRow,
};

const PERFVIEW: &str = "perfview/net.4.5.2.x64.etl";
const NETWORK: &str = "tx/KernelNetwork.etl";

fn found<A: Analysis<Row: PartialEq + Debug>>(file: &str) -> Option<Vec<A::Row>> {
    let file = etwkit_corpus::path(file)?;
    let trace = Trace::open(file, etwkit_parsers::standard()).unwrap();
    let found = rows::<A>(&trace, &RunOptions::default().threads(1)).unwrap();
    assert_eq!(rows::<A>(&trace, &RunOptions::default().threads(2)).unwrap(), found);
    Some(found)
}

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 0.000_1
}

#[test]
fn transfers_are_those_of_the_baseline() {
    let Some(rows) = found::<DiskByFile>(PERFVIEW) else { return };
    let sum = |of: fn(&etwkit_io_analyses::DiskRow) -> u64| rows.iter().map(of).sum::<u64>();
    assert_eq!((sum(|row| row.reads), sum(|row| row.read_bytes)), (1_208, 19_564_544));
    assert_eq!((sum(|row| row.writes), sum(|row| row.write_bytes), sum(|row| row.flushes)), (21, 286_720, 2));
    let first = rows.first().unwrap();
    assert_eq!((first.pid, first.reads, first.read_bytes, &first.disks[..]), (Some(1632), 596, 9_592_832, &[0][..]));
    assert_eq!(first.file.as_deref(), Some(r"C:\Windows\Microsoft.NET\Framework64\v4.0.30319\clr.dll"));
    assert!(is_near(first.elapsed_ms_sum, 647.960_8) && is_near(first.service_ms_sum.unwrap(), 248.870_8), "{first:?}");
    assert!(is_near(rows.iter().filter_map(|row| row.service_ms_sum).sum(), 1_608.255_1));
    assert!(is_near(rows.iter().filter_map(|row| row.flush_ms_sum).sum(), 188.460_4));
}

#[test]
fn each_transfer_is_that_of_the_baseline() {
    let Some(rows) = found::<DiskEach>(PERFVIEW) else { return };
    let reads = || rows.iter().filter(|row| row.operation == "read");
    // `EVENT 1,275.943: Windows Kernel/DiskIO/Read PID=4; TID=44; [...] ElapsedTimeMSec=25.821; DiskServiceTimeMSec=25.821`
    let first = reads().next().unwrap();
    assert_eq!((first.pid, first.tid, first.offset, first.bytes), (Some(4), Some(44), Some(849_788_928), Some(16_384)));
    assert_eq!((first.elapsed_ms, first.service_ms), (Some(25.820_8), Some(25.820_8)));
    assert!(is_near(reads().filter_map(|row| row.elapsed_ms).sum(), 2_013.232_3));
}

/// One machine has the kernel's own events, the other one those of the provider.
#[test]
fn events_of_the_provider_count_beside_those_of_another_machine() {
    let (Some(classic), Some(provider)) = (etwkit_corpus::path(PERFVIEW), etwkit_corpus::path(NETWORK)) else { return };
    let rows = |files: &[&std::path::PathBuf]| {
        let trace = Trace::open_all(files.iter().map(|file| file.as_path()), etwkit_parsers::standard()).unwrap();
        rows::<NetworkByPeer>(&trace, &RunOptions::default()).unwrap()
    };
    let sums = |rows: &[NetworkRow]| {
        rows.iter().fold((0, 0), |(sent, received), row| (sent + row.sent_bytes, received + row.received_bytes))
    };
    let (one, other, both) = (rows(&[&classic]), rows(&[&provider]), rows(&[&classic, &provider]));
    assert_eq!((sums(&one), sums(&other)), ((11_437_907, 83_594), (71_563, 15_333_960)));
    assert_eq!((both.len(), sums(&both)), (one.len() + other.len(), (11_509_470, 15_417_554)));
    // A group sends nothing.
    let is_group = |row: &&NetworkRow| row.address.starts_with("ff02:") || row.address.ends_with(".255");
    assert!(both.iter().filter(is_group).all(|row| row.receives == 0));
}

#[test]
fn faults_are_those_of_the_baseline() {
    let Some(rows) = found::<FaultsByFile>(PERFVIEW) else { return };
    assert_eq!(rows.iter().map(|row| row.hard_faults).sum::<u64>(), 153);
    assert_eq!(rows.iter().map(|row| row.bytes).sum::<u64>(), 2_722_816);
    assert!(is_near(rows.iter().filter_map(|row| row.elapsed_ms_sum).sum(), 964.385_2));
    let application = rows.iter().find(|row| row.pid == Some(3676)).unwrap();
    assert_eq!((application.hard_faults, application.bytes), (74, 1_384_448));
    assert!(is_near(application.elapsed_ms_sum.unwrap(), 141.783_5), "{application:?}");
    assert_eq!(found::<FaultsEach>(PERFVIEW).unwrap().len(), 153);
}

#[test]
fn bytes_of_the_kernels_sockets_are_those_of_the_payload() {
    let Some(mut rows) = found::<NetworkByPeer>(PERFVIEW) else { return };
    rows.retain(|row| row.protocol == "tcp");
    assert!(rows.iter().all(|row| row.pid == Some(4) && row.process.as_deref() == Some("System") && row.port == 445));
    let sum = |of: fn(&NetworkRow) -> u64| rows.iter().map(of).sum::<u64>();
    assert_eq!((sum(|row| row.sends), sum(|row| row.sent_bytes)), (240, 11_436_388));
    assert_eq!((sum(|row| row.receives), sum(|row| row.received_bytes)), (250, 80_565));
}

#[test]
fn events_of_the_provider_count_as_those_of_the_kernel() {
    let Some(rows) = found::<NetworkByPeer>(NETWORK) else { return };
    let first = rows.first().unwrap();
    assert_eq!((first.pid, first.local_port, first.port, first.received_bytes), (Some(2716), 61_740, 443, 15_315_506));
    let sum = |of: fn(&NetworkRow) -> u64| rows.iter().map(of).sum::<u64>();
    assert_eq!((sum(|row| row.sent_bytes), sum(|row| row.received_bytes)), (68_651 + 2_912, 15_324_168 + 9_792));
    // Of a multicast datagram the sender is the peer.
    let is_multicast = |address: &str| address.starts_with("224.") || address.starts_with("ff02:");
    assert!(
        rows.iter().all(|row| !is_multicast(&row.address)) && rows.iter().any(|row| is_multicast(&row.local_address))
    );
    let exchange = rows.iter().filter(|row| row.local_port == 500 && row.port == 500);
    assert!(exchange.clone().all(|row| row.local_address.starts_with("10.") || row.local_address.contains("a79:6a76")));
    assert_eq!(exchange.count(), 2);
    assert_eq!(found::<NetworkEach>(NETWORK).unwrap().len(), 8_102 + 601 + 210 + 8 + 2);
}

#[test]
fn files_that_were_opened_are_those_of_the_provider() {
    let Some(rows) = found::<FileByFile>(PERFVIEW) else { return };
    assert_eq!(rows.iter().map(|row| row.creates).sum::<u64>(), 562);
    assert!(rows.iter().all(|row| row.operations == row.creates && row.file.is_some() && row.pid.is_some()));
}

#[test]
fn pictures_are_of_the_same_transfers() {
    let (Some(each), Some(over_time)) = (found::<DiskEach>(PERFVIEW), found::<DiskOverTime>(PERFVIEW)) else { return };
    let each = each.iter().map(|row| (row.time, row.disk, row.operation, row.bytes));
    assert!(over_time.iter().map(|row| (row.time, row.disk, row.operation, row.bytes)).eq(each));
    let (Some(each), Some(over_time)) = (found::<NetworkEach>(NETWORK), found::<NetworkOverTime>(NETWORK)) else {
        return;
    };
    let each = each.iter().map(|row| (row.time, row.protocol, row.operation, row.bytes));
    assert!(over_time.iter().map(|row| (row.time, row.protocol, row.operation, row.bytes)).eq(each));
}
