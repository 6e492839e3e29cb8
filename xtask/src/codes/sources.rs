//! Reads the constants of the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use windows_metadata::reader::Index;
use windows_metadata::{Type, Value};

use super::fact::{Fact, Origin};
use super::mingw;
use crate::done::Done;

/// What the sources know.
pub(super) struct Sources {
    pub(super) facts: Vec<Fact>,
    pub(super) has_mingw: bool,
}

impl Sources {
    /// Reads `windows-sys`, `windows-default` and `ntapi` in a folder, as `cargo vendor` lays them out, and the headers
    /// of mingw-w64 in `mingw/ddk` if they are there.
    pub(super) fn read(folder: &Path) -> Done<Self> {
        let mut facts = windows_sys(&folder.join("windows-sys"))?;
        let newer = metadata(&folder.join("windows-default/Windows.Win32.winmd"))?;
        add_newer(&mut facts, newer);
        facts.extend(thread_states(&folder.join("ntapi/src/ntkeapi.rs"))?);
        let headers = folder.join("mingw/ddk");
        let has_mingw = headers.join("ndis.h").is_file();
        if has_mingw {
            facts.extend(mingw::read(&headers, &facts)?);
        }
        Ok(Self { facts, has_mingw })
    }
}

/// The constants of the crate's sources that are integers of at most 32 bits.
pub(super) fn windows_sys(folder: &Path) -> Done<Vec<Fact>> {
    let root = folder.join("src/Windows");
    let mut facts = Vec::new();
    for path in modules(&root)? {
        let module = path.parent().and_then(|module| module.strip_prefix(&root).ok()).ok_or("no module")?;
        let module = module.to_string_lossy().replace('\\', "/");
        facts.extend(fs::read_to_string(&path)?.lines().filter_map(|line| constant(line, &module)));
    }
    Ok(facts)
}

fn modules(folder: &Path) -> Done<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.append(&mut modules(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// `pub const NAME: TYPE = NUMBER;`
fn constant(line: &str, module: &str) -> Option<Fact> {
    let (name, rest) = line.trim().strip_prefix("pub const ")?.split_once(": ")?;
    let (kind, value) = rest.strip_suffix(';')?.split_once(" = ")?;
    let kind = kind.rsplit("::").next().unwrap_or(kind);
    Some(Fact {
        name: name.into(),
        kind: kind.into(),
        module: module.into(),
        number: number(value)?,
        origin: Origin::WindowsSys,
    })
}

/// `5u32`, `-1i32`, `0x80004005_u32 as _`
fn number(text: &str) -> Option<u32> {
    let text = text.strip_suffix(" as _").unwrap_or(text);
    let (digits, _) = ["u32", "i32", "u16"].iter().find_map(|kind| Some((text.strip_suffix(kind)?, kind)))?;
    let digits = digits.trim_end_matches('_');
    match (digits.strip_prefix("0x"), digits.strip_prefix('-')) {
        (Some(digits), _) => u32::from_str_radix(digits, 16).ok(),
        (_, Some(_)) => digits.parse::<i32>().ok().map(i32::cast_unsigned),
        _ => digits.parse().ok(),
    }
}

/// The constants of Windows' metadata.
fn metadata(path: &Path) -> Done<Vec<Fact>> {
    let index = Index::read(path).ok_or_else(|| format!("{} is not metadata", path.display()))?;
    let mut facts = Vec::new();
    for class in index.all() {
        for field in class.fields() {
            let Some(number) = field.constant().and_then(|constant| integer(&constant.value())) else { continue };
            facts.push(Fact {
                name: field.name().into(),
                kind: kind(&field.ty()),
                module: String::new(),
                number,
                origin: Origin::WindowsDefault,
            });
        }
    }
    // The index has no order of its own.
    facts.sort_by(|a, b| (&a.name, &a.kind, a.number).cmp(&(&b.name, &b.kind, b.number)));
    Ok(facts)
}

fn integer(value: &Value) -> Option<u32> {
    match value {
        Value::U8(number) => Some((*number).into()),
        Value::U16(number) => Some((*number).into()),
        Value::I32(number) => Some(number.cast_unsigned()),
        Value::U32(number) => Some(*number),
        _ => None,
    }
}

fn kind(of: &Type) -> String {
    match of {
        Type::Name(name) => name.name.clone(),
        Type::U32 => "u32".into(),
        Type::I32 => "i32".into(),
        Type::U16 | Type::U8 => "u16".into(),
        _ => "?".into(),
    }
}

/// Adds what the metadata know and `windows-sys` does not: new names, and typed ones that have another number.
fn add_newer(facts: &mut Vec<Fact>, mut newer: Vec<Fact>) {
    let known: BTreeSet<&str> = facts.iter().map(|fact| fact.name.as_str()).collect();
    newer.retain(|fact| !known.contains(fact.name.as_str()) || !fact.is_plain());
    facts.append(&mut newer);
}

/// `KTHREAD_STATE` as `ntapi` declares it: lines of `Name = number,`.
fn thread_states(path: &Path) -> Done<Vec<Fact>> {
    let text = fs::read_to_string(path)?;
    let (_, list) = text.split_once("enum KTHREAD_STATE {").ok_or("no KTHREAD_STATE")?;
    let lines = list.lines().take_while(|line| !line.starts_with('}'));
    let states = lines.filter_map(|line| {
        let (name, number) = line.trim().trim_end_matches(',').split_once(" = ")?;
        Some(Fact {
            name: name.into(),
            kind: "KTHREAD_STATE".into(),
            module: String::new(),
            number: number.parse().ok()?,
            origin: Origin::Ntapi,
        })
    });
    Ok(states.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_crate_are_read() {
        let read = |line: &str| constant(line, "Win32/X").map(|fact| (fact.name, fact.kind, fact.number));
        let is = |name: &str, kind: &str, number| Some((name.to_owned(), kind.to_owned(), number));
        assert_eq!(read("pub const A: WIN32_ERROR = 5u32;"), is("A", "WIN32_ERROR", 5));
        assert_eq!(
            read("pub const E: windows_sys::core::HRESULT = 0x80004005_u32 as _;"),
            is("E", "HRESULT", 0x8000_4005)
        );
        assert_eq!(read("    pub const M: i32 = -1i32;"), is("M", "i32", u32::MAX));
        assert_eq!(read("pub const S: &str = \"5u32\";"), None);
        assert_eq!(read("pub type A = i32;"), None);
    }
}
