//! The analyses of the page.

use etwkit::Result;
use etwkit::trace::{Filter, Trace};
use etwkit_analysis::{Analysis, Column, Row, Together, Twofold};
use etwkit_dotnet_analyses::{
    AspNetByProcess, ContentionByThread, ExceptionsByType, GcByProcess, GcEach, JitByProcess, JitEach, LoaderByProcess,
    TasksByScheduler, ThreadPoolByProcess,
};
use etwkit_io_analyses::{
    DiskByFile, DiskOverTime, DnsByName, FaultsByFile, FileByFile, MemoryByProcess, NetworkByPeer, NetworkOverTime,
    RegistryByKey,
};
use etwkit_kernel_analyses::{
    CpuSamples, CpuUsage, DpcIsrByRoutine, ImageList, Marks, Processes, ReadyPairs, WaitsByThread,
};
use etwkit_windows_analyses::{
    BootPhases, EventTypes, GpuByEngine, HttpByUrl, IdleStates, Machine, PresentByProcess, ProcessorPower,
    RpcByProcedure,
};

use crate::Section::{self, Dotnet, Events, Io, Kernel, Windows};
use crate::lanes::{GroupOfRows, Rows};

/// An analysis of the page: a table, lanes, or both.
pub(crate) struct Part {
    pub(crate) section: Section,
    /// The name of the analysis.
    pub(crate) id: &'static str,
    /// The command that prints its table.
    pub(crate) command: &'static str,
    pub(crate) title: &'static str,
    pub(crate) columns: &'static [Column],
    pub(crate) is_answerable: fn(&Trace) -> bool,
    pub(crate) advice: fn() -> String,
    pub(crate) add: fn(&mut Together<'_>) -> Result<()>,
    /// Adds it with the part that follows, which shows what it adds up: both are made of the same state.
    pub(crate) add_with_next: Option<fn(&mut Together<'_>) -> Result<()>>,
    pub(crate) has_table: bool,
    pub(crate) lanes: Option<GroupOfRows>,
}

const fn part<A: Analysis<Fact: 'static> + 'static>(section: Section, [id, command, title]: [&'static str; 3]) -> Part {
    Part {
        section,
        id,
        command,
        title,
        columns: A::Row::COLUMNS,
        is_answerable: A::is_answerable,
        advice: || A::interest().need.advice(),
        add: |together| together.add::<A>(&Filter::default()),
        add_with_next: None,
        has_table: true,
        lanes: None,
    }
}

/// A part that is followed by the one that lists what it adds up.
const fn part_before_next<A>(section: Section, texts: [&'static str; 3]) -> Part
where
    A: Twofold<Fact: 'static> + 'static,
{
    let add: fn(&mut Together<'_>) -> Result<()> = |together| together.add_both::<A>(&Filter::default());
    Part { add_with_next: Some(add), ..part::<A>(section, texts) }
}

impl Part {
    const fn with_lanes(self, lanes: GroupOfRows) -> Self {
        Self { lanes: Some(lanes), ..self }
    }

    /// Only lanes: as a table it would be too long.
    const fn only_lanes(self, lanes: GroupOfRows) -> Self {
        Self { lanes: Some(lanes), has_table: false, ..self }
    }
}

/// All of them, in the order of the page.
pub(crate) static PARTS: [Part; 36] = [
    part::<EventTypes>(Events, ["events", "analyze events", "Events by provider and name"]),
    part::<Processes>(Kernel, ["processes", "analyze processes", "Processes"]),
    part::<CpuSamples>(Kernel, ["cpu", "analyze cpu", "CPU time by process"]),
    part::<CpuUsage>(Kernel, ["cpu-usage", "analyze cpu-usage", "Use of each processor"]).only_lanes(USAGE),
    part::<WaitsByThread>(Kernel, ["waits", "analyze waits", "What threads did: ran, were ready, waited"]),
    part::<ReadyPairs>(Kernel, ["ready", "analyze ready", "Who made whom ready"]),
    part::<DpcIsrByRoutine>(Kernel, ["dpcisr", "analyze dpcisr", "DPCs and interrupts by routine"]),
    part::<Marks>(Kernel, ["marks", "analyze marks", "Marks"]).with_lanes(MARKS),
    part::<ImageList>(Kernel, ["images", "analyze images", "Images and their versions"]),
    part_before_next::<GcByProcess>(Dotnet, ["gc", "analyze gc", "Garbage collections by process"]),
    part::<GcEach>(Dotnet, ["gc-each", "analyze gc --each", "Garbage collections"]).with_lanes(GC),
    part_before_next::<JitByProcess>(Dotnet, ["jit", "analyze jit", "Compilation of methods by process"]),
    part::<JitEach>(Dotnet, ["jit-each", "analyze jit --each", "Compiled methods"]).with_lanes(JIT),
    part::<LoaderByProcess>(Dotnet, ["loader", "analyze loader", "Assemblies and modules of .NET"]),
    part::<ExceptionsByType>(Dotnet, ["exceptions", "analyze exceptions", "Exceptions of .NET"]),
    part::<ContentionByThread>(Dotnet, ["contention", "analyze contention", "Waits for locks of .NET"]),
    part::<ThreadPoolByProcess>(Dotnet, ["threadpool", "analyze threadpool", "Thread pools of .NET"]),
    part::<TasksByScheduler>(Dotnet, ["tasks", "analyze tasks", "Tasks of .NET"]),
    part::<AspNetByProcess>(Dotnet, ["aspnet", "analyze aspnet", "Requests of ASP.NET"]),
    part::<DiskByFile>(Io, ["disk", "analyze disk", "Disk transfers by process and file"]),
    part::<DiskOverTime>(Io, ["disk-each", "analyze disk --each", "Disk transfers"]).only_lanes(DISK),
    part::<FileByFile>(Io, ["file", "analyze file", "Operations on files"]),
    part::<FaultsByFile>(Io, ["faults", "analyze faults", "Page faults by process and file"]),
    part::<MemoryByProcess>(Io, ["memory", "analyze memory", "Memory of processes"]),
    part::<RegistryByKey>(Io, ["registry", "analyze registry", "Operations on the registry"]),
    part::<NetworkByPeer>(Io, ["network", "analyze network", "Network peers by process"]),
    part::<NetworkOverTime>(Io, ["network-each", "analyze network --each", "Network transfers"]).only_lanes(NETWORK),
    part::<DnsByName>(Io, ["dns", "analyze dns", "Queries of names"]),
    part::<Machine>(Windows, ["machine", "analyze machine", "Machine"]),
    part::<BootPhases>(Windows, ["boot", "analyze boot", "Phases of the boot"]),
    part::<RpcByProcedure>(Windows, ["rpc", "analyze rpc", "Remote procedure calls"]),
    part::<HttpByUrl>(Windows, ["http", "analyze http", "HTTP requests by URL"]),
    part::<PresentByProcess>(Windows, ["present", "analyze present", "Frames that processes presented"]),
    part::<GpuByEngine>(Windows, ["gpu", "analyze gpu", "Work of graphics processors"]),
    part::<ProcessorPower>(Windows, ["power", "analyze power", "Frequencies and parking of processors"]),
    part::<IdleStates>(Windows, ["idle", "analyze idle", "Idle states of processors"]),
];

const USAGE: GroupOfRows = GroupOfRows {
    id: "cpu-usage",
    title: "Use of each processor",
    about: "The busy part of each interval, by context switches: exact.",
    unit: "ms",
    by: &["processor"],
    rows: Rows::Shares { at: "start", value: "busy_ms" },
};
const MARKS: GroupOfRows = GroupOfRows {
    id: "marks",
    title: "Marks",
    about: "Texts that were put into the trace.",
    unit: "marks",
    by: &[],
    rows: Rows::Marks { at: "time", text: "text" },
};
const GC: GroupOfRows = GroupOfRows {
    id: "gc",
    title: "Pauses for garbage collections",
    about: "Each bar is a collection at its begin; its height is the pause, on a logarithmic scale.",
    unit: "ms",
    by: &["process", "pid"],
    rows: Rows::Points { at: "start", value: "pause_ms" },
};
const JIT: GroupOfRows = GroupOfRows {
    id: "jit",
    title: "Methods compiled",
    about: "Methods that .NET compiled, at the end of each compilation.",
    unit: "methods",
    by: &["process", "pid"],
    rows: Rows::Sums { at: "end", sum: "" },
};
const DISK: GroupOfRows = GroupOfRows {
    id: "disk",
    title: "Disks",
    about: "Bytes of transfers, by disk and operation, when they ended; the scale is logarithmic.",
    unit: "bytes",
    by: &["disk", "operation"],
    rows: Rows::Sums { at: "time", sum: "bytes" },
};
const NETWORK: GroupOfRows = GroupOfRows {
    id: "network",
    title: "Network",
    about: "Bytes by protocol and operation; the scale is logarithmic.",
    unit: "bytes",
    by: &["protocol", "operation"],
    rows: Rows::Sums { at: "time", sum: "bytes" },
};
