//! The arguments of a command line by themselves, and which of them are looked for outside of it.

/// Shorter ones, such as `/c`, are looked for nowhere.
pub(crate) const SHORTEST: usize = 8;
/// Ends of names of programs and libraries: images keep their names, and paths outside of users' folders.
const PROGRAMS: [&str; 9] = ["exe", "dll", "sys", "cpl", "drv", "ocx", "mui", "efi", "scr"];
/// First folders of paths that every machine has.
const SYSTEM_FOLDERS: [&str; 6] =
    ["windows", "program files", "program files (x86)", "systemroot", "%systemroot%", "%windir%"];

/// Returns the arguments that tell something about who typed them, without quotes: values of options, and all that are no
/// option. What many machines have in common is left out: words, hexadecimal numbers, GUIDs, programs, system folders.
pub(crate) fn telling(line: &str) -> Vec<String> {
    let arguments = split(line);
    let mut values: Vec<String> = arguments.iter().flat_map(|argument| values(argument)).map(str::to_owned).collect();
    values.retain(|value| is_telling(value));
    values
}

/// Returns what may be a secret of an argument: itself, unless it is an option, and what it assigns.
fn values(argument: &str) -> Vec<&str> {
    let is_option = argument.starts_with(['-', '/']);
    let assigned = if is_option { argument.split_once(['=', ':']) } else { argument.split_once('=') };
    let whole = Some(argument).filter(|_| !is_option);
    whole.into_iter().chain(assigned.map(|(_, value)| value)).map(str::trim).collect()
}

fn is_telling(value: &str) -> bool {
    let is_word = value.chars().all(|c| c.is_ascii_lowercase() || is_joint(c))
        || value.chars().all(|c| c.is_ascii_uppercase() || is_joint(c));
    let is_common = is_word || is_number(value) || is_guid(value) || is_program(value) || is_of_system(value);
    value.len() >= SHORTEST && !is_common
}

/// Returns whether a character is between words that are one name.
const fn is_joint(c: char) -> bool {
    matches!(c, '-' | '_')
}

/// Returns whether a value is a number as programs hand it to others, such as `0xffffffff`.
fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X"));
    digits.is_some_and(|digits| digits.chars().all(|c| c.is_ascii_hexdigit()))
}

fn is_guid(value: &str) -> bool {
    let value = value.strip_prefix('{').and_then(|value| value.strip_suffix('}')).unwrap_or(value);
    let lens = [8, 4, 4, 4, 12];
    let parts: Vec<&str> = value.split('-').collect();
    let is_hex = |part: &str| part.chars().all(|c| c.is_ascii_hexdigit());
    parts.len() == lens.len() && parts.iter().zip(lens).all(|(part, len)| part.len() == len && is_hex(part))
}

/// `shell32.dll,Control_RunDLL` is the library with one of its functions.
fn is_program(value: &str) -> bool {
    let name = value.rsplit(['\\', '/']).next().unwrap_or_default();
    let name = name.split(',').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| PROGRAMS.contains(&&*extension))
}

/// Returns whether a path is in folders that every machine has: it is the beginning of others, or one of Windows' own.
fn is_of_system(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    let path = value.trim_start_matches(['\\', '?', '.']);
    let path = path.get(1..).and_then(|path| path.strip_prefix(":")).unwrap_or(path);
    let path = path.trim_matches('\\');
    let first = path.split('\\').next().unwrap_or_default();
    path == "programdata" || SYSTEM_FOLDERS.contains(&first)
}

/// Splits a line at white space outside of quotes, and leaves the quotes out.
fn split(line: &str) -> Vec<String> {
    let (mut arguments, mut argument, mut is_quoted) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            c if c.is_whitespace() && !is_quoted => arguments.push(std::mem::take(&mut argument)),
            c => argument.push(c),
        }
    }
    arguments.push(argument);
    arguments.retain(|argument| !argument.is_empty());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_have_no_quotes() {
        assert_eq!(split(r#" a "b c"  --d="e f"g "" "#), ["a", "b c", "--d=e fg"]);
        assert_eq!(split(r#"a "unfinished b"#), ["a", "unfinished b"]);
        assert!(split("").is_empty());
    }

    #[test]
    fn what_many_machines_have_is_not_telling() {
        for line in [
            "-k netsvcs -p -s --verbose",
            "/service netsvcs background LOCALSERVICE network-service",
            "0xffffffff -ForceV1",
            "/Processid:{AB8902B4-09CA-4BB6-B78D-A8F59079A8D5}",
            r"C:\Windows\system32\shell32.dll,Control_RunDLL7 tool64.exe C:\Tools8\x.SYS",
            r"C:\Windows\System32\config \??\C:\Windows\Temp\x7 \SystemRoot\Temp C:\ProgramData\ %WINDIR%\Logs7",
            r#""C:\Program Files (x86)\Tool 7\x.cfg""#,
            "a7 b.c short1",
        ] {
            assert_eq!(telling(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn what_was_typed_for_one_purpose_is_telling() {
        for (line, arguments) in [
            ("--customer Contoso99 --k v", &["Contoso99"][..]),
            ("--customer=Contoso99 /to:anna@corp.com", &["Contoso99", "anna@corp.com"]),
            ("customer=Contoso99", &["customer=Contoso99", "Contoso99"]),
            (r"C:\ProgramData\Contoso\x.cfg", &[r"C:\ProgramData\Contoso\x.cfg"]),
            (r#"-f "D:\Fall 12\plan.txt" x"#, &[r"D:\Fall 12\plan.txt"]),
            ("EventLog 12345678 müller-süd report.v2", &["EventLog", "12345678", "müller-süd", "report.v2"]),
        ] {
            assert_eq!(telling(line), arguments, "{line}");
        }
    }
}
