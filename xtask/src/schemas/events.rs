//! The events of a provider.

use std::collections::BTreeMap;

use serde_json::Value;

use super::json_values::{array, integer};
use super::writer::Writer;
use crate::done::Done;

/// Events by column.
#[derive(Default)]
pub(super) struct Events {
    /// Id or opcode, version, task, opcode, layouts as template and place of the builds.
    rows: BTreeMap<(u64, u64), Row>,
    pub(super) builds: Vec<(u64, u64)>,
}

struct Row {
    task: u64,
    opcode: u64,
    layouts: Vec<(u64, u64)>,
}

impl Events {
    pub(super) fn of(value: &Value) -> Done<Self> {
        let mut events = Self::default();
        let classic = value.get("y").is_some();
        for event in array(value, "e") {
            let number = |at: usize| event.get(at).map_or(Ok(0), integer);
            let (opcode, task) = if classic { (number(0)?, 0) } else { (number(4)?, number(5)?) };
            let layouts = if classic { events.classic_layout(event) } else { events.layouts(event)? };
            // Sources that differ on a class are rows of their own there.
            let row = events.rows.entry((number(0)?, number(1)?)).or_insert(Row { task, opcode, layouts: Vec::new() });
            row.layouts.extend(layouts);
        }
        Ok(events)
    }

    /// The one layout of a row of a class.
    fn classic_layout(&mut self, event: &Value) -> Vec<(u64, u64)> {
        let template = event.get(2).and_then(Value::as_u64);
        template.map(|template| (template, self.build((0, 0)))).into_iter().collect()
    }

    fn layouts(&mut self, event: &Value) -> Done<Vec<(u64, u64)>> {
        let mut layouts = Vec::new();
        for layout in event.get(7).and_then(Value::as_array).into_iter().flatten() {
            let number = |at: usize| layout.get(at).and_then(Value::as_u64);
            let last = number(2).map_or(0, |last| last + 1);
            let builds = self.build((number(1).unwrap_or(0), last));
            layouts.push((number(0).ok_or("template of an event")?, builds));
        }
        Ok(layouts)
    }

    fn build(&mut self, builds: (u64, u64)) -> u64 {
        let at = self.builds.iter().position(|other| *other == builds).unwrap_or_else(|| {
            self.builds.push(builds);
            self.builds.len() - 1
        });
        at as u64
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.number(self.rows.len() as u64);
        let mut before = 0;
        for (id, _) in self.rows.keys() {
            out.number(id - before);
            before = *id;
        }
        self.rows.keys().for_each(|(_, version)| out.number(*version));
        self.rows.values().for_each(|row| out.number(row.task));
        self.rows.values().for_each(|row| out.number(row.opcode));
        self.rows.values().for_each(|row| out.number(row.layouts.len() as u64));
        for (template, builds) in self.rows.values().flat_map(|row| &row.layouts) {
            out.number(*template);
            out.number(*builds);
        }
    }
}
