//! `etwkit profile`: where the time went.

use std::io::{BufWriter, Write};

use clap::ValueEnum;
use etwkit::trace::RunOptions;
use etwkit_kernel_analyses::samples::INTEREST;
use etwkit_profile::{Function, Profile, ProfileCollector, Quality, Unit, folded, functions, speedscope};

use crate::args::{FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::printer::Printer;
use crate::program::Program;
use crate::rows::{Cell, Column, RowChoice, RowFormat, RowPlan, RowWriter};
use crate::session::Session;
use crate::text::grouped;

const HELP: &str = "\
The CPU samples of the trace, added up by call stack. Frames are named by the methods of .NET and JavaScript runtimes, \
`App!My.Type.Method(int32)`, and by symbol files of native code (--symbols, _NT_SYMBOL_PATH), \
`ntdll.dll!RtlUserThreadStart`, else by image and offset, `ntdll.dll+0x1a2b`. An inlined function is a frame of its own.

text, csv and json are a table of functions: `exclusive` is the weight of samples in the function itself, `inclusive` \
that of samples in it and in what it calls. folded is a line for each path, `process (pid);thread \
(tid);frame;...;frame weight`, for flame graphs; speedscope is a file for https://www.speedscope.app, which also works \
offline.

Filters choose samples.

Examples:
  etwkit profile trace.etl --first 20
  etwkit profile trace.etl --process app.exe --unit ms
  etwkit profile trace.etl --symbols C:\\symbols
  etwkit profile trace.etl --format folded -o app.folded
  etwkit profile trace.etl --format speedscope -o app.speedscope.json --since +1s --until +2s";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// What is weighed
    #[arg(long, value_name = "WHAT", default_value = "cpu")]
    by: By,
    /// What weights are counted in
    #[arg(long, value_name = "UNIT", default_value = "samples")]
    unit: UnitArg,
    /// Form of the profile
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    format: Form,
    #[command(flatten)]
    rows: RowChoice,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    fail_on: FailOnArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// What is weighed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    /// CPU samples of the timer, without those of idle processors
    Cpu,
}

/// What weights are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UnitArg {
    /// Samples
    Samples,
    /// Milliseconds that the samples stand for
    Ms,
}

/// The form of the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Functions in aligned columns, for people
    Text,
    /// Functions as RFC 4180 with a header line
    Csv,
    /// One JSON object a function
    #[value(aliases = ["ndjson", "jsonl"])]
    Json,
    /// A line for each path
    Folded,
    /// A file for speedscope
    Speedscope,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, schemas, by: By::Cpu, unit, format, rows, threads, fail_on, filter } = args;
    if matches!(format, Form::Folded | Form::Speedscope) && !rows.options(RowFormat::Text).is_all() {
        let what = "--fields, --sort, --first and --last choose rows and columns, and this form has none";
        return Err(Failure::new(what).hint("use --format text, csv or json"));
    }
    let options = RunOptions::default().filter(filter.into_filter()?).threads(threads.count());
    let (parsers, code_names) = schemas.parsers_with_stacks(printer)?;
    let session = Session::open_by(options.threads, &input, parsers, fail_on, printer)?;
    session.check_times(&options.filter)?;
    session.check_names(&[], &options.filter)?;
    let mut collector = ProfileCollector::new(session.trace())?;
    session.run(&options, &mut collector)?;
    let has_intervals = collector.has_intervals();
    let profile = collector.finish();
    if unit == UnitArg::Ms && !has_intervals {
        return Err(Failure::new("no event states the interval of samples").hint("use --unit samples"));
    }
    if INTEREST.events(session.trace()) == 0 {
        let hint = "record the kernel flags PROC_THREAD+LOADER+PROFILE with stack walking of Profile";
        return Err(Failure::new("no CPU samples").hint(hint));
    }
    if profile.quality.samples == 0 {
        printer.note("no sample passes the filters");
    }
    let out = Output::new(rows.output.clone());
    let weights = Weights { profile: &profile, unit };
    match format {
        Form::Text => weights.table(&session, &rows, RowFormat::Text, &out, printer)?,
        Form::Csv => weights.table(&session, &rows, RowFormat::Csv, &out, printer)?,
        Form::Json => weights.table(&session, &rows, RowFormat::Jsonl, &out, printer)?,
        Form::Folded => weights.write(&session, &out, |profile, unit| folded(profile, unit).into_bytes())?,
        Form::Speedscope => {
            let name = session.trace().files().first().map_or("trace", |file| file.source.name());
            weights.write(&session, &out, |profile, unit| speedscope(profile, unit, name).to_string().into_bytes())?;
        }
    }
    say_quality(&profile.quality, printer);
    code_names.say_found(printer);
    Ok(session.finish())
}

/// A profile and the unit in which it is printed.
struct Weights<'p> {
    profile: &'p Profile,
    unit: UnitArg,
}

impl Weights<'_> {
    const fn unit(&self) -> Unit {
        match self.unit {
            UnitArg::Samples => Unit::Samples,
            UnitArg::Ms => Unit::Microseconds,
        }
    }

    /// Writes a form that is made as a whole.
    fn write(
        &self,
        session: &Session,
        out: &Output,
        make: impl FnOnce(&Profile, Unit) -> Vec<u8>,
    ) -> Result<(), Failure> {
        let mut out = out.open(session.trace())?;
        out.write_all(&make(self.profile, self.unit()))?;
        Ok(out.flush()?)
    }

    fn table(
        &self,
        session: &Session,
        rows: &RowChoice,
        format: RowFormat,
        out: &Output,
        printer: Printer,
    ) -> Result<(), Failure> {
        let list = functions(self.profile, self.unit());
        let all = list.iter().map(|function| function.exclusive).sum();
        let weight = |name: &'static str| match self.unit {
            UnitArg::Samples => Column::count(name),
            UnitArg::Ms => Column::number(name),
        };
        let number = Column::number;
        let columns = vec![
            weight("exclusive"),
            number("exclusive_share"),
            weight("inclusive"),
            number("inclusive_share"),
            Column::text("function"),
        ];
        let plan = RowPlan::new(columns, &rows.options(format))?;
        let mut writer = RowWriter::new(plan, BufWriter::new(out.open(session.trace())?))?;
        list.iter().try_for_each(|function| writer.push(self.row(function, all)))?;
        writer.finish()?.say(printer);
        Ok(())
    }

    fn row(&self, function: &Function, all: u64) -> Vec<Cell> {
        let weight = |weight: u64| match self.unit {
            UnitArg::Samples => Cell::Integer(weight.into()),
            UnitArg::Ms => Cell::Decimal(weight.into(), 3),
        };
        vec![
            weight(function.exclusive),
            Cell::Share(function.exclusive, all),
            weight(function.inclusive),
            Cell::Share(function.inclusive, all),
            Cell::Text(function.name.clone()),
        ]
    }
}

fn say_quality(quality: &Quality, printer: Printer) {
    let Quality { samples, with_stack, kernel_only, user_only, incomplete, frames, named, in_images, .. } = *quality;
    printer.note(format_args!(
        "{} samples: {} with a stack ({} of the kernel only, {} of the process only, {} incomplete); {} frames: {} in named \
         methods and functions, {} in images, {} in neither",
        grouped(samples),
        grouped(with_stack),
        grouped(kernel_only),
        grouped(user_only),
        grouped(incomplete),
        grouped(frames),
        grouped(named),
        grouped(in_images),
        grouped(quality.unknown()),
    ));
}
