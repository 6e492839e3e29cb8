//! `--grep`: a text anywhere in an event, as a condition.

use etwkit::query::Expression;

/// What is shown of an event, apart from its payload.
const SHOWN: [&str; 4] = ["provider", "event", "process", "message"];

/// The condition that one of the names, the message or a field has the text, in any letter case.
pub(super) fn parse(text: &str) -> Result<Expression, String> {
    if text.is_empty() {
        return Err("the text is empty".to_owned());
    }
    let plain = pattern(text);
    let mut parts: Vec<String> = SHOWN.iter().map(|name| format!("header.{name} ~ {plain}")).collect();
    // The text of all fields is JSON, which escapes backslashes and quotes.
    let json = serde_json::Value::from(text).to_string();
    let json = json.get(1..json.len() - 1).unwrap_or_default();
    parts.push(format!("header.fields ~ {}", pattern(json)));
    parts.join(" or ").parse().map_err(|error: etwkit::select::SyntaxError| error.to_string())
}

/// A regular expression that finds this text, in the quotes of an expression. There, two backslashes are one.
fn pattern(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str(r#"\""#),
            '\\' => quoted.push_str(r"\\\\"),
            _ if c.is_ascii_punctuation() => quoted.extend(['\\', '\\', c]),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_looked_for_as_it_is() {
        assert_eq!(pattern(r#"C:\a.[^"x"#), r#""C\\:\\\\a\\.\\[\\^\"x""#);
        let condition = parse(r"C:\Win[dows").unwrap().to_string();
        assert!(condition.starts_with("header.provider ~ "), "{condition}");
        assert!(parse("").is_err());
    }
}
