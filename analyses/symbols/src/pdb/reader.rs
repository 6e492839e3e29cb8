//! Looks up addresses in a PDB file.

use pdb_addr2line::maybe_owned::MaybeOwned;
use pdb_addr2line::pdb::{FallibleIterator as _, MachineType, Rva};
use pdb_addr2line::{Context, Error, FunctionFrames, TypeFormatter, TypeFormatterFlags};

use super::guard::Guard;
use super::lines::Lines;
use super::modules::Modules;
use super::open;
use super::records::Records;
use crate::contents::Contents;
use crate::decorated::Undecorate;
use crate::frame::Found;
use crate::options::Options;

/// Opens a PDB file, and calls `serve` with a function that looks up an address (RVA). The error says what is wrong.
///
/// The context of `pdb-addr2line` borrows what belongs to it: all of it is on the stack of this function.
pub(super) fn serve(
    contents: &Contents,
    options: Options,
    serve: impl FnOnce(&mut dyn FnMut(u32) -> Vec<Found>),
) -> Result<(), String> {
    let (mut pdb, last, _) = open(contents)?;
    let text = |error: pdb_addr2line::pdb::Error| error.to_string();
    let debug_information = pdb.debug_information().map_err(text)?;
    let global_symbols = pdb.global_symbols().map_err(text)?;
    let types = pdb.type_information().map_err(text)?;
    let type_records = Records::new(last.bytes())?;
    let ids = pdb.id_information().map_err(text)?;
    let id_records = Records::new(last.bytes())?;
    let address_map = pdb.address_map().map_err(text)?;
    let strings = pdb.string_table().ok();
    let sections = pdb.sections().map_err(text)?.unwrap_or_default();
    let modules = debug_information.modules().and_then(|modules| modules.collect::<Vec<_>>()).map_err(text)?;
    let guard = Guard::new(type_records, id_records);
    let provider = Modules::new(pdb, last, guard, options.arguments, modules.len());
    let formatter = TypeFormatter::new_from_parts(
        &provider,
        modules,
        &debug_information,
        &types,
        &ids,
        strings.as_ref(),
        flags(options),
    )
    .map_err(text)?;
    let mut lines = Lines::new(&provider, formatter.modules(), strings.as_ref(), &debug_information).map_err(text)?;
    let is_x86 = matches!(debug_information.machine_type(), Ok(MachineType::X86));
    let undecorate = Undecorate { is_x86, arguments: options.arguments };
    let context = Context::new_from_parts(
        &provider,
        &sections,
        &address_map,
        &global_symbols,
        strings.as_ref(),
        &debug_information,
        MaybeOwned::Borrowed(&formatter),
    );
    let context = context.map_err(|error: Error| error.to_string())?;
    serve(&mut |rva| {
        let Ok(Some(frames)) = context.find_frames(rva) else { return Vec::new() };
        let mut frames = found(rva, frames, undecorate);
        if let Some(outermost) = frames.last_mut() {
            let line = Rva(rva).to_internal_offset(&address_map).and_then(|at| lines.find(at));
            let (file, line) = line.unwrap_or_default();
            (outermost.file, outermost.line) = (file, Some(line).filter(|line| *line != 0));
        }
        frames
    });
    Ok(())
}

fn flags(options: Options) -> TypeFormatterFlags {
    let arguments = if options.arguments { TypeFormatterFlags::empty() } else { TypeFormatterFlags::NO_ARGUMENTS };
    TypeFormatterFlags::default() | arguments
}

/// Returns the frames at an address, the innermost inlined function first.
fn found(rva: u32, frames: FunctionFrames<'_>, undecorate: Undecorate) -> Vec<Found> {
    let offset = rva.saturating_sub(frames.start_rva);
    let last = frames.frames.len().saturating_sub(1);
    let frames = frames.frames.into_iter().enumerate().map(|(number, frame)| Found {
        function: frame.function.map(|name| undecorate.name(name)),
        offset,
        file: frame.file.map(std::borrow::Cow::into_owned),
        // Line 0 is code of no line.
        line: frame.line.filter(|line| *line != 0),
        is_inlined: number < last,
    });
    frames.collect()
}
