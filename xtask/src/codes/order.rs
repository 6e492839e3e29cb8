//! Which of several names of one number is the one that is printed.

use std::collections::{BTreeMap, BTreeSet};

use super::fact::Fact;

/// Names that come before all others of their number, whatever the alphabet states.
const USUAL: [&str; 11] = [
    "STATUS_SUCCESS",
    "ERROR_SUCCESS",
    "S_OK",
    "SEC_E_UNSUPPORTED_FUNCTION",
    "IRP_MJ_INTERNAL_DEVICE_CONTROL",
    "IRP_MJ_PNP",
    "FILE_READ_DATA",
    "FILE_WRITE_DATA",
    "FILE_APPEND_DATA",
    "FILE_EXECUTE",
    "KEY_READ",
];

/// The facts of each number, the preferred name first, each name once.
///
/// Preferred are, in this order: the usual names above; names of `winerror.h`, `ntstatus.h` and `winsock2.h`; those of
/// WMI; names that do not mark the ends of a range and are not those of connection-oriented NDIS; names with the
/// table's own prefix; names of `windows-sys`, which is of a released SDK; the first in the alphabet.
pub(super) fn by_number<'a>(facts: &[&'a Fact], prefix: &str) -> BTreeMap<u32, Vec<&'a Fact>> {
    let mut rows: BTreeMap<u32, Vec<&Fact>> = BTreeMap::new();
    for fact in facts {
        rows.entry(fact.number).or_default().push(fact);
    }
    for row in rows.values_mut() {
        row.sort_by_cached_key(|fact| {
            let name = fact.name.as_str();
            let special = is_end(name) || name.starts_with("OID_GEN_CO_");
            let foreign = (!fact.is_foundation(), !fact.is_of_wmi(), special, !name.starts_with(prefix));
            (!USUAL.contains(&name), foreign, fact.origin, fact.name.clone())
        });
        let mut seen = BTreeSet::new();
        row.retain(|fact| seen.insert(fact.name.clone()));
    }
    rows
}

/// Whether a name states where a range of codes begins or ends.
pub(super) fn is_end(name: &str) -> bool {
    ["_FIRST", "_LAST", "_BASE", "_MASK"].iter().any(|end| name.ends_with(end))
}
