//! Serves the page and the files, to the browser of this computer alone.

use std::io::{Cursor, Read, Seek, SeekFrom};
use std::net::Ipv4Addr;
use std::thread;

use tiny_http::{Header, Method, Request, Response, ResponseBox};

use crate::exit_status::Status;
use crate::failure::Failure;

use super::range::Wanted;
use super::served_file::ServedFile;

/// A server at an address of this computer that nobody can guess.
///
/// Pages of other origins can make a browser send requests here. They do not know the token, and their requests are
/// recognized by their headers: `Host` is another name where a name of theirs leads to this address, `Origin` is
/// theirs.
pub(super) struct Server {
    http: tiny_http::Server,
    /// Address and port, as a browser states them in `Host`.
    host: String,
    token: String,
    page: String,
    files: Vec<ServedFile>,
}

/// Requests that are answered at once: the list and the lanes of a page read at the same time.
const THREADS: usize = 4;
/// Headers of all answers: nothing is kept, framed or taken for something else.
const HEADERS: [(&str, &str); 5] = [
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "frame-ancestors 'none'"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
];
const HTML: &str = "text/html; charset=utf-8";
const BYTES: &str = "application/octet-stream";

impl Server {
    /// Listens at a port, 0 for one that is free.
    pub(super) fn start(port: u16, page: String, files: Vec<ServedFile>) -> Result<Self, Failure> {
        let http = tiny_http::Server::http((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
            Failure::new(format!("cannot listen on 127.0.0.1, port {port}: {error}"))
                .hint("leave out --port for a port that is free")
        })?;
        let address = http.server_addr().to_ip().ok_or_else(|| Failure::new("the server has no address"))?;
        Ok(Self { http, host: address.to_string(), token: token()?, page, files })
    }

    /// Where the page is.
    pub(super) fn address(&self) -> String {
        format!("http://{}/{}/", self.host, self.token)
    }

    /// Serves until the program is interrupted, or the system takes the port away.
    pub(super) fn run(&self) -> Result<Status, Failure> {
        thread::scope(|scope| {
            for _ in 1..THREADS {
                // With fewer threads it takes longer.
                let _ = thread::Builder::new().spawn_scoped(scope, || self.serve());
            }
            self.serve()
        })
    }

    fn serve(&self) -> Result<Status, Failure> {
        loop {
            let request = self.http.recv().inspect_err(|_| {
                // The error came to one of the threads: the others end, too.
                (0..THREADS).for_each(|_| self.http.unblock());
            })?;
            let answer = self.answer(&request);
            // The browser may have gone.
            let _ = request.respond(answer);
        }
    }

    fn answer(&self, request: &Request) -> ResponseBox {
        if !self.is_own(request) {
            return refusal(403);
        }
        if !matches!(request.method(), Method::Get | Method::Head) {
            return refusal(405);
        }
        match self.place(request.url()) {
            Some("") => of_bytes(200, HTML, self.page.clone().into_bytes()),
            Some(place) => self.file(place).map_or_else(|| refusal(404), |file| part(file, header(request, "Range"))),
            None => refusal(404),
        }
    }

    /// Whether a request came from the page, or was typed.
    fn is_own(&self, request: &Request) -> bool {
        let is_own_origin = |origin: &str| origin.strip_prefix("http://") == Some(&self.host);
        let is_own_site = |site: &str| matches!(site, "same-origin" | "none");
        header(request, "Host") == Some(&self.host)
            && header(request, "Origin").is_none_or(is_own_origin)
            && header(request, "Sec-Fetch-Site").is_none_or(is_own_site)
    }

    /// What follows the token in an address; `None` without the right token.
    fn place<'u>(&self, url: &'u str) -> Option<&'u str> {
        let (token, place) = url.strip_prefix('/')?.split_once('/')?;
        // All of it is compared, so that the time does not reveal how much of a guess is right.
        let is_same = |(a, b): (u8, u8)| a ^ b;
        let difference = token.bytes().zip(self.token.bytes()).map(is_same).fold(0, |sum, bits| sum | bits);
        (token.len() == self.token.len() && difference == 0).then_some(place)
    }

    /// The file with a number.
    fn file(&self, place: &str) -> Option<&ServedFile> {
        let is_number = place.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| place.parse::<usize>().ok())?.and_then(|number| self.files.get(number))
    }
}

/// The value of a header.
fn header<'r>(request: &'r Request, name: &'static str) -> Option<&'r str> {
    request.headers().iter().find(|header| header.field.equiv(name)).map(|header| header.value.as_str())
}

/// What is wanted of a file.
fn part(file: &ServedFile, range: Option<&str>) -> ResponseBox {
    let opened = file.open().and_then(|file| Ok((file.metadata()?.len(), file)));
    let Ok((len, mut file)) = opened else { return refusal(404) };
    let (status, part) = match Wanted::of(range, len) {
        Wanted::All => (200, 0..len),
        Wanted::Part(part) => (206, part),
        Wanted::Beyond => return with(refusal(416), "Content-Range", &format!("bytes */{len}")),
    };
    if file.seek(SeekFrom::Start(part.start)).is_err() {
        return refusal(404);
    }
    let count = part.end - part.start;
    let answer = of_reader(status, BYTES, file.take(count), count);
    let answer = with(answer, "Accept-Ranges", "bytes");
    if status == 200 {
        return answer;
    }
    with(answer, "Content-Range", &format!("bytes {}-{}/{len}", part.start, part.end - 1))
}

fn refusal(status: u16) -> ResponseBox {
    of_bytes(status, "text/plain", Vec::new())
}

fn of_bytes(status: u16, kind: &str, bytes: Vec<u8>) -> ResponseBox {
    let len = bytes.len() as u64;
    of_reader(status, kind, Cursor::new(bytes), len)
}

fn of_reader(status: u16, kind: &str, reader: impl Read + Send + 'static, len: u64) -> ResponseBox {
    let len = usize::try_from(len).ok();
    let answer = Response::new(status.into(), Vec::new(), reader, len, None);
    // As one piece: its length is known.
    let answer = answer.with_chunked_threshold(usize::MAX).boxed();
    HEADERS.into_iter().fold(with(answer, "Content-Type", kind), |answer, (name, value)| with(answer, name, value))
}

fn with(answer: ResponseBox, name: &str, value: &str) -> ResponseBox {
    match Header::from_bytes(name, value) {
        Ok(header) => answer.with_header(header),
        Err(()) => answer,
    }
}

/// Digits that nobody can guess.
fn token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::new(format!("the system provides no random bytes: {error}")))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}
