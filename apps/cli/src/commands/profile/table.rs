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

    /// Returns the columns of a profile in a unit.
    pub(super) fn columns(&self, unit: Unit) -> Vec<Column> {
        let weight = |name: &'static str| match unit {
            Unit::Time => Column::number(name),
            _ => Column::count(name),
        };
        let of_functions = |name: &'static str| {
            let shares = ["exclusive_share", "inclusive_share"].map(Column::number);
            let [exclusive_share, inclusive_share] = shares;
            vec![weight("exclusive"), exclusive_share, weight("inclusive"), inclusive_share, Column::text(name)]
        };
        let of_weights = |names: &[Column]| [&[weight("weight"), Column::number("share")], names].concat();
        // In conditions it is the process of an event.
        let process = || Column::text("process").of_events();
        match self.rows.unwrap_or_default() {
            RowsOf::Function => of_functions("function"),
            RowsOf::Module => of_functions("module"),
            RowsOf::Process => of_weights(&[process()]),
            RowsOf::Thread => of_weights(&[process(), Column::text("thread")]),
            RowsOf::Callers => of_weights(&[Column::text("caller")]),
            RowsOf::Callees => of_weights(&[Column::text("callee")]),
        }
    }

    /// Returns the rows of a profile.
    fn rows(&self, profile: &Profile) -> Vec<Vec<Cell>> {
        let maker = Maker { unit: profile.unit, all: profile.total().weight };
        let of = Glob::new(self.of.as_deref().unwrap_or("*"));
        match self.rows.unwrap_or_default() {
            RowsOf::Function => maker.functions(&functions(profile)),
            RowsOf::Module => maker.functions(&modules(profile)),
            RowsOf::Process => maker.processes(&processes(profile)),
            RowsOf::Thread => maker.threads(&threads(profile)),
            RowsOf::Callers => maker.neighbors(&callers(profile, &of)),
            RowsOf::Callees => maker.neighbors(&callees(profile, &of)),
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
    let rows = table.rows(profile);
    if rows.is_empty() && table.of.is_some() {
        printer.note("no sample has a function of this name");
    }
    let plan = RowPlan::new(table.columns(profile.unit), options)?;
    let mut writer = RowWriter::new(plan, BufWriter::new(out.open(session.trace())?))?;
    rows.into_iter().try_for_each(|row| writer.push(row))?;
    writer.finish()?.say(printer);
    Ok(())
}

/// Makes cells.
struct Maker {
    unit: Unit,
    /// The weight of all samples.
    all: u64,
}

impl Maker {
    fn functions(&self, list: &[Function]) -> Vec<Vec<Cell>> {
        let row = |function: &Function| {
            vec![
                self.cell(function.exclusive),
                self.share(function.exclusive),
                self.cell(function.inclusive),
                self.share(function.inclusive),
                Cell::Text(function.name.clone()),
            ]
        };
        list.iter().map(row).collect()
    }

    fn processes(&self, list: &[Function]) -> Vec<Vec<Cell>> {
        let row = |process: &Function| {
            vec![self.cell(process.exclusive), self.share(process.exclusive), Cell::Text(process.name.clone())]
        };
        list.iter().map(row).collect()
    }

    fn threads(&self, list: &[(String, Function)]) -> Vec<Vec<Cell>> {
        let row = |(process, thread): &(String, Function)| {
            let (weight, share) = (self.cell(thread.exclusive), self.share(thread.exclusive));
            vec![weight, share, Cell::Text(process.clone()), Cell::Text(thread.name.clone())]
        };
        list.iter().map(row).collect()
    }

    fn neighbors(&self, list: &[Neighbor]) -> Vec<Vec<Cell>> {
        let row = |neighbor: &Neighbor| {
            vec![self.cell(neighbor.weight), self.share(neighbor.weight), Cell::Text(neighbor.name.clone())]
        };
        list.iter().map(row).collect()
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
