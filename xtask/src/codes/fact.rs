//! One constant of a source.

/// A constant: what it is called, what type it has and what number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) name: String,
    /// The name of its type: `NTSTATUS`, `u32`.
    pub(super) kind: String,
    /// Where it is: `Win32/Foundation`.
    pub(super) module: String,
    /// The number as 32 bits.
    pub(super) number: u32,
    pub(super) origin: Origin,
}

/// The source of a constant, in the order in which their names are preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    WindowsSys,
    /// The metadata of `windows-default`, which are of a newer SDK and have no modules and fewer types.
    WindowsDefault,
    Ntapi,
    Mingw,
}

impl Fact {
    /// Whether it is in `winerror.h`, `ntstatus.h` or `winsock2.h`, which the crate has in one module.
    pub(super) fn is_foundation(&self) -> bool {
        self.module == "Win32/Foundation" || self.kind == "WSA_ERROR"
    }

    /// Whether WMI defines it.
    pub(super) fn is_of_wmi(&self) -> bool {
        self.kind == "WBEMSTATUS"
    }

    /// Whether its type is a plain integer.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.kind.as_str(), "i32" | "u32" | "u16")
    }
}
