//! Time zones as Windows writes them.

use crate::payload::Payload;
use crate::time::SystemTime;

/// `TIME_ZONE_INFORMATION` (`timezoneapi.h`), 172 bytes of the log-file header (section 4.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeZone {
    /// Minutes: UTC = local time + bias.
    pub bias: i32,
    /// Name outside daylight time, at most 31 UTF-16 units; often a resource reference.
    pub standard_name: String,
    /// When standard time begins.
    pub standard_date: SystemTime,
    /// Minutes added to `bias` in standard time.
    pub standard_bias: i32,
    /// Name during daylight time.
    pub daylight_name: String,
    /// When daylight time begins.
    pub daylight_date: SystemTime,
    /// Minutes added to `bias` in daylight time.
    pub daylight_bias: i32,
}

impl TimeZone {
    /// Central European time as Windows describes it.
    pub fn central_europe() -> Self {
        Self {
            bias: -60,
            standard_name: "@tzres.dll,-322".into(),
            standard_date: SystemTime::date(0, 10, 0, 5).at(3, 0, 0, 0),
            standard_bias: 0,
            daylight_name: "@tzres.dll,-321".into(),
            daylight_date: SystemTime::date(0, 3, 0, 5).at(2, 0, 0, 0),
            daylight_bias: -60,
        }
    }

    /// UTC without daylight time.
    pub fn utc() -> Self {
        let none = SystemTime::default();
        Self {
            bias: 0,
            standard_name: "UTC".into(),
            standard_date: none,
            standard_bias: 0,
            daylight_name: "UTC".into(),
            daylight_date: none,
            daylight_bias: 0,
        }
    }

    pub(crate) fn write(&self, to: Payload) -> Payload {
        to.i32(self.bias)
            .utf16_fixed(&self.standard_name, 32)
            .systemtime(self.standard_date)
            .i32(self.standard_bias)
            .utf16_fixed(&self.daylight_name, 32)
            .systemtime(self.daylight_date)
            .i32(self.daylight_bias)
    }
}
