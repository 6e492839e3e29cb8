//! How good the stacks are, in words.

use etwkit_profile::{Profile, Quality};

use crate::printer::Printer;
use crate::session::Session;
use crate::text::{counted, grouped};

/// Says how many samples have stacks, if samples may have some, and what is missing.
pub(super) fn say(profile: &Profile, has_stacks: bool, counted_by: Option<&str>, session: &mut Session) {
    if has_stacks {
        say_stacks(profile, session.printer());
    }
    let Quality { cut, clipped, beyond_timeline, without_start, without_end, forgotten, .. } = profile.quality;
    let what = if has_stacks { "operation" } else { "span" };
    let say = |count: u64, what: &str, how: &str| {
        if count > 0 {
            session.printer().note(format_args!("{} {how}", counted(count, what)));
        }
    };
    say(without_start, what, "not weighed: the trace does not have their start");
    let counted = counted_by.map_or_else(String::new, |name| format!("; `analyze {name}` counts them, without time"));
    say(without_end, what, &format!("not weighed: the trace does not have their end{counted}"));
    session.left_out(cut, "stack", "cut: the call tree has no more room; filter for fewer");
    session.left_out(clipped, "weight", "cut: no trace has that much");
    session.left_out(beyond_timeline, "sample", "not in this form: it has no more room; filter for fewer");
    session.left_out(
        forgotten,
        "thing",
        "forgotten: there are more operations, stacks or causes of waits than are kept; filter for fewer",
    );
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
