//! The conditions of `--fail-on`.

use clap::ValueEnum;

/// Conditions that make the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// The session lost events or buffers while it recorded
    Lost,
    /// Events without a schema; in dump, count, table, export and pcap also those with a field that does not fit it
    Undecoded,
    /// Bytes that could not be read (always on)
    Damaged,
}

/// The argument, shared by commands.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct FailOnArgs {
    /// Exit with 1 if this is found; separate several words with commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
}
