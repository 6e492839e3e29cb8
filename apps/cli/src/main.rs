//! The command line of etwkit.

fn main() {}
