//! How the times of files change in a copy of several.

use etwkit::trace::Trace;
use etwkit_relog::time_shifts;

use crate::printer::Printer;
use crate::text::counted;

/// Units of 100 ns of a change that is worth a note: what is below is due to rounding.
const LEAST: u64 = 10_000;

/// Says which file's times change most, if that is not due to rounding.
pub(super) fn say(trace: &Trace, printer: Printer) {
    let mut shifts: Vec<(&str, i64)> =
        trace.files().iter().map(|file| file.source.name()).zip(time_shifts(trace)).collect();
    shifts.retain(|(_, shift)| shift.unsigned_abs() >= LEAST);
    let Some((name, shift)) = shifts.iter().max_by_key(|(_, shift)| shift.unsigned_abs()) else { return };
    let change = change(*shift);
    let more = match shifts.len() as u64 - 1 {
        0 => String::new(),
        more => format!(", and those of {} change, too", counted(more, "file")),
    };
    printer.note(format_args!(
        "{name}: its times are {change} in the copy, which has the clock of the file that starts first{more}"
    ));
}

fn change(shift: i64) -> String {
    let seconds = shift.unsigned_abs() as f64 / 1e7;
    format!("{seconds:.3} s {}", if shift < 0 { "earlier" } else { "later" })
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn a_change_has_a_direction() {
        assert_eq!((change(-40_000_000), change(10_000)), ("4.000 s earlier".to_owned(), "0.001 s later".to_owned()));
    }
}
