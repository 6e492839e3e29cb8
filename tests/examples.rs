//! The examples do what they state, on the fixtures that they take by default.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::path::Path;

#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/callbacks.rs"]
mod callbacks;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/count_processors.rs"]
mod count_processors;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/custom_parser.rs"]
mod custom_parser;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/damaged.rs"]
mod damaged;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/filter_export.rs"]
mod filter_export;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/fuzz_target.rs"]
mod fuzz_target;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/golden.rs"]
mod golden;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/in_memory.rs"]
mod in_memory;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/iterate.rs"]
mod iterate;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/observer.rs"]
mod observer;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/plugin_test.rs"]
mod plugin_test;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/stacks.rs"]
mod stacks;
#[allow(dead_code, unreachable_pub, reason = "its main is not called")]
#[path = "../examples/typed.rs"]
mod typed;

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name).to_str().unwrap().to_owned()
}

/// Returns the lines that an example writes.
fn lines(run: impl FnOnce(&mut Vec<u8>)) -> Vec<String> {
    let mut out = Vec::new();
    run(&mut out);
    String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn iterate_lists_every_event() {
    let lines = lines(|out| iterate::run(&fixture("hello.etl"), out).unwrap());
    assert_eq!(lines[0], "11 events: 11 with a schema, 0 without");
    assert_eq!(lines.len(), 12);
    assert_eq!(lines[4], "cpu 0 Synth.Greeter HelloWorld [Greeting Count Polite Source]");
    assert_eq!(lines[5], "cpu 1 Synth.Cafe CoffeeOrder/Start [OrderId Item Status]");
}

#[test]
fn typed_makes_orders_of_events() {
    let lines = lines(|out| typed::run(&fixture("hello.etl"), out).unwrap());
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "c0ffee00-0000-4000-8000-000000000001: 2 x espresso, 5.00 in all");
}

#[test]
fn a_custom_parser_decodes_its_events() {
    let lines = lines(|out| custom_parser::run(&fixture("many-processors.etl"), out).unwrap());
    assert_eq!(lines[0], "0: event 0 of a plain provider");
    assert!(lines.len() > 100, "{}", lines.len());
}

#[test]
fn an_observer_sees_the_events_of_its_provider() {
    assert_eq!(observer::run(&fixture("many-processors.etl")).unwrap(), 7);
}

#[test]
fn the_test_of_a_plug_in_passes() {
    plugin_test::run().unwrap();
}

#[test]
fn examples_have_forty_lines_at_most() {
    let mut examples = 0;
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let lines = std::fs::read_to_string(&path).unwrap().lines().count();
            assert!(lines <= 40, "{} has {lines} lines", path.display());
            examples += 1;
        }
    }
    assert!(examples >= 8, "{examples}");
}

#[test]
fn filter_export_writes_what_meets_the_condition() {
    let run = |condition: &str| {
        lines(|out| {
            filter_export::run(&fixture("hello.etl"), condition, out).unwrap();
        })
    };
    let orders = run("provider ~ 'Cafe' and Item.Cups >= 2");
    assert!(!orders.is_empty());
    for line in &orders {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(event["provider"], "Synth.Cafe");
        assert!(event["fields"]["Item"]["Cups"].as_u64().unwrap() >= 2, "{line}");
    }
    assert_eq!(run("has provider").len(), 11);
    let wrong = filter_export::run(&fixture("hello.etl"), "pid = = 4", &mut Vec::new()).unwrap_err();
    assert!(wrong.to_string().starts_with("column 7"), "{wrong}");
}

#[test]
fn damaged_tells_what_is_missing() {
    let of = |name: &str| lines(|out| damaged::run(&fixture(name), out).unwrap());
    let lines = of("damaged-event-size.etl");
    assert_eq!(lines[0], "158 events in 5 buffers could be read");
    assert_eq!(lines.iter().filter(|line| line.starts_with("damage: bad-event at ")).count(), 3, "{lines:?}");
    assert_eq!(lines.last().unwrap(), "the file is damaged: 432 bytes are in no event");
    assert_eq!(of("hello.etl"), ["11 events in 3 buffers could be read", "the file is whole: 0 bytes are in no event"]);
    assert!(of("x-empty.etl")[0].ends_with("x-empty.etl: not an .etl trace: the file is empty"));
}

#[test]
fn count_processors_counts_every_event() {
    let lines = lines(|out| count_processors::run(&fixture("many-processors.etl"), out).unwrap());
    let events = |line: &String| line.split(' ').nth(2).and_then(|count| count.parse::<u64>().ok()).unwrap();
    let trace = etwkit::Trace::open(fixture("many-processors.etl"), etwkit::Parsers::none()).unwrap();
    assert_eq!(lines.iter().map(events).sum::<u64>(), trace.events_total());
    assert_eq!(lines.len(), trace.processor_numbers().len());
}

#[test]
fn callbacks_are_called_for_their_events() {
    let lines = lines(|out| callbacks::run(&fixture("kernel-stacks.etl"), out).unwrap());
    assert_eq!(lines, ["5200 app.exe", "3 samples, collections of generations 0 to 2: [0, 0, 0]"]);
}

#[test]
fn in_memory_hands_over_every_event_in_order() {
    let bytes = std::fs::read(fixture("hello.etl")).unwrap();
    let lines = lines(|out| in_memory::run(bytes, out).unwrap());
    assert_eq!((lines.len(), &*lines[4]), (11, "Synth.Cafe CoffeeOrder/Start"));
}

#[test]
fn stacks_have_frames_in_images() {
    let lines = lines(|out| stacks::run(&fixture("kernel-stacks.etl"), out).unwrap());
    assert!(lines.iter().any(|line| line.starts_with("app.exe ")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("    ") && line.contains("+0x")), "{lines:?}");
}

#[test]
fn the_fuzz_target_reads_whole_and_cut_files() {
    let whole = std::fs::read(fixture("hello.etl")).unwrap();
    assert_eq!(fuzz_target::run(&whole).0, 11);
    for len in (0..whole.len()).step_by(101) {
        fuzz_target::run(&whole[..len]);
    }
}

#[test]
fn the_golden_file_is_what_the_fixture_has() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/golden.jsonl");
    golden::run(Path::new(&fixture("hello.etl")), &golden, false).unwrap();
    let other = golden::run(Path::new(&fixture("many-processors.etl")), &golden, false).unwrap_err();
    assert!(other.to_string().contains("missing"), "{other}");
}
