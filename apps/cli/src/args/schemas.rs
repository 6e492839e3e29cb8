//! Schemas that the user brings along.

use std::path::{Path, PathBuf};

use etwkit::ForeignFormat;
use etwkit::input::has_extension;
use etwkit::parser::Parsers;
use etwkit_parsers::Additions;
use etwkit_parsers::wpp::Symbols;
use etwkit_symbols::may_name_code;

use crate::code_names::CodeNames;
use crate::failure::Failure;
use crate::folder_search::below;
use crate::output::{is_schemas, is_symbols, note_read_in};
use crate::printer::Printer;

use super::foreign_file::{ForeignFile, identify};

/// Where schemas are to be had besides those that are built in.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SchemaArgs {
    /// Schemas for events that are not known: .schema files, manifests (.man, .xml), binaries with manifests (.dll,
    /// .exe, .sys, .mui), MOF files (.mof, .mfl), or folders of them
    #[arg(long, value_name = "PATH", help_heading = "Schemas")]
    schemas: Vec<PathBuf>,
    /// Symbols: definitions of WPP messages, and names of native code where stacks are shown: .tmf files, .pdb files,
    /// folders of them, symbol stores
    #[arg(long, value_name = "PATH", help_heading = "Schemas")]
    symbols: Vec<PathBuf>,
    /// Follow a `file.ptr` of a symbol store only to files below this folder, and below those of `_NT_SYMBOL_PATH`: for
    /// `etwkit mcp --root`
    #[arg(long, value_name = "FOLDER", hide = true, value_hint = clap::ValueHint::Other)]
    symbols_within: Option<PathBuf>,
}

impl SchemaArgs {
    /// All parsers, with what was brought along.
    pub(crate) fn parsers(&self, printer: Printer) -> Result<Parsers, Failure> {
        Ok(etwkit_parsers::with(self.additions(printer)?))
    }

    /// The same, with those that keep stacks, and what names native code in them: `--symbols` and `_NT_SYMBOL_PATH`.
    pub(crate) fn parsers_with_stacks(&self, printer: Printer) -> Result<(Parsers, CodeNames), Failure> {
        let parsers = etwkit_parsers::with_stacks(etwkit_parsers::with(self.load(Purpose::Code, printer)?));
        let names = CodeNames::new(&self.symbols, self.symbols_within.as_ref());
        Ok((names.add_to(parsers), names))
    }

    /// Those of [`SchemaArgs::parsers`], or with stacks those of [`SchemaArgs::parsers_with_stacks`].
    pub(crate) fn parsers_for(
        &self,
        with_stacks: bool,
        printer: Printer,
    ) -> Result<(Parsers, Option<CodeNames>), Failure> {
        if with_stacks {
            let (parsers, names) = self.parsers_with_stacks(printer)?;
            return Ok((parsers, Some(names)));
        }
        Ok((self.parsers(printer)?, None))
    }

    /// What was brought along.
    pub(crate) fn additions(&self, printer: Printer) -> Result<Additions, Failure> {
        self.load(Purpose::Messages, printer)
    }

    fn load(&self, purpose: Purpose, printer: Printer) -> Result<Additions, Failure> {
        if let Some(path) = self.schemas.iter().chain(&self.symbols).find(|path| !path.exists()) {
            return Err(Failure::new("no such file or folder").of(path.display()));
        }
        self.schemas.iter().for_each(|path| note_read_in(path, is_schemas));
        self.symbols.iter().for_each(|path| note_read_in(path, is_symbols));
        let mut additions = Additions::load_schemas(&self.schemas).map_err(of_schemas)?;
        self.report(&additions, printer);
        self.load_symbols(&mut additions.symbols, purpose, printer)?;
        Ok(additions)
    }

    /// Says what was not read of the schemas.
    fn report(&self, additions: &Additions, printer: Printer) {
        additions.schema_notes().for_each(|note| printer.note(note));
        for folder in additions.folders_without_schemas(&self.schemas) {
            let kinds = Additions::schema_extensions().iter().map(|kind| format!("*.{kind}")).collect::<Vec<_>>();
            let (folder, kinds) = (folder.display(), kinds.join(", "));
            printer.warning(format_args!("{folder}: no schemas in this folder ({kinds})"));
        }
    }

    fn load_symbols(&self, symbols: &mut Symbols, purpose: Purpose, printer: Printer) -> Result<(), Failure> {
        let is_code = purpose == Purpose::Code;
        for path in &self.symbols {
            let is_definition = has_extension(path, &["pdb", "tmf"]);
            if is_code && path.is_file() && !is_definition && may_name_code(path) {
                // The folder that it is in is searched.
                continue;
            }
            let added = symbols.add_path(path).map_err(|error| of_symbols(path, || error.into()))?;
            match added {
                0 if is_code && (has_extension(path, &["pdb"]) || path.is_dir() && has_code_files(path)) => {}
                0 if has_extension(path, &["pdb"]) && path.is_file() => {
                    printer.warning(format_args!("{}: {PUBLIC_PDB}", path.display()));
                }
                0 if path.is_file() => return Err(of_symbols(path, || Failure::new(NO_DEFINITION))),
                0 if !is_store(path) => printer.warning(format_args!("{}: {NO_SYMBOLS}", path.display())),
                _ => {}
            }
        }
        for problem in symbols.problems() {
            printer.note(format_args!("{problem:#}"));
        }
        Ok(())
    }
}

/// What symbols are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Messages of WPP.
    Messages,
    /// Those, and names of native code: files without messages are as good.
    Code,
}

/// Of a folder that was given as symbols.
const NO_SYMBOLS: &str = "no symbols in this folder: neither *.tmf nor *.pdb files with messages, nor a symbol store";
/// Of a text that was given as symbols.
const NO_DEFINITION: &str = "no symbols: there is no definition of a WPP message in it";
/// Of a PDB file that was given as symbols.
const PUBLIC_PDB: &str = "no definitions of WPP messages: a public PDB file is stripped of them";

/// Whether a folder has folders named after PDB files, as symbol stores of one or two tiers do.
fn is_store(folder: &Path) -> bool {
    let entries = below(folder, 2).filter_map(Result::ok);
    entries.take(MAX_STORE).any(|entry| entry.file_type().is_dir() && has_extension(entry.path(), &["pdb"]))
}

/// Whether a folder has files that name code.
fn has_code_files(folder: &Path) -> bool {
    let mut entries = below(folder, usize::MAX).filter_map(Result::ok).take(MAX_STORE);
    entries.any(|entry| may_name_code(entry.path()))
}

/// Files and folders that are looked at to see whether they are a symbol store.
const MAX_STORE: usize = 1 << 16;

/// Why a file could not be taken as symbols: what it is, if that is something else altogether.
fn of_symbols(path: &Path, other: impl FnOnce() -> Failure) -> Failure {
    match identify(path, ForeignFormat::Pdb) {
        Some(foreign) => is_foreign("symbols", foreign).of(path.display()),
        None => other().of(path.display()),
    }
}

/// Why a file could not be taken as schemas, likewise.
fn of_schemas(error: etwkit::Error) -> Failure {
    let Some(file) = error.file() else { return error.into() };
    match (identify(Path::new(file), ForeignFormat::WindowsProgram), error.kind()) {
        (Some(foreign), _) => is_foreign("schemas", foreign).of(file),
        (None, etwkit::ErrorKind::Schema(what)) => Failure::new(format!("no schemas: {what}")).of(file),
        _ => error.into(),
    }
}

fn is_foreign(wanted: &str, file: ForeignFile) -> Failure {
    Failure::new(format!("no {wanted}: it is {}", file.what)).hint_if(file.hint)
}
