//! Names of time zones for the head of a table.

use etwkit::input::file_name;

/// The time zone that a table's head names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone<'n> {
    /// Its name.
    pub name: &'n str,
    /// Minutes to be added to get UTC.
    pub bias: i32,
}

impl<'n> Zone<'n> {
    /// A zone with the English name that Windows displays. Logs of Windows Vista and later refer to the name,
    /// `@tzres.dll,-212`; a reference that is not known stays as it is.
    pub fn new(name: &'n str, bias: i32) -> Self {
        Self { name: display_name(name).unwrap_or(name), bias }
    }
}

/// Returns the name of standard time that a reference into `tzres.dll` stands for.
fn display_name(reference: &str) -> Option<&'static str> {
    let (file, number) = reference.strip_prefix('@')?.rsplit_once(",-")?;
    let number: u16 = number.parse().ok()?;
    if !file_name(file).eq_ignore_ascii_case("tzres.dll") {
        return None;
    }
    NAMES.iter().find(|(id, _)| *id == number).map(|(_, name)| *name)
}

/// Resources of `tzres.dll` with names of standard time (`MUI_Std` of the zones in the registry), as Windows 10 has them.
const NAMES: &[(u16, &str)] = &[
    (12, "Azores Standard Time"),
    (22, "Cape Verde Standard Time"),
    (32, "Mid-Atlantic Standard Time"),
    (42, "E. South America Standard Time"),
    (52, "Greenland Standard Time"),
    (62, "SA Eastern Standard Time"),
    (72, "Newfoundland Standard Time"),
    (82, "Atlantic Standard Time"),
    (92, "Pacific SA Standard Time"),
    (102, "SA Western Standard Time"),
    (105, "Central Brazilian Standard Time"),
    (112, "Eastern Standard Time"),
    (122, "SA Pacific Standard Time"),
    (132, "US Eastern Standard Time"),
    (142, "Canada Central Standard Time"),
    (152, "Central America Standard Time"),
    (162, "Central Standard Time"),
    (172, "Central Standard Time (Mexico)"),
    (182, "Mountain Standard Time (Mexico)"),
    (192, "Mountain Standard Time"),
    (202, "US Mountain Standard Time"),
    (212, "Pacific Standard Time"),
    (215, "Pacific Standard Time (Mexico)"),
    (222, "Alaskan Standard Time"),
    (232, "Hawaiian Standard Time"),
    (242, "Samoa Standard Time"),
    (252, "Dateline Standard Time"),
    (262, "GMT Standard Time"),
    (272, "Greenwich Standard Time"),
    (282, "Central Europe Standard Time"),
    (292, "Central European Standard Time"),
    (302, "Romance Standard Time"),
    (312, "W. Central Africa Standard Time"),
    (322, "W. Europe Standard Time"),
    (332, "E. Europe Standard Time"),
    (335, "Jordan Standard Time"),
    (342, "Egypt Standard Time"),
    (352, "FLE Standard Time"),
    (362, "GTB Standard Time"),
    (365, "Middle East Standard Time"),
    (372, "Jerusalem Standard Time"),
    (382, "South Africa Standard Time"),
    (385, "Namibia Standard Time"),
    (392, "Arab Standard Time"),
    (402, "Arabic Standard Time"),
    (412, "E. Africa Standard Time"),
    (422, "Russia TZ 2 Standard Time"),
    (432, "Iran Standard Time"),
    (435, "Georgian Standard Time"),
    (442, "Arabian Standard Time"),
    (447, "Azerbaijan Standard Time"),
    (452, "Caucasus Standard Time"),
    (462, "Afghanistan Standard Time"),
    (472, "West Asia Standard Time"),
    (482, "Russia TZ 4 Standard Time"),
    (492, "India Standard Time"),
    (502, "Nepal Standard Time"),
    (512, "Central Asia Standard Time"),
    (522, "Novosibirsk Standard Time"),
    (532, "Sri Lanka Standard Time"),
    (542, "Myanmar Standard Time"),
    (552, "Russia TZ 6 Standard Time"),
    (562, "SE Asia Standard Time"),
    (572, "China Standard Time"),
    (582, "Russia TZ 7 Standard Time"),
    (592, "Malay Peninsula Standard Time"),
    (602, "Taipei Standard Time"),
    (612, "W. Australia Standard Time"),
    (622, "Korea Standard Time"),
    (632, "Tokyo Standard Time"),
    (642, "Russia TZ 8 Standard Time"),
    (652, "AUS Central Standard Time"),
    (662, "Cen. Australia Standard Time"),
    (672, "AUS Eastern Standard Time"),
    (682, "E. Australia Standard Time"),
    (692, "Tasmania Standard Time"),
    (702, "Russia TZ 9 Standard Time"),
    (712, "West Pacific Standard Time"),
    (722, "Central Pacific Standard Time"),
    (732, "Fiji Standard Time"),
    (742, "New Zealand Standard Time"),
    (752, "Tonga Standard Time"),
    (772, "Montevideo Standard Time"),
    (782, "Morocco Standard Time"),
    (842, "Argentina Standard Time"),
    (872, "Pakistan Standard Time"),
    (912, "Mauritius Standard Time"),
    (932, "Coordinated Universal Time"),
    (962, "Paraguay Standard Time"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_become_names() {
        let name = |text| Zone::new(text, 480).name;
        assert_eq!(name("@tzres.dll,-212"), "Pacific Standard Time");
        assert_eq!(name(r"@%SystemRoot%\system32\tzres.dll,-932"), "Coordinated Universal Time");
        assert_eq!(name("SA Eastern Standard Time"), "SA Eastern Standard Time");
        for unknown in ["@tzres.dll,-1", "@other.dll,-212", "@tzres.dll,-x", "@", ""] {
            assert_eq!(name(unknown), unknown);
        }
        assert!(NAMES.is_sorted_by(|one, other| one.0 < other.0));
    }
}
