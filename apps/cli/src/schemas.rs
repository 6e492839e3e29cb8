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
    /// .exe, .sys, .mui), MOF files (.mof, .mfl), or folders of them
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
        let is_text = |path: &Path| has_extension(path, &["schema"]);
        let is_mof = |path: &Path| has_extension(path, &["mof", "mfl"]);
        // A folder may hold files of all kinds.
        let folders = self.schemas.iter().filter(|path| path.is_dir());
        let texts = self.schemas.iter().filter(|path| !path.is_dir() && is_text(path));
        let mof = self.schemas.iter().filter(|path| path.is_dir() || is_mof(path));
        let manifests = self.schemas.iter().filter(|path| path.is_dir() || !(is_text(path) || is_mof(path)));
        additions.schemas = etwkit_parsers::UserSchemas::load(texts.chain(folders))?;
        additions.manifests = etwkit_parsers::Manifests::load(manifests)?;
        additions.mof = etwkit_parsers::Mof::load(mof)?;
        for (path, error) in additions.manifests.skipped().iter().chain(additions.mof.skipped()) {
            printer.note(format_args!("{}: no schemas: {error}", path.display()));
        }
        for note in additions.mof.notes() {
            printer.note(note);
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

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension().is_some_and(|found| wanted.iter().any(|wanted| found.eq_ignore_ascii_case(wanted)))
}
