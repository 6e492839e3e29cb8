//! Real traces.

use etwkit::Trace;
use etwkit_redact::Error;

use crate::run::{fields, has_text, open, redact};

#[test]
fn fixtures_are_redacted_whatever_is_damaged() {
    let mut count = 0;
    for fixture in etwkit_synth::fixtures().into_iter().filter(|fixture| fixture.expected.is_trace()) {
        let trace = open(&fixture.bytes);
        let redacted = match redact(&trace, &["synth"]) {
            Ok(redacted) => redacted,
            Err(Error::Refused { .. }) => continue,
            Err(error) => panic!("{}: {error}", fixture.name),
        };
        count += 1;
        assert!(!has_text(&redacted.bytes, "synth"), "{}", fixture.name);
        if redacted.report.unpacked_buffers == 0 {
            assert_eq!(redacted.bytes.len(), fixture.bytes.len(), "{}", fixture.name);
        }
        let events = |trace: &Trace| -> Vec<bool> { fields(trace).into_iter().map(|(_, _, fits)| fits).collect() };
        assert_eq!(events(&trace), events(&open(&redacted.bytes)), "{}", fixture.name);
    }
    assert!(count > 40, "{count}");
}

/// Larger files take minutes.
const MOST_BYTES: u64 = 20 << 20;

#[test]
fn real_traces_have_the_same_events_and_no_users() {
    let mut wrong = Vec::new();
    for (name, path) in etwkit_corpus::traces() {
        if std::fs::metadata(&path).unwrap().len() > MOST_BYTES {
            continue;
        }
        let Ok(trace) = Trace::open(&path, etwkit_parsers::standard()) else { continue };
        let redacted = match redact(&trace, &[]) {
            Ok(redacted) => redacted,
            Err(Error::Refused { .. }) => continue,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        let (old, new) = (fields(&trace), fields(&open(&redacted.bytes)));
        // Names of fields may have a word that is secret; how many there are does not change.
        let counts = |fields: &[(String, Vec<String>, bool)]| -> Vec<_> {
            fields.iter().map(|(_, fields, fits)| (fields.len(), *fits)).collect()
        };
        if counts(&old) != counts(&new) {
            wrong.push(format!("{name}: other events"));
        }
        let is_plain = redacted.report.unpacked_buffers == 0;
        if is_plain && redacted.bytes.len() as u64 != std::fs::metadata(&path).unwrap().len() {
            wrong.push(format!("{name}: another size"));
        }
        let user = |secret: &&etwkit_redact::Secret| secret.kind == etwkit_redact::Kind::User && secret.text.len() > 5;
        for secret in redacted.secrets.iter().filter(user) {
            for path in [format!(r"\Users\{}\", secret.text), format!(r"\\Users\\{}\\", secret.text)] {
                if has_text(&redacted.bytes, &path) {
                    wrong.push(format!("{name}: {path}"));
                }
            }
        }
        if std::env::var_os("ETWKIT_SHOW").is_some() {
            let by_kind = redacted.report.by_kind();
            let changed = redacted.report.changed;
            let _ = std::io::Write::write_all(
                &mut std::io::stderr(),
                format!("{name}: {changed} of {}, {by_kind:?}\n", old.len()).as_bytes(),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
