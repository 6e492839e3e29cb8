//! How far a name that was typed is from another one.

/// Letters without regard to case and underscores.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('_', "")
}

/// Letters that may be changed in a name so that it is still like another.
pub(crate) fn most(typed: &str) -> usize {
    plain(typed).chars().count().div_ceil(3).min(4)
}

/// How many letters of a candidate are not as they were typed; `None` if it is not like that at all.
pub(crate) fn changes(typed: &str, candidate: &str) -> Option<usize> {
    let most = most(typed);
    let (typed, candidate) = (plain(typed), plain(candidate));
    let len = typed.chars().count();
    // A name in a trace may be very long: what cannot be near is not compared letter by letter.
    let is_near = candidate.chars().take(len + most + 1).count().abs_diff(len) <= most;
    is_near.then(|| strsim::osa_distance(&candidate, &typed)).filter(|changes| *changes <= most)
}

/// The candidate with the fewest changes, if one is like a name at all.
pub(crate) fn nearest<'c>(typed: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let ranked = candidates.into_iter().filter_map(|candidate| Some((changes(typed, candidate)?, candidate)));
    ranked.min_by_key(|(changes, _)| *changes).map(|(_, candidate)| candidate)
}

/// Asks whether a name is meant, before the rest of a hint; empty if there is none.
pub(crate) fn asked_first(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("did you mean `{near}`? "))
}

/// Asks whether the nearest candidate is meant, in brackets after a sentence; empty if none is like what was typed.
pub(crate) fn asked_in_brackets<'c, C: IntoIterator<Item = &'c str>>(typed: &str, candidates: C) -> String {
    nearest(typed, candidates).map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"))
}
