//! Breakpad's symbol files (`.sym`): text that `dump_syms` makes of debug information.
//!
//! Format: `docs/symbol_files.md` of Breakpad. Lines that are not understood are skipped, as Breakpad does.

use std::ops::Range;

use etwkit::bytes::cut_text;

use crate::contents::Contents;
use crate::frame::Found;
use crate::limits::{MAX_BREAKPAD, MAX_NAME};

/// Returns the debug id of a file, from its first line: `MODULE system architecture id name`.
pub(crate) fn debug_id(contents: &Contents) -> Option<String> {
    let head = contents.head(HEAD).ok()?;
    let line = head.split(|byte| matches!(byte, b'\n' | b'\r')).next()?;
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    let id = (words.next()? == "MODULE").then(|| words.nth(2)).flatten()?;
    let is_id = (33..=40).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then(|| id.to_ascii_uppercase())
}

/// A file that has been read. Texts are ranges of it.
#[derive(Debug, Default)]
pub(crate) struct Breakpad {
    text: String,
    /// Sorted by address.
    functions: Vec<Function>,
    /// Addresses and names, sorted: functions without a size.
    publics: Vec<(u32, Text)>,
    /// Lines of all functions, function by function.
    lines: Vec<Line>,
    inlines: Vec<Inline>,
    files: Table,
    origins: Table,
}

type Text = Range<u32>;

#[derive(Debug)]
struct Function {
    start: u32,
    size: u32,
    name: Text,
    lines: Range<usize>,
    inlines: Range<usize>,
}

#[derive(Debug)]
struct Line {
    start: u32,
    size: u32,
    number: u32,
    file: u32,
}

/// Lines before an address that are looked at: those of one function hardly overlap.
const NEAR: usize = 64;

/// A range of an inlined call.
#[derive(Debug)]
struct Inline {
    depth: u32,
    call_line: u32,
    call_file: u32,
    origin: u32,
    start: u32,
    size: u32,
}

impl Breakpad {
    /// Reads a file. The error states what is wrong.
    pub(crate) fn read(contents: &Contents) -> Result<Self, String> {
        let bytes = contents.read(MAX_BREAKPAD).map_err(|error| error.to_string())?;
        let text =
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        if !text.starts_with("MODULE ") {
            return Err("not a Breakpad file".to_owned());
        }
        // Offsets are 32 bits long; replaced characters may have made the text longer.
        if u32::try_from(text.len()).is_err() {
            return Err("too long".to_owned());
        }
        Ok(Self::of(text))
    }

    fn of(text: String) -> Self {
        let mut file = Self::default();
        for line in text.lines() {
            let at = line.as_ptr() as usize - text.as_ptr() as usize;
            file.line(&Words { line, at, next: 0 });
        }
        file.text = text;
        for function in &file.functions {
            file.lines.get_mut(function.lines.clone()).unwrap_or_default().sort_by_key(|line| line.start);
        }
        file.functions.sort_by_key(|function| function.start);
        file.publics.sort_by_key(|(start, _)| *start);
        file.files.sort();
        file.origins.sort();
        file
    }

    fn line(&mut self, words: &Words<'_>) -> Option<()> {
        let mut words = words.clone();
        match words.word()? {
            "FILE" => self.files.add(words.number(10)?, words.rest()?),
            "INLINE_ORIGIN" => self.origins.add(words.number(10)?, words.rest()?),
            "FUNC" => {
                let [start, size] = [words.after_flag()?, words.number(16)?];
                let _parameters = words.word()?;
                let (lines, inlines) = (self.lines.len(), self.inlines.len());
                let name = words.rest()?;
                self.functions.push(Function { start, size, name, lines: lines..lines, inlines: inlines..inlines });
            }
            "PUBLIC" => {
                let start = words.after_flag()?;
                let _parameters = words.word()?;
                self.publics.push((start, words.rest()?));
            }
            "INLINE" => {
                let [depth, call_line, call_file, origin] =
                    [words.number(10)?, words.number(10)?, words.number(10)?, words.number(10)?];
                while let (Some(start), Some(size)) = (words.number(16), words.number(16)) {
                    self.inlines.push(Inline { depth, call_line, call_file, origin, start, size });
                }
                self.functions.last_mut()?.inlines.end = self.inlines.len();
            }
            "MODULE" | "INFO" | "STACK" => {}
            _ => {
                words.next = 0;
                let [start, size] = [words.number(16)?, words.number(16)?];
                let [line, file] = [words.number(10)?, words.number(10)?];
                let function = self.functions.last_mut()?;
                self.lines.push(Line { start, size, number: line, file });
                function.lines.end = self.lines.len();
            }
        }
        Some(())
    }

    /// Returns the frames at an address, the innermost first.
    pub(crate) fn frames(&self, rva: u32) -> Vec<Found> {
        let before = self.functions.partition_point(|function| function.start <= rva);
        let function = before.checked_sub(1).and_then(|last| self.functions.get(last));
        match function.filter(|function| rva - function.start < function.size) {
            Some(function) => self.in_function(function, rva),
            None => self.public(rva).into_iter().collect(),
        }
    }

    fn in_function(&self, function: &Function, rva: u32) -> Vec<Found> {
        let covers = |start: u32, size: u32| rva.checked_sub(start).is_some_and(|offset| offset < size);
        let lines = self.lines.get(function.lines.clone()).unwrap_or_default();
        let before = lines.partition_point(|line| line.start <= rva);
        let mut near = lines.get(..before).unwrap_or_default().iter().rev().take(NEAR);
        let line = near.find(|line| covers(line.start, line.size));
        let inlines = self.inlines.get(function.inlines.clone()).unwrap_or_default();
        let mut calls: Vec<&Inline> = inlines.iter().filter(|call| covers(call.start, call.size)).collect();
        calls.sort_by_key(|call| call.depth);
        calls.dedup_by_key(|call| call.depth);
        // Outside to inside: each function has the place of the call in it, the last one that of the line.
        let names = std::iter::once(self.text(&function.name))
            .chain(calls.iter().map(|call| self.origins.get(self, call.origin)));
        let last = line.map_or((None, None), |line| (self.files.get(self, line.file), Some(line.number)));
        let places = calls.iter().map(|call| (self.files.get(self, call.call_file), Some(call.call_line)));
        let places = places.chain(std::iter::once(last));
        let frames = names.zip(places).enumerate().map(|(depth, (name, (file, line)))| Found {
            function: name,
            offset: rva - function.start,
            file,
            line: line.filter(|line| *line != 0),
            is_inlined: depth > 0,
        });
        let mut frames: Vec<Found> = frames.collect();
        frames.reverse();
        frames
    }

    fn public(&self, rva: u32) -> Option<Found> {
        let before = self.publics.partition_point(|(start, _)| *start <= rva);
        let (start, name) = self.publics.get(before.checked_sub(1)?)?;
        // A function of known size between them ends the public one.
        let between = self.functions.partition_point(|function| function.start <= rva).checked_sub(1);
        let is_ended =
            between.and_then(|last| self.functions.get(last)).is_some_and(|function| function.start > *start);
        let frame = Found { function: self.text(name), offset: rva - start, ..Found::default() };
        (!is_ended).then_some(frame)
    }

    fn text(&self, text: &Text) -> Option<String> {
        self.text.get(text.start as usize..text.end as usize).map(|text| cut_text(text, MAX_NAME).to_owned())
    }
}

/// Texts by number.
#[derive(Debug, Default)]
struct Table(Vec<(u32, Text)>);

impl Table {
    fn add(&mut self, number: u32, text: Text) {
        self.0.push((number, text));
    }

    fn sort(&mut self) {
        self.0.sort_by_key(|(number, _)| *number);
    }

    fn get(&self, file: &Breakpad, number: u32) -> Option<String> {
        let at = self.0.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        file.text(&self.0.get(at)?.1)
    }
}

/// The words of a line.
#[derive(Clone)]
struct Words<'t> {
    line: &'t str,
    /// The place of the line in the file.
    at: usize,
    /// The place of the next word in the line.
    next: usize,
}

impl<'t> Words<'t> {
    fn word(&mut self) -> Option<&'t str> {
        let rest = self.line.get(self.next..)?;
        let word = rest.split(' ').next().filter(|word| !word.is_empty())?;
        self.next += word.len() + 1;
        Some(word)
    }

    fn number(&mut self, radix: u32) -> Option<u32> {
        u32::from_str_radix(self.word()?, radix).ok()
    }

    /// The address after the flag `m`, which states that several names share it.
    fn after_flag(&mut self) -> Option<u32> {
        let word = self.word()?;
        if word == "m" { self.number(16) } else { u32::from_str_radix(word, 16).ok() }
    }

    /// The rest of the line.
    fn rest(&self) -> Option<Text> {
        let start = self.at + self.next;
        (self.next < self.line.len()).then_some(start as u32..(self.at + self.line.len()) as u32)
    }
}

/// Bytes of a first line.
const HEAD: u64 = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "MODULE windows x86_64 00112233445566778899AABBCCDDEEFF1A a.pdb\r\nINFO CODE_ID 5EBA81A37000 a.dll\n\
        FILE 0 c:\\src\\main.cpp\nFILE 7 c:\\src\\inner.h\nINLINE_ORIGIN 3 work::inner(int)\n\
        PUBLIC 500 0 before\nFUNC 1000 40 0 main(int, char **)\nINLINE 0 12 0 3 1010 8 1020 4\n\
        1000 10 10 0\n1010 8 99 7\n1018 28 13 0\nFUNC m 2000 10 0 folded\nPUBLIC m 3000 0 last one\nSTACK WIN 4 1 2 3\nrubbish\n";

    fn text(rva: u32) -> Vec<String> {
        let show = |frame: Found| {
            let place = frame.file.map(|file| format!("{file}:{}", frame.line.unwrap_or_default())).unwrap_or_default();
            format!(
                "{}+{:#x} {place}{}",
                frame.function.unwrap_or_default(),
                frame.offset,
                if frame.is_inlined { " inlined" } else { "" }
            )
        };
        Breakpad::of(FILE.to_owned()).frames(rva).into_iter().map(show).collect()
    }

    #[test]
    fn functions_lines_and_inlined_calls_are_found() {
        assert_eq!(text(0x1000), ["main(int, char **)+0x0 c:\\src\\main.cpp:10"]);
        let inner =
            ["work::inner(int)+0x11 c:\\src\\inner.h:99 inlined", "main(int, char **)+0x11 c:\\src\\main.cpp:12"];
        assert_eq!(text(0x1011), inner);
        assert_eq!(text(0x1018), ["main(int, char **)+0x18 c:\\src\\main.cpp:13"]);
        assert_eq!(text(0x2008), ["folded+0x8 "]);
        assert_eq!(text(0x3100), ["last one+0x100 "]);
        assert_eq!(text(0x600), ["before+0x100 "]);
    }

    #[test]
    fn gaps_have_no_names() {
        assert!([0, 0x4FF, 0x1040, 0x1FFF, 0x2010].into_iter().all(|rva| text(rva).is_empty()));
    }

    #[test]
    fn the_first_line_identifies_the_file() {
        let id = |text: &str| debug_id(&Contents::of(text.as_bytes().to_vec()));
        assert_eq!(id(FILE).unwrap(), "00112233445566778899AABBCCDDEEFF1A");
        assert_eq!((id("MODULE windows x86 12 a"), id(""), id("FUNC 1 2 3 x")), (None, None, None));
        assert!(Breakpad::read(&Contents::of(b"FUNC 1 2 3 x".to_vec())).is_err());
    }
}
