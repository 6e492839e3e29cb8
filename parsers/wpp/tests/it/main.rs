//! Tests of the parser with the engine: real traces, made traces, PDB files, hostile input.

mod common;
mod corpus;
mod hostile;
mod items;
mod lines;
mod options;
mod pdb;
