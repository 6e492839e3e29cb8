//! `cargo +nightly fuzz run manifest_chunks fuzz/corpus/manifest_chunks fuzz/seeds/manifest_chunks`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(manifest_chunks);
