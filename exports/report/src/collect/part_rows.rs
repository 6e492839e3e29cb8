//! What a page shows of the rows of an analysis.

use etwkit_analysis::{Value, ValueRows};
use etwkit_browse::Extent;

use crate::ReportOptions;
use crate::Section;
use crate::lanes::RowLanes;
use crate::model::{LaneGroup, Table};
use crate::tables::{FirstRows, Part};

/// What a page shows of the rows of an analysis: lists have a row for each collection or transfer of a trace, and a page
/// few of them.
pub(crate) struct PartRows {
    pub(crate) part: &'static Part,
    pub(crate) table: Option<Table>,
    pub(crate) lanes: Option<LaneGroup>,
    /// The sum of the column `stacks`.
    pub(crate) stacks: u64,
}

impl PartRows {
    /// Looks at each row once.
    pub(crate) fn of(part: &'static Part, rows: ValueRows<'_>, extent: Extent, options: &ReportOptions) -> Self {
        let excess = rows.excess();
        let has_table = part.has_table && options.has(part.section);
        let mut table = has_table.then(|| FirstRows::new(part.columns, extent, options.max_rows));
        let lanes = part.lanes.filter(|_| options.has(Section::Lanes));
        let mut lanes = lanes.map(|group| RowLanes::new(group, part.columns, extent));
        let stacks_column = part.columns.iter().position(|column| column.name == "stacks");
        let mut stacks = 0;
        for row in rows {
            if let Some(table) = &mut table {
                table.add(&row);
            }
            if let Some(lanes) = &mut lanes {
                lanes.add(&row);
            }
            if let Some(Value::Integer(count)) = stacks_column.and_then(|place| row.get(place)) {
                stacks += u64::try_from(*count).unwrap_or(0);
            }
        }
        let named = |table: Table| {
            let (title, command) = (part.title.to_owned(), part.command.to_owned());
            Table { id: part.id, title, command, excess, ..table }
        };
        Self {
            part,
            table: table.map(FirstRows::into_table).map(named),
            lanes: lanes.map(|lanes| LaneGroup { excess, ..lanes.into_group() }),
            stacks,
        }
    }
}
