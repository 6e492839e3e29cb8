//! What `llvm-pdbutil dump` prints: a second opinion where `llvm-symbolizer` differs.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

/// Of a PDB file: functions, inlined calls and lines of the first section.
#[derive(Default)]
pub(crate) struct Dump {
    /// Start (RVA) and size of functions.
    pub(crate) functions: Vec<(u32, u32)>,
    pub(crate) sites: Vec<Site>,
    /// Start, end, and lines (address, line) of each table.
    tables: Vec<Table>,
}

/// Start and end of code, and its lines: address and number.
type Table = (u32, u32, Vec<(u32, u32)>);

/// An inlined call.
pub(crate) struct Site {
    /// The module and the id of the function that is inlined.
    pub(crate) inlinee: (String, String),
    pub(crate) function: String,
    /// Start and end (RVA), and the line from the function's first one.
    pub(crate) ranges: Vec<(u32, u32, i64)>,
}

/// The first section's place.
const CODE: u32 = 0x1000;

impl Dump {
    pub(crate) fn of(pdb: &Path) -> Self {
        let mut dump = Self::default();
        let run = |option: &str| {
            let output = Command::new("llvm-pdbutil").args(["dump", option]).arg(pdb).output().unwrap();
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        dump.read_symbols(&run("-symbols"));
        dump.read_lines(&run("-l"));
        dump
    }

    fn read_symbols(&mut self, text: &str) {
        let (mut module, mut start, mut open) = (String::new(), None, Open::default());
        for line in text.lines() {
            if line.trim_start().starts_with("Mod ") {
                line.clone_into(&mut module);
            } else if let Some((_, symbol)) = line.split_once(" | S_") {
                self.sites.extend(open.finish());
                start = if symbol.contains("PROC32") { None } else { start };
                open.is_site = symbol.starts_with("INLINESITE");
            } else if let Some(place) = between(line, "addr = 0001:", ",").filter(|_| start.is_none()) {
                let from = CODE + place.parse::<u32>().unwrap();
                start = Some(from);
                self.functions.extend(between(line, "code size = ", "").map(|size| (from, size.parse().unwrap())));
            } else if let (true, Some(name)) = (open.is_site, between(line, "inlinee = ", ", parent")) {
                // Those of other modules have no name.
                let (id, function) = name.trim_end_matches(')').split_once(" (").unwrap_or((name, ""));
                let function = function.to_owned();
                let inlinee = (module.clone(), id.to_owned());
                open.site = Some(Site { inlinee, function, ranges: Vec::new() });
                (open.base, open.at, open.line) = (start.unwrap_or(0), None, 0);
            } else {
                open.annotation(line);
            }
        }
        self.sites.extend(open.finish());
    }

    fn read_lines(&mut self, text: &str) {
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().filter(|word| *word != "!").collect();
            if let Some(range) = words.first().and_then(|word| word.strip_prefix("0001:")) {
                let (start, end) = range.trim_end_matches(',').split_once('-').unwrap();
                self.tables.push((hex(start), hex(end), Vec::new()));
            } else if words.iter().skip(1).step_by(2).all(|word| u32::from_str_radix(word, 16).is_ok()) {
                // Hidden lines are words: they belong to the line before.
                let pairs = words.chunks_exact(2).filter(|pair| pair[1].len() == 8);
                let lines = pairs.filter_map(|pair| Some((hex(pair[1]), pair[0].parse().ok()?)));
                self.tables.last_mut().into_iter().for_each(|table| table.2.extend(lines.clone()));
            }
        }
    }

    /// Returns whether a table has a line that begins last before an address, among all tables of the same code.
    pub(crate) fn has_line(&self, rva: u32, line: u32) -> bool {
        let mut by_range: HashMap<(u32, u32), Vec<(u32, u32)>> = HashMap::new();
        for (start, end, lines) in self.tables.iter().filter(|(start, end, _)| (*start..*end).contains(&rva)) {
            by_range.entry((*start, *end)).or_default().extend(lines.iter().filter(|(at, _)| *at <= rva));
        }
        let last = |lines: &Vec<(u32, u32)>| {
            let at = lines.iter().map(|(at, _)| *at).max();
            lines.iter().any(|(start, number)| Some(*start) == at && *number == line)
        };
        by_range.values().any(last)
    }
}

/// An inlined call that is being read.
#[derive(Default)]
struct Open {
    is_site: bool,
    site: Option<Site>,
    base: u32,
    /// Where the current range begins, and its line.
    at: Option<(u32, i64)>,
    line: i64,
}

impl Open {
    /// Reads a line of annotations: a line number counts for the code that follows or is named with it.
    fn annotation(&mut self, text: &str) {
        let Some(site) = self.site.as_mut() else { return };
        if let Some(line) = between(text, " line ", " (") {
            self.line = line.parse().unwrap();
        }
        if let Some(code) = between(text, " code 0x", " (") {
            let start = self.base + hex_of(code);
            site.ranges.extend(self.at.map(|(from, line)| (from, start, line)));
            self.at = Some((start, self.line));
        }
        if let (Some(end), Some((from, line))) = (between(text, " code end 0x", " ("), self.at) {
            site.ranges.push((from, self.base + hex_of(end), line));
            self.at = None;
        }
    }

    fn finish(&mut self) -> Option<Site> {
        self.is_site = false;
        self.site.take().filter(|site| !site.ranges.is_empty())
    }
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let rest = text.split_once(before)?.1;
    if after.is_empty() { Some(rest.trim()) } else { Some(rest.split_once(after).map_or(rest, |(front, _)| front)) }
}

fn hex(text: &str) -> u32 {
    CODE + hex_of(text)
}

fn hex_of(text: &str) -> u32 {
    u32::from_str_radix(text, 16).unwrap()
}
