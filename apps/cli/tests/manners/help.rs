//! Help, completions, manual pages.

use super::{Folder, commands, feed};

#[test]
fn every_command_has_help_with_examples() {
    let folder = Folder::with(&[]);
    let commands = commands();
    assert!(commands.len() >= 9, "{commands:?}");
    for name in commands {
        let help = folder.output(&[&name, "--help"]);
        assert!(help.contains("\nExamples:\n  etwkit "), "{name}: {help}");
        assert_eq!(folder.output(&["help", &name]), help);
        insta::assert_snapshot!(format!("help_{name}"), help);
    }
}

/// The README lists the commands but those that print help, completions or special forms; `docs/cli.md` lists all.
#[test]
fn each_command_has_a_line_in_the_documents() {
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(repository.join("docs/cli.md")).unwrap();
    for name in commands() {
        let described = page.lines().any(|line| line.split_whitespace().take(2).eq(["etwkit", name.as_str()]));
        assert!(described, "docs/cli.md does not list `etwkit {name}`");
    }
}

#[test]
fn the_short_help_fits_a_screen_and_nothing_is_no_command() {
    let folder = Folder::with(&[]);
    let run = folder.run(&[]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("Usage: etwkit") && run.err.contains("Examples:"), "{}", run.err);
    assert!(folder.output(&["--help"]).lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn completions_are_scripts_that_know_all_commands() {
    let folder = Folder::with(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.output(&["completions", shell]);
        for name in commands() {
            assert!(script.contains(&name), "{shell} does not know {name}");
        }
        assert!(script.contains("group-by"), "{shell}");
        if shell != "powershell" && shell != "elvish" {
            let flag = if shell == "fish" { "--no-execute" } else { "-n" };
            assert!(feed(shell, &[flag], &script).is_none_or(|code| code == 0), "{shell} does not read it");
        }
    }
    assert_eq!(folder.run(&["completions", "tcsh"]).code, 2);
}

#[test]
fn only_options_that_take_files_are_completed_with_names_of_files() {
    let folder = Folder::with(&[]);
    let fish = folder.output(&["completions", "fish"]);
    let values = |line: &&str| line.contains("using_subcommand dump") && line.contains(" -r");
    let options: Vec<&str> = fish.lines().filter(values).collect();
    assert!(options.len() > 15, "{options:?}");
    for option in options {
        let takes_files = ["-l schemas ", "-l symbols ", "-l output "].iter().any(|path| option.contains(path));
        let last = option.split(" -r").last().unwrap();
        assert_eq!(takes_files, last == " -F", "{option}");
        assert!(takes_files || last.starts_with(" -f"), "{option}");
    }
    let bash = folder.output(&["completions", "bash"]);
    for option in ["--level", "--time-zone", "--where"] {
        let after = bash.split(&format!("{option})\n")).nth(1).unwrap().lines().next().unwrap();
        assert!(!after.contains("compgen -f"), "{option}: {after}");
    }
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = Folder::with(&[]);
    let run = folder.run(&["man", "-o", "pages/man1"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    let read = |name: &str| std::fs::read_to_string(folder.path().join("pages/man1").join(name)).unwrap();
    assert_eq!(read("etwkit.1"), folder.output(&["man"]));
    let main = read("etwkit.1");
    for name in commands() {
        let page = read(&format!("etwkit-{name}.1"));
        assert!(page.contains(".SH SYNOPSIS") && page.contains("Examples:"), "{name}");
        let listed = format!("etwkit\\-{}(1)", name.replace('-', "\\-"));
        assert!(main.contains(&listed), "{listed}: {main}");
    }
    assert!(main.contains("Exit codes:"), "{main}");
    assert_eq!(std::fs::read_dir(folder.path().join("pages/man1")).unwrap().count(), commands().len() + 1);
}
