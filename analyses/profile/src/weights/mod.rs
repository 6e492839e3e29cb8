//! What events weigh.

mod allocations;
mod cpu;
mod disk;
mod events;
mod exceptions;
mod faults;
mod file;
mod memory;
mod pmc;
mod weigher;

pub use allocations::Allocations;
pub use cpu::CpuSamples;
pub use disk::DiskOperations;
pub use events::Events;
pub use exceptions::Exceptions;
pub use faults::HardFaults;
pub use file::FileOperations;
pub use memory::{HeapAllocations, VirtualAllocations};
pub use pmc::{CounterSamples, CounterSource};
pub(crate) use weigher::elapsed;
pub use weigher::{Amount, Counted, Reading, Role, Weigher};
