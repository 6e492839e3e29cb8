//! The weight of everything in a form, read from what the form is.

use std::collections::BTreeSet;

use etwkit_profile::{
    Profile, Unit, call_tree, chrome, firefox, flame_graph, functions, modules, perfetto, pprof, processes, speedscope,
    threads,
};
use serde_json::Value as Json;

use crate::forms::{folded, in_json, text};
use crate::proto::{Value, all, fields};

/// Checks that all forms of a profile have one weight, and returns it in the profile's unit.
pub(crate) fn all_forms(profile: &Profile) -> u64 {
    let total = profile.total();
    let weight = total.weight;
    assert_eq!(profile.samples().iter().map(|sample| sample.weight).sum::<u64>(), weight);
    assert_eq!(profile.samples().len() as u64, total.samples);
    assert!(profile.samples().is_sorted_by_key(|sample| sample.time));
    let in_units = |text: &str| units(text, profile.unit);
    assert_eq!(folded(profile).lines().map(|line| in_units(line.rsplit_once(' ').unwrap().1)).sum::<u64>(), weight);
    for list in [functions(profile), modules(profile), processes(profile)] {
        assert_eq!(list.iter().map(|row| row.exclusive).sum::<u64>(), weight);
    }
    assert_eq!(threads(profile).iter().map(|(_, row)| row.exclusive).sum::<u64>(), weight);
    let tree = text(|out| call_tree(profile, out).map(|left_out| assert_eq!(left_out, 0)));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = tree.lines().skip(1).map(words).collect();
    assert_eq!(lines[0][3], "all");
    assert_eq!(in_units(&lines[0][0]), weight);
    assert_eq!(lines.iter().map(|line| in_units(&line[2])).sum::<u64>(), weight);
    assert!(text(|out| flame_graph(profile, "a & b", out)).contains(&format!("data-total=\"{}\"", weight.max(1))));
    assert_eq!(of_speedscope(profile), weight);
    assert_eq!(of_firefox(profile), weight);
    assert_eq!(of_chrome(profile), weight);
    assert_eq!(of_perfetto(profile), (total.samples, weight));
    assert_eq!(of_pprof(profile), (total.samples, weight));
    weight
}

/// Milliseconds with a fraction as units of 100 ns; other numbers as they are.
fn units(text: &str, unit: Unit) -> u64 {
    if unit != Unit::Time {
        return text.parse().unwrap();
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{fraction:0<4}").parse().unwrap()
}

fn of_speedscope(profile: &Profile) -> u64 {
    let file = in_json(&speedscope(profile, "name"));
    let frames = file["shared"]["frames"].as_array().unwrap();
    let mut used = BTreeSet::new();
    let mut sum = 0;
    for thread in file["profiles"].as_array().unwrap() {
        let weights: u64 = numbers(&thread["weights"]).iter().sum();
        assert_eq!(thread["endValue"], weights);
        assert_eq!(thread["samples"].as_array().unwrap().len(), numbers(&thread["weights"]).len());
        used.extend(thread["samples"].as_array().unwrap().iter().flat_map(numbers));
        sum += weights;
    }
    assert_eq!(used.len(), frames.len(), "every frame is used, and every used one is there");
    assert!(used.last().is_none_or(|last| *last < frames.len() as u64));
    if profile.unit == Unit::Time { sum / 100 } else { sum }
}

fn numbers(list: &Json) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

fn of_firefox(profile: &Profile) -> u64 {
    let file = firefox(profile, "name").unwrap();
    let weights = |thread: &Json| {
        let list = thread["samples"]["weight"].as_array().unwrap().clone();
        list.iter().map(|weight| scaled(weight, profile.unit, 10_000.0)).sum::<u64>()
    };
    file["threads"].as_array().unwrap().iter().map(weights).sum()
}

fn scaled(weight: &Json, unit: Unit, factor: f64) -> u64 {
    if unit == Unit::Time { (weight.as_f64().unwrap() * factor).round() as u64 } else { weight.as_u64().unwrap() }
}

fn of_chrome(profile: &Profile) -> u64 {
    let file = in_json(&chrome(profile));
    let mut sum = 0;
    for chunk in file["traceEvents"].as_array().unwrap().iter().filter(|event| event["name"] == "ProfileChunk") {
        let data = &chunk["args"]["data"];
        let samples = numbers(&data["cpuProfile"]["samples"]);
        let deltas = data["timeDeltas"].as_array().unwrap();
        assert_eq!((samples.len(), samples.len()), (deltas.len(), data["weights"].as_array().unwrap().len()));
        assert!(deltas.iter().all(|delta| delta.as_f64().unwrap() >= 0.0));
        let nodes = data["cpuProfile"]["nodes"].as_array().unwrap();
        let known: BTreeSet<u64> = nodes.iter().map(|node| node["id"].as_u64().unwrap()).collect();
        assert!(samples.iter().all(|sample| known.contains(sample)));
        assert!(nodes.iter().skip(1).all(|node| node["parent"].as_u64().unwrap() < node["id"].as_u64().unwrap()));
        sum += data["weights"].as_array().unwrap().iter().map(|weight| scaled(weight, profile.unit, 10.0)).sum::<u64>();
    }
    sum
}

/// The samples of a trace of Perfetto, and the last of their counts. Every number that it refers to must be defined.
fn of_perfetto(profile: &Profile) -> (u64, u64) {
    let bytes = perfetto(profile);
    let (mut samples, mut count, mut before) = (0, 0, 0);
    let (mut names, mut frames, mut stacks, mut mappings) =
        <(BTreeSet<u64>, BTreeSet<u64>, BTreeSet<u64>, BTreeSet<u64>)>::default();
    let id = |bytes: &[u8]| all(&fields(bytes), 1).next().unwrap().number();
    for (field, packet) in fields(&bytes) {
        assert_eq!(field, 1);
        let packet = fields(packet.bytes());
        assert_eq!(all(&packet, 10).next().unwrap().number(), 1, "one sequence");
        for data in all(&packet, 12) {
            let data = fields(data.bytes());
            names.extend(all(&data, 5).map(|name| id(name.bytes())));
            mappings.extend(all(&data, 19).map(|mapping| id(mapping.bytes())));
            for frame in all(&data, 6) {
                let frame = fields(frame.bytes());
                assert!(names.contains(&all(&frame, 2).next().unwrap().number()));
                assert!(mappings.contains(&all(&frame, 3).next().unwrap().number()));
                frames.insert(all(&frame, 1).next().unwrap().number());
            }
            for stack in all(&data, 7) {
                let stack = fields(stack.bytes());
                assert!(all(&stack, 2).all(|frame| frames.contains(&frame.number())));
                stacks.insert(all(&stack, 1).next().unwrap().number());
            }
        }
        for sample in all(&packet, 66) {
            let sample = fields(sample.bytes());
            assert!(stacks.contains(&all(&sample, 4).next().unwrap().number()));
            let time = all(&packet, 8).next().unwrap().number();
            assert!(time >= before);
            before = time;
            samples += 1;
            count = all(&sample, 6).next().unwrap().number();
        }
    }
    (samples, count)
}

/// The samples of a profile of pprof, and their weights. Every number that it refers to must be defined.
fn of_pprof(profile: &Profile) -> (u64, u64) {
    let bytes = pprof(profile);
    let file = fields(&bytes);
    let texts: Vec<&str> = all(&file, 6).map(Value::text).collect();
    assert_eq!(texts[0], "");
    let ids = |field| {
        let id = |message: &[u8]| all(&fields(message), 1).next().unwrap().number();
        all(&file, field).map(|message| id(message.bytes())).collect::<BTreeSet<u64>>()
    };
    let (mappings, locations, functions) = (ids(3), ids(4), ids(5));
    for location in all(&file, 4) {
        let location = fields(location.bytes());
        assert!(all(&location, 2).all(|mapping| mappings.contains(&mapping.number())));
        let lines = all(&location, 4).map(|line| fields(line.bytes())).collect::<Vec<_>>();
        assert!(lines.iter().all(|line| functions.contains(&all(line, 1).next().unwrap().number())));
    }
    let types = all(&file, 1).count();
    let (mut samples, mut weight) = (0, 0);
    for sample in all(&file, 2) {
        let sample = fields(sample.bytes());
        assert!(all(&sample, 1).next().unwrap().packed().iter().all(|location| locations.contains(location)));
        let values = all(&sample, 2).next().unwrap().packed();
        assert_eq!(values.len(), types);
        samples += values[0];
        weight += *values.last().unwrap();
        for label in all(&sample, 3) {
            let label = fields(label.bytes());
            let text = |field| all(&label, field).next().map(|place| texts[place.number() as usize]);
            assert!(["process", "thread", "pid", "tid"].contains(&text(1).unwrap()));
        }
    }
    (samples, if profile.unit == Unit::Time { weight / 100 } else { weight })
}
