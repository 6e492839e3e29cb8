//! A file of events that the input lists.

use etwkit::bytes::u16_at;
use etwkit::format::group_guid;
use etwkit_synth::{
    Buffer, ClassicEvent, Compression, Event, ExtendedItem, Guid, LogfileHeader, MessageEvent, ModernEvent,
    PointerSize, SystemEvent, TraceBuilder,
};

use super::ids::{Id, id};

/// Writes a file of a structured input. Its first byte has the pointer size (1), the clock (2), compression (4). Each
/// event is 8 bytes and a payload: form, number of the id (u16), version, thread, marks, length of the payload (u16).
/// The low bits of the form choose the header, the others the time that passed.
pub(super) fn file(data: &[u8]) -> Vec<u8> {
    let Some((options, mut rest)) = data.split_first() else { return Vec::new() };
    let options = Options { wide: options & 1 != 0, system_time: options & 2 != 0, packed: options & 4 != 0 };
    let mut header = LogfileHeader::default();
    if options.system_time {
        header = header.on_system_time();
    }
    let mut buffers = Buffers::new(header.buffer_size as usize, options.packed);
    let mut ticks = 0_i64;
    while buffers.events < MOST
        && let Some((head, tail)) = rest.split_first_chunk::<8>()
    {
        let len = usize::from(u16_at(head, 6) & 0x0FFF).min(tail.len());
        let (payload, tail) = tail.split_at(len);
        rest = tail;
        ticks += i64::from(head[0] >> 3).pow(3);
        let processor = u16::from(head[4] & 3);
        buffers.add(processor, event(*head, payload, header.after(ticks), options.size()), len);
    }
    TraceBuilder::new(header).buffers(buffers.finish()).build().bytes
}

/// Events of a file: enough to fill what may be open.
const MOST: usize = 1 << 10;

struct Options {
    wide: bool,
    system_time: bool,
    packed: bool,
}

impl Options {
    const fn size(&self) -> PointerSize {
        if self.wide { PointerSize::Eight } else { PointerSize::Four }
    }
}

/// Returns the event of a head and a payload.
fn event(head: [u8; 8], payload: &[u8], time: i64, size: PointerSize) -> Event {
    let [form, _, _, version, thread, marks, ..] = head;
    let number = u16_at(&head, 1);
    let (pid, tid) = (u32::from(thread & 0xF0), u32::from(thread));
    let system = |event: SystemEvent| event.version(version).at(time).by(pid, tid).payload(payload).into();
    let classic = |class: Guid, opcode| {
        ClassicEvent::new(size, class, opcode).version(version.into()).at(time).by(pid, tid).payload(payload).into()
    };
    match (form & 7, id(number)) {
        (0, _) => system(SystemEvent::compact(size, number)),
        (1, _) => system(SystemEvent::perfinfo(size, number)),
        (2, _) => {
            MessageEvent::new(made_up(number), u16::from(version)).options(number).at(time).payload(payload).into()
        }
        (3, _) => trace_logging(number, marks, payload).size(size).at(time).by(pid, tid).into(),
        (4, Some(Id::Classic(class, opcode))) => classic(guid(class), opcode),
        (_, Some(Id::Classic(class, opcode))) => match group_of(class) {
            Some(group) => system(SystemEvent::system(size, u16::from(group) << 8 | u16::from(opcode))),
            None => classic(guid(class), opcode),
        },
        (_, Some(Id::Manifest(provider, id))) => {
            let event = ModernEvent::new(guid(provider)).id(id).version(version).size(size).at(time).by(pid, tid);
            marked(event, marks, tid).payload(payload).into()
        }
        (_, None) => classic(made_up(number), version),
    }
}

/// Adds what marks name: opcode, activities, a user, stacks.
fn marked(mut event: ModernEvent, marks: u8, tid: u32) -> ModernEvent {
    let activity = made_up(u16::from(marks >> 5));
    event = event.opcode(marks & 3).activity(activity);
    let items = [
        (4, ExtendedItem::related_activity(made_up(u16::from(marks >> 6)))),
        (8, ExtendedItem::stack64(u64::from(tid), &[0x7FF6_0000_1000, 0xFFFF_F800_0000_2000])),
        (16, ExtendedItem::stack_key64(u64::from(tid), u64::from(marks >> 5))),
    ];
    for (mark, item) in items {
        if marks & mark != 0 {
            event = event.item(item);
        }
    }
    event
}

/// An event that describes itself: as many bytes of the payload as marks state are the description.
fn trace_logging(number: u16, marks: u8, payload: &[u8]) -> ModernEvent {
    let (metadata, payload) = payload.split_at(usize::from(marks).min(payload.len()));
    let len = u16::try_from(metadata.len() + 2).unwrap_or(u16::MAX);
    let item = ExtendedItem::schema_tl([&len.to_le_bytes(), metadata].concat());
    ModernEvent::new(made_up(number)).id(number).item(item).payload(payload)
}

/// Returns the group of the kernel whose class this is.
fn group_of(class: etwkit::bytes::Guid) -> Option<u8> {
    (1..=u8::MAX).find(|group| group_guid(*group) == class)
}

fn guid(of: etwkit::bytes::Guid) -> Guid {
    let [a, b, c, d, e, f, g, h, rest @ ..] = of.to_bytes();
    let digits = [[d, c, b, a], [f, e, h, g]].concat().into_iter().chain(rest);
    Guid::new(digits.fold(0, |all, byte| all << 8 | u128::from(byte)))
}

/// A GUID of nobody's.
fn made_up(number: u16) -> Guid {
    Guid::new(0x5A1B_0000_0000_4000_8000_0000_0000_0000 | u128::from(number))
}

/// Buffers of each processor that are being filled.
struct Buffers {
    size: usize,
    packed: bool,
    open: [(Buffer, usize); 4],
    full: Vec<Buffer>,
    events: usize,
}

impl Buffers {
    fn new(size: usize, packed: bool) -> Self {
        let open = [0, 1, 2, 3].map(|processor| (Buffer::on(processor), 0));
        Self { size, packed, open, full: Vec::new(), events: 0 }
    }

    fn add(&mut self, processor: u16, event: Event, len: usize) {
        self.events += 1;
        let Some(open) = self.open.get_mut(usize::from(processor)) else { return };
        // The longest header with all items, and the buffer's own.
        if open.1 + len + HEADERS > self.size {
            let full = std::mem::replace(open, (Buffer::on(processor), 0));
            self.full.push(full.0);
        }
        open.1 += event.bytes.len().next_multiple_of(8);
        let before = std::mem::replace(&mut open.0, Buffer::on(processor));
        open.0 = before.event(event);
    }

    fn finish(self) -> impl Iterator<Item = Buffer> {
        let packed = self.packed;
        let rest = self.open.into_iter().filter(|(_, used)| *used > 0).map(|(buffer, _)| buffer);
        self.full
            .into_iter()
            .chain(rest)
            .map(move |buffer| if packed { buffer.compress(Compression::Xpress) } else { buffer })
    }
}

/// Room for a buffer's header and an event's with its items.
const HEADERS: usize = 512;
