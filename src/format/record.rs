//! `EVENT_RECORD`: an event as Windows hands it to a program, written to a `.btl` file as it lay in memory
//! (`evntcons.h`; section 17).

use zerocopy::FromBytes;
use zerocopy::little_endian::{U16, U64};

use super::{EventHeader, HeaderType, Marker, event_flags};
use crate::limits;

wire_struct! {
    /// The fixed part of an `EVENT_RECORD` of a 64-bit program, 112 bytes. The payload follows it, then from a multiple
    /// of 8 on the heads of the extended items, then their data, each from a multiple of 8 on.
    pub struct RecordHeader {
        /// `EventHeader`. Its size is that of the event in the session's buffer.
        event: EventHeader as EventHeader,
        /// `BufferContext.ProcessorIndex`.
        processor: U16 as u16,
        /// `BufferContext.LoggerId`.
        logger: U16 as u16,
        /// `ExtendedDataCount`.
        item_count: U16 as u16,
        /// `UserDataLength`, bytes of payload.
        payload_len: U16 as u16,
        /// `ExtendedData`, `UserData`, `UserContext`: addresses that meant something to the program only.
        addresses: [U64; 3] as [U64; 3],
    }
}

wire_struct! {
    /// The head of an extended item in memory (`EVENT_HEADER_EXTENDED_DATA_ITEM`), 16 bytes. On disk it is another
    /// structure, [`super::ItemHeader`].
    pub struct RecordItem {
        /// 0.
        reserved: U16 as u16,
        /// `ExtType`.
        item_type: U16 as u16,
        /// Bit 0: another item follows. The count in the record decides.
        linkage: U16 as u16,
        /// Bytes of data, without padding.
        data_size: U16 as u16,
        /// `DataPtr`, an address.
        address: U64 as u64,
    }
}

const _: () = assert!(RecordHeader::SIZE == HeaderType::Record64.fixed_len());

impl RecordHeader {
    /// Bytes of the fixed part.
    pub const SIZE: usize = size_of::<Self>();
    /// Records begin at multiples of this.
    pub const ALIGN: usize = 16;

    /// Views the record at the start of `bytes`.
    #[inline]
    pub fn view(bytes: &[u8]) -> Option<&Self> {
        Self::ref_from_prefix(bytes).ok().map(|(record, _)| record)
    }

    /// Returns whether the provider described the event by an `EVENT_DESCRIPTOR`: it is neither classic nor a message.
    #[inline]
    pub const fn is_described(&self) -> bool {
        self.event.flags.get() & (event_flags::CLASSIC | event_flags::MESSAGE) == 0
    }

    /// Returns whether Windows could have made it: the flags are known ones and include the pointer size, which those
    /// of messages need not, and the payload is part of the event.
    #[inline]
    pub const fn is_plausible(&self) -> bool {
        let flags = self.event.flags.get();
        let pointers = flags & (event_flags::BITS_32 | event_flags::BITS_64);
        let sized = pointers == event_flags::BITS_32 || pointers == event_flags::BITS_64;
        flags & !event_flags::KNOWN == 0
            && (sized || flags & event_flags::MESSAGE != 0)
            && self.event.size.get() >= self.payload_len.get()
            && self.item_count.get() as usize <= limits::MAX_EXTENDED_ITEMS
    }

    /// Returns the layout and length of the record at the start of `bytes`; `None` if it is not a record or does not
    /// fit.
    #[inline]
    pub fn marker(bytes: &[u8]) -> Option<Marker> {
        let record = Self::view(bytes).filter(|record| record.is_plausible())?;
        let is_32 = record.event.flags.get() & event_flags::BITS_32 != 0;
        let header = if is_32 { HeaderType::Record32 } else { HeaderType::Record64 };
        let mut len = Self::SIZE + usize::from(record.payload_len.get());
        if record.item_count.get() > 0 {
            len = record.items_end(bytes)?;
        }
        (len <= bytes.len()).then_some(Marker { header, len })
    }

    /// Returns where the heads of the extended items begin, from the record's start.
    pub fn items_start(&self) -> usize {
        (Self::SIZE + usize::from(self.payload_len.get())).next_multiple_of(8)
    }

    /// Returns where the data of the last extended item ends.
    fn items_end(&self, bytes: &[u8]) -> Option<usize> {
        let heads = self.items_start();
        let mut end = heads + usize::from(self.item_count.get()) * size_of::<RecordItem>();
        for number in 0..usize::from(self.item_count.get()) {
            let (item, _) = RecordItem::ref_from_prefix(bytes.get(heads + number * size_of::<RecordItem>()..)?).ok()?;
            end = end.next_multiple_of(8) + usize::from(item.data_size.get());
        }
        Some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(flags: u16, payload: u16, items: &[u16]) -> Vec<u8> {
        let mut bytes = vec![0; RecordHeader::SIZE];
        bytes[..2].copy_from_slice(&(80 + payload).to_le_bytes());
        bytes[4..6].copy_from_slice(&flags.to_le_bytes());
        bytes[84..86].copy_from_slice(&(items.len() as u16).to_le_bytes());
        bytes[86..88].copy_from_slice(&payload.to_le_bytes());
        bytes.resize(bytes.len() + usize::from(payload), 1);
        if !items.is_empty() {
            bytes.resize(bytes.len().next_multiple_of(8), 0);
        }
        for len in items {
            bytes.extend([0, 0, 3, 0, 0, 0]);
            bytes.extend(len.to_le_bytes());
            bytes.extend([0; 8]);
        }
        for len in items {
            bytes.resize(bytes.len().next_multiple_of(8) + usize::from(*len), 2);
        }
        bytes
    }

    #[test]
    fn a_record_ends_behind_its_payload_or_its_last_item() {
        let len = |bytes: &[u8]| RecordHeader::marker(bytes).map(|marker| marker.len);
        assert_eq!(len(&record(0x40, 5, &[])), Some(117));
        let items = record(0x41, 5, &[3, 4]);
        assert_eq!((len(&items), items.len()), (Some(120 + 32 + 8 + 4), 164));
        for end in 0..items.len() {
            assert_eq!(len(&items[..end]), None, "{end}");
        }
        assert_eq!(RecordHeader::marker(&record(0x20, 0, &[])).map(|m| m.header), Some(HeaderType::Record32));
    }

    #[test]
    fn what_windows_does_not_make_is_no_record() {
        for flags in [0, 0x60, 0x440, 0x8040] {
            assert_eq!(RecordHeader::marker(&record(flags, 5, &[])), None, "{flags:#x}");
        }
        let mut long = record(0x40, 100, &[]);
        long[..2].copy_from_slice(&99_u16.to_le_bytes());
        assert_eq!(RecordHeader::marker(&long), None, "the payload is longer than the event");
        assert_eq!(RecordHeader::marker(&record(0x41, 0, &[1; limits::MAX_EXTENDED_ITEMS + 1])), None);
    }
}
