//! Machine code of scripts, as Microsoft-JScript loads and unloads it and lists it in rundowns.

use std::borrow::Cow;
use std::collections::HashMap;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Scratch};
use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::parser::{Claims, FirstPass, Observer, Parser};
use etwkit::schema::Schema;
use etwkit::system::{MethodCode, System};

const JSCRIPT: Guid = Guid::from_u128(0x57277741_3638_4a4b_bdba_0ac6e45da56c);

/// Keeps the methods of scripts: [`System::method_at`] finds them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScriptMethods;

impl Parser for ScriptMethods {
    fn name(&self) -> &'static str {
        "script-methods"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_observer(MethodObserver::default());
    }
}

#[derive(Debug, Default)]
struct MethodObserver {
    /// Schemas by id and version.
    schemas: HashMap<(u16, u8), Option<Schema>>,
    scratch: Scratch,
}

impl Observer for MethodObserver {
    fn interest(&self) -> Claims {
        Claims::manifest([5, 6, 9, 10, 39, 40, 41, 42].map(|id| (JSCRIPT, id)))
    }

    fn observe(&mut self, event: &RawEvent<'_>, system: &mut System) -> Result<()> {
        let key = event.key();
        let is_wanted = key.kind == Kind::Manifest && matches!(key.id, 5 | 6 | 9 | 10 | 39..=42);
        let Some(pid) = event.pid().filter(|_| is_wanted) else { return Ok(()) };
        let schema = self.schemas.entry((key.id, key.version));
        let schema = schema.or_insert_with(|| crate::tables().iter().find_map(|tables| tables.choose(&key, None, 0)));
        let located = Event::locate(*event, schema.as_ref(), None, &mut self.scratch);
        match (key.id, code(&located, pid)) {
            (9, Some(code)) => system.add_method_load(event, &code),
            (10, Some(code)) => system.add_method_unload(event, &code),
            (5 | 6, Some(code)) => system.add_method_rundown(event, &code),
            _ => source(&located, pid, system),
        }
        Ok(())
    }
}

/// Keeps the address of a script.
fn source(event: &Event<'_>, pid: u32, system: &mut System) {
    if let Ok((id, url)) = event.get("SourceID").and_then(|id| Ok((id, event.get::<Cow<'_, str>>("Url")?))) {
        system.add_method_module(pid, id, &url);
    }
}

/// Returns the code that an event is about; `None` if it has none.
fn code(event: &Event<'_>, pid: u32) -> Option<MethodCode> {
    let start: u64 = event.get("MethodStartAddress").ok()?;
    let mut code = MethodCode::new(pid, start, event.get("MethodSize").ok()?);
    code.id = event.get::<u32>("MethodID").unwrap_or_default().into();
    code.module_id = event.get("SourceID").unwrap_or_default();
    code.name = event.get::<String>("MethodName").unwrap_or_default().into();
    Some(code).filter(|code| code.start != 0 && code.size != 0)
}
