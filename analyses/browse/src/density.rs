//! How much there is of something in each interval of time.

use crate::density_lane::DensityLane;

/// Sums by lane and interval. Intervals are as short as the number of those with something in it allows: they begin at
/// 100 ns and are joined in pairs when there are too many. So a burst after hours of nothing keeps its shape.
#[derive(Clone, Debug)]
pub struct Density {
    /// An interval has `1 << shift` units.
    shift: u32,
    /// Those up to the last one with something in it.
    lanes: Vec<DensityLane>,
    most_lanes: usize,
    cells: usize,
    most: usize,
}

impl Density {
    /// Begins with so many lanes, which together have at most `most` intervals while something is added, if they are as
    /// many as the lanes.
    #[must_use]
    pub const fn new(lanes: usize, most: usize) -> Self {
        Self { shift: 0, lanes: Vec::new(), most_lanes: lanes, cells: 0, most }
    }

    /// Adds something. Times are units since the begin of the axis and come in order; one that does not counts in the
    /// interval of the one before it.
    pub fn add(&mut self, lane: usize, at: i64, amount: f64) {
        if lane >= self.most_lanes {
            return;
        }
        if lane >= self.lanes.len() {
            self.lanes.resize_with(lane + 1, DensityLane::default);
        }
        let cell = at.max(0) >> self.shift;
        self.cells += usize::from(self.lanes.get_mut(lane).is_some_and(|lane| lane.add(cell, amount)));
        if self.cells > self.most {
            self.fit(self.most);
        }
    }

    /// Joins intervals until at most so many are left, or each lane has few.
    pub fn fit(&mut self, most: usize) {
        let by = if self.cells > most { self.shift_for(most) } else { 0 };
        if by > 0 {
            self.coarsen(by);
        }
    }

    /// Returns the sum of a lane.
    #[must_use]
    pub fn total(&self, lane: usize) -> f64 {
        self.lanes.get(lane).map_or(0.0, |lane| lane.iter().map(|(_, sum)| sum).sum())
    }

    /// Returns the stretches of a lane that have something, in order.
    #[must_use]
    pub fn busy(&self, lane: usize) -> Vec<(i64, i64)> {
        let mut busy: Vec<(i64, i64)> = Vec::new();
        for (cell, _) in self.lanes.get(lane).into_iter().flat_map(DensityLane::iter) {
            let start = cell << self.shift;
            // The last interval ends with the last time that there is.
            let end = start.saturating_add(self.step());
            match busy.last_mut() {
                Some(last) if last.1 == start => last.1 = end,
                _ => busy.push((start, end)),
            }
        }
        busy
    }

    /// Returns the units of an interval.
    #[must_use]
    pub fn step(&self) -> i64 {
        1 << self.shift
    }

    /// Returns the values of a lane as pairs: intervals since the one before, or since 0, and the sum.
    #[must_use]
    pub fn cells(&self, lane: usize) -> Vec<f64> {
        let mut cells = Vec::new();
        let mut before = 0;
        for (cell, sum) in self.lanes.get(lane).into_iter().flat_map(DensityLane::iter) {
            cells.extend([(cell - before) as f64, sum]);
            before = cell;
        }
        cells
    }

    /// Returns how often pairs of intervals are to be joined until at most so many are left, or each lane has one.
    fn shift_for(&self, most: usize) -> u32 {
        // Two intervals that follow each other become one when the bits are gone in which their numbers differ.
        let mut gone = [0_usize; i64::BITS as usize + 1];
        for lane in &self.lanes {
            for ((a, _), (b, _)) in lane.iter().zip(lane.iter().skip(1)) {
                let differ = i64::BITS - (a ^ b).leading_zeros();
                if let Some(count) = gone.get_mut(differ as usize) {
                    *count += 1;
                }
            }
        }
        let (mut left, mut by) = (self.cells, 0);
        let several = self.lanes.iter().filter(|lane| lane.len() > 0).count();
        while left > most && left > several && self.shift + by < i64::BITS - 2 {
            by += 1;
            left -= gone.get(by as usize).copied().unwrap_or(0);
        }
        by
    }

    fn coarsen(&mut self, by: u32) {
        self.shift += by;
        for lane in &mut self.lanes {
            let mut joined = DensityLane::default();
            for (cell, sum) in lane.iter() {
                joined.add(cell >> by, sum);
            }
            *lane = joined;
        }
        self.cells = self.lanes.iter().map(DensityLane::len).sum();
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "counts are whole numbers")]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_joined_and_sums_stay() {
        let mut density = Density::new(2, 8);
        for at in 0..1000 {
            density.add(usize::from(at % 3 == 0), at, 1.0);
        }
        assert_eq!(density.total(0) + density.total(1), 1000.0);
        assert!(density.cells <= 8);
        assert_eq!(density.busy(0), [(0, density.step() * ((999 >> density.shift) + 1))]);
        assert_eq!(density.cells(1).iter().skip(1).step_by(2).sum::<f64>(), density.total(1));
    }

    #[test]
    fn intervals_are_joined_as_often_as_needed_at_once() {
        let mut density = Density::new(3, 1 << 20);
        for at in 0..4000 {
            density.add(usize::from(at % 7 == 0), at * at / 64, 1.0);
        }
        for most in [2000, 300, 40, 3, 1] {
            let mut slowly = density.clone();
            while slowly.cells > most && slowly.lanes.iter().any(|lane| lane.len() > 1) {
                slowly.coarsen(1);
            }
            let mut at_once = density.clone();
            at_once.fit(most);
            assert_eq!((at_once.shift, &at_once.lanes), (slowly.shift, &slowly.lanes), "{most}");
        }
    }

    #[test]
    fn bursts_far_apart_stay_short() {
        let mut density = Density::new(1, 1 << 20);
        for at in [0, 1, 2, 36_000_000_000, 36_000_000_001] {
            density.add(0, at, 1.0);
        }
        assert_eq!(density.busy(0), [(0, 3), (36_000_000_000, 36_000_000_002)]);
        assert_eq!(density.cells(0), [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 35_999_999_998.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn times_that_run_back_are_counted() {
        let mut density = Density::new(1, 1 << 20);
        for at in [5, 3, -9, 7] {
            density.add(0, at, 1.0);
        }
        assert_eq!((density.total(0), density.busy(0)), (4.0, vec![(5, 6), (7, 8)]));
    }
}
