//! What to do about errors of the system and about files that are not traces.

use etwkit::ForeignFormat;

/// For files that may not be read or written.
pub(crate) const PERMISSION: &str =
    "run it as a user who may use that file, or work on a copy; what Windows itself records belongs to administrators";

/// For a folder in place of a file.
pub(crate) const FOLDER: &str = "name a file in it";

/// For a path that leads through a file, or a device.
pub(crate) const NO_FOLDER: &str = "it leads through a file or a device, which has no files below it";

/// For a disk without room.
pub(crate) const FULL: &str = "make room, or write to another disk; a text that was begun is whole up to its last line";

/// For files that are cut off near their start.
const COPY: &str = "copy it again if the original is there: not even the first event is whole";

/// For files that have nothing to do with traces.
const ETL_FILE: &str = "a trace is an .etl file, as `wpr`, `xperf`, `logman` and `netsh trace` write them";

/// What to do with a file that is not a trace.
pub(crate) const fn of_foreign(format: ForeignFormat) -> Option<&'static str> {
    use ForeignFormat as F;
    Some(match format {
        F::Evtx | F::Evt => "event logs are read by Event Viewer, wevtutil or evtx_dump",
        F::Pcapng | F::Pcap | F::NetworkMonitor => "captures are read by Wireshark and tshark",
        F::NetTrace => "such files are read by PerfView and `dotnet-trace report`",
        F::FastSerialization => "give the .etl file that it was made of; PerfView reads the others",
        F::Minidump | F::MemoryDump => "WinDbg saves the sessions in a dump as traces: `!wmitrace.logsave`",
        F::WindowsProgram => "the manifest in a program decodes events: `etwkit dump TRACE --schemas PROGRAM`",
        F::Pdb => {
            "a PDB file decodes WPP messages: `etwkit dump TRACE --symbols FILE.pdb`; `etwkit tmf` shows what it holds"
        }
        F::Xml | F::Utf16Xml => {
            "a manifest decodes events: `etwkit dump TRACE --schemas FILE.man`; a report of tracerpt is not a trace, its .etl file is; a profile (.wprp) records one: `wpr -start FILE.wprp`"
        }
        F::Text | F::Utf16Text => {
            "schemas in text go to --schemas, .tmf files to --symbols; a report of tracerpt is not a trace, its .etl file is"
        }
        F::PerfData => "`perf script` reads such files; etwkit reads traces of Windows",
        F::RegistryHive => "a trace is an .etl file; a hive is read by Windows' regedit",
        F::Wim => "the traces in an image are .etl files: unpack it with `wimapply` or 7-Zip",
        F::ElfProgram | F::Sqlite | F::Pdf | F::CompoundDocument | F::Png => ETL_FILE,
        F::OnlyZeros => "such a file is made before anything is recorded: look whether the session ran and was stopped",
        F::Empty | F::EmptyZip => {
            "look at where it comes from: a copy that failed, or a session that ended before it wrote a buffer"
        }
        F::TooShort | F::CutHeader => COPY,
        F::Unknown => {
            "a trace begins with a buffer of its session: is this the file that the session wrote, from its first byte on?"
        }
        _ => return None,
    })
}
