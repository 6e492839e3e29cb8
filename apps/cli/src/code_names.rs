//! Names of native code: where symbol files are, and what was found.

use std::path::PathBuf;

use etwkit::parser::Parsers;
use etwkit_symbols::{ImageNames, Missing, Provenance, SearchPath, Source};

use crate::output::{is_symbols, note_read_in};
use crate::printer::Printer;
use crate::text::grouped;

/// The search path of debuggers.
const VARIABLE: &str = "_NT_SYMBOL_PATH";

/// What names native code; nothing if no symbol files were brought along.
#[derive(Debug)]
pub(crate) struct CodeNames {
    path: SearchPath,
    names: Option<ImageNames>,
}

impl CodeNames {
    /// Takes files and folders that were typed, then those of the environment. With a folder, pointers of symbol stores
    /// are followed to files below it and below those of the environment alone.
    pub(crate) fn new(typed: &[PathBuf], within: Option<&PathBuf>) -> Self {
        let add = |path: SearchPath, typed: &PathBuf| match typed.parent().filter(|_| typed.is_file()) {
            // A file is found by its identity in the folder that it is in.
            Some(parent) if parent.as_os_str().is_empty() => path.folder("."),
            Some(parent) => path.folder(parent),
            None => path.folder(typed),
        };
        let path = typed.iter().fold(SearchPath::new(), add);
        let text = std::env::var(VARIABLE).unwrap_or_default();
        let path = match within {
            Some(folder) => {
                let own = SearchPath::new().symbol_path(&text).folders().to_vec();
                path.within(own.into_iter().chain([folder.clone()]))
            }
            None => path,
        };
        let path = path.symbol_path(&text);
        path.folders().iter().for_each(|folder| note_read_in(folder, is_symbols));
        let names = (!path.folders().is_empty()).then(|| ImageNames::new(path.clone()));
        Self { path, names }
    }

    /// Adds what names native code to parsers.
    pub(crate) fn add_to(&self, parsers: Parsers) -> Parsers {
        match &self.names {
            Some(names) => parsers.with(names.clone()),
            None => parsers,
        }
    }

    /// What finds symbol files; it finds none if none were brought along.
    pub(crate) fn finder(&self) -> ImageNames {
        self.names.clone().unwrap_or_else(|| ImageNames::new(self.path.clone()))
    }

    /// Says that servers are not asked.
    pub(crate) fn say_servers(&self, printer: Printer) {
        if let Some(first) = self.path.urls().first() {
            let others = match self.path.urls().len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            printer.note(format_args!(
                "{VARIABLE} names {first}{others}: nothing is fetched; `etwkit symbols FILE` lists the PDB files to fetch"
            ));
        }
    }

    /// Says what was found for the modules that were looked up.
    pub(crate) fn say_found(&self, printer: Printer) {
        self.say_servers(printer);
        let sources = self.names.as_ref().map(ImageNames::sources).unwrap_or_default();
        for (module, source) in &sources {
            say_problems(module.file_name(), source, printer);
        }
        let named = sources.iter().filter(|(_, source)| source.provenance != Provenance::None).count();
        if named < sources.len() {
            let (named, all) = (grouped(named as u64), grouped(sources.len() as u64));
            printer.note(format_args!(
                "symbol files for {named} of {all} modules in stacks; `etwkit symbols` lists the others"
            ));
        }
    }
}

/// Says what is wrong with the symbol files of a module.
pub(crate) fn say_problems(module: &str, source: &Source, printer: Printer) {
    if let Some(warning) = &source.warning {
        printer.warning(format_args!("{module}: {warning}"));
    }
    for missing in source.missing.iter().filter(|missing| matches!(missing, Missing::Unusable { .. })) {
        printer.note(format_args!("{module}: {missing}"));
    }
}
