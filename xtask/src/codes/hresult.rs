//! What is a `HRESULT`, and which of them have no name that is right.

use std::collections::BTreeSet;

use super::fact::{Fact, Origin};
use super::order;

/// The facility whose codes each interface defines for itself.
const FACILITY_ITF: u32 = 4;
/// The facility of .NET (`FACILITY_URT`).
const FACILITY_URT: u32 = 0x13;
/// Error, no customer's code, of a facility.
const ERROR: u32 = 0x8000_0000;

/// The code of a constant: its type states so (WMI's is an enumeration), or it is an error and has `_E_` in its name.
pub(super) fn code(fact: &Fact) -> Option<u32> {
    let untyped = fact.is_plain() && fact.number >= ERROR && is_error_name(&fact.name);
    let typed = fact.kind == "HRESULT" || fact.is_of_wmi() && fact.number >= ERROR;
    // A success code of a component.
    let success = fact.module == "Win32/Foundation" && fact.kind == "i32" && fact.name == "SDIAG_S_CANNOTRUN";
    (typed || untyped || success).then_some(fact.number)
}

/// `BG_E_NOT_FOUND`
fn is_error_name(name: &str) -> bool {
    name.split_once("_E_").is_some_and(|(component, _)| {
        !component.is_empty() && component.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    })
}

/// Whether no name can be given: an interface's own code that several components define and `winerror.h` does not, a
/// code of .NET's facility, or a small number that is a success code or a message's number of one component.
///
/// WMI's codes have names though others use their numbers: they are the results of one enumeration for all of WMI,
/// which events report, those of the others belong to functions of graphics and URLs. UI Automation uses numbers of
/// .NET, which no source has: `0x80131509` is mostly `COR_E_INVALIDOPERATION`.
pub(super) fn is_unclear(code: u32, facts: &[&Fact]) -> bool {
    if facts.iter().any(|fact| fact.module == "Win32/Foundation") {
        return false;
    }
    if code <= 0xFFFF {
        return true;
    }
    let facility = code >> 16 & 0x7FF;
    if facility == FACILITY_URT {
        return true;
    }
    if facts.iter().any(|fact| fact.is_of_wmi()) {
        return false;
    }
    let names = facts.iter().filter(|fact| !order::is_end(&fact.name));
    facility == FACILITY_ITF && names.map(|fact| component(fact)).collect::<BTreeSet<_>>().len() > 1
}

/// Who defines a code: the module that has it, or the name up to `_E_` or `_S_`.
fn component(fact: &Fact) -> &str {
    match fact.origin {
        Origin::WindowsSys => &fact.module,
        _ => fact.name.split_once("_E_").or_else(|| fact.name.split_once("_S_")).map_or(&fact.name, |(first, _)| first),
    }
}
