//! The largest groups of a count; the others are counted together.

use std::collections::{BTreeMap, HashMap, HashSet};

use etwkit::output::{Group, Groups};

/// The first of a list that is sorted; what is left out goes with the others.
pub(crate) fn largest(mut groups: Groups, top: usize) -> Groups {
    let left_out = groups.list.split_off(top.min(groups.list.len()));
    groups.other += left_out.iter().map(|group| group.events).sum::<u64>();
    groups
}

/// The groups that are largest over all spans of time, which are the first of their values. In each span, what is left
/// out goes together, as a group without further values.
pub(crate) fn largest_over_time(mut groups: Groups, top: usize) -> Groups {
    let mut totals: HashMap<&[Option<Box<str>>], u64> = HashMap::new();
    for group in &groups.list {
        *totals.entry(keys(group)).or_default() += group.events;
    }
    let mut ranked: Vec<_> = totals.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let kept: HashSet<_> = ranked.into_iter().take(top).map(|(values, _)| values).collect();
    let (mut list, mut others): (Vec<Group>, BTreeMap<Option<Box<str>>, u64>) = <_>::default();
    for group in &groups.list {
        if kept.contains(keys(group)) {
            list.push(group.clone());
        } else {
            *others.entry(group.values.first().cloned().flatten()).or_default() += group.events;
        }
    }
    list.extend(others.into_iter().map(|(span, events)| Group::new([span], events)));
    groups.list = list;
    groups
}

/// The values of a group without its span of time.
fn keys(group: &Group) -> &[Option<Box<str>>] {
    group.values.get(1..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_ranked_over_all_spans() {
        let group = |span: &str, key: &str, events| Group::new([Some(span.into()), Some(key.into())], events);
        let list = vec![group("0", "b", 5), group("0", "a", 4), group("10", "a", 3), group("10", "c", 2)];
        let found = largest_over_time(Groups::new(list), 1);
        let other = |span: &str, events| Group::new([Some(span.into())], events);
        assert_eq!(found.list, [group("0", "a", 4), group("10", "a", 3), other("0", 5), other("10", 2)]);
        let found = largest(Groups::new(vec![group("0", "b", 5), group("0", "a", 4)]), 1);
        assert_eq!((found.list.len(), found.other), (1, 4));
    }
}
