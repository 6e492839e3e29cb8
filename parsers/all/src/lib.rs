//! All parsers of etwkit, in the order in which they are asked.

use etwkit::parser::Parsers;

/// Every parser whose feature is on.
pub fn standard() -> Parsers {
    Parsers::none()
}
