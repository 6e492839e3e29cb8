//! The tables hold every name of the `windows-sys` crate with its number, if the crate's source is there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::fact::Fact;
use super::fetch::CRATES;
use super::{path, sources, tables};

/// The crate's source in cargo's home: as a dependency of this workspace for Windows it is there after `cargo fetch`.
fn windows_sys() -> Option<Vec<Fact>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    let (name, version) = CRATES[0];
    let crates = registries.filter_map(|registry| Some(registry.ok()?.path().join(format!("{name}-{version}"))));
    crates.filter(|folder| folder.is_dir()).find_map(|folder| sources::windows_sys(&folder).ok())
}

#[test]
fn every_name_of_windows_sys_is_in_its_table() {
    let Some(facts) = windows_sys() else {
        return etwkit_corpus::skipped("names of codes are not compared: cargo's home has no windows-sys 0.61.2");
    };
    let mut counts = Vec::new();
    for table in &tables::TABLES {
        let text = std::fs::read_to_string(path(table.file)).unwrap();
        let lines: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
        let rows = table.rows(&facts);
        let has = |fact: &Fact| {
            let names = lines.get(format!("{:x}", fact.number).as_str());
            names.is_some_and(|names| names.split(' ').any(|name| name == fact.name))
        };
        let missing: Vec<_> = rows.values().flatten().filter(|fact| !has(fact)).map(|fact| &fact.name).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", table.file);
        counts.push((table.file, rows.values().map(Vec::len).sum::<usize>()));
    }
    // The states of threads are not in it.
    let first = [("ntstatus", 3052), ("win32", 4503), ("hresult", 7545), ("ndis_oid", 889)];
    let others = [("wait_reason", 42), ("thread_state", 0), ("irp_major", 30)];
    let wanted = [&first[..], &others].concat();
    assert_eq!(counts, wanted);
}

/// Codes of each table with the name that is printed, as Windows' headers have them: what a filter misses is seen here.
const WELL_KNOWN: &[(&str, &[(u32, &str)])] = &[
    (
        "win32",
        &[
            (0, "ERROR_SUCCESS"),
            (5, "ERROR_ACCESS_DENIED"),
            (258, "WAIT_TIMEOUT"),
            (997, "ERROR_IO_PENDING"),
            (1722, "RPC_S_SERVER_UNAVAILABLE"),
            (1772, "RPC_X_NO_MORE_ENTRIES"),
            (1780, "RPC_X_NULL_REF_POINTER"),
            (1783, "RPC_X_BAD_STUB_DATA"),
            (1827, "RPC_X_INVALID_ES_ACTION"),
            (1832, "RPC_X_WRONG_PIPE_VERSION"),
            (1910, "OR_INVALID_OXID"),
            (1911, "OR_INVALID_OID"),
            (1912, "OR_INVALID_SET"),
            (1916, "RPC_X_PIPE_CLOSED"),
            (1918, "RPC_X_PIPE_EMPTY"),
            (4050, "PEERDIST_ERROR_CONTENTINFO_VERSION_UNSUPPORTED"),
            (4066, "PEERDIST_ERROR_TRUST_FAILURE"),
            (6200, "SCHED_E_SERVICE_NOT_LOCALSYSTEM"),
            (8001, "FRS_ERR_INVALID_API_SEQUENCE"),
            (8017, "FRS_ERR_INVALID_SERVICE_PARAMETER"),
            (9003, "DNS_ERROR_RCODE_NAME_ERROR"),
            (10060, "WSAETIMEDOUT"),
            (13024, "WARNING_IPSEC_MM_POLICY_PRUNED"),
            (13025, "WARNING_IPSEC_QM_POLICY_PRUNED"),
            (15861, "STORE_ERROR_UNLICENSED"),
            (15864, "STORE_ERROR_LICENSE_REVOKED"),
        ],
    ),
    (
        "ntstatus",
        &[
            (0, "STATUS_SUCCESS"),
            (0x102, "STATUS_TIMEOUT"),
            (0x103, "STATUS_PENDING"),
            (0x8000_0005, "STATUS_BUFFER_OVERFLOW"),
            (0xC000_0005, "STATUS_ACCESS_VIOLATION"),
            (0xC000_0034, "STATUS_OBJECT_NAME_NOT_FOUND"),
            (0xC01C_0004, "STATUS_FLT_DISALLOW_FAST_IO"),
        ],
    ),
    (
        "hresult",
        &[
            (0x8000_4005, "E_FAIL"),
            (0x8000_FFFF, "E_UNEXPECTED"),
            (0x8004_0154, "REGDB_E_CLASSNOTREG"),
            (0x8004_1001, "WBEM_E_FAILED"),
            (0x8004_1002, "WBEM_E_NOT_FOUND"),
            (0x8004_1003, "WBEM_E_ACCESS_DENIED"),
            (0x8004_1010, "WBEM_E_INVALID_CLASS"),
            (0x8004_1032, "WBEM_E_CALL_CANCELLED"),
            (0x8009_0302, "SEC_E_UNSUPPORTED_FUNCTION"),
            (0x800B_0100, "TRUST_E_NOSIGNATURE"),
            (0x8020_0010, "BG_E_NETWORK_DISCONNECTED"),
            (0x8024_0024, "-"),
            // .NET's, which UI Automation uses as well.
            (0x8013_1505, "-"),
            (0x8013_1509, "-"),
        ],
    ),
    ("ndis_status", &[(0xC001_000F, "NDIS_STATUS_INVALID_PACKET"), (0x4001_000B, "NDIS_STATUS_MEDIA_CONNECT")]),
    ("irp_major", &[(0, "IRP_MJ_CREATE"), (0xE, "IRP_MJ_DEVICE_CONTROL"), (0x1B, "IRP_MJ_PNP")]),
    ("wait_reason", &[(0, "Executive"), (15, "WrQueue")]),
    ("thread_state", &[(2, "Running"), (5, "Waiting")]),
];

#[test]
fn well_known_codes_have_their_names() {
    for (table, codes) in WELL_KNOWN {
        let text = std::fs::read_to_string(path(table)).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
        let lines: BTreeMap<u32, &str> =
            lines.map(|(code, names)| (u32::from_str_radix(code, 16).unwrap(), names)).collect();
        for (code, name) in *codes {
            let printed = lines.get(code).and_then(|names| names.split(' ').next());
            assert_eq!(printed.unwrap_or("-"), *name, "{table} {code:#x}");
        }
    }
}
