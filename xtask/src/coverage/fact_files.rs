//! The files of facts.

/// Parsers of the kernel's and the runtime's events, and the other typed ones of the eight that were asked for.
pub(super) const FILES: [&str; 12] = [
    "kernel",
    "threadpool_heap_critsec",
    "symbol",
    "clr",
    "gcdynamic",
    "clr_rundown",
    "clr_stress",
    "clr_private",
    "sampleprofiler",
    "tpl",
    "jscript",
    "aspnet",
];
