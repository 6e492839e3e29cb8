//! The server of `etwkit view`, and a plain client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::common::Folder;

/// How long an answer may take before the server counts as stopped.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A server that runs.
pub(crate) struct Served {
    child: Child,
    pub(crate) host: String,
    /// `/TOKEN/`.
    pub(crate) root: String,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The page as it is built, without its engine.
pub(crate) fn page() -> String {
    let template = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/page/index.html");
    std::fs::read_to_string(template).unwrap().replace("@csp@", "default-src 'none'; script-src 'none'")
}

/// Serves files of a folder, which gets a page.
pub(crate) fn serve(folder: &Folder, files: &[&str]) -> Served {
    folder.write("page.html", page().as_bytes());
    let arguments = [&["view", "--no-open", "--page", "page.html"], files].concat();
    let mut command = folder.command(&arguments);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap();
    let (host, token) = address.split_once('/').unwrap();
    assert!(host.starts_with("127.0.0.1:"), "{host}");
    Served { child, host: host.to_owned(), root: format!("/{token}") }
}

impl Served {
    /// Asks with headers of its own; without `Host`, that of the server is added.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n").into_bytes();
        if headers.iter().all(|(name, _)| *name != "Host") {
            write!(request, "Host: {}\r\n", self.host).unwrap();
        }
        for (name, value) in headers {
            write!(request, "{name}: {value}\r\n").unwrap();
        }
        request.extend_from_slice(b"\r\n");
        let answer = read(self.send(&request));
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        let (head, body) = answer.split_at(end + 4);
        let head = str::from_utf8(head.trim_ascii_end()).unwrap().to_ascii_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head, body: body.to_vec() }
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // It may have answered before all was sent.
        let _ = stream.write_all(bytes);
        stream
    }

    pub(crate) fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask("GET", path, headers)
    }
}

/// All that comes until the connection is closed.
pub(crate) fn read(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    bytes
}
