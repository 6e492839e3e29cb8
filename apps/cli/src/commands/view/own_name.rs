//! By what names a browser knows the server.

use std::net::SocketAddr;

/// The names of the server in `Host` and `Origin`.
#[derive(Debug)]
pub(super) struct OwnName {
    with_port: String,
}

impl OwnName {
    pub(super) fn new(address: SocketAddr) -> Self {
        Self { with_port: address.to_string() }
    }

    /// Address and port.
    pub(super) fn with_port(&self) -> &str {
        &self.with_port
    }

    /// Whether the value of a header `Host` is this server.
    pub(super) fn is_host(&self, host: &str) -> bool {
        host == self.with_port
    }

    /// Whether the value of a header `Origin` is this server.
    pub(super) fn is_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.is_host(host))
    }
}
