//! Traces without personal data.

use etwkit::error::ErrorKind;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::{RawTrace, Trace};
use etwkit_redact::{Error, Key, Options, Redaction};

/// The word that is looked for.
const WORD: &[u8] = b"marguerite";

/// Opens the bytes as a trace and redacts it. If the last scan passes, the output is as long as the input, unless
/// buffers were compressed, and the word of the list is not in it, in 8 bits and in 16.
pub fn redact(data: &[u8]) {
    let Ok(trace) = open(data) else { return };
    let word = String::from_utf8_lossy(WORD);
    let options = Options::default().key(Key::of(b"fuzz")).words([word.as_ref()]);
    let mut out = Vec::new();
    let redacted = Redaction::collect(&trace, &options).and_then(|mut redaction| {
        let report = redaction.write(&trace, &mut out)?;
        Ok((redaction, report))
    });
    let (redaction, report) = match redacted {
        Ok(redacted) => redacted,
        Err(Error::Refused { .. } | Error::Damaged { .. } | Error::Limit { .. }) => return,
        Err(error) => panic!("memory can be read and written: {error}"),
    };
    assert!(report.unpacked_buffers > 0 || out.len() == data.len(), "no byte moves");
    let written = match open(&out) {
        Ok(written) => written,
        Err(error) => {
            let is_unrecognized = matches!(error.kind(), ErrorKind::NotATrace(_));
            let is_headerless = trace.files().iter().all(|file| file.head.is_missing());
            assert!(is_unrecognized && is_headerless, "an output is a trace: {error}");
            return;
        }
    };
    match redaction.check(&trace, &written) {
        Ok(()) => {}
        // A word in a header of numbers is refused, not changed, as is a word that numbers of a payload make up.
        Err(Error::Left { .. } | Error::Changed { .. } | Error::Described { .. }) => return,
        Err(error) => panic!("memory can be read: {error}"),
    }
    assert_eq!(trace.events_total(), written.events_total(), "an output has the same events");
    let clock = |trace: &Trace| trace.files().first().map(|file| file.head.clock);
    assert_eq!(clock(&trace), clock(&written), "an output has the same clock");
    let wide: Vec<u8> = WORD.iter().flat_map(|byte| [*byte, 0]).collect();
    let lower = out.to_ascii_lowercase();
    for form in [WORD, &wide] {
        assert!(!lower.windows(form.len()).any(|part| part == form), "a word is left");
    }
}

fn open(data: &[u8]) -> etwkit::Result<Trace> {
    let parsers = Parsers::none().with(etwkit_tracelogging::TraceLogging);
    let trace = RawTrace::open(Input::bytes("fuzz", data))?;
    match trace.decode(parsers) {
        Ok(trace) => Ok(trace),
        Err(error) => panic!("memory can be read: {error}"),
    }
}
