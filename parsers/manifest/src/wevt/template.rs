//! The `WEVT_TEMPLATE` resource.

use std::collections::HashMap;

use etwkit::bytes::{u8_at, u16_at, u32_at};
use etwkit::error::{Error, Result};
use etwkit::schema::{standard_level, standard_opcode};

use super::Messages;
use super::blocks::{Blocks, guid_at, mask_at};
use super::items::Items;
use crate::model::{Event, Provider, Text, display, opcode_name, with_parameters};

/// Providers of one resource; Windows' binaries have a handful.
const MAX_PROVIDERS: u32 = 1 << 12;

/// Types of a provider's elements.
mod element {
    pub(super) const EVENTS: u32 = 4;
    pub(super) const CHANNELS: u32 = 5;
    pub(super) const ATTRIBUTES: u32 = 13;
}

/// Compiles all providers of a resource: `CRIM`. Texts come from `messages`; what has none there is without.
pub fn parse(resource: &[u8], messages: &Messages) -> Result<Vec<Provider>> {
    let mut blocks = Blocks::new(resource);
    let head = blocks.block(0, *b"CRIM", 16, "WEVT_TEMPLATE")?;
    let count = u32_at(head, 12);
    if count > MAX_PROVIDERS {
        return Err(Error::limit("providers of a WEVT_TEMPLATE resource", MAX_PROVIDERS as usize).at(12));
    }
    let list = blocks.list(16, count, 20, "providers of a WEVT_TEMPLATE resource")?;
    list.map(|(_, entry)| {
        let mut reader =
            Reader { blocks: &mut blocks, messages, items: Items::default(), channels: Channels::default() };
        let mut provider = reader.provider(u32_at(entry, 16))?;
        provider.guid = guid_at(entry, 0);
        Ok(provider)
    })
    .collect()
}

struct Reader<'b, 'r, 'm> {
    blocks: &'b mut Blocks<'r>,
    messages: &'m Messages,
    items: Items,
    channels: Channels,
}

/// Names of channels by their two numbers, of which events have one.
#[derive(Default)]
struct Channels {
    by_first: HashMap<u32, Text>,
    by_second: HashMap<u32, Text>,
}

impl Channels {
    /// Adds a channel. Of several with one number the first counts.
    fn add(&mut self, [first, second]: [u32; 2], name: Text) {
        self.by_first.entry(first).or_insert_with(|| Text::clone(&name));
        self.by_second.entry(second).or_insert(name);
    }

    /// Returns the name that goes with the number of an event; 0 means that there is no channel. Which of a channel's
    /// numbers events have is not documented: the first goes before the second.
    fn name(&self, number: u32) -> Option<Text> {
        if number == 0 {
            return None;
        }
        self.by_first.get(&number).or_else(|| self.by_second.get(&number)).map(Text::clone)
    }
}

impl Reader<'_, '_, '_> {
    /// `WEVT`: message id, then a list of elements by type.
    fn provider(&mut self, offset: u32) -> Result<Provider> {
        let head = self.blocks.block(offset, *b"WEVT", 16, "a provider")?;
        let count = u32_at(head, 12);
        let elements: Vec<(u32, u32)> = self
            .blocks
            .list(offset.saturating_add(16), count.min(64), 8, "elements of a provider")?
            .map(|(_, element)| (u32_at(element, 0), u32_at(element, 4)))
            .collect();
        let of = |wanted| elements.iter().filter(move |(kind, _)| *kind == wanted).map(|(_, offset)| *offset);
        let mut provider = Provider { message: self.messages.get(u32_at(head, 8)), ..Provider::default() };
        for offset in of(element::ATTRIBUTES) {
            provider.name = self.name(offset)?;
        }
        for offset in of(element::CHANNELS) {
            self.channels(offset)?;
        }
        for offset in of(element::EVENTS) {
            self.events(offset, &mut provider.events)?;
        }
        (provider.templates, provider.maps) =
            (std::mem::take(&mut self.items.templates), std::mem::take(&mut self.items.maps));
        provider.sort();
        Ok(provider)
    }

    /// `PRVA`: attributes by kind; the one that is there is the provider's name (seen in `clretwrc.dll`).
    fn name(&mut self, offset: u32) -> Result<Option<Text>> {
        const NAME: u32 = 0x1000_0001;
        let head = self.blocks.block(offset, *b"PRVA", 12, "provider attributes")?;
        let count = u32_at(head, 8).min(16);
        for (_, attribute) in self.blocks.list(offset.saturating_add(12), count, 8, "provider attributes")? {
            if u32_at(attribute, 0) == NAME {
                return self.blocks.bare_text(u32_at(attribute, 4));
            }
        }
        Ok(None)
    }

    /// `CHAN`.
    fn channels(&mut self, offset: u32) -> Result<()> {
        let head = self.blocks.block(offset, *b"CHAN", 12, "channels")?;
        for (place, channel) in self.blocks.list(offset.saturating_add(12), u32_at(head, 8), 16, "channels")? {
            self.blocks.charge(16, place)?;
            if let Some(name) = self.blocks.text(u32_at(channel, 4))? {
                self.channels.add([u32_at(channel, 0), u32_at(channel, 8)], name);
            }
        }
        Ok(())
    }

    /// `EVNT`.
    fn events(&mut self, offset: u32, events: &mut Vec<Event>) -> Result<()> {
        let head = self.blocks.block(offset, *b"EVNT", 16, "events")?;
        for (place, event) in self.blocks.list(offset.saturating_add(16), u32_at(head, 8), 48, "events")? {
            self.blocks.charge(48, place)?;
            events.push(self.event(event)?);
        }
        Ok(())
    }

    fn event(&mut self, bytes: &[u8]) -> Result<Event> {
        let (level, opcode) = (u8_at(bytes, 4), u8_at(bytes, 5));
        let place = |at| Some(u32_at(bytes, at)).filter(|place| *place != 0);
        // OPCO and LEVL: value, message, name. TASK: value, message, class, name.
        let (opcode_text, opcode_message) = place(24).map(|at| self.named(at, 8)).transpose()?.unwrap_or_default();
        let level_text = place(28).map(|at| self.named(at, 8)).transpose()?.and_then(|(shown, _)| shown);
        let (task, task_message) = place(32).map(|at| self.named(at, 24)).transpose()?.unwrap_or_default();
        let class = place(32).and_then(|at| Some(guid_at(self.blocks.at(at, 28, "a task").ok()?, 8)));
        let template = place(20).map(|at| self.items.template(at, self.blocks, self.messages)).transpose();
        let (template, defect) = match template {
            Ok(template) => (template, None),
            Err(error) => (None, Some(error.to_string().into())),
        };
        let (keywords, keyword_messages) = self.keywords(u32_at(bytes, 40), u32_at(bytes, 36))?;
        Ok(Event {
            id: u16_at(bytes, 0),
            version: u8_at(bytes, 2),
            opcode,
            class: class.filter(|class| !class.is_null()),
            task: match task.as_deref().and_then(|name| name.strip_prefix("win:")) {
                Some(name) => Some(self.own(name.into())?),
                None => task,
            },
            opcode_name: match opcode_text {
                Some(name) => Some(self.own(opcode_name(&name, opcode))?),
                None => standard_opcode(opcode).map(Text::from),
            },
            level: level_text.filter(|_| standard_level(level).is_none()),
            channel: self.channels.name(u8_at(bytes, 3).into()),
            channel_message: None,
            task_message,
            opcode_message,
            keywords,
            keyword_messages,
            symbol: None,
            message: self.message(u32_at(bytes, 16))?,
            template,
            defect,
        })
    }

    fn message(&mut self, id: u32) -> Result<Option<Text>> {
        let Some(text) = self.messages.get(id) else { return Ok(None) };
        let whole = with_parameters(&text, |number| self.messages.get(number));
        Ok(Some(if Text::ptr_eq(&text, &whole) { text } else { self.own(whole)? }))
    }

    /// Returns a text that was made for one event, which is paid for: a few bytes may ask for a long one.
    fn own(&mut self, text: Text) -> Result<Text> {
        self.blocks.charge(text.len(), 0)?;
        Ok(text)
    }

    /// Returns the display text and the message of an element with its message at +4 and its name's place at `name`.
    fn named(&mut self, offset: u32, name: usize) -> Result<(Option<Text>, Option<Text>)> {
        let bytes = self.blocks.at(offset, name + 4, "a task, opcode or level")?;
        let message = self.messages.get(u32_at(bytes, 4));
        let name = self.blocks.text(u32_at(bytes, name))?;
        Ok((display(name.as_ref(), message.as_ref()), message))
    }

    /// Returns keywords by a list of their places, and the mask of those that are shown by their messages. KEYW: mask,
    /// message, name.
    fn keywords(&mut self, offset: u32, count: u32) -> Result<(Vec<(u64, Text)>, u64)> {
        let (mut keywords, mut messages) = (Vec::new(), 0);
        for (place, at) in self.blocks.list(offset, count.min(64), 4, "keywords of an event")? {
            self.blocks.charge(16, place)?;
            let keyword = self.blocks.at(u32_at(at, 0), 16, "a keyword")?;
            let (mask, message) = (mask_at(keyword, 0), self.messages.get(u32_at(keyword, 8)));
            let name = self.blocks.text(u32_at(keyword, 12))?;
            let shown = display(name.as_ref(), message.as_ref());
            messages |= if message.is_some() && shown == message { mask } else { 0 };
            keywords.extend(shown.map(|name| (mask, name)));
        }
        Ok((keywords, messages))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_of_a_channel_goes_before_the_second_and_the_first_channel_before_others() {
        let mut channels = Channels::default();
        for (numbers, name) in [([16, 8], "a"), ([17, 16], "b"), ([17, 9], "c"), ([0, 8], "d")] {
            channels.add(numbers, name.into());
        }
        let name = |number| channels.name(number).map_or(String::new(), |name| name.to_string());
        assert_eq!([16, 17, 8, 9, 0, 10].map(name), ["a", "b", "a", "c", "", ""]);
    }
}
