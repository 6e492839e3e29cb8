//! Analyses of what the kernel writes.

use etwkit_kernel_analyses::{CpuSamples, Processes};

use super::Entry;

pub(super) static ENTRIES: [Entry; 2] = [
    Entry::of::<Processes>("processes", "processes: parent, command line, times, exit status, user"),
    Entry::of::<CpuSamples>("cpu", "CPU time of processes, by samples"),
];
