//! The head of a request (RFC 9112).

/// A request without its body.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request<'h> {
    pub(super) method: &'h str,
    pub(super) target: &'h str,
    headers: Vec<(&'h str, &'h str)>,
}

impl<'h> Request<'h> {
    /// Reads a head, which ends before its empty line. `None` if it has another form; folded lines are one.
    pub(super) fn parse(head: &'h str) -> Option<Self> {
        let mut lines = head.split("\r\n");
        let (method, target) = first_line(lines.next()?)?;
        Some(Self { method, target, headers: lines.map(header).collect::<Option<_>>()? })
    }

    /// The values of a header, in the order of the request.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &'h str> {
        self.headers.iter().filter(move |(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }
}

/// Method and target.
fn first_line(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let is_target = !target.is_empty() && target.bytes().all(|byte| byte.is_ascii_graphic());
    let is_version = matches!(version, "HTTP/1.0" | "HTTP/1.1");
    (words.next().is_none() && is_token(method) && is_target && is_version).then_some((method, target))
}

/// Name and value.
fn header(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let is_value = value.bytes().all(|byte| byte == b'\t' || !byte.is_ascii_control());
    (is_token(name) && is_value).then(|| (name, value.trim_matches([' ', '\t'])))
}

/// Returns whether a text is a token of RFC 9110.
fn is_token(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\nx-A:\t b c \r\nX-a: \u{fffd}";

    #[test]
    fn names_have_no_case_and_values_no_blanks_around_them() {
        let request = Request::parse(HEAD).unwrap();
        assert_eq!((request.method, request.target), ("GET", "/a"));
        assert_eq!(request.values("host").collect::<Vec<_>>(), ["127.0.0.1:80"]);
        assert_eq!(request.values("X-A").collect::<Vec<_>>(), ["b c", "\u{fffd}"]);
        assert_eq!(request.values("Range").next(), None);
        assert!(Request::parse("HEAD * HTTP/1.0").is_some());
    }

    #[test]
    fn every_other_form_is_refused() {
        let lines = ["", "GET", "GET /", "GET / HTTP/1.1 ", "GET  / HTTP/1.1", " GET / HTTP/1.1", "GET / HTTP/2.0"];
        let lines = lines.into_iter().chain(["G(T / HTTP/1.1", "GET /\u{e9} HTTP/1.1", "GET /\t HTTP/1.1"]);
        for line in lines {
            assert_eq!(Request::parse(line), None, "{line:?}");
        }
        for header in ["", "X", ": x", "X : x", " X: x", "X: a\nY: b", "X: a\rb", "X: \0", "X: \x7f", "\u{e9}: x"] {
            assert_eq!(Request::parse(&format!("GET / HTTP/1.1\r\n{header}")), None, "{header:?}");
        }
    }

    #[test]
    fn no_cut_and_no_change_of_a_byte_yields_what_was_not_sent() {
        for (at, _) in HEAD.char_indices() {
            let (before, behind) = HEAD.split_at(at);
            for byte in (0..0x80u8).map(char::from) {
                let changed = format!("{before}{byte}{}", behind.get(1..).unwrap_or_default());
                for head in [before, &changed] {
                    let Some(request) = Request::parse(head) else { continue };
                    let parts = request.headers.iter().flat_map(|(name, value)| [*name, *value]);
                    let is_sent = |part: &str| head.contains(part) && !part.contains(['\r', '\n', '\0']);
                    assert!(parts.chain([request.method, request.target]).all(is_sent), "{head:?}");
                }
            }
        }
    }
}
