//! Answers about traces.

use etwkit::output::Tally;
use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_analysis::{Analysis, Row, Together, Value};
use etwkit_dotnet_analyses as dotnet;
use etwkit_io_analyses as io;
use etwkit_kernel_analyses as kernel;
use etwkit_windows_analyses as windows;

use crate::traces::{self, Id};

/// Names every analysis to a macro, once.
macro_rules! each {
    ($then:ident) => {
        $then! {
            dotnet::AspNetByProcess, dotnet::AspNetEach, dotnet::ContentionByThread, dotnet::ContentionEach,
            dotnet::ExceptionsByType, dotnet::ExceptionsEach, dotnet::GcByProcess, dotnet::GcEach,
            dotnet::JitByProcess, dotnet::JitEach, dotnet::LoaderByProcess, dotnet::LoaderEach,
            dotnet::TasksByScheduler, dotnet::TasksEach, dotnet::ThreadPoolByProcess, dotnet::ThreadPoolEach,
            io::DiskByFile, io::DiskEach, io::DnsByName, io::DnsEach, io::FaultsByFile, io::FaultsEach,
            io::FileByFile, io::FileEach, io::MemoryByProcess, io::NetworkByPeer, io::NetworkEach,
            io::RegistryByKey, io::RegistryEach,
            kernel::CpuSamples, kernel::CpuUsage, kernel::CriticalPath, kernel::DpcIsrByRoutine, kernel::ImageList,
            kernel::Marks, kernel::Processes, kernel::ReadyPairs, kernel::ThreadList, kernel::WaitsByThread,
            kernel::WaitsEach,
            windows::BootEach, windows::BootPhases, windows::EventTypes, windows::GpuByEngine, windows::GpuEach,
            windows::HttpByUrl, windows::IdleStates, windows::Machine, windows::PresentByProcess,
            windows::ProcessorPower, windows::RpcByProcedure, windows::RpcEach, windows::Summary,
            windows::VSyncByAdapter,
        }
    };
}

/// Runs all analyses over a trace (see [`traces::file`]). Each row must have a value for each column, and numbers must
/// be numbers. Spans, requests, baselines, profiles and checks are made, too.
pub fn analyses(data: &[u8]) {
    let Some(file) = traces::file(data) else { return };
    let Some(trace) = traces::open(&file) else { return };
    rows(&trace);
    let options = RunOptions::default().threads(1);
    let read = |result: etwkit::Result<()>| assert!(result.is_ok(), "memory can be read: {result:?}");
    read(etwkit_check::check(&trace).map(drop));
    read(etwkit_http_requests::requests(&trace, &options).map(drop));
    read(etwkit_baseline::write_baseline(&trace, &<_>::default(), &mut Vec::new()).map(drop));
    read(spans(&trace, &options));
    read(profiles(&trace, &options));
    read(tally(&trace, &options));
}

/// Returns the ids of the events that analyses read.
pub(crate) fn interests() -> impl Iterator<Item = Id> {
    macro_rules! interests { ($($analysis:path,)*) => { [$(<$analysis>::interest()),*] } }
    each!(interests).into_iter().flat_map(|interest| {
        let manifest = interest.manifest.iter().flat_map(|(guid, ids)| ids.iter().map(|id| Id::Manifest(*guid, *id)));
        let opcodes = |(guid, opcodes): &'static (_, &'static [u8])| opcodes.iter().map(|op| Id::Classic(*guid, *op));
        manifest.chain(interest.classic.iter().flat_map(opcodes))
    })
}

fn rows(trace: &Trace) {
    let mut together = Together::new(trace);
    let mut columns = Vec::new();
    macro_rules! add { ($($analysis:path,)*) => { $(
        assert!(together.add::<$analysis>(&Filter::default()).is_ok(), "no filter is too much for an analysis");
        columns.push(<$analysis as Analysis>::Row::COLUMNS);
    )* } }
    each!(add);
    let run = trace.run(&RunOptions::default().threads(1), &mut together);
    assert!(run.is_ok(), "memory can be read: {run:?}");
    for (values, columns) in together.finish().iter().zip(columns) {
        for row in &values.rows {
            assert_eq!(row.len(), columns.len());
            let is_number = |value: &Value| !matches!(value, Value::Real(real) if !real.is_finite());
            assert!(row.iter().all(is_number), "{row:?}");
        }
    }
}

fn spans(trace: &Trace, options: &RunOptions) -> etwkit::Result<()> {
    let what = etwkit_spans::SpanOptions { keep: etwkit_spans::Keep::Tree, ..<_>::default() };
    let spans = etwkit_spans::spans(trace, what, options)?;
    let mut listed = 0;
    spans.tree().rows(|_| listed += 1);
    assert!(listed <= spans.list().len(), "a span is in the tree once");
    let mut json = Vec::new();
    assert!(spans.tree().chrome(&mut json).is_ok(), "memory takes everything");
    assert!(serde_json::from_slice::<serde_json::Value>(&json).is_ok());
    Ok(())
}

fn profiles(trace: &Trace, options: &RunOptions) -> etwkit::Result<()> {
    use etwkit_profile::{ProfileOptions, ThreadTime, profile, thread_time, weights};
    let what = ProfileOptions::default();
    let profiles = [
        profile(trace, weights::CpuSamples::new(trace)?, what, options)?,
        profile(trace, weights::Allocations::new(trace), what, options)?,
        profile(trace, weights::HardFaults, what, options)?,
        thread_time(trace, ThreadTime::Wall, what, options)?,
    ];
    for profile in &profiles {
        let own = profile.nodes().fold(0_u64, |sum, (_, node)| sum.saturating_add(node.own.weight));
        assert_eq!(own, profile.total().weight, "weights of nodes add up");
        assert!(etwkit_profile::flame_graph(profile, "fuzz").ends_with("</svg>\n"));
    }
    Ok(())
}

fn tally(trace: &Trace, options: &RunOptions) -> etwkit::Result<()> {
    let Ok(selectors) = ["provider", "event"].map(str::parse).into_iter().collect::<Result<Vec<_>, _>>() else {
        panic!("these are selectors")
    };
    let mut tally = Tally::new(selectors)?;
    trace.run(options, &mut tally)?;
    let events: u64 = tally.into_groups().list.iter().map(|group| group.events).sum();
    assert_eq!(events, trace.events_total(), "each event is in a group");
    Ok(())
}
