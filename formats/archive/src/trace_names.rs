//! Names of files that are taken for traces where a folder or an archive is searched.

/// Returns whether a file is found in folders: a trace by its name, or packed ones.
pub fn is_wanted_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let packed = [".etl.gz", ".etl.zip", ".diagsession"];
    is_trace_name(&name) || packed.iter().any(|end| name.ends_with(end))
}

/// Returns whether a file is called like a trace, without regard to case: `*.etl`, `*.etl.NNN`, `*.blg`, `*.btl`.
pub fn is_trace_name(name: &str) -> bool {
    without_number(name).is_some() || ["blg", "btl"].iter().any(|end| has_extension(name, end))
}

/// Returns `x.etl` of `x.etl` and `x.etl.001`; `None` for other names.
pub fn without_number(name: &str) -> Option<&str> {
    let stem = match name.rsplit_once('.') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    };
    has_extension(stem, "etl").then_some(stem)
}

/// Whether a name ends with a dot and `extension`, without regard to case.
fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_traces() {
        for yes in ["a.etl", "A.ETL", "x.etl.001", "perf.blg", "BPerf.btl"] {
            assert!(is_trace_name(yes), "{yes}");
        }
        for no in ["a.evtx", "etl", "x.001", "a.etl.gz", "a.etl.", "btl"] {
            assert!(!is_trace_name(no), "{no}");
        }
    }

    #[test]
    fn numbers_behind_the_extension() {
        assert_eq!(without_number("x.etl.001"), Some("x.etl"));
        assert_eq!(without_number("x.etl"), Some("x.etl"));
        assert_eq!(without_number("x.log"), None);
    }
}
