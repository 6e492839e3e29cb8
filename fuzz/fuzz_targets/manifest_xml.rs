//! `cargo +nightly fuzz run manifest_xml fuzz/corpus/manifest_xml fuzz/seeds/manifest_xml`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(manifest_xml);
