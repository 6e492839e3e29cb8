//! How traces are redacted and compared.

use etwkit::trace::{Filter, Order};
use etwkit::{Input, Trace};
use etwkit_redact::{Error, Key, Options, Redaction, Report, Secret};

/// What became of a trace.
#[derive(Debug)]
pub(crate) struct Redacted {
    pub(crate) bytes: Vec<u8>,
    pub(crate) report: Report,
    pub(crate) secrets: Vec<Secret>,
}

pub(crate) fn open(bytes: &[u8]) -> Trace {
    Trace::open(Input::bytes("made", bytes), etwkit_parsers::standard()).unwrap()
}

/// Redacts a trace and checks the output.
pub(crate) fn redact(trace: &Trace, words: &[&str]) -> Result<Redacted, Error> {
    let options = Options::default().key(Key::of(b"test")).words(words.iter().copied());
    let mut redaction = Redaction::collect(trace, &options)?;
    let mut bytes = Vec::new();
    let report = redaction.write(trace, &mut bytes)?;
    redaction.check(trace, &open(&bytes))?;
    Ok(Redacted { report, secrets: redaction.secrets().collect(), bytes })
}

/// Returns the names of the fields of all events in the order of the file, and whether all of the payload was read.
pub(crate) fn fields(trace: &Trace) -> Vec<(String, Vec<String>, bool)> {
    let (mut events, mut list) = (trace.events_in(Order::File, &Filter::default()), Vec::new());
    while let Some(event) = events.next().unwrap() {
        let row = trace.type_of(event.raw());
        let name = row.and_then(|row| row.name()).unwrap_or_default().to_owned();
        let fields = event.fields().map(|field| field.name().to_owned()).collect();
        list.push((name, fields, event.fit().is_whole()));
    }
    list
}

/// Returns whether bytes have a text in UTF-16 of either order or in 8 bits, in whatever case.
pub(crate) fn has_text(bytes: &[u8], text: &str) -> bool {
    let lower = bytes.to_ascii_lowercase();
    let latin: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    let mut forms: Vec<Vec<u8>> = latin.into_iter().collect();
    for text in [text.to_lowercase(), text.to_uppercase(), text.to_owned()] {
        forms.push(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
        forms.push(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
        forms.push(text.into_bytes());
    }
    forms.iter().any(|form| has(&lower, &form.to_ascii_lowercase()))
}

/// Returns whether bytes have others.
pub(crate) fn has(bytes: &[u8], part: &[u8]) -> bool {
    let mut starts = bytes.iter().enumerate().filter(|(_, byte)| **byte == part[0]);
    starts.any(|(at, _)| bytes[at..].starts_with(part))
}
