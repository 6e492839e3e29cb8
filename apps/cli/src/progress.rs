//! A progress bar for long work, on a terminal.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::printer::Printer;
use crate::text::{counted, grouped};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows how far the work has come once it takes long, and prints at the end how long it took if that is wanted.
///
/// Progress is always counted in bytes that were read: how many there are is known from the start, how many events will
/// pass the filters is not.
#[derive(Debug)]
pub(crate) struct Progress {
    began: Instant,
    printer: Printer,
    enabled: bool,
    bar: Option<ProgressBar>,
    done: u64,
    /// The events that were decoded, in the second pass.
    events: Option<Arc<Counts>>,
}

/// What went through a sink.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Events.
    pub(crate) events: AtomicU64,
    /// Their bytes.
    pub(crate) bytes: AtomicU64,
}

impl Progress {
    /// Of the first pass, which reads everything.
    pub(crate) fn reading(printer: Printer) -> Self {
        Self::new(None, printer)
    }

    /// Of the second pass, which decodes what passes the filters.
    pub(crate) fn decoding(events: Arc<Counts>, printer: Printer) -> Self {
        Self::new(Some(events), printer)
    }

    fn new(events: Option<Arc<Counts>>, printer: Printer) -> Self {
        let (enabled, began) = (printer.shows_progress(), Instant::now());
        Self { began, printer, enabled, bar: None, done: 0, events }
    }

    /// So many bytes of all are read.
    pub(crate) fn at(&mut self, done: u64, total: u64) {
        self.done = done;
        if !self.enabled || self.bar.is_none() && self.began.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| draw(total, self.events.as_ref()).with_elapsed(self.began.elapsed()));
        bar.set_position(done);
    }

    /// Removes the bar, and prints how long it took.
    pub(crate) fn finish(&mut self) {
        self.clear();
        let took = self.began.elapsed();
        let done = match &self.events {
            None => format!("read {} in {}", counted(self.done, "byte"), speed(self.done, took)),
            Some(counts) => {
                let done = counts.events.load(Ordering::Relaxed);
                let (events, each) = (counted(done, "event"), grouped(rate(done, took)));
                format!("decoded {events} ({each}/s) in {}", speed(counts.bytes.load(Ordering::Relaxed), took))
            }
        };
        self.printer.detail(done);
    }

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.enabled = false;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// `0.250 s, 12.3 MB/s`.
fn speed(bytes: u64, took: Duration) -> String {
    format!("{:.3} s, {:.1} MB/s", took.as_secs_f64(), rate(bytes, took) as f64 / 1e6)
}

/// How many per second.
fn rate(count: u64, took: Duration) -> u64 {
    (count as f64 / took.as_secs_f64().max(1e-6)) as u64
}

/// How long the rest will take if it goes on as so far.
fn left(done: u64, total: u64, took: Duration) -> Duration {
    Duration::from_secs_f64(took.as_secs_f64() * total.saturating_sub(done) as f64 / done.max(1) as f64)
}

/// The keys are averages since the work began: an estimate of the moment would count what was done before the bar came
/// as done at once.
fn draw(total: u64, events: Option<&Arc<Counts>>) -> ProgressBar {
    let template = match events {
        None => "reading {wide_bar} {bytes}/{total_bytes}, {data_rate} MB/s, {left} left",
        Some(_) => "decoding {wide_bar} {bytes}/{total_bytes}, {events}, {data_rate} MB/s, {left} left",
    };
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let counts = events.map(Arc::clone).unwrap_or_default();
    let events = move |_: &ProgressState, out: &mut dyn Write| {
        let _ = out.write_str(&counted(counts.events.load(Ordering::Relaxed), "event"));
    };
    let data_rate = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{:.1}", rate(state.pos(), state.elapsed()) as f64 / 1e6);
    };
    let left = |state: &ProgressState, out: &mut dyn Write| {
        let left = left(state.pos(), state.len().unwrap_or(0), state.elapsed());
        let _ = write!(out, "{}", HumanDuration(left));
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => {
            let style = style.with_key("events", events).with_key("data_rate", data_rate);
            bar.with_style(style.with_key("left", left))
        }
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;

    use super::*;

    /// A terminal that keeps everything that was ever written.
    #[derive(Clone, Debug)]
    struct Paper(Arc<Mutex<String>>, u16);

    impl indicatif::TermLike for Paper {
        fn width(&self) -> u16 {
            self.1
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_line_of_progress_can_be_drawn() {
        for counts in [None, Some(Arc::<Counts>::default())] {
            let paper = Paper(Arc::default(), 120);
            let bar = draw(10, counts.as_ref());
            bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(paper.clone())));
            if let Some(counts) = &counts {
                counts.events.store(1234, Ordering::Relaxed);
            }
            bar.set_position(5);
            bar.force_draw();
            let shown = paper.0.lock().unwrap().clone();
            assert!(shown.contains("5 B/10 B") && shown.contains("MB/s") && shown.contains(" left"), "{shown}");
            assert_eq!(shown.contains("1,234 events"), counts.is_some(), "{shown}");
        }
    }

    #[test]
    fn a_line_of_progress_fits_the_terminal() {
        for counts in [None, Some(Arc::<Counts>::default())] {
            let paper = Paper(Arc::default(), 80);
            let bar = draw(5 << 30, counts.as_ref());
            bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(paper.clone())));
            if let Some(counts) = &counts {
                counts.events.store(123_456_789, Ordering::Relaxed);
            }
            let bar = bar.with_elapsed(Duration::from_secs(100));
            bar.set_position(3 << 30);
            paper.0.lock().unwrap().clear();
            bar.force_draw();
            let shown = paper.0.lock().unwrap().clone();
            assert!(shown.trim_end().chars().count() <= 80 && shown.trim_end().ends_with(" left"), "{shown}");
        }
    }

    #[test]
    fn rates() {
        assert_eq!(rate(3_000_000, Duration::from_millis(1500)), 2_000_000);
        assert_eq!(speed(3_000_000, Duration::from_millis(1500)), "1.500 s, 2.0 MB/s");
        assert_eq!(rate(0, Duration::ZERO), 0);
        assert_eq!(left(25, 100, Duration::from_secs(2)), Duration::from_secs(6));
        assert_eq!(left(100, 100, Duration::from_secs(2)), Duration::ZERO);
    }
}
