//! Analyses that make the rows of another one, too.

use etwkit::trace::Trace;

use crate::Analysis;

/// An analysis whose state has the rows of another one as well: what adds up the things of each process, and what lists
/// them. The other one reads the same events and chooses the same things of them.
///
/// Programs that show both add it by [`Together::add_both`](crate::Together::add_both): the events are read once then.
pub trait Twofold: Analysis {
    /// The other analysis.
    type Other: Analysis;

    /// Returns the rows of both, after [`Analysis::end`], each as its [`Analysis::finish`] returns them.
    /// Those of the other one come one by one: see [`Analysis::finish_by_row`].
    fn finish_both(self, trace: &Trace) -> (Vec<Self::Row>, impl Iterator<Item = <Self::Other as Analysis>::Row>);
}
