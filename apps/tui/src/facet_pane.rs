//! Counts of what the list has, each of which narrows it.

use etwkit::render::terminal;
use etwkit_browse::{Facet, FacetLists};

use crate::levels::level_name;
use crate::limits::MAX_FACET_ROWS;
use crate::list_view::ListView;

/// A line of the pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FacetRow {
    /// Safe to be shown.
    pub(crate) text: String,
    /// Events; absent in a heading.
    pub(crate) events: Option<u64>,
    /// What picks these events.
    pub(crate) condition: Option<String>,
}

/// The pane: its lines, and which of them is selected.
#[derive(Clone, Debug, Default)]
pub(crate) struct FacetPane {
    pub(crate) rows: Vec<FacetRow>,
    pub(crate) view: ListView,
    /// Parts of the trace that had been read for these counts.
    pub(crate) parts: Option<usize>,
}

impl FacetPane {
    /// Takes new counts.
    pub(crate) fn set(&mut self, lists: &FacetLists, parts: usize) {
        self.rows.clear();
        self.push("Providers", &lists.providers, |facet| facet.value.clone());
        self.push("Events", &lists.events, |facet| facet.value.clone());
        self.push("Processes", &lists.processes, process_name);
        self.push("Levels", &lists.levels, level_text);
        self.parts = Some(parts);
        self.view.select(self.view.selected, self.rows.len() as u64);
    }

    fn push(&mut self, title: &str, facets: &[Facet], text: impl Fn(&Facet) -> String) {
        let heading = |text: String| FacetRow { text, events: None, condition: None };
        self.rows.push(heading(format!("{title} ({})", facets.len())));
        for facet in facets.iter().take(MAX_FACET_ROWS) {
            let (text, condition) = (text(facet), facet.condition.clone());
            let text = if text.is_empty() { "(unknown)".into() } else { terminal::escaped(&text).into_owned() };
            self.rows.push(FacetRow { text, events: Some(facet.events), condition });
        }
        if let Some(more) = facets.len().checked_sub(MAX_FACET_ROWS).filter(|more| *more > 0) {
            self.rows.push(heading(format!("{more} more")));
        }
    }

    /// The condition of the selected line.
    pub(crate) fn condition(&self) -> Option<&str> {
        let row = usize::try_from(self.view.selected).ok().and_then(|row| self.rows.get(row))?;
        row.condition.as_deref()
    }
}

fn process_name(facet: &Facet) -> String {
    match (&facet.of, facet.value.as_str()) {
        (Some(pid), "") => format!("({pid})"),
        (Some(pid), name) => format!("{name} ({pid})"),
        (None, name) => name.to_owned(),
    }
}

fn level_text(facet: &Facet) -> String {
    match facet.value.parse().map(level_name) {
        Ok(name) if !name.is_empty() => format!("{} {name}", facet.value),
        _ => facet.value.clone(),
    }
}

/// A filter that both pass.
pub(crate) fn joined(filter: &str, condition: &str) -> String {
    match filter.trim() {
        "" => condition.to_owned(),
        before => format!("({before}) and {condition}"),
    }
}
