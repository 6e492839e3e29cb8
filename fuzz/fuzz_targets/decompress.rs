//! `cargo +nightly fuzz run decompress fuzz/corpus/decompress fuzz/seeds/decompress`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(decompress);
