//! Images of neighbouring addresses, for outputs that look up very many.

use std::ops::RangeInclusive;

use super::lifetime::Lifetime;
use super::ranges::wins;
use super::timeline::Ticks;
use super::{Image, Images};

/// The image at an address, and the addresses and ticks for which it is the same one.
#[derive(Clone, Debug)]
pub(crate) struct ImageSpan<'s> {
    pub(crate) image: Option<&'s Image>,
    pub(crate) addresses: RangeInclusive<u64>,
    pub(crate) ticks: RangeInclusive<i64>,
}

impl ImageSpan<'_> {
    fn excluding(addresses: RangeInclusive<u64>) -> Self {
        Self { image: None, addresses, ticks: i64::MIN..=i64::MAX }
    }

    fn addresses_from(&mut self, first: u64) {
        self.addresses = first.max(*self.addresses.start())..=*self.addresses.end();
    }

    fn addresses_to(&mut self, last: u64) {
        self.addresses = *self.addresses.start()..=last.min(*self.addresses.end());
    }

    fn ticks_from(&mut self, first: i64) {
        self.ticks = first.max(*self.ticks.start())..=*self.ticks.end();
    }

    fn ticks_to(&mut self, last: i64) {
        self.ticks = *self.ticks.start()..=last.min(*self.ticks.end());
    }
}

impl Images {
    /// Returns what [`Images::at`] does for a tick, and for which other addresses and ticks it is so.
    pub(crate) fn span(&self, pid: u32, address: u64, tick: i64) -> ImageSpan<'_> {
        let own = self.span_of_process(pid, address, tick);
        if own.image.is_some() {
            return own;
        }
        let mut kernel = self.span_of_process(0, address, tick);
        kernel.addresses_from(*own.addresses.start());
        kernel.addresses_to(*own.addresses.end());
        kernel.ticks_from(*own.ticks.start());
        kernel.ticks_to(*own.ticks.end());
        kernel
    }

    fn span_of_process(&self, pid: u32, address: u64, tick: i64) -> ImageSpan<'_> {
        let ranges = self.ranges();
        let Some(all) = ranges.of_pid(pid) else { return ImageSpan::excluding(0..=u64::MAX) };
        let count = all.up_to(address);
        let next = all.start(count).map_or(u64::MAX, |next| next.saturating_sub(1));
        let mut span = ImageSpan::excluding(0..=next);
        let mut found: Option<(&Image, Lifetime)> = None;
        // The first one that is not looked at, in order of address.
        let mut rest = count;
        for (number, place) in all.near(address, count) {
            rest = number;
            let Some((image, lifetime)) = ranges.get(place) else { continue };
            if address - image.base >= image.size {
                span.addresses_from(image.base.saturating_add(image.size));
                continue;
            }
            span.addresses_from(image.base);
            span.ticks = lifetime.same_as_at(tick, span.ticks);
            if lifetime.holds(Ticks::one(tick)) && found.is_none_or(|(_, found)| wins(lifetime, found)) {
                found = Some((image, lifetime));
            }
        }
        // The others end before the address, unless there are too many to look at.
        span.addresses_from(all.reach_before(rest).map_or(0, |last| last.saturating_add(1).min(address)));
        if let Some((image, _)) = found {
            span.addresses_to(image.base.saturating_add(image.size - 1));
            span.image = Some(image);
        }
        span
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::system::StateBudget;
    use crate::system::timeline::Moment;

    proptest! {
        #[test]
        fn a_span_has_the_same_image_throughout(
            loads in prop::collection::vec((0_u32..2, 0_u64..40, 0_u64..20, 0_i64..30, any::<bool>()), 0..12),
            pid in 0_u32..3,
            address in 0_u64..70,
            tick in 0_i64..32,
        ) {
            let (mut images, mut budget) = (Images::default(), StateBudget::default());
            for (number, (pid, base, size, tick, is_load)) in loads.into_iter().enumerate() {
                let (at, image) = (Moment { tick, time: None }, Image::new(pid, base, size, format!("{number}")));
                let owners = pid.into();
                if is_load { images.load(at, owners, image, &mut budget) } else { images.unload(at, owners, image, &mut budget) }
            }
            images.freeze(Images::default());
            let span = images.span(pid, address, tick);
            prop_assert!(span.addresses.contains(&address) && span.ticks.contains(&tick));
            for other in 0..70_u64 {
                for when in -1..33 {
                    if span.addresses.contains(&other) && span.ticks.contains(&when) {
                        prop_assert_eq!(images.at(pid, other, Ticks::one(when)), span.image, "{} {}", other, when);
                    }
                }
            }
        }
    }
}
