//! How stacks and events were joined, in words.

use etwkit::system::{StackCounts, StackJoins};
use etwkit::trace::Trace;

use crate::failure::Failure;
use crate::text::{counted, grouped};

/// The counts of a trace, one per line: the first sums up, the others state what is missing and why.
pub(crate) fn lines(trace: &Trace) -> Result<Vec<String>, Failure> {
    let joins = trace.stack_joins()?;
    Ok(in_words(&joins, trace.stack_counts()))
}

/// The same of counts that are there.
pub(crate) fn in_words(joins: &StackJoins, counts: StackCounts) -> Vec<String> {
    let events = counted(joins.inline + joins.joined, "event");
    let shared = match joins.shared {
        0 => String::new(),
        shared => format!(", {} of them with another event of that time and thread", grouped(shared)),
    };
    let mut lines = vec![
        format!(
            "{events} with a stack: {} carry it, {} were joined with it{shared}",
            grouped(joins.inline),
            grouped(joins.joined)
        ),
        format!("{} of stacks came as events, {} joined", counted(joins.parts, "part"), grouped(joins.parts_joined)),
    ];
    let mut add = |count: u64, what: &str, how: &str, why: &str| {
        lines.push(format!("{} {how}: {why}", counted(count, what)));
    };
    joins.orphans.iter().for_each(|(why, count)| add(*count, "part", "without its event", why.reason()));
    joins.incomplete.iter().for_each(|(why, count)| add(*count, "event", "with part of a stack", why.reason()));
    joins.bare.iter().for_each(|(why, count)| add(*count, "event", "without the stack its kind has", why.reason()));
    if counts.refused > 0 {
        lines.push(format!("{} not kept: more than there is room for", counted(counts.refused, "part")));
    }
    if counts.refused_definitions > 0 {
        let definitions = counted(counts.refused_definitions, "definition");
        lines.push(format!("{definitions} of stack keys not kept: more than there is room for"));
    }
    lines
}
