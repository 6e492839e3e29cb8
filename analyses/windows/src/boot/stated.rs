//! What events state about a whole boot.

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit_analysis::milliseconds;

use super::label::label;

/// `Microsoft-Windows-Diagnostics-Performance`.
pub(super) const DIAGNOSTICS: Guid = Guid::from_u128(0xcfc18ec0_96b1_4eba_961b_622caee05b0a);
/// A report of a boot, and what was slow in it.
pub(super) const DIAGNOSTICS_IDS: &[u16] = &[REPORT, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110];
const REPORT: u16 = 100;
/// The event of `Microsoft-Windows-Kernel-PnP` about the loader.
pub(super) const OS_LOADER: u16 = 204;

/// Fields of a report that are durations, in milliseconds. Version 1 has the first thirteen.
const DURATIONS: [&str; 22] = [
    "BootTime",
    "MainPathBootTime",
    "BootKernelInitTime",
    "BootDriverInitTime",
    "BootDevicesInitTime",
    "BootPrefetchInitTime",
    "BootAutoChkTime",
    "BootSmssInitTime",
    "BootCriticalServicesInitTime",
    "BootUserProfileProcessingTime",
    "BootMachineProfileProcessingTime",
    "BootExplorerInitTime",
    "BootPostBootTime",
    "OSLoaderDuration",
    "BootPNPInitDuration",
    "OtherKernelInitDuration",
    "SystemPNPInitDuration",
    "Session0InitDuration",
    "Session1InitDuration",
    "SessionInitOtherDuration",
    "OtherLogonInitActivityDuration",
    "UserLogonWaitDuration",
];

/// What an event states, with times of its own.
#[derive(Clone, Debug)]
pub(super) enum Stated {
    /// Durations of a boot, by the names of fields; begin and end of the boot.
    Report { span: Option<(FileTime, FileTime)>, durations: Vec<(&'static str, f64)> },
    /// Milliseconds that the loader of the system took; `None` if the length of its ticks is not known.
    Loader(Option<f64>),
    /// Something that slowed a boot down.
    Slow(Slow),
}

/// Something that slowed a boot down.
#[derive(Clone, Debug)]
pub(super) struct Slow {
    id: u16,
    pub(super) name: Box<str>,
    pub(super) start: Option<FileTime>,
    /// Milliseconds.
    total: f64,
}

impl Stated {
    pub(super) fn of(event: &Event<'_>) -> Option<Self> {
        match event.id() {
            REPORT => Some(Self::report(event)),
            OS_LOADER => Some(Self::Loader(loader(event))),
            // Texts of other lengths than the schema's would put the numbers after them elsewhere.
            id if event.remainder().is_empty() => {
                let name = label(event, "Name");
                let total = f64::from(event.get::<u32>("TotalTime").ok()?);
                Some(Self::Slow(Slow { id, name, start: time(event, "StartTime"), total }))
            }
            _ => None,
        }
    }

    fn report(event: &Event<'_>) -> Self {
        let duration = |name: &'static str| Some((name, f64::from(event.get::<u32>(name).ok()?)));
        let span = time(event, "BootStartTime").zip(time(event, "BootEndTime"));
        Self::Report { span, durations: DURATIONS.into_iter().filter_map(duration).collect() }
    }

    /// Returns whether the machine that writes it boots. Reports are written long after, and may be of other boots.
    pub(super) const fn is_of_boot(&self) -> bool {
        matches!(self, Self::Loader(_))
    }

    /// Returns the event that states it.
    pub(super) fn source(&self) -> String {
        match self {
            Self::Report { .. } => format!("Microsoft-Windows-Diagnostics-Performance/{REPORT}"),
            Self::Loader(_) => format!("Microsoft-Windows-Kernel-PnP/{OS_LOADER}"),
            Self::Slow(slow) => slow.source(),
        }
    }
}

impl Slow {
    /// Returns the event that states it.
    pub(super) fn source(&self) -> String {
        format!("Microsoft-Windows-Diagnostics-Performance/{}", self.id)
    }

    /// Returns its end.
    pub(super) fn end(&self) -> Option<FileTime> {
        self.start
            .map(|start| FileTime(start.0.saturating_add((self.total * FileTime::UNITS_PER_MILLISECOND as f64) as i64)))
    }
}

/// Ticks of the loader have a known length since version 3.
fn loader(event: &Event<'_>) -> Option<f64> {
    let field = |name: &str| event.get::<u64>(name).ok();
    let ticks = field("OSLoaderEnd")?.checked_sub(field("OSLoaderStart")?)?;
    let frequency = field("PerformanceDataFrequency").filter(|frequency| *frequency > 0)?;
    #[expect(clippy::cast_precision_loss, reason = "a boot has less than 2^53 ticks")]
    let seconds = ticks as f64 / frequency as f64;
    Some(1000.0 * seconds)
}

fn time(event: &Event<'_>, name: &str) -> Option<FileTime> {
    let time = event.get::<u64>(name).ok().and_then(|time| i64::try_from(time).ok());
    time.filter(|time| *time > 0).map(FileTime)
}

/// Returns the milliseconds of a span that has both ends.
pub(super) fn duration(start: Option<FileTime>, end: Option<FileTime>) -> Option<f64> {
    start.zip(end).map(|(start, end)| milliseconds(start, end))
}
