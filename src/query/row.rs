//! Conditions on the rows of a table: the same language, with the columns' names on the left.

use std::borrow::Cow;

use crate::select::{HeaderField, Selector};
use crate::time::FileTime;

use super::Expression;
use super::comparison::Comparison;
use super::meaning::Meaning;
use super::numeral::Numeral;
use super::tree::Node;

/// The value of a cell.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RowValue<'r> {
    /// An integer.
    Integer(i128),
    /// An integer that is not shown by its decimal digits, and its text.
    Shown(i128, Cow<'r, str>),
    /// A number with a fraction, and its text.
    Real(f64, Cow<'r, str>),
    /// Text.
    Text(Cow<'r, str>),
    /// A point in time, and its text.
    Time(FileTime, Cow<'r, str>),
}

/// A condition on rows, with names resolved to places of columns. Made by [`Expression::on_rows`].
#[derive(Clone, Debug, PartialEq)]
pub struct RowCondition(RowNode);

#[derive(Clone, Debug, PartialEq)]
enum RowNode {
    Not(Box<RowNode>),
    All(Vec<RowNode>),
    Any(Vec<RowNode>),
    Has(Vec<usize>),
    Compare { columns: Vec<usize>, negated: bool, comparison: Comparison },
}

/// The parts of an expression about rows and about events. Both must hold.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SplitExpression {
    /// The part with names of columns alone.
    pub rows: Option<Expression>,
    /// The part without names of columns.
    pub events: Option<Expression>,
}

impl Expression {
    /// Resolves the names to places of columns. A name may mean several columns: a comparison is true if one of them
    /// passes, a negated one if none of them is equal, as with the elements of an array. Fails with the first name that
    /// means none.
    pub fn on_rows(&self, places: impl Fn(&Selector) -> Vec<usize>) -> Result<RowCondition, Selector> {
        resolve(&self.root, &places).map(RowCondition)
    }

    /// Returns the expression with texts that are points in time known to be such, so that fields that are times and
    /// [`RowValue::Time`] are compared with them as time; `parse` returns `None` for all other texts.
    #[must_use]
    pub fn with_times(mut self, parse: impl Fn(&str) -> Option<FileTime>) -> Self {
        self.root.map_literals(&|literal| {
            let time = parse(literal.text());
            time.map(|time| literal.clone().at(time))
        });
        self
    }

    /// Returns the expression with texts in RFC 3339, such as `2021-09-09T16:59:35.5+02:00`, known to be points in time
    /// ([`Expression::with_times`]). Needs the feature `jiff`.
    #[cfg(feature = "jiff")]
    #[must_use]
    pub fn with_rfc3339_times(self) -> Self {
        self.with_times(|text| text.parse::<jiff::Timestamp>().ok()?.try_into().ok())
    }

    /// Splits the parts that are joined by `and` into those about columns and those about events. Fails with the first
    /// part that has names of both.
    pub fn split(self, is_column: impl Fn(&Selector) -> bool) -> Result<SplitExpression, Box<Self>> {
        let parts = if let Node::All(list) = self.root { list } else { vec![self.root] };
        let (mut rows, mut events) = (Vec::new(), Vec::new());
        for part in parts.into_iter().map(|root| Self { root }) {
            let names = part.names();
            let columns = names.iter().filter(|name| is_column(name)).count();
            let side = match columns {
                0 => &mut events,
                _ if columns == names.len() && !part.root.shows() => &mut rows,
                _ => return Err(Box::new(part)),
            };
            side.push(part.root);
        }
        Ok(SplitExpression { rows: joined(rows), events: joined(events) })
    }
}

/// Joins conditions that must all hold; `None` if there are none.
fn joined(mut parts: Vec<Node>) -> Option<Expression> {
    let root = if parts.len() > 1 { Node::All(parts) } else { parts.pop()? };
    Some(Expression { root })
}

impl RowCondition {
    /// Returns whether a row passes; `value` returns the cell of a column, `None` if the row has none.
    pub fn holds<'r>(&self, value: impl Fn(usize) -> Option<RowValue<'r>>) -> bool {
        self.0.holds(&value)
    }
}

impl RowNode {
    fn holds<'r>(&self, value: &impl Fn(usize) -> Option<RowValue<'r>>) -> bool {
        match self {
            Self::Not(inner) => !inner.holds(value),
            Self::All(list) => list.iter().all(|node| node.holds(value)),
            Self::Any(list) => list.iter().any(|node| node.holds(value)),
            Self::Has(columns) => columns.iter().any(|column| value(*column).is_some()),
            Self::Compare { columns, negated, comparison } => {
                let mut values = columns.iter().filter_map(|column| value(*column)).peekable();
                values.peek().is_some() && values.any(|value| value.passes(comparison)) != *negated
            }
        }
    }
}

impl RowValue<'_> {
    fn passes(self, comparison: &Comparison) -> bool {
        match self {
            Self::Integer(number) => comparison.holds(Meaning::integer(number), || number.to_string()),
            Self::Shown(number, text) => comparison.holds(Meaning::integer(number), || text.into_owned()),
            Self::Real(number, text) => comparison.holds(Meaning::number(Numeral::Real(number)), || text.into_owned()),
            Self::Text(text) => comparison.holds(Meaning::TEXT, || text.into_owned()),
            Self::Time(time, text) => comparison.holds(Meaning::time(time), || text.into_owned()),
        }
    }
}

fn resolve(node: &Node, places: &impl Fn(&Selector) -> Vec<usize>) -> Result<RowNode, Selector> {
    let list = |list: &[Node]| list.iter().map(|node| resolve(node, places)).collect::<Result<Vec<_>, _>>();
    let columns = |name: &crate::select::Name| {
        let selector = Selector::of_name(name);
        let found = places(&selector);
        if found.is_empty() { Err(selector) } else { Ok(found) }
    };
    Ok(match node {
        Node::Not(inner) => RowNode::Not(Box::new(resolve(inner, places)?)),
        Node::All(nodes) => RowNode::All(list(nodes)?),
        Node::Any(nodes) => RowNode::Any(list(nodes)?),
        Node::Has(name) => RowNode::Has(columns(name)?),
        // No column has all of an event.
        Node::Shows(_) => return Err(Selector::of_header(HeaderField::Fields)),
        Node::Compare { name, negated, comparison } => {
            RowNode::Compare { columns: columns(name)?, negated: *negated, comparison: comparison.clone() }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 3] = ["status", "total_ms", "url"];

    /// `any` is all of them.
    fn places(name: &Selector) -> Vec<usize> {
        let is_it = |column: &str| column == name.spelling() || name.spelling() == "any";
        (0..).zip(COLUMNS).filter(|(_, column)| is_it(column)).map(|(place, _)| place).collect()
    }

    fn holds(text: &str) -> bool {
        let condition = text.parse::<Expression>().unwrap().on_rows(places).unwrap();
        condition.holds(|column| match column {
            0 => Some(RowValue::Integer(304)),
            1 => Some(RowValue::Real(1.25, "1.250".into())),
            _ => None,
        })
    }

    #[test]
    fn rows_are_compared_as_events_are() {
        for text in [
            "status == 304",
            "status == 0x130",
            "total_ms > 1",
            "total_ms ~ '^1.25'",
            "not has url",
            "any == 304",
            "any < 2",
        ] {
            assert!(holds(text), "{text}");
        }
        for text in [
            "status != 304",
            "total_ms > 1.25",
            "url != x",
            "has url",
            "status == 1 or total_ms < 1",
            "any != 304",
            "any > 400",
        ] {
            assert!(!holds(text), "{text}");
        }
        let unknown = "status == 1 or Size > 3".parse::<Expression>().unwrap().on_rows(places);
        assert_eq!(unknown.unwrap_err().to_string(), "Size");
    }

    #[test]
    fn an_expression_is_split_at_and() {
        let split = |text: &str| text.parse::<Expression>().unwrap().split(|name| !places(name).is_empty());
        let text = |part: Option<Expression>| part.map(|part| part.to_string()).unwrap_or_default();
        let found = split("status == 304 and Size > 3 and (url ~ x or total_ms > 1) and pid == 4").unwrap();
        assert_eq!(text(found.rows), "status == 304 and (url ~ 'x' or total_ms > 1)");
        assert_eq!(text(found.events), "Size > 3 and pid == 4");
        assert_eq!(split("status == 304 or Size > 3").unwrap_err().to_string(), "status == 304 or Size > 3");
        assert_eq!(split("pid == 4").unwrap().rows, None);
    }

    #[cfg(feature = "jiff")]
    #[test]
    fn texts_of_rfc_3339_are_times() {
        let holds = |text: &str| {
            let condition = text.parse::<Expression>().unwrap().with_rfc3339_times().on_rows(|_| vec![0]).unwrap();
            condition.holds(|_| Some(RowValue::Time(FileTime::UNIX_EPOCH, "in words".into())))
        };
        assert!(holds("start == '1970-01-01T02:00:00+02:00'") && holds("start < '1970-01-01T00:00:00.0000001Z'"));
        assert!(!holds("start == '1970-01-01'") && !holds("start > '1970-01-01T00:00:00Z'"));
    }

    #[test]
    fn times_are_compared_as_times_whatever_their_texts() {
        let parse = |text: &str| text.strip_prefix("t=").and_then(|units| units.parse().ok()).map(FileTime);
        let holds = |text: &str| {
            let condition = text.parse::<Expression>().unwrap().with_times(parse).on_rows(|_| vec![0]).unwrap();
            condition.holds(|_| Some(RowValue::Time(FileTime(90), "in words".into())))
        };
        assert!(holds("start > 't=9'") && holds("start == 't=90'") && holds("start in ('t=1', 't=90')"));
        assert!(!holds("start > 't=90'") && !holds("start != 't=90'"));
        assert!(holds("start ~ words") && holds("start == 'in words'"));
    }
}
