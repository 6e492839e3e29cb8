//! Pairs of events of a boot, by the manifests of their providers: the names of tasks, ids, and fields that name a
//! thing.

use etwkit::bytes::Guid;

/// A provider with the pairs that are read of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Provider {
    pub(super) guid: Guid,
    pub(super) name: &'static str,
    pub(super) pairs: &'static [Pair],
}

/// Events of the begin and the end of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Pair {
    /// Task of the events.
    pub(super) task: &'static str,
    /// Event of the begin, and of the end. An id is on both sides if the event's field states which it is.
    pub(super) ids: (Option<u16>, u16),
    pub(super) role: Role,
    pub(super) join: Join,
    /// Field that names the thing; empty if none does.
    pub(super) label: &'static str,
}

/// What a pair is of a boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    /// A phase that there is in a boot only.
    Boot,
    /// A phase of a boot that there is at other times, too, such as when a user logs on.
    Phase,
    /// One of many steps.
    Step,
}

/// What joins the end with the begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Join {
    Process,
    Thread,
    Label,
}

const fn phase(role: Role, task: &'static str, start: u16, stop: u16) -> Pair {
    Pair { task, ids: (Some(start), stop), role, join: Join::Process, label: "" }
}

/// A phase that only an event of its end is written of.
const fn end(role: Role, task: &'static str, stop: u16) -> Pair {
    Pair { task, ids: (None, stop), role, join: Join::Process, label: "" }
}

const fn step(task: &'static str, (start, stop): (u16, u16), join: Join, label: &'static str) -> Pair {
    Pair { task, ids: (Some(start), stop), role: Role::Step, join, label }
}

static PNP: [Pair; 11] = [
    phase(Role::Boot, "BootStart", 200, 201),
    phase(Role::Boot, "SystemStart", 202, 203),
    phase(Role::Boot, "SystemStartPnPEnum", 260, 261),
    phase(Role::Boot, "SystemStartLegacyEnum", 262, 263),
    step("EarlyLaunchAntiMalware", (205, 206), Join::Thread, "ElamDriverName"),
    step("BootInit", (210, 211), Join::Thread, "DriverName"),
    step("DriverLoad", (212, 213), Join::Thread, "DriverName"),
    step("DriverInit", (226, 227), Join::Thread, "DriverName"),
    step("DeviceStart", (216, 218), Join::Label, "DriverName"),
    step("DeviceEnum", (220, 222), Join::Label, "DriverName"),
    step("DeviceConfig", (250, 252), Join::Label, "DeviceInstance"),
];

static SMSS: [Pair; 12] = [
    phase(Role::Boot, "smss:InitializeRegistry", 3, 4),
    phase(Role::Boot, "smss:SetupExecuteList", 5, 6),
    phase(Role::Boot, "smss:BootExecuteList", 7, 8),
    phase(Role::Boot, "smss:ProcessFileRenames", 9, 10),
    phase(Role::Boot, "smss:BootExecuteNoPnpSyncList", 19, 20),
    phase(Role::Boot, "smss:SerializeBoot", 21, 22),
    phase(Role::Boot, "smss:InitializeKnownDlls", 25, 26),
    phase(Role::Boot, "smss:PlatformExecuteList", 27, 28),
    phase(Role::Boot, "smss:SetupExecuteNoPnpSyncList", 29, 30),
    phase(Role::Boot, "smss:RunSecureKernelTrustlets", 31, 32),
    step("smss:ExecuteImage", (1, 2), Join::Thread, "ImageName"),
    step("smss:LoadSubsystem", (23, 24), Join::Thread, "ImageName"),
];

static SERVICES: [Pair; 5] = [
    phase(Role::Boot, "Autostart", 101, 102),
    phase(Role::Boot, "PerfCriticalAutostart", 106, 107),
    phase(Role::Boot, "WaitForLsa", 108, 109),
    step("StartingGroup", (103, 104), Join::Label, "GroupName"),
    step("ServiceStatusChange", (105, 105), Join::Label, "ServiceName"),
];

static SVCHOST: [Pair; 1] = [step("ServiceMain", (101, 102), Join::Label, "ServiceName")];

static WINLOGON: [Pair; 15] = [
    phase(Role::Phase, "AuthenticateUser", 1, 2),
    phase(Role::Phase, "UpdatePerUserSystemParameters", 3, 4),
    phase(Role::Phase, "CheckWindowsLicenseStatus", 5, 6),
    phase(Role::Phase, "RestoringNetConnections", 7, 8),
    phase(Role::Phase, "ExecuteShellCommandList", 9, 10),
    phase(Role::Phase, "ThemesOnLogonPre", 11, 12),
    phase(Role::Phase, "ThemesOnLogonPost", 13, 14),
    phase(Role::Phase, "CreatePrimaryTerminal", 101, 102),
    phase(Role::Phase, "StartLogonUI", 103, 104),
    phase(Role::Phase, "WaitForLSM", 107, 108),
    phase(Role::Phase, "DisplayWelcomeScreen", 201, 202),
    phase(Role::Phase, "RequestCredentials", 203, 204),
    phase(Role::Phase, "UserBoot", 5001, 5002),
    end(Role::Boot, "SystemBoot", 5007),
    step("NotifySubscriber", (805, 806), Join::Thread, "SubscriberName"),
];

static SHELL: [Pair; 9] = [
    phase(Role::Phase, "Explorer_InitializingExplorer", 9601, 9602),
    phase(Role::Phase, "Explorer_CreateTray", 9603, 9604),
    phase(Role::Phase, "Explorer_CreateTrayWindow", 9607, 9608),
    phase(Role::Phase, "Explorer_CreateDesktop", 9611, 9612),
    phase(Role::Phase, "Explorer_ProcessRunOnceEx", 9701, 9702),
    phase(Role::Phase, "Explorer_ProcessRunOnce", 9703, 9704),
    end(Role::Phase, "Explorer_Startup_InitializeDesktop", 9699),
    end(Role::Phase, "PerfTrack_Explorer_ExplorerStartToDesktopReady", 27231),
    step("Explorer_Startup_Step", (9648, 9649), Join::Thread, "psz"),
];

/// Sessions of ETW, among them autologgers.
static SESSIONS: [Pair; 1] = [step("ETW_TASK_SESSION", (10, 11), Join::Label, "SessionName")];

/// `Microsoft-Windows-Kernel-PnP`.
pub(super) const PNP_GUID: Guid = Guid::from_u128(0x9c205a39_1250_487d_abd7_e831c6290539);
pub(super) const PNP_IDS: &[u16] =
    &[200, 201, 202, 203, 205, 206, 210, 211, 212, 213, 216, 218, 220, 222, 226, 227, 250, 252, 260, 261, 262, 263];

/// `Microsoft-Windows-Subsys-SMSS`.
pub(super) const SMSS_GUID: Guid = Guid::from_u128(0x43e63da5_41d1_4fbf_aded_1bbed98fdd1d);
pub(super) const SMSS_IDS: &[u16] =
    &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32];

/// `Microsoft-Windows-Services`.
pub(super) const SERVICES_GUID: Guid = Guid::from_u128(0x0063715b_eeda_4007_9429_ad526f62696e);
pub(super) const SERVICES_IDS: &[u16] = &[101, 102, 103, 104, 105, 106, 107, 108, 109];

/// `Microsoft-Windows-Services-Svchost`.
pub(super) const SVCHOST_GUID: Guid = Guid::from_u128(0x06184c97_5201_480e_92af_3a3626c5b140);
pub(super) const SVCHOST_IDS: &[u16] = &[101, 102];

/// `Microsoft-Windows-Winlogon`.
pub(super) const WINLOGON_GUID: Guid = Guid::from_u128(0xdbe9b383_7cf3_4331_91cc_a3cb16a3b538);
pub(super) const WINLOGON_IDS: &[u16] = &[
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 101, 102, 103, 104, 107, 108, 201, 202, 203, 204, 805, 806, 5001,
    5002, 5007,
];

/// `Microsoft-Windows-Shell-Core`.
pub(super) const SHELL_GUID: Guid = Guid::from_u128(0x30336ed4_e327_447c_9de0_51b652c86108);
pub(super) const SHELL_IDS: &[u16] =
    &[9601, 9602, 9603, 9604, 9607, 9608, 9611, 9612, 9648, 9649, 9699, 9701, 9702, 9703, 9704, 27231];

/// `Microsoft-Windows-Kernel-EventTracing`.
pub(super) const SESSIONS_GUID: Guid = Guid::from_u128(0xb675ec37_bdb6_4648_bc92_f3fdc74d3ca2);
pub(super) const SESSIONS_IDS: &[u16] = &[10, 11];

pub(super) static PROVIDERS: [Provider; 7] = [
    Provider { guid: PNP_GUID, name: "Microsoft-Windows-Kernel-PnP", pairs: &PNP },
    Provider { guid: SMSS_GUID, name: "Microsoft-Windows-Subsys-SMSS", pairs: &SMSS },
    Provider { guid: SERVICES_GUID, name: "Microsoft-Windows-Services", pairs: &SERVICES },
    Provider { guid: SVCHOST_GUID, name: "Microsoft-Windows-Services-Svchost", pairs: &SVCHOST },
    Provider { guid: WINLOGON_GUID, name: "Microsoft-Windows-Winlogon", pairs: &WINLOGON },
    Provider { guid: SHELL_GUID, name: "Microsoft-Windows-Shell-Core", pairs: &SHELL },
    Provider { guid: SESSIONS_GUID, name: "Microsoft-Windows-Kernel-EventTracing", pairs: &SESSIONS },
];

/// A pair, with its provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    provider: &'static Provider,
    pair: &'static Pair,
}

impl Place {
    /// Returns the pair of an event, and whether its id is that of the begin.
    pub(super) fn of(provider: Guid, id: u16) -> Option<(Self, bool)> {
        let provider = PROVIDERS.iter().find(|one| one.guid == provider)?;
        let pair = provider.pairs.iter().find(|pair| pair.ids.0 == Some(id) || pair.ids.1 == id)?;
        Some((Self { provider, pair }, pair.ids.0 == Some(id)))
    }

    pub(super) const fn pair(self) -> &'static Pair {
        self.pair
    }

    /// Returns the events that decide about begin and end: provider and ids.
    pub(super) fn source(self) -> String {
        let name = self.provider.name;
        match self.pair.ids {
            (Some(start), stop) if start != stop => format!("{name}/{start}, {stop}"),
            (_, stop) => format!("{name}/{stop}"),
        }
    }
}
