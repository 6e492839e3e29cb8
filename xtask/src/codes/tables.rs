//! The tables and which constants belong to them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::fact::{Fact, Origin};
use super::{hresult, order};

/// A table of codes.
pub(super) struct Table {
    /// Its file in `src/codes`, without extension.
    pub(super) file: &'static str,
    title: &'static str,
    source: &'static str,
    /// The prefix that the usual names have.
    prefix: &'static str,
    /// The code that a constant stands for, if it is one of the table.
    code: fn(&Fact) -> Option<u32>,
}

const CRATES: &str =
    "as the crates `windows-sys` 0.61.2 and `windows-default` 0.100.0 list them (MIT OR Apache-2.0, Microsoft)";

pub(super) const TABLES: [Table; 7] = [
    Table { file: "ntstatus", title: "NTSTATUS codes", source: CRATES, prefix: "STATUS_", code: ntstatus },
    Table { file: "win32", title: "Win32 error codes", source: CRATES, prefix: "ERROR_", code: win32 },
    Table { file: "hresult", title: "HRESULT codes", source: CRATES, prefix: "", code: hresult::code },
    Table { file: "ndis_oid", title: "NDIS object identifiers", source: CRATES, prefix: "OID_GEN_", code: ndis_oid },
    Table {
        file: "wait_reason",
        title: "Wait reasons of threads (KWAIT_REASON)",
        source: CRATES,
        prefix: "",
        code: wait,
    },
    Table {
        file: "thread_state",
        title: "States of threads (KTHREAD_STATE)",
        source: "as the crate `ntapi` 0.4.3 lists them (MIT OR Apache-2.0)",
        prefix: "",
        code: thread_state,
    },
    Table { file: "irp_major", title: "Major functions of IRPs", source: CRATES, prefix: "IRP_MJ_", code: irp_major },
];

impl Table {
    /// The names of each code, the preferred one first.
    pub(super) fn rows<'a>(&self, facts: &'a [Fact]) -> BTreeMap<u32, Vec<&'a Fact>> {
        let own: Vec<&Fact> = facts.iter().filter(|fact| (self.code)(fact) == Some(fact.number)).collect();
        order::by_number(&own, self.prefix)
    }

    /// The file's text: lines `code NAME ALIAS...`.
    pub(super) fn text(&self, rows: &BTreeMap<u32, Vec<&Fact>>) -> String {
        let mut text = head(self.title, self.source);
        for (code, facts) in rows {
            let unclear = if self.file == "hresult" && hresult::is_unclear(*code, facts) { " -" } else { "" };
            let _ = write!(text, "{code:x}{unclear}");
            for fact in facts {
                let _ = write!(text, " {}", fact.name);
            }
            text.push('\n');
        }
        text
    }
}

/// The first lines of a table.
pub(super) fn head(title: &str, source: &str) -> String {
    format!("# {title}\n# Names and numbers {source}; made by `cargo xtask codes`.\n")
}

fn ntstatus(fact: &Fact) -> Option<u32> {
    /// Error, of `NTSTATUS`: the two highest bits.
    const ERROR: u32 = 0xC000_0000;
    let untyped = fact.module == "Win32/Foundation"
        && fact.kind == "i32"
        && fact.number >= ERROR
        && fact.name.starts_with("STATUS_");
    (fact.kind == "NTSTATUS" || untyped).then_some(fact.number)
}

/// Modules whose constants with that prefix are Win32 codes: `lmerr.h`, `wininet.h`, `winhttp.h`, `raserror.h`,
/// `qossp.h`, `patchapi.h`; and, of `winerror.h`, those that have a prefix of their own.
const WIN32_MODULES: [(&str, &str); 14] = [
    ("Win32/Foundation", "ERROR_"),
    ("Win32/Foundation", "DNS_"),
    ("Win32/Foundation", "RPC_X_"),
    ("Win32/Foundation", "OR_"),
    ("Win32/Foundation", "PEERDIST_ERROR_"),
    ("Win32/Foundation", "FRS_ERR_"),
    ("Win32/Foundation", "WARNING_"),
    ("Win32/Foundation", "STORE_ERROR_"),
    ("Win32/NetworkManagement/NetManagement", "NERR_"),
    ("Win32/Networking/WinInet", "ERROR_"),
    ("Win32/Networking/WinHttp", "ERROR_WINHTTP_"),
    ("Win32/NetworkManagement/Rras", "ERROR_"),
    ("Win32/NetworkManagement/QoS", "ERROR_"),
    ("Win32/System/ApplicationInstallationAndServicing", "ERROR_PATCH_"),
];

/// Win32 codes of `winerror.h` whose names or types look like something else.
const WIN32_NAMES: [&str; 2] = ["SCHED_E_SERVICE_NOT_LOCALSYSTEM", "WAIT_TIMEOUT"];

fn win32(fact: &Fact) -> Option<u32> {
    let of_module = fact.is_plain()
        && WIN32_MODULES.iter().any(|(module, prefix)| fact.module == *module && fact.name.starts_with(prefix));
    // What only the newer source has; limits of records of the error log and a printer language share the prefix.
    let of_newer = fact.origin == Origin::WindowsDefault
        && fact.is_plain()
        && fact.name.starts_with("ERROR_")
        && !["ERROR_LOG_", "ERROR_BIDI_"].iter().any(|prefix| fact.name.starts_with(prefix));
    let typed = matches!(fact.kind.as_str(), "WIN32_ERROR" | "WSA_ERROR" | "RPC_STATUS");
    // Some of `RPC_X_*` are those of kernel code in this source, which are `NTSTATUS`.
    let of_module = of_module && !(fact.name.starts_with("RPC_X_") && fact.number > 0xFFFF);
    let odd = fact.module == "Win32/Foundation" && WIN32_NAMES.contains(&fact.name.as_str());
    (typed || of_module || of_newer || odd).then_some(fact.number)
}

fn ndis_oid(fact: &Fact) -> Option<u32> {
    (fact.name.starts_with("OID_") && fact.is_plain()).then_some(fact.number)
}

fn wait(fact: &Fact) -> Option<u32> {
    (fact.kind == "KWAIT_REASON" && fact.name != "MaximumWaitReason").then_some(fact.number)
}

fn thread_state(fact: &Fact) -> Option<u32> {
    (fact.kind == "KTHREAD_STATE" && fact.name != "MaximumThreadState").then_some(fact.number)
}

/// Major functions have one byte; those of minifilters alone, which count down from -1, are in `fltKernel.h`.
fn irp_major(fact: &Fact) -> Option<u32> {
    let own = fact.name.starts_with("IRP_MJ_") && fact.name != "IRP_MJ_MAXIMUM_FUNCTION";
    (own && fact.number <= 0x1B).then_some(fact.number)
}
