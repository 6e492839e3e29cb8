//! Conversion to and from the standard library's time.

use std::time::{Duration, SystemTime};

use super::{FileTime, OutOfRange, duration_of_units};

impl FileTime {
    /// Returns the same time as `std` has it; `None` where the platform's type cannot hold it.
    pub fn to_system_time(self) -> Option<SystemTime> {
        let units = self.0.checked_sub(Self::UNIX_EPOCH.0)?;
        let distance = duration_of_units(units.unsigned_abs());
        if units < 0 {
            SystemTime::UNIX_EPOCH.checked_sub(distance)
        } else {
            SystemTime::UNIX_EPOCH.checked_add(distance)
        }
    }
}

impl TryFrom<FileTime> for SystemTime {
    type Error = OutOfRange;

    fn try_from(time: FileTime) -> Result<Self, OutOfRange> {
        time.to_system_time().ok_or(OutOfRange)
    }
}

impl TryFrom<SystemTime> for FileTime {
    type Error = OutOfRange;

    fn try_from(time: SystemTime) -> Result<Self, OutOfRange> {
        let nanos = |distance: Duration| i128::try_from(distance.as_nanos()).map_err(|_| OutOfRange);
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => Self::from_unix_nanos(nanos(after)?),
            Err(before) => Self::from_unix_nanos(-nanos(before.duration())?),
        }
    }
}
