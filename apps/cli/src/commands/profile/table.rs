//! The tables of a profile.

use std::io::BufWriter;

use clap::ValueEnum;
use etwkit::trace::Glob;
use etwkit_profile::{Function, Neighbor, Profile, Unit, callees, callers, functions, modules, processes, threads};

use crate::failure::Failure;
use crate::output::Output;
use crate::printer::Printer;
use crate::rows::{Cell, Column, RowOptions, RowPlan, RowWriter};
use crate::session::Session;

/// Which table.
#[derive(Debug, clap::Args)]
pub(super) struct TableArgs {
    /// Rows of text, csv and json [default: function]
    #[arg(id = "rows_of", long = "rows", value_name = "WHAT")]
    rows: Option<RowsOf>,
    /// With --rows callers or callees: name of the function, with * and ?
    #[arg(long, value_name = "FUNCTION")]
    of: Option<String>,
}

/// What a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum RowsOf {
    /// Functions
    #[default]
    Function,
    /// Modules
    Module,
    /// Processes
    Process,
    /// Threads
    Thread,
    /// Functions that call the --of function
    Callers,
    /// Functions that the --of function calls
    Callees,
}

impl TableArgs {
    /// Returns whether a table was asked for.
    pub(super) const fn is_asked(&self) -> bool {
        self.rows.is_some() || self.of.is_some()
    }

    /// Refuses a function without a table of it, and the other way round.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let needs_function = matches!(self.rows, Some(RowsOf::Callers | RowsOf::Callees));
        match (needs_function, &self.of) {
            (true, None) => Err(Failure::new("--rows callers and --rows callees need --of FUNCTION")
                .hint("FUNCTION may have * and ? for any text")),
            (false, Some(_)) => Err(Failure::new("--of needs --rows callers or --rows callees")),
            _ => Ok(()),
        }
    }

    /// Returns the columns and rows of a profile.
    fn rows(&self, profile: &Profile) -> (Vec<Column>, Vec<Vec<Cell>>) {
        let maker = Maker { unit: profile.unit, all: profile.total().weight };
        let of = Glob::new(self.of.as_deref().unwrap_or("*"));
        match self.rows.unwrap_or_default() {
            RowsOf::Function => maker.functions("function", &functions(profile)),
            RowsOf::Module => maker.functions("module", &modules(profile)),
            RowsOf::Process => maker.processes(&processes(profile)),
            RowsOf::Thread => maker.threads(&threads(profile)),
            RowsOf::Callers => maker.neighbors("caller", &callers(profile, &of)),
            RowsOf::Callees => maker.neighbors("callee", &callees(profile, &of)),
        }
    }
}

/// Writes a table.
pub(super) fn write(
    table: &TableArgs,
    profile: &Profile,
    session: &Session,
    options: &RowOptions,
    out: &Output,
    printer: Printer,
) -> Result<(), Failure> {
    let (columns, rows) = table.rows(profile);
    if rows.is_empty() && table.of.is_some() {
        printer.note("no sample has a function of this name");
    }
    let plan = RowPlan::new(columns, options)?;
    let mut writer = RowWriter::new(plan, BufWriter::new(out.open(session.trace())?))?;
    rows.into_iter().try_for_each(|row| writer.push(row))?;
    writer.finish()?.say(printer);
    Ok(())
}

/// Makes columns and cells.
struct Maker {
    unit: Unit,
    /// The weight of all samples.
    all: u64,
}

type Table = (Vec<Column>, Vec<Vec<Cell>>);

impl Maker {
    fn functions(&self, name: &'static str, list: &[Function]) -> Table {
        let columns = vec![
            self.column("exclusive"),
            Column::number("exclusive_share"),
            self.column("inclusive"),
            Column::number("inclusive_share"),
            Column::text(name),
        ];
        let row = |function: &Function| {
            vec![
                self.cell(function.exclusive),
                Cell::Share(function.exclusive, self.all),
                self.cell(function.inclusive),
                Cell::Share(function.inclusive, self.all),
                Cell::Text(function.name.clone()),
            ]
        };
        (columns, list.iter().map(row).collect())
    }

    fn processes(&self, list: &[Function]) -> Table {
        let columns = vec![self.column("weight"), Column::number("share"), Column::text("process")];
        let row = |process: &Function| {
            vec![self.cell(process.exclusive), self.share(process.exclusive), Cell::Text(process.name.clone())]
        };
        (columns, list.iter().map(row).collect())
    }

    fn threads(&self, list: &[(String, Function)]) -> Table {
        let columns =
            vec![self.column("weight"), Column::number("share"), Column::text("process"), Column::text("thread")];
        let row = |(process, thread): &(String, Function)| {
            let (weight, share) = (self.cell(thread.exclusive), self.share(thread.exclusive));
            vec![weight, share, Cell::Text(process.clone()), Cell::Text(thread.name.clone())]
        };
        (columns, list.iter().map(row).collect())
    }

    fn neighbors(&self, name: &'static str, list: &[Neighbor]) -> Table {
        let columns = vec![self.column("weight"), Column::number("share"), Column::text(name)];
        let row = |neighbor: &Neighbor| {
            vec![self.cell(neighbor.weight), self.share(neighbor.weight), Cell::Text(neighbor.name.clone())]
        };
        (columns, list.iter().map(row).collect())
    }

    fn column(&self, name: &'static str) -> Column {
        match self.unit {
            Unit::Time => Column::number(name),
            _ => Column::count(name),
        }
    }

    fn cell(&self, weight: u64) -> Cell {
        match self.unit {
            Unit::Time => Cell::Milliseconds(weight),
            _ => Cell::Integer(weight.into()),
        }
    }

    const fn share(&self, weight: u64) -> Cell {
        Cell::Share(weight, self.all)
    }
}
