//! Serves the page and the files, to the browser of this computer alone.

use std::io::{Seek, SeekFrom};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

use crate::exit_status::Status;
use crate::failure::Failure;

use super::answer::{Answer, Body};
use super::connection;
use super::connections;
use super::own_name::OwnName;
use super::range::Wanted;
use super::request::Request;
use super::served_file::ServedFile;

/// A server at an address of this computer that nobody can guess.
///
/// Pages of other origins can make a browser send requests here. They do not know the token, and their requests are
/// recognized by their headers: `Host` is another name where a name of theirs leads to this address, `Origin` is
/// theirs.
pub(super) struct Server {
    listener: TcpListener,
    name: OwnName,
    token: String,
    page: String,
    files: Vec<ServedFile>,
}

const HTML: &str = "text/html; charset=utf-8";
const BYTES: &str = "application/octet-stream";

impl Server {
    /// Listens at a port, 0 for one that is free.
    pub(super) fn start(port: u16, page: String, files: Vec<ServedFile>) -> Result<Self, Failure> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
            Failure::new(format!("cannot listen on 127.0.0.1, port {port}: {error}"))
                .hint("leave out --port for a port that is free")
        })?;
        let name = OwnName::new(listener.local_addr()?);
        Ok(Self { listener, name, token: token()?, page, files })
    }

    /// Where the page is.
    pub(super) fn address(&self) -> String {
        format!("http://{}/{}/", self.name.with_port(), self.token)
    }

    /// Serves until the program is interrupted, or the system takes the port away.
    pub(super) fn run(&self) -> Result<Status, Failure> {
        // The browser may have gone.
        let serve = |stream: &TcpStream| drop(connection::serve(stream, |request| self.answer(request)));
        let refuse = |stream: &TcpStream| drop(Answer::refusal(503).send(stream));
        match connections::run(&self.listener, serve, refuse)? {}
    }

    fn answer(&self, request: &Request<'_>) -> Answer<'_> {
        if !self.is_own(request) {
            return Answer::refusal(403);
        }
        if !matches!(request.method, "GET" | "HEAD") {
            return Answer::refusal(405).with("Allow", "GET, HEAD".to_owned());
        }
        match self.place(request.target) {
            Some("") => Answer::new(200, HTML, Body::Bytes(self.page.as_bytes())),
            Some(place) => {
                let range = request.values("Range").next();
                self.file(place).map_or_else(|| Answer::refusal(404), |file| part(file, range))
            }
            None => Answer::refusal(404),
        }
    }

    /// Whether a request came from the page, or was typed.
    fn is_own(&self, request: &Request<'_>) -> bool {
        let is_own_site = |site: &str| matches!(site, "same-origin" | "none");
        request.values("Host").count() == 1
            && request.values("Host").all(|host| self.name.is_host(host))
            && request.values("Origin").all(|origin| self.name.is_origin(origin))
            && request.values("Sec-Fetch-Site").all(is_own_site)
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

/// What is wanted of a file.
fn part(file: &ServedFile, range: Option<&str>) -> Answer<'static> {
    let opened = file.open().and_then(|file| Ok((file.metadata()?.len(), file)));
    let Ok((len, mut file)) = opened else { return Answer::refusal(404) };
    let (status, part) = match Wanted::of(range, len) {
        Wanted::All => (200, 0..len),
        Wanted::Part(part) => (206, part),
        Wanted::Beyond => return Answer::refusal(416).with("Content-Range", format!("bytes */{len}")),
    };
    if file.seek(SeekFrom::Start(part.start)).is_err() {
        return Answer::refusal(404);
    }
    let answer = Answer::new(status, BYTES, Body::Part(file, part.end - part.start));
    let answer = answer.with("Accept-Ranges", "bytes".to_owned());
    if status == 200 {
        return answer;
    }
    answer.with("Content-Range", format!("bytes {}-{}/{len}", part.start, part.end - 1))
}

/// Digits that nobody can guess.
fn token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::new(format!("the system provides no random bytes: {error}")))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}
