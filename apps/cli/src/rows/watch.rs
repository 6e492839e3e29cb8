//! What conditions on rows meet, to state why no row passes.

use std::collections::BTreeSet;

use etwkit::query::{Expression, RowValue};
use etwkit::select::{Selector, same};

use crate::printer::Printer;
use crate::similarity::nearest;
use crate::text::counted;

use super::cell::Cell;
use super::column::Column;
use super::names::meant;

/// Values of a column that are kept as suggestions.
const MAX_VALUES: usize = 1024;
/// Bytes of a value that is kept as a suggestion.
const MAX_LEN: usize = 256;

/// What the rows of a table have in the columns of a condition.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    compared: Vec<Compared>,
    kinds: Vec<KindWatch>,
}

/// A comparison by `==`, `!=` or `in` with a text.
#[derive(Clone, Debug)]
struct Compared {
    name: String,
    text: String,
    columns: Vec<usize>,
    values: BTreeSet<String>,
    is_there: bool,
}

/// A comparison that depends on whether values are numbers: by `<` and its like, or with a word that is no number.
#[derive(Clone, Debug)]
struct KindWatch {
    name: String,
    text: String,
    asked: Asked,
    columns: Vec<usize>,
    numbers: bool,
    texts: bool,
}

/// What values are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// By `<` and its like, with a number.
    OrderOfNumber,
    /// By `<` and its like, with a point in time.
    OrderOfTime,
    /// By `<` and its like, with a text.
    OrderOfText,
    /// By `==` and its like, with a word that is no number.
    Word,
}

impl Watch {
    /// Watches the columns of a condition.
    pub(super) fn new(condition: Option<&Expression>, columns: &[Column]) -> Self {
        let Some(condition) = condition else { return Self::default() };
        let is_text = |text: &str| !text.starts_with(|first: char| first.is_ascii_digit());
        let compared = condition.compared().into_iter().filter(|(_, text)| is_text(text)).map(|(name, text)| {
            let columns = meant(columns, name.spelling());
            let (name, text) = (name.spelling().to_owned(), text.to_owned());
            Compared { name, text, columns, values: BTreeSet::new(), is_there: false }
        });
        let watch = |name: &Selector, text: &str, asked| {
            let columns = meant(columns, name.spelling());
            let (name, text) = (name.spelling().to_owned(), text.to_owned());
            KindWatch { name, text, asked, columns, numbers: false, texts: false }
        };
        let orders = condition.orders().into_iter().map(|order| {
            let asked = match (order.is_number, order.is_time) {
                (true, _) => Asked::OrderOfNumber,
                (_, true) => Asked::OrderOfTime,
                _ => Asked::OrderOfText,
            };
            watch(&order.name, order.text, asked)
        });
        let words = condition.compared_words().into_iter().map(|(name, text)| watch(&name, text, Asked::Word));
        let kinds = orders.chain(words).collect();
        Self { compared: compared.collect(), kinds }
    }

    /// Looks at a row, whether it passes or not.
    pub(super) fn see(&mut self, row: &[Cell]) {
        for Compared { text, columns, values, is_there, .. } in self.compared.iter_mut().filter(|known| !known.is_there)
        {
            for cell in columns.iter().map(|column| row.get(*column).unwrap_or(&Cell::Blank)) {
                let value = cell.plain();
                *is_there |= same(&value, text);
                if values.len() < MAX_VALUES && value.len() <= MAX_LEN && !values.contains(&*value) {
                    values.insert(value.into_owned());
                }
            }
        }
        for KindWatch { columns, numbers, texts, asked, .. } in &mut self.kinds {
            for value in columns.iter().filter_map(|column| row.get(*column)?.value()) {
                // The text of a time may be what is asked for.
                let is_text = match value {
                    RowValue::Text(_) => true,
                    RowValue::Time(..) => matches!(asked, Asked::Word | Asked::OrderOfTime),
                    _ => false,
                };
                *(if is_text { &mut *texts } else { &mut *numbers }) = true;
            }
        }
    }

    /// Says what looks misspelt.
    fn say(&self, printer: Printer) {
        for Compared { name, text, values, .. } in self.compared.iter().filter(|known| !known.is_there) {
            if let Some(near) = nearest(text, values.iter().map(String::as_str)) {
                printer.warning(format_args!("--where: no row has the {name} `{text}`: did you mean `{near}`?"));
            }
        }
        for KindWatch { name, text, asked, numbers, texts, .. } in &self.kinds {
            match (asked == &Asked::OrderOfNumber, numbers, texts) {
                (true, false, true) => printer.warning(text_as_number(name, text)),
                (false, true, false) => printer.warning(number_as_text(name, text)),
                _ => {}
            }
        }
    }
}

/// The order of text and a number is compared.
pub(crate) fn text_as_number(name: &str, number: &str) -> String {
    format!("--where: `{name}` is text: it is compared with {number} as text, not as a number")
}

/// The order of a number and text is compared.
pub(crate) fn number_as_text(name: &str, text: &str) -> String {
    format!("--where: `{name}` is a number, `{text}` is not: they are compared as text")
}

/// What became of the rows of a table.
#[derive(Debug)]
#[must_use]
pub(crate) struct Outcome {
    pub(super) watch: Watch,
    /// Rows that came.
    pub(super) seen: u64,
    /// Rows that met the conditions.
    pub(super) passed: u64,
    /// The option that leaves no row.
    pub(super) none_wanted: Option<&'static str>,
}

impl Outcome {
    /// Says why there is no row, and what looks misspelt.
    pub(crate) fn say(&self, printer: Printer) {
        self.watch.say(printer);
        if let Some(option) = self.none_wanted {
            printer.note(format_args!("{option} 0 leaves no row"));
        } else if self.seen > 0 && self.passed == 0 {
            printer.note(format_args!("none of {} meets the conditions", counted(self.seen, "row")));
        }
    }
}
