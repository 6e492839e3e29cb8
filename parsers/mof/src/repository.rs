//! The classes of all files, by name.

use std::collections::HashMap;
use std::fmt;

use etwkit::error::{Error, Result};

use crate::ast::{Class, Property, Qualifier, Qualifiers};
use crate::grammar;
use crate::limits;
use crate::text::{self, Lines, Place};

/// Something in a MOF file that no schema was made of, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The file's name as it was given.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// One sentence for people.
    pub detail: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, detail } = self;
        write!(f, "{file}:{line}:{column}: {detail}")
    }
}

/// A class and where it comes from.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) class: Class,
    /// Index of its file.
    pub(crate) file: usize,
    /// Place of the class' name.
    pub(crate) place: Place,
    /// Place of each property's name.
    pub(crate) places: Vec<Place>,
}

/// All classes, in the order of the files.
#[derive(Debug, Default)]
pub(crate) struct Repository {
    files: Vec<String>,
    classes: Vec<Known>,
    /// Indices of the classes of a name, which is in lower case.
    by_name: HashMap<String, Vec<usize>>,
    /// Classes that only add to others.
    amendments: Vec<Known>,
    notes: Vec<Note>,
}

/// Notes that are kept; a broken file could cause one per property.
const MAX_NOTES: usize = 1000;

impl Repository {
    /// Reads a file. An error reports the line and column.
    pub(crate) fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let text = text::decode(bytes)?;
        let document = grammar::parse(&text)?;
        if self.classes.len() + self.amendments.len() + document.classes.len() > limits::MAX_CLASSES {
            return Err(Error::limit("classes of MOF files", limits::MAX_CLASSES));
        }
        let lines = Lines::of(&text);
        let file = self.files.len();
        self.files.push(name.to_owned());
        for at in document.includes {
            self.note(file, lines.place(at), "the file that is to be included is not read: give it as well".into());
        }
        for class in document.classes {
            let places = class.properties.iter().map(|property| lines.place(property.at)).collect();
            let known = Known { place: lines.place(class.at), places, class, file };
            if known.class.qualifiers.has("amendment") {
                self.amendments.push(known);
                continue;
            }
            self.by_name.entry(known.class.name.to_lowercase()).or_default().push(self.classes.len());
            self.classes.push(known);
        }
        Ok(())
    }

    /// Lets amendments add what is stated nowhere else: texts in another language, most of all. To be called when all
    /// files have been read.
    pub(crate) fn amend(&mut self) {
        let amendments = std::mem::take(&mut self.amendments);
        if amendments.is_empty() {
            return;
        }
        let mut properties: HashMap<(usize, String), usize> = HashMap::new();
        for (at, known) in self.classes.iter().enumerate() {
            for (place, property) in known.class.properties.iter().enumerate() {
                properties.insert((at, property.name.to_lowercase()), place);
            }
        }
        for amendment in amendments {
            let found = self.named(&amendment.class.name, amendment.file);
            let Some((at, target)) = found.and_then(|at| Some((at, self.classes.get_mut(at)?))) else {
                let detail = format!("`{}` amends a class that is not there", amendment.class.name);
                self.note(amendment.file, amendment.place, detail);
                continue;
            };
            fill(&mut target.class.qualifiers, amendment.class.qualifiers);
            for Property { name, qualifiers, .. } in amendment.class.properties {
                let place = properties.get(&(at, name.to_lowercase()));
                let property = place.and_then(|place| target.class.properties.get_mut(*place));
                if let Some(property) = property {
                    fill(&mut property.qualifiers, qualifiers);
                }
            }
        }
    }

    /// Returns the class and its bases, itself first. A base that is in no file ends the list.
    pub(crate) fn chain(&self, class: usize) -> Result<Vec<&Known>> {
        let mut chain = Vec::new();
        let mut next = self.classes.get(class);
        while let Some(known) = next {
            if chain.len() > limits::MAX_BASES {
                return Err(Error::limit("base classes one above the other", limits::MAX_BASES));
            }
            chain.push(known);
            let base = known.class.base.as_deref().and_then(|base| self.named(base, known.file));
            next = base.and_then(|at| self.classes.get(at));
        }
        Ok(chain)
    }

    /// Returns a class by name: of the same file if there is one, else of the first file that has it. Of several in one
    /// file the last counts, as the repository would keep it.
    fn named(&self, name: &str, file: usize) -> Option<usize> {
        let all = self.by_name.get(&name.to_lowercase())?;
        let in_file = |wanted: usize| {
            let end = all.partition_point(|at| self.classes.get(*at).is_some_and(|known| known.file <= wanted));
            let last = end.checked_sub(1).and_then(|at| all.get(at)).copied()?;
            self.classes.get(last).filter(|known| known.file == wanted).map(|_| last)
        };
        let first = all.first().and_then(|at| self.classes.get(*at)).map(|known| known.file);
        in_file(file).or_else(|| first.and_then(in_file))
    }

    pub(crate) fn classes(&self) -> &[Known] {
        &self.classes
    }

    /// Returns the name of a file.
    pub(crate) fn file(&self, file: usize) -> &str {
        self.files.get(file).map_or("", String::as_str)
    }

    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Keeps a note, unless there are too many; the last states so.
    pub(crate) fn note(&mut self, file: usize, place: Place, detail: String) {
        let detail = match self.notes.len() {
            MAX_NOTES => "further notes are left out".to_owned(),
            more if more > MAX_NOTES => return,
            _ => detail,
        };
        self.notes.push(Note { file: self.file(file).to_owned(), line: place.line, column: place.column, detail });
    }
}

/// Adds the qualifiers that are not there yet.
fn fill(qualifiers: &mut Qualifiers, more: Qualifiers) {
    let ours = ["amendment", "locale"];
    for Qualifier { name, value } in more.0 {
        let is_of_amendment = ours.iter().any(|word| name.eq_ignore_ascii_case(word));
        let has_room = qualifiers.0.len() < limits::MAX_QUALIFIERS;
        if !is_of_amendment && has_room && qualifiers.get(&name).is_none() {
            qualifiers.0.push(Qualifier { name, value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(repository: &Repository, class: usize) -> Vec<String> {
        repository.chain(class).unwrap().iter().map(|known| known.class.name.to_string()).collect()
    }

    #[test]
    fn bases_are_found_in_the_same_file_first() {
        let mut repository = Repository::default();
        repository.add("a", b"class Base : Root { }; class A : base { };").unwrap();
        repository.add("b", b"class Base { }; class B : Base { }; class C : Gone { };").unwrap();
        assert_eq!(names(&repository, 1), ["A", "Base"]);
        assert_eq!(repository.chain(3).unwrap()[1].file, 1);
        assert_eq!(names(&repository, 4), ["C"]);
    }

    #[test]
    fn a_circle_of_bases_is_an_error() {
        let mut repository = Repository::default();
        repository.add("a", b"class A : B { }; class B : A { };").unwrap();
        assert!(repository.chain(0).is_err());
    }

    #[test]
    fn amendments_add_what_is_not_said() {
        let mut repository = Repository::default();
        let amendment = br#"[amendment, locale(1033), DisplayName("Text") : amended] class A {
            [Description("d"), WmiDataId(9)] uint32 X; }; [amendment] class Gone { };"#;
        repository.add("a.mfl", amendment).unwrap();
        repository.add("a.mof", b"[Guid(\"g\")] class A { [WmiDataId(1)] uint32 x; };").unwrap();
        repository.amend();
        let class = &repository.classes()[0].class;
        assert_eq!((class.qualifiers.text("displayname"), class.qualifiers.has("locale")), (Some("Text"), false));
        let property = &class.properties[0].qualifiers;
        assert_eq!((property.text("description"), property.number("wmidataid")), (Some("d"), Some(1)));
        let notes: Vec<_> = repository.notes().iter().map(ToString::to_string).collect();
        assert_eq!(notes, ["a.mfl:2:77: `Gone` amends a class that is not there"]);
    }
}
