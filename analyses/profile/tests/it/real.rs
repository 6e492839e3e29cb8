//! The profile of a real trace has the numbers that others found. Skipped loudly where the corpus is absent.

use crate::forms::folded;
use etwkit::trace::{Filter, Glob, RunOptions, Trace};
use etwkit_profile::weights::{
    Allocations, CpuSamples, DiskOperations, Exceptions, FileOperations, HardFaults, Weigher,
};
use etwkit_profile::{
    Grouping, Profile, ProfileOptions, Selection, Unit, callees, callers, fold, fold_to, functions, group, modules,
    profile, select,
};

use crate::sums::all_forms;

fn trace() -> Option<Trace> {
    let file = etwkit_corpus::path("perfview/net.4.5.2.x64.etl")?;
    Some(Trace::open(file, etwkit_parsers::with_stacks(etwkit_parsers::standard())).unwrap())
}

fn found(trace: &Trace, weigher: impl Weigher + 'static, unit: Unit, filter: Filter, threads: usize) -> Profile {
    let options = ProfileOptions { unit, has_timeline: true };
    profile(trace, weigher, options, &RunOptions::default().filter(filter).threads(threads)).unwrap()
}

fn cpu(trace: &Trace, unit: Unit, threads: usize) -> Profile {
    found(trace, CpuSamples::new(trace).unwrap(), unit, Filter::default(), threads)
}

#[test]
fn all_samples_are_there_with_their_stacks() {
    let Some(trace) = trace() else { return };
    let profile = cpu(&trace, Unit::Samples, 1);
    assert_eq!(profile.quality.samples, 6_320);
    assert_eq!(all_forms(&profile), 6_320);
    let text = folded(&profile);
    let weight = |line: &str| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap();
    let of_application = text.lines().filter(|line| line.starts_with("Test.x64.exe (3676);thread ("));
    assert_eq!(of_application.map(weight).sum::<u64>(), 5_129);
    // The interval is one millisecond.
    let time = cpu(&trace, Unit::Time, 1);
    assert_eq!((all_forms(&time), folded(&time)), (63_200_000, text.clone()));
    assert_eq!(folded(&cpu(&trace, Unit::Samples, 2)), text);
}

/// The idle thread has no stacks.
#[test]
fn nearly_all_samples_of_other_threads_than_the_idle_one_have_a_stack() {
    let Some(trace) = trace() else { return };
    let (mut samples, mut with_stack, mut events) = (0, 0, trace.events());
    while let Some(event) = events.next().unwrap() {
        if event.name() == "PerfInfo/Sample" && event.tid() != Some(0) {
            samples += 1;
            with_stack += u64::from(event.has_stack());
        }
    }
    assert_eq!((with_stack, samples), (6_214, 6_215));
}

/// The header of a start of a write has the idle thread, its `IssuingThreadId` one of process 4, as the end has.
#[test]
fn disk_operations_count_for_the_thread_that_asked() {
    let Some(trace) = trace() else { return };
    let profile = found(&trace, DiskOperations, Unit::Bytes, Filter::default(), 1);
    assert!(!folded(&profile).lines().any(|line| line.starts_with("Idle (0)")));
}

/// The sums are those of a second program, and of `dump -f jsonl` of the same events.
#[test]
fn other_weights_are_those_of_their_events() {
    let Some(trace) = trace() else { return };
    let filter = Filter::default().pids([3676]);
    let allocations = found(&trace, Allocations::new(&trace), Unit::Bytes, filter, 2);
    assert_eq!(all_forms(&allocations), 1_107_714_400);
    let reads = || Filter::default().names(["DiskIO/Read*"].map(Glob::new));
    let disk = found(&trace, DiskOperations, Unit::Bytes, reads(), 2);
    assert_eq!((all_forms(&disk), disk.total().samples), (19_564_544, 1_208));
    let disk = found(&trace, DiskOperations, Unit::Time, reads(), 2);
    assert_eq!((all_forms(&disk) + 500) / 1_000, 20_132, "2,013.2 ms");
    assert_eq!((disk.quality.without_start, disk.quality.without_end), (0, 0));
    let faults = found(&trace, HardFaults, Unit::Samples, Filter::default(), 2);
    assert_eq!(all_forms(&faults), 153);
    let exceptions = found(&trace, Exceptions, Unit::Samples, Filter::default(), 2);
    assert_eq!(all_forms(&exceptions), 1);
    assert_eq!(functions(&exceptions)[0].name, "Throw System.IO.FileNotFoundException");
    // By `count --group-by id`, Microsoft-Windows-Kernel-File wrote 562 `Create` (12) and nothing else.
    let files = found(&trace, FileOperations::new(&trace).unwrap(), Unit::Time, Filter::default(), 2);
    assert_eq!((files.total().samples, files.quality.without_end), (0, 562));
}

#[test]
fn innermost_modules_are_those_of_a_second_program() {
    let Some(trace) = trace() else { return };
    // That one leaves out the DPCs and interrupts of idle processors.
    let busy = Selection { exclude: vec![Glob::new("Idle (0)")], ..Selection::default() };
    let list = modules(&select(&cpu(&trace, Unit::Samples, 2), &busy));
    let own = |name: &str| list.iter().find(|module| module.name == name).unwrap().exclusive;
    assert_eq!(["clr.dll", "hal.dll", "ntoskrnl.exe", "clrjit.dll", "unknown"].map(own), [339, 261, 259, 110, 184]);
}

#[test]
fn grouping_and_folding_keep_all_weight() {
    let Some(trace) = trace() else { return };
    let profile = cpu(&trace, Unit::Samples, 2);
    for changed in [group(&profile, Grouping::Module), group(&profile, Grouping::JustMyApp), fold(&profile, 2.0)] {
        assert_eq!(all_forms(&changed), 6_320);
        assert!(changed.nodes().len() < profile.nodes().len());
    }
    for most in [1, 2, 10, 100, profile.nodes().len()] {
        let changed = fold_to(&profile, most);
        assert_eq!(all_forms(&changed), 6_320);
        assert!((most - 1..=most).contains(&changed.nodes().len()), "{most}: {}", changed.nodes().len());
    }
    let own = group(&profile, Grouping::JustMyApp);
    assert!(functions(&own).iter().any(|function| function.name.starts_with("Test.x64!Test.Program.Main")));
    assert!(!functions(&own).iter().any(|function| function.name.starts_with("mscorlib!")));
    let pattern = || vec![Glob::new("*GetDatePart*")];
    let with = select(&profile, &Selection { include: pattern(), ..Selection::default() });
    let without = select(&profile, &Selection { exclude: pattern(), ..Selection::default() });
    assert_eq!(all_forms(&with) + all_forms(&without), 6_320);
    let function = functions(&profile).into_iter().find(|function| function.name.contains("GetDatePart")).unwrap();
    assert_eq!(with.total().weight, function.inclusive);
    for list in [callers(&profile, &pattern()[0]), callees(&profile, &pattern()[0])] {
        assert_eq!(list.iter().map(|neighbor| neighbor.weight).sum::<u64>(), function.inclusive);
    }
}
