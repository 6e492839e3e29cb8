//! Members of archives.

/// A member of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub(crate) name: String,
    pub(crate) index: usize,
}

/// The kind of a member, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemberKind {
    /// A trace.
    Trace,
    /// Packed itself.
    Packed,
    /// Something else, or unreadable.
    Other,
}

impl Member {
    /// Returns its name as the archive has it; what is not UTF-8 as U+FFFD. It may be anything: see
    /// [`Member::has_safe_name`].
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether it is a folder.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.name.ends_with('/')
    }

    /// Returns whether the name stays below a folder that it is appended to, on Windows and elsewhere.
    #[must_use]
    pub fn has_safe_name(&self) -> bool {
        let is_absolute = self.name.starts_with(['/', '\\']) || self.name.as_bytes().get(1) == Some(&b':');
        let mut parts = self.name.split(['/', '\\']);
        // Windows drops blanks and dots at the end of a part.
        let leads_up = |part: &str| part.starts_with("..") && part.trim_end_matches(['.', ' ']).is_empty();
        !self.name.is_empty() && !is_absolute && !self.name.contains('\0') && !parts.any(leads_up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_are_told() {
        let is_safe = |name: &str| Member { name: name.to_owned(), index: 0 }.has_safe_name();
        for name in ["a.etl", "logs/a.etl", r"logs\a.etl", "a..b/..c.etl", "./a.etl", ".hidden", "\u{202e}a.etl"] {
            assert!(is_safe(name), "{name}");
        }
        let out =
            ["", "../a.etl", "a/../../b.etl", r"a\..\..\b.etl", "/tmp/a.etl", r"\\host\a.etl", r"C:\a.etl", "c:a.etl"];
        for name in out.into_iter().chain(["a/.. /b.etl", "a/..", "...", "a\0.etl"]) {
            assert!(!is_safe(name), "{name}");
        }
    }
}
