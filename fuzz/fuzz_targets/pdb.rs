//! `cargo +nightly fuzz run pdb fuzz/corpus/pdb fuzz/seeds/pdb`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(pdb);
