//! What an event states about the working sets of all processes.

use etwkit::decode::{Event, FieldView, Value, Visitor};
use etwkit::schema::Field;

/// Sizes of a process's memory, in pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) pid: u32,
    pub(super) working_set: u64,
    pub(super) private_working_set: u64,
    pub(super) commit: u64,
}

/// Processes of an event that are read.
const MOST: usize = 1 << 16;

/// Reads the processes of an event.
pub(super) fn working_sets(event: &Event<'_>) -> Vec<Sizes> {
    let mut reader = Reader::default();
    if let Ok(values) = event.get::<FieldView<'_>>("Values") {
        values.visit(&mut reader);
    }
    reader.list
}

#[derive(Debug, Default)]
struct Reader {
    list: Vec<Sizes>,
}

impl Visitor for Reader {
    fn value(&mut self, _: usize, field: &Field, value: Value<'_>) {
        let (Some(number), Some(last)) = (value.as_u64(), self.list.last_mut()) else { return };
        match &*field.name {
            "ProcessID" => last.pid = number as u32,
            "WorkingSetPageCount" => last.working_set = number,
            "PrivateWorkingSetPageCount" => last.private_working_set = number,
            "CommitPageCount" => last.commit = number,
            _ => {}
        }
    }

    fn begin_struct(&mut self, _: usize, _: &Field) {
        if self.list.len() < MOST {
            self.list.push(Sizes::default());
        }
    }
}
