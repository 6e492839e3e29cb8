//! `counters` over real performance logs: to the byte what relog makes of them.
//!
//! The corpus lies in `ETWKIT_SHARED`, or in `shared` beside the repository.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::process::Command;

/// Returns what `counters` prints of the log in the corpus, and the file that relog made of it.
fn both(form: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let log = etwkit_corpus::path("blg/CounterSamples.blg")?;
    let made = std::fs::read(log.with_extension(form)).unwrap();
    let arguments = ["-q", "counters", "--format", form, log.to_str().unwrap()];
    let output = Command::new(env!("CARGO_BIN_EXE_etwkit")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    Some((output.stdout, made))
}

#[test]
fn csv_is_that_of_relog() {
    let Some((ours, relog)) = both("csv") else { return };
    // The zone's display name, not the reference `@tzres.dll,-212` that the log has.
    assert!(ours.starts_with(b"\"(PDH-CSV 4.0) (Pacific Standard Time)(480)\","));
    assert!(ours == relog, "{}", String::from_utf8_lossy(&ours));
}

#[test]
fn tsv_is_that_of_relog() {
    let Some((ours, relog)) = both("tsv") else { return };
    assert!(ours.starts_with(b"\"(PDH-TSV 4.0) (Pacific Standard Time)(480)\"\t"));
    assert!(ours == relog, "{}", String::from_utf8_lossy(&ours));
}

#[test]
fn rows_of_several_logs_name_their_file() {
    let Some(folder) = etwkit_corpus::path("blg") else { return };
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_etwkit")).current_dir(&folder).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let both = ["counters", "-q", "CounterSamples.blg", "BadCounterSamples.blg", "-f", "jsonl"];
    // The samples are in order of time.
    let files: Vec<_> = run(&both).lines().map(|line| line.split('"').nth(7).unwrap().to_owned()).collect();
    let of = |name| files.iter().filter(|file| *file == name).count();
    assert_eq!((of("CounterSamples.blg"), of("BadCounterSamples.blg")), (25, 275));
    let one = run(&[&both[..], &["-n", "1", "-w", "file == BadCounterSamples.blg", "--fields", "file"]].concat());
    assert_eq!(one, "{\"file\":\"BadCounterSamples.blg\"}\n");
    assert!(!run(&["counters", "-q", "CounterSamples.blg", "-f", "jsonl", "-n", "1"]).contains("\"file\""));
}
