//! Names of events and fields as Rust writes them.

/// What must not be parted although its letters state so.
const WHOLE: [&str; 11] = ["IPV6", "IPv4", "IPv6", "MHz", "MSec", "NUcast", "RCW", "ReJIT", "TxR", "UCRs", "VRefresh"];

/// Words that Rust keeps, and what views call their own functions.
const TAKEN: &str = " as async await box break const continue crate do dyn else enum event extern false final fn for \
    from_event gen if impl in let loop macro match mod move mut override priv pub ref return self static struct super trait \
    true try type typeof union unsafe unsized use virtual where while yield ";

/// Views whose names do not follow from those of their events: events without an opcode's name, and the one that
/// everybody knows by its opcode.
const VIEWS: [(&str, &str); 5] = [
    ("EventTrace", "EventTraceHeader"),
    ("FileIO", "FileIoName"),
    ("MemoryMemInfo", "KernelMemoryMemInfo"),
    ("MemoryProcessMemInfo", "KernelMemoryProcessMemInfo"),
    ("Thread/CSwitch", "CSwitch"),
];

/// Returns the view of the event `Task/Opcode`: `Process/DCStart` is `ProcessDcStart`. What the task ends with is not
/// said again: `Thread/ThreadMigration` is `ThreadMigration`.
pub(super) fn view(event: &str) -> String {
    if let Some((_, view)) = VIEWS.iter().find(|(name, _)| *name == event) {
        return (*view).to_owned();
    }
    let (task, opcode) = event.split_once('/').unwrap_or((event, ""));
    let (mut all, opcode) = (words(task), words(opcode));
    let is_end = |len: &usize| all.ends_with(opcode.get(..*len).unwrap_or_default());
    let said = (1..=opcode.len()).rev().find(is_end).unwrap_or(0);
    all.extend(opcode.into_iter().skip(said));
    all.iter().map(|word| capital(word)).collect()
}

/// `ImageFileName` is `image_file_name`, `Type` is `type_`.
pub(super) fn snake(name: &str) -> String {
    let snake = words(name).join("_").to_lowercase();
    if TAKEN.contains(&format!(" {snake} ")) { snake + "_" } else { snake }
}

/// `DotNETRuntime` is `DOT_NET_RUNTIME`.
pub(super) fn constant(name: &str) -> String {
    words(name).join("_").to_uppercase()
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars.flat_map(char::to_lowercase)).collect()
}

/// Returns the words of a name. An upper-case letter begins one after a lower-case letter or a digit, and before a
/// lower-case letter.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in name.split(|c: char| !c.is_ascii_alphanumeric()) {
        let mut rest = part;
        while !rest.is_empty() {
            let (word, after) = rest.split_at(word_len(rest));
            words.push(word.to_owned());
            rest = after;
        }
    }
    words
}

/// How long the first word of a name is.
fn word_len(name: &str) -> usize {
    let bytes = name.as_bytes();
    let is_upper = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
    let is_lower = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
    let begins = |at: &usize| is_upper(*at) && (!is_upper(*at - 1) || is_lower(*at + 1));
    let ends = (1..bytes.len()).find(|at| begins(at) || whole(name.get(*at..).unwrap_or_default()).is_some());
    whole(name).or(ends).unwrap_or(bytes.len())
}

/// How long the word is that a name begins with, if it is one that must not be parted.
fn whole(name: &str) -> Option<usize> {
    let follows = |len: usize| name.get(len..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    WHOLE.iter().find(|word| name.starts_with(**word) && !follows(word.len())).map(|word| word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views() {
        let events =
            ["Process/DCStart", "GC/Start", "DiskIO/Read", "ImageID/DbgID_RSDS", "GC/RestartEEStop", "FailFast"];
        let rust = ["ProcessDcStart", "GcStart", "DiskIoRead", "ImageIdDbgIdRsds", "GcRestartEeStop", "FailFast"];
        assert_eq!(events.map(view), rust);
        assert_eq!(["TcpIp/FullACKIPV6", "Thread/CSwitch"].map(view), ["TcpIpFullAckIpv6", "CSwitch"]);
    }

    #[test]
    fn views_do_not_stutter() {
        let events = ["Thread/ThreadMigration", "ILStub/StubGenerated", "Profiler/Profiler", "StackWalk/Stack"];
        assert_eq!(events.map(view), ["ThreadMigration", "IlStubGenerated", "Profiler", "StackWalkStack"]);
    }

    #[test]
    fn fields() {
        let names = ["ProcessID", "UserSID", "Win32StartAddr", "GenerationSize0", "gc_heap", "Type", "connid", "MSecs"];
        let rust =
            ["process_id", "user_sid", "win32_start_addr", "generation_size0", "gc_heap", "type_", "connid", "m_secs"];
        assert_eq!(names.map(snake), rust);
        assert_eq!(
            ["ElapsedMSec", "IPv4Address", "TThreadId"].map(snake),
            ["elapsed_msec", "ipv4_address", "t_thread_id"]
        );
    }

    #[test]
    fn constants() {
        assert_eq!(constant("DotNETRuntime"), "DOT_NET_RUNTIME");
        assert_eq!(constant("Process"), "PROCESS");
    }
}
