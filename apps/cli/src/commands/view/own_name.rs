//! By what names a browser knows the server.

use std::net::SocketAddr;

/// The names of the server in `Host` and `Origin`.
#[derive(Debug)]
pub(super) struct OwnName {
    address: SocketAddr,
    with_port: String,
}

/// The port that browsers leave out.
const USUAL_PORT: u16 = 80;

impl OwnName {
    pub(super) fn new(address: SocketAddr) -> Self {
        Self { address, with_port: address.to_string() }
    }

    /// Address and port.
    pub(super) fn with_port(&self) -> &str {
        &self.with_port
    }

    /// Whether the value of a header `Host` is this server.
    pub(super) fn is_host(&self, host: &str) -> bool {
        let is_without_port = || self.address.port() == USUAL_PORT && host == self.address.ip().to_string();
        host == self.with_port || is_without_port()
    }

    /// Whether the value of a header `Origin` is this server.
    pub(super) fn is_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.is_host(host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn the_usual_port_may_be_left_out() {
        let usual = OwnName::new((Ipv4Addr::LOCALHOST, 80).into());
        assert!(usual.is_host("127.0.0.1") && usual.is_host("127.0.0.1:80"));
        assert!(usual.is_origin("http://127.0.0.1") && usual.is_origin("http://127.0.0.1:80"));
        assert!(!usual.is_host("127.0.0.1:8080") && !usual.is_host("localhost") && !usual.is_host(""));
        assert!(!usual.is_origin("https://127.0.0.1") && !usual.is_origin("127.0.0.1") && !usual.is_origin("null"));
        let other = OwnName::new((Ipv4Addr::LOCALHOST, 8080).into());
        assert!(other.is_host("127.0.0.1:8080") && !other.is_host("127.0.0.1") && !other.is_host("127.0.0.1:80"));
        assert!(other.is_origin("http://127.0.0.1:8080") && !other.is_origin("http://127.0.0.1"));
    }
}
