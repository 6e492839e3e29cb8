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
    if let Some(last @ ('.' | ' ')) = name.chars().last() {
        name.pop();
        let _ = write!(name, "%{:02X}", u32::from(last));
    }
    // Readers take this for a null.
    name.replace("=__HIVE_DEFAULT_PARTITION__", "=%5F_HIVE_DEFAULT_PARTITION__")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_their_folder() {
        for (value, name) in [
            ("Microsoft-Windows-TCPIP", "event=Microsoft-Windows-TCPIP"),
            ("GC/Start", "event=GC%2FStart"),
            ("..", "event=.%2E"),
            ("../a b.", "event=..%2Fa b%2E"),
            ("Foo ", "event=Foo%20"),
            ("__HIVE_DEFAULT_PARTITION__", "event=%5F_HIVE_DEFAULT_PARTITION__"),
            ("é=1", "event=%C3%A9%3D1"),
        ] {
            assert_eq!(partition("event", value), name);
        }
        let long = partition("event", &"日".repeat(500));
        assert!(long.len() <= 240 && long.ends_with("%A5"), "{long}");
    }
}
