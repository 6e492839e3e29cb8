//! Tests of the parser with the engine: real traces, made traces, PDB files, hostile input.

#[cfg(test)]
mod common;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod hostile_pdb;
#[cfg(test)]
mod items;
#[cfg(test)]
mod made;
#[cfg(feature = "msfz")]
#[cfg(test)]
mod msfz;
#[cfg(test)]
mod options;
#[cfg(test)]
mod pdb;
#[cfg(test)]
mod random;
