//! Analyses of what the kernel writes.

use etwkit_kernel_analyses::{
    CpuSamples, CpuUsage, CriticalPath, DpcIsrByRoutine, ImageList, Marks, Processes, ReadyPairs, ThreadList,
    WaitsByThread, WaitsEach,
};

use super::Entry;

pub(super) static ENTRIES: [Entry; 10] = [
    Entry::of::<Processes>("processes", "processes: parent, command line, times, exit status, user"),
    Entry::of::<ThreadList>("threads", "threads: name, times, where they start, CPU time"),
    Entry::of::<ImageList>("images", "executables, libraries and drivers: path, address, times")
        .for_people(&IMAGES_FOR_PEOPLE),
    Entry::of::<CpuSamples>("cpu", "CPU time of processes, by samples"),
    Entry::of::<CpuUsage>("cpu-usage", "use of each processor over time, by context switches").not_compared(),
    Entry::of::<WaitsByThread>("waits", "what threads did: ran, were ready, waited and why").with_each(&WAITS_EACH),
    Entry::of::<ReadyPairs>("ready", "which thread made which other one ready"),
    Entry::of::<CriticalPath>("critical", "critical path of a window: what the time of a thread was spent on")
        .not_compared(),
    Entry::of::<DpcIsrByRoutine>("dpcisr", "DPCs and interrupts by routine: how often, how long"),
    Entry::of::<Marks>("marks", "marks: texts that were put into the trace").not_compared(),
];

const IMAGES_FOR_PEOPLE: [&str; 7] = ["pid", "process", "path", "base", "size", "load", "file_version"];

static WAITS_EACH: Entry = Entry::of::<WaitsEach>("waits", "each wait, and who ended it");
