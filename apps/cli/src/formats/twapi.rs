//! Lines of TWAPI's `etw_dump_to_file`.

use etwkit::trace::Summary;
use etwkit_windows_formats::{Twapi, TwapiField};

use crate::failure::Failure;
use crate::similarity::{asked_first, nearest};

use super::job::Job;

pub(super) fn run(job: &Job<'_>) -> Result<Summary, Failure> {
    job.write(Twapi::default().fields(fields(job.options.fields)?))
}

/// Refuses names that TWAPI does not have.
pub(super) fn check_fields(typed: &[String]) -> Result<(), Failure> {
    fields(typed).map(drop)
}

/// The fields that were asked for, by TWAPI's names; blanks may separate them as in a Tcl list.
fn fields(typed: &[String]) -> Result<Vec<TwapiField>, Failure> {
    if typed.is_empty() {
        return Ok(TwapiField::usual().into());
    }
    let typed: Vec<&str> = typed.iter().flat_map(|names| names.split_whitespace()).collect();
    let known = || TwapiField::all().map(TwapiField::name).collect::<Vec<_>>().join(" ");
    let field = |name: &str| {
        let unknown = || {
            let meant = asked_first(nearest(name, TwapiField::all().map(TwapiField::name)));
            Failure::new(format!("TWAPI has no field `{name}`")).hint(format!("{meant}it has {}", known()))
        };
        TwapiField::from_name(name).ok_or_else(unknown)
    };
    if typed.is_empty() {
        return Err(Failure::new("--fields: a name is empty").hint(format!("TWAPI has {}", known())));
    }
    typed.into_iter().map(field).collect()
}
