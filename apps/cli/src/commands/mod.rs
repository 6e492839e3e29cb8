//! The registry of commands. A new command is a file here, its `mod` line, and its row in [`Command`].

mod analyze;
mod baseline;
mod buffers;
mod check;
mod completions;
mod count;
mod counters;
mod diff;
mod dump;
mod export;
mod help;
mod info;
mod man;
mod mcp;
mod pcap;
mod profile;
mod redact;
mod relog;
mod repair;
mod report;
mod requests;
mod schema;
mod spans;
mod symbols;
mod table;
mod tmf;
mod tui;
mod twapi_header;
mod view;

use clap::Subcommand;

use crate::exit_status::Status;
use crate::failure::Failure;
use crate::program::Program;

/// Makes the enum from rows: what the text of the help, the name, the module.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident in $module:ident,)*) => {
        /// What to do.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($(#[$about])* $name(Box<$module::Args>),)*
        }

        impl Command {
            /// Runs the command.
            pub(crate) fn run(self, program: Program) -> Result<Status, Failure> {
                match self {
                    $(Self::$name(args) => $module::run(*args, program),)*
                }
            }
        }
    };
}

commands! {
    /// Show what a trace contains: system, session, times, counts, losses, damage
    Info in info,
    /// Write every event, in time order over all processors
    Dump in dump,
    /// Write events as Parquet or Arrow files, for data frames, SQL and clusters
    Export in export,
    /// Count events by provider, name, process, fields: quick tables
    Count in count,
    /// Write the network packets of a trace as pcapng
    Pcap in pcap,
    /// List the buffers of a trace
    Buffers in buffers,
    /// Print the values of a performance log (.blg) as a table, as Windows' relog does
    Counters in counters,
    /// Print one row per event: its name and all its data
    Table in table,
    /// Answer a question with a table: which processes, where the CPU time went ...
    Analyze in analyze,
    /// Show where time and memory went: functions, flame graphs, files for profile viewers
    Profile in profile,
    /// Pair start and stop events of any provider: durations, lists, trees of activities
    Spans in spans,
    /// List the PDB files that the stacks need, for tools that fetch them
    Symbols in symbols,
    /// Compare two traces: events, schemas, tables of analyses, functions
    Diff in diff,
    /// Check whether traces are whole: damage, losses, missing buffers, clocks, names
    Check in check,
    /// Write part of a trace, or several traces, as a new .etl file
    Relog in relog,
    /// Write the readable part of a damaged trace as a new .etl file
    Repair in repair,
    /// Replace users, machines, addresses, paths and other personal data in a copy of a trace
    Redact in redact,
    /// View a trace in the terminal: list, filter, histogram, details with bytes
    Tui in tui,
    /// Write a trace as one HTML page: lanes over time, tables, flame graph, problems
    Report in report,
    /// Show a trace in the browser: serve the viewer's page and the files to this computer
    View in view,
    /// Print one row per request of HTTP.sys, IIS and iisnode: client, verb, URL, status, time in each stage
    Requests in requests,
    /// Print a short stable text of a trace, to keep and compare: first events of each kind, then counts
    Baseline in baseline,
    /// Print the schemas in use, in the text form that can be read back
    Schema in schema,
    /// Write the definitions of WPP messages in a PDB file as .tmf files
    #[command(hide = true)]
    Tmf in tmf,
    /// Print the header of a trace as Tcl dictionaries, as the extension TWAPI reports it
    #[command(hide = true)]
    TwapiHeader in twapi_header,
    /// Serve agents: the commands of this program as tools of the Model Context Protocol
    Mcp in mcp,
    /// Print a script that completes commands and options in a shell
    Completions in completions,
    /// Print the manual page, or write one for each command
    Man in man,
    /// Print the help of a command, or a page: where, formats, exit-codes
    Help in help,
}
