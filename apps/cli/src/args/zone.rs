//! The zone in which times are printed, as it is typed.

use std::str::FromStr;

use etwkit::FileTime;
use etwkit::render::Zone;
use etwkit::trace::Trace;
use jiff::Timestamp;
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;

use super::machine_zone;

/// From when on changes of a zone count: the first time that a FILETIME can express.
const FIRST: &str = "1601-01-01T00:00:00Z";
/// Changes after this year are not looked up; the last offset holds.
const LAST: &str = "2200-01-01T00:00:00Z";
/// More changes than any zone has in that time.
const MOST: usize = 4096;

/// Seconds.
const DAY: i32 = 86_400;

/// How times are printed.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ZoneArgs {
    /// Time zone for the times of events: `local`, `trace` (the zone of the machine that recorded it; of several traces,
    /// the first), `Europe/Paris`, `+02:00` [default: UTC]
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
    pub(crate) time_zone: Option<ZoneArg>,
    /// Times since the start of the trace: +1.5000000s, as --since takes them
    #[arg(long, conflicts_with = "time_zone")]
    pub(crate) relative: bool,
}

impl ZoneArgs {
    /// Whether times are to be printed in another way than by default.
    pub(crate) const fn is_given(&self) -> bool {
        self.relative || self.time_zone.is_some()
    }

    /// Whether another zone than that of the recording machine is asked for.
    pub(crate) const fn is_other_zone(&self) -> bool {
        matches!(self.time_zone, Some(ZoneArg::Fixed(_)))
    }

    /// The zone that is meant for a trace.
    pub(crate) fn zone(&self, trace: &Trace) -> Zone {
        match &self.time_zone {
            None if self.relative => trace.start().map(Zone::since).unwrap_or_default(),
            None => Zone::default(),
            Some(ZoneArg::Fixed(zone)) => zone.clone(),
            Some(ZoneArg::OfTrace) => {
                trace.files().first().map(|file| machine_zone::zone(&file.head.log.time_zone)).unwrap_or_default()
            }
        }
    }
}

/// A zone.
#[derive(Clone, Debug)]
pub(crate) enum ZoneArg {
    /// One that is known.
    Fixed(Zone),
    /// That of the machine that recorded the trace.
    OfTrace,
}

impl FromStr for ZoneArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        static PARSER: DateTimeParser = DateTimeParser::new();
        match text.to_ascii_lowercase().as_str() {
            "utc" | "z" => return Ok(Self::Fixed(Zone::default())),
            "local" => return Ok(Self::Fixed(zone(&TimeZone::system()))),
            "trace" => return Ok(Self::OfTrace),
            _ => {}
        }
        let found = PARSER.parse_time_zone(text).ok();
        // Beyond that no time can be printed, as the offset of a time has less than 24 hours.
        let is_short = |zone: &TimeZone| zone.to_fixed_offset().is_ok_and(|offset| offset.seconds().abs() < DAY);
        let found = found.filter(|zone| zone.to_fixed_offset().is_err() || is_short(zone));
        let wrong = "use local, trace, UTC, an offset such as +02:00 (up to 23:59), or a name such as Europe/Paris";
        found.map(|found| Self::Fixed(zone(&found))).ok_or_else(|| wrong.to_owned())
    }
}

/// All changes of a zone as data.
fn zone(zone: &TimeZone) -> Zone {
    let time = |text: &str| text.parse::<Timestamp>().unwrap_or(Timestamp::UNIX_EPOCH);
    let (first, last) = (time(FIRST), time(LAST));
    let unix = |time: Timestamp| FileTime::from_unix_seconds(time.as_second());
    let start = (unix(first), zone.to_offset(first).seconds());
    let changes = zone.following(first).take_while(|change| change.timestamp() < last).take(MOST);
    let changes: Vec<_> = changes.map(|change| (unix(change.timestamp()), change.offset().seconds())).collect();
    Zone::new(std::iter::once(start).chain(changes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_names_and_offsets() {
        let minutes = |text: &str, second| match text.parse::<ZoneArg>().unwrap() {
            ZoneArg::Fixed(zone) => zone.minutes(FileTime::from_unix_seconds(second)),
            ZoneArg::OfTrace => None,
        };
        assert_eq!(minutes("UTC", 0), None);
        assert_eq!(minutes("+02:00", 0), Some(120));
        assert_eq!(minutes("Asia/Kolkata", 1_600_000_000), Some(330));
        // 2020-01-29 and 2020-07-29.
        assert_eq!(minutes("America/New_York", 1_580_294_663), Some(-300));
        assert_eq!(minutes("America/New_York", 1_596_000_000), Some(-240));
        assert_eq!(minutes("-23:59", 0), Some(-1439));
        for wrong in ["Middle/Earth", "+24:00", "+25:00", "-24:00", "+23:60", "", "--fields"] {
            assert!(wrong.parse::<ZoneArg>().is_err(), "{wrong}");
        }
    }
}
