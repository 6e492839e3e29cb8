//! A connection: one request, one answer.

use std::io;
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use super::answer::Answer;
use super::head::Head;
use super::request::Request;
use super::timed_reader::TimedReader;

/// How long a client may take to send the head of its request.
const HEAD_PATIENCE: Duration = Duration::from_secs(5);
/// How long a client may take none of the bytes of an answer.
const ANSWER_PATIENCE: Duration = Duration::from_secs(30);
/// How long a client may take to close a connection after its answer.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);

/// Reads a request, sends the answer to it and closes the connection.
///
/// # Errors
///
/// The client has gone, or is too slow.
pub(super) fn serve<'s>(stream: &TcpStream, answer: impl FnOnce(&Request<'_>) -> Answer<'s>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(ANSWER_PATIENCE))?;
    match Head::read(&mut TimedReader::new(stream, HEAD_PATIENCE)) {
        Head::Whole(head) => respond(stream, Request::parse(&head), answer)?,
        Head::TooLong => Answer::refusal(431).send(stream)?,
        Head::TooLate => Answer::refusal(408).send(stream)?,
        Head::Nothing => return Ok(()),
    }
    close(stream)
}

fn respond<'s>(
    stream: &TcpStream,
    request: Option<Request<'_>>,
    answer: impl FnOnce(&Request<'_>) -> Answer<'s>,
) -> io::Result<()> {
    match request {
        Some(request) if request.method == "HEAD" => answer(&request).send_head(stream),
        Some(request) => answer(&request).send(stream),
        None => Answer::refusal(400).send(stream),
    }
}

/// Closes a connection so that the answer arrives: bytes that nobody read, such as a body, would make the system reset the
/// connection, and the client lose what it has not read yet.
fn close(stream: &TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    io::copy(&mut TimedReader::new(stream, CLOSE_PATIENCE), &mut io::sink()).map(drop)
}
