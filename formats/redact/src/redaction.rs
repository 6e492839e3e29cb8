//! The redaction of a trace: three steps.

use std::io::Write;

use etwkit::Trace;

use crate::buffers::check_form;
use crate::check::Check;
use crate::collect::Collection;
use crate::error::{Error, Result};
use crate::find::Finder;
use crate::key::Key;
use crate::kind::Kind;
use crate::naming::{Naming, Secret};
use crate::report::Report;
use crate::rewrite::Rewriter;
use crate::words::Words;

/// Most words that an error names.
const MOST_NAMED: usize = 5;

/// How a trace is redacted.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The key of the pseudonyms; a random one without it.
    pub key: Option<Key>,
    /// Words that are replaced wherever they are, of at least three characters.
    pub words: Vec<String>,
    /// Secrets that another trace revealed, such as another file of the session: what [`Redaction::secrets`] returned.
    pub known: Vec<(Kind, String)>,
}

impl Options {
    /// Sets [`Options::key`](field@Options::key).
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }

    /// Adds to [`Options::words`](field@Options::words).
    #[must_use]
    pub fn words<T: Into<String>>(mut self, words: impl IntoIterator<Item = T>) -> Self {
        self.words.extend(words.into_iter().map(Into::into));
        self
    }

    /// Adds to [`Options::known`](field@Options::known).
    #[must_use]
    pub fn known(mut self, secrets: impl IntoIterator<Item = (Kind, String)>) -> Self {
        self.known.extend(secrets);
        self
    }
}

/// The secrets of a trace and their pseudonyms.
#[derive(Debug)]
pub struct Redaction {
    finder: Finder,
    words: Words,
    naming: Naming,
    /// [`Options::words`](field@Options::words).
    own_words: Vec<String>,
    arguments_left: u64,
    pairs_left: u64,
}

impl Redaction {
    /// Reads a trace and collects its secrets. The more parsers the trace has, the more fields are known by their
    /// names.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for files of Windows before Vista, `.btl` files, several files, and files without a readable
    /// event; [`Error::Damaged`] for those whose header is read though it is not one of the events
    /// ([`Trace::is_log_header`]); [`Error::Limit`] if there are too many secrets; [`Error::Word`]; those of reading.
    pub fn collect(trace: &Trace, options: &Options) -> Result<Self> {
        check_form(trace)?;
        let key = options.key.clone().map_or_else(Key::random, Ok)?;
        let mut naming = Naming::new(key);
        // The patterns are constants that compile.
        let finder = Finder::new().ok_or(Error::Limit { what: "patterns", limit: 0 })?;
        let mut collection = Collection::new(&finder);
        for word in &options.words {
            collection.add_word(word, &mut naming)?;
        }
        for (kind, text) in &options.known {
            collection.add_known(*kind, text, &mut naming)?;
        }
        collection.read(trace, &mut naming)?;
        let words = collection.words.build()?;
        let (arguments_left, pairs_left) = (collection.arguments_left, collection.pairs_left);
        let own_words = options.words.clone();
        Ok(Self { finder, words, naming, own_words, arguments_left, pairs_left })
    }

    /// Writes the trace with pseudonyms. Into [`std::io::sink`], it only counts.
    ///
    /// Bytes that are not events are overwritten. If the header of a trace cannot be read, they may be all by which it
    /// is recognized: then the output cannot be opened.
    ///
    /// # Errors
    ///
    /// Those of reading and writing; [`Error::Limit`].
    pub fn write(&mut self, trace: &Trace, out: &mut dyn Write) -> Result<Report> {
        self.write_with(trace, out, &mut |_| ())
    }

    /// As [`Redaction::write`]; `progress` receives the bytes of the input read so far, once in a while.
    ///
    /// # Errors
    ///
    /// As [`Redaction::write`].
    pub fn write_with(&mut self, trace: &Trace, out: &mut dyn Write, progress: &mut dyn FnMut(u64)) -> Result<Report> {
        let (arguments_left, pairs_left) = (self.arguments_left, self.pairs_left);
        let mut report = Report { arguments_left, pairs_left, ..Report::default() };
        let Self { finder, words, naming, .. } = self;
        let mut rewriter = Rewriter { trace, finder, words, naming, report: &mut report };
        rewriter.file(out, progress)?;
        out.flush()?;
        Ok(report)
    }

    /// Reads what was written, `new`, and fails if a secret is left in it: as bytes anywhere, by its form, or in a
    /// field. Every event must be read as in the trace it was made of, `old`. Both should have the same parsers.
    ///
    /// # Errors
    ///
    /// [`Error::Left`], [`Error::Changed`] and [`Error::Described`]; those of reading.
    pub fn check(&self, old: &Trace, new: &Trace) -> Result<()> {
        let Self { finder, words, naming, .. } = self;
        Check { finder, words, naming }.run(old, new).map_err(|error| match error {
            Error::Changed { offset, what } if naming.described().next().is_some() => {
                let words: Vec<String> = naming.described().take(MOST_NAMED).map(|word| format!("{word:?}")).collect();
                Error::Described { offset, what, words: words.join(", ") }
            }
            error => error,
        })
    }

    /// Returns the words of [`Options::words`](field@Options::words) that were replaced nowhere by themselves: the trace
    /// does not have them, has them only within other secrets, or as parts of other words, which short and frequent
    /// words stay in.
    pub fn unused_words(&self) -> impl Iterator<Item = &str> {
        self.own_words.iter().map(String::as_str).filter(|word| !self.naming.has_replaced(word))
    }

    /// Returns the secrets that were replaced, with their pseudonyms. Keep them from others.
    pub fn secrets(&self) -> impl Iterator<Item = Secret> {
        self.naming.secrets()
    }
}
