//! The time of spans in which spans within them ran.

use etwkit::FileTime;

use crate::span::{Span, between};

/// Returns for each complete span the time in which spans within it ran, in units of 100 ns, at any depth.
///
/// Spans add their time to those around them in order of their starts. So a span knows of those before only how far they
/// reach, and one that lies in another one, which has added its time before it, adds nothing further out. Others take a
/// step for each span around them, of which there are at most [`DEPTH`](crate::limits::DEPTH).
pub(super) fn covered(list: &[Span]) -> Vec<u64> {
    let mut order: Vec<u32> = (0..).zip(list).filter(|(_, span)| is_inner(span)).map(|(place, _)| place).collect();
    // Fast, since spans are listed in order of their starts unless a clock went back.
    order.sort_by_key(|place| list.get(*place as usize).and_then(|span| span.start));
    let mut around = Around { list, covered: vec![0; list.len()], reach: vec![FileTime(i64::MIN); list.len()] };
    for span in order.iter().filter_map(|place| list.get(*place as usize)) {
        around.add(span);
    }
    around.covered
}

fn is_inner(span: &Span) -> bool {
    span.parent.is_some() && span.duration().is_some()
}

struct Around<'s> {
    list: &'s [Span],
    covered: Vec<u64>,
    /// The latest end of the spans within each one.
    reach: Vec<FileTime>,
}

impl Around<'_> {
    /// Adds the time of a span to those around it.
    fn add(&mut self, span: &Span) {
        let Some((start, stop)) = span.start.zip(span.stop) else { return };
        let mut next = span.parent;
        while let Some(id) = next {
            let place = id.0 as usize;
            let Some(outer) = self.list.get(place) else { return };
            // Parents come before their children.
            next = outer.parent.filter(|parent| *parent < id);
            let Some((began, ended)) = outer.start.zip(outer.stop) else { continue };
            let (Some(covered), Some(reach)) = (self.covered.get_mut(place), self.reach.get_mut(place)) else { return };
            *covered += between(start.max(began).max(*reach), stop.min(ended));
            *reach = stop.max(*reach);
            if began <= start && stop <= ended {
                return;
            }
        }
    }
}
