//! The names of the kernel's classes: `data/mof.txt`.

use std::sync::LazyLock;

use etwkit::bytes::Guid;

use super::{Alias, Aliases, FieldAppearance};

const TEXT: &str = include_str!("../../data/mof.txt");

/// What the table has in place of a name that is that of the schema.
const OF_SCHEMA: &str = "*";

/// Read once for all reports.
static KERNEL: LazyLock<Aliases> = LazyLock::new(read);

impl Aliases {
    /// Returns the display names of the kernel's MOF classes, of their event types and fields.
    pub fn kernel() -> Self {
        KERNEL.clone()
    }
}

fn read() -> Aliases {
    let mut aliases = Aliases::default();
    let mut class = None;
    for line in TEXT.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if !line.starts_with(' ') {
            class = read_class(line);
        } else if let Some((name, guid, version)) = &class {
            for (opcode, alias) in read_types(line, name) {
                aliases.add(*guid, opcode, *version, alias);
            }
        }
    }
    aliases
}

/// Name, GUID, and version unless it applies to all.
fn read_class(line: &str) -> Option<(&str, Guid, Option<u8>)> {
    let mut words = line.split(' ');
    Some((words.next()?, words.next()?.parse().ok()?, words.next()?.parse().ok()))
}

/// `1 Start, 2 End: ProcessId:x ImageFileName`.
fn read_types<'t>(line: &'t str, event: &'t str) -> impl Iterator<Item = (u8, Alias)> + 't {
    let (types, fields) = line.split_once(':').unwrap_or((line, ""));
    let fields: Box<[_]> = fields.split_whitespace().map(read_field).collect();
    types.split(',').filter_map(move |part| {
        let (opcode, name) = part.trim().split_once(' ')?;
        let name = Some(name).filter(|name| *name != OF_SCHEMA).map(Box::from);
        let alias = Alias { event: event.into(), opcode: name, fields: fields.clone() };
        Some((opcode.parse().ok()?, alias))
    })
}

fn read_field(word: &str) -> (Box<str>, FieldAppearance) {
    match word.split_once(':') {
        Some((name, "x")) => (name.into(), FieldAppearance::Hex),
        Some((name, "d")) => (name.into(), FieldAppearance::Decimal),
        // An unknown appearance is an error in the table, and a test finds it.
        Some((name, parts)) => (name.into(), parts.parse().map_or(FieldAppearance::Schema, FieldAppearance::Whole)),
        None => (word.into(), FieldAppearance::Schema),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        let (mut types, mut classes) = (0, 0);
        for line in TEXT.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            if line.starts_with(' ') {
                let listed = line.split(':').next().unwrap_or_default().split(',').count();
                let read: Vec<_> = read_types(line, "x").collect();
                assert!(read.iter().all(|(_, alias)| alias.opcode.as_deref() != Some("")), "{line}");
                assert_eq!(read.len(), listed, "{line}");
                let fields = read.iter().flat_map(|(_, alias)| &alias.fields);
                assert!(fields.map(|(name, look)| (name, *look)).all(|(name, look)| {
                    !name.contains(':')
                        && look != FieldAppearance::Hidden
                        && look != FieldAppearance::Whole(0)
                        && look != FieldAppearance::Whole(1)
                }));
                let words = line.split_whitespace().filter(|word| word.contains(':') && !word.ends_with(':'));
                assert!(
                    words
                        .filter(|word| !word.ends_with(":x"))
                        .all(|word| !matches!(read_field(word).1, FieldAppearance::Schema))
                );
                types += listed;
            } else {
                assert!(read_class(line).is_some(), "{line}");
                classes += 1;
            }
        }
        assert!(classes > 30 && types > 200, "{classes} classes, {types} types");
        assert!(!Aliases::kernel().is_empty());
    }

    #[test]
    fn fields_have_looks() {
        let (opcode, alias) =
            read_types("  1 Start, 2 End: ProcessId:x ExitStatus:d Flags:3 UserSID", "Process").nth(1).unwrap();
        assert_eq!((opcode, &*alias.event, alias.opcode.as_deref()), (2, "Process", Some("End")));
        let looks: Vec<_> = alias.fields.iter().map(|(_, look)| *look).collect();
        assert_eq!(
            looks,
            [FieldAppearance::Hex, FieldAppearance::Decimal, FieldAppearance::Whole(3), FieldAppearance::Schema]
        );
    }
}
