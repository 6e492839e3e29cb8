//! The time of threads, from context switches: the sums of fixtures are those of `analyze waits`.

use std::collections::BTreeMap;

use crate::forms::folded;
use etwkit::FileTime;
use etwkit::input::Input;
use etwkit::trace::{Filter, RunOptions, TimeRange, Trace};
use etwkit_kernel_analyses::WaitsByThread;
use etwkit_profile::{Profile, ProfileOptions, ThreadTime, Unit, thread_time};

use crate::sums::all_forms;

/// Milliseconds of a thread as `analyze waits` has them: run, ready, wait, unknown.
type Times = [f64; 4];

fn open(name: &str) -> Trace {
    let fixture = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == name).unwrap();
    let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
    Trace::open(Input::bytes(name, fixture.bytes), parsers).unwrap()
}

pub(crate) fn of(trace: &Trace, kind: ThreadTime, filter: &Filter) -> Profile {
    let run = |threads| {
        let options = ProfileOptions { unit: Unit::Time, has_timeline: true };
        thread_time(trace, kind, options, &RunOptions::default().filter(filter.clone()).threads(threads)).unwrap()
    };
    let profile = run(1);
    all_forms(&profile);
    assert_eq!(folded(&run(3)), folded(&profile));
    profile
}

fn waits(trace: &Trace, filter: Filter) -> BTreeMap<(String, u32), Times> {
    let rows = etwkit_analysis::rows::<WaitsByThread>(trace, &RunOptions::default().filter(filter)).unwrap();
    let times = |row: etwkit_kernel_analyses::WaitRow| {
        let process = match (row.process, row.pid) {
            (Some(process), Some(pid)) => format!("{process} ({pid})"),
            (None, Some(pid)) => format!("process ({pid})"),
            _ => "unknown (?)".to_owned(),
        };
        ((process, row.tid), [row.run_ms, row.ready_ms, row.wait_ms, row.unknown_ms])
    };
    rows.into_iter().map(times).filter(|(_, times)| times.iter().sum::<f64>() > 0.0).collect()
}

/// The same from the folded lines of a profile.
fn times(profile: &Profile) -> BTreeMap<(String, u32), Times> {
    let mut found: BTreeMap<(String, u32), Times> = BTreeMap::new();
    for line in folded(profile).lines() {
        let (path, weight) = line.rsplit_once(' ').unwrap();
        let frames: Vec<&str> = path.split(';').collect();
        let tid = frames[1].trim_start_matches("thread (").trim_end_matches(')').parse().unwrap();
        let state = match frames.last().unwrap().split(' ').next().unwrap() {
            "Ready" => 1,
            "Waiting" => 2,
            "Unknown" => 3,
            // Running time has no label of its own in a profile of it alone.
            _ => 0,
        };
        found.entry((frames[0].to_owned(), tid)).or_default()[state] += weight.parse::<f64>().unwrap();
    }
    // Sums of fractions: compared in units of 100 ns.
    found.values_mut().flatten().for_each(|ms| *ms = (*ms * 10_000.0).round() / 10_000.0);
    found
}

fn only_run(waits: &BTreeMap<(String, u32), Times>) -> BTreeMap<(String, u32), Times> {
    let ran = waits.iter().filter(|(_, times)| times[0] > 0.0);
    ran.map(|(thread, times)| (thread.clone(), [times[0], 0.0, 0.0, 0.0])).collect()
}

fn window(since: i64, until: i64) -> Filter {
    let ms = |time: i64| FileTime(etwkit_synth::time::START + time * 10_000);
    Filter::default().time(TimeRange::default().since(ms(since)).until(ms(until)))
}

#[test]
fn times_are_those_of_the_table_of_waits() {
    for name in ["scheduling.etl", "scheduling-lost.etl"] {
        let trace = open(name);
        let filters = [
            Filter::default(),
            window(4, 11),
            window(0, 26).pids([5200]),
            Filter::default().tids([100]),
            Filter::default().pids([7]),
        ];
        for filter in filters {
            let expected = waits(&trace, filter.clone());
            assert_eq!(times(&of(&trace, ThreadTime::Wall, &filter)), expected, "{name} {filter:?}");
            assert_eq!(times(&of(&trace, ThreadTime::Running, &filter)), only_run(&expected), "{name} {filter:?}");
        }
    }
}

/// The times are those of `threads_ran_were_ready_and_waited` in the tests of `etwkit-kernel-analyses`.
#[test]
fn states_are_frames() {
    let lines = folded(&of(&open("scheduling.etl"), ThreadTime::Wall, &Filter::default()));
    let expected = "\
System (4);thread (100);Ready 1.2
System (4);thread (100);Running 5
System (4);thread (100);Unknown 0.5
System (4);thread (100);Waiting (WrQueue) 33.3
app.exe (5200);thread (5204);Ready 1.2
app.exe (5200);thread (5204);Running 18.9
app.exe (5200);thread (5204);Waiting (UserRequest) 4
app.exe (5200);thread (5208);Ready 0.5
app.exe (5200);thread (5208);Ready (WrPreempted) 1.5
app.exe (5200);thread (5208);Running 15.1
tool.exe (5200);thread (5204);Ready 0.5
tool.exe (5200);thread (5204);Running 4.5
tool.exe (5200);thread (5204);Waiting (DelayExecution) 5
";
    assert_eq!(lines, expected);
}
