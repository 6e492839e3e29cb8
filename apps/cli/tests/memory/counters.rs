//! Performance logs.

use etwkit_synth::event::PointerSize;
use etwkit_synth::{ClassicEvent, Clock, Guid, LogfileHeader, Payload, TraceBuilder};

use crate::Cost;
use crate::common::Folder;

const CLASS: Guid = Guid::new(0x933f_3bb3_943e_490d_9ced_3cbb_14c1_4479);
const LOG: Guid = Guid::new(5);
const NAME: &str = "log.blg";

fn head() -> Payload {
    Payload::new().guid(LOG).u32(1).u32(1)
}

/// A list of one counter for all instances of an object.
fn list(object: &str) -> Payload {
    let mut texts = Payload::new();
    let offsets = [r"\\m", object, "*", "Count"].map(|text| {
        let at = u32::try_from(texts.len()).unwrap();
        texts = std::mem::take(&mut texts).utf16z(text);
        at
    });
    let len = u32::try_from(52 + texts.len()).unwrap();
    let entry = Payload::new().u32(len).u32(0).u32(0).u32(0x0001_0100).i64(10).i32(0);
    let [machine, object, instance, name] = offsets;
    let entry = entry.u32(machine).u32(object).u32(instance).u32(u32::MAX).u32(0).u32(name);
    head().u32(0x6FF).u32(0x2_0008).rest(entry.rest(texts))
}

/// A sample of so many instances, whose names begin at these places of a text.
fn sample(text: &str, places: impl ExactSizeIterator<Item = usize>) -> Payload {
    let count = places.len();
    let mut record = Payload::new();
    for place in places {
        let offset = 24 + 24 * count + 2 * place;
        record = record.u32(u32::try_from(offset).unwrap()).u32(1).i64(7).i64(0);
    }
    let record = record.utf16z(text);
    let len = u32::try_from(32 + record.len()).unwrap();
    let number = u32::try_from(count).unwrap();
    let start = Payload::new().u32(0x0203_4C42).u32(len).u32(len - 8).u32(number).u32(0).u32(0).i64(5);
    head().u32(0x0003_4C42).u32(len + 8).rest(start.rest(record))
}

/// A sample of an instance for each of these names.
fn named(names: &[String]) -> Payload {
    let starts = names.iter().scan(0, |at, name| {
        let start = *at;
        *at += name.len() + 1;
        Some(start)
    });
    let starts: Vec<usize> = starts.collect();
    sample(&names.join("\0"), starts.into_iter())
}

fn log(list: Payload, samples: impl Iterator<Item = Payload>) -> Folder {
    let header = LogfileHeader { clock: Clock::SystemTime, buffer_size: 64 << 10, ..LogfileHeader::default() };
    let event = |opcode, at: i64| ClassicEvent::new(PointerSize::Eight, CLASS, opcode).version(60).at(header.t0 + at);
    let first = TraceBuilder::new(header.clone()).log(0, event(32, 1).payload(list));
    let trace = (2..).zip(samples).fold(first, |trace, (at, sample)| trace.log(0, event(34, at).payload(sample)));
    let folder = Folder::with(&[]);
    folder.write(NAME, &trace.build().bytes);
    folder
}

fn cost(folder: &Folder, more: &[&str]) -> Cost {
    Cost::of(folder, &[&["counters", NAME], more].concat(), NAME)
}

#[test]
fn one_text_for_all_instances() {
    for step in [0, 1] {
        let text = |n: usize| char::from(b'A' + u8::try_from(n).unwrap()).to_string().repeat(15_000);
        let folder = log(list("Object"), (0..11).map(|n| sample(&text(n), (0..1_300).map(|at| at * step))));
        let cost = cost(&folder, &[]);
        cost.check();
        assert_eq!(cost.code, Some(1), "{cost:?}");
    }
}

#[test]
fn a_long_name_of_the_object_of_all_instances() {
    let names = |n: usize| (0..1_500).map(|at| format!("{}", n * 1_500 + at)).collect::<Vec<_>>();
    let of = |long| log(list(&"O".repeat(long)), (0..5).map(|n| named(&names(n))));
    for form in [&[][..], &["-f", "jsonl"]] {
        cost(&of(1024), form).check();
        let refused = cost(&of(1025), form);
        assert!(refused.code == Some(2) && refused.output == 0, "{refused:?}");
    }
}

/// Blanks before the cell of an instance whose column is the last of thousands.
#[test]
fn cells_far_to_the_right() {
    let names = |n: usize| (0..1_500).map(|at| format!("{}", n * 1_500 + at)).collect::<Vec<_>>();
    let many = (0..10).map(|n| named(&names(n)));
    let folder = log(list("Object"), many.chain((0..600).map(|_| named(&["14999".to_owned()]))));
    cost(&folder, &["-f", "text"]).check();
}

/// Blanks of instances that were there once.
#[test]
fn instances_that_are_not_there() {
    let names = |n: usize| (0..1_500).map(|at| format!("{}", n * 1_500 + at)).collect::<Vec<_>>();
    let many = || (0..10).map(|n| named(&names(n)));
    let few = || (0..3_000).map(|_| named(&["0".to_owned()]));
    for folder in [log(list("Object"), many().chain(few())), log(list("Object"), few().chain(many()))] {
        for form in [&[][..], &["-f", "jsonl", "--sort", "time"]] {
            let cost = cost(&folder, form);
            cost.check();
            assert_eq!(cost.code, Some(1), "{cost:?}");
        }
    }
}
