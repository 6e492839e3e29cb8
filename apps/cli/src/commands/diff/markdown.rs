//! Changes as tables in Markdown.

use std::io::{self, Write};

use etwkit::render::terminal;
use etwkit_analysis::Value;

use super::compared::{Compared, shown};

/// Writes a heading and a table for each table that changed.
pub(super) fn write(compared: &Compared, out: &mut dyn Write) -> io::Result<()> {
    let mut is_any = false;
    for (table, changes) in compared.parts() {
        if std::mem::replace(&mut is_any, true) {
            writeln!(out)?;
        }
        writeln!(
            out,
            "### {table}\n\n| key | column | before | after | change | per cent |\n|---|---|--:|--:|--:|--:|"
        )?;
        for change in changes {
            let signed = |number: Option<f64>| match number {
                Some(number) if number > 0.0 => format!("+{}", shown(number)),
                Some(number) => shown(number),
                None => String::new(),
            };
            writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} |",
                escaped(&change.key),
                escaped(&change.column),
                value(&change.before),
                value(&change.after),
                signed(change.delta()),
                change.percent().map_or_else(String::new, |percent| format!("{percent:+.1}")),
            )?;
        }
    }
    if !is_any {
        writeln!(out, "No change.")?;
    }
    out.flush()
}

fn value(value: &Value) -> String {
    match value {
        Value::Text(text) => escaped(text),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => shown(*number),
        _ => String::new(),
    }
}

/// Text that no Markdown renderer takes for markup or makes a link of: traces contain untrusted text.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if terminal::is_hazard(c) => out.push(' '),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '!' | '~' | '@' | ':' => out.extend(['\\', c]),
            // GitHub makes links of names that begin so.
            '.' if out.ends_with("www") => out.push_str("\\."),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_trace_is_no_markup() {
        assert_eq!(escaped("a|b\u{202e}<img src=x> [x](y) @me"), r"a\|b &lt;img src=x&gt; \[x\](y) \@me");
        assert_eq!(escaped("https://a.example www.b.example"), r"https\://a.example www\.b.example");
    }
}
