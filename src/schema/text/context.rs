//! What `provider` and `class` state about the events after them.

use std::borrow::Cow;

use crate::bytes::Guid;
use crate::schema::{Names, SchemaSelector};

use super::attributes::{Attributes, labelled};
use super::fault::{Fault, Read};
use super::input::Input;
use super::lex::{self, boxed};
use super::words::EVENT_WORDS;

/// The provider and the class that the next events belong to.
#[derive(Clone, Debug, Default)]
pub(super) struct Context<'t> {
    provider: Provider<'t>,
    class: Option<Class<'t>>,
}

#[derive(Clone, Debug, Default)]
struct Provider<'t> {
    name: Option<Cow<'t, str>>,
    guid: Option<Guid>,
    message: Option<Cow<'t, str>>,
}

#[derive(Clone, Debug)]
struct Class<'t> {
    name: Option<Cow<'t, str>>,
    guid: Guid,
}

/// One of the events that a statement is for, with the name of its opcode.
pub(super) type Target<'t> = (SchemaSelector, Option<Cow<'t, str>>);

impl<'t> Context<'t> {
    /// Reads what follows the word `provider`. It has no class yet.
    pub(super) fn provider(input: &mut Input<'t>) -> Read<Self> {
        let name = input.maybe(lex::name(EVENT_WORDS))?;
        input.skip();
        let guid = if input.rest().starts_with('{') { Some(input.read(lex::guid)?) } else { None };
        let message = input.maybe(labelled("message"))?;
        Ok(Self { provider: Provider { name, guid, message }, class: None })
    }

    /// Reads what follows the word `class`.
    pub(super) fn class(&mut self, input: &mut Input<'t>) -> Read<()> {
        let name = input.maybe(lex::name(EVENT_WORDS))?;
        let guid = input.read(lex::guid)?;
        self.class = Some(Class { name, guid });
        Ok(())
    }

    /// Returns whether events with this GUID may follow: the provider's or the class's.
    pub(super) fn has(&self, guid: Guid) -> bool {
        self.provider.guid == Some(guid) || self.class.as_ref().is_some_and(|class| class.guid == guid)
    }

    /// Reads which events a statement is for.
    pub(super) fn targets(&self, input: &mut Input<'t>) -> Read<Vec<Target<'t>>> {
        let here = input.place();
        match input.maybe(lex::word)? {
            Some("opcode") => {
                let class = self.class_guid(here)?;
                numbers(input, "opcodes", u8::MAX, |opcode| SchemaSelector::Classic { class, opcode })
            }
            Some("id") => {
                let provider = self.provider_guid(here)?;
                numbers(input, "event ids", u16::MAX, |id| SchemaSelector::Manifest { provider, id })
            }
            Some("name") => {
                let provider = self.provider_guid(here)?;
                let name = boxed(input.read(lex::name(EVENT_WORDS))?);
                Ok(vec![(SchemaSelector::TraceLogging { provider, name }, None)])
            }
            Some("message") => {
                let guid = self.class_guid(here)?;
                numbers(input, "message numbers", u16::MAX, |number| SchemaSelector::Wpp { guid, number })
            }
            _ => Err(Fault::wrong(here, "after `event` comes `opcode N`, `id N`, `name \"Name\"` or `message N`")),
        }
    }

    fn class_guid(&self, place: usize) -> Read<Guid> {
        let missing = || Fault::wrong(place, "such an event needs a `class` before it, since the last `provider`");
        self.class.as_ref().map(|class| class.guid).ok_or_else(missing)
    }

    fn provider_guid(&self, place: usize) -> Read<Guid> {
        self.provider.guid.ok_or_else(|| Fault::wrong(place, "such an event needs a `provider` with a GUID before it"))
    }

    /// Names from the provider, the class or the TraceLogging name, and the attributes.
    pub(super) fn names(&self, targets: &[Target<'t>], attributes: &mut Attributes<'_>) -> Names {
        let owned = |name: &Option<Cow<'t, str>>| name.as_deref().map(Box::from);
        let mut names = Names {
            provider: owned(&self.provider.name),
            provider_message: owned(&self.provider.message),
            ..Names::default()
        };
        match targets.first() {
            Some((SchemaSelector::Classic { .. } | SchemaSelector::Wpp { .. }, _)) => {
                names.provider_guid = self.provider.guid;
                names.task = self.class.as_ref().and_then(|class| owned(&class.name));
            }
            Some((SchemaSelector::TraceLogging { name, .. }, _)) => names.task = Some(name.clone()),
            _ => {}
        }
        attributes.give(&mut names);
        names
    }
}

/// `1 Start, 2 Stop`.
fn numbers<'t, T>(
    input: &mut Input<'t>,
    what: &'static str,
    most: T,
    select: impl Fn(T) -> SchemaSelector,
) -> Read<Vec<Target<'t>>>
where
    T: TryFrom<u64> + std::fmt::Display + Copy,
{
    let mut targets = Vec::new();
    loop {
        let number = input.read(lex::small(what, most))?;
        let opcode = input.maybe(lex::name(EVENT_WORDS))?;
        targets.push((select(number), opcode));
        if !input.takes(',') {
            return Ok(targets);
        }
    }
}
