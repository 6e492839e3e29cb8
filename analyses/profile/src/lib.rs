#![doc = include_str!("../README.md")]

mod collect;
mod forms;
mod reshape;
mod span_time;
mod tables;
mod thread_time;
mod tree;
pub mod weights;

pub use collect::{ProfileCollector, ProfileFact, ProfileOptions, ProfileWorker, profile};
pub use forms::{call_tree, chrome, firefox, flame_graph, folded, perfetto, pprof, speedscope};
pub use reshape::{Grouping, Selection, fold, fold_to, group, select};
pub use span_time::{SPANS, span_time};
pub use tables::{Function, Neighbor, callees, callers, functions, modules, processes, threads};
pub use thread_time::{ThreadFact, ThreadTime, ThreadTimeCollector, thread_time};
pub use tree::{Frame, FrameKind, Module, ModuleId, Node, NodeId, Profile, Quality, Sample, Unit, Weight};
