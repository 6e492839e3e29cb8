//! What to do about an error.

use std::path::Path;

use etwkit::ForeignFormat;

use crate::failure::Failure;
use crate::input::is_wanted_name;

/// For files that may not be read or written.
pub(crate) const PERMISSION: &str =
    "run it as a user who may use that file, or work on a copy; what Windows itself records belongs to administrators";

/// For a disk without room.
pub(crate) const FULL: &str =
    "make room, or write elsewhere with -o; what was written so far is whole up to its last line";

/// For a folder without traces.
pub(crate) const OTHER_NAMES: &str =
    "a file of any other name is read if it is given itself, or by a glob such as 'logs/*'";

/// For a folder of the output that does not exist.
const MAKE_FOLDER: &str = "make the folder first; only the file is made";

/// For files that are cut off near their start.
const COPY: &str = "copy it again if the original is there: not even the first event is whole";

/// For files that have nothing to do with traces.
const ETL_FILE: &str = "a trace is an .etl file, as `wpr`, `xperf`, `logman` and `netsh trace` write them";

/// Names that are shown of a folder.
const SHOWN: usize = 3;

/// The failure with a hint, if there is one.
pub(crate) fn with(failure: Failure, hint: Option<String>) -> Failure {
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Why a file could not be made.
pub(crate) fn of_output(error: std::io::Error, path: &Path) -> Failure {
    let no_folder = error.kind() == std::io::ErrorKind::NotFound;
    with(Failure::from(error).of(path.display()), no_folder.then(|| MAKE_FOLDER.to_owned()))
}

/// Why packed data could not be unpacked.
pub(crate) fn of_packed(error: &impl std::fmt::Display) -> Failure {
    Failure::new(format!("packed data that cannot be unpacked: {error}"))
        .hint("copy or download it again; if another program unpacks it, give the file that it makes")
}

/// What to do with a file that is no trace.
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
            "a manifest decodes events: `etwkit dump TRACE --schemas FILE.man`; a report of tracerpt is no trace, its .etl file is; a profile (.wprp) records one: `wpr -start FILE.wprp`"
        }
        F::Text | F::Utf16Text => {
            "schemas in text go to --schemas, .tmf files to --symbols; a report of tracerpt is no trace, its .etl file is"
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

/// What an archive without a trace holds.
pub(crate) fn of_members(names: &[String]) -> String {
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => "it holds nothing: was it packed before the trace was written?".to_owned(),
        many if many > SHOWN => {
            format!("it holds {shown} and {} more; unpack it if a trace is called otherwise", many - SHOWN)
        }
        _ => format!("it holds {shown}; unpack it if that is a trace"),
    }
}

/// The traces beside a file that is not there.
pub(crate) fn beside(path: &Path) -> Option<String> {
    let parent = path.parent()?;
    let folder = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Some(format!("there is no folder {} either", folder.display())).filter(|_| !folder.exists());
    };
    let names = entries.filter_map(Result::ok).map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| is_wanted_name(name)).collect();
    names.sort();
    let shown =
        names.iter().take(SHOWN).map(|name| path.with_file_name(name).display().to_string()).collect::<Vec<_>>();
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!shown.is_empty()).then(|| format!("traces in that folder: {}{more}", shown.join(", ")))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn what_the_system_refuses_has_a_hint() {
        let hint = |kind: io::ErrorKind| match Failure::from(io::Error::from(kind)) {
            Failure::Error { hint, .. } => hint,
            Failure::BrokenPipe => None,
        };
        assert_eq!(hint(io::ErrorKind::PermissionDenied).as_deref(), Some(PERMISSION));
        assert_eq!(hint(io::ErrorKind::StorageFull).as_deref(), Some(FULL));
        assert_eq!(hint(io::ErrorKind::TimedOut), None);
    }
}
