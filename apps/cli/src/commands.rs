//! One file a subcommand: its arguments, its plan, its run.

pub(crate) mod baseline;
pub(crate) mod buffers;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod counters;
pub(crate) mod dump;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod pcap;
pub(crate) mod requests;
pub(crate) mod schema;
pub(crate) mod table;
pub(crate) mod tmf;
pub(crate) mod twapi;
