//! Files that tests make.

pub(crate) mod pdb;
pub(crate) mod pe;
