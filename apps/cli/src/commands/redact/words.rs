//! The words of the user's own lists.

use std::path::Path;

use etwkit::bytes::utf16_file;
use etwkit_redact::{Kind, Options, Redaction, is_searchable};

use crate::failure::Failure;
use crate::output::csv_error;
use crate::printer::Printer;
use crate::text::counted;

use super::small_file;

/// The head of what --map writes.
pub(super) const MAP_HEAD: [&str; 4] = ["secret", "pseudonym", "kind", "count"];
/// Words that are named in a message.
const MOST_NAMED: usize = 10;

/// Adds a list, one word per line, or the secrets of a map. A list without a word is a mistake that would go unnoticed.
pub(super) fn add(options: Options, path: &Path, printer: Printer) -> Result<Options, Failure> {
    let text = text(path)?;
    if text.lines().next().is_some_and(|head| head.trim_end() == MAP_HEAD.join(",")) {
        let secrets = secrets(&text).map_err(|error| Failure::from(csv_error(error)).of(path.display()))?;
        let (known, short): (Vec<_>, Vec<_>) = secrets.into_iter().partition(|(_, text)| is_searchable(text));
        if !short.is_empty() {
            let secrets = counted(short.len() as u64, "secret");
            printer.warning(format_args!("{}: {secrets} too short to be looked for in any bytes", path.display()));
        }
        return Ok(options.known(known));
    }
    let words: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if words.is_empty() {
        return Err(Failure::new("no word in this list").of(path.display()));
    }
    Ok(options.words(words))
}

/// Reads a text in UTF-8 or UTF-16. Other text is refused: a word that is misread would not be found.
fn text(path: &Path) -> Result<String, Failure> {
    let bytes = small_file::read(path)?;
    let text = match utf16_file(&bytes) {
        Some(text) => text,
        None => String::from_utf8(bytes).map_err(|_| Failure::new("neither UTF-8 nor UTF-16").of(path.display()))?,
    };
    if text.contains('\0') {
        return Err(Failure::new("it is not a text: it has null characters").of(path.display()));
    }
    Ok(text.trim_start_matches('\u{FEFF}').to_owned())
}

/// The secrets of a map and their kinds.
fn secrets(text: &str) -> csv::Result<Vec<(Kind, String)>> {
    let of_row = |row: &csv::StringRecord| {
        let kind = row.get(2).and_then(Kind::from_name).unwrap_or(Kind::Word);
        (kind, row.get(0).unwrap_or_default().to_owned())
    };
    csv::Reader::from_reader(text.as_bytes()).into_records().map(|row| Ok(of_row(&row?))).collect()
}

/// Says which words were asked for and are replaced nowhere: their owner must know that they may be left.
pub(super) fn say_unused(redaction: &Redaction, printer: Printer) {
    let unused: Vec<&str> = redaction.unused_words().collect();
    if unused.is_empty() {
        return;
    }
    let named: Vec<String> = unused.iter().take(MOST_NAMED).map(|word| format!("`{word}`")).collect();
    let others = if unused.len() > MOST_NAMED { ", ..." } else { "" };
    printer.warning(format_args!(
        "{} replaced nowhere: {}{others}. The trace does not have them, or only within other secrets or words: see \
         \"Short and frequent words\" in docs/redact.md",
        counted(unused.len() as u64, "word"),
        named.join(", ")
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_has_secrets_in_its_first_column() {
        let map =
            "secret,pseudonym,kind,count\n\"a,b c\",xyz,word,3\nab,cd,user,1\n...,xxx,word,1\ncontoso,x,domain,2\n";
        let found = secrets(map).unwrap();
        let shown: Vec<_> = found.iter().map(|(kind, text)| (kind.name(), &**text, is_searchable(text))).collect();
        assert_eq!(
            shown,
            [("word", "a,b c", true), ("user", "ab", false), ("word", "...", false), ("domain", "contoso", true)]
        );
    }
}
