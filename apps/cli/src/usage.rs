//! Reading the command line, and what is printed if it is wrong.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, CommandFactory, Error, FromArgMatches};

use crate::cli::{Cli, Color};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::printer::Printer;

/// The arguments; colours are as they want it from here on.
pub(crate) fn read() -> Result<Cli, Error> {
    let color = Color::typed(std::env::args_os().skip(1));
    color.apply();
    let choice = match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    let matches = Cli::command().color(choice).try_get_matches().map_err(with_short_value)?;
    Cli::from_arg_matches(&matches)
}

/// Characters of a wrong value that are printed.
const MOST_PRINTED: usize = 200;

/// The same error with the beginning of the value that is wrong: a condition may have 64 KiB.
fn with_short_value(mut error: Error) -> Error {
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && let Some((end, _)) = value.char_indices().nth(MOST_PRINTED)
    {
        let start = format!("{} ...", value.get(..end).unwrap_or_default());
        error.insert(ContextKind::InvalidValue, ContextValue::String(start));
    }
    error
}

/// Prints help, or what is wrong and what to type instead.
pub(crate) fn complain(error: &Error) -> Status {
    let printed = error.print();
    if let Some(hint) = hint(error) {
        Printer::hint(&hint);
    }
    match (error.use_stderr(), printed.map_err(Failure::from)) {
        (false, Ok(()) | Err(Failure::BrokenPipe)) => Status::Complete,
        (false, Err(failure)) => {
            Printer::failure(&failure);
            Status::Failed
        }
        (true, _) => Status::Failed,
    }
}

/// What clap cannot know.
fn hint(error: &Error) -> Option<String> {
    let typed = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = typed(ContextKind::InvalidSubcommand)?;
            let is_file = Path::new(name).exists() || name.contains(['.', '*', '/', '\\']);
            let of_file = || {
                format!(
                    "name a command: `etwkit info {name}` prints what is in it, `etwkit dump {name}` prints every event"
                )
            };
            is_file.then(of_file).or_else(|| of_other_program(name))
        }
        ErrorKind::UnknownArgument => match typed(ContextKind::InvalidArg)? {
            "--csv" | "--xml" | "--text" | "--jsonl" => {
                Some("the form of the output is chosen with --format".to_owned())
            }
            "--filter" => Some("conditions on events go to --where (`etwkit help where`)".to_owned()),
            _ => None,
        },
        ErrorKind::InvalidValue => of_profile(typed(ContextKind::InvalidValue)?, error),
        _ => None,
    }
}

/// The command for a form of profiles that spans do not have.
fn of_profile(form: &str, error: &Error) -> Option<String> {
    let is_of_spans = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(valid)) => {
            ["folded", "chrome"].iter().all(|form| valid.iter().any(|known| known == form))
        }
        _ => false,
    };
    let is_form = ["tree", "svg", "speedscope", "firefox", "perfetto", "pprof"].contains(&form);
    (is_of_spans && is_form).then(|| format!("`etwkit profile --by spans --format {form} FILE` writes it"))
}

/// What other programs call a command: the words, the command here, and what it does.
const OF_OTHER_PROGRAMS: &[(&[&str], &str, &str)] = &[
    (
        &["show", "print", "cat", "read", "convert", "decode", "parse", "events", "tracerpt", "tracefmt"],
        "dump",
        "prints every event; --format chooses the form",
    ),
    (
        &["list", "ls", "stat", "stats", "summary", "describe", "header", "inspect"],
        "info",
        "prints what a trace contains",
    ),
    (&["group", "top", "histogram", "frequency"], "count", "counts events in groups"),
    (&["perf", "blg"], "counters", "prints the values of a performance log"),
    (&["etl2pcap", "etl2pcapng", "packets", "pktmon"], "pcap", "writes the packets"),
    (&["http", "iis"], "requests", "prints the requests of web servers"),
    (&["manifest", "providers", "fields"], "schema", "prints providers, events and fields with their types"),
];

/// The command for what other programs call otherwise, or for a name in capital letters.
fn of_other_program(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    if Cli::command().find_subcommand(&name).is_some() {
        return Some(format!("names of commands have small letters: `etwkit {name}`"));
    }
    let (_, command, does) = OF_OTHER_PROGRAMS.iter().find(|(words, ..)| words.contains(&name.as_str()))?;
    Some(format!("`etwkit {command} FILE` {does}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_programs_are_no_commands_and_lead_to_one() {
        let cli = Cli::command();
        for (words, command, _) in OF_OTHER_PROGRAMS {
            assert!(cli.find_subcommand(command).is_some(), "{command}");
            assert_eq!(words.iter().find(|word| cli.find_subcommand(word).is_some()), None);
        }
    }

    #[test]
    fn a_name_in_capital_letters_is_known() {
        assert!(of_other_program("Export").is_some_and(|hint| hint.ends_with("`etwkit export`")));
        assert!(of_other_program("LS").is_some_and(|hint| hint.starts_with("`etwkit info FILE`")));
    }
}
