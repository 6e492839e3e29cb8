//! Phases of a boot by the starts of processes: what there is if only the kernel's session recorded it.

use std::collections::BTreeMap;

use etwkit::FileTime;

use super::fact::Landmark;

/// When processes started first, and whether the filter chooses that event.
#[derive(Clone, Copy, Debug, Default)]
struct First {
    smss: Option<(FileTime, bool)>,
    winlogon: Option<(FileTime, bool)>,
    explorer: Option<(FileTime, bool)>,
}

/// The first starts of processes, by machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts(BTreeMap<u16, First>);

/// A phase between the starts of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Phase {
    pub(super) machine: u16,
    pub(super) name: &'static str,
    pub(super) start: Option<FileTime>,
    pub(super) end: Option<FileTime>,
    pub(super) source: &'static str,
}

impl Starts {
    pub(super) fn take(&mut self, machine: u16, landmark: Landmark, time: FileTime, is_chosen: bool) {
        let first = self.0.entry(machine).or_default();
        let place = match landmark {
            Landmark::Smss => &mut first.smss,
            Landmark::Winlogon => &mut first.winlogon,
            Landmark::Explorer => &mut first.explorer,
            Landmark::Wininit => return,
        };
        *place = place.or(Some((time, is_chosen)));
    }

    /// Returns the phases that the filter chooses, given when machines booted.
    pub(super) fn phases(&self, boot: impl Fn(u16) -> Option<FileTime>) -> Vec<Phase> {
        self.0.iter().flat_map(|(machine, first)| first.phases(*machine, boot(*machine))).collect()
    }
}

impl First {
    fn phases(&self, machine: u16, boot: Option<FileTime>) -> impl Iterator<Item = Phase> + use<> {
        let Self { smss, winlogon, explorer } = *self;
        // The header is not an event: the first one is that of the end.
        let boot = boot.zip(smss).map(|(boot, (_, is_chosen))| (boot, is_chosen));
        let phases = [
            ("kernel", boot, smss, "header; start of smss.exe"),
            ("session-init", smss, winlogon, "start of smss.exe; of winlogon.exe"),
            ("winlogon-init", winlogon, explorer, "start of winlogon.exe; of explorer.exe"),
            ("explorer", explorer, None, "start of explorer.exe"),
        ];
        phases.into_iter().filter_map(move |(name, start, end, source)| {
            let (_, is_chosen) = start.or(end)?;
            let (start, end) = (start.map(|(time, _)| time), end.map(|(time, _)| time));
            // What starts earlier than it should is another one.
            let end = end.filter(|end| start.is_none_or(|start| start <= *end));
            is_chosen.then_some(Phase { machine, name, start, end, source })
        })
    }
}
