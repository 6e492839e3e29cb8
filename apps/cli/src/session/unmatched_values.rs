//! Warnings about providers, events and processes that were typed and that no event of a trace has.
//!
//! Nothing is printed where no name of the trace is like what was typed: the trace may well have none of it.

use std::collections::BTreeSet;

use etwkit::query::Expression;
use etwkit::schema::{Names, Schema};
use etwkit::select::{HeaderField, same};
use etwkit::trace::{Filter, Glob, Trace};

use crate::printer::Printer;
use crate::similarity::changes;

/// Suggestions are looked for among at most so many names.
const MAX_CANDIDATES: usize = 1 << 16;
/// Shorter texts are in too many names.
const SHORTEST_PART: usize = 3;

/// Shorter words are not a name.
const SHORTEST_WORD: usize = 4;
/// What separates the words of a provider's name.
const SEPARATORS: [char; 4] = ['-', '.', ' ', '/'];

/// A name as it may be typed, and what to type for it.
type Suggestion = (String, String);

/// Warns of `--provider`, `--event`, `--process` and comparisons in `--where` that look misspelt.
pub(super) fn check(trace: &Trace, filter: &Filter, printer: Printer) {
    let warn = |option: &str, what: &str, typed: &str, suggestions: &BTreeSet<Suggestion>| {
        let bare = typed.trim_matches(['*', '/']);
        let parts = || typed.split(',').map(str::trim).filter(|part| !part.is_empty());
        if typed.contains(',') && option != "--where" && parts().any(|part| is_name(part, suggestions)) {
            let quote = |part: &str| if part.contains(' ') { "\"" } else { "" };
            let again = parts().map(|part| format!("{option} {quote}{part}{quote}", quote = quote(part)));
            let again: Vec<String> = again.collect();
            printer.warning(format_args!("{option}: `{typed}` is one name: for several use `{}`", again.join(" ")));
        } else if let Some(near) = nearest(bare, suggestions) {
            printer
                .warning(format_args!("{option}: no event in this trace has {what} `{typed}`: did you mean `{near}`?"));
        }
    };
    for glob in filter.providers.iter().filter(|glob| !is_provider(trace, glob)) {
        warn("--provider", "the provider", &glob.to_string(), &providers(trace));
    }
    for glob in filter.names.iter().filter(|glob| !names(trace, Names::full).any(|name| glob.matches(&name))) {
        warn("--event", "the name", &glob.to_string(), &events(trace));
    }
    for glob in &filter.processes {
        let known = processes(trace);
        if !known.iter().any(|(_, name)| glob.matches(name)) {
            warn("--process", "the process", &glob.to_string(), &known);
        }
    }
    for (part, typed) in filter.expression.iter().flat_map(|expression| compared(trace, expression)) {
        let known = values(trace, part);
        if !known.iter().any(|(name, _)| same(name, typed)) {
            warn("--where", &format!("the {}", part.name()), typed, &known);
        }
    }
}

fn is_provider(trace: &Trace, glob: &Glob) -> bool {
    trace.types().iter().any(|row| {
        glob.matches_provider(row.provider_name(), row.provider_guid())
            || glob.matches_provider(None, row.key().provider)
    })
}

/// Comparisons with names that a trace either has or has not; a field of that name may hold anything.
fn compared<'e>(trace: &Trace, expression: &'e Expression) -> Vec<(HeaderField, &'e str)> {
    let mut compared = Vec::new();
    for (name, text) in expression.compared() {
        use HeaderField as H;
        let Some(part @ (H::Provider | H::Event | H::Opcode | H::Task | H::Process)) = name.header() else { continue };
        let is_number = text.starts_with(|first: char| first.is_ascii_digit());
        let is_guid = text.parse::<etwkit::bytes::Guid>().is_ok();
        if !(is_number || is_guid || trace.has_field(&name)) {
            compared.push((part, text));
        }
    }
    compared
}

/// The values of a part, and without patterns what may be meant by other texts.
fn values(trace: &Trace, part: HeaderField) -> BTreeSet<Suggestion> {
    let own = |name: &Option<Box<str>>| name.as_deref().map(str::to_owned);
    let as_is = |name: String| (name.clone(), name);
    match part {
        HeaderField::Opcode => names(trace, |names| own(&names.opcode)).map(as_is).collect(),
        HeaderField::Task => names(trace, |names| own(&names.task)).map(as_is).collect(),
        HeaderField::Process => processes(trace),
        HeaderField::Event => events(trace).into_iter().filter(|(_, name)| !name.contains('*')).collect(),
        _ => providers(trace).into_iter().filter(|(_, name)| !name.contains('*')).collect(),
    }
}

/// Names that schemas give.
fn names(trace: &Trace, pick: impl Fn(&Names) -> Option<String>) -> impl Iterator<Item = String> {
    let schemas = trace.types().iter().filter_map(|row| row.schema());
    schemas.map(Schema::names).filter_map(pick).take(MAX_CANDIDATES)
}

/// Providers, also by the end of their names (`HttpService`), and by words within, which a pattern finds.
fn providers(trace: &Trace) -> BTreeSet<Suggestion> {
    let names = trace.types().iter().filter_map(|row| row.provider_name().map(str::to_owned)).take(MAX_CANDIDATES);
    let names: BTreeSet<String> = names.collect();
    let ends = |name: &str| {
        let places = name.match_indices(SEPARATORS).filter_map(|(at, sign)| name.get(at + sign.len()..));
        places.map(str::to_owned).collect::<Vec<_>>()
    };
    let mut suggestions: BTreeSet<Suggestion> = BTreeSet::new();
    for name in &names {
        suggestions.extend(ends(name).into_iter().map(|end| (end, name.clone())));
        suggestions.insert((name.clone(), name.clone()));
    }
    let words: BTreeSet<&str> = names.iter().flat_map(|name| name.split(SEPARATORS)).collect();
    for word in words.into_iter().filter(|word| word.chars().count() >= SHORTEST_WORD) {
        let mut having = names.iter().filter(|name| name.split(SEPARATORS).any(|part| part == word));
        let (first, others) = (having.next(), having.count());
        let meant = first.filter(|_| others == 0).cloned().unwrap_or_else(|| format!("*{word}*"));
        suggestions.insert((word.to_owned(), meant));
    }
    suggestions
}

/// Processes, by the file names of their images, also without extension.
fn processes(trace: &Trace) -> BTreeSet<Suggestion> {
    let processes = trace.systems().iter().flat_map(|system| system.processes.list());
    let names = processes.map(|(_, process)| process).filter(|process| !process.file_name().is_empty());
    let both = names.take(MAX_CANDIDATES).flat_map(|process| {
        let name = process.file_name();
        [process.short_name(), name].map(|typed| (typed.to_owned(), name.to_owned()))
    });
    both.collect()
}

/// Events, also by their opcode or task alone, and below their provider, as text has them.
fn events(trace: &Trace) -> BTreeSet<Suggestion> {
    let mut suggestions = BTreeSet::new();
    let rows = trace.types().iter().take(MAX_CANDIDATES);
    let below = rows.filter_map(|row| Some((row.provider_name()?, row.schema()?.names().full()?)));
    suggestions.extend(below.map(|(provider, name)| (format!("{provider}/{name}"), name)));
    for name in names(trace, Names::full) {
        if let Some((task, opcode)) = name.rsplit_once('/') {
            suggestions.insert((task.to_owned(), format!("{task}/*")));
            suggestions.insert((opcode.to_owned(), format!("*/{opcode}")));
        }
        suggestions.insert((name.clone(), name));
    }
    suggestions
}

/// Whether a text is a name as it stands.
fn is_name(typed: &str, suggestions: &BTreeSet<Suggestion>) -> bool {
    suggestions.iter().any(|(name, _)| same(name, typed))
}

/// What to type for the suggestion that is most like a text, or else for the shortest one that it is a part of. One that
/// begins with the text is meant before one in which several letters differ.
fn nearest<'s>(typed: &str, suggestions: &'s BTreeSet<Suggestion>) -> Option<&'s str> {
    let near = suggestions
        .iter()
        .filter_map(|suggestion| Some((changes(typed, &suggestion.0)?, suggestion)))
        .min_by_key(|(changes, _)| *changes);
    let part = typed.to_lowercase();
    let is_long = part.chars().count() >= SHORTEST_PART;
    let shortest = |holds: fn(&str, &str) -> bool| {
        let having = suggestions.iter().filter(|suggestion| is_long && holds(&suggestion.0.to_lowercase(), &part));
        having.min_by_key(|suggestion| suggestion.0.len())
    };
    let found = near
        .filter(|(changes, _)| *changes <= 1)
        .map(|(_, suggestion)| suggestion)
        .or_else(|| shortest(|name, part| name.starts_with(part)))
        .or_else(|| near.map(|(_, suggestion)| suggestion))
        .or_else(|| shortest(|name, part| name.contains(part)));
    found.map(|(_, meant)| meant.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_like_a_name_or_part_of_it_is_meant() {
        let suggestion = |typed: &str, meant: &str| (typed.to_owned(), meant.to_owned());
        let suggestions = BTreeSet::from([
            suggestion("Parse", "*/Parse"),
            suggestion("RecvReq", "*/RecvReq"),
            suggestion("Request Task/Parse", "Request Task/Parse"),
        ]);
        for (typed, meant) in [
            ("parse", Some("*/Parse")),
            ("Parce", Some("*/Parse")),
            ("Recv", Some("*/RecvReq")),
            ("request", Some("Request Task/Parse")),
            ("request task/pars", Some("Request Task/Parse")),
            ("Nothing", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, &suggestions), meant, "{typed}");
        }
    }
}
