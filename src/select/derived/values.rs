//! The values of derived facts.

use std::borrow::Cow;

use crate::decode::{Event, Value};

use super::super::header_value::HeaderValue;
use super::HeaderField;
use super::sources::{
    ADDRESSES, AWAKENED_THREAD, BEGINNINGS, FILES, NEW_THREAD, OBJECT, OBJECT_NAME, OLD_THREAD, PATH, TICKS,
};

/// The event of a thread's start.
const THREAD_START: &str = "Thread/Start";
/// The id in a header whose writer the kernel does not know.
const UNKNOWN: u32 = u32::MAX;

/// Returns a derived value of an event of the kernel.
pub(super) fn value<'e>(field: HeaderField, event: &Event<'e>) -> Option<HeaderValue<'e>> {
    match field {
        HeaderField::FileName => file_name(event),
        HeaderField::ElapsedMs => elapsed(event).map(HeaderValue::Real),
        HeaderField::Image => image(event),
        HeaderField::OldPid => id(process_of(event, OLD_THREAD)),
        HeaderField::OldProcess => process_name(event, OLD_THREAD),
        HeaderField::NewPid => id(process_of(event, NEW_THREAD)),
        HeaderField::NewProcess => process_name(event, NEW_THREAD),
        HeaderField::AwakenedPid => id(process_of(event, AWAKENED_THREAD)),
        HeaderField::AwakenedProcess => process_name(event, AWAKENED_THREAD),
        HeaderField::ParentPid => id(parent(event, event.raw().pid())),
        HeaderField::ParentTid => id(parent(event, event.raw().tid())),
        HeaderField::ObjectName => object_name(event),
        _ => None,
    }
}

fn number(event: &Event<'_>, names: &[&str]) -> Option<u64> {
    names.iter().find_map(|name| event.field(name)?.value()?.as_u64())
}

fn text(event: &Event<'_>, name: &str) -> Option<String> {
    match event.field(name)?.value()? {
        Value::Utf16(text) => Some(text.to_string()),
        Value::Ansi(text) => Some(text.to_string()),
        _ => None,
    }
}

fn id<'e>(id: Option<u32>) -> Option<HeaderValue<'e>> {
    id.map(|id| HeaderValue::Number { value: id.into(), name: None })
}

/// Returns the path of the file as users know it, with a drive letter if the trace has one for its volume. The event's
/// own path counts more than that of its key. What a directory is searched for is no path.
fn file_name<'e>(event: &Event<'e>) -> Option<HeaderValue<'e>> {
    let system = event.system();
    let of_key = |name: &&str| system.file_name_at(event.field(name)?.value()?.as_u64()?, event.raw());
    let path = match text(event, PATH).filter(|path| path.starts_with('\\')) {
        Some(own) => Cow::Owned(own),
        None => Cow::Borrowed(FILES.iter().find_map(of_key)?),
    };
    Some(HeaderValue::Text(Cow::Owned(system.volumes.user_path(&path).into_owned())))
}

/// Returns the milliseconds that the operation took.
fn elapsed(event: &Event<'_>) -> Option<f64> {
    let frequency = event.clock()?.frequency();
    let ticks = number(event, &TICKS).map(u64::cast_signed).or_else(|| {
        let beginning = number(event, &BEGINNINGS)?.cast_signed();
        event.raw().time().0.checked_sub(beginning)
    })?;
    (frequency > 0 && ticks >= 0).then(|| ticks as f64 * 1000.0 / frequency as f64)
}

/// Returns the image that the address is in, and the offset in it.
fn image<'e>(event: &Event<'e>) -> Option<HeaderValue<'e>> {
    let address = number(event, &ADDRESSES)?;
    let image = event.system().image_at(event.attribution().pid.unwrap_or(0), address, event.raw())?;
    Some(HeaderValue::Frame { image: image.file_name(), offset: address.checked_sub(image.base)? })
}

/// Returns the process of the thread in a field.
fn process_of(event: &Event<'_>, thread: &str) -> Option<u32> {
    let thread = u32::try_from(number(event, &[thread])?).ok()?;
    event.system().thread_process_at(thread, event.raw())
}

fn process_name<'e>(event: &Event<'e>, thread: &str) -> Option<HeaderValue<'e>> {
    let name = event.system().process_name_at(process_of(event, thread)?, event.raw())?;
    Some(HeaderValue::Text(Cow::Borrowed(name)))
}

/// Returns an id of the header, if it is that of who started a thread. Rundowns are written by somebody else, and the
/// header of older versions has the started thread.
fn parent(event: &Event<'_>, id: Option<u32>) -> Option<u32> {
    let is_start = event.raw().version() >= 2 && event.schema()?.name() == Some(THREAD_START);
    id.filter(|id| is_start && *id != UNKNOWN)
}

/// Returns the name of the object at an address: the event's own, or that of a rundown.
fn object_name<'e>(event: &Event<'e>) -> Option<HeaderValue<'e>> {
    let own = || text(event, OBJECT_NAME).filter(|name| !name.is_empty()).map(Cow::Owned);
    let known = || event.system().object_name_at(number(event, &[OBJECT])?, event.raw()).map(Cow::Borrowed);
    own().or_else(known).map(HeaderValue::Text)
}
