//! Images of a trace.

use etwkit::bytes::Guid;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::system::{Image, System};
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Need, Time};

etwkit_analysis::row! {
    /// An image: an executable or a library in a process, or a driver.
    pub struct ImageRow {
        /// Process id; 0 for those of the kernel.
        pid: u32 as Id,
        /// File name of the image of the process.
        process: Option<String> as Text,
        /// Path of the image, as the kernel has it.
        path: String as Text,
        /// Address of its first byte, in hexadecimal digits.
        base: String as Text,
        /// Bytes in memory.
        size: u64 as Count,
        /// Time of its load, UTC; absent if it was there before the trace.
        load: Option<Time> as Time,
        /// Time of its unload, UTC; absent if it stayed to the end of the trace.
        unload: Option<Time> as Time,
        /// Time stamp of its PE header in hexadecimal digits, if events have it; a hash in reproducible builds.
        time_stamp: Option<String> as Text,
        /// Checksum of its PE header in hexadecimal digits, if events have it.
        checksum: Option<String> as Text,
    }
}

/// Microsoft-Windows-Kernel-Process.
const KERNEL_PROCESS: Guid = Guid::from_u128(0x22fb2cd6_0e7b_422b_a0c7_2fad1fd0e716);
const IMAGE: Guid = Guid::from_u128(0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518);

/// Lists the images of a trace. No event is read: the first pass knows them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImageList;

impl Analysis for ImageList {
    type Fact = ();
    type Row = ImageRow;

    const READS_EVENTS: bool = false;

    fn interest() -> Interest {
        // Only counted: the first pass has read them.
        Interest {
            manifest: &[(KERNEL_PROCESS, &[5, 6])],
            classic: &[(IMAGE, &[10, 2, 3, 4])],
            need: Need::KernelFlags("PROC_THREAD+LOADER"),
        }
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self)
    }

    fn is_answerable(trace: &Trace) -> bool {
        trace.systems().iter().any(|system| !system.images.list().is_empty())
    }

    fn fact(_: &Event<'_>) -> Option<()> {
        None
    }

    fn step(&mut self, (): (), _: &Trace) {}

    fn finish(self, trace: &Trace) -> Vec<ImageRow> {
        let images =
            trace.systems().iter().flat_map(|system| system.images.list().iter().map(move |image| (system, image)));
        images.map(|(system, image)| row(system, image)).collect()
    }
}

fn row(system: &System, image: &Image) -> ImageRow {
    let when = image.load.or(image.unload).or(system.processes.list().find_map(|(_, process)| process.start));
    let process = when.and_then(|when| system.process_name_at(image.pid, when));
    let hex = |number: u32| Some(format!("{number:08x}")).filter(|_| number != 0);
    ImageRow {
        pid: image.pid,
        process: process.map(str::to_owned),
        path: image.path.to_string(),
        base: format!("{:#x}", image.base),
        size: image.size,
        load: image.load.map(Time),
        unload: image.unload.map(Time),
        time_stamp: hex(image.time_stamp),
        checksum: hex(image.checksum),
    }
}
