//! Each page fault for which a page was read from a disk.

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Time};
use etwkit_kernel_analyses::NamedProcess;

use super::fact::{Fault, FaultFact, HardFault, INTEREST};
use crate::list::List;

etwkit_analysis::row! {
    /// A page fault for which a page was read from a disk.
    pub struct FaultEachRow {
        /// Time at which the page was read, UTC.
        time: Time as Time,
        /// Process id.
        pid: Option<u32> as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Thread that used the page.
        tid: Option<u32> as Id,
        /// Path of the file.
        file: Option<String> as Text,
        /// Place in the file, in bytes.
        offset: Option<u64> as Id,
        /// Address that the thread used, hexadecimal.
        address: Option<String> as Text,
        /// Bytes.
        bytes: u64 as Count,
        /// Milliseconds from the fault to the end of the read.
        elapsed_ms: Option<f64> as Milliseconds,
    }
}

/// Lists the page faults for which pages were read from disks, in order of time.
#[derive(Debug, Default)]
pub struct FaultsEach {
    list: List<(NamedProcess, HardFault)>,
}

impl Analysis for FaultsEach {
    type Fact = FaultFact;
    type Row = FaultEachRow;

    fn interest() -> Interest {
        INTEREST
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn fact(event: &Event<'_>) -> Option<FaultFact> {
        FaultFact::of(event)
    }

    fn step(&mut self, FaultFact { process, fault }: FaultFact, _: &Trace) {
        if let Fault::Hard(fault) = fault {
            self.list.push((process, fault));
        }
    }

    fn excess(&self) -> u64 {
        self.list.excess()
    }

    fn finish(self, _: &Trace) -> Vec<FaultEachRow> {
        self.list.into_rows(|(process, fault)| FaultEachRow {
            time: Time(fault.time),
            pid: process.key.pid,
            process: process.name.map(String::from),
            tid: fault.tid,
            file: fault.file.map(String::from),
            offset: fault.offset,
            address: fault.address.map(|address| format!("{address:#x}")),
            bytes: fault.bytes,
            elapsed_ms: fault.elapsed,
        })
    }
}
