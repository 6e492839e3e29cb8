//! What the viewer shows of fixtures, in the window of a plain terminal.

use crate::viewer::{DAMAGED, Viewer};
use crossterm::event::KeyCode;

#[test]
fn the_list_with_its_histogram() {
    Viewer::of("many-processors.etl", |viewer| insta::assert_snapshot!(viewer.screen()));
}

#[test]
fn the_fields_of_an_event_with_the_bytes_of_one() {
    Viewer::of("kernel-stacks.etl", |viewer| {
        viewer.press(KeyCode::Down).press(KeyCode::Enter).press(KeyCode::Down);
        insta::assert_snapshot!(viewer.screen());
        viewer.keys("zG");
        insta::assert_snapshot!(viewer.screen());
    });
}

#[test]
fn an_event_without_names_is_known_by_the_numbers_of_the_list() {
    Viewer::of("many-processors.etl", |viewer| {
        viewer.press(KeyCode::Down).press(KeyCode::Enter);
        let title = "event 2 of 151: 5e7a1000-0001-4b1d-9c0d-e7a51d0c0001 100 ";
        assert!(viewer.screen().contains(title), "{}", viewer.screen());
    });
}

#[test]
fn one_event_is_in_the_singular() {
    Viewer::of("many-processors.etl", |viewer| {
        viewer.keys("c").press(KeyCode::Down).press(KeyCode::Char('x')).work();
        assert!(viewer.screen().lines().nth(1).unwrap().ends_with(" 1 event"), "{}", viewer.screen());
    });
}

#[test]
fn counts_beside_the_list() {
    Viewer::of("many-processors.etl", |viewer| {
        viewer.keys("c");
        insta::assert_snapshot!(viewer.screen());
        viewer.press(KeyCode::Down).press(KeyCode::Char('x')).work();
        assert_eq!(viewer.len(), 1, "all events of one provider were left out");
    });
}

#[test]
fn a_mistake_in_a_filter_is_shown_at_its_place_and_the_list_stays() {
    Viewer::of("many-processors.etl", |viewer| {
        let all = viewer.len();
        viewer.keys("fcpu == 1 and (pid ").work();
        insta::assert_snapshot!(viewer.screen());
        assert_ne!(viewer.len(), 0);
        viewer.press(KeyCode::Esc).work();
        assert_eq!(viewer.len(), all, "Esc brings the filter before back");
    });
}

#[test]
fn names_are_completed() {
    Viewer::of("many-processors.etl", |viewer| {
        viewer.keys("fprov").press(KeyCode::Tab);
        insta::assert_snapshot!(viewer.screen());
    });
}

#[test]
fn the_help_scrolls_and_closes() {
    Viewer::of("hello.etl", |viewer| {
        let before = viewer.screen();
        viewer.keys("?");
        insta::assert_snapshot!(viewer.screen());
        viewer.keys("jjj");
        let end = viewer.screen();
        viewer.keys("jjj");
        assert_eq!(viewer.screen(), end, "it does not scroll beyond its end");
        viewer.keys("x");
        assert_eq!(viewer.screen(), before);
    });
}

#[test]
fn a_damaged_trace_says_so() {
    for name in DAMAGED {
        Viewer::of(name, |viewer| assert!(viewer.screen().contains("damaged, "), "{name}\n{}", viewer.screen()));
    }
    Viewer::of("damaged-truncated.etl", |viewer| insta::assert_snapshot!(viewer.screen()));
}

#[test]
fn colours_can_be_left_out() {
    let reset = ratatui::style::Color::Reset;
    for (are_wanted, has_them) in [(true, true), (false, false)] {
        Viewer::of("values.etl", |viewer| {
            let cells = viewer.colors(are_wanted);
            assert_eq!(cells.iter().any(|color| *color != reset), has_them);
        });
    }
}

#[test]
fn every_size_of_the_window_is_drawn() {
    Viewer::of("kernel-stacks.etl", |viewer| {
        viewer.keys("c").press(KeyCode::Enter).press(KeyCode::Tab).press(KeyCode::Enter).keys("f");
        for (width, height) in [(1, 1), (39, 24), (80, 9), (40, 10), (41, 16), (80, 24), (131, 17), (300, 100)] {
            viewer.resize(width, height);
            let screen = viewer.screen();
            assert_eq!(screen.lines().count(), usize::from(height));
        }
        viewer.resize(20, 5);
        assert!(viewer.screen().starts_with("needs 40 x 10"));
    });
}
