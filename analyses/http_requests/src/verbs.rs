//! Names of HTTP verbs.

/// Returns the name of a number of `HTTP_VERB` in `http.h`; the number itself if it has none.
pub(crate) fn verb(number: u64) -> String {
    const VERBS: [&str; 20] = [
        "unparsed",
        "unknown",
        "invalid",
        "OPTIONS",
        "GET",
        "HEAD",
        "POST",
        "PUT",
        "DELETE",
        "TRACE",
        "CONNECT",
        "TRACK",
        "MOVE",
        "COPY",
        "PROPFIND",
        "PROPPATCH",
        "MKCOL",
        "LOCK",
        "UNLOCK",
        "SEARCH",
    ];
    let known = usize::try_from(number).ok().and_then(|number| VERBS.get(number));
    known.map_or_else(|| number.to_string(), |verb| (*verb).to_owned())
}

/// Returns whether a name of [`verb`] is in place of a verb, which other events of the request may state.
pub(crate) fn is_placeholder(verb: &str) -> bool {
    ["unparsed", "unknown", "invalid"].contains(&verb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_those_of_http_sys() {
        assert_eq!([3, 4, 6, 19, 20].map(verb), ["OPTIONS", "GET", "POST", "SEARCH", "20"]);
        assert!(
            (0..3).all(|number| is_placeholder(&verb(number))) && (3..21).all(|number| !is_placeholder(&verb(number)))
        );
    }
}
