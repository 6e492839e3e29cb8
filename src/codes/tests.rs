//! Counts of the tables, and codes whose names are known.

use super::*;

#[test]
fn tables_have_their_codes_sorted_and_every_line_is_read() {
    let counts = [
        (&NTSTATUS, 3184),
        (&WIN32, 4288),
        (&HRESULT, 8840),
        (&NDIS_STATUS, 219),
        (&NDIS_OID, 947),
        (&WAIT_REASON, 43),
        (&THREAD_STATE, 10),
        (&IRP_MAJOR, 28),
    ];
    for (table, count) in counts {
        assert_eq!((table.lines().len(), table.len_of_text()), (count, count));
        assert!(table.lines().is_sorted_by(|a, b| a.0 < b.0));
    }
}

/// Asserts the names of codes; none if the name is empty.
#[track_caller]
fn assert_names(codes: Codes, names: &[(u32, &str)]) {
    for (code, name) in names {
        assert_eq!(codes.name(*code).unwrap_or_default(), *name, "{codes:?} {code:#x}");
    }
}

#[test]
fn ntstatus() {
    assert_names(
        Codes::NtStatus,
        &[
            (0, "STATUS_SUCCESS"),
            (0x80, "STATUS_ABANDONED"),
            (0x103, "STATUS_PENDING"),
            (0x4000_0003, "STATUS_IMAGE_NOT_AT_BASE"),
            (0x8000_0003, "STATUS_BREAKPOINT"),
            (0x8000_0005, "STATUS_BUFFER_OVERFLOW"),
            (0xC000_0022, "STATUS_ACCESS_DENIED"),
            (0xC000_0034, "STATUS_OBJECT_NAME_NOT_FOUND"),
            (0xC000_0043, "STATUS_SHARING_VIOLATION"),
            (0xC000_0409, "STATUS_STACK_BUFFER_OVERRUN"),
            (0xC000_04E0, "STATUS_INVALID_CONFIG_VALUE"),
            (0xC023_0002, "STATUS_NDIS_CLOSING"),
            (0xC024_0130, "STATUS_QUIC_TLS_UNKNOWN_CA"),
            (0x1234_5678, ""),
        ],
    );
}

#[test]
fn win32() {
    assert_names(
        Codes::Win32,
        &[
            (0, "ERROR_SUCCESS"),
            (5, "ERROR_ACCESS_DENIED"),
            (13, "ERROR_INVALID_DATA"),
            (123, "ERROR_INVALID_NAME"),
            // raserror.h has the number too, winerror.h is first.
            (691, "ERROR_DBG_TERMINATE_THREAD"),
            (1450, "ERROR_NO_SYSTEM_RESOURCES"),
            (1603, "ERROR_INSTALL_FAILURE"),
            (1722, "RPC_S_SERVER_UNAVAILABLE"),
            (2221, "NERR_UserNotFound"),
            (9701, "DNS_ERROR_RECORD_DOES_NOT_EXIST"),
            (10035, "WSAEWOULDBLOCK"),
            (10054, "WSAECONNRESET"),
            (12002, "ERROR_INTERNET_TIMEOUT"),
            (0xC035_0005, "ERROR_HV_INVALID_PARAMETER"),
            (0xF0F0_F0F0, ""),
        ],
    );
}

#[test]
fn hresult() {
    assert_names(
        Codes::HResult,
        &[
            (0, "S_OK"),
            (1, "S_FALSE"),
            (0x8000_4003, "E_POINTER"),
            (0x8000_4005, "E_FAIL"),
            (0x8004_0E14, "DB_E_ERRORSINCOMMAND"),
            (0x8004_1010, "WBEM_E_INVALID_CLASS"),
            (0x8004_D00E, "XACT_E_NOTRANSACTION"),
            (0x8009_0326, "SEC_E_ILLEGAL_MESSAGE"),
            (0x8019_0194, "HTTP_E_STATUS_NOT_FOUND"),
            (0x8020_0010, "BG_E_NETWORK_DISCONNECTED"),
            (0x8031_00E0, "FVE_E_DEVICE_NOT_JOINED"),
            (0x887A_0005, "DXGI_ERROR_DEVICE_REMOVED"),
            (0xC00D_36B1, "MF_E_BUFFERTOOSMALL"),
            (0x8123_4567, ""),
        ],
    );
}

#[test]
fn hresult_made_of_other_codes() {
    assert_names(
        Codes::HResult,
        &[
            (0x8007_0005, "ERROR_ACCESS_DENIED"),
            (0x8007_06BA, "RPC_S_SERVER_UNAVAILABLE"),
            (0x8007_2EE2, "ERROR_INTERNET_TIMEOUT"),
            (0x8007_FFFE, ""),
            // Win32 codes that are whole HRESULTs.
            (0x8034_0018, "ERROR_NDIS_ADAPTER_REMOVED"),
            (0xC035_0005, "ERROR_HV_INVALID_PARAMETER"),
            // A small number is not a Win32 code.
            (5, ""),
            (0xD000_0022, "STATUS_ACCESS_DENIED"),
        ],
    );
}

#[test]
fn hresult_that_components_disagree_about_has_no_name() {
    assert_names(
        Codes::HResult,
        &[(0x8004_0216, ""), (0x8004_0202, ""), (2, ""), (0x8004_0154, "REGDB_E_CLASSNOTREG")],
    );
    // WMI's are what events report; UI Automation shares numbers with .NET, whose names no source has.
    assert_names(Codes::HResult, &[(0x8004_1001, "WBEM_E_FAILED"), (0x8004_1000, ""), (0x8013_1509, "")]);
    assert_eq!(Codes::HResult.code("UIA_E_INVALIDOPERATION"), Some(0x8013_1509));
    assert_eq!(Codes::HResult.code("VFW_E_NOT_FOUND"), Some(0x8004_0216));
    assert_eq!(Codes::HResult.code("-"), None);
}

#[test]
fn ndis_status() {
    assert_names(
        Codes::NdisStatus,
        &[
            (0, "NDIS_STATUS_SUCCESS"),
            (0x103, "NDIS_STATUS_PENDING"),
            (0x0001_0001, "NDIS_STATUS_NOT_RECOGNIZED"),
            (0x4001_000B, "NDIS_STATUS_MEDIA_CONNECT"),
            (0x4001_0012, "NDIS_STATUS_MEDIA_SPECIFIC_INDICATION"),
            (0x4001_0017, "NDIS_STATUS_LINK_STATE"),
            (0x4003_0000, "NDIS_STATUS_DOT11_SCAN_CONFIRM"),
            (0xC000_009A, "NDIS_STATUS_RESOURCES"),
            (0xC001_000F, "NDIS_STATUS_INVALID_PACKET"),
            (0xC001_0015, "NDIS_STATUS_INVALID_DATA"),
            (0xC001_2000, "NDIS_STATUS_TAPI_ADDRESSBLOCKED"),
            (0xC023_2004, "NDIS_STATUS_PM_PROTOCOL_OFFLOAD_LIST_FULL"),
            // Others are NTSTATUS.
            (0xC000_0022, "STATUS_ACCESS_DENIED"),
            // Flags of an indication, which are not statuses.
            (0x1000, ""),
        ],
    );
}

#[test]
fn ndis_oid() {
    assert_names(
        Codes::NdisOid,
        &[
            (0x0001_0101, "OID_GEN_SUPPORTED_LIST"),
            (0x0001_0102, "OID_GEN_HARDWARE_STATUS"),
            (0x0001_0107, "OID_GEN_LINK_SPEED"),
            (0x0001_010E, "OID_GEN_CURRENT_PACKET_FILTER"),
            (0x0001_0114, "OID_GEN_MEDIA_CONNECT_STATUS"),
            (0x0001_0202, "OID_GEN_PHYSICAL_MEDIUM"),
            (0x0002_0101, "OID_GEN_XMIT_OK"),
            (0x0101_0101, "OID_802_3_PERMANENT_ADDRESS"),
            (0x0101_0102, "OID_802_3_CURRENT_ADDRESS"),
            (0x0E01_0101, "OID_WWAN_DEVICE_CAPS"),
            (0xFD01_0101, "OID_PNP_SET_POWER"),
            (0xFD01_0106, "OID_PNP_ENABLE_WAKE_UP"),
            (0x0000_0001, ""),
        ],
    );
}

#[test]
fn threads_and_requests() {
    assert_names(
        Codes::WaitReason,
        &[
            (0, "Executive"),
            (5, "Suspended"),
            (6, "UserRequest"),
            (15, "WrQueue"),
            (23, "WrProcessInSwap"),
            (24, "WrCpuRateControl"),
            (31, "WrDispatchInt"),
            (37, "WrAlertByThreadId"),
            (42, "WrRcu"),
            (43, ""),
        ],
    );
    assert_names(
        Codes::ThreadState,
        &[
            (0, "Initialized"),
            (2, "Running"),
            (5, "Waiting"),
            (7, "DeferredReady"),
            (9, "WaitingForProcessInSwap"),
            (10, ""),
        ],
    );
    assert_names(
        Codes::IrpMajor,
        &[
            (0, "IRP_MJ_CREATE"),
            (3, "IRP_MJ_READ"),
            (14, "IRP_MJ_DEVICE_CONTROL"),
            (15, "IRP_MJ_INTERNAL_DEVICE_CONTROL"),
            (18, "IRP_MJ_CLEANUP"),
            (22, "IRP_MJ_POWER"),
            (27, "IRP_MJ_PNP"),
            (28, ""),
        ],
    );
}

#[test]
fn aliases_have_codes() {
    assert_eq!(Codes::NtStatus.code("STATUS_WAIT_0"), Some(0));
    assert_eq!(Codes::Win32.code("NO_ERROR"), Some(0));
    assert_eq!(Codes::Win32.code("ERROR_WINHTTP_TIMEOUT"), Some(12002));
    assert_eq!(Codes::HResult.code("E_ACCESSDENIED"), Some(0x8007_0005));
    assert_eq!(Codes::IrpMajor.code("IRP_MJ_SCSI"), Some(15));
    assert_eq!(Codes::NtStatus.code("STATUS_NO_SUCH_NAME"), None);
}
