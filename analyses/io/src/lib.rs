//! Analyses of what processes use: disks, files, memory, registry, network, DNS. `docs/analyses/io.md` of the repository has their
//! columns and formulas.

mod derived;
mod disk;
mod dns;
mod faults;
mod file;
mod limits;
mod list;
mod memory;
mod network;
mod packed_list;
mod registry;

pub use disk::{DiskByFile, DiskEach, DiskEachRow, DiskFact, DiskOverTime, DiskOverTimeRow, DiskRow};
pub use dns::{DnsByName, DnsEach, DnsEachRow, DnsFact, DnsRow};
pub use faults::{FaultEachRow, FaultFact, FaultRow, FaultsByFile, FaultsEach};
pub use file::{FileByFile, FileEach, FileEachRow, FileFact, FileRow};
pub use memory::{MemoryByProcess, MemoryFact, MemoryRow};
pub use network::{
    NetworkByPeer, NetworkEach, NetworkEachRow, NetworkFact, NetworkOverTime, NetworkOverTimeRow, NetworkRow,
};
pub use registry::{RegistryByKey, RegistryEach, RegistryEachRow, RegistryFact, RegistryRow};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
