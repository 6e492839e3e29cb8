//! Filter expressions.

use etwkit::parser::Parsers;
use etwkit::query::Expression;
use etwkit::source::Source;
use etwkit::trace::{Census, Filter, Order, Trace};
use etwkit_tracelogging::TraceLogging;

thread_local! {
    static CENSUS: Option<Census> = census();
}

fn census() -> Option<Census> {
    let bytes = include_bytes!("../../fixtures/tracelogging-types.etl").as_slice();
    let parsers = Parsers::none().with(TraceLogging);
    Trace::open(Source::bytes("fixture", bytes), parsers).ok()?.census().ok()
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
    CENSUS.with(|census| {
        let Some(census) = census else { panic!("the fixture cannot be read") };
        let picked = picked(census, expression);
        // One level deeper: too deep for a few.
        let Ok(opposite) = format!("not ({printed})").parse() else { return };
        assert_eq!(picked + self::picked(census, opposite), census.events_total());
    });
}

fn picked(census: &Census, expression: Expression) -> u64 {
    let filter = Filter { expression: Some(expression), ..Filter::default() };
    let mut events = census.events(Order::Time, &filter);
    let mut count = 0;
    loop {
        match events.next_raw() {
            Ok(Some(_)) => count += 1,
            Ok(None) => return count,
            Err(error) => panic!("{error}"),
        }
    }
}
