//! How many threads decode.

use etwkit::trace::RunOptions;

/// The argument, shared by commands.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct ThreadArgs {
    /// Threads that decode; events and their order do not depend on it [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    threads: Option<u8>,
}

impl ThreadArgs {
    /// So many threads, or as many as there are processors.
    pub(crate) fn count(self) -> usize {
        self.threads.map_or_else(|| RunOptions::default().threads, usize::from)
    }
}
