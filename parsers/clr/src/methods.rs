//! Machine code of methods, as the runtime loads and unloads it and lists it in rundowns.

use std::borrow::Cow;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, FixedNumbers, Scratch};
use etwkit::error::Result;
use etwkit::event::{EventKey, Kind, RawEvent};
use etwkit::parser::{Claims, FirstPass, Observer, Parser};
use etwkit::system::{MethodCode, System};

use crate::native::{NATIVE_GUID, RUNTIME_GUID};
use crate::recent_schemas::RecentSchemas;

const RUNDOWN: Guid = Guid::from_u128(0xa669021c_c450_4609_a035_5af59af4df18);

/// Keeps the methods of .NET runtimes: [`System::method_at`] finds them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClrMethods;

impl Parser for ClrMethods {
    fn name(&self) -> &'static str {
        "clr-methods"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_observer(MethodObserver::default());
    }
}

#[derive(Debug, Default)]
struct MethodObserver {
    /// With the numbers of [`CODE`].
    schemas: RecentSchemas<FixedNumbers>,
    scratch: Scratch,
}

/// The highest id of an event that states something of methods.
const IDS: u16 = 154;

/// What identifies code: where it begins, and the method whose code it is.
const CODE: [&str; 2] = ["MethodStartAddress", "MethodID"];

/// What an event states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statement {
    Load,
    Unload,
    Rundown,
    Module,
}

impl Statement {
    fn of(key: &EventKey) -> Option<Self> {
        (key.kind == Kind::Manifest).then(|| Self::of_id(key.provider, key.id)).flatten()
    }

    fn of_id(provider: Guid, id: u16) -> Option<Self> {
        let is_rundown = provider == RUNDOWN;
        match id {
            141..=144 if is_rundown => Some(Self::Rundown),
            151..=154 if is_rundown => Some(Self::Module),
            _ if is_rundown => None,
            141 | 143 => Some(Self::Load),
            142 | 144 => Some(Self::Unload),
            // Rundowns of the runtime of .NET 2.
            137..=140 => Some(Self::Rundown),
            149..=153 => Some(Self::Module),
            _ => None,
        }
    }
}

impl Observer for MethodObserver {
    fn interest(&self) -> Claims {
        let providers = [RUNTIME_GUID, NATIVE_GUID, RUNDOWN];
        let all = providers.into_iter().flat_map(|provider| (0..=IDS).map(move |id| (provider, id)));
        let read = all.filter(|(provider, id)| Statement::of_id(*provider, *id).is_some());
        Claims::manifest(read.collect::<Vec<_>>())
    }

    fn observe(&mut self, event: &RawEvent<'_>, system: &mut System) -> Result<()> {
        let Some((statement, pid)) = Statement::of(&event.key()).zip(event.pid()) else { return Ok(()) };
        let Some((schema, numbers)) = self.schemas.of(event, |schema| FixedNumbers::of(schema, &CODE)) else {
            return Ok(());
        };
        if statement == Statement::Rundown && is_known(event, pid, numbers, system) {
            return Ok(());
        }
        let located = Event::locate(*event, Some(schema), None, &mut self.scratch);
        if statement == Statement::Module {
            module(&located, pid, system);
        } else if let Some(code) = code(&located, pid) {
            match statement {
                Statement::Load => system.add_method_load(event, &code),
                Statement::Unload => system.add_method_unload(event, &code),
                _ => system.add_method_rundown(event, &code),
            }
        }
        Ok(())
    }
}

/// Returns whether a rundown states nothing new of code, as the one at the end of a session does of what the one at its
/// beginning listed.
fn is_known(event: &RawEvent<'_>, pid: u32, numbers: &FixedNumbers, system: &System) -> bool {
    let values = numbers.of_payload(event.payload(), event.pointer_size());
    let code = values.get(0).zip(values.get(1));
    code.is_some_and(|(start, id)| system.has_method_name(event, pid, start, id))
}

fn module(event: &Event<'_>, pid: u32, system: &mut System) {
    let Ok(id) = event.get("ModuleID") else { return };
    let path = ["ModuleILPath", "ModuleNativePath"]
        .iter()
        .find_map(|name| Some(text(event, name)).filter(|path| !path.is_empty()));
    system.add_method_module(pid, id, &path.unwrap_or_default());
}

/// Returns the code that an event is about; `None` if it has none.
fn code(event: &Event<'_>, pid: u32) -> Option<MethodCode> {
    let start: u64 = event.get("MethodStartAddress").ok()?;
    let size: u32 = event.get("MethodSize").ok()?;
    let flags: u32 = event.get("MethodFlags").unwrap_or_default();
    let mut code = MethodCode::new(pid, start, size.into());
    code.id = event.get("MethodID").unwrap_or_default();
    code.module_id = event.get("ModuleID").unwrap_or_default();
    // Bits 7 to 9 of the flags; see method.schema.
    code.tier = (flags >> 7 & 7) as u8;
    code.name = full_name(&text(event, "MethodNamespace"), &text(event, "MethodName"), &text(event, "MethodSignature"));
    Some(code).filter(|code| code.start != 0 && code.size != 0)
}

fn text<'a>(event: &Event<'a>, field: &str) -> Cow<'a, str> {
    event.get(field).unwrap_or_default()
}

/// Returns `Namespace.Type.Method(parameters)`: the signature without what it returns.
fn full_name(namespace: &str, name: &str, signature: &str) -> Box<str> {
    let parameters = signature.find('(').and_then(|at| signature.get(at..)).unwrap_or_default();
    let dot = if namespace.is_empty() || name.is_empty() { "" } else { "." };
    [namespace, dot, name, if name.is_empty() { "" } else { parameters }].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_parameters_and_no_result() {
        let name = full_name("System.IO.Stream", "Read", "instance int32  (unsigned int8[],int32,int32)");
        assert_eq!(&*name, "System.IO.Stream.Read(unsigned int8[],int32,int32)");
        assert_eq!(&*full_name("", "IL_STUB_PInvoke", ""), "IL_STUB_PInvoke");
        assert_eq!(&*full_name("", "", ""), "");
    }
}
