//! The providers whose events are about requests.

use etwkit::bytes::Guid;
use etwkit::decode::Event;

use crate::log_line;
use crate::server_event::ServerEvent;

/// Microsoft-Windows-HttpService.
const HTTP: Guid = Guid::from_u128(0xdd5ef90a_6398_47a4_ad34_4dcecdef795f);
/// The trace provider of IIS.
const IIS: Guid = Guid::from_u128(0x3a2a4e84_4c21_4981_ae10_3fda0d9b0f83);
/// iisnode.
const IISNODE: Guid = Guid::from_u128(0x1040dfc4_61db_484a_9530_584b2735f7f7);
/// All of them.
pub(crate) const PROVIDERS: [Guid; 4] = [HTTP, IIS, IISNODE, log_line::PROVIDER];

/// Reads an event; `None` if it is of none of the providers.
pub(crate) fn read(event: &Event<'_>) -> Option<ServerEvent> {
    match event.raw().provider_guid() {
        HTTP => Some(ServerEvent::of_http(event)),
        IIS => Some(ServerEvent::of_iis(event)),
        IISNODE => Some(ServerEvent::of_iisnode(event)),
        log_line::PROVIDER => log_line::read(event),
        _ => None,
    }
}
