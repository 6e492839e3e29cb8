//! Options that choose samples by their frames, and that group and fold frames.

use clap::ValueEnum;
use etwkit::trace::Glob;
use etwkit_profile::{Grouping, Profile, Selection, fold, group, select};

/// Which frames a profile has.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Frames")]
pub(super) struct FrameArgs {
    /// Only samples of threads with this id or name, with * and ?
    #[arg(long, value_name = "NAME|TID")]
    thread: Vec<String>,
    /// Only samples with a frame of this name, with * and ?; repeat it for alternatives: '*!*Parse*'
    #[arg(long, value_name = "FRAME")]
    include: Vec<String>,
    /// Exclude samples with a frame of this name, with * and ?
    #[arg(long, value_name = "FRAME")]
    exclude: Vec<String>,
    /// Group frames that call each other
    #[arg(long, value_name = "HOW")]
    group: Option<GroupArg>,
    /// Fold frames with less than this part of the weight, in per cent, into their callers
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fold: Option<f64>,
}

/// How frames are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GroupArg {
    /// Frames of one module are one frame
    Module,
    /// Frames of Windows and of the .NET runtime are one frame, with the name of the first
    #[value(name = "justmyapp")]
    JustMyApp,
}

impl FrameArgs {
    /// Whether samples are chosen by their frames or threads.
    pub(super) fn choose_samples(&self) -> bool {
        [&self.include, &self.exclude, &self.thread].into_iter().any(|names| !names.is_empty())
    }

    /// Returns the profile that was asked for.
    pub(super) fn apply(&self, profile: Profile) -> Profile {
        let globs = |list: &[String]| list.iter().map(|text| Glob::new(text)).collect();
        let selection =
            Selection { include: globs(&self.include), exclude: globs(&self.exclude), threads: globs(&self.thread) };
        let chosen = if selection.is_all() { profile } else { select(&profile, &selection) };
        let grouped = match self.group {
            Some(GroupArg::Module) => group(&chosen, Grouping::Module),
            Some(GroupArg::JustMyApp) => group(&chosen, Grouping::JustMyApp),
            None => chosen,
        };
        match self.fold {
            Some(percent) => fold(&grouped, percent),
            None => grouped,
        }
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    number.filter(|number| (0.0..=100.0).contains(number)).ok_or_else(|| "use a number from 0 to 100".to_owned())
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn parts_are_per_cent() {
        assert_eq!((percent("2.5"), percent("1%")), (Ok(2.5), Ok(1.0)));
        assert!(percent("-1").is_err() && percent("101").is_err() && percent("NaN").is_err());
    }
}
