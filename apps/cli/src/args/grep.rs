//! `--grep`: a text anywhere in an event, as a condition.

use etwkit::query::Expression;

/// The condition that a name, the message or a value has the text, in any letter case.
pub(super) fn parse(text: &str) -> Result<Expression, String> {
    Expression::shows(text).ok_or_else(|| "the text is empty or too long".to_owned())
}
