//! TMF text into the model, line by line. Nothing is an error: a line that is not understood stays as it is.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1, take_while1};
use nom::character::complete::{space0, space1, u16 as decimal};
use nom::combinator::{eof, map_opt, opt, rest};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

use super::model::{
    Argument, BodyLine, Definition, EnumValue, Enumeration, Group, Item, Keyword, Tmf, TmfEntry, Trailer,
};

/// Reads a TMF text.
pub fn parse(text: &str) -> Tmf {
    // A tool that joins files leaves a mark for each.
    let mut lines = Lines { rest: text.trim_start_matches('\u{FEFF}') };
    let mut entries = Vec::new();
    while let Some(line) = lines.next() {
        entries.push(entry(line, &mut lines));
    }
    Tmf { entries }
}

/// The lines that are still to be read.
struct Lines<'t> {
    rest: &'t str,
}

impl<'t> Lines<'t> {
    /// Takes a line, without its end and the white space before it.
    fn next(&mut self) -> Option<&'t str> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        Some(line.trim_end())
    }

    /// Takes the block in braces that follows, if one does.
    fn body<T>(&mut self, line: impl Fn(&str) -> Option<T>) -> Vec<BodyLine<T>> {
        let mut body = Vec::new();
        let start = self.rest;
        if self.next().is_none_or(|line| line.trim() != "{") {
            self.rest = start;
            return body;
        }
        loop {
            let before = self.rest;
            match self.next().map(|line| (line, line.trim())) {
                None | Some((_, "}")) => return body,
                // The brace is missing: better to lose that than the messages that follow.
                Some((_, text)) if text.starts_with("#type") || text.starts_with("#enumv") => {
                    self.rest = before;
                    return body;
                }
                Some((text, trimmed)) => {
                    body.push(line(trimmed).map_or_else(|| BodyLine::Other(text.into()), BodyLine::Known));
                }
            }
        }
    }
}

fn entry(line: &str, lines: &mut Lines<'_>) -> TmfEntry {
    let text = line.trim_start();
    if let Some(comment) = text.strip_prefix("//") {
        return TmfEntry::Comment(comment.into());
    }
    if let Ok((_, mut definition)) = definition(text) {
        definition.body = lines.body(argument);
        return TmfEntry::Definition(definition);
    }
    if let Ok((_, name)) = enumeration(text) {
        return TmfEntry::Enumeration(Enumeration { name: name.into(), body: lines.body(enum_value) });
    }
    match group(text) {
        Ok((_, group)) => TmfEntry::Group(group),
        Err(_) => TmfEntry::Other(line.into()),
    }
}

/// `<guid> <component> [// trailer]`
fn group(line: &str) -> IResult<&str, Group> {
    let guid =
        map_opt(take_while1(|c: char| c.is_ascii_hexdigit() || "-{}".contains(c)), |text: &str| text.parse().ok());
    let (tail, guid) = terminated(guid, space1).parse(line)?;
    let (component, trailer) = match tail.split_once("//") {
        Some((component, trailer)) => (component, Some(Trailer(trailer.into()))),
        None => (tail, None),
    };
    Ok(("", Group { guid, component: component.trim().into(), trailer }))
}

/// `#typev <name> <number> "<format>" [// trailer]`, still without its body.
fn definition(line: &str) -> IResult<&str, Definition> {
    let keyword = alt((tag("#typev").map(|_| Keyword::TypeV), tag("#type").map(|_| Keyword::Type)));
    let name = take_till1(|c: char| c.is_whitespace() || c == '"');
    let head = (terminated(keyword, space1), terminated(name, space1), terminated(decimal, space0));
    let (tail, ((keyword, name, number), (format, trailer))) = (head, map_opt(rest, quoted)).parse(line)?;
    let trailer = trailer.map(|text| Trailer(text.into()));
    Ok((tail, Definition { keyword, name: name.into(), number, format: format.into(), trailer, body: Vec::new() }))
}

/// Text in quotes and the trailer after it. The end is the first quote without a backslash that only a trailer
/// follows: formats may contain quotes and slashes.
fn quoted(text: &str) -> Option<(&str, Option<&str>)> {
    let inner = text.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => {
                let (format, after) = inner.split_at_checked(at)?;
                let after = after.strip_prefix('"')?.trim_start();
                if after.is_empty() {
                    return Some((format, None));
                }
                if let Some(trailer) = after.strip_prefix("//") {
                    return Some((format, Some(trailer)));
                }
            }
            _ => {}
        }
    }
    None
}

/// `#enumv <name>`
fn enumeration(line: &str) -> IResult<&str, &str> {
    let (tail, name) = preceded((tag("#enumv"), space1), take_till1(char::is_whitespace)).parse(line)?;
    let (tail, _) = (space0, opt((tag("//"), rest)), eof).parse(tail)?;
    Ok((tail, name))
}

/// `<expression>, <item> -- <number>`: the expression may contain commas and dashes, so the ends are found from the
/// right.
fn argument(line: &str) -> Option<Argument> {
    let (left, number) = line.rsplit_once(" -- ")?;
    let number = number.trim().parse().ok()?;
    let split = |at: usize| Some((left.get(..at)?, left.get(at + 1..)?.trim()));
    let named = left.rmatch_indices(", Item").filter_map(|(at, _)| split(at));
    let any = left.rmatch_indices(',').filter_map(|(at, _)| split(at));
    let found = named.chain(any).find_map(|(expression, text)| Some((expression, item(text).ok()?.1)));
    let (expression, item) = found?;
    Some(Argument { expression: expression.trim().into(), item, number })
}

/// `Name` or `Name(list)`, and nothing after it.
fn item(text: &str) -> IResult<&str, Item> {
    let name = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    let list = map_opt(delimited(tag("("), rest, eof), |text: &str| text.strip_suffix(')'));
    let (tail, (name, list)) = terminated((name, opt(list)), eof).parse(text)?;
    Ok((tail, Item { name: name.into(), list: list.map(Into::into) }))
}

/// `<label>,<value>`
fn enum_value(line: &str) -> Option<EnumValue> {
    let (label, text) = line.rsplit_once(',')?;
    super::model::number(text)?;
    Some(EnumValue { label: label.trim().into(), text: text.trim().into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ODD: &str = r#"// PDB:  odd.pdb
2363c985-9b6e-3283-34a7-e8c27a60b889 sys // SRC=odd.c MJ= MN=
#typev odd_c1 10 "%0say \"%10!s!\" // or %11!s!, %12!s!" //   LEVEL=A FLAGS=B FUNC=f
{
f(a, ItemLong -- b), ItemString -- 10
(unsigned long)0x5, ItemSetLong(1,2,x(y), ItemZ) -- 11
", Item -- 3", ItemEnum(COLOUR) -- 12
nonsense
}
#type odd_c2 11 "%0old"
{
}
#enumv COLOUR
{
Red,0x0
Green,1
}

what is this"#;

    #[test]
    fn odd_texts_are_read_and_printed() {
        let tmf = parse(ODD);
        assert_eq!(tmf.to_string().trim_end(), ODD);
        let (group, first) = tmf.definitions().next().unwrap();
        assert_eq!((&*group.component, &*first.name, first.number), ("sys", "odd_c1", 10));
        assert_eq!(&*first.format, r#"%0say \"%10!s!\" // or %11!s!, %12!s!"#);
        let arguments: Vec<_> = first.arguments().map(|a| (&*a.expression, &*a.item.name, a.number)).collect();
        let expected = [
            ("f(a, ItemLong -- b)", "ItemString", 10),
            ("(unsigned long)0x5", "ItemSetLong", 11),
            ("\", Item -- 3\"", "ItemEnum", 12),
        ];
        assert_eq!(arguments, expected);
        assert_eq!(first.body.last(), Some(&BodyLine::Other("nonsense".into())));
        let colour = tmf.enumeration("COLOUR").unwrap();
        assert_eq!(colour.values().collect::<Vec<_>>(), [(0, "Red"), (1, "Green")]);
        assert_eq!(tmf.pdb_name(), Some("odd.pdb"));
    }

    #[test]
    fn windows_line_ends_marks_and_missing_braces_do_no_harm() {
        let text = "\u{FEFF}#typev a 1 \"x\"\r\n{\r\ni, ItemLong -- 10\r\n#typev b 2 \"y\"\r\n{\r\n";
        let tmf = parse(text);
        assert_eq!(tmf.entries.len(), 2);
        assert_eq!(parse(&tmf.to_string()), tmf);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_and_what_is_printed_reads_back(
            text in r#"((#typev|#type|#enumv|\{|\}|//|, Item|[ -~"]{0,9}|\n| -- [0-9]{1,3}| a 1 "|2363c985-9b6e-3283-34a7-e8c27a60b889 )\n?){0,20}"#
        ) {
            let tmf = parse(&text);
            proptest::prop_assert_eq!(parse(&tmf.to_string()), tmf);
        }
    }
}
