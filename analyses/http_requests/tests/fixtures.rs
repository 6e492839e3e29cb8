//! The requests of the fixtures, as a program that uses the crate sees them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::path::PathBuf;

use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_http_requests::{Request, Requests, has_server_events, requests};

fn trace(name: &str) -> Trace {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
    Trace::open(path, etwkit_parsers::standard()).unwrap()
}

fn found(name: &str, condition: Option<&str>) -> Requests {
    let mut filter = Filter::default();
    if let Some(condition) = condition {
        filter = filter.expression(condition.parse().unwrap());
    }
    let options = RunOptions::default().filter(filter);
    requests(&trace(name), &options).unwrap()
}

fn urls(found: &Requests) -> Vec<Option<&str>> {
    found.rows.iter().map(|request| request.url.as_deref()).collect()
}

#[test]
fn requests_of_http_sys_have_their_facts() {
    let found = found("http-sys.etl", None);
    assert!(found.rows.len() > 1, "{found:?}");
    assert!(found.rows.is_sorted_by_key(|request| request.first));
    for request in &found.rows {
        assert!(request.first <= request.last);
        assert!(request.stages.iter().all(|stage| (request.first..=request.last).contains(&stage.time)));
    }
    let answered = |request: &&Request| request.verb.is_some() && request.url.is_some() && request.status.is_some();
    assert!(found.rows.iter().any(|request| answered(&request)), "{found:?}");
    assert_eq!((found.without_time, found.beyond_limit), (0, 0));
}

/// The URL is in another event than the status that the condition is about.
#[test]
fn a_filter_chooses_requests_with_all_their_events() {
    let (all, failed) = (found("http-sys.etl", None), found("http-sys.etl", Some("StatusCode >= 400")));
    assert!(!failed.rows.is_empty() && failed.rows.len() < all.rows.len());
    assert!(failed.rows.iter().all(|request| all.rows.contains(request)));
    assert!(urls(&failed).iter().any(Option::is_some));
}

#[test]
fn iisnode_names_activities_in_its_texts() {
    let found = found("iisnode.etl", None);
    assert!(!found.rows.is_empty());
    assert!(found.rows.iter().all(|request| !request.activity.is_null() && !request.stages.is_empty()));
}

#[test]
fn other_traces_have_none() {
    let (hello, http) = (trace("hello.etl"), trace("http-sys.etl"));
    assert!(!has_server_events(&hello) && has_server_events(&http));
    assert_eq!(requests(&hello, &RunOptions::default()).unwrap(), Requests::default());
}
