//! Names of folders that engines read as columns.

use std::fmt::Write as _;

/// Maximum number of bytes of a name: file systems take 255.
const MOST_BYTES: usize = 240;

/// Returns the name of a folder for the rows with a value in a column, as Hive names them: `column=value`. Bytes other
/// than letters, digits and a few signs are escaped, which readers undo, so that no value leads to another folder.
pub(crate) fn partition(column: &str, value: &str) -> String {
    let mut name = format!("{column}=");
    for c in value.chars() {
        let start = name.len();
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ') {
            name.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(name, "%{byte:02X}");
            }
        }
        if name.len() > MOST_BYTES {
            name.truncate(start);
            break;
        }
    }
    // File systems of Windows drop these at the end.
    while name.ends_with(['.', ' ']) {
        name.pop();
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_their_folder() {
        for (value, name) in [
            ("Microsoft-Windows-TCPIP", "event=Microsoft-Windows-TCPIP"),
            ("GC/Start", "event=GC%2FStart"),
            ("..", "event="),
            ("../a b.", "event=..%2Fa b"),
            ("é=1", "event=%C3%A9%3D1"),
        ] {
            assert_eq!(partition("event", value), name);
        }
        let long = partition("event", &"日".repeat(500));
        assert!(long.len() <= 240 && long.ends_with("%A5"), "{long}");
    }
}
