//! An answer to a request, and how it is sent.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;

/// An answer, after which the connection is closed.
#[derive(Debug)]
pub(super) struct Answer<'s> {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Body<'s>,
}

/// What follows the head of an answer.
#[derive(Debug)]
pub(super) enum Body<'s> {
    Bytes(&'s [u8]),
    /// The bytes of a file from its place on, so many of them.
    Part(File, u64),
}

/// Headers of all answers: nothing is kept, framed or taken for something else.
const HEADERS: [(&str, &str); 6] = [
    ("Cache-Control", "no-store"),
    ("Connection", "close"),
    ("Content-Security-Policy", "frame-ancestors 'none'"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
];

impl<'s> Answer<'s> {
    pub(super) fn new(status: u16, kind: &str, body: Body<'s>) -> Self {
        Self { status, headers: vec![("Content-Type", kind.to_owned())], body }
    }

    /// An answer without a body.
    pub(super) fn refusal(status: u16) -> Self {
        Self::new(status, "text/plain", Body::Bytes(&[]))
    }

    /// The same with one more header.
    #[must_use]
    pub(super) fn with(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Sends it.
    pub(super) fn send(self, stream: &TcpStream) -> io::Result<()> {
        self.send_head(stream)?;
        self.body.send(stream)
    }

    /// Sends all but the body.
    pub(super) fn send_head(&self, mut stream: &TcpStream) -> io::Result<()> {
        let mut head = Vec::new();
        self.write_head(&mut head)?;
        stream.write_all(&head)
    }

    fn write_head(&self, out: &mut Vec<u8>) -> io::Result<()> {
        write!(out, "HTTP/1.1 {} {}\r\n", self.status, reason(self.status))?;
        let own = self.headers.iter().map(|(name, value)| (*name, value.as_str()));
        for (name, value) in HEADERS.into_iter().chain(own) {
            write!(out, "{name}: {value}\r\n")?;
        }
        write!(out, "Content-Length: {}\r\n\r\n", self.body.len())
    }
}

impl Body<'_> {
    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Part(_, len) => *len,
        }
    }

    fn send(self, mut stream: &TcpStream) -> io::Result<()> {
        match self {
            Self::Bytes(bytes) => stream.write_all(bytes),
            // Of a file that became shorter less comes than was announced, which the client sees.
            Self::Part(file, len) => io::copy(&mut file.take(len), &mut stream).map(drop),
        }
    }
}

/// What a status means, for people.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        416 => "Range Not Satisfiable",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "",
    }
}
