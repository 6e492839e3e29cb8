//! `etl_types`: which events traces have.

use std::ffi::CStr;

use etwkit::event::Kind;
use etwkit::trace::UndecodedReason;
use etwkit::{EventType, Trace};
use etwkit_columns::{DataType, EventName};

use crate::small_table::{Cell, SmallTable};

/// The table.
#[derive(Debug)]
pub(crate) struct EtlTypes;

impl SmallTable for EtlTypes {
    const NAME: &'static CStr = c"etl_types";
    const COLUMNS: &'static [(&'static str, DataType)] = &[
        ("provider", DataType::Text),
        ("provider_guid", DataType::Text),
        ("event", DataType::Text),
        ("kind", DataType::Text),
        ("id", DataType::Unsigned(16)),
        ("version", DataType::Unsigned(8)),
        ("opcode", DataType::Unsigned(8)),
        ("events", DataType::Unsigned(64)),
        ("undecoded", DataType::Text),
        ("source", DataType::Text),
    ];

    fn rows(trace: &Trace) -> Vec<Vec<Cell>> {
        let rows = trace.types().iter().filter(|row| row.events() > 0).map(row);
        rows.chain(beyond(trace)).collect()
    }
}

fn row(row: &EventType) -> Vec<Cell> {
    let name = EventName::of(row);
    let key = row.key();
    let number = |kinds: &[Kind], number: u64| kinds.contains(&key.kind).then_some(Cell::Number(number));
    vec![
        Cell::Text(name.provider),
        Cell::Text(row.provider_guid().to_string()),
        Cell::Text(name.event),
        key.kind.name().into(),
        // Numbers that do not tell types of a kind apart are not known here.
        number(&[Kind::Manifest, Kind::Wpp], key.id.into()).into(),
        number(&[Kind::Classic, Kind::Manifest], key.version.into()).into(),
        number(&[Kind::Classic], key.opcode.into()).into(),
        Cell::Number(row.events()),
        row.undecoded().map(UndecodedReason::name).into(),
        row.layout_schema().map(|schema| schema.origin().source.name()).into(),
    ]
}

/// Counts the events of types beyond the limits of the engine.
fn beyond(trace: &Trace) -> Option<Vec<Cell>> {
    let counted: u64 = trace.types().iter().map(EventType::events).sum();
    let beyond = trace.events_total().saturating_sub(counted);
    let row = || {
        let mut row = vec![Cell::Null; EtlTypes::COLUMNS.len()];
        for (place, (name, _)) in EtlTypes::COLUMNS.iter().enumerate() {
            let cell = match *name {
                "events" => Cell::Number(beyond),
                "undecoded" => UndecodedReason::Limit.name().into(),
                _ => continue,
            };
            row.splice(place..=place, [cell]);
        }
        row
    };
    (beyond > 0).then(row)
}
