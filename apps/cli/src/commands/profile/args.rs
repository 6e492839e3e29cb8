//! What was typed.

use clap::ValueEnum;
use etwkit_profile::Unit;
use etwkit_spans::Pair;

use super::Form;
use super::frames::FrameArgs;
use super::table::TableArgs;
use crate::args::{FailOnArgs, FilterArgs, SchemaArgs, ThreadArgs};
use crate::input::InputArgs;
use crate::rows::RowChoice;

const HELP: &str = "\
Samples of the trace, added up by call stack. Frames are named by the methods of .NET and JavaScript runtimes, \
`App!My.Type.Method(int32)`, and by symbol files of native code (--symbols, _NT_SYMBOL_PATH), \
`ntdll.dll!RtlUserThreadStart`, else by image and offset, `ntdll.dll+0x1a2b`. An inlined function is a frame of its own.

text, csv and json are a table: `exclusive` is the weight of samples in the function itself, `inclusive` that of samples \
in it and in what it calls. folded is a line for each path, `process (pid);thread (tid);frame;...;frame weight`. svg is a \
flame graph in one file for any browser. speedscope is for https://www.speedscope.app, firefox for \
https://profiler.firefox.com, perfetto for https://ui.perfetto.dev, chrome for the developer tools of Chrome, and pprof \
for `pprof`.

Filters choose events. --by cswitch and --by wall need all events, because they follow threads from one context switch to \
the next: --since, --until, --pid, --process and --tid choose what is weighed of these, and other filters do not apply. Then \
--thread, --include and --exclude choose samples by their frames, --group groups frames, and --fold folds those that \
weigh little into their callers.

Examples:
  etwkit profile trace.etl --first 20
  etwkit profile trace.etl --process app.exe --unit ms
  etwkit profile trace.etl --process app.exe --format svg -o app.svg
  etwkit profile trace.etl --symbols C:\\symbols
  etwkit profile trace.etl --rows callers --of '*!*Parse*'
  etwkit profile trace.etl --format tree --group justmyapp --fold 1
  etwkit profile trace.etl --by allocations --process app.exe
  etwkit profile trace.etl --by wall --process app.exe --format svg -o waits.svg
  etwkit profile trace.etl --by spans --process app.exe --format tree
  etwkit profile trace.etl --by event --event 'Contention/Start'
  etwkit profile trace.etl --format speedscope -o app.speedscope.json --since +1s --until +2s";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) schemas: SchemaArgs,
    /// What is weighed
    #[arg(long, value_name = "WHAT", default_value = "cpu")]
    pub(super) by: By,
    /// With --by pmc: name or number of the hardware counter, if several have samples
    #[arg(long, value_name = "COUNTER")]
    pub(super) counter: Option<String>,
    /// With --by spans: events that are the start and the stop of a span, too: names, names of opcodes, or numbers of opcodes
    #[arg(long, value_name = "START:STOP")]
    pub(super) pair: Vec<Pair>,
    /// What weights are counted in; by default what is usual for --by
    #[arg(long, value_name = "UNIT")]
    pub(super) unit: Option<UnitArg>,
    /// Form of the profile [default: by the name of the output, otherwise text]
    #[arg(short, long, value_name = "FORMAT")]
    pub(super) format: Option<Form>,
    #[command(flatten)]
    pub(super) table: TableArgs,
    #[command(flatten)]
    pub(super) rows: RowChoice,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
    #[command(flatten)]
    pub(super) fail_on: FailOnArgs,
    #[command(flatten)]
    pub(super) frames: FrameArgs,
    #[command(flatten)]
    pub(super) filter: FilterArgs,
}

/// What is weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum By {
    /// CPU samples of the timer, without those of idle processors (samples, ms)
    Cpu,
    /// Time in which threads ran, from context switches (ms)
    Cswitch,
    /// All time of threads: running, ready, and waiting, with the reason and what for (ms)
    Wall,
    /// Samples of a hardware counter (samples, events)
    Pmc,
    /// Memory that .NET allocates, with its types (bytes, samples)
    Allocations,
    /// Blocks that heaps allocate (bytes, samples)
    Heap,
    /// Virtual memory that is committed (bytes, samples)
    #[value(name = "virtualalloc")]
    VirtualAlloc,
    /// Exceptions that .NET throws, with their types (samples)
    Exceptions,
    /// Disk operations, at the stack that issued them, with their files (ms, bytes, samples)
    Disk,
    /// File operations, with their files (ms, bytes, samples)
    File,
    /// Hard page faults, with their files (ms, bytes, samples)
    Faults,
    /// Spans, which are pairs of start and stop events, within each other (ms, samples)
    Spans,
    /// Any events: each one that passes the filters, with its name (samples)
    Event,
}

/// What weights are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum UnitArg {
    /// Samples
    Samples,
    /// Milliseconds
    Ms,
    /// Bytes
    Bytes,
    /// Events of the hardware counter
    Events,
}

impl From<UnitArg> for Unit {
    fn from(unit: UnitArg) -> Self {
        match unit {
            UnitArg::Samples => Self::Samples,
            UnitArg::Ms => Self::Time,
            UnitArg::Bytes => Self::Bytes,
            UnitArg::Events => Self::Events,
        }
    }
}
