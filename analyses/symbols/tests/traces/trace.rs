//! Traces of one process with stacks, and what is shown of them.

use etwkit::input::Input;
use etwkit::output::JsonLines;
use etwkit::trace::{RunOptions, Trace};
use etwkit_profile::weights::CpuSamples;
use etwkit_profile::{ProfileOptions, folded, profile};
use etwkit_symbols::{ImageNames, SearchPath, StackModules};
use etwkit_synth::{Buffer, Guid, LogfileHeader, PointerSize, TraceBuilder, kernel, merged};
use serde_json::Value;

pub(crate) const SIZE: PointerSize = PointerSize::Eight;
pub(crate) const PID: u32 = 400;
const TID: u32 = 404;

/// An image: base, path, and the PDB file that its RSDS record names.
pub(crate) struct Mapped {
    pub(crate) base: u64,
    pub(crate) path: &'static str,
    pub(crate) pdb: Option<(u128, u32, &'static str)>,
}

/// The bytes of the first image; each other one has a page more than the one before it.
pub(crate) const IMAGE_SIZE: u64 = 0x20_0000;

/// Returns a trace with images and a sample for each stack, whose addresses are given innermost first.
pub(crate) fn bytes(images: &[Mapped], stacks: &[Vec<u64>]) -> Vec<u8> {
    let header = LogfileHeader::default();
    let mut buffer = Buffer::on(0).event(kernel::process(SIZE, 0x0303, PID, "app.exe", "app").at(header.after(10)));
    let mut time = 20;
    for (Mapped { base, path, pdb }, size) in images.iter().zip((IMAGE_SIZE..).step_by(0x1000)) {
        time += 10;
        let at = header.after(time);
        let name = path.rsplit('\\').next().unwrap();
        buffer = buffer.event(merged::image_id(SIZE, *base, size, PID, name).at(at));
        if let Some((guid, age, name)) = pdb {
            buffer = buffer.event(merged::dbg_id_rsds(SIZE, *base, PID, (Guid::new(*guid), *age, name)).at(at));
        }
        buffer = buffer.event(kernel::image(SIZE, 0x030A, *base, size, PID, path).at(at).by(PID, TID));
    }
    for stack in stacks {
        time += 10;
        let at = header.after(time);
        buffer = buffer
            .event(kernel::sampled_profile(SIZE, stack[0], TID).at(at))
            .event(kernel::stack_walk(SIZE, at, PID, TID, stack).at(at + 1));
    }
    TraceBuilder::new(header).buffer(buffer).build().bytes
}

/// A trace that was opened with symbol files.
pub(crate) struct Named {
    pub(crate) trace: Trace,
    pub(crate) names: ImageNames,
}

impl Named {
    pub(crate) fn open(bytes: Vec<u8>, path: SearchPath) -> Self {
        let names = ImageNames::new(path);
        let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard()).with(names.clone());
        Self { trace: Trace::open(Input::bytes("made", bytes), parsers).unwrap(), names }
    }

    /// Returns the JSON of the events that have stacks.
    pub(crate) fn json(&self) -> Vec<Value> {
        let mut sink = JsonLines::<_>::new(&self.trace, Vec::new());
        self.trace.run(&RunOptions::default(), &mut sink).unwrap();
        let text = String::from_utf8(sink.finish().unwrap()).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line.get("stack").is_some()).collect()
    }

    /// Returns the paths of the folded profile, without process and thread.
    pub(crate) fn folded(&self) -> Vec<String> {
        let profile = {
            let samples = CpuSamples::new(&self.trace).unwrap();
            profile(&self.trace, samples, ProfileOptions::default(), &RunOptions::default()).unwrap()
        };
        let mut text = Vec::new();
        assert_eq!(folded(&profile, &mut text).unwrap(), 0);
        let text = String::from_utf8(text).unwrap();
        text.lines().map(|line| line.splitn(3, ';').nth(2).unwrap().to_owned()).collect()
    }

    /// Returns the frames of each module.
    pub(crate) fn modules(&self) -> Vec<(String, u64)> {
        let mut modules = StackModules::default();
        self.trace.run(&RunOptions::default(), &mut modules).unwrap();
        let modules = modules.modules();
        modules.iter().map(|module| (module.image.file_name().to_owned(), module.frames)).collect()
    }
}
