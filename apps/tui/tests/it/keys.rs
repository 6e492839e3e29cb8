//! What keys do, over fixtures.

use std::path::PathBuf;

use crate::viewer::Viewer;
use crossterm::event::KeyCode;
use etwkit::output::JsonLines;
use etwkit::trace::RunOptions;
use etwkit::{Filter, Input, Trace};

/// The JSON lines of a fixture, as the program writes them.
fn lines(name: &str, filter: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../fixtures", name].iter().collect();
    let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
    let trace = Trace::open(Input::bytes(name, std::fs::read(path).unwrap()), parsers).unwrap();
    let mut options = RunOptions::default().threads(1);
    if !filter.is_empty() {
        options = options.filter(Filter::default().expression(filter.parse().unwrap()));
    }
    let mut sink = JsonLines::new(&trace, Vec::new());
    trace.run(&options, &mut sink).unwrap();
    String::from_utf8(sink.finish().unwrap()).unwrap()
}

#[test]
fn what_passes_is_saved_and_copied_as_json_lines() {
    for (name, filter) in [("many-processors.etl", "cpu == 1"), ("kernel-stacks.etl", ""), ("values.etl", "")] {
        Viewer::of(name, |viewer| {
            let expected = lines(name, filter);
            viewer.keys("f").keys(filter).press(KeyCode::Enter).work();
            assert_eq!(viewer.len(), expected.lines().count() as u64, "{name}");
            viewer.keys("w").press(KeyCode::Enter).work();
            let saved = viewer.saved.borrow().clone();
            assert_eq!(saved, [("events.jsonl".to_owned(), expected.clone().into_bytes())], "{name}");
            viewer.keys("jy");
            assert_eq!(viewer.copied().as_deref(), expected.lines().nth(1), "{name}");
        });
    }
}

#[test]
fn a_save_goes_on_whatever_key_is_pressed() {
    Viewer::of("many-processors.etl", |viewer| {
        let expected = lines("many-processors.etl", "");
        viewer.keys("/").paste("no such text").press(KeyCode::Enter).work();
        viewer.keys("w").press(KeyCode::Enter);
        for key in ["f", "F", "/", "n", "N", "w", "q"] {
            viewer.keys(key);
            assert!(viewer.screen().contains("a file is being saved: Esc gives it up"), "{key}: {}", viewer.screen());
        }
        viewer.keys("cjj");
        for key in [KeyCode::Enter, KeyCode::Char('x')] {
            viewer.press(key);
            assert!(viewer.screen().contains("a file is being saved"), "{key:?}: {}", viewer.screen());
        }
        viewer.work();
        assert!(viewer.screen().contains(" saved as events.jsonl"), "{}", viewer.screen());
        assert_eq!(*viewer.saved.borrow(), [("events.jsonl".to_owned(), expected.into_bytes())]);
    });
}

#[test]
fn a_save_that_is_given_up_is_said() {
    Viewer::of("many-processors.etl", |viewer| {
        viewer.keys("w").press(KeyCode::Enter).press(KeyCode::Esc);
        assert!(viewer.screen().contains("nothing was saved"), "{}", viewer.screen());
        viewer.keys("w").press(KeyCode::Enter).filter("cpu == 1");
        assert!(viewer.screen().contains("nothing was saved"), "{}", viewer.screen());
        viewer.work();
        assert!(viewer.saved.borrow().is_empty());
    });
}

#[test]
fn a_file_that_cannot_be_made_is_asked_for_again() {
    Viewer::of("hello.etl", |viewer| {
        viewer.keys("w").control('u').keys("refused").press(KeyCode::Enter).work();
        assert!(viewer.screen().contains("refused: no"));
        viewer.press(KeyCode::Esc);
        assert!(viewer.saved.borrow().is_empty());
    });
}

#[test]
fn a_text_that_is_nowhere_leaves_the_selection() {
    Viewer::of("many-processors.etl", |viewer| {
        viewer.keys("jj/").paste("no such text").press(KeyCode::Enter).work();
        assert!(viewer.screen().contains("no further event"), "{}", viewer.screen());
        assert_eq!(viewer.place_after_key().0, 3);
    });
}

#[test]
fn the_next_and_the_previous_event_with_a_text() {
    Viewer::of("values.etl", |viewer| {
        let expected = lines("values.etl", "");
        let name = |line: &str| {
            let rest = line.split("\"event\":\"").nth(1)?;
            Some(rest.split('"').next()?.to_owned())
        };
        let last = expected.lines().filter_map(name).next_back().unwrap();
        let has = |line: &str| line.to_lowercase().contains(&last.to_lowercase());
        let wanted: Vec<u64> = (1..).zip(expected.lines()).filter(|(_, line)| has(line)).map(|(at, _)| at).collect();
        viewer.keys("/").paste(&last).press(KeyCode::Enter).work();
        let first = wanted.iter().copied().find(|number| *number > 1).unwrap();
        assert_eq!(viewer.place_after_key().0, first);
        viewer.keys("GN").work();
        let before = wanted.iter().rev().copied().find(|number| *number < expected.lines().count() as u64);
        if let Some(before) = before {
            assert_eq!(viewer.place_after_key().0, before);
        }
    });
}

#[test]
fn a_time_is_gone_to_also_while_the_list_is_read() {
    Viewer::of("many-processors.etl", |viewer| {
        viewer.keys("G");
        let (last, _) = viewer.place();
        viewer.keys("t0").press(KeyCode::Enter).work();
        assert_eq!(viewer.place_after_key().0, 1);
        viewer.keys("t").paste(&i64::MAX.to_string()).press(KeyCode::Enter).work();
        assert_eq!(viewer.place_after_key().0, last);
        viewer.keys("tyesterday").press(KeyCode::Enter);
        assert!(viewer.screen().contains("yesterday is not a time"));
    });
}

#[test]
fn another_filter_stays_at_the_time() {
    Viewer::of("many-processors.etl", |viewer| {
        viewer.keys("Gkk");
        let (_, time) = viewer.place();
        viewer.keys("fcpu >= 0").press(KeyCode::Enter).work();
        let (_, after) = viewer.place_after_key();
        assert_eq!(after, time);
        viewer.keys("F").work();
        assert_eq!(viewer.place_after_key().1, time);
    });
}

#[test]
fn counts_narrow_the_list_to_as_many_events_as_they_say() {
    let mut checked = 0;
    for name in ["many-processors.etl", "kernel-stacks.etl", "values.etl", "http-sys.etl"] {
        Viewer::of(name, |viewer| {
            let all = viewer.len();
            viewer.keys("c");
            let screen = viewer.screen();
            viewer.press(KeyCode::Esc);
            // Below the pane's title, lines end with a count in the column before the list.
            let counts = screen.lines().skip(6).take(16).map(|line| line.chars().take(25).collect::<String>());
            let counts = counts.map(|line| line.trim_end().rsplit(' ').next().unwrap().replace(',', "").parse().ok());
            for (line, said) in counts.enumerate().filter_map(|(line, said)| Some((line, said?))) {
                let mut count = |key| {
                    viewer.keys("c").keys(&"j".repeat(line)).press(key).work();
                    let count = viewer.len();
                    viewer.keys("F").work().press(KeyCode::Esc);
                    count
                };
                let (only, without) = (count(KeyCode::Enter), count(KeyCode::Char('x')));
                checked += 1;
                assert_eq!((only, without), (said, all - said), "{name}\n{}", screen.lines().nth(6 + line).unwrap());
            }
        });
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn control_and_bidi_characters_of_a_trace_do_not_reach_the_screen() {
    for name in ["values.etl", "string-only.etl", "header-names-cut.etl", "tracelogging-types.etl", "message-items.etl"]
    {
        Viewer::of(name, |viewer| {
            let mut screens = String::new();
            for _ in 0..viewer.len().min(60) {
                viewer.press(KeyCode::Enter).keys("zG");
                screens += &viewer.screen();
                viewer.keys("g");
                screens += &viewer.screen();
                viewer.press(KeyCode::Esc).keys("j");
                screens += &viewer.screen();
            }
            let hazard = screens.chars().find(|c| *c != '\n' && etwkit::render::terminal::is_hazard(*c));
            assert_eq!(hazard, None, "{name}");
        });
    }
}

#[test]
fn every_fixture_is_shown_and_left() {
    let fixtures: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../fixtures"].iter().collect();
    let mut count = 0;
    for entry in std::fs::read_dir(fixtures).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_trace = !name.starts_with("x-") && [".etl", ".btl"].iter().any(|end| name.ends_with(end));
        if !is_trace {
            continue;
        }
        count += 1;
        Viewer::of(&name, |viewer| {
            viewer.press(KeyCode::Enter).keys("GcG").press(KeyCode::Tab).keys("nN").press(KeyCode::Right).work();
            viewer.keys("q");
            assert!(viewer.is_over(), "{name}");
        });
    }
    assert!(count > 40, "{count}");
    Viewer::of("hello.etl", |viewer| assert!(viewer.keys("f").control('c').is_over(), "Ctrl+C ends it anywhere"));
}
