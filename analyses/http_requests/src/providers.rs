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
/// The classes of the events of IIS where its provider is not registered with a manifest: one for each area, as in
/// `parsers/registered/schemas/iis.schema`.
const IIS_CLASSES: [Guid; 12] = [
    Guid::from_u128(0xd42cf7ef_de92_473e_8b6c_621ea663113a),
    Guid::from_u128(0xc33bbe8f_985b_4080_81e6_005f1a06b9e2),
    Guid::from_u128(0x29347ffb_ba48_41e6_bffd_469c5e543ca5),
    Guid::from_u128(0x00237f0d_73eb_4bcf_a232_126693595847),
    Guid::from_u128(0x2e94e6c7_eda0_4b73_9010_2529edce1c27),
    Guid::from_u128(0xe2e55403_0d2e_4609_a470_be0da04013c0),
    Guid::from_u128(0xe3642acc_3627_42b0_8372_867baa033b07),
    Guid::from_u128(0x2ce74327_08be_425c_bfc5_1534fe7fefa6),
    Guid::from_u128(0xe60cee96_4472_448d_a13c_2170b18220ec),
    Guid::from_u128(0xac1d69f1_bf33_4ca0_9313_bca13873e1dc),
    Guid::from_u128(0x002e91e3_e7ae_44ab_8e07_99230ffa6ade),
    Guid::from_u128(0xd79a948e_95f1_417b_a731_b7a79dec7ae5),
];

/// How events are read.
type Read = fn(&Event<'_>) -> Option<ServerEvent>;

/// Returns how the events of a provider, or of a class, are read; `None` if they are not about requests.
pub(crate) fn reader(guid: &Guid) -> Option<Read> {
    match *guid {
        HTTP => Some(|event| Some(ServerEvent::of_http(event))),
        IISNODE => Some(|event| Some(ServerEvent::of_iisnode(event))),
        log_line::PROVIDER => Some(log_line::read),
        guid if guid == IIS || IIS_CLASSES.contains(&guid) => Some(|event| Some(ServerEvent::of_iis(event))),
        _ => None,
    }
}

/// Reads an event; `None` if it is of none of the providers.
pub(crate) fn read(event: &Event<'_>) -> Option<ServerEvent> {
    reader(&event.raw().provider_guid())?(event)
}
