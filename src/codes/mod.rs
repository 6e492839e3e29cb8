//! Names of Windows' error codes, NDIS numbers and other well-known numbers, as tables of facts.
//!
//! The tables are made by `cargo xtask codes`; their heads name the sources. They contain names and numbers, no
//! sentences. A table is read on its first use.
//!
//! Where several names have one number, the table's first one is printed: the usual one (`STATUS_SUCCESS`,
//! `ERROR_SUCCESS`, `S_OK`), a name of `winerror.h` or `ntstatus.h`, one that does not mark the end of a range, one with
//! the table's own prefix, the first in the alphabet. `HRESULT`s of `FACILITY_ITF` that several components define, each
//! with a meaning of its own, and `winerror.h` and WMI do not, have no name, and neither have those of .NET's facility.

mod access;
mod table;
#[cfg(test)]
mod tests;

pub use access::AccessRights;
use table::Table;

/// A family of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codes {
    /// `NTSTATUS` (`ntstatus.h`).
    NtStatus,
    /// Win32, RPC, socket, LAN manager, RAS and internet errors (`winerror.h`, `winsock2.h`, `lmerr.h`, `wininet.h`, ...).
    Win32,
    /// `HRESULT` (`winerror.h` and headers of components); those made of Win32 or NT codes have these names.
    HResult,
    /// `NDIS_STATUS` (`ndis.h`), then `NTSTATUS`.
    NdisStatus,
    /// NDIS object identifiers (`ntddndis.h`).
    NdisOid,
    /// Why a thread waits (`KWAIT_REASON` of `wdm.h`).
    WaitReason,
    /// State of a thread (`KTHREAD_STATE`).
    ThreadState,
    /// Major function of an I/O request packet (`IRP_MJ_*` of `wdm.h`).
    IrpMajor,
}

/// Facility of an `HRESULT` that wraps a Win32 code: `HRESULT_FROM_WIN32` of `winerror.h`.
const FACILITY_WIN32: u32 = 0x8007;
/// `FACILITY_NT_BIT` of `winerror.h`: the rest of such an `HRESULT` is an `NTSTATUS`.
const NT_BIT: u32 = 0x1000_0000;

static NTSTATUS: Table = Table::new(include_str!("ntstatus.txt"));
static WIN32: Table = Table::new(include_str!("win32.txt"));
static HRESULT: Table = Table::new(include_str!("hresult.txt"));
static NDIS_STATUS: Table = Table::new(include_str!("ndis_status.txt"));
static NDIS_OID: Table = Table::new(include_str!("ndis_oid.txt"));
static WAIT_REASON: Table = Table::new(include_str!("wait_reason.txt"));
static THREAD_STATE: Table = Table::new(include_str!("thread_state.txt"));
static IRP_MAJOR: Table = Table::new(include_str!("irp_major.txt"));

impl Codes {
    /// Returns the name of a code; see the module for which one if there are several.
    ///
    /// An `HRESULT` of the form `0x8007xxxx` has the name of its Win32 code, as tracefmt prints it:
    /// `ERROR_ACCESS_DENIED` rather than `E_ACCESSDENIED`. One with `FACILITY_NT_BIT` has the name of its `NTSTATUS`.
    pub fn name(self, code: u32) -> Option<&'static str> {
        let own = || self.table().name(code);
        match self {
            Self::HResult if code >> 16 == FACILITY_WIN32 => WIN32.name(code & 0xFFFF).or_else(own),
            Self::HResult => own()
                .or_else(|| WIN32.name(code).filter(|_| code > 0xFFFF))
                .or_else(|| (code & NT_BIT != 0).then(|| NTSTATUS.name(code & !NT_BIT))?),
            Self::NdisStatus => own().or_else(|| NTSTATUS.name(code)),
            _ => own(),
        }
    }

    /// Returns the code of a name or of an alias that is never printed, such as `STATUS_WAIT_0`, in the family's own
    /// table.
    pub fn code(self, name: &str) -> Option<u32> {
        self.table().code(name)
    }

    /// Returns each code of the family's own table with the name that is printed, by code.
    pub(crate) fn entries(self) -> impl Iterator<Item = (u32, &'static str)> {
        self.table().lines().iter().filter_map(move |(code, _)| Some((*code, self.table().name(*code)?)))
    }

    fn table(self) -> &'static Table {
        match self {
            Self::NtStatus => &NTSTATUS,
            Self::Win32 => &WIN32,
            Self::HResult => &HRESULT,
            Self::NdisStatus => &NDIS_STATUS,
            Self::NdisOid => &NDIS_OID,
            Self::WaitReason => &WAIT_REASON,
            Self::ThreadState => &THREAD_STATE,
            Self::IrpMajor => &IRP_MAJOR,
        }
    }
}
