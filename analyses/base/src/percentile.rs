//! Percentiles.

/// Returns a percentile by nearest rank: the smallest of the sorted values that at least that share of them does not
/// exceed. It is always one of the values; `None` if there are none.
pub fn percentile<T: Copy>(sorted: &[T], percent: usize) -> Option<T> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_by_nearest_rank() {
        // The example of the textbooks: 15, 20, 35, 40, 50.
        let of = |percent| percentile(&[15, 20, 35, 40, 50], percent).unwrap();
        assert_eq!([of(5), of(30), of(40), of(50), of(100)], [15, 20, 20, 35, 50]);
        assert_eq!(percentile::<u64>(&[], 50), None);
    }
}
