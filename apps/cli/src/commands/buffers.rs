//! `etwkit buffers`: the buffers of a trace, in the order of the file.

use std::io::Write;

use etwkit::FileId;
use etwkit::container::{Arena, BufferInfo, Frame, Frames, Head, Step, Walk};
use etwkit::error::ProblemList;
use etwkit::format::Framing;
use etwkit::input::Input;
use etwkit::render::terminal;
use etwkit::{Problem, Severity};
use serde_json::{Value, json};

use crate::args::{FailOnArgs, ReportFormat};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::{InputArgs, Opened};
use crate::problem_text;
use crate::program::Program;
use crate::session::{Findings, for_each_input};
use crate::text::safe_json;

const HELP: &str = "\
Examples:
  etwkit buffers trace.etl
  etwkit buffers trace.etl --format jsonl | jq 'select(.compressed)'";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    format: ReportFormat,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let Args { input, format } = args;
    let json = format.is_json();
    let mut findings = Findings::new(FailOnArgs::default(), printer);
    let mut out = std::io::BufWriter::new(crate::output::stdout());
    for_each_input(&input, &mut findings, |opened, findings| {
        let Opened { input, archive_problem, .. } = opened;
        let mut problems = ProblemList::from_iter(archive_problem);
        let done = list(&input, json, &mut out, &mut problems);
        findings.list(&problems.listed, problems.unlisted_damage, |_| input.name().to_owned());
        done.map_err(|failure| failure.of(input.name()))
    })?;
    out.flush()?;
    Ok(findings.status())
}

fn list(source: &Input, json: bool, out: &mut impl Write, problems: &mut ProblemList) -> Result<(), Failure> {
    let head = Head::read(source, FileId::FIRST, &mut problems.listed)?;
    let mut frames = Frames::new(source, FileId::FIRST, &head);
    let mut arena = Arena::default();
    let mut number = 0;
    if !json {
        writeln!(out, "{}", terminal::escaped(source.name()))?;
        writeln!(out, "{TITLE}")?;
    }
    while let Some(frame) = frames.next_frame()? {
        match frame {
            Frame::Buffer(info) => {
                let row = BufferRow::read(source, number, info, &mut arena)?;
                row.print(source.name(), json, out)?;
                problems.absorb(row.problems);
                number += 1;
            }
            Frame::Problem(problem) => {
                print_problem(&problem, source.name(), json, out)?;
                problems.push(problem.severity, || problem);
            }
        }
    }
    Ok(())
}

/// One buffer.
struct BufferRow {
    number: u32,
    info: BufferInfo,
    events: u64,
    first: Option<i64>,
    last: Option<i64>,
    problems: ProblemList,
}

impl BufferRow {
    fn read(source: &Input, number: u32, info: BufferInfo, arena: &mut Arena) -> Result<Self, Failure> {
        let mut loaded = arena.load(source, &info)?;
        let problems = ProblemList::from_iter(loaded.problem.take());
        let mut row = Self { number, info, events: 0, first: None, last: None, problems };
        let mut walk = Walk::new(loaded.bytes, &info, number);
        while let Some(step) = walk.step() {
            match step {
                Step::Event(event) => row.event(event.time().0),
                Step::UnreadBytes(gap) => {
                    row.problems.push(Severity::Damage, || loaded.problem_of(&info, gap));
                }
            }
        }
        Ok(row)
    }

    fn event(&mut self, time: i64) {
        self.events += 1;
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = Some(self.last.map_or(time, |last| last.max(time)));
    }

    fn print(&self, file: &str, json: bool, out: &mut impl Write) -> std::io::Result<()> {
        if json {
            return writeln!(out, "{}", safe_json(&self.json(file)));
        }
        let Self { number, info, events, .. } = self;
        let time = |time: Option<i64>| time.map_or_else(|| "-".to_owned(), |time| time.to_string());
        let (first, last) = (time(self.first), time(self.last));
        let BufferInfo { offset, size, used, flags, .. } = info;
        let [cpu, kind, sequence] = match info.framing {
            // A block has none of them; its records have their processors.
            Framing::Records => ["-"; 3].map(str::to_owned),
            _ => [info.processor.to_string(), info.buffer_type.to_string(), info.sequence.to_string()],
        };
        writeln!(
            out,
            "{number:>7} {offset:>#12x} {size:>9} {used:>9} {cpu:>4} {kind:>4} {sequence:>9} {events:>8} \
             {first:>20} {last:>20}  {flags}"
        )
    }

    fn json(&self, file: &str) -> Value {
        let info = &self.info;
        let mut row = json!({
            "file": file,
            "buffer": self.number,
            "offset": info.offset,
            "size": info.size,
            "used": info.used,
            "compressed": info.is_compressed(),
            "flags": info.flags.to_string(),
            "cpu": info.processor,
            "type": info.buffer_type,
            "sequence": info.sequence,
            "flush_time": info.time.0,
            "events": self.events,
        });
        if let Some(object) = row.as_object_mut().filter(|_| info.framing == Framing::Records) {
            object.retain(|key, _| !["cpu", "type", "sequence", "flush_time"].contains(&key.as_str()));
        }
        if let (Some(object), Some(first), Some(last)) = (row.as_object_mut(), self.first, self.last) {
            object.insert("raw_time_min".to_owned(), first.into());
            object.insert("raw_time_max".to_owned(), last.into());
        }
        if let Some(object) = row.as_object_mut().filter(|_| !self.problems.listed.is_empty()) {
            let listed = self.problems.listed.iter().map(problem_text::json).collect();
            object.insert("problems".to_owned(), listed);
        }
        if let (Some(object), more @ 1..) = (row.as_object_mut(), self.problems.unlisted) {
            object.insert("unlisted_problems".to_owned(), more.into());
        }
        row
    }
}

/// Bytes between buffers.
fn print_problem(problem: &Problem, file: &str, json: bool, out: &mut impl Write) -> std::io::Result<()> {
    if json {
        return writeln!(out, "{}", safe_json(&json!({ "file": file, "problem": problem_text::json(problem) })));
    }
    writeln!(out, "      - {}", problem_text::sentence(problem))
}

const TITLE: &str = " buffer       offset      size      used  cpu type  sequence   events         \
                     raw_time_min         raw_time_max  flags";
