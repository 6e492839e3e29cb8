//! What is known to differ, with reasons: `names.txt` and `exceptions.txt`.

use std::cell::Cell;
use std::collections::BTreeMap;

/// Our names of TraceEvent's fields.
#[derive(Debug)]
pub(crate) struct Names {
    ours: BTreeMap<String, (String, Cell<bool>)>,
}

impl Names {
    /// Lines of `Class.Field = Ours -- reason`; `*.Field` is for all classes.
    pub(crate) fn parse(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let ours = lines.map(|line| {
            let (rule, reason) = line.split_once(" -- ").unwrap_or_else(|| panic!("no reason: {line}"));
            assert!(!reason.trim().is_empty(), "no reason: {line}");
            let (theirs, ours) = rule.split_once(" = ").unwrap_or_else(|| panic!("what is {line}?"));
            (theirs.trim().to_owned(), (ours.trim().to_owned(), Cell::new(false)))
        });
        Self { ours: ours.collect() }
    }

    /// Our name of a field.
    pub(crate) fn of<'n>(&'n self, class: &str, field: &'n str) -> &'n str {
        let found = self.ours.get(&format!("{class}.{field}")).or_else(|| self.ours.get(&format!("*.{field}")));
        found.map_or(field, |(ours, used)| {
            used.set(true);
            ours
        })
    }

    /// Entries that nothing needed.
    pub(crate) fn idle(&self) -> Vec<&str> {
        self.ours.iter().filter(|(_, (_, used))| !used.get()).map(|(name, _)| name.as_str()).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.ours.len()
    }
}

/// A difference that was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// `schema` (there is none), `fit`, `place` (no field there), `name`, `type`, `title` (the event has another name),
    /// `value`, `gate` (a field too many), `unclear` (the facts do not state it), `version` (only the name is known).
    pub(crate) kind: &'static str,
    /// The event, or `Class.Field`.
    pub(crate) subject: String,
    pub(crate) version: u8,
    pub(crate) pointer: usize,
    pub(crate) detail: String,
}

/// Differences that are right.
#[derive(Debug)]
pub(crate) struct Exceptions {
    list: Vec<Exception>,
}

#[derive(Debug)]
struct Exception {
    line: String,
    kind: String,
    subject: String,
    versions: (u8, u8),
    pointer: Option<usize>,
    used: Cell<usize>,
}

impl Exceptions {
    /// Lines of `KIND SUBJECT [vFIRST..LAST] [p4|p8] -- reason`; a `*` in the subject matches anything.
    pub(crate) fn parse(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self { list: lines.map(Exception::parse).collect() }
    }

    /// Returns whether a difference is expected.
    pub(crate) fn hold(&self, finding: &Finding) -> bool {
        let mut any = false;
        for exception in self.list.iter().filter(|exception| exception.holds(finding)) {
            exception.used.set(exception.used.get() + 1);
            any = true;
        }
        any
    }

    /// Entries that nothing needed.
    pub(crate) fn idle(&self) -> Vec<&str> {
        self.list.iter().filter(|one| one.used.get() == 0).map(|one| one.line.as_str()).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}

impl Exception {
    fn parse(line: &str) -> Self {
        let (rule, reason) = line.split_once(" -- ").unwrap_or_else(|| panic!("no reason: {line}"));
        assert!(!reason.trim().is_empty(), "no reason: {line}");
        let mut words = rule.split_whitespace();
        let (kind, subject) = (words.next().unwrap_or_default().into(), words.next().unwrap_or_default().into());
        let (mut versions, mut pointer) = ((0, u8::MAX), None);
        for word in words {
            if let Some(range) = word.strip_prefix('v') {
                let (first, last) = range.split_once("..").unwrap_or((range, range));
                versions = (first.parse().unwrap_or(0), last.parse().unwrap_or(u8::MAX));
            } else {
                pointer = Some(word.strip_prefix('p').and_then(|size| size.parse().ok()).expect("a pointer size"));
            }
        }
        Self { line: line.into(), kind, subject, versions, pointer, used: Cell::new(0) }
    }

    fn holds(&self, finding: &Finding) -> bool {
        self.kind == finding.kind
            && (self.versions.0..=self.versions.1).contains(&finding.version)
            && self.pointer.is_none_or(|pointer| pointer == finding.pointer)
            && is_like(&self.subject, &finding.subject)
    }
}

/// Returns whether a text is like a pattern with at most one `*`.
fn is_like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        Some((head, tail)) => text.len() >= head.len() + tail.len() && text.starts_with(head) && text.ends_with(tail),
        None => pattern == text,
    }
}
