//! The values of derived facts.

use std::borrow::Cow;

use crate::event::known_id;

use super::super::header_value::HeaderValue;
use super::facts::Facts;
use super::{HeaderField, Role};

/// The event of a thread's start.
const THREAD_START: &str = "Thread/Start";

/// Returns a derived value of an event of the kernel.
pub(crate) fn value<'e>(field: HeaderField, event: &impl Facts<'e>) -> Option<HeaderValue<'e>> {
    match field {
        HeaderField::FileName => file_name(event),
        HeaderField::ElapsedMs => elapsed(event).map(HeaderValue::Real),
        HeaderField::Image => image(event),
        HeaderField::OldPid => id(process_of(event, Role::OldThread)),
        HeaderField::OldProcess => process_name(event, Role::OldThread),
        HeaderField::NewPid => id(process_of(event, Role::NewThread)),
        HeaderField::NewProcess => process_name(event, Role::NewThread),
        HeaderField::AwakenedPid => id(process_of(event, Role::AwakenedThread)),
        HeaderField::AwakenedProcess => process_name(event, Role::AwakenedThread),
        HeaderField::ParentPid => id(parent(event, event.raw().pid())),
        HeaderField::ParentTid => id(parent(event, event.raw().tid())),
        HeaderField::ObjectName => object_name(event),
        _ => None,
    }
}

fn id<'e>(id: Option<u32>) -> Option<HeaderValue<'e>> {
    id.map(|id| HeaderValue::Number { value: id.into(), name: None })
}

/// Returns the path of the file as users know it, with a drive letter if the trace has one for its volume. The event's
/// own path counts more than that of its key. What a directory is searched for is not a path.
fn file_name<'e>(event: &impl Facts<'e>) -> Option<HeaderValue<'e>> {
    let system = event.system();
    let path = match event.text(Role::Path).filter(|path| path.starts_with('\\')) {
        Some(own) => Cow::Owned(own),
        None => Cow::Borrowed(event.find(Role::File, |key| system.file_name_at(key, event.raw()))?),
    };
    Some(HeaderValue::Text(Cow::Owned(system.volumes.user_path(&path).into_owned())))
}

/// Returns the milliseconds that the operation took.
#[expect(single_use_lifetimes, reason = "an elided lifetime is not stable here")]
fn elapsed<'e>(event: &impl Facts<'e>) -> Option<f64> {
    let frequency = event.clock()?.frequency();
    let ticks = event.number(Role::Ticks).map(u64::cast_signed).or_else(|| {
        // 0 states no time, as in the fields themselves.
        let beginning = event.number(Role::Beginning).filter(|beginning| *beginning != 0)?.cast_signed();
        event.raw().time().0.checked_sub(beginning)
    })?;
    (frequency > 0 && ticks >= 0).then(|| ticks as f64 * 1000.0 / frequency as f64)
}

/// Returns the image that the address is in, and the offset in it.
fn image<'e>(event: &impl Facts<'e>) -> Option<HeaderValue<'e>> {
    let address = event.number(Role::Address)?;
    let image = event.system().image_at(event.attribution().pid.unwrap_or(0), address, event.raw())?;
    Some(HeaderValue::Frame { image: image.file_name(), offset: address.checked_sub(image.base)? })
}

/// Returns the process of the thread in a field.
#[expect(single_use_lifetimes, reason = "an elided lifetime is not stable here")]
fn process_of<'e>(event: &impl Facts<'e>, thread: Role) -> Option<u32> {
    let thread = u32::try_from(event.number(thread)?).ok()?;
    event.system().thread_process_at(thread, event.raw())
}

fn process_name<'e>(event: &impl Facts<'e>, thread: Role) -> Option<HeaderValue<'e>> {
    let name = event.system().process_name_at(process_of(event, thread)?, event.raw())?;
    Some(HeaderValue::Text(Cow::Borrowed(name)))
}

/// Returns an id of the header, if it is that of who started a thread. Rundowns are written by somebody else, and the
/// header of older versions has the started thread.
#[expect(single_use_lifetimes, reason = "an elided lifetime is not stable here")]
fn parent<'e>(event: &impl Facts<'e>, id: Option<u32>) -> Option<u32> {
    let is_start = event.raw().version() >= 2 && event.schema()?.name() == Some(THREAD_START);
    id.filter(|_| is_start).and_then(known_id)
}

/// Returns the name of the object at an address: the event's own, or that of a rundown.
fn object_name<'e>(event: &impl Facts<'e>) -> Option<HeaderValue<'e>> {
    let own = || event.text(Role::ObjectName).filter(|name| !name.is_empty()).map(Cow::Owned);
    let known = || event.system().object_name_at(event.number(Role::Object)?, event.raw()).map(Cow::Borrowed);
    own().or_else(known).map(HeaderValue::Text)
}
