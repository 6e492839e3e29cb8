//! From events to packets: what is kept, what is counted.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use etwkit::FileId;
use etwkit::Result;
use etwkit::decode::Event;
use etwkit::trace::{Filter, Glob, Order, Trace};
use etwkit::{EventType, FileTime};

use crate::assembly::{Assembled, Assembler, Fragment, Stream};
use crate::comment::Comment;
use crate::fields::Fields;
use crate::names::Names;
use crate::ndis::{self, Keywords};
use crate::pcapng::{Direction, Interface, LinkType, PcapngWriter, Record, Section};
use crate::pktmon::{self, Appearance};
use crate::{limits, wifi};

/// Options for the packets that are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The treatment of dropped packets.
    pub drops: Drops,
    /// Only the first appearance of each packet of PktMon, which logs a packet at every component that it passes.
    pub first_appearance: bool,
    /// Only packets of PktMon that these components saw; all if empty.
    pub components: Vec<u16>,
    /// Clear the bit that marks an 802.11 frame as encrypted: Windows hands over the decrypted body with it.
    pub clear_protected: bool,
}

impl Options {
    /// Sets [`Options::drops`](field@Options::drops).
    #[must_use]
    pub const fn drops(mut self, drops: Drops) -> Self {
        self.drops = drops;
        self
    }

    /// Sets [`Options::first_appearance`](field@Options::first_appearance).
    #[must_use]
    pub const fn first_appearance(mut self, first_appearance: bool) -> Self {
        self.first_appearance = first_appearance;
        self
    }

    /// Sets [`Options::components`](field@Options::components).
    #[must_use]
    pub fn components(mut self, components: impl Into<Vec<u16>>) -> Self {
        self.components = components.into();
        self
    }

    /// Sets [`Options::clear_protected`](field@Options::clear_protected).
    #[must_use]
    pub const fn clear_protected(mut self, clear_protected: bool) -> Self {
        self.clear_protected = clear_protected;
        self
    }
}

/// The treatment of dropped packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Drops {
    /// Those of PktMon are left out and counted, as `pktmon etl2pcap` does.
    #[default]
    LeaveOut,
    /// They are written among the others.
    With,
    /// Only they are written.
    Only,
}

/// The counts of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// Packets written.
    pub packets: u64,
    /// Interfaces written.
    pub interfaces: u64,
    /// Dropped packets that were left out.
    pub dropped: u64,
    /// Packets left out by the options: repeated appearances, other components, packets that were not dropped.
    pub unwanted: u64,
    /// Packets written whose last fragments are not there.
    pub incomplete: u64,
    /// Fragments whose packet's beginning is not there: not written.
    pub orphans: u64,
    /// Events whose fields cannot be read: not written.
    pub unreadable: u64,
    /// Packets that were cut at [`limits::MAX_PACKET`] bytes.
    pub cut: u64,
    /// Packets written at 1970 because their time is not known or before it.
    pub without_time: u64,
    /// Packets written later than one that is younger.
    pub late: u64,
}

/// Events of a trace that contain packets or parts of packets.
pub fn packet_events(trace: &Trace) -> u64 {
    let holds = |provider, id| match provider {
        ndis::PROVIDER => [ndis::FRAGMENT, ndis::SWITCH_FRAGMENT].contains(&id),
        pktmon::PROVIDER => pktmon::PACKETS.contains(&id),
        _ => false,
    };
    trace.types().iter().filter(|row| holds(row.key().provider, row.key().id)).map(EventType::events).sum()
}

/// Returns the components of PktMon that saw a packet. Takes a pass.
pub fn components(trace: &Trace) -> Result<BTreeSet<u16>> {
    let provider = Glob::new(&pktmon::PROVIDER.to_string());
    let filter = Filter::default().providers([provider]).ids(pktmon::PACKETS);
    let mut found = BTreeSet::new();
    let mut events = trace.events_in(Order::File, &filter);
    while let Some(event) = events.next()? {
        found.extend(Appearance::read(&event).map(|appearance| appearance.component));
    }
    Ok(found)
}

/// Writes the packets of a trace in the order of time. Takes two passes: one for names, one for packets.
pub fn write_pcapng<W: Write>(trace: &Trace, options: Options, out: W) -> Result<Totals> {
    let providers = [pktmon::PROVIDER, ndis::PROVIDER];
    let filter = Filter::default()
        .providers(providers.iter().map(|guid| Glob::new(&guid.to_string())))
        .ids([&pktmon::PACKETS[..], &[ndis::FRAGMENT, ndis::METADATA, ndis::SWITCH_FRAGMENT]].concat());
    let mut converter = Converter::new(options, Names::read(trace)?, out)?;
    let mut events = trace.select(&filter);
    while let Some(event) = events.next()? {
        converter.event(&event)?;
    }
    Ok(converter.finish()?.0)
}

/// Turns events into blocks, one after the other.
#[derive(Debug)]
pub struct Converter<W> {
    options: Options,
    assembler: Assembler<Head>,
    /// The drivers' data about frames that follow.
    metadata: BTreeMap<Stream, Box<[u8]>>,
    output: Output<W>,
}

/// The data about a packet in its first fragment.
#[derive(Debug)]
struct Head {
    link: LinkType,
    direction: Option<Direction>,
    dropped: bool,
    comment: Comment,
}

impl<W: Write> Converter<W> {
    /// Begins the output.
    pub fn new(options: Options, names: Names, out: W) -> Result<Self> {
        let writer = PcapngWriter::new(out, &Section { system: names.system().to_owned() })?;
        let output = Output { writer, names, numbers: BTreeMap::new(), totals: Totals::default(), last: 0 };
        Ok(Self { options, assembler: Assembler::default(), metadata: BTreeMap::new(), output })
    }

    /// Takes an event; those without packets are ignored.
    pub fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let readable = match (event.raw().provider_guid(), event.raw().id()) {
            (ndis::PROVIDER, ndis::FRAGMENT | ndis::SWITCH_FRAGMENT) => self.fragment(event)?,
            (ndis::PROVIDER, ndis::METADATA) => self.keep_metadata(event),
            (pktmon::PROVIDER, id) if pktmon::PACKETS.contains(&id) => self.appearance(event)?,
            _ => true,
        };
        self.output.totals.unreadable += u64::from(!readable);
        Ok(())
    }

    /// Writes what is left, and gives back what was done and the output.
    pub fn finish(mut self) -> Result<(Totals, W)> {
        let Self { options, assembler, output, .. } = &mut self;
        assembler.finish(&mut |packet| output.assembled(options, &packet))?;
        output.totals.orphans = assembler.orphans();
        Ok((self.output.totals, self.output.writer.finish()?))
    }

    /// Takes a fragment. Returns false if its fields cannot be read.
    fn fragment(&mut self, event: &Event<'_>) -> Result<bool> {
        let (Some(stream), Some(data)) = (ndis::stream(event), Fields(event).bytes("Fragment")) else {
            return Ok(false);
        };
        if !self.options.components.is_empty() {
            // Components are PktMon's.
            self.output.totals.unwanted += u64::from(Keywords(event.raw().keywords()).starts());
            return Ok(true);
        }
        let keywords = Keywords(event.raw().keywords());
        let head = self.head(event, stream, keywords);
        let (starts, ends) = (keywords.starts(), keywords.ends());
        let Self { options, assembler, output, .. } = self;
        let fragment = Fragment { stream, starts, ends, time: event.time(), head, data };
        assembler.push(fragment, &mut |packet| output.assembled(options, &packet))?;
        Ok(true)
    }

    fn head(&mut self, event: &Event<'_>, stream: Stream, keywords: Keywords) -> Head {
        let mut comment = Comment::default();
        if keywords.starts() {
            let pid = event.raw().pid();
            comment.process(pid, process_name(pid, event));
            if let Some(metadata) = self.metadata.remove(&stream) {
                wifi::describe(&metadata, &mut comment);
            }
            if event.raw().id() == ndis::SWITCH_FRAGMENT {
                ndis::describe_switch(event, &mut comment);
            }
            if keywords.is_truncated() {
                comment.word("Truncated");
            }
            if keywords.is_dropped() {
                comment.word("Dropped");
            }
        }
        Head { link: keywords.link(), direction: keywords.direction(), dropped: keywords.is_dropped(), comment }
    }

    fn keep_metadata(&mut self, event: &Event<'_>) -> bool {
        let metadata = Fields(event).bytes("Metadata");
        let (Some(stream), Some(metadata)) = (ndis::stream(event), metadata) else { return false };
        if self.metadata.len() >= limits::MAX_OPEN {
            // No frame took them. Their age is unknown, and none of them is likely to be taken now.
            self.metadata.pop_first();
        }
        self.metadata.insert(stream, metadata.get(..limits::MAX_METADATA).unwrap_or(metadata).into());
        true
    }

    /// Returns a packet as a component saw it; false if its fields cannot be read.
    fn appearance(&mut self, event: &Event<'_>) -> Result<bool> {
        let Some(appearance) = Appearance::read(event) else { return Ok(false) };
        if !self.wants(&appearance) {
            return Ok(true);
        }
        let mut comment = Comment::default();
        let pid = event.raw().pid();
        comment.process(pid, process_name(pid, event));
        pktmon::describe(event, &appearance, &mut comment);
        let Appearance { component, link, direction, id, data, original_len, .. } = appearance;
        let origin = Origin::Component { file: event.raw().place().file, id: component };
        let packet = Packet { origin, link, direction, id, time: event.time(), data, original_len, comment: &comment };
        self.output.packet(&self.options, &packet)?;
        Ok(true)
    }

    /// Returns whether the options select a packet; counts it if they do not.
    fn wants(&mut self, appearance: &Appearance<'_>) -> bool {
        let Options { components, first_appearance, drops, .. } = &self.options;
        let totals = &mut self.output.totals;
        let elsewhere = !components.is_empty() && !components.contains(&appearance.component);
        if elsewhere || *first_appearance && appearance.number > 1 || *drops == Drops::Only && !appearance.dropped {
            totals.unwanted += 1;
            return false;
        }
        if *drops == Drops::LeaveOut && appearance.dropped {
            totals.dropped += 1;
            return false;
        }
        true
    }
}

fn process_name<'e>(pid: Option<u32>, event: &Event<'e>) -> Option<&'e str> {
    event.system().process_at(pid?, event.raw()).map(etwkit::system::Process::short_name)
}

/// Where a packet was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// At a miniport, above the driver with the lower index.
    Miniport { file: FileId, miniport: u32, lower: u32 },
    /// At a component of PktMon.
    Component { file: FileId, id: u16 },
    /// Somewhere: there are too many interfaces.
    TooMany,
}

/// A selected packet.
#[derive(Debug)]
struct Packet<'a> {
    origin: Origin,
    link: LinkType,
    direction: Option<Direction>,
    id: Option<u64>,
    time: Option<FileTime>,
    data: &'a [u8],
    original_len: u64,
    comment: &'a Comment,
}

/// The writer, and what it has written.
#[derive(Debug)]
struct Output<W> {
    writer: PcapngWriter<W>,
    names: Names,
    /// Numbers of the interfaces that were written.
    numbers: BTreeMap<(Origin, LinkType), u32>,
    totals: Totals,
    /// Time of the youngest packet.
    last: u64,
}

impl<W: Write> Output<W> {
    /// A packet whose fragments were put together.
    fn assembled(&mut self, options: &Options, packet: &Assembled<'_, Head>) -> Result<()> {
        let Assembled { stream: Stream { file, miniport, lower, .. }, head, time, data, len, complete } = *packet;
        if options.drops == Drops::Only && !head.dropped {
            self.totals.unwanted += 1;
            return Ok(());
        }
        let mut comment = head.comment.clone();
        if !complete {
            self.totals.incomplete += 1;
            comment.word("Incomplete: fragments are missing");
        }
        let origin = Origin::Miniport { file, miniport, lower };
        let Head { link, direction, .. } = *head;
        self.packet(
            options,
            &Packet { origin, link, direction, id: None, time, data, original_len: len, comment: &comment },
        )
    }

    fn packet(&mut self, options: &Options, packet: &Packet<'_>) -> Result<()> {
        let interface = self.interface(packet.origin, packet.link)?;
        let time = self.time(packet.time);
        self.totals.packets += 1;
        self.totals.cut += u64::from(packet.data.len() > limits::MAX_PACKET || packet.original_len > LARGEST);
        let mut record = Record {
            interface,
            time,
            data: packet.data,
            original_len: packet.original_len.min(u32::MAX.into()) as u32,
            direction: packet.direction,
            id: packet.id,
            comment: packet.comment.as_str(),
        };
        if !options.clear_protected || packet.link != LinkType::Wifi || !wifi::is_protected(packet.data) {
            return Ok(self.writer.packet(&record)?);
        }
        let mut frame = packet.data.to_vec();
        wifi::clear_protected(&mut frame);
        let mut comment = packet.comment.clone();
        comment.word("ProtectedBitCleared");
        (record.data, record.comment) = (&frame, comment.as_str());
        Ok(self.writer.packet(&record)?)
    }

    /// 100 ns units since 1970.
    fn time(&mut self, time: Option<FileTime>) -> u64 {
        let unix =
            time.and_then(|time| time.0.checked_sub(FileTime::UNIX_EPOCH.0)).and_then(|time| u64::try_from(time).ok());
        self.totals.without_time += u64::from(unix.is_none());
        let time = unix.unwrap_or(0);
        self.totals.late += u64::from(unix.is_some() && time < self.last);
        self.last = self.last.max(time);
        time
    }

    /// Returns the number of an interface, which is written when its first packet is.
    fn interface(&mut self, origin: Origin, link: LinkType) -> Result<u32> {
        let known = self.numbers.contains_key(&(origin, link)) || self.numbers.len() < limits::MAX_INTERFACES;
        let origin = if known { origin } else { Origin::TooMany };
        if let Some(number) = self.numbers.get(&(origin, link)) {
            return Ok(*number);
        }
        let interface = self.describe(origin, link);
        let number = self.writer.interface(&interface)?;
        self.numbers.insert((origin, link), number);
        self.totals.interfaces += 1;
        Ok(number)
    }

    fn describe(&self, origin: Origin, link: LinkType) -> Interface {
        match origin {
            Origin::Miniport { file, miniport, lower } => self.names.of_miniport(file, miniport, lower, link),
            Origin::Component { file, id } => self.names.of_component(file, id, link),
            Origin::TooMany => {
                Interface { link, name: String::new(), description: "all further interfaces".to_owned(), mac: None }
            }
        }
    }
}

/// [`limits::MAX_PACKET`] as the length that a packet had.
const LARGEST: u64 = limits::MAX_PACKET as u64;
