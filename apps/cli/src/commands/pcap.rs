//! `etwkit pcap`: the network packets of traces.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, IsTerminal};
use std::path::PathBuf;

use etwkit_packets::{Drops, Options, Totals, components, limits, packet_events, write_pcapng};

use crate::args::{FailOn, FailOnArgs, SchemaArgs};
use crate::exit_status::Status;
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::program::Program;
use crate::session::Session;
use crate::text::{counted, grouped, parse_count};

const HELP: &str = "\
Packets come from Microsoft-Windows-NDIS-PacketCapture (`netsh trace start capture=yes`) and \
Microsoft-Windows-PktMon (`pktmon start --capture`). docs/pcap.md describes what becomes of their packets.

Examples:
  etwkit pcap PktMon.etl -o PktMon.pcapng
  etwkit pcap NetTrace.etl | tshark -r -
  etwkit pcap PktMon.etl --first-appearance -o once.pcapng
  etwkit pcap PktMon.etl --drops-only -o drops.pcapng";

/// What was typed.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that was typed or not")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write the packets that PktMon saw dropped too; they are left out otherwise, as `pktmon etl2pcap` does
    #[arg(long)]
    with_drops: bool,
    /// Write only packets that were dropped
    #[arg(long, conflicts_with = "with_drops")]
    drops_only: bool,
    /// Write each packet of PktMon once, as the first component saw it; PktMon logs it at every component
    #[arg(long)]
    first_appearance: bool,
    /// Only packets that this component of PktMon saw; several are joined by commas
    #[arg(long, value_name = "ID", value_delimiter = ',', value_parser = parse_count::<u16>)]
    component: Vec<u16>,
    /// Clear the bit that marks an 802.11 frame as encrypted: Windows hands over decrypted frames with it set
    #[arg(long)]
    clear_protected: bool,
    #[command(flatten)]
    fail_on: FailOnArgs,
}

/// Runs the command.
pub(crate) fn run(args: Args, Program { printer, .. }: Program) -> Result<Status, Failure> {
    let options = args.options();
    let chooses_components = !options.components.is_empty();
    let Args { input, schemas, output, fail_on, .. } = args;
    let output = Output::new(output);
    if output == Output::Stdout && io::stdout().is_terminal() {
        return Err(Failure::new("packets are binary and are not written to a terminal")
            .hint("name a file with -o, or pipe them to a reader"));
    }
    let mut session = Session::open(&input, schemas.parsers(printer)?, fail_on, printer)?;
    if packet_events(session.trace()) == 0 {
        return Err(session.nothing_to_do("no packets: no events of NDIS-PacketCapture or PktMon that contain any"));
    }
    let writer = output.open(session.trace())?;
    let totals = write_pcapng(session.trace(), options, BufWriter::with_capacity(1 << 16, writer))?;
    report(&totals, &mut session);
    if totals.packets == 0 && chooses_components {
        printer.note(format_args!("components that saw packets: {}", listed(&components(session.trace())?)));
    }
    Ok(session.finish())
}

impl Args {
    fn options(&self) -> Options {
        let drops = match (self.with_drops, self.drops_only) {
            (_, true) => Drops::Only,
            (true, _) => Drops::With,
            _ => Drops::LeaveOut,
        };
        let (first_appearance, clear_protected) = (self.first_appearance, self.clear_protected);
        Options::default()
            .drops(drops)
            .first_appearance(first_appearance)
            .components(self.component.clone())
            .clear_protected(clear_protected)
    }
}

/// Numbers that are listed.
const LISTED: usize = 50;

fn listed(components: &BTreeSet<u16>) -> String {
    if components.is_empty() {
        return "none, since only PktMon has them".to_owned();
    }
    let texts: Vec<String> = components.iter().take(LISTED).map(u16::to_string).collect();
    let more = components.len().saturating_sub(LISTED);
    texts.join(", ") + &if more > 0 { format!(", and {} more", grouped(more as u64)) } else { String::new() }
}

/// Says on stderr what is not as in the trace.
fn report(totals: &Totals, session: &mut Session) {
    session.report_problems();
    let printer = session.printer();
    let packets = |number| counted(number, "packet");
    if totals.packets == 0 {
        printer.note("no packet passes the filters");
    }
    if totals.dropped > 0 {
        let hint = "--with-drops writes them too, --drops-only nothing else";
        printer.note(format_args!("left out {} that PktMon reports as dropped: {hint}", packets(totals.dropped)));
    }
    if totals.unreadable > 0 {
        session.found(FailOn::Undecoded);
        let events = counted(totals.unreadable, "event");
        printer.warning(format_args!("{events} with fields that do not fit the schema: their bytes are not written"));
    }
    if totals.incomplete > 0 || totals.orphans > 0 {
        session.found(FailOn::Lost);
        let (beginnings, fragments) = (packets(totals.incomplete), counted(totals.orphans, "fragment"));
        printer.note(format_args!(
            "fragments are missing: {beginnings} written without end and marked so, {fragments} without beginning left out"
        ));
    }
    if totals.cut > 0 {
        let most = grouped(limits::MAX_PACKET as u64);
        printer.note(format_args!("{} cut at {most} bytes, the most that readers take", packets(totals.cut)));
    }
    if totals.without_time > 0 {
        printer.note(format_args!(
            "{} without a known time, written with time 0 (1970-01-01)",
            packets(totals.without_time)
        ));
    }
}
