//! Names of Windows' error codes and NDIS numbers, as tables of facts.
//!
//! Each table is a text of lines `code NAME`, code in hexadecimal digits, sorted; its head names the source. They are
//! read on the first use of a table.

use std::sync::OnceLock;

/// A family of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codes {
    /// `NTSTATUS` (`ntstatus.h`).
    NtStatus,
    /// Win32 and socket errors (`winerror.h`, `winsock2.h`).
    Win32,
    /// `HRESULT` (`winerror.h`); those made of Win32 or NT codes have these names.
    HResult,
    /// `NDIS_STATUS` (`ndis.h`), then `NTSTATUS`.
    NdisStatus,
    /// NDIS object identifiers (`ntddndis.h`).
    NdisOid,
}

/// Facility of an `HRESULT` that wraps a Win32 code: `HRESULT_FROM_WIN32` of `winerror.h`.
const FACILITY_WIN32: u32 = 0x8007;
/// `FACILITY_NT_BIT` of `winerror.h`: the rest of such an `HRESULT` is an `NTSTATUS`.
const NT_BIT: u32 = 0x1000_0000;

impl Codes {
    /// Returns the name of a code. Where several names have one code, the one that the header gives first or that has
    /// the family's own prefix.
    pub fn name(self, code: u32) -> Option<&'static str> {
        match self {
            Self::NtStatus => find(&NTSTATUS, code),
            Self::Win32 => find(&WIN32, code),
            Self::HResult if code >> 16 == FACILITY_WIN32 => find(&WIN32, code & 0xFFFF),
            Self::HResult => {
                find(&HRESULT, code).or_else(|| (code & NT_BIT != 0).then(|| find(&NTSTATUS, code & !NT_BIT))?)
            }
            Self::NdisStatus => find(&NDIS_STATUS, code).or_else(|| find(&NTSTATUS, code)),
            Self::NdisOid => find(&NDIS_OID, code),
        }
    }
}

/// A text and what was read from it.
struct Table {
    text: &'static str,
    lines: OnceLock<Vec<(u32, &'static str)>>,
}

static NTSTATUS: Table = Table::new(include_str!("ntstatus.txt"));
static WIN32: Table = Table::new(include_str!("win32.txt"));
static HRESULT: Table = Table::new(include_str!("hresult.txt"));
static NDIS_STATUS: Table = Table::new(include_str!("ndis_status.txt"));
static NDIS_OID: Table = Table::new(include_str!("ndis_oid.txt"));

impl Table {
    const fn new(text: &'static str) -> Self {
        Self { text, lines: OnceLock::new() }
    }

    fn lines(&self) -> &[(u32, &'static str)] {
        self.lines.get_or_init(|| self.text.lines().filter_map(line).collect())
    }
}

fn line(line: &'static str) -> Option<(u32, &'static str)> {
    let (code, name) = line.split_once(' ')?;
    Some((u32::from_str_radix(code, 16).ok()?, name))
}

fn find(table: &Table, code: u32) -> Option<&'static str> {
    let lines = table.lines();
    let at = lines.binary_search_by_key(&code, |(code, _)| *code).ok()?;
    lines.get(at).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_every_line_is_read() {
        for table in [&NTSTATUS, &WIN32, &HRESULT, &NDIS_STATUS, &NDIS_OID] {
            assert!(table.lines().is_sorted_by(|a, b| a.0 < b.0));
            assert_eq!(table.lines().len(), table.text.lines().filter(|line| !line.starts_with('#')).count());
        }
    }

    #[test]
    fn well_known_codes() {
        assert_eq!(Codes::NtStatus.name(0), Some("STATUS_SUCCESS"));
        assert_eq!(Codes::NtStatus.name(0xC000_0022), Some("STATUS_ACCESS_DENIED"));
        assert_eq!(Codes::NtStatus.name(0x1234_5678), None);
        assert_eq!(Codes::Win32.name(0), Some("ERROR_SUCCESS"));
        assert_eq!(Codes::Win32.name(10054), Some("WSAECONNRESET"));
        assert_eq!(Codes::HResult.name(0x8000_4003), Some("E_POINTER"));
        assert_eq!(Codes::HResult.name(0x8007_0005), Some("ERROR_ACCESS_DENIED"));
        assert_eq!(Codes::HResult.name(0xD000_0022), Some("STATUS_ACCESS_DENIED"));
        assert_eq!(Codes::NdisStatus.name(0xC001_0015), Some("NDIS_STATUS_INVALID_DATA"));
        assert_eq!(Codes::NdisOid.name(0x0001_0101), Some("OID_GEN_SUPPORTED_LIST"));
    }
}
