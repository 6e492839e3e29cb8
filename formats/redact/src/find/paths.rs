//! Paths below the folders of users.

use std::ops::Range;

use crate::coding::fold;
use crate::kind::Kind;
use crate::well_known::{is_shared_folder, is_usual_folder};

use super::view::View;

/// The folder of users' folders, up to the separator before the name of the user, which ends the group.
pub(super) const FOLDER: &str = r#"(?i-u)(?:^|[\\/:;,\x00-\x20"'=(\[<>|]|%5c|%2f)((?:users|documents and settings|home)(?:\\{1,4}|/{1,2}|%5c|%2f))"#;
/// A longer name is that of no folder.
const LONGEST_NAME: usize = 64;
/// An extension with its dot.
const LONGEST_EXTENSION: usize = 6;

/// Finds the user and the parts of the path after a folder of users. `push` takes characters, what they are, and whether
/// the text is looked for everywhere. Returns where the path ends. `bytes` are those of the view.
pub(super) fn find(
    view: &View<'_>,
    bytes: &[u8],
    folder: Range<usize>,
    push: &mut impl FnMut(Range<usize>, Kind, bool),
) -> usize {
    let home = view.text.get(folder.clone()).unwrap_or_default();
    let is_home = home.first_chunk::<4>().is_some_and(|word| word.eq_ignore_ascii_case(b"home"));
    // `\home\` is a folder as any other.
    if is_home && (home.last() != Some(&b'/') || view.before(folder.start) != Some(b'/')) {
        return folder.end;
    }
    let name = component(view, folder.end);
    let name = name.start..name.end.min(name.start + LONGEST_NAME);
    let text = view.text.get(name.clone()).unwrap_or_default();
    if name.is_empty() || is_shared_folder(&fold(&view.decode(bytes, &name))) {
        return name.end;
    }
    let next = separators(view, name.end);
    if next > name.end {
        push(name, Kind::User, !is_link(view, folder.start));
        return tail(view, next, push);
    }
    // The last part of a path in a sentence: nothing states where it ends.
    let word = text.iter().position(|byte| b" ,;)'].".contains(byte)).map_or(name.end, |at| name.start + at);
    push(name.start..word, Kind::User, !is_link(view, folder.start));
    if word < name.end {
        push(word..name.end, Kind::Path, false);
    }
    name.end
}

/// Returns whether the path is part of a URL with a host, such as `https://host/users/list`: its parts are not
/// accounts.
fn is_link(view: &View<'_>, folder: usize) -> bool {
    let before = view.text.get(..folder.saturating_sub(1)).unwrap_or_default();
    view.before(folder) == Some(b'/') && before.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// Finds the parts of a path after the user's name. Separators, the extension and folders that every user has stay.
fn tail(view: &View<'_>, start: usize, push: &mut impl FnMut(Range<usize>, Kind, bool)) -> usize {
    let mut at = start;
    loop {
        let part = component(view, at);
        if part.is_empty() {
            return at;
        }
        let text = view.text.get(part.clone()).unwrap_or_default();
        at = separators(view, part.end);
        let is_last = at == part.end;
        if !is_usual_folder(&fold(&String::from_utf8_lossy(text))) {
            let len = if is_last { text.len() - extension(text) } else { text.len() };
            push(part.start..part.start + len, Kind::Path, false);
        }
        if is_last {
            return at;
        }
    }
}

/// Returns one part of a path: up to what no name of a file has.
fn component(view: &View<'_>, start: usize) -> Range<usize> {
    let rest = view.text.get(start..).unwrap_or_default();
    let ends = |(at, byte): (usize, &u8)| match byte {
        b'%' => rest.get(at..).is_some_and(|rest| encoded(rest) > 0),
        byte => byte.is_ascii_control() || b"\\/:*?\"<>|".contains(byte),
    };
    let len = rest.iter().enumerate().position(ends).unwrap_or(rest.len());
    start..start + len
}

/// Returns where the separators at a place end.
fn separators(view: &View<'_>, start: usize) -> usize {
    let rest = view.text.get(start..).unwrap_or_default();
    let plain = rest.iter().take_while(|byte| matches!(byte, b'\\' | b'/')).count();
    start + if plain > 0 { plain } else { encoded(rest) }
}

/// Returns the length of a separator as it is written in a URL.
fn encoded(text: &[u8]) -> usize {
    let is = |code: &[u8]| text.get(..3).is_some_and(|text| text.eq_ignore_ascii_case(code));
    if is(b"%5c") || is(b"%2f") { 3 } else { 0 }
}

/// Returns the length of the extension with its dot.
fn extension(name: &[u8]) -> usize {
    let Some(dot) = name.iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > 0) else { return 0 };
    let letters = name.get(dot + 1..).unwrap_or_default();
    let is_one = (1..LONGEST_EXTENSION).contains(&letters.len()) && letters.iter().all(u8::is_ascii_alphanumeric);
    if is_one { letters.len() + 1 } else { 0 }
}
