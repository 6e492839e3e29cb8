//! The page around its data.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, Serializer};
use sha2::{Digest, Sha256};

use crate::model::Page;

/// Joins files of the page's code.
macro_rules! joined {
    ($($file:literal),* $(,)?) => {
        concat!($(include_str!(concat!("../page/", $file)), "\n"),*)
    };
}

const STYLE: &str = joined!("css/base.css", "css/lanes.css", "css/tables.css", "css/print.css");
const SCRIPT: &str = joined!(
    "js/start.js",
    "js/text.js",
    "js/halves.js",
    "js/dom.js",
    "js/numbers.js",
    "js/axis.js",
    "js/colors.js",
    "js/draw.js",
    "js/lanes.js",
    "js/hover.js",
    "js/keys.js",
    "js/rows.js",
    "js/table.js",
    "js/flame.js",
    "js/head.js",
    "js/main.js",
);
const BODY: &str = include_str!("../page/body.html");

/// Writes a page. Its script and style are allowed by their hashes, and nothing else is: no network, no other script.
/// The contents of the trace are untrusted data, in which no character can end the element that it is in.
///
/// # Errors
///
/// Those of the writer.
pub fn html(page: &Page, out: &mut dyn Write) -> io::Result<()> {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    );
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Trace report</title>\n\
         <style>{STYLE}</style>\n</head>\n{BODY}<script type=\"application/json\" id=\"data\">"
    )?;
    page.serialize(&mut Serializer::with_formatter(&mut *out, Harmless)).map_err(io::Error::from)?;
    write!(out, "</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n")?;
    out.flush()
}

/// The hash of an element's text, as a policy names it.
fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |place: usize| u32::from(chunk.get(place).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = word >> (18 - 6 * digit) & 63;
            let shown = DIGITS.get(value as usize).copied().filter(|_| digit <= chunk.len());
            text.push(char::from(shown.unwrap_or(b'=')));
        }
    }
    text
}

/// JSON in which nothing ends a script, and nothing changes how a reader of the source sees it: characters that are not
/// printable ASCII, and `<`, `>` and `&`, are written by number.
struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        for c in fragment.chars() {
            match c {
                '<' | '>' | '&' | '\u{7f}'..='\u{9f}' => write!(writer, "\\u{:04x}", u32::from(c))?,
                c if etwkit::render::terminal::is_hazard(c) || c == '\u{2028}' || c == '\u{2029}' => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        write!(writer, "\\u{unit:04x}")?;
                    }
                }
                c => writer.write_all(c.encode_utf8(&mut [0; 4]).as_bytes())?,
            }
        }
        Ok(())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        match escape {
            CharEscape::AsciiControl(byte) => write!(writer, "\\u{byte:04x}"),
            CharEscape::Quote => writer.write_all(b"\\\""),
            CharEscape::ReverseSolidus => writer.write_all(b"\\\\"),
            CharEscape::Solidus => writer.write_all(b"\\/"),
            CharEscape::Backspace => writer.write_all(b"\\b"),
            CharEscape::FormFeed => writer.write_all(b"\\f"),
            CharEscape::LineFeed => writer.write_all(b"\\n"),
            CharEscape::CarriageReturn => writer.write_all(b"\\r"),
            CharEscape::Tab => writer.write_all(b"\\t"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        assert_eq!([base64(b"f"), base64(b"fo"), base64(b"foo")], ["Zg==", "Zm8=", "Zm9v"]);
        assert_eq!(hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn no_text_ends_the_data() {
        let title = "</script><script>alert(1)</script>\u{202e}\u{1b}[31m\u{2028}<!--\"\\".to_owned();
        let page = Page { title: title.clone(), ..Page::default() };
        let mut out = Vec::new();
        html(&page, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let data = text.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
        assert!(data.chars().all(|c| (' '..='~').contains(&c) && !"<>&".contains(c)), "{data}");
        let read: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(read["title"], title);
    }

    #[test]
    fn the_code_is_small_and_cannot_end_its_own_element() {
        assert!(STYLE.len() + SCRIPT.len() + BODY.len() < 400 << 10);
        assert!(!SCRIPT.contains("</script") && !SCRIPT.contains("<!--") && !STYLE.contains("</style"));
        for outside in ["http:", "https:", "innerHTML", "eval(", "import("] {
            assert!(!SCRIPT.replace("http://www.w3.org/2000/svg", "").contains(outside), "{outside}");
        }
    }
}
