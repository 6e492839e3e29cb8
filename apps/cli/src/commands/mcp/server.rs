//! Methods of the protocol.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::{Map, Value, json};

use crate::similarity::asked_in_brackets;

use super::answer;
use super::arguments::{self, Line};
use super::calls::Calls;
use super::catalog::TOOLS;
use super::child::{self, Limits, Page};
use super::outlet::Outlet;
use super::protocol::{self, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Message};
use super::tools::{Action, Form, Place, Tool};
use super::traces::Traces;

/// Versions of the protocol that clients may ask for, the newest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Bytes of the output of a command that [`Shared::open`] makes its answer of.
const LOOKED_AT: usize = 1 << 20;

const INSTRUCTIONS: &str = "\
etwkit reads Windows trace logs (.etl, Event Tracing for Windows). Open a trace with `open`; its answer has a summary and \
the analyses that the trace can answer. `analyze`, `profile`, `spans` and `count` answer most questions with few rows; `events` \
returns single events. All times are UTC. An answer with `next_cursor` goes on if the same call has that as `cursor`. \
`schema` explains the fields of events.";

/// Answers messages. Calls of tools run on threads of their own.
#[derive(Clone)]
pub(super) struct Server(Arc<Shared>);

struct Shared {
    traces: Mutex<Traces>,
    calls: Calls,
    limits: Limits,
    /// The tools, as the protocol lists them.
    tools: Value,
}

impl Server {
    pub(super) fn new(traces: Traces, limits: Limits, command_line: &clap::Command) -> Self {
        let tools = TOOLS.iter().map(|tool| tool.listed(command_line)).collect();
        Self(Arc::new(Shared { traces: Mutex::new(traces), calls: Calls::default(), limits, tools }))
    }

    /// Takes a line: a message, or a batch of them.
    pub(super) fn take(&self, line: &[u8]) {
        match protocol::read(line) {
            Ok(Value::Array(batch)) if !batch.is_empty() => {
                let outlet = Outlet::of_batch();
                for message in batch {
                    self.message(message, &outlet);
                }
            }
            Ok(message) => self.message(message, &Outlet::default()),
            Err(answer) => Outlet::default().send(answer),
        }
    }

    fn message(&self, message: Value, outlet: &Outlet) {
        match protocol::message(message) {
            Ok(Message::Request { id, method, params }) => self.request(id, &method, params, outlet),
            Ok(Message::Notification { method, params }) if method == "notifications/cancelled" => {
                self.0.calls.cancel(&params.get("requestId").cloned().unwrap_or_default().to_string());
            }
            Ok(Message::Notification { .. } | Message::Response) => {}
            Err(answer) => outlet.send(answer),
        }
    }

    /// Waits for the calls that run.
    pub(super) fn stop(&self) {
        self.0.calls.wait();
    }

    fn request(&self, id: Value, method: &str, params: Value, outlet: &Outlet) {
        let answer = match method {
            "initialize" => protocol::success(&id, &initialized(&params)),
            "ping" => protocol::success(&id, &json!({})),
            "tools/list" => protocol::success(&id, &json!({ "tools": self.0.tools })),
            "tools/call" => return self.call(id, params, outlet),
            _ => protocol::failure(&id, METHOD_NOT_FOUND, &format!("there is no method `{method}`")),
        };
        outlet.send(answer);
    }

    /// Runs a tool, and answers when it has ended.
    fn call(&self, id: Value, mut params: Value, outlet: &Outlet) {
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
            let near = asked_in_brackets(name, TOOLS.iter().map(|tool| tool.name));
            return outlet.send(protocol::failure(&id, INVALID_PARAMS, &format!("there is no tool `{name}`{near}")));
        };
        let given = match params.get_mut("arguments").map(Value::take) {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(given)) => given,
            Some(_) => return outlet.send(protocol::failure(&id, INVALID_PARAMS, "`arguments` is not an object")),
        };
        let key = id.to_string();
        let is_cancelled = match self.0.calls.begin(&key) {
            Ok(is_cancelled) => is_cancelled,
            Err(message) => return outlet.send(protocol::success(&id, &answer::failure(&message))),
        };
        let (server, outlet) = (self.clone(), outlet.clone());
        thread::spawn(move || {
            let found = server.0.run(tool, &given, &is_cancelled);
            let result = found.map_or_else(|message| answer::failure(&message), |content| answer::result(&content));
            // A client that has its answer may begin the next call.
            server.0.calls.end(&key);
            // A client that cancelled a call awaits no answer.
            if !is_cancelled.load(Ordering::Relaxed) {
                outlet.send(protocol::success(&id, &result));
            }
            // The answer to a batch is sent with the last of its calls, and the server waits for it.
            drop(outlet);
            server.0.calls.answered();
        });
    }
}

impl Shared {
    fn run(&self, tool: &'static Tool, given: &Map<String, Value>, is_cancelled: &AtomicBool) -> Result<Value, String> {
        match tool.action {
            Action::Open => self.open(tool, given, is_cancelled),
            Action::Close => {
                arguments::check(tool, given)?;
                let names = values_at(tool, given, |place| matches!(place, Place::Trace))?;
                names.iter().try_for_each(|name| self.traces().close(name))?;
                Ok(json!({ "closed": names }))
            }
            Action::Run(command, form) => {
                let line = arguments::line(tool, (command, form), given, &self.traces())?;
                self.command(&line, is_cancelled)
            }
        }
    }

    /// Opens a trace: gives it a name if a first look at it succeeds.
    fn open(
        &self,
        tool: &'static Tool,
        given: &Map<String, Value>,
        is_cancelled: &AtomicBool,
    ) -> Result<Value, String> {
        arguments::check(tool, given)?;
        let paths = values_at(tool, given, |place| matches!(place, Place::Paths))?;
        if paths.is_empty() {
            return Err("`paths` names no file".to_owned());
        }
        let options = arguments::all_path_options(tool, given, &self.traces())?;
        let name = self.traces().open(&paths, options.clone())?;
        let files = self.traces().get(&name)?.files.clone();
        // All of it is read: the answer has what matters most.
        let look = |command: &[&str]| {
            let words = command.iter().map(OsString::from).chain(options.iter().cloned());
            let words = words.chain(["--".into()]).chain(files.iter().cloned()).collect();
            let line = Line { words, form: Form::Rows, page: Page { skip: 0, lines: 1000 } };
            self.command_of(&line, LOOKED_AT, is_cancelled)
        };
        let found = look(&["info", "--brief", "--together", "--format=jsonl"])
            .and_then(|info| Ok((info, look(&["analyze", "--format=jsonl"])?)));
        let (mut info, mut analyses) = found.inspect_err(|_| drop(self.traces().close(&name)))?;
        let notes = info.get_mut("notes").map(Value::take);
        let info = info.get_mut("rows").and_then(|rows| rows.get_mut(0)).map(Value::take).unwrap_or_default();
        let analyses = match analyses.get_mut("rows").map(Value::take) {
            Some(Value::Array(rows)) => rows,
            _ => Vec::new(),
        };
        Ok(answer::of_open(name, (info, notes), analyses, self.limits.bytes))
    }

    fn command(&self, line: &Line, is_cancelled: &AtomicBool) -> Result<Value, String> {
        self.command_of(line, self.limits.bytes, is_cancelled)
    }

    /// Runs a command, and returns its output in so many bytes.
    fn command_of(&self, line: &Line, bytes: usize, is_cancelled: &AtomicBool) -> Result<Value, String> {
        let limits = Limits { bytes, ..self.limits.clone() };
        let printed = child::run(&limits, &line.words, line.page, is_cancelled)?;
        if printed.is_failure {
            return Err(answer::reason(&printed.messages));
        }
        Ok(answer::of_output(printed, line.form, line.page, bytes))
    }

    fn traces(&self) -> MutexGuard<'_, Traces> {
        self.traces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The values of the first argument at a place.
fn values_at(
    tool: &'static Tool,
    given: &Map<String, Value>,
    is_it: impl Fn(Place) -> bool,
) -> Result<Vec<String>, String> {
    let property = tool.properties().find(|property| is_it(property.place));
    property.map_or_else(|| Ok(Vec::new()), |property| arguments::values(given, property))
}

/// Refuses a message that is too long.
pub(super) fn refuse_long(longest: u64) {
    let message = format!("a message has at most {longest} bytes");
    Outlet::default().send(protocol::failure(&Value::Null, INVALID_REQUEST, &message));
}

/// The answer to `initialize`: the version that the client asks for, if it is known.
fn initialized(params: &Value) -> Value {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let version = VERSIONS.into_iter().find(|version| Some(*version) == asked).unwrap_or(VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "etwkit", "title": "etwkit: Windows trace logs", "version": env!("CARGO_PKG_VERSION") },
        "instructions": INSTRUCTIONS,
    })
}
