//! Analyses of what .NET runtimes write.

use etwkit_dotnet_analyses::{
    AspNetByProcess, AspNetEach, ContentionByThread, ContentionEach, ExceptionsByType, ExceptionsEach, GcByProcess,
    GcEach, JitByProcess, JitEach, LoaderByProcess, LoaderEach, TasksByScheduler, TasksEach, ThreadPoolByProcess,
    ThreadPoolEach,
};

use super::Entry;

pub(super) static ENTRIES: [Entry; 8] = [
    Entry::of::<GcByProcess>("gc", "garbage collections of .NET: pauses, allocated bytes")
        .with_each(&GC_EACH)
        .for_people(&GC_FOR_PEOPLE),
    Entry::of::<JitByProcess>("jit", "methods that .NET compiled: time, sizes").with_each(&JIT_EACH),
    Entry::of::<LoaderByProcess>("loader", "assemblies and modules of .NET").with_each(&LOADER_EACH),
    Entry::of::<ExceptionsByType>("exceptions", "exceptions of .NET by type and message").with_each(&EXCEPTIONS_EACH),
    Entry::of::<ContentionByThread>("contention", "waits of threads for locks of .NET").with_each(&CONTENTION_EACH),
    Entry::of::<ThreadPoolByProcess>("threadpool", "thread pools of .NET: threads, adjustments, queue")
        .with_each(&THREADPOOL_EACH),
    Entry::of::<TasksByScheduler>("tasks", "tasks of .NET (TPL): delays, executions, waits").with_each(&TASKS_EACH),
    Entry::of::<AspNetByProcess>("aspnet", "requests of ASP.NET: time, queue, handlers").with_each(&ASPNET_EACH),
];

static GC_EACH: Entry = Entry::of::<GcEach>("gc", "each garbage collection").for_people(&GC_EACH_FOR_PEOPLE);
const GC_FOR_PEOPLE: [&str; 13] = [
    "pid",
    "process",
    "gcs",
    "gen0",
    "gen1",
    "gen2",
    "pause_ms_sum",
    "pause_ms_mean",
    "pause_ms_max",
    "pause_percent",
    "alloc_bytes",
    "heap_bytes_max",
    "gc_cpu_percent",
];
const GC_EACH_FOR_PEOPLE: [&str; 12] = [
    "pid",
    "process",
    "number",
    "start",
    "generation",
    "kind",
    "reason_name",
    "pause_ms",
    "duration_ms",
    "promoted_bytes",
    "heap_bytes",
    "alloc_bytes",
];
static JIT_EACH: Entry = Entry::of::<JitEach>("jit", "each compilation");
static LOADER_EACH: Entry = Entry::of::<LoaderEach>("loader", "each module");
static EXCEPTIONS_EACH: Entry = Entry::of::<ExceptionsEach>("exceptions", "each exception");
static CONTENTION_EACH: Entry = Entry::of::<ContentionEach>("contention", "each wait");
static THREADPOOL_EACH: Entry = Entry::of::<ThreadPoolEach>("threadpool", "each adjustment");
static TASKS_EACH: Entry = Entry::of::<TasksEach>("tasks", "each task");
static ASPNET_EACH: Entry = Entry::of::<AspNetEach>("aspnet", "each request");
