//! How good the stacks are, in words.

use etwkit_profile::{Profile, Quality};

use crate::printer::Printer;
use crate::session::Session;
use crate::text::{counted, grouped};

/// What was profiled.
pub(super) struct Profiled<'a> {
    pub(super) profile: &'a Profile,
    /// Whether samples may have stacks.
    pub(super) has_stacks: bool,
    /// Whether a filter chose the events.
    pub(super) is_filtered: bool,
    /// The analysis that counts operations without an end.
    pub(super) counted_by: Option<&'static str>,
}

/// Says how many samples have stacks, if samples may have some, and what is missing.
pub(super) fn say(profiled: &Profiled<'_>, session: &mut Session) {
    let Profiled { profile, has_stacks, .. } = *profiled;
    if has_stacks {
        say_stacks(profile, session.printer());
    }
    let Quality { cut, clipped, beyond_timeline, forgotten, .. } = profile.quality;
    say_halves(profiled, session.printer());
    session.left_out(cut, "stack", "cut: the call tree has no more room; filter for fewer");
    session.left_out(clipped, "weight", "cut: no trace has that much");
    session.left_out(beyond_timeline, "sample", "not in this form: it has no more room; filter for fewer");
    session.left_out(
        forgotten,
        "thing",
        "forgotten: there are more operations, stacks or causes of waits than are kept; filter for fewer",
    );
}

/// Says how many operations or spans lack a start or an end. Of a filter's, the trace may have it.
fn say_halves(Profiled { profile, has_stacks, is_filtered, counted_by }: &Profiled<'_>, printer: Printer) {
    let what = if *has_stacks { "operation" } else { "span" };
    let say = |count: u64, half: &str, more: &str| {
        if count > 0 {
            let count = counted(count, what);
            let lack = if *is_filtered { "no event that passes the filters is" } else { "the trace does not have" };
            printer.note(format_args!("{count} not weighed: {lack} their {half}{more}"));
        }
    };
    say(profile.quality.without_start, "start", "");
    let how = if *is_filtered { "with all their events" } else { "without time" };
    let more = counted_by.map_or_else(String::new, |name| format!("; `analyze {name}` counts them, {how}"));
    say(profile.quality.without_end, "end", &more);
}

fn say_stacks(profile: &Profile, printer: Printer) {
    let Quality { samples, with_stack, kernel_only, user_only, incomplete, frames, named, in_images, .. } =
        profile.quality;
    printer.note(format_args!(
        "{} {}: {} with a stack ({} of the kernel only, {} of the process only, {} incomplete); {} frames: {} in named \
         methods and functions, {} in images, {} in neither",
        grouped(samples),
        if samples == 1 { profile.title.strip_suffix('s').unwrap_or(profile.title) } else { profile.title },
        grouped(with_stack),
        grouped(kernel_only),
        grouped(user_only),
        grouped(incomplete),
        grouped(frames),
        grouped(named),
        grouped(in_images),
        grouped(profile.quality.unknown()),
    ));
}
