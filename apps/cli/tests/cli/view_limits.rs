//! `etwkit view`, asked by clients that keep to no rule.

use std::fs::File;
use std::io::Read;
use std::net::TcpStream;

use crate::common::Folder;
use crate::served::{Served, read, serve};

fn served(folder: &Folder) -> Served {
    serve(folder, &["hello.etl"])
}

/// The status of an answer.
fn status(stream: TcpStream) -> u16 {
    let answer = read(stream);
    let line = str::from_utf8(answer.split(|byte| *byte == b'\r').next().unwrap()).unwrap();
    line.strip_prefix("HTTP/1.1 ").unwrap().split(' ').next().unwrap().parse().unwrap()
}

fn assert_serves(served: &Served) {
    assert_eq!(served.get(&served.root, &[]).status, 200);
}

#[test]
fn bodies_are_not_read_whatever_length_they_announce() {
    let folder = Folder::with(&["hello.etl"]);
    let served = served(&folder);
    let own = format!("GET {} HTTP/1.1\r\nHost: {}\r\n", served.root, served.host);
    for length in ["2", "20000000000", "100000000000000", "18446744073709551615", "99999999999999999999", "-1", "x"] {
        let body = format!("Content-Length: {length}\r\n\r\nab");
        assert_eq!(status(served.send(format!("POST / HTTP/1.1\r\n{body}").as_bytes())), 403, "{length}");
        assert_eq!(status(served.send(format!("{own}{body}").as_bytes())), 200, "{length}");
    }
    let chunks = "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nab";
    assert_eq!(status(served.send(format!("{own}{chunks}").as_bytes())), 200);
    assert_serves(&served);
}

#[test]
fn connections_that_stay_open_do_not_stop_it() {
    let folder = Folder::with(&["hello.etl"]);
    let served = served(&folder);
    let unfinished = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\nab";
    let held: Vec<_> = (0..8).map(|_| served.send(unfinished)).collect();
    assert_serves(&served);
    drop(held);
}

#[test]
fn clients_that_do_not_read_do_not_stop_it() {
    let folder = Folder::with(&["hello.etl"]);
    // More than the buffers of a connection take.
    File::create(folder.path().join("large.etl")).unwrap().set_len(64 << 20).unwrap();
    let served = serve(&folder, &["large.etl"]);
    let request = format!("GET {}0 HTTP/1.1\r\nHost: {}\r\n\r\n", served.root, served.host);
    let held: Vec<_> = (0..8).map(|_| served.send(request.as_bytes())).collect();
    assert_serves(&served);
    drop(held);
}

#[test]
fn long_heads_are_refused() {
    let folder = Folder::with(&["hello.etl"]);
    let served = served(&folder);
    let long = |len| format!("GET {} HTTP/1.1\r\nHost: {}\r\nX: {}", served.root, served.host, "a".repeat(len));
    assert_eq!(status(served.send(long(1 << 20).as_bytes())), 431);
    assert_eq!(status(served.send((long(17 << 10) + "\r\n\r\n").as_bytes())), 431);
    assert_eq!(status(served.send((long(15 << 10) + "\r\n\r\n").as_bytes())), 200);
}

#[test]
fn heads_that_do_not_end_are_refused_after_seconds() {
    let folder = Folder::with(&["hello.etl"]);
    let served = served(&folder);
    let (unfinished, silent) = (served.send(b"GET / HTTP/1.1\r\nHost: "), served.send(b""));
    assert_eq!(status(unfinished), 408);
    assert_eq!(read(silent), b"");
    assert_serves(&served);
}

#[test]
fn connections_are_limited_in_number() {
    let folder = Folder::with(&["hello.etl"]);
    let served = served(&folder);
    let mut silent: Vec<_> = (0..100).map(|_| served.send(b"")).collect();
    let refused: Vec<u16> = silent.drain(64..).map(status).collect();
    assert_eq!(refused, [503; 36]);
    drop(silent);
    let request = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", served.root, served.host);
    let is_served = || {
        let mut begin = [0; 12];
        served.send(request.as_bytes()).read_exact(&mut begin).is_ok() && begin == *b"HTTP/1.1 200"
    };
    assert!((0..1000).any(|_| is_served()), "connections that are closed count no more");
}

#[test]
fn heads_of_another_form_are_refused() {
    let folder = Folder::with(&["hello.etl"]);
    let served = served(&folder);
    let (root, host) = (&served.root, &served.host);
    let lines = [
        "GET".to_owned(),
        format!("GET {root}"),
        format!("GET {root} HTTP/2.0"),
        format!("GET {root} HTTP/1.1 x"),
        format!("GET  {root} HTTP/1.1"),
        format!("GET {root}\u{e9} HTTP/1.1"),
        format!("G\tT {root} HTTP/1.1"),
        format!(" {root} HTTP/1.1"),
    ];
    for line in lines {
        assert_eq!(status(served.send(format!("{line}\r\nHost: {host}\r\n\r\n").as_bytes())), 400, "{line:?}");
    }
    for header in ["X", ": x", "X : x", "\tx: x", " folded", "X: a\nY: b", "X: a\rb", "X: \0", "\u{e9}: x"] {
        let head = format!("GET {root} HTTP/1.1\r\nHost: {host}\r\n{header}\r\n\r\n");
        assert_eq!(status(served.send(head.as_bytes())), 400, "{header:?}");
    }
    let hosts = format!("GET {root} HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n");
    assert_eq!(status(served.send(hosts.as_bytes())), 403);
    // Other forms that are allowed.
    let other = format!("GET {root} HTTP/1.0\r\nhOST:{host} \r\nCookie:\t\u{e9}\r\nX:\r\n\r\n");
    assert_eq!(status(served.send(other.as_bytes())), 200);
    let latin = [format!("GET {root} HTTP/1.1\r\nHost: {host}\r\nCookie: ").as_bytes(), b"\xE9\r\n\r\n"].concat();
    assert_eq!(status(served.send(&latin)), 200);
}
