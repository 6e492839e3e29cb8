//! How loud it is, and in which colours.

use super::Folder;

#[test]
fn verbose_tells_what_was_read_and_how_long_it_took() {
    let folder = Folder::with(&["hello.etl", "compressed-xpress.etl"]);
    for command in [&["dump"][..], &["count"], &["info"], &["dump", "--format", "text"]] {
        let quiet = folder.run(&[command, &["hello.etl", "compressed-xpress.etl"]].concat());
        let run = folder.run(&[command, &["-v", "hello.etl", "compressed-xpress.etl"]].concat());
        assert_eq!((run.code, &run.out), (quiet.code, &quiet.out), "stdout is data only: {command:?}");
        for part in [
            "detail: hello.etl: ",
            "detail: compressed-xpress.etl: ",
            " compressed), ",
            "detail: schemas from ",
            "detail: read ",
            " MB/s",
        ] {
            assert!(run.err.contains(part), "{command:?}: no {part:?} in {}", run.err);
        }
        // The first pass has counted what `count` prints.
        assert_eq!(run.err.contains("detail: decoded "), command[0] == "dump", "{}", run.err);
        assert!(!quiet.err.contains("detail"), "{}", quiet.err);
    }
}

#[test]
fn details_are_counts_that_hold() {
    let folder = Folder::with(&["hello.etl"]);
    let err = folder.run(&["count", "-v", "hello.etl"]).err;
    let line = err.lines().find(|line| line.contains("hello.etl: ")).unwrap();
    let info = folder.run(&["info", "--json", "hello.etl"]).out;
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    assert!(line.ends_with(&format!("{} events", info["events"])), "{line}");
    assert!(line.contains(&format!(" {} buffers", info["buffers"])), "{line}");
    assert!(err.contains("detail: read 24,576 bytes in "), "{err}");
    let counted = |line: &str| line.rsplit(", ").next().unwrap().split(' ').next().unwrap().parse::<u64>().unwrap();
    let by_source: u64 = err.lines().filter(|line| line.contains(" of events, ")).map(counted).sum();
    assert_eq!(Some(by_source), info["events"].as_u64(), "{err}");
}

#[test]
fn quiet_says_errors_only() {
    let folder = Folder::with(&["hello.etl", "damaged-event-size.etl"]);
    let run = folder.run(&["-q", "dump", "hello.etl", "--provider", "nobody"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(folder.run(&["-q", "count", "damaged-event-size.etl"]).err, "");
    let run = folder.run(&["-q", "dump", "missing.etl"]);
    assert!(run.code == 2 && run.err.starts_with("error: missing.etl"), "{}", run.err);
}

#[test]
fn filters_that_nothing_passes_are_told() {
    let folder = Folder::with(&["hello.etl"]);
    for command in ["dump", "count"] {
        let run = folder.run(&[command, "hello.etl", "--provider", "nobody"]);
        assert_eq!(run.code, 0);
        assert!(run.err.contains("none of 11 events meets the conditions"), "{}", run.err);
    }
}

#[test]
fn colours_are_a_choice_for_help_and_errors_too() {
    let folder = Folder::with(&["hello.etl"]);
    let escapes = |arguments: &[&str], variable: Option<(&str, &str)>| {
        let run = super::Run::from(folder.command(arguments).envs(variable).output().unwrap());
        (run.out + &run.err).contains('\u{1b}')
    };
    for arguments in [&["--help"][..], &["info", "hello.etl"], &["info", "missing.etl"], &["dump", "--nonsense"]] {
        assert!(!escapes(arguments, None), "{arguments:?}: a pipe");
        for always in [&["--color", "always"][..], &["--color=always"]] {
            assert!(escapes(&[always, arguments].concat(), None), "{arguments:?}");
        }
        let forced = Some(("CLICOLOR_FORCE", "1"));
        assert!(escapes(arguments, forced), "{arguments:?}: as CLICOLOR_FORCE wants it");
        assert!(!escapes(&[&["--color", "never"], arguments].concat(), forced), "{arguments:?}");
        assert!(!escapes(arguments, Some(("NO_COLOR", "1"))), "{arguments:?}");
    }
}
