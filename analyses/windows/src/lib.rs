//! Analyses of traces of Windows: machine, boot, events, RPC, HTTP, graphics, processor power. `docs/analyses/windows.md` of
//! the repository has their columns and formulas.

mod boot;
mod dxgkrnl;
mod event_types;
mod gpu;
mod http;
mod idle;
mod intervals;
mod limits;
mod machine;
mod machine_facts;
mod power;
mod present;
mod rpc;
mod summary;

pub use boot::{BootEach, BootEachRow, BootFact, BootPhases, BootRow};
pub use event_types::{EventTypeFact, EventTypeRow, EventTypes};
pub use gpu::{GpuByEngine, GpuEach, GpuEachRow, GpuFact, GpuRow, VSyncByAdapter, VSyncFact, VSyncRow};
pub use http::{HttpByUrl, HttpRow};
pub use idle::{IdleFact, IdleRow, IdleStates};
pub use machine::{Machine, MachineFact, MachineRow};
pub use machine_facts::{machine_facts, product};
pub use power::{PowerFact, PowerRow, ProcessorPower};
pub use present::{PresentByProcess, PresentFact, PresentRow};
pub use rpc::{RpcByProcedure, RpcEach, RpcEachRow, RpcFact, RpcRow};
pub use summary::{Summary, SummaryRow};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
