//! Facts that follow from an event's fields and the traced system: the file of a key, a span in milliseconds, the image of
//! an address. They have names for conditions and columns; JSON lines do not have them.

use std::borrow::Cow;

use crate::decode::Event;

use super::header_field::HeaderField;
use super::header_value::HeaderValue;

/// Fields of the kernel's events with the key or the object of a file; the first that has a name counts.
const FILES: [&str; 2] = ["FileKey", "FileObject"];
/// Fields with a number of ticks that something took.
const TICKS: [&str; 2] = ["HighResResponseTime", "ElapsedTime"];
/// Fields with the time at which something began that ends with the event.
const BEGINNINGS: [&str; 1] = ["InitialTime"];
/// Fields with an address in an image.
const ADDRESSES: [&str; 5] = ["InstructionPointer", "ProgramCounter", "Routine", "CallSite", "ReturnAddress"];

/// Returns a derived value; `None` if the event has no such field, or the trace does not say what follows from it.
pub(super) fn derived_value(field: HeaderField, event: &Event<'_>) -> Option<HeaderValue<'static>> {
    if !is_of_kernel(event) {
        return None;
    }
    match field {
        HeaderField::FileName => file_name(event),
        HeaderField::ElapsedMs => elapsed(event).map(HeaderValue::Real),
        HeaderField::Image => image(event),
        _ => None,
    }
}

/// Returns whether events of a schema may have derived values.
pub(crate) fn may_have_derived(event: &Event<'_>) -> bool {
    let names = || FILES.iter().chain(&TICKS).chain(&BEGINNINGS).chain(&ADDRESSES);
    is_of_kernel(event) && names().any(|name| event.field(name).is_some())
}

/// Other providers may mean something else by the names of the fields.
fn is_of_kernel(event: &Event<'_>) -> bool {
    let provider = event.schema().and_then(|schema| schema.names().provider.as_deref());
    provider == Some(KERNEL) || event.raw().hook().is_some()
}

/// The provider of the kernel's events, as its tables call it.
const KERNEL: &str = "Windows Kernel";

fn number(event: &Event<'_>, names: &[&str]) -> Option<u64> {
    names.iter().find_map(|name| event.field(name)?.value()?.as_u64())
}

/// The path of the file as users know it, with a drive letter if the trace has one for its volume.
fn file_name(event: &Event<'_>) -> Option<HeaderValue<'static>> {
    let system = event.system();
    let name = |name: &&str| system.file_name_at(event.field(name)?.value()?.as_u64()?, event.raw());
    let path = FILES.iter().find_map(name)?;
    Some(HeaderValue::Text(Cow::Owned(system.volumes.user_path(path).into_owned())))
}

/// Milliseconds that the operation took.
fn elapsed(event: &Event<'_>) -> Option<f64> {
    let frequency = event.clock()?.frequency();
    let ticks = number(event, &TICKS).map(u64::cast_signed).or_else(|| {
        let beginning = number(event, &BEGINNINGS)?.cast_signed();
        event.raw().time().0.checked_sub(beginning)
    })?;
    (frequency > 0 && ticks >= 0).then(|| ticks as f64 * 1000.0 / frequency as f64)
}

/// The image that the address is in, and the offset in it.
fn image(event: &Event<'_>) -> Option<HeaderValue<'static>> {
    let address = number(event, &ADDRESSES)?;
    let image = event.system().image_at(event.attribution().pid.unwrap_or(0), address, event.raw())?;
    let text = format!("{}+{:#x}", image.file_name(), address.checked_sub(image.base)?);
    Some(HeaderValue::Text(Cow::Owned(text)))
}
