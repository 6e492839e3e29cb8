//! The members of a zip archive: which of them are traces.

use std::io::{Read, Seek};

use zip::ZipArchive;
use zip::result::ZipError;

use super::head;
use super::packing::Packing;
use super::trace_names::is_trace_name;
use crate::failure::Failure;
use crate::text::grouped;

/// Names that are shown of an archive.
const SHOWN: usize = 3;
/// Members of other names whose first bytes are looked at.
const MOST_LOOKED_AT: usize = 1000;
/// First bytes of a member that are looked at.
const PEEK: u64 = 64 << 10;

/// The members of an archive.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// Those that are wanted, by their names.
    pub(super) wanted: Vec<(String, usize)>,
    others: Vec<(String, usize)>,
}

impl Members {
    /// Those that are called like traces; or one, whatever it is called.
    pub(super) fn of<R: Read + Seek>(archive: &mut ZipArchive<R>, only: Option<&str>) -> Result<Self, ZipError> {
        let mut members = Self::default();
        for index in 0..archive.len() {
            let name = String::from_utf8_lossy(archive.by_index_raw(index)?.name_raw()).into_owned();
            if only.map_or_else(|| is_trace_name(&name), |only| only == name) {
                members.wanted.push((name, index));
            } else if !name.ends_with('/') {
                members.others.push((name, index));
            }
        }
        members.wanted.sort();
        Ok(members)
    }

    /// Why none is wanted.
    pub(super) fn none<R: Read + Seek>(&self, archive: &mut ZipArchive<R>, name: &str, only: Option<&str>) -> Failure {
        let failure = match only {
            Some(only) => Failure::new(format!("no member {only} in this archive")),
            None => Failure::new("no trace in this archive (*.etl, *.etl.NNN, *.blg, *.btl)"),
        };
        let overlooked = if only.is_none() { self.overlooked(archive, name) } else { None };
        failure.of(name).hint(overlooked.unwrap_or_else(|| self.held()))
    }

    /// What is not read although it is a trace, or packed: told by its first bytes, since its name does not say it.
    pub(super) fn overlooked<R: Read + Seek>(&self, archive: &mut ZipArchive<R>, name: &str) -> Option<String> {
        let (mut traces, mut packed) = (Vec::new(), Vec::new());
        for (member, index) in self.others.iter().take(MOST_LOOKED_AT) {
            let mut start = Vec::new();
            let Ok(file) = archive.by_index(*index) else { continue };
            // What breaks off after its head is a trace, too.
            let _ = file.take(PEEK).read_to_end(&mut start);
            if Packing::of(&start) != Packing::Plain {
                packed.push(member);
            } else if head::is_trace(start) {
                traces.push(member);
            }
        }
        let listed = |names: &[&String]| {
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

    /// What an archive without a trace holds.
    fn held(&self) -> String {
        let shown: Vec<&str> = self.others.iter().take(SHOWN).map(|(name, _)| name.as_str()).collect();
        let shown = shown.join(", ");
        match self.others.len() {
            0 => "it holds nothing: was it packed before the trace was written?".to_owned(),
            many if many > SHOWN => {
                format!("it holds {shown} and {} more; unpack it if a trace is called otherwise", many - SHOWN)
            }
            _ => format!("it holds {shown}; unpack it if that is a trace"),
        }
    }
}
