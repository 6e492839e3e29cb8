//! What the events of each type are for spans.

use std::sync::Arc;

use etwkit::decode::EventType;
use etwkit::event::{EventKey, Kind};
use etwkit::schema::Schema;
use etwkit::trace::Trace;
use etwkit_analysis::guids::TPL;

use crate::family::{Families, FamilyId};
use crate::misspelt::{End, joined};
use crate::options::{Pair, Which};
use crate::stem::{Side, Stem};

/// Opcodes of every manifest, whatever the language of their names.
const START: u8 = 1;
const STOP: u8 = 2;

/// What an event of a type is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Role {
    pub(crate) family: FamilyId,
    when: When,
    pub(crate) rule: Rule,
}

/// Which events of a type have the role.
#[derive(Clone, Copy, Debug)]
enum When {
    /// All.
    Is(Side),
    /// Those with an opcode.
    Opcode(Side, u8),
    /// Those with the opcodes Start and Stop.
    ByOpcode,
}

/// What a stop must have in common with its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The activity id, or without one the thread.
    Usual,
    /// The process and the number in a field.
    Number(&'static str),
    /// The process and the number of a task that runs.
    Task,
    /// The thread and the number in a field.
    ThreadAndNumber(&'static str),
}

impl Role {
    /// Returns the side that an event with an opcode is.
    pub(crate) const fn side(&self, opcode: u8) -> Option<Side> {
        match self.when {
            When::Is(side) => Some(side),
            When::Opcode(side, own) if own == opcode => Some(side),
            When::ByOpcode if opcode == START => Some(Side::Start),
            When::ByOpcode if opcode == STOP => Some(Side::Stop),
            _ => None,
        }
    }
}

/// What the events of a type are.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeRoles {
    pub(crate) roles: Box<[Role]>,
    /// Whether they state that a task is scheduled.
    pub(crate) schedules: bool,
}

/// What the events of each type are, by its id.
#[derive(Clone, Debug)]
pub(crate) struct Roles {
    pub(crate) families: Families,
    pub(crate) by_type: Arc<[TypeRoles]>,
}

impl Roles {
    pub(crate) fn of(trace: &Trace, pairs: &[Pair]) -> Self {
        let mut families = Families::default();
        let mut by_type: Vec<TypeRoles> = trace.types().iter().map(|row| of_type(row, pairs, &mut families)).collect();
        join_misspelt(trace, &mut by_type, &mut families);
        Self { families, by_type: by_type.into() }
    }
}

/// Joins spans whose start and stop have different names by a slip.
fn join_misspelt(trace: &Trace, by_type: &mut [TypeRoles], families: &mut Families) {
    let mut ends = Vec::new();
    for (row, roles) in trace.types().iter().zip(&*by_type) {
        let EventKey { kind, provider, id, opcode, task, .. } = *row.key();
        for role in &roles.roles {
            let own = matches!(role.when, When::Is(_)) && kind == Kind::Manifest && roles.roles.len() == 1;
            let number = own.then_some((provider, task, id, opcode));
            let is_stop = matches!(role.when, When::Is(Side::Stop) | When::Opcode(Side::Stop, _));
            ends.push(End { family: role.family, is_stop, number });
        }
    }
    let joined = joined(&ends, families);
    for role in by_type.iter_mut().flat_map(|roles| &mut roles.roles) {
        if let Some(family) = joined.get(&role.family) {
            role.family = *family;
            families.can_end(*family);
        }
    }
}

fn of_type(row: &EventType, pairs: &[Pair], families: &mut Families) -> TypeRoles {
    let mut roles: Vec<Role> = Vec::new();
    let tpl = (row.key().provider == TPL && row.key().kind == Kind::Manifest).then(|| of_tpl(row.key().id));
    match tpl.flatten() {
        Some((task, side, rule)) => {
            let family = families.add(TPL, row.provider(), task);
            roles.push(Role { family, when: When::Is(side), rule });
        }
        None => roles.extend(usual(row, families)),
    }
    roles.extend(pairs.iter().flat_map(|pair| of_pair(row, pair, families)));
    for role in roles.iter().filter(|role| !matches!(role.when, When::Is(Side::Start) | When::Opcode(Side::Start, _))) {
        families.can_end(role.family);
    }
    TypeRoles { roles: roles.into(), schedules: tpl.is_some() && row.key().id == SCHEDULED }
}

/// The role that names and opcodes give.
fn usual(row: &EventType, families: &mut Families) -> Option<Role> {
    let is_numbered = match row.key().kind {
        Kind::Manifest | Kind::TraceLogging => true,
        Kind::Classic => row.schema().is_none_or(|schema| schema.names().opcode.is_none()),
        _ => return None,
    };
    let names = row.schema().map(Schema::names);
    let own = |name: &Option<Box<str>>| name.clone().filter(|name| !name.is_empty());
    let task = names.and_then(|names| own(&names.task).or_else(|| own(&names.event)));
    let task = task.unwrap_or_else(|| format!("task {}", row.key().task).into());
    let opcode = names.and_then(|names| own(&names.opcode));
    let stem = Stem::of(&task, opcode.as_deref())?;
    let when = match stem.side {
        Some(side) => When::Is(side),
        None if is_numbered => When::ByOpcode,
        None => return None,
    };
    Some(Role { family: families.add(row.provider_guid(), row.provider(), &stem.text), when, rule: Rule::Usual })
}

/// The roles that a pair gives.
fn of_pair(row: &EventType, pair: &Pair, families: &mut Families) -> Vec<Role> {
    let is = |which: &Which, side| match which.opcode() {
        Some(opcode) => Some(When::Opcode(side, opcode)),
        None => row.name().is_some_and(|name| which.is_named(name)).then_some(When::Is(side)),
    };
    let sides = [is(&pair.start, Side::Start), is(&pair.stop, Side::Stop)];
    let role = |when| {
        let family = families.add(row.provider_guid(), row.provider(), &pair.to_string());
        Role { family, when, rule: Rule::Usual }
    };
    sides.into_iter().flatten().map(role).collect()
}

/// Of TPL's events, the one that states that a task is scheduled.
const SCHEDULED: u16 = 7;
/// The field of TPL's events with the number of a task.
pub(crate) const TASK: &str = "TaskID";
const FORK_JOIN: &str = "ForkJoinContextID";

/// The role of an event of TPL: later manifests have no names and opcodes of pairs, and operations go from one thread
/// to another with the number of their task.
fn of_tpl(id: u16) -> Option<(&'static str, Side, Rule)> {
    let (task, rule) = match id {
        1 | 2 => ("Loop", Rule::Number(FORK_JOIN)),
        3 | 4 => ("Invoke", Rule::Number(FORK_JOIN)),
        5 | 6 => ("ForkJoin", Rule::ThreadAndNumber(FORK_JOIN)),
        8 | 9 => ("TaskExecute", Rule::Task),
        10 | 11 => ("TaskWait", Rule::ThreadAndNumber(TASK)),
        14 | 15 => ("TraceOperation", Rule::Number(TASK)),
        17 | 18 => ("TraceSynchronousWork", Rule::Usual),
        _ => return None,
    };
    let side = if matches!(id, 1 | 3 | 5 | 8 | 10 | 14 | 17) { Side::Start } else { Side::Stop };
    Some((task, side, rule))
}
