//! Fields that TraceEvent computes, by the names that views call them.

use etwkit::decode::Value;
use etwkit::event::known_id;
use etwkit::input::file_name;

use crate::cell::Cell;
use crate::disk::Disks;
use crate::evaluate::ShownEvent;
use crate::view::{Column, ColumnSource};

type Arguments<'a> = &'a [Box<str>];

impl ShownEvent<'_, '_> {
    /// Returns the result of a function; `None` if there is none of that name.
    pub(crate) fn call(&self, name: &str, arguments: Arguments<'_>) -> Option<Cell> {
        let first = arguments.first().map_or("", |name| &**name);
        match name {
            "none" => Some(Cell::Null),
            "pid" => Some(id(self.whose.pid)),
            "tid" => Some(id(self.whose.tid)),
            "cpu" => Some(Cell::number(self.event.raw().processor().into())),
            "process_name" => Some(Cell::Text(self.process_name(self.whose.pid))),
            "parent_thread" => Some(id(self.parent(self.event.raw().tid()))),
            "parent_process" => Some(id(self.parent(self.event.raw().pid()))),
            "process_of" => Some(id(self.process_of(first))),
            "process_name_of" => Some(Cell::Text(self.process_name(self.process_of(first)))),
            "path" => self.text(first).map(|path| Cell::Text(self.system().volumes.user_path(&path).into_owned())),
            "file" => Some(Cell::Text(self.file(arguments))),
            "object" => self.object(first),
            "file_name" => self.text(first).map(|path| Cell::Text(file_name(&path).to_owned())),
            "unix_time" => Some(Cell::Time(unix_time(self.bits(first).unwrap_or(0) as u32))),
            "since" => {
                self.bits(first).map(|raw| self.milliseconds(self.event.raw().time().0.wrapping_sub(raw.cast_signed())))
            }
            "milliseconds" => self.bits(first).map(|ticks| self.milliseconds(ticks.cast_signed())),
            // TraceEvent corrects the time in a copy of the event's state, which is lost.
            "disk_service" if self.compat => self.bits(first).map(|ticks| self.milliseconds(ticks.cast_signed())),
            "disk_service" => self.service.map(|ticks| self.milliseconds(ticks)),
            _ => self.arithmetic(name, arguments),
        }
    }

    fn arithmetic(&self, name: &str, arguments: Arguments<'_>) -> Option<Cell> {
        let first = arguments.first()?;
        match name {
            "bits" => {
                let shift: u32 = arguments.get(1)?.parse().ok()?;
                let mask = u64::from_str_radix(arguments.get(2)?.strip_prefix("0x")?, 16).ok()?;
                Some(Cell::Int((self.bits(first)?.checked_shr(shift)? & mask).cast_signed(), 4))
            }
            "sum" => {
                let values: Vec<u64> = arguments.iter().filter_map(|name| self.bits(name)).collect();
                let sum = values.iter().fold(0, |sum: u64, value| sum.wrapping_add(*value));
                (!values.is_empty()).then_some(Cell::Uint(sum, 8))
            }
            // Two fields that TraceEvent takes for one: no such value exists.
            "defect_join" if self.compat => {
                let high =
                    if self.event.raw().pointer_size().bytes() == 8 { self.bits(arguments.get(1)?)? << 32 } else { 0 };
                Some(Cell::Uint(high | self.bits(first)? & 0xffff_ffff, 8))
            }
            // A 32-bit number that TraceEvent reads where two of 16 bits are.
            "defect_halves" if self.compat => {
                let high = self.bits(arguments.get(1)?)? as u32;
                Some(Cell::Uint((high << 16 | u32::from(self.bits(first)? as u16)).into(), 4))
            }
            // A text that TraceEvent does not read before a version of the event.
            "defect_before" if self.compat => {
                let version: u8 = first.parse().ok()?;
                (self.event.raw().version() < version).then(|| Cell::Text(String::new()))
            }
            "count" => self.elements(first).map(|list| Cell::Uint(list.len() as u64, 8)),
            "element" => self.element(first, arguments.get(1..)?),
            "depth" => self.depth(arguments),
            "top_bit" => self.bits(first).map(top_bit),
            "tier" => self.bits(first).map(tier),
            "type_name" => Some(Cell::Text(self.type_name(self.bits(first)?).to_owned())),
            _ => None,
        }
    }

    /// Returns the header's id: who started a thread; none for a rundown.
    fn parent(&self, id: Option<u32>) -> Option<u32> {
        let is_start = self.event.raw().opcode() == 1 && self.event.raw().version() >= 2;
        id.filter(|_| is_start).and_then(known_id)
    }

    fn process_of(&self, thread: &str) -> Option<u32> {
        self.system().thread_process_at(self.bits(thread)? as u32, self.event.raw())
    }

    /// Path of the first key that has one.
    fn file(&self, keys: Arguments<'_>) -> String {
        let name = |key: &str| self.system().file_name_at(self.bits(key)?, self.event.raw());
        let path = keys.iter().find_map(|key| name(key)).unwrap_or_default();
        self.system().volumes.user_path(path).into_owned()
    }

    fn object(&self, key: &str) -> Option<Cell> {
        let own = self.text("ObjectName").filter(|name| !name.is_empty());
        let known = || self.system().object_name_at(self.bits(key)?, self.event.raw()).map(str::to_owned);
        own.or_else(known).map(Cell::Text)
    }

    fn milliseconds(&self, ticks: i64) -> Cell {
        let frequency = self.clock().map_or(0, etwkit::clock::Clock::frequency);
        if frequency <= 0 { Cell::Null } else { Cell::Double(ticks as f64 * 1000.0 / frequency as f64) }
    }

    /// Takes note of a transfer of a disk, whether its line is shown or not.
    pub(crate) fn note_disk(&mut self, columns: &[Column], disks: &mut Disks) {
        let call = columns.iter().find_map(|column| match &column.source {
            ColumnSource::Call(name, arguments) if &**name == "disk_service" => Some(arguments),
            _ => None,
        });
        let bits = |at: usize| self.bits(call?.get(at)?);
        if let (Some(elapsed), Some(disk)) = (bits(0), bits(1)) {
            self.service = Some(disks.service(disk, elapsed.cast_signed(), self.event.raw().time().0));
        }
    }

    fn depth(&self, promoted: Arguments<'_>) -> Option<Cell> {
        let any = |at: usize| promoted.get(at).and_then(|name| self.bits(name)).is_some_and(|bytes| bytes != 0);
        self.bits(promoted.first()?)?;
        Some(Cell::number(if any(1) { 2 } else { any(0).into() }))
    }

    fn element(&self, field: &str, rest: Arguments<'_>) -> Option<Cell> {
        let at: usize = rest.first()?.parse().ok()?;
        let element = self.elements(field)?.into_iter().nth(at)?;
        match (element, rest.get(1)) {
            (Cell::Struct(members), Some(name)) => {
                members.into_iter().find(|(member, _)| **member == **name).map(|(_, cell)| cell)
            }
            (cell, _) => Some(cell),
        }
    }

    /// Returns the text in a field.
    fn text(&self, name: &str) -> Option<String> {
        match self.event.field(name)?.value()? {
            Value::Utf16(text) => Some(text.to_string()),
            Value::Ansi(text) => Some(text.to_string()),
            _ => None,
        }
    }
}

fn id(id: Option<u32>) -> Cell {
    Cell::Int(id.map_or(-1, |id| id.cast_signed().into()), 4)
}

fn unix_time(seconds: u32) -> i64 {
    etwkit::FileTime::from_unix_seconds(seconds.into()).0
}

/// TraceEvent's value of a mechanism that was not used.
const NOT_SPECIFIED: i64 = 0x400;

/// A mechanism: the number of the bit under the top bit, which states that there is one.
fn top_bit(value: u64) -> Cell {
    let value = value as u32;
    let rest = value & 0x7fff_ffff;
    Cell::number(if value >> 31 == 0 || rest == 0 { NOT_SPECIFIED } else { i64::from(rest.ilog2()) })
}

/// Optimisation tier of a method's flags: three bits for what the JIT made.
fn tier(flags: u64) -> Cell {
    Cell::number((flags >> 7 & 7).cast_signed())
}
