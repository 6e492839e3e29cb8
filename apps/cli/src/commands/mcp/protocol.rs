//! Messages of JSON-RPC 2.0, one per line.

use serde_json::{Value, json};

/// The text is not valid JSON.
pub(super) const PARSE_ERROR: i32 = -32700;
/// It is JSON, but no message.
pub(super) const INVALID_REQUEST: i32 = -32600;
/// There is no such method.
pub(super) const METHOD_NOT_FOUND: i32 = -32601;
/// The parameters do not fit the method.
pub(super) const INVALID_PARAMS: i32 = -32602;

/// A message of the client.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// Wants an answer.
    Request { id: Value, method: String, params: Value },
    /// Wants none.
    Notification { method: String, params: Value },
    /// Answers a request. The server makes none.
    Response,
}

/// Reads the text of a message or of a batch of them. The error is the answer to text that is not JSON.
pub(super) fn read(line: &[u8]) -> Result<Value, Value> {
    serde_json::from_slice(line)
        .map_err(|error| failure(&Value::Null, PARSE_ERROR, &format!("not valid JSON: {error}")))
}

/// Interprets a value as a message. The error is the answer to one that is no message.
pub(super) fn message(mut value: Value) -> Result<Message, Value> {
    if value.get("method").is_none() && (value.get("result").is_some() || value.get("error").is_some()) {
        return Ok(Message::Response);
    }
    let id = value.get("id").cloned();
    let is_id = id.as_ref().is_none_or(is_id);
    let shown = id.clone().filter(|_| is_id).unwrap_or(Value::Null);
    if value.get("jsonrpc") != Some(&json!("2.0")) || !is_id {
        return Err(failure(&shown, INVALID_REQUEST, "not a JSON-RPC 2.0 message"));
    }
    let method = value.get("method").and_then(Value::as_str).map(str::to_owned);
    let params = value.get_mut("params").map(Value::take).unwrap_or_default();
    match (method, id) {
        (Some(method), Some(id)) => Ok(Message::Request { id, method, params }),
        (Some(method), None) => Ok(Message::Notification { method, params }),
        (None, _) => Err(failure(&shown, INVALID_REQUEST, "the message names no method")),
    }
}

/// Whether a value is an id that the answer can repeat: a text, or a number that is kept exactly.
fn is_id(id: &Value) -> bool {
    let is_rounded = id.is_f64() && id.as_f64().is_some_and(|number| number.abs() >= LEAST_ROUNDED);
    id.is_string() || id.is_number() && !is_rounded
}

/// The integers from which on not each is a double.
const LEAST_ROUNDED: f64 = 9_007_199_254_740_992.0;

/// The answer to a request.
pub(super) fn success(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// The answer to a request that is wrong as a message.
pub(super) fn failure(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &[u8]) -> Result<Message, Value> {
        read(line).and_then(message)
    }

    #[test]
    fn messages_are_told_apart() {
        let request = parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).unwrap();
        assert_eq!(request, Message::Request { id: json!(1), method: "ping".into(), params: Value::Null });
        let note = parse(br#"{"jsonrpc":"2.0","method":"x","params":{"a":1}}"#).unwrap();
        assert_eq!(note, Message::Notification { method: "x".into(), params: json!({ "a": 1 }) });
        assert_eq!(parse(br#"{"jsonrpc":"2.0","id":"a","result":{}}"#).unwrap(), Message::Response);
        assert_eq!(parse(br#"{"jsonrpc":"2.0","id":null,"error":{}}"#).unwrap(), Message::Response);
    }

    #[test]
    fn what_is_no_message_has_an_answer() {
        let code = |line: &str| parse(line.as_bytes()).unwrap_err()["error"]["code"].clone();
        assert_eq!(code("{"), PARSE_ERROR);
        for line in [
            "[]",
            "1",
            r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#,
            r#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"x"}"#,
        ] {
            assert_eq!(code(line), INVALID_REQUEST, "{line}");
        }
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1}"#), INVALID_REQUEST);
    }
}
