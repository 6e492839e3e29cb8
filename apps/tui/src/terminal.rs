//! The viewer on a terminal.

use std::io::{self, Write, stdout};
use std::time::{Duration, Instant};

use crossterm::clipboard::CopyToClipboard;
use crossterm::cursor::Show;
use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event};
use crossterm::execute;
use ratatui::DefaultTerminal;

use crate::app::App;

/// Runs a viewer on the terminal of stdin and stdout until it is left. The terminal is as before afterwards, also after an
/// error or a panic.
///
/// # Errors
///
/// The terminal cannot be used.
pub fn run(app: &mut App<'_>) -> io::Result<()> {
    let mut terminal = ratatui::try_init().inspect_err(|_| restore())?;
    // The viewer knows whether colours are wanted.
    crossterm::style::force_color_output(true);
    // A terminal that does not know it types what is pasted.
    let _ = execute!(stdout(), EnableBracketedPaste);
    let ended = show(&mut terminal, app);
    restore();
    ended
}

/// Makes the terminal what it was before [`run`], for programs that are ended meanwhile.
pub fn restore() {
    // A terminal that is gone needs nothing.
    let _ = undo_modes(&mut stdout());
    let _ = ratatui::try_restore();
}

/// Ends the modes that `ratatui` leaves: its terminal shows the cursor when it is dropped, which a signal does not do.
fn undo_modes(terminal: &mut impl Write) -> io::Result<()> {
    execute!(terminal, DisableBracketedPaste, Show)
}

fn show(terminal: &mut DefaultTerminal, app: &mut App<'_>) -> io::Result<()> {
    let mut drawn: Option<Instant> = None;
    while !app.is_over() {
        if drawn.is_none_or(|drawn| drawn.elapsed() >= PAUSE) {
            terminal.draw(|frame| app.draw(frame))?;
            drawn = Some(Instant::now());
        }
        let patience = if app.is_busy() { Duration::ZERO } else { IDLE };
        if event::poll(patience)? {
            take(app)?;
            drawn = None;
        } else if app.is_busy() {
            app.work();
            // What it led to is shown at once when all is done.
            drawn = drawn.filter(|_| app.is_busy());
        }
        if let Some(text) = app.take_copied() {
            execute!(stdout(), CopyToClipboard::to_clipboard_from(text))?;
        }
    }
    Ok(())
}

/// Takes all events that wait.
fn take(app: &mut App<'_>) -> io::Result<()> {
    loop {
        match event::read()? {
            Event::Key(key) => app.update(key),
            Event::Paste(text) => app.paste(&text),
            _ => {}
        }
        if app.is_over() || !event::poll(Duration::ZERO)? {
            return Ok(());
        }
    }
}

/// Between two pictures while work goes on.
const PAUSE: Duration = Duration::from_millis(100);
/// Between two looks at the terminal when nothing happens.
const IDLE: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_comes_back() {
        let mut written = Vec::new();
        undo_modes(&mut written).unwrap();
        assert_eq!(written, b"\x1b[?2004l\x1b[?25h");
    }
}
