//! Short names of files, for outputs for people.

use crate::render::terminal;
use crate::trace::Trace;

/// Characters of a label that the others are filled up to; longer ones move the rest of their lines to the right.
const WIDEST: usize = 40;

/// Returns what to show of each file's name if several are read: the name without the folder that all are in, safe to
/// print to a terminal, and all of one width. Empty for a single file.
pub(super) fn file_labels(trace: &Trace) -> Box<[Box<str>]> {
    let names: Vec<&str> = trace.files().iter().map(|file| file.source.name()).collect();
    labels(&names)
}

fn labels(names: &[&str]) -> Box<[Box<str>]> {
    let Some((first, others)) = names.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Box::default();
    };
    let shared = others.iter().fold(folder(first), |shared, name| shared_start(shared, name));
    let own = folder(shared).len();
    let labels = names.iter().map(|name| terminal::escaped(name.get(own..).unwrap_or(name)).into_owned());
    let labels: Vec<String> = labels.collect();
    let width = labels.iter().map(|label| label.chars().count()).filter(|width| *width <= WIDEST).max().unwrap_or(0);
    labels.into_iter().map(|label| format!("{label:<width$}").into()).collect()
}

/// Returns the folder of a path, with the separator at its end.
fn folder(path: &str) -> &str {
    path.rfind(['/', '\\']).and_then(|end| path.get(..=end)).unwrap_or_default()
}

/// Returns the beginning that two texts share.
fn shared_start<'a>(a: &'a str, b: &str) -> &'a str {
    let len = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    // What the other text has in the middle of a character is not shared.
    (0..=len).rev().find_map(|len| a.get(..len)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::labels;

    fn of(names: &[&str]) -> Vec<String> {
        labels(names).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_common_folder_is_left_out() {
        assert_eq!(of(&["/a/b/one.etl", "/a/b/three.etl"]), ["one.etl  ", "three.etl"]);
        assert_eq!(of(&["/a/b/x.etl", "/a/bc/x.etl", "/a/b/y.etl"]), ["b/x.etl ", "bc/x.etl", "b/y.etl "]);
        assert_eq!(of(&["x.etl", "/x.etl"]), ["x.etl ", "/x.etl"]);
        assert_eq!(of(&["/ä/x", "/å/x"]), ["ä/x", "å/x"]);
        assert_eq!(of(&["/a/x", "/a/x"]), ["x", "x"]);
        assert_eq!(of(&["/a/x"]), [""; 0]);
    }
}
