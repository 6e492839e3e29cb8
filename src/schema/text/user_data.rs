//! The elements of `UserData`: `Opened(@xmlns("urn:sample") Kind(%1) "text" Count(%2))`.

use std::fmt;

use crate::limits;
use crate::schema::{UserData, UserPart};

use super::fault::{Fault, Read};
use super::input::Input;
use super::lex::{self, boxed};
use super::quoted::{Name, Quoted};

/// Reads a tree, its root first. Depth is counted, so that no text can make it recurse.
pub(super) fn read(input: &mut Input<'_>) -> Read<UserData> {
    let start = input.place();
    let (mut parts, mut depth, mut bytes) = (Vec::new(), 0_usize, 0_usize);
    loop {
        let part = part(input, depth > 0)?;
        match part {
            UserPart::Element(_) | UserPart::Attribute(_) => depth += 1,
            UserPart::End => depth -= 1,
            UserPart::Text(_) | UserPart::Field(_) => {}
        }
        bytes += size_of::<UserPart>();
        if bytes > limits::MAX_USER_DATA {
            return Err(Fault::wrong(start, format!("`user-data` has more than {} bytes", limits::MAX_USER_DATA)));
        }
        parts.push(part);
        if depth == 0 {
            break;
        }
    }
    UserData::new(parts).map_err(|error| Fault::wrong(start, error.to_string()))
}

fn part(input: &mut Input<'_>, within: bool) -> Read<UserPart> {
    if within && input.takes(')') {
        return Ok(UserPart::End);
    }
    if within && input.takes('@') {
        let name = input.read_here(lex::name(&[]))?;
        input.read(lex::sign('('))?;
        return Ok(UserPart::Attribute(boxed(name)));
    }
    if within && input.takes('%') {
        let place = input.place();
        let number = input.read_here(lex::small("numbers of fields", u16::MAX))?;
        let Some(field) = number.checked_sub(1) else { return Err(Fault::wrong(place, "fields count from 1")) };
        return Ok(UserPart::Field(field));
    }
    input.skip();
    let is_quoted = input.rest().starts_with('"');
    let text = input.read_here(lex::name(&[]))?;
    if input.takes('(') {
        return Ok(UserPart::Element(boxed(text)));
    }
    if within && is_quoted {
        return Ok(UserPart::Text(boxed(text)));
    }
    Err(Fault::expected(input.rest(), "`(` after the name of an element"))
}

/// Writes what [`read`] reads.
pub(super) struct Tree<'a>(pub(super) &'a UserData);

impl fmt::Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // There is no blank between a bracket and what follows it.
        let mut gap = "";
        for part in self.0.parts() {
            if *part != UserPart::End {
                f.write_str(gap)?;
            }
            gap = match part {
                UserPart::Element(_) | UserPart::Attribute(_) => "",
                _ => " ",
            };
            match part {
                UserPart::Element(name) => write!(f, "{}(", Name(name, &[]))?,
                UserPart::Attribute(name) => write!(f, "@{}(", Name(name, &[]))?,
                UserPart::Text(text) => Quoted(text).fmt(f)?,
                UserPart::Field(number) => write!(f, "%{}", u32::from(*number) + 1)?,
                UserPart::End => f.write_str(")")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::schema::text::{parse, print};

    fn with(tree: &str) -> String {
        let provider = "provider \"P\" {00112233-4455-6677-8899-aabbccddeeff}\n\n";
        format!("{provider}event id 7 user-data {tree} {{\n  A  u8\n}}\n")
    }

    #[test]
    fn a_tree_is_read_and_written() {
        let text = with("Opened(@\"xmlns:p\"(\"urn:sample\") Kind(@a(%1 \"b\")) \"text\" \"p:Count\"(%2))");
        let entries = parse(&text).unwrap();
        assert_eq!(entries[0].schema.user_data().unwrap().parts().len(), 15);
        assert_eq!(print(&entries), text);
        assert_eq!(parse(&with("A ( # note\n \"x\"\n%2 ) ")).unwrap()[0].schema.user_data().unwrap().parts().len(), 4);
    }

    #[test]
    fn what_is_no_tree_has_a_line() {
        for (tree, words) in [
            ("A", "expected `(`"),
            ("\"a b\"()", "not a name that XML can have"),
            ("A(B)", "expected `(`"),
            ("A(%0)", "count from 1"),
            ("A(%70000)", "too large"),
            ("A(\"x\" @b())", "misplaced"),
            ("%1", "a word"),
            ("A(", "expected a word"),
        ] {
            let error = parse(&with(tree)).expect_err(tree).to_string();
            assert!(error.contains("line 3") && error.contains(words), "{tree}: {error}");
        }
        let depth = if cfg!(miri) { 1_000 } else { 100_000 };
        let deep = format!("{}{}", "A(".repeat(depth), ")".repeat(depth));
        assert!(parse(&with(&deep)).is_err());
    }
}
