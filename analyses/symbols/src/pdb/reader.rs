//! Opens a PDB file for looking up addresses.

use std::cell::RefCell;
use std::collections::HashMap;

use pdb_addr2line::{TypeFormatter, TypeFormatterFlags};

use super::functions::{Functions, is_x86, parts, publics};
use super::guard::Guard;
use super::modules::Modules;
use super::open;
use super::records::Records;
use crate::contents::Contents;
use crate::frame::Found;
use crate::options::Options;

/// Opens a PDB file, and calls `serve` with a function that looks up an address (RVA). The error states what is wrong.
///
/// What is read borrows from each other: all of it is on the stack of this function.
pub(super) fn serve(
    contents: &Contents,
    options: Options,
    serve: impl FnOnce(&mut dyn FnMut(u32) -> Vec<Found>),
) -> Result<(), String> {
    let (mut pdb, last) = open(contents)?;
    let text = |error: pdb_addr2line::pdb::Error| error.to_string();
    let information = pdb.debug_information().map_err(text)?;
    let global_symbols = pdb.global_symbols().map_err(text)?;
    let types = pdb.type_information().map_err(text)?;
    let type_records = Records::new(last.bytes())?;
    let ids = pdb.id_information().map_err(text)?;
    let id_records = Records::new(last.bytes())?;
    let address_map = pdb.address_map().map_err(text)?;
    let strings = pdb.string_table().ok();
    let list = information.modules().and_then(pdb_addr2line::pdb::FallibleIterator::collect::<Vec<_>>).map_err(text)?;
    let modules = Modules::new(pdb, last, list.len());
    let formatter =
        TypeFormatter::new_from_parts(&modules, list, &information, &types, &ids, strings.as_ref(), flags(options));
    let mut functions = Functions {
        modules: &modules,
        formatter: formatter.map_err(text)?,
        guard: RefCell::new(Guard::new(type_records, id_records)),
        address_map: &address_map,
        strings: strings.as_ref(),
        parts: parts(&information).map_err(text)?,
        publics: publics(&global_symbols).map_err(text)?,
        options,
        is_x86: is_x86(&information),
        tables: HashMap::new(),
    };
    serve(&mut |rva| functions.find(rva));
    Ok(())
}

fn flags(options: Options) -> TypeFormatterFlags {
    let arguments = if options.arguments { TypeFormatterFlags::empty() } else { TypeFormatterFlags::NO_ARGUMENTS };
    TypeFormatterFlags::default() | arguments
}
