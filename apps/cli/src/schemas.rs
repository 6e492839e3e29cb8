//! Schemas that the user brings along.

use std::path::{Path, PathBuf};

use etwkit::parser::Parsers;
use etwkit_parsers::{Additions, Asked};

use crate::failure::Failure;
use crate::printer::Printer;

/// Where schemas are to be had besides those that are built in.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SchemaArgs {
    /// Schemas for events that are not known: .schema files, manifests (.man, .xml), binaries with manifests (.dll,
    /// .exe, .sys, .mui), or folders of them
    #[arg(long, value_name = "PATH", help_heading = "Schemas")]
    schemas: Vec<PathBuf>,
    /// Definitions of WPP messages: .tmf files, .pdb files, folders of them, symbol stores
    #[arg(long, value_name = "PATH", help_heading = "Schemas")]
    symbols: Vec<PathBuf>,
}

impl SchemaArgs {
    /// All parsers, with what was brought along; and what the trace will turn out to ask for.
    pub(crate) fn parsers(&self, printer: Printer) -> Result<(Parsers, Asked), Failure> {
        if let Some(path) = self.schemas.iter().chain(&self.symbols).find(|path| !path.exists()) {
            return Err(Failure::new("no such file or folder").of(path.display()));
        }
        let mut additions = Additions::default();
        let (texts, manifests): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.schemas.iter().partition(|path| has_extension(path, "schema"));
        let folders = manifests.iter().copied().filter(|path| path.is_dir());
        additions.schemas = etwkit_parsers::UserSchemas::load(texts.into_iter().chain(folders))?;
        additions.manifests = etwkit_parsers::Manifests::load(&manifests)?;
        for (path, error) in additions.manifests.skipped() {
            printer.note(format_args!("{}: no schemas: {error}", path.display()));
        }
        for path in &self.symbols {
            additions.symbols.add_path(path).map_err(|error| Failure::from(error).of(path.display()))?;
        }
        for problem in additions.symbols.problems() {
            printer.note(problem);
        }
        Ok(etwkit_parsers::with(additions))
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
