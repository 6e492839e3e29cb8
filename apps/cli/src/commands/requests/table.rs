//! Rows of requests, aligned or as CSV.

use std::io::{self, Write};

use etwkit::FileTime;
use etwkit::render::time::TimeCache;
use etwkit::render::{Zone, terminal};
use etwkit_http_requests::{Request, Stage};

use crate::args::TableFormat;

const COLUMNS: [&str; 9] = ["start", "activity", "client", "verb", "url", "status", "total_ms", "error", "stages_ms"];
/// Columns that are numbers: they end at one line.
const NUMBERS: [usize; 2] = [5, 6];
/// Widest aligned column; what is wider pushes the rest of its line.
const WIDEST: usize = 60;

/// Prints a row for each request; times are in the zone.
pub(super) fn print(requests: &[Request], format: TableFormat, zone: &Zone, mut out: impl Write) -> io::Result<()> {
    let mut time = TimeCache::new(zone.clone());
    match format {
        TableFormat::Csv => {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record(COLUMNS)?;
            for request in requests {
                csv.write_record(row(request, &mut time))?;
            }
            csv.flush()
        }
        TableFormat::Text => {
            let mut widths = COLUMNS.map(str::len);
            for request in requests {
                for (width, cell) in widths.iter_mut().zip(row(request, &mut time)) {
                    *width = terminal::escaped(&cell).chars().count().clamp(*width, WIDEST.max(*width));
                }
            }
            line(&mut out, &COLUMNS.map(str::to_owned), widths)?;
            requests.iter().try_for_each(|request| line(&mut out, &row(request, &mut time), widths))?;
            out.flush()
        }
    }
}

fn line(out: &mut impl Write, cells: &[String; COLUMNS.len()], widths: [usize; COLUMNS.len()]) -> io::Result<()> {
    let mut text = String::new();
    for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let cell = terminal::escaped(cell).to_string();
        let cell = if cell.is_empty() { "-".to_owned() } else { cell };
        let padded = if NUMBERS.contains(&at) { format!("{cell:>width$}  ") } else { format!("{cell:<width$}  ") };
        text.push_str(&padded);
    }
    writeln!(out, "{}", text.trim_end())
}

fn row(request: &Request, time: &mut TimeCache) -> [String; COLUMNS.len()] {
    let text = |fact: &Option<String>| fact.clone().unwrap_or_default();
    let mut start = Vec::new();
    time.push(&mut start, request.first);
    [
        String::from_utf8_lossy(&start).into_owned(),
        format!("{{{}}}", request.activity),
        text(&request.client),
        text(&request.verb),
        text(&request.url),
        text(&request.status),
        milliseconds(request.first, request.last),
        text(&request.error),
        stages(request),
    ]
}

/// Each stage with the time until the next one: `Parse 1.2; Deliver 30.0; FastSend`.
fn stages(request: &Request) -> String {
    let next = request.stages.iter().skip(1).map(|stage| Some(stage.time)).chain([None]);
    let mut parts: Vec<String> = Vec::new();
    for (Stage { name, time, .. }, next) in request.stages.iter().zip(next) {
        parts.push(next.map_or_else(|| name.to_string(), |next| format!("{name} {}", milliseconds(*time, next))));
    }
    if request.more_stages > 0 {
        parts.push(format!("{} more", request.more_stages));
    }
    parts.join("; ")
}

/// The time between two points of time in milliseconds, to a microsecond. A damaged trace may have any times.
fn milliseconds(from: FileTime, to: FileTime) -> String {
    let micros = (to.unix_nanos() - from.unix_nanos()) / 1000;
    let sign = if micros < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", micros.abs() / 1000, micros.abs() % 1000)
}

#[cfg(test)]
mod tests {
    use etwkit::FileTime;

    #[test]
    fn any_two_times_have_a_difference() {
        let milliseconds = |from, to| super::milliseconds(FileTime(from), FileTime(to));
        assert_eq!(milliseconds(0, 12_345_678), "1234.567");
        assert_eq!(milliseconds(10, 0), "-0.001");
        assert_eq!(milliseconds(i64::MIN, i64::MAX), "1844674407370955.161");
        assert_eq!(milliseconds(i64::MAX, i64::MIN), "-1844674407370955.161");
    }
}
