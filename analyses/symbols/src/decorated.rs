//! Names as the linker knows them.

use etwkit::bytes::cut_text;
use msvc_demangler::{DemangleFlags, demangle};

use crate::caught::caught;
use crate::limits::{MAX_DECORATED, MAX_NAME, MAX_UNDECORATED_PARTS};

/// How names are undecorated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Undecorate {
    /// Whether calling conventions decorate names of C functions.
    pub(crate) is_x86: bool,
    /// Whether the types of arguments are kept.
    pub(crate) arguments: bool,
}

impl Undecorate {
    /// Returns the name as source code has it; what is not decorated, or cannot be undecorated, as it is.
    pub(crate) fn name(self, name: String) -> String {
        let plain = if name.starts_with('?') { self.cpp(&name) } else { self.c(&name).map(str::to_owned) };
        let name = plain.unwrap_or(name);
        if name.len() > MAX_NAME { cut_text(&name, MAX_NAME).to_owned() } else { name }
    }

    fn cpp(self, name: &str) -> Option<String> {
        if name.len() > MAX_DECORATED || parts(name) > MAX_UNDECORATED_PARTS {
            return None;
        }
        let flags = if self.arguments { DemangleFlags::llvm() } else { DemangleFlags::NAME_ONLY };
        caught(|| demangle(name, flags).ok()).flatten()
    }

    /// Strips what calling conventions add on x86: `_f` (cdecl), `_f@8` (stdcall), `@f@8` (fastcall), `f@@8`
    /// (vectorcall).
    fn c(self, name: &str) -> Option<&str> {
        if !self.is_x86 {
            return None;
        }
        let (front, bytes) = name.rsplit_once('@').unwrap_or((name, ""));
        let has_bytes = !bytes.is_empty() && bytes.bytes().all(|byte| byte.is_ascii_digit());
        let front = if has_bytes { front } else { name };
        let plain = match front.strip_prefix(['_', '@']) {
            Some(plain) => plain,
            None if has_bytes => front.strip_suffix('@')?,
            None => return None,
        };
        (!plain.is_empty()).then_some(plain)
    }
}

/// Returns an upper bound of how many parts a decorated name is made of once its references are resolved.
///
/// A digit may stand for an earlier type or name, which is copied. What is copied within a type of a function or within the
/// arguments of a template can be copied again as a whole, so that the copies multiply with each such level. The product
/// is largest if all levels have the same number of references.
fn parts(name: &str) -> f64 {
    let digits = name.bytes().filter(u8::is_ascii_digit).count() as f64;
    let pairs = name.as_bytes().windows(2);
    let is_level = |pair: &&[u8]| matches!(pair, [b'?', b'$'] | [b'A'..=b'D' | b'P'..=b'S', b'6' | b'8']);
    let levels = pairs.filter(is_level).count() as f64 + 1.0;
    (1.0 + digits / levels).powf(levels) * name.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_undecorated() {
        let name = |text: &str| Undecorate::default().name(text.to_owned());
        assert_eq!(name("?run@Job@work@@QEAAXPEAV12@H@Z"), "work::Job::run");
        assert_eq!(name("??0Job@work@@QEAA@XZ"), "work::Job::Job");
        assert_eq!(name("RtlUserThreadStart"), "RtlUserThreadStart");
        assert_eq!(name("?broken"), "?broken");
        let full = Undecorate { arguments: true, is_x86: false };
        assert!(full.name("?run@Job@work@@QEAAXPEAV12@H@Z".to_owned()).contains("run(class work::Job *, int)"));
    }

    #[test]
    fn calling_conventions_are_stripped_on_x86_only() {
        let names = ["_main", "_Sleep@4", "@fast@8", "vector@@16", "plain", "a@b", "_"];
        let x86 = Undecorate { is_x86: true, arguments: false };
        let stripped = names.map(|name| x86.name(name.to_owned()));
        assert_eq!(stripped, ["main", "Sleep", "fast", "vector", "plain", "a@b", "_"]);
        assert_eq!(Undecorate::default().name("_main".to_owned()), "_main");
    }

    #[test]
    fn names_that_grow_without_bounds_stay_decorated() {
        let levels: Vec<String> = (0..9).map(|level| level.to_string().repeat(20)).collect();
        let name = format!("?f@@YAXP6AX{}@Z@Z", levels.join("@ZP6AX"));
        assert_eq!(Undecorate::default().name(name.clone()), name);
    }
}
