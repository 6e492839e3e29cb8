//! The members of a zip archive: which of them are traces.

use std::io::{Read, Seek};

use etwkit_archive::{Archive, Member, MemberKind, is_trace_name};

use crate::failure::Failure;
use crate::text::grouped;

/// Names that are shown of an archive.
const SHOWN: usize = 3;
/// Members of other names whose first bytes are looked at.
const MOST_LOOKED_AT: usize = 1000;

/// The members of an archive.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// Those that are wanted, by their names.
    pub(super) wanted: Vec<Member>,
    others: Vec<Member>,
}

impl Members {
    /// Those that are called like traces; or one, whatever it is called.
    pub(super) fn of(all: &[Member], only: Option<&str>) -> Self {
        let is_wanted =
            |member: &&Member| only.map_or_else(|| is_trace_name(member.name()), |only| only == member.name());
        let (mut wanted, mut others): (Vec<Member>, Vec<Member>) =
            all.iter().cloned().partition(|member| is_wanted(&member));
        others.retain(|member| !member.is_folder());
        wanted.sort_by(|a, b| a.name().cmp(b.name()));
        Self { wanted, others }
    }

    /// Why none is wanted.
    pub(super) fn none<R: Read + Seek>(&self, archive: &mut Archive<R>, name: &str, only: Option<&str>) -> Failure {
        let failure = match only {
            Some(only) => Failure::new(format!("no member {only} in this archive")),
            None => Failure::new("no trace in this archive (*.etl, *.etl.NNN, *.blg, *.btl)"),
        };
        let overlooked = if only.is_none() { self.overlooked(archive, name) } else { None };
        failure.of(name).hint(overlooked.unwrap_or_else(|| self.held()))
    }

    /// What is not read although it is a trace, or packed: recognized by its first bytes, since its name does not state
    /// it.
    pub(super) fn overlooked<R: Read + Seek>(&self, archive: &mut Archive<R>, name: &str) -> Option<String> {
        let (mut traces, mut packed) = (Vec::new(), Vec::new());
        for member in self.others.iter().take(MOST_LOOKED_AT) {
            match archive.kind(member) {
                MemberKind::Packed => packed.push(member.name()),
                MemberKind::Trace => traces.push(member.name()),
                _ => {}
            }
        }
        let listed = |names: &[&str]| {
            let shown: Vec<String> = names.iter().take(SHOWN).map(|member| format!("{name}!{member}")).collect();
            let more = names.len().saturating_sub(SHOWN) as u64;
            shown.join(", ") + &if more > 0 { format!(" and {} more", grouped(more)) } else { String::new() }
        };
        let traces = (!traces.is_empty())
            .then(|| format!("traces by another name, read if they are named: {}", listed(&traces)));
        let packed = (!packed.is_empty()).then(|| format!("packed itself, to be unpacked first: {}", listed(&packed)));
        let unseen = self.others.len().saturating_sub(MOST_LOOKED_AT) as u64;
        let unseen = (unseen > 0).then(|| format!("{} other members were not looked at", grouped(unseen)));
        let parts: Vec<String> = [traces, packed, unseen].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// What an archive without a trace contains.
    fn held(&self) -> String {
        let shown: Vec<&str> = self.others.iter().take(SHOWN).map(Member::name).collect();
        let shown = shown.join(", ");
        match self.others.len() {
            0 => "it contains nothing: was it packed before the trace was written?".to_owned(),
            many if many > SHOWN => {
                format!("it contains {shown} and {} more; unpack it if a trace is called otherwise", many - SHOWN)
            }
            _ => format!("it contains {shown}; unpack it if that is a trace"),
        }
    }
}
