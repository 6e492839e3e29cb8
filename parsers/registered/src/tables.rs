//! The tables of `schemas/`, each with the providers and classes it describes. A table is read when the first event of
//! these comes.

use etwkit::bytes::Guid;
use etwkit::parser::SchemaTables;

/// Returns the tables of [`Overrides`](crate::Overrides).
pub fn overrides() -> &'static SchemaTables {
    static TABLES: SchemaTables =
        SchemaTables::built_in("overrides", &OVERRIDES, &[include_str!("../schemas/overrides.schema")]);
    &TABLES
}

/// Returns all other tables.
pub fn tables() -> &'static [SchemaTables] {
    &TABLES
}

static TABLES: [SchemaTables; 15] = [
    SchemaTables::built_in(
        "antimalware-engine",
        &ANTIMALWARE_ENGINE,
        &[include_str!("../schemas/antimalware_engine.schema")],
    ),
    SchemaTables::built_in("aspnet", &ASPNET, &[include_str!("../schemas/aspnet.schema")]),
    SchemaTables::built_in("etwclrprofiler", &ETWCLRPROFILER, &[include_str!("../schemas/etwclrprofiler.schema")]),
    SchemaTables::built_in("framework", &FRAMEWORK, &[include_str!("../schemas/framework.schema")]),
    SchemaTables::built_in("iis", &IIS, &[include_str!("../schemas/iis.schema")]),
    SchemaTables::built_in("iisnode", &IISNODE, &[include_str!("../schemas/iisnode.schema")]),
    SchemaTables::built_in("interop", &INTEROP, &[include_str!("../schemas/interop.schema")]),
    SchemaTables::built_in("jscript", &JSCRIPT, &[include_str!("../schemas/jscript.schema")]),
    SchemaTables::built_in("jsdumpheap", &JSDUMPHEAP, &[include_str!("../schemas/jsdumpheap.schema")]),
    SchemaTables::built_in("kernel-file", &KERNEL_FILE, &[include_str!("../schemas/kernel_file.schema")]),
    SchemaTables::built_in("linuxkernel", &LINUXKERNEL, &[include_str!("../schemas/linuxkernel.schema")]),
    SchemaTables::built_in("ndis", &NDIS, &[include_str!("../schemas/ndis.schema")]),
    SchemaTables::built_in("perfview-app", &PERFVIEW_APP, &[include_str!("../schemas/perfview_app.schema")]),
    SchemaTables::built_in("tpl", &TPL, &[include_str!("../schemas/tpl.schema")]),
    SchemaTables::built_in("twapi", &TWAPI, &[include_str!("../schemas/twapi.schema")]),
];

const OVERRIDES: [Guid; 1] = [Guid::from_u128(0x7dd42a49_5329_4832_8dfd_43d979153a88)];

const ANTIMALWARE_ENGINE: [Guid; 1] = [Guid::from_u128(0x0a002690_3839_4e3a_b3b6_96d8df868d99)];

const ASPNET: [Guid; 1] = [Guid::from_u128(0x06a01367_79d3_4594_8eb3_c721603c4679)];

const ETWCLRPROFILER: [Guid; 1] = [Guid::from_u128(0x6652970f_1756_5d8d_0805_e9aad152aa84)];

const FRAMEWORK: [Guid; 1] = [Guid::from_u128(0x8e9f5090_2d75_4d03_8a81_e5afbf85daf1)];

const IIS: [Guid; 13] = [
    Guid::from_u128(0xe2e55403_0d2e_4609_a470_be0da04013c0),
    Guid::from_u128(0x00237f0d_73eb_4bcf_a232_126693595847),
    Guid::from_u128(0x2ce74327_08be_425c_bfc5_1534fe7fefa6),
    Guid::from_u128(0x3a2a4e84_4c21_4981_ae10_3fda0d9b0f83),
    Guid::from_u128(0xd79a948e_95f1_417b_a731_b7a79dec7ae5),
    Guid::from_u128(0xc33bbe8f_985b_4080_81e6_005f1a06b9e2),
    Guid::from_u128(0xe60cee96_4472_448d_a13c_2170b18220ec),
    Guid::from_u128(0x2e94e6c7_eda0_4b73_9010_2529edce1c27),
    Guid::from_u128(0xe3642acc_3627_42b0_8372_867baa033b07),
    Guid::from_u128(0x002e91e3_e7ae_44ab_8e07_99230ffa6ade),
    Guid::from_u128(0xd42cf7ef_de92_473e_8b6c_621ea663113a),
    Guid::from_u128(0xac1d69f1_bf33_4ca0_9313_bca13873e1dc),
    Guid::from_u128(0x29347ffb_ba48_41e6_bffd_469c5e543ca5),
];

const IISNODE: [Guid; 1] = [Guid::from_u128(0x1040dfc4_61db_484a_9530_584b2735f7f7)];

const INTEROP: [Guid; 1] = [Guid::from_u128(0xc4ac552a_e1eb_4fa2_a651_b200efd7aa91)];

const JSCRIPT: [Guid; 1] = [Guid::from_u128(0x57277741_3638_4a4b_bdba_0ac6e45da56c)];

const JSDUMPHEAP: [Guid; 1] = [Guid::from_u128(0x7f8e35ca_68e8_41b9_86fe_d6adc5b327e7)];

const KERNEL_FILE: [Guid; 1] = [Guid::from_u128(0xedd08927_9cc4_4e65_b970_c2560fb5c289)];

const LINUXKERNEL: [Guid; 2] =
    [Guid::from_u128(0x4da4eb17_cd7d_4b13_b807_22908d2996b5), Guid::from_u128(0xa3041133_bf9e_4861_a31d_60a2d665fe6e)];

const NDIS: [Guid; 1] = [Guid::from_u128(0x2ed6006e_4729_4609_b423_3ee7bcd678ef)];

const PERFVIEW_APP: [Guid; 1] = [Guid::from_u128(0xa8a71ac1_040f_54a2_07ca_00a89b5ab761)];

const TPL: [Guid; 1] = [Guid::from_u128(0x2e5dba47_a3d2_4d16_8ee0_6671ffdcd7b5)];

const TWAPI: [Guid; 1] = [Guid::from_u128(0xd5b52e95_8447_40c1_b316_539894449b36)];

#[cfg(test)]
mod tests {
    use etwkit::schema::text;

    #[test]
    fn every_table_can_be_read_and_claims_what_it_describes() {
        for tables in super::tables().iter().chain([super::overrides()]) {
            for source in tables.texts() {
                if let Err(error) = text::parse(source) {
                    panic!("{}: {error}", tables.name());
                }
            }
            assert_eq!(tables.guids(), tables.set().providers(), "{}", tables.name());
        }
    }
}
