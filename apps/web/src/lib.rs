#![doc = include_str!("../README.md")]

#[cfg(target_family = "wasm")]
pub mod abi;
mod bytes;
mod files;
mod lanes;
mod limits;
mod overview;
mod packets;
mod processes;
mod request;
mod schemas;
mod session;
mod stacks;

pub use files::ReadFile;
pub use session::Session;
