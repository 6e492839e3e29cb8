//! Names of events and fields as Rust writes them.

/// What must not be parted although its letters say so.
const WHOLE: [&str; 5] = ["IPv4", "IPv6", "MSec", "IDs", "PIDs"];

/// Words that Rust keeps, and what views call themselves.
const TAKEN: [&str; 14] =
    ["as", "box", "event", "final", "fn", "from_event", "in", "loop", "macro", "move", "priv", "ref", "type", "use"];

/// `DCStart` is `DcStart`, `DbgID_RSDS` is `DbgIdRsds`.
pub(super) fn camel(name: &str) -> String {
    words(name).iter().map(|word| capital(word)).collect()
}

/// `ImageFileName` is `image_file_name`, `Type` is `type_`.
pub(super) fn snake(name: &str) -> String {
    let snake = words(name).join("_").to_lowercase();
    if TAKEN.contains(&snake.as_str()) { snake + "_" } else { snake }
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

/// The words of a name. An upper-case letter begins one after a lower-case letter or a digit, and before a lower-case
/// letter.
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
    let ends = |len: usize| !name.get(len..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    if let Some(word) = WHOLE.iter().find(|word| name.starts_with(**word) && ends(word.len())) {
        return word.len();
    }
    let bytes = name.as_bytes();
    let is_upper = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
    let is_lower = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
    let begins = |at: &usize| is_upper(*at) && (!is_upper(*at - 1) || is_lower(*at + 1));
    (1..bytes.len()).find(begins).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events() {
        let names = ["DCStart", "GC", "DiskIO", "CSwitch", "DbgID_RSDS", "SendIPV6", "ReAlloc", "RestartEEStop"];
        let rust = ["DcStart", "Gc", "DiskIo", "CSwitch", "DbgIdRsds", "SendIpv6", "ReAlloc", "RestartEeStop"];
        assert_eq!(names.map(camel), rust);
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
