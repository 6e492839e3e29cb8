//! Which events are chosen.

use etwkit::query::Expression;
use etwkit::trace::{Filter, RunOptions, TimeRange, Trace};
use etwkit::FileTime;
use etwkit::select::{Selector, SyntaxError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What Python hands over: an expression, and times in units of 100 ns since 1601.
#[derive(Debug, Default, FromPyObject)]
pub(crate) struct Choice {
    #[pyo3(item)]
    filter: Option<String>,
    #[pyo3(item)]
    since: Option<i64>,
    #[pyo3(item)]
    until: Option<i64>,
    #[pyo3(item)]
    threads: Option<usize>,
}

impl Choice {
    /// Returns the options of a run.
    pub(crate) fn options(&self) -> PyResult<RunOptions> {
        let time = TimeRange::default().since(self.since.map(FileTime)).until(self.until.map(FileTime));
        let mut filter = Filter::default().time(time);
        if let Some(expression) = self.expression()? {
            filter = filter.expression(expression);
        }
        let options = RunOptions::default().filter(filter);
        Ok(match self.threads {
            Some(threads) => options.threads(threads.max(1)),
            None => options,
        })
    }

    /// Returns the names in the expression that are neither part of the header nor a field of any event.
    pub(crate) fn unknown_names(&self, trace: &Trace) -> PyResult<Vec<String>> {
        let names = self.expression()?.map(|expression| expression.names()).unwrap_or_default();
        let is_known = |name: &Selector| name.header().is_some() || trace.has_field(name);
        Ok(names.iter().filter(|name| !is_known(name)).map(|name| name.spelling().to_owned()).collect())
    }

    fn expression(&self) -> PyResult<Option<Expression>> {
        let refused = |error: SyntaxError| PyValueError::new_err(format!("filter: {error}"));
        let parsed = self.filter.as_deref().map(str::parse::<Expression>).transpose().map_err(refused)?;
        Ok(parsed.map(Expression::with_rfc3339_times))
    }
}
