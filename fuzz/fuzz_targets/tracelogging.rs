//! `cargo +nightly fuzz run tracelogging fuzz/corpus/tracelogging fuzz/seeds/tracelogging`
#![cfg_attr(fuzzing, no_main)]
etwkit_fuzz::target!(tracelogging);
