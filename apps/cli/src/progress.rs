//! A progress bar for long work, on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::printer::Printer;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows how far the work has come once it takes long.
#[derive(Debug)]
pub(crate) struct Progress {
    total: Option<u64>,
    unit: Unit,
    began: Instant,
    enabled: bool,
    bar: Option<ProgressBar>,
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    /// Bytes read.
    Bytes,
    /// Events written.
    Events,
}

impl Progress {
    /// `total` is `None` if nobody knows it.
    pub(crate) fn new(total: Option<u64>, unit: Unit, printer: Printer) -> Self {
        Self { total, unit, began: Instant::now(), enabled: printer.shows_progress(), bar: None }
    }

    /// So much is done.
    pub(crate) fn at(&mut self, done: u64) {
        if !self.enabled || self.bar.is_none() && self.began.elapsed() < PATIENCE {
            return;
        }
        let (total, unit) = (self.total, self.unit);
        self.bar.get_or_insert_with(|| draw(total, unit)).set_position(done);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.enabled = false;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

fn draw(total: Option<u64>, unit: Unit) -> ProgressBar {
    let template = match (unit, total) {
        (Unit::Bytes, _) => "reading {wide_bar} {bytes}/{total_bytes} {eta}",
        (Unit::Events, Some(_)) => "writing {wide_bar} {human_pos}/{human_len} events {eta}",
        (Unit::Events, None) => "writing {spinner} {human_pos} events {per_sec}",
    };
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
