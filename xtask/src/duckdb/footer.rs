//! What follows the library in an extension of `DuckDB`.
//!
//! A custom section of WebAssembly with a signature: 22 bytes of header, 8 fields of 32 bytes of which the last comes
//! first, and 256 bytes for a signature, zeros here: `DuckDB` asks `allow_unsigned_extensions` of whoever loads it.

/// The header of the section: its kind, its length, its name, and the length of what follows (512, as LEB128).
const HEADER: [u8; 22] = *b"\0\x93\x04\x10duckdb_signature\x80\x04";
const FIELD: usize = 32;
const SIGNATURE: usize = 256;

/// Returns a library with the footer: for hosts of a platform that have version 1.2.0 or later of the C interface.
pub(super) fn stamped(library: &[u8], platform: &str, version: &str) -> Result<Vec<u8>, String> {
    // Magic, platform, least version of the interface, version of the extension, kind of interface, unused ones.
    let fields = ["4", platform, "v1.2.0", version, "C_STRUCT", "", "", ""];
    let mut stamped = library.to_vec();
    stamped.extend(HEADER);
    for text in fields.iter().rev() {
        let mut field = [0; FIELD];
        let room = field.get_mut(..text.len()).ok_or_else(|| format!("{text} is longer than {FIELD} bytes"))?;
        room.copy_from_slice(text.as_bytes());
        stamped.extend(field);
    }
    stamped.extend([0; SIGNATURE]);
    Ok(stamped)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]
mod tests {
    use super::*;

    #[test]
    fn the_footer_has_the_fields_that_hosts_read() {
        let file = stamped(b"library", "linux_amd64", "0.1.0").unwrap();
        assert_eq!(file.len(), 7 + 22 + 512);
        assert!(file.starts_with(b"library\0\x93\x04\x10duckdb_signature\x80\x04"));
        // As `ParsedExtensionMetaData` reads it: the last 512 bytes, fields from the last to the first.
        let footer = &file[file.len() - 512..];
        let field = |number: usize| {
            let field = &footer[(7 - number) * 32..][..32];
            String::from_utf8(field.iter().copied().take_while(|byte| *byte != 0).collect()).unwrap()
        };
        assert_eq!(std::array::from_fn(field), ["4", "linux_amd64", "v1.2.0", "0.1.0", "C_STRUCT", "", "", ""]);
        assert!(footer[256..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn a_text_that_does_not_fit_is_refused() {
        assert!(stamped(b"", &"x".repeat(33), "0.1.0").is_err());
    }
}
