//! The other forms of the runtime's events: of .NET Native, and of Windows without manifests.

use std::fs;

use etwkit::bytes::Guid;
use etwkit::schema::SchemaSelector;

use super::model::{Event, Table};
use crate::Done;

/// Adds the ids by which `etwkit-clr` serves the tables' events in addition to their own.
pub(super) fn add_forms(tables: &mut [Table]) -> Done {
    let native: Vec<SchemaSelector> =
        etwkit_clr::NativeRuntime::entries().into_iter().map(|entry| entry.select).collect();
    let classic = classic_keys()?;
    for event in tables.iter_mut().flat_map(|table| &mut table.events) {
        add(event, &native, &classic);
    }
    Ok(())
}

fn add(event: &mut Event, native: &[SchemaSelector], classic: &[(SchemaSelector, SchemaSelector)]) {
    let task = event.name.split('/').next().unwrap_or_default().to_owned();
    for id in event.ids.clone() {
        let SchemaSelector::Manifest { id: number, .. } = id.select else { continue };
        // The provider of .NET Native has the runtime's events only.
        let twin = |select: &&SchemaSelector| matches!(select, SchemaSelector::Manifest { id, .. } if *id == number);
        if let Some(select) = native.iter().find(twin).filter(|_| id.of == RUNTIME) {
            event.add_id(select, "DotNETNative", false);
        }
        for (select, _) in classic.iter().filter(|(_, twin)| *twin == id.select) {
            event.add_id(select, &task, false);
        }
    }
}

const RUNTIME: &str = "Microsoft-Windows-DotNETRuntime";

/// Class and opcode, provider and id.
fn classic_keys() -> Done<Vec<(SchemaSelector, SchemaSelector)>> {
    let text = fs::read_to_string(crate::done::root().join("parsers/clr/data/classic.txt"))?;
    text.lines().map(classic_key).collect()
}

fn classic_key(line: &str) -> Done<(SchemaSelector, SchemaSelector)> {
    let [class, opcode, provider, id] = line.split(' ').collect::<Vec<_>>()[..] else {
        return Err(format!("classic.txt: {line}").into());
    };
    let guid = |text: &str| text.parse::<Guid>().map_err(|error| format!("classic.txt: {line}: {error:?}"));
    let classic = SchemaSelector::Classic { class: guid(class)?, opcode: opcode.parse()? };
    Ok((classic, SchemaSelector::Manifest { provider: guid(provider)?, id: id.parse()? }))
}
