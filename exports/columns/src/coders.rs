//! The codes of texts, by column.

use std::sync::Arc;

use etwkit::Event;
use etwkit::decode::PendingEvent;
use etwkit::output::PerProcess;
use etwkit::select::{HeaderField, HeaderValue};

use crate::texts::{Coder, Texts};

/// Which texts a column's codes refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CoderPlace(usize);

impl CoderPlace {
    /// Returns those of a field that has few texts; `None` of all others.
    pub(crate) const fn of(field: HeaderField) -> Option<Self> {
        Some(Self(match field {
            HeaderField::Provider => 0,
            HeaderField::ProviderGuid => 1,
            HeaderField::Event => 2,
            HeaderField::Kind => 3,
            HeaderField::Schema => 4,
            HeaderField::Process => 5,
            HeaderField::File => 6,
            _ => return None,
        }))
    }
}

/// The codes of a thread.
#[derive(Debug, Default)]
pub(crate) struct Coders {
    all: [Coder; 7],
    processes: PerProcess<Option<u32>>,
    text: Vec<u8>,
    /// Bytes of texts that were new in this batch.
    new_bytes: usize,
}

impl Coders {
    /// Returns the texts of all codes so far.
    pub(crate) fn texts(&self, of: CoderPlace) -> Arc<Texts> {
        self.all.get(of.0).map(Coder::texts).unwrap_or_default()
    }

    /// Returns the bytes of texts that were new in this batch.
    pub(crate) const fn new_bytes(&self) -> usize {
        self.new_bytes
    }

    /// Ends a batch. Returns whether codes are forgotten.
    pub(crate) fn end_batch(&mut self) -> bool {
        self.new_bytes = 0;
        let is_large = self.all.iter().any(Coder::is_large);
        if is_large {
            *self = Self::default();
        }
        is_large
    }

    /// Returns the code of a value of a field.
    pub(crate) fn code(&mut self, field: HeaderField, value: &HeaderValue<'_>, event: &Event<'_>) -> Option<u32> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        value.push(&mut text, event);
        let code = self.code_of(field, &text);
        self.text = text;
        code
    }

    /// Returns the code of the name of the process that has an id.
    #[inline]
    pub(crate) fn process(&mut self, pid: u32, event: &PendingEvent<'_>) -> Option<u32> {
        let Self { all, processes, new_bytes, .. } = self;
        *processes.of(pid, (event.raw(), event.system()), |name| {
            code(all, new_bytes, HeaderField::Process, name?.as_bytes())
        })?
    }

    /// Returns the code of a text of a field.
    pub(crate) fn code_of(&mut self, field: HeaderField, text: &[u8]) -> Option<u32> {
        code(&mut self.all, &mut self.new_bytes, field, text)
    }

    /// Returns the code of the name of a file.
    pub(crate) fn file(&mut self, name: &str) -> Option<u32> {
        self.code_of(HeaderField::File, name.as_bytes())
    }
}

fn code(all: &mut [Coder], new_bytes: &mut usize, field: HeaderField, text: &[u8]) -> Option<u32> {
    let (code, is_new) = all.get_mut(CoderPlace::of(field)?.0)?.code(text)?;
    *new_bytes += if is_new { text.len() } else { 0 };
    Some(code)
}
