//! Tcl lists: text that Tcl's `lindex` and `dict` read back element by element.

/// Appends an element to a list, with the blank before it.
pub(super) fn push_element(list: &mut String, text: &str) {
    let first = list.is_empty();
    if !first {
        list.push(' ');
    }
    if is_word(text.as_bytes()) {
        return list.push_str(text);
    }
    match quoting(text, first) {
        Quoting::None => list.push_str(text),
        Quoting::Braces => {
            list.push('{');
            list.push_str(text);
            list.push('}');
        }
        Quoting::Escapes { braces } => text.chars().for_each(|c| push_escaped(list, c, braces)),
    }
}

/// Returns a list of these elements.
pub(super) fn list<T: AsRef<str>>(elements: impl IntoIterator<Item = T>) -> String {
    let mut list = String::new();
    elements.into_iter().for_each(|element| push_element(&mut list, element.as_ref()));
    list
}

/// Returns whether a text is an element as it is, at any place of a list. All bytes of a block are looked at, so that
/// the compiler vectorises this.
#[inline]
pub(super) fn is_word(text: &[u8]) -> bool {
    let special = |block: &[u8]| block.iter().fold(0, |found, byte| found | is_special(*byte));
    let (blocks, rest) = text.as_chunks::<16>();
    !text.is_empty() && blocks.iter().all(|block| special(block) == 0) && special(rest) == 0
}

/// Returns whether braces around a text make it an element, as it is and within other braces; `false` also for rare texts
/// that they would.
pub(super) fn needs_braces(text: &[u8]) -> bool {
    const BLANK: u8 = 1;
    const OTHER: u8 = 2;
    let kind = |byte: &u8| match byte {
        b' ' | b'\t' | b'\r' | 0x0B | 0x0C | b'[' | b'$' | b';' | b'\\' => BLANK,
        b'{' | b'}' | b'\n' => OTHER,
        _ => 0,
    };
    text.is_empty() || !text.ends_with(b"\\") && text.iter().fold(0, |all, byte| all | kind(byte)) == BLANK
}

/// Returns 1 for a byte that lists protect, else 0.
#[inline]
const fn is_special(byte: u8) -> u8 {
    let is_blank = (byte == b' ') as u8 | (byte.wrapping_sub(b'\t') < 5) as u8;
    let is_bracket = (byte == b'{') as u8 | (byte == b'}') as u8 | (byte == b'[') as u8 | (byte == b']') as u8;
    let is_syntax = (byte == b'$') as u8 | (byte == b';') as u8 | (byte == b'"') as u8 | (byte == b'\\') as u8;
    is_blank | is_bracket | is_syntax | (byte == b'#') as u8
}

/// How an element is protected, by the rules of Tcl 8.6's own list conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quoting {
    None,
    Braces,
    /// A backslash before each special character; before braces only if `braces` is set.
    Escapes {
        braces: bool,
    },
}

fn quoting(text: &str, first: bool) -> Quoting {
    let Some(start) = text.chars().next() else { return Quoting::Braces };
    let (mut special, mut mild, mut torn) = (matches!(start, '{' | '"'), false, false);
    let mut depth = 0_i64;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '[' | '$' | ';' => special = true,
            ']' | '"' => mild = true,
            '\\' => {
                special = true;
                // Within braces a backslash would take the brace or the line end that follows it.
                torn |= matches!(chars.next(), None | Some('\n'));
            }
            _ => {}
        }
        torn |= depth < 0;
    }
    match () {
        () if torn || depth != 0 => Quoting::Escapes { braces: true },
        () if special => Quoting::Braces,
        () if mild => Quoting::Escapes { braces: false },
        // As the first element it would read as a comment where a list is run as a command.
        () if first && start == '#' => Quoting::Braces,
        () => Quoting::None,
    }
}

fn push_escaped(list: &mut String, c: char, braces: bool) {
    let letter = match c {
        '\n' => 'n',
        '\t' => 't',
        '\r' => 'r',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        ' ' | '[' | ']' | '$' | ';' | '"' | '\\' => c,
        '{' | '}' if braces => c,
        '#' if list.is_empty() => c,
        _ => return list.push(c),
    };
    list.push('\\');
    list.push(letter);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_protected_as_tcl_does() {
        for (text, element) in [
            ("", "{}"),
            ("plain::name", "plain::name"),
            ("two words", "{two words}"),
            ("{}", "{{}}"),
            ("a{b}c", "a{b}c"),
            ("info exists state(status)", "{info exists state(status)}"),
            ("a[b", "{a[b}"),
            ("$x", "{$x}"),
            ("C:\\src\\http.etl", "{C:\\src\\http.etl}"),
            ("a]", "a\\]"),
            ("a\"b", "a\\\"b"),
            ("\"a", "{\"a}"),
            ("}{", "\\}\\{"),
            ("a } b", "a\\ \\}\\ b"),
            ("ends \\", "ends\\ \\\\"),
            ("odd {\n", "odd\\ \\{\\n"),
            ("#c", "{#c}"),
        ] {
            assert_eq!(list([text]), element, "{text:?}");
        }
        assert_eq!(list(["a", "#c", "", "d e"]), "a #c {} {d e}");
    }

    #[test]
    fn words_need_no_protection() {
        for c in (0..0x3000).filter_map(char::from_u32) {
            let text = format!("{c}a");
            for first in [true, false] {
                assert!(!is_word(text.as_bytes()) || quoting(&text, first) == Quoting::None, "{c:?}");
            }
        }
        assert!(is_word("a.b:c-d/é".as_bytes()) && !is_word(b""));
        for byte in b" \t\n\r\x0b\x0c{}[]$;\"\\#" {
            assert!(!is_word(&[*byte]) && !is_word(&[b"words of a line "[0], *byte]));
        }
    }

    #[test]
    fn braces_are_those_of_lists_within_lists() {
        let texts = [
            "",
            "a b",
            "C:\\x",
            "\\\\server",
            "a[0]",
            "$x;y",
            "\"a b",
            "# a",
            "a\tb",
            "é b",
            "a]",
            "x\\",
            "{",
            "a}b c",
            "a\n b",
            "#",
            "a",
        ];
        let taken = texts.iter().filter(|text| needs_braces(text.as_bytes()));
        let count =
            taken.inspect(|text| assert_eq!(list([list([text])]), format!("{{{{{text}}}}}"), "{text:?}")).count();
        assert_eq!(count, 10);
    }

    #[test]
    fn lists_within_lists_are_read_back() {
        let inner = list(["http::geturl http://www.google.com"]);
        assert_eq!(list(["Command", &inner]), "Command {{http::geturl http://www.google.com}}");
        assert_eq!(list(["Code", &list([""])]), "Code {{}}");
    }
}
