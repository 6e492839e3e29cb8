//! Every "section 9.5" and "trap 18" in the repository has exactly one heading in `docs/format`, and the index there
//! lists every heading.
//!
//! A reference after the name of one of Microsoft's specifications, as in `[MS-XCA] section 2.4`, is to that document.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Folders whose files refer to the description of the format. Those that do not exist are skipped.
const FOLDERS: [&str; 13] = [
    "src", "parsers", "formats", "exports", "analyses", "apps", "synth", "xtask", "fuzz", "tests", "examples", "docs",
    "fixtures",
];

/// Kinds of files that are read.
const KINDS: [&str; 4] = ["rs", "md", "schema", "txt"];

/// A folder with fewer references than this was not read as it should be: the test would pass for nothing.
const LEAST: [(&str, usize); 4] = [("src", 40), ("parsers", 60), ("synth", 30), ("docs", 150)];

#[test]
fn every_reference_has_one_heading() {
    let (headings, twice) = headings();
    assert!(twice.is_empty(), "headings that occur twice in docs/format: {twice:#?}");
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in FOLDERS.into_iter().flat_map(files_below) {
        let text = std::fs::read_to_string(root().join(&file)).unwrap();
        let found = references(&text);
        *counts.entry(first_folder(&file)).or_default() += found.len();
        let unknown = found.into_iter().filter(|number| !headings.contains_key(number));
        wrong.extend(unknown.map(|number| format!("{}: {number}", file.display())));
    }
    assert!(wrong.is_empty(), "references without a heading in docs/format: {wrong:#?}");
    for (folder, least) in LEAST {
        let found = counts.get(folder).copied().unwrap_or_default();
        assert!(found >= least, "only {found} references below {folder}: are they still found?");
    }
}

#[test]
fn the_index_lists_every_heading() {
    let index = std::fs::read_to_string(root().join("docs/format/README.md")).unwrap();
    let listed: BTreeSet<&str> =
        index.lines().filter_map(|line| line.strip_prefix("| [")?.split(" |").next()).collect();
    let (headings, _) = headings();
    let entry = |(number, place): (&String, &Place)| {
        let page = if place.page == "README.md" { "" } else { &place.page };
        format!("{}]({page}#{})", number.trim_start_matches("trap "), anchor(&place.title))
    };
    let wanted: Vec<String> = headings.iter().map(entry).collect();
    let missing: Vec<&String> = wanted.iter().filter(|entry| !listed.contains(entry.as_str())).collect();
    assert!(missing.is_empty(), "not in the index of docs/format: {missing:#?}");
    let surplus: Vec<&&str> = listed.iter().filter(|entry| !wanted.iter().any(|wanted| wanted == **entry)).collect();
    assert!(surplus.is_empty(), "in the index of docs/format, but no heading: {surplus:#?}");
}

#[test]
fn pages_name_files_that_exist() {
    let mut wrong = Vec::new();
    for page in files_below("docs/format") {
        let text = std::fs::read_to_string(root().join(&page)).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let pages = links.filter(|link| !link.contains("://")).map(|link| link.split('#').next().unwrap());
        let linked = pages.map(|page| format!("docs/format/{page}"));
        // Paths of the repository are in backquotes; for `fixtures/damaged-*` the folder must exist.
        let code = text.split('`').skip(1).step_by(2).filter(|code| FOLDERS.iter().any(|f| is_below(code, f)));
        let named = code.map(|path| path.split_once('*').map_or(path, |(start, _)| start.rsplit_once('/').unwrap().0));
        let missing = linked.chain(named.map(str::to_owned)).filter(|path| !root().join(path).exists());
        wrong.extend(missing.map(|path| format!("{}: {path}", page.display())));
    }
    assert!(wrong.is_empty(), "files that do not exist: {wrong:#?}");
}

#[test]
fn references_are_found_as_people_write_them() {
    // Put together here, so that this file refers to nothing.
    let found = |text: &str| references(&text.replace('@', "section").replace('$', "trap"));
    assert_eq!(found("(@ 9.5); @ 20, $ 18."), ["9.5", "20", "trap 18"]);
    assert_eq!(found("$s 1, 2, and 3"), ["trap 1", "trap 2", "trap 3"]);
    assert_eq!(found("@s 7.1 to 7.3 and K2, K3 NAME; @ 12, 5 bytes"), ["7.1", "7.3", "K2", "K3", "12"]);
    assert_eq!(found("in @\n    /// 9.3, rule 4, and the @s\n//! 5.5, 5.6\n# and 5.11"), ["9.3", "5.5", "5.6", "5.11"]);
    assert_eq!(found("[MS-XCA] @ 2.4, `[MS-EVEN6]`, @ 2.2.12, @ 2.4"), ["2.4"]);
    assert_eq!(found("sub@ 4, a @ here, @.5, @s K, [@ 4.2](x.md), [`A`] @ 4"), ["4.2", "4"]);
}

#[test]
fn headings_are_numbered_by_their_first_word() {
    assert_eq!(numbered("9.5 Security identifiers"), Some("9.5".to_owned()));
    assert_eq!(numbered("K1 Hook ids"), Some("K1".to_owned()));
    assert_eq!(numbered("Trap 18: channels"), Some("trap 18".to_owned()));
    assert_eq!(numbered("Limits"), None);
    assert_eq!(anchor("4.2 Payload: TRACE_LOGFILE_HEADER"), "42-payload-trace_logfile_header");
}

/// Where a heading is.
struct Place {
    page: String,
    title: String,
}

/// Returns the numbered headings of all pages by number, and the numbers that occur more than once.
fn headings() -> (BTreeMap<String, Place>, Vec<String>) {
    let (mut headings, mut twice) = (BTreeMap::new(), Vec::new());
    for file in files_below("docs/format") {
        let page = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(root().join(&file)).unwrap();
        // Every second part is between fences of code.
        for line in text.split("```").step_by(2).flat_map(str::lines).filter(|line| line.starts_with('#')) {
            let title = line.trim_start_matches('#').trim();
            let Some(number) = numbered(title) else { continue };
            let place = Place { page: page.clone(), title: title.to_owned() };
            if let Some(other) = headings.insert(number.clone(), place) {
                twice.push(format!("{number} in {} and {page}", other.page));
            }
        }
    }
    (headings, twice)
}

/// Returns the number of a heading, as references have it.
fn numbered(title: &str) -> Option<String> {
    let (word, trap) = title.strip_prefix("Trap ").map_or((title, ""), |rest| (rest, "trap "));
    number(word).map(|(number, _)| format!("{trap}{number}"))
}

/// Returns the anchor that GitHub gives a heading.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// Returns the sections and traps that a text refers to, in order.
fn references(text: &str) -> Vec<String> {
    let text = one_line(text);
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, kind, after)) = next_word(rest) {
        rest = after;
        let numbers = match after.strip_prefix("s ") {
            Some(numbers) => list(numbers),
            None => after.strip_prefix(' ').and_then(number).map(|(number, _)| number).into_iter().collect(),
        };
        if !names_specification(before) {
            found.extend(numbers.into_iter().map(|number| format!("{kind}{number}")));
        }
    }
    found
}

/// Returns the next word that a reference begins with: the text before it, its prefix in a number, the text after it.
fn next_word(text: &str) -> Option<(&str, &'static str, &str)> {
    let first = |(word, kind): (&'static str, &'static str)| {
        let mut places = text.match_indices(word).map(|(at, _)| at);
        let at = places.find(|at| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))?;
        Some((at, word.len(), kind))
    };
    let words = [("section", ""), ("Section", ""), ("trap", "trap "), ("Trap", "trap ")];
    let (at, len, kind) = words.into_iter().filter_map(first).min()?;
    Some((&text[..at], kind, &text[at + len..]))
}

/// Returns whether a text ends with the name of one of Microsoft's specifications, such as `[MS-XCA]`.
fn names_specification(before: &str) -> bool {
    let name = before.trim_end_matches(['`', ',', ' ']).strip_suffix(']').and_then(|name| name.rsplit('[').next());
    name.is_some_and(|name| name.starts_with("MS-"))
}

/// Numbers with commas, "and" or "to" between them.
fn list(mut text: &str) -> Vec<&str> {
    let mut numbers = Vec::new();
    while let Some((number, rest)) = number(text) {
        numbers.push(number);
        let next = [", and ", ", ", " and ", " to "].into_iter().find_map(|separator| rest.strip_prefix(separator));
        let Some(next) = next else { break };
        text = next;
    }
    numbers
}

/// Returns the number that a text begins with, `9.5` or `K1`, and what follows it.
fn number(text: &str) -> Option<(&str, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = usize::from(text.starts_with('K'));
    let mut parts = 0;
    loop {
        let more = digits(&text[end..]);
        if more == 0 {
            break;
        }
        (end, parts) = (end + more, parts + 1);
        if !text[end..].starts_with('.') || digits(&text[end + 1..]) == 0 {
            break;
        }
        end += 1;
    }
    (parts > 0).then(|| text.split_at(end))
}

/// Returns a text without its line ends and the marks of comments after them.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches(['/', '!', '#', '>', '*']).trim());
    lines.collect::<Vec<_>>().join(" ")
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn first_folder(file: &Path) -> String {
    file.components().next().unwrap().as_os_str().to_string_lossy().into_owned()
}

/// Returns the files below a folder of the repository, from its root, sorted.
fn files_below(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![PathBuf::from(folder)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(root().join(&folder)) else { continue };
        for entry in entries.map(Result::unwrap) {
            let path = folder.join(entry.file_name());
            let kind = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if entry.path().is_dir()
                && !["target", "corpus", "artifacts"].contains(&&*entry.file_name().to_string_lossy())
            {
                open.push(path);
            } else if entry.path().is_file() && KINDS.contains(&kind.as_str()) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
