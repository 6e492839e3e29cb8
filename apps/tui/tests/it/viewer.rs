//! A viewer of a fixture on a screen in memory.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use etwkit::{FileTime, Input, Trace};
use etwkit_tui::{App, Host, SaveFile};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

pub(crate) const DAMAGED: [&str; 4] =
    ["damaged-compression.etl", "damaged-event-size.etl", "damaged-truncated.etl", "damaged-zero-header.etl"];

pub(crate) type Saved = Rc<RefCell<Vec<(String, Vec<u8>)>>>;

/// Keeps what is saved. A time is a FILETIME as a number.
#[derive(Debug, Default)]
struct Memory(Saved);

struct MemoryFile {
    saved: Saved,
    path: String,
    bytes: Vec<u8>,
}

impl Host for Memory {
    fn time(&self, text: &str) -> Result<FileTime, String> {
        text.parse().map(FileTime).map_err(|_| format!("{text} is not a time"))
    }

    fn create(&self, path: &str) -> Result<Box<dyn SaveFile>, String> {
        if path == "refused" {
            return Err("refused: no".to_owned());
        }
        Ok(Box::new(MemoryFile { saved: Rc::clone(&self.0), path: path.to_owned(), bytes: Vec::new() }))
    }
}

impl Write for MemoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SaveFile for MemoryFile {
    fn keep(self: Box<Self>) -> Result<(), String> {
        self.saved.borrow_mut().push((self.path, self.bytes));
        Ok(())
    }
}

/// A viewer and its screen.
pub(crate) struct Viewer<'t> {
    app: App<'t>,
    terminal: Terminal<TestBackend>,
    pub(crate) saved: Saved,
}

impl Viewer<'_> {
    /// Opens a fixture, reads all of it into the list, and hands the viewer to `check`.
    pub(crate) fn of(name: &str, check: impl FnOnce(&mut Viewer<'_>)) {
        let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../fixtures", name].iter().collect();
        Self::of_bytes(name, std::fs::read(path).unwrap(), check);
    }

    /// The same with a trace in memory.
    pub(crate) fn of_bytes(name: &str, bytes: Vec<u8>, check: impl FnOnce(&mut Viewer<'_>)) {
        let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
        let trace = Trace::open(Input::bytes(name, bytes), parsers).unwrap();
        let saved = Saved::default();
        let app = App::new(&trace, name, Box::new(Memory(Rc::clone(&saved))));
        let mut viewer = Viewer { app, terminal: Terminal::new(TestBackend::new(80, 24)).unwrap(), saved };
        viewer.work();
        viewer.screen();
        check(&mut viewer);
    }

    /// Presses keys that are characters.
    pub(crate) fn keys(&mut self, keys: &str) -> &mut Self {
        for key in keys.chars() {
            self.press(KeyCode::Char(key));
        }
        self
    }

    pub(crate) fn press(&mut self, code: KeyCode) -> &mut Self {
        self.app.update(KeyEvent::new(code, KeyModifiers::NONE));
        self.screen();
        self
    }

    pub(crate) fn control(&mut self, key: char) -> &mut Self {
        self.app.update(KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL));
        self
    }

    pub(crate) fn paste(&mut self, text: &str) -> &mut Self {
        self.app.paste(text);
        self
    }

    /// Sets a filter, as a program around the viewer does.
    pub(crate) fn filter(&mut self, text: &str) -> &mut Self {
        self.app.set_filter(text).unwrap();
        self
    }

    /// Does all work that is left.
    pub(crate) fn work(&mut self) -> &mut Self {
        while self.app.is_busy() {
            self.app.work();
        }
        self
    }

    /// Wants colours or not, and returns those of the screen.
    pub(crate) fn colors(&mut self, are_wanted: bool) -> Vec<ratatui::style::Color> {
        self.app.set_colors(are_wanted);
        self.screen();
        let cells = self.terminal.backend().buffer().content().iter();
        cells.flat_map(|cell| [cell.fg, cell.bg]).collect()
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        self.terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    }

    /// The screen as lines of text.
    pub(crate) fn screen(&mut self) -> String {
        self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
        let buffer = self.terminal.backend().buffer();
        let rows = buffer.content().chunks(usize::from(buffer.area.width));
        let line =
            |cells: &[ratatui::buffer::Cell]| cells.iter().map(ratatui::buffer::Cell::symbol).collect::<String>();
        rows.map(|cells| line(cells).trim_end().to_owned() + "\n").collect()
    }

    /// Events in the list, as the filter's line states.
    pub(crate) fn len(&mut self) -> u64 {
        let screen = self.screen();
        let said = screen.lines().nth(1).unwrap().trim_end();
        let said = said.strip_suffix(" event").or_else(|| said.strip_suffix(" events")).unwrap();
        let digits = said.rsplit(' ').next().unwrap().replace(',', "");
        digits.parse().unwrap()
    }

    /// The number of the selected event, from 1, and its time.
    pub(crate) fn place(&mut self) -> (u64, String) {
        let screen = self.screen();
        let bottom = screen.lines().last().unwrap().to_owned();
        let (before, time) = bottom.rsplit_once(' ').unwrap();
        let number = before.rsplit(' ').next().unwrap().split('/').next().unwrap().replace(',', "");
        (number.parse().unwrap(), time.to_owned())
    }

    /// The same where the bottom line may have a message, which a key takes away.
    pub(crate) fn place_after_key(&mut self) -> (u64, String) {
        self.press(KeyCode::Null);
        self.place()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.app.is_over()
    }

    pub(crate) fn copied(&mut self) -> Option<String> {
        self.app.take_copied()
    }
}
