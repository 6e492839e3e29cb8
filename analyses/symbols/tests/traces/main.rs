//! Native frames of traces have the names that symbol files have: synthetic traces whose records name PDB files, and the
//! identities of a real one. Skipped loudly where the corpus or `llvm-symbolizer` is absent.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

#[path = "../llvm/case.rs"]
#[allow(dead_code, reason = "made for other tests, too")]
mod case;
mod made;
#[path = "../common/pdb.rs"]
mod pdb;
#[path = "../common/pe.rs"]
mod pe;
mod real;
#[path = "../llvm/symbolizer.rs"]
mod symbolizer;
mod trace;
