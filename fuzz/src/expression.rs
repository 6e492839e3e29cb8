//! Filter expressions.

use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::query::Expression;
use etwkit::trace::{Filter, Trace};
use etwkit_tracelogging::TraceLogging;

thread_local! {
    static CENSUS: Option<Trace> = census();
}

fn census() -> Option<Trace> {
    let bytes = include_bytes!("../../fixtures/tracelogging-types.etl").as_slice();
    let parsers = Parsers::none().with(TraceLogging);
    Trace::open(Input::bytes("fixture", bytes), parsers).ok()
}

/// What reads as an expression prints as one that is the same, and picks no more events than there are, without
/// an error; it and its opposite together pick all.
pub fn expression(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(expression) = text.parse::<Expression>() else { return };
    let printed = expression.to_string();
    match printed.parse::<Expression>() {
        Ok(again) => assert_eq!(again, expression, "{printed}"),
        Err(error) => panic!("{printed}: {error}"),
    }
    CENSUS.with(|trace| {
        let Some(trace) = trace else { panic!("the fixture cannot be read") };
        let picked = picked(trace, expression);
        // One level deeper: too deep for a few.
        let Ok(opposite) = format!("not ({printed})").parse() else { return };
        assert_eq!(picked + self::picked(trace, opposite), trace.events_total());
    });
}

fn picked(trace: &Trace, expression: Expression) -> u64 {
    let filter = Filter::default().expression(expression);
    let mut events = trace.select(&filter);
    let mut count = 0;
    loop {
        match events.next_raw() {
            Ok(Some(_)) => count += 1,
            Ok(None) => return count,
            Err(error) => panic!("{error}"),
        }
    }
}
