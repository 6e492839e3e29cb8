//! Files and functions are short.

use crate::sources::{Source, handwritten};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

/// The longest file that is not a table.
const MAX_FILE_LINES: usize = 400;
/// What 99 of 100 functions keep.
const P99_FUNCTION_LINES: usize = 40;

#[test]
fn no_file_is_longer_than_400_lines() {
    let long: Vec<_> = handwritten()
        .iter()
        .map(|source| (source.text.lines().count(), source.name()))
        .filter(|(lines, _)| *lines > MAX_FILE_LINES)
        .collect();
    assert!(long.is_empty(), "files of more than {MAX_FILE_LINES} lines: {long:#?}");
}

#[test]
fn ninety_nine_of_a_hundred_functions_have_at_most_40_lines() {
    let mut functions: Vec<_> = handwritten().iter().flat_map(functions_of).collect();
    functions.sort_by_key(|(lines, _)| *lines);
    assert!(functions.len() > 5_000, "only {} functions found", functions.len());
    let rank = functions.len() * 99 / 100;
    let p99 = functions[rank].0;
    assert!(p99 <= P99_FUNCTION_LINES, "p99 is {p99} lines; the longest: {:#?}", &functions[rank..]);
}

/// The functions of a file: lines and name.
fn functions_of(source: &Source) -> Vec<(usize, String)> {
    let mut found = Functions { file: source.name(), all: Vec::new() };
    found.visit_file(&source.syntax);
    found.all
}

struct Functions {
    file: String,
    all: Vec<(usize, String)>,
}

impl Functions {
    fn add(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let lines = block.span().end().line + 1 - signature.span().start().line;
        self.all.push((lines, format!("{} {}", self.file, signature.ident)));
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.add(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}
