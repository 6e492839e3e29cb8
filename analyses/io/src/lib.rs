//! Analyses of what processes use: disks, files, memory, network. `docs/analyses/io.md` of the repository has their
//! columns and formulas.

mod derived;
mod disk;
mod faults;
mod limits;
mod list;
mod network;

pub use disk::{DiskByFile, DiskEach, DiskEachRow, DiskFact, DiskRow};
pub use faults::{FaultEachRow, FaultFact, FaultRow, FaultsByFile, FaultsEach};
pub use network::{NetworkByPeer, NetworkEach, NetworkEachRow, NetworkFact, NetworkRow};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
