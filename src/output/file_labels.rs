//! Short names of files, for outputs for people.

use std::collections::{HashMap, HashSet};

use crate::bytes::cut_text;
use crate::render::terminal;
use crate::trace::Trace;

use super::text::middle;

/// Returns what to show of each file's name if several are read: the name without the folder that all are in, safe to
/// print to a terminal, and all of one width. Longer ones than `most` characters lose their middle; if that makes two
/// the same, those begin with the number of the file. Empty for a single file.
pub(super) fn file_labels(trace: &Trace, most: usize) -> Box<[Box<str>]> {
    let names: Vec<&str> = trace.files().iter().map(|file| file.source.name()).collect();
    labels(&names, most)
}

fn labels(names: &[&str], most: usize) -> Box<[Box<str>]> {
    let Some((first, others)) = names.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Box::default();
    };
    let shared = others.iter().fold(folder(first), |shared, name| shared_start(shared, name));
    let own = folder(shared).len();
    let labels = names.iter().map(|name| terminal::escaped(name.get(own..).unwrap_or(name)).into_owned());
    let whole: Vec<String> = labels.collect();
    let cut = |label: &String| middle(label, most);
    let mut times: HashMap<String, HashSet<&str>> = HashMap::new();
    for label in &whole {
        times.entry(cut(label)).or_default().insert(label);
    }
    let numbered = |(place, label): (usize, &String)| {
        let short = cut(label);
        if times.get(&short).is_none_or(|labels| labels.len() == 1) {
            return short;
        }
        let number = format!("{}:", place + 1);
        let rest = middle(label, most.saturating_sub(number.len()));
        number + &rest
    };
    let labels: Vec<String> = whole.iter().enumerate().map(numbered).collect();
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).max(TITLE.len());
    labels.into_iter().map(|label| format!("{label:<width$}").into()).collect()
}

/// The title of the column.
const TITLE: &str = "file";

/// Returns the folder of a path, with the separator at its end.
fn folder(path: &str) -> &str {
    path.rfind(['/', '\\']).and_then(|end| path.get(..=end)).unwrap_or_default()
}

/// Returns the beginning that two texts share.
fn shared_start<'a>(a: &'a str, b: &str) -> &'a str {
    let len = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    // What the other text has in the middle of a character is not shared.
    cut_text(a, len)
}

#[cfg(test)]
mod tests {
    use super::labels;

    fn of(names: &[&str]) -> Vec<String> {
        labels(names, 14).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_common_folder_is_left_out() {
        assert_eq!(of(&["/a/b/one.etl", "/a/b/three.etl"]), ["one.etl  ", "three.etl"]);
        assert_eq!(of(&["/a/b/x.etl", "/a/bc/x.etl", "/a/b/y.etl"]), ["b/x.etl ", "bc/x.etl", "b/y.etl "]);
        assert_eq!(of(&["x.etl", "/x.etl"]), ["x.etl ", "/x.etl"]);
        assert_eq!(of(&["/ä/x", "/å/x"]), ["ä/x ", "å/x "]);
        assert_eq!(of(&["/a/x", "/a/x"]), ["x   ", "x   "]);
        assert_eq!(of(&["/a/x"]), [""; 0]);
    }

    #[test]
    fn labels_are_short_and_differ() {
        assert_eq!(of(&["server-one-boot.etl", "b.etl"]), ["server-…ot.etl", "b.etl         "]);
        let numbered = of(&["/a/trace-of-1-server.etl", "/a/trace-of-2-server.etl", "/a/x.etl"]);
        assert_eq!(numbered, ["1:trace-…r.etl", "2:trace-…r.etl", "x.etl         "]);
    }
}
