//! Comments of packets: `key=value` pairs with a space between them.

use std::fmt::{Display, Write};

use etwkit::event::known_id;

use crate::fields::until_nul;

/// A comment being made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comment(String);

impl Comment {
    /// Adds a pair. Values with spaces, or empty ones, get quotes.
    pub(crate) fn pair(&mut self, key: &str, value: impl Display) {
        let value = value.to_string();
        let value = until_nul(&value);
        self.gap();
        // Writing to a String cannot fail.
        let _ = if value.is_empty() || value.contains([' ', '"']) {
            write!(self.0, "{key}=\"{}\"", value.replace('"', "'"))
        } else {
            write!(self.0, "{key}={value}")
        };
    }

    /// Adds a word.
    pub(crate) fn word(&mut self, word: &str) {
        self.gap();
        self.0.push_str(word);
    }

    /// Adds the process; 0 is the idle process, which an interrupt finds and which states nothing.
    pub(crate) fn process(&mut self, pid: Option<u32>, name: Option<&str>) {
        let Some(pid) = pid.and_then(known_id).filter(|pid| *pid != 0) else { return };
        self.pair("PID", pid);
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            self.pair("ProcessName", name);
        }
    }

    /// Returns the text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    fn gap(&mut self) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
    }
}
