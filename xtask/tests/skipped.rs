//! Prints how many checks the tests skipped. Cargo runs the programs of tests by the names of their packages, and this
//! one last.
#![expect(clippy::print_stdout, reason = "what it is for")]

fn main() {
    println!("\n{}\n", etwkit_corpus::summary());
}
