//! From a view's column and an event to text.

use std::collections::{HashMap, HashSet};

use etwkit::clock::Clock;
use etwkit::decode::{Attribution, Event, FieldView, Value, Visitor};
use etwkit::event::known_id;
use etwkit::schema::Field;
use etwkit::system::System;
use etwkit::trace::Trace;

use crate::cell::Cell;
use crate::net;
use crate::view::{Column, ColumnSource, Enumeration, Type, Views};

/// Names of types by process and id.
pub(crate) type TypeNames = HashMap<(u32, u64), String>;

/// An event and what is needed to show it.
pub(crate) struct ShownEvent<'a, 'e> {
    pub(crate) trace: &'a Trace,
    pub(crate) views: &'a Views,
    pub(crate) types: &'a TypeNames,
    /// Ticks that a disk served this transfer.
    pub(crate) service: Option<i64>,
    pub(crate) event: &'e Event<'e>,
    pub(crate) whose: Attribution,
    pub(crate) compat: bool,
    /// Addresses have at least eight digits.
    pub(crate) padded: bool,
}

impl ShownEvent<'_, '_> {
    pub(crate) fn system(&self) -> &System {
        self.event.system()
    }

    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.trace.clock(self.event.raw().place().file)
    }

    /// TraceEvent's name of the process that had the id at the event's time.
    pub(crate) fn process_name(&self, pid: Option<u32>) -> String {
        let Some(pid) = pid else { return String::new() };
        match self.system().running_process_at(pid, self.event.raw()) {
            _ if pid == 0 => "Idle".to_owned(),
            Some(process) if !process.short_name().is_empty() => process.short_name().to_owned(),
            _ => format!("Process({pid})"),
        }
    }

    /// Drops the process of a thread that no event has named so far, where TraceEvent does not know it.
    pub(crate) fn miss_process(&mut self, told: &HashSet<u32>) {
        let raw = &self.event.raw();
        let is_unknown = raw.pid().and_then(known_id).is_none();
        let is_told = self.whose.tid.is_none_or(|tid| told.contains(&tid));
        if is_unknown && !is_told && self.views.needs_told_thread(&raw.key()) {
            self.whose.pid = None;
        }
    }

    /// Takes a wrong field for the thread's id, where TraceEvent does.
    pub(crate) fn mistake_thread(&mut self) {
        let field = self.views.mistaken_thread(&self.event.raw().key());
        let is_unknown = self.event.raw().tid().and_then(known_id).is_none();
        if let Some(tid) = field.filter(|_| is_unknown).and_then(|name| self.bits(name)) {
            self.whose.tid = Some(tid as u32);
            self.whose.pid = self.system().thread_process_at(tid as u32, self.event.raw());
        }
    }

    pub(crate) fn type_name(&self, id: u64) -> &str {
        self.whose.pid.and_then(|pid| self.types.get(&(pid, id))).map_or("", String::as_str)
    }

    /// Returns the integer in a field.
    pub(crate) fn bits(&self, name: &str) -> Option<u64> {
        self.event.field(name).and_then(|view| single(&view))?.bits()
    }

    /// Returns the elements of an array.
    pub(crate) fn elements(&self, name: &str) -> Option<Vec<Cell>> {
        match cell_of(&self.event.field(name)?)? {
            Cell::List(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the text of a column.
    pub(crate) fn column(&self, column: &Column) -> String {
        let field = |name: &str| self.event.field(name).and_then(|view| cell_of(&view));
        let cell = match &column.source {
            ColumnSource::Number(number) => Some(Cell::number(*number)),
            ColumnSource::Field(name) => field(name).or_else(|| field(&column.name)),
            ColumnSource::Call(name, arguments) => self.call(name, arguments).or_else(|| field(&column.name)),
        };
        let cell = cell.unwrap_or_else(|| otherwise(column));
        self.show(&cell, &column.shown_as, &column.name)
    }

    /// Returns the text of a value.
    pub(crate) fn show(&self, cell: &Cell, shown_as: &Type, name: &str) -> String {
        let integer = |size: fn(u64) -> i64| cell.bits().map(size);
        match shown_as {
            _ if *cell == Cell::Null => String::new(),
            Type::Int => match integer(int) {
                Some(value) if name == "IPv4Address" && value != 0 => {
                    std::net::Ipv4Addr::from((value as u32).swap_bytes()).to_string()
                }
                value => value.map_or_else(|| self.plain(cell, name), net::grouped),
            },
            Type::Long => match integer(u64::cast_signed) {
                Some(value) if name == "objectId" => format!("0x{value:08x}"),
                value => value.map_or_else(|| self.plain(cell, name), net::grouped),
            },
            Type::Address => cell.bits().map_or_else(|| self.plain(cell, name), |bits| self.address(bits)),
            Type::Bool => cell.bits().map_or_else(|| self.plain(cell, name), |bits| truth(bits != 0)),
            Type::DateTime => {
                cell.bits().map_or_else(|| self.plain(cell, name), |bits| net::time_of(bits.cast_signed()))
            }
            Type::Enum(place) => match (self.views.enumeration(*place), integer(int)) {
                (Some(all), Some(value)) => all.text(value),
                _ => self.plain(cell, name),
            },
            Type::Value(_) | Type::Plain => self.plain(cell, name),
        }
    }

    fn address(&self, value: u64) -> String {
        if self.padded { format!("0x{value:08x}") } else { format!("{value:#x}") }
    }

    /// Returns what .NET's `ToString` returns for the value's own type.
    fn plain(&self, cell: &Cell, name: &str) -> String {
        match cell {
            Cell::Null => String::new(),
            Cell::Int(value, 4 | 8) => net::grouped(*value),
            Cell::Int(value, _) => value.to_string(),
            Cell::Uint(value, 8) => self.address(*value),
            Cell::Uint(value, _) => value.to_string(),
            Cell::Single(value) => value.to_string(),
            Cell::Double(value) => net::three_decimals(*value),
            Cell::Text(text) => text.clone(),
            Cell::Guid(guid) => guid.to_string(),
            Cell::Time(time) => net::time_of(*time),
            Cell::Date(date) => net::date_of(date, self.compat),
            Cell::Bytes(bytes) => bytes_text(bytes, name),
            Cell::List(list) => {
                let texts: Vec<String> = list.iter().map(|cell| self.plain(cell, "")).collect();
                format!("[{}]", texts.join(","))
            }
            Cell::Struct(members) => {
                let member = |(name, cell): &(String, Cell)| format!("\"{name}\":{}", self.member(cell));
                format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Returns a member of a struct, nearly as in JSON.
    fn member(&self, cell: &Cell) -> String {
        match cell {
            Cell::Null => "null".to_owned(),
            Cell::Int(value, _) => value.to_string(),
            Cell::Single(_) | Cell::Double(_) | Cell::Struct(_) => self.plain(cell, ""),
            Cell::List(list) => {
                format!("[ {} ]", list.iter().map(|cell| self.member(cell)).collect::<Vec<_>>().join(", "))
            }
            _ => format!("\"{}\"", self.plain(cell, "").replace('\\', "\\\\").replace('"', "\\\"")),
        }
    }
}

/// Returns the value of a field that the event does not have: one of its type, unless the view specifies otherwise.
fn otherwise(column: &Column) -> Cell {
    let number = column.otherwise.as_deref().and_then(|text| text.parse().ok());
    match (column.otherwise.as_deref(), &column.shown_as) {
        (Some("null"), _) | (_, Type::Plain | Type::DateTime) => Cell::Null,
        (_, Type::Value(text)) => Cell::Text((*text).to_owned()),
        _ => Cell::number(number.unwrap_or(0)),
    }
}

/// Returns the lower 32 bits as .NET's `int`.
fn int(bits: u64) -> i64 {
    (bits as u32).cast_signed().into()
}

pub(crate) fn truth(value: bool) -> String {
    if value { "True" } else { "False" }.to_owned()
}

impl Enumeration {
    /// .NET's text of a value: its name; for flags all names, largest bits last; the number if some bit has none. Of
    /// several names for one value .NET takes the one that its search comes upon, or for flags the last.
    pub(crate) fn text(&self, value: i64) -> String {
        let mut sorted: Vec<&(i64, Box<str>)> = self.values.iter().collect();
        sorted.sort_by_key(|(bits, _)| *bits as u32);
        if !self.flags || value == 0 {
            let found = sorted.binary_search_by_key(&(value as u32), |(known, _)| *known as u32).ok();
            let name = found.and_then(|at| sorted.get(at)).map(|(_, name)| name.to_string());
            return name.unwrap_or_else(|| value.to_string());
        }
        let (mut left, mut names) = (value, Vec::new());
        for (bits, name) in sorted.iter().rev().filter(|entry| entry.0 != 0).map(|entry| (entry.0, &entry.1)) {
            if left & bits == bits {
                left &= !bits;
                names.push(&**name);
            }
        }
        if left != 0 || names.is_empty() {
            return value.to_string();
        }
        names.reverse();
        names.join(", ")
    }
}

/// Bytes: socket addresses where the name implies them, else the first 16 in hexadecimal.
fn bytes_text(bytes: &[u8], name: &str) -> String {
    let is_address = name.ends_with("Address") || name.ends_with("Addr");
    let port = |bytes: &[u8]| bytes.get(2..4).and_then(|b| b.first_chunk()).map_or(0, |b| u16::from_be_bytes(*b));
    match (bytes.len(), bytes.first()) {
        (16, Some(2)) if is_address => {
            let address: Vec<String> = bytes.iter().skip(4).take(4).map(u8::to_string).collect();
            format!("{}:{}", address.join("."), port(bytes))
        }
        (28, Some(23)) if is_address => {
            let address = bytes.get(8..24).and_then(|b| b.first_chunk::<16>()).copied().unwrap_or_default();
            format!("[{}]:{}", std::net::Ipv6Addr::from(address), port(bytes))
        }
        (len, _) => {
            let hex: Vec<String> = bytes.iter().take(16).map(|b| format!("{b:02X}")).collect();
            hex.concat() + if len > 16 { "..." } else { "" }
        }
    }
}

/// Returns a field that is neither an array nor a struct.
fn single(view: &FieldView<'_>) -> Option<Cell> {
    view.value().map(|value| Cell::new(view.field, value))
}

/// Returns a field's value, arrays and structs as lists.
pub(crate) fn cell_of(view: &FieldView<'_>) -> Option<Cell> {
    if let Some(cell) = single(view) {
        return Some(cell);
    }
    let mut collect = Collect::default();
    view.visit(&mut collect);
    collect.done
}

/// Builds a tree of what a visitor sees.
#[derive(Default)]
struct Collect {
    open: Vec<(String, Cell)>,
    done: Option<Cell>,
}

impl Collect {
    fn put(&mut self, name: &str, cell: Cell) {
        match self.open.last_mut().map(|(_, open)| open) {
            Some(Cell::List(list)) => list.push(cell),
            Some(Cell::Struct(members)) => members.push((name.to_owned(), cell)),
            _ => self.done = Some(cell),
        }
    }

    fn close(&mut self) {
        if let Some((name, cell)) = self.open.pop() {
            self.put(&name, cell);
        }
    }
}

impl Visitor for Collect {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        self.put(&field.name, Cell::new(field, value));
    }

    fn begin_array(&mut self, _: usize, field: &Field) {
        self.open.push((field.name.to_string(), Cell::List(Vec::new())));
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.close();
    }

    fn begin_struct(&mut self, _: usize, field: &Field) {
        self.open.push((field.name.to_string(), Cell::Struct(Vec::new())));
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_named_as_dotnet_does() {
        let values = vec![(0, "None".into()), (1, "A".into()), (2, "B".into()), (3, "AB".into()), (8, "D".into())];
        let all = Enumeration { flags: true, values };
        assert_eq!((all.text(0), all.text(3), all.text(11)), ("None".into(), "AB".into(), "AB, D".into()));
        assert_eq!(all.text(16), "16");
    }

    #[test]
    fn bytes() {
        assert_eq!(bytes_text(&[2, 0, 0, 80, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], "LocalAddress"), "127.0.0.1:80");
        assert_eq!(bytes_text(&[0xAB; 17], "x"), format!("{}...", "AB".repeat(16)));
    }
}
