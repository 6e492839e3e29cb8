//! The report in one line.

use etwkit::render::terminal;

use crate::text::{counted, share};
use crate::time_text::duration;

use super::machine::product;
use super::report::Report;
use super::uses::uses;

/// `trace.etl: 11 events, 1 min 0.000 s, Windows 10 22H2, decoded 100 %, nothing lost`.
pub(super) fn line(report: &Report) -> String {
    let events = report.counts().events;
    let mut parts = vec![counted(events, "event")];
    parts.extend(report.duration().map(duration));
    parts.extend(report.log().map(|log| match product(log.os_build) {
        Some(product) => product.to_owned(),
        None => format!("build {}", log.os_build),
    }));
    parts.extend(report.machine().computer.clone());
    let (decoded, _) = report.trace.decoded();
    parts.push(format!("decoded {}", share(decoded, events)));
    parts.push(match (report.lost(), report.losses_unknown()) {
        ((0, 0), None) => "nothing lost".to_owned(),
        ((0, 0), Some(_)) => "losses not known".to_owned(),
        ((events, buffers), _) => format!("lost {}, {}", counted(events, "event"), counted(buffers, "buffer")),
    });
    if let (ranges @ 1.., bytes) = report.damage() {
        parts.push(format!("damaged: {}, {}", counted(ranges, "range"), counted(bytes, "byte")));
    }
    parts.extend(uses(report).into_iter().map(|(what, _)| what));
    format!("{}: {}\n", terminal::escaped(&report.name()), terminal::escaped(&parts.join(", ")))
}
