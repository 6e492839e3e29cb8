//! Whether the buffers are those that the session wrote.

use std::collections::{BTreeMap, BTreeSet};

use etwkit::FileId;
use etwkit::container::BufferInfo;
use etwkit::format::{BufferFlags, LogFileMode};
use etwkit::trace::{Trace, TraceFile};

use crate::finding::Finding;

/// Compares the buffers of each file with its header and their numbers.
pub(crate) fn check(trace: &Trace, findings: &mut Vec<Finding>) {
    let mut of_files: BTreeMap<FileId, Vec<BufferInfo>> = BTreeMap::new();
    for buffer in trace.buffers() {
        of_files.entry(buffer.file).or_default().push(buffer);
    }
    for (id, file) in trace.files_with_ids().filter(|(_, file)| !file.head.is_missing()) {
        let buffers = of_files.remove(&id).unwrap_or_default();
        count(&buffers, id, file, findings);
        sequence(&buffers, id, file, findings);
        not_closed(id, file, findings);
        lost_before(&buffers, id, findings);
        damaged_backup(&buffers, id, findings);
    }
}

fn has(file: &TraceFile, mode: LogFileMode) -> bool {
    file.head.log.mode.intersects(mode)
}

/// `BuffersWritten` counts the buffers of a session that was stopped, with the header's. It counts those that a circular
/// file overwrote, too. Those that are missing are a problem of the trace.
fn count(buffers: &[BufferInfo], id: FileId, file: &TraceFile, findings: &mut Vec<Finding>) {
    let Some(stated) = file.head.log.counted_buffers().filter(|_| !has(file, LogFileMode::CIRCULAR)) else { return };
    let found = buffers.len() as u64;
    if found <= u64::from(stated) {
        return;
    }
    let detail = format!("the header counts {stated} buffers, the file has {found}");
    let meaning = "buffers were added after the session was stopped, or its header was changed";
    findings.push(Finding::new("buffers-added", id, detail, meaning));
}

/// Buffers are numbered in the order in which they were written. A number that is missing between others is that of a
/// buffer that was lost or removed, or had no event: Windows leaves such numbers out where the header's count is right.
/// (Merging regroups buffers, and a circular file overwrites the first ones.)
fn sequence(buffers: &[BufferInfo], id: FileId, file: &TraceFile, findings: &mut Vec<Finding>) {
    if has(file, LogFileMode::RELOG) {
        return;
    }
    let all: Vec<i64> = buffers.iter().skip(1).map(|buffer| buffer.sequence).collect();
    let sessions = if has(file, LogFileMode::APPEND) { sessions(&all) } else { vec![&all[..]] };
    let gaps: Vec<Gap> = sessions.into_iter().filter_map(|numbers| gap(numbers, last_possible(file))).collect();
    let missing = gaps.iter().fold(0, |sum: u64, gap| sum.saturating_add(gap.missing));
    let detail = match gaps[..] {
        [] => return,
        [Gap { first, last, .. }] => format!("{missing} of the numbers {first} to {last} of buffers are missing"),
        _ => format!("{missing} of the numbers of buffers are missing, in {} sessions", gaps.len()),
    };
    let meaning =
        "buffers without events were not written, or buffers were lost or removed, or one of the numbers is damaged";
    findings.push(Finding::new("sequence-gap", id, detail, meaning));
}

/// Numbers of a session that are missing.
struct Gap {
    first: i64,
    last: i64,
    missing: u64,
}

/// Returns which of the numbers of a session's buffers are missing, if any are.
fn gap(all: &[i64], last_possible: i64) -> Option<Gap> {
    let known: BTreeSet<i64> = all.iter().copied().collect();
    // Numbers that repeat are leftovers of something else.
    if known.len() != all.len() {
        return None;
    }
    let possible: BTreeSet<i64> = known.range(0..=last_possible).copied().collect();
    let (first, last) = (*possible.first()?, *possible.last()?);
    let missing = last.abs_diff(first) + 1 - possible.len() as u64;
    (missing > 0).then_some(Gap { first, last, missing })
}

/// Splits the numbers of a file to which several sessions appended their buffers: each counts from its beginning (section
/// 8.6). The first buffers of several processors may come in any order.
fn sessions(all: &[i64]) -> Vec<&[i64]> {
    let (mut sessions, mut rest) = (Vec::new(), all);
    while let Some(len) = session_len(rest) {
        let (session, later) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        sessions.push(session);
        rest = later;
    }
    sessions.push(rest);
    sessions
}

/// Returns how many buffers the first session has, if another one follows.
fn session_len(numbers: &[i64]) -> Option<usize> {
    let begin = numbers.iter().position(|number| *number <= 1)?;
    let later = numbers.get(begin..)?.windows(2);
    let fall = later.enumerate().find(|(_, pair)| matches!(pair, [before, number] if *number <= 1 && number <= before));
    let end = fall.map(|(at, _)| begin + at + 1)?;
    // What the session had already, right before the fall, is of the next one.
    let mut times: BTreeMap<i64, usize> = BTreeMap::new();
    let session = numbers.get(..end)?;
    for number in session {
        *times.entry(*number).or_default() += 1;
    }
    let is_repeated = |number: &&i64| {
        times.get_mut(*number).is_some_and(|times| {
            *times -= 1;
            *times > 0
        })
    };
    let repeated = session.iter().rev().take_while(is_repeated).count();
    Some(end - repeated)
}

/// Returns the last number that a buffer may have: a larger one is damaged. A session that was stopped counted its buffers,
/// but not those of the files before.
fn last_possible(file: &TraceFile) -> i64 {
    let stated = file.head.log.counted_buffers().filter(|_| !has(file, LogFileMode::NEW_FILE));
    stated.map_or(i64::from(u32::MAX), |stated| i64::from(stated) * 2)
}

/// Buffers state that events, or a buffer, were lost before them. No file from Windows is known that does, so this is told
/// beside the losses that the header counts, and does not count itself.
fn lost_before(buffers: &[BufferInfo], id: FileId, findings: &mut Vec<Finding>) {
    let mut flagged = buffers.iter().filter(|buffer| buffer.flags.is_after_loss());
    let Some(first) = flagged.next() else { return };
    let detail = match flagged.count() {
        0 => "a buffer says that events were lost before it".to_owned(),
        more => format!("{} buffers say that events were lost before them, this one first", more + 1),
    };
    let meaning = "events before these buffers are missing: what happened there is not known, and times that reach over such \
                   a gap may be wrong";
    let mut finding = Finding::new("lost-before", id, detail, meaning);
    finding.place = Some((first.offset, first.size.into()));
    findings.push(finding);
}

/// Windows keeps events for a consumer in real time in files, whose buffers state it.
fn damaged_backup(buffers: &[BufferInfo], id: FileId, findings: &mut Vec<Finding>) {
    let mut flagged = buffers.iter().filter(|buffer| buffer.flags.contains(BufferFlags::RTBACKUP_CORRUPT));
    let Some(first) = flagged.next() else { return };
    let detail = match flagged.count() {
        0 => "a buffer says that it is of a damaged backup of a real-time session".to_owned(),
        more => {
            format!("{} buffers say that they are of a damaged backup of a real-time session, this one first", more + 1)
        }
    };
    let meaning = "Windows found the file damaged in which it kept these events for a consumer: some may be missing";
    let mut finding = Finding::new("damaged-backup", id, detail, meaning);
    finding.place = Some((first.offset, first.size.into()));
    findings.push(finding);
}

fn not_closed(id: FileId, file: &TraceFile, findings: &mut Vec<Finding>) {
    if file.head.log.end_time.0 == 0 {
        let detail = "the session was not stopped: its header has no end time".to_owned();
        let meaning = "the last events may not have been written, and losses are not counted";
        findings.push(Finding::new("not-closed", id, detail, meaning));
    }
}
