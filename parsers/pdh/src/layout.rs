//! Both kinds of payload as schemas.
//!
//! The layout of a payload depends on what is recorded, so the schemas are made from the events that the first pass
//! sees. A payload that fits none of them is shown as bytes after its head.

use etwkit::error::Result;
use etwkit::schema::{
    Count, DisplayFormat, Encoding, Field, Len, Names, Scalar, Schema, SchemaBuilder, SchemaSource, Wire,
};

use crate::catalog::{Catalog, Texts};

/// The layout of a record in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One value.
    Single,
    /// Several values, their names, and bytes after these.
    Several { padding: u16 },
}

/// Returns the list of counters, an entry per struct.
pub(crate) fn catalog(catalog: &Catalog) -> Result<Schema> {
    let mut builder = head("Counters", true);
    for counter in &catalog.counters {
        builder.begin_struct(Field::new(counter.path(), Wire::Struct { fields: 0 }));
        entry(&mut builder, &counter.texts);
        builder.end_struct();
    }
    builder.build()
}

fn entry(builder: &mut SchemaBuilder, texts: &Texts) {
    number(builder, "Length", Scalar::U32, DisplayFormat::Hidden);
    number(builder, "Flags", Scalar::U32, DisplayFormat::Hex);
    number(builder, "UserData", Scalar::U32, DisplayFormat::Hex);
    number(builder, "CounterType", Scalar::U32, DisplayFormat::Hex);
    number(builder, "TimeBase", Scalar::I64, DisplayFormat::Plain);
    number(builder, "DefaultScale", Scalar::I32, DisplayFormat::Plain);
    for name in ["MachineOffset", "ObjectOffset", "InstanceOffset", "ParentOffset"] {
        number(builder, name, Scalar::U32, DisplayFormat::Hidden);
    }
    number(builder, "InstanceIndex", Scalar::U32, DisplayFormat::Plain);
    number(builder, "CounterOffset", Scalar::U32, DisplayFormat::Hidden);
    for name in &texts.order {
        builder.field(Field::new(*name, Wire::Text { encoding: Encoding::Utf16, len: Len::Nul }));
    }
    padding(builder, texts.padding);
}

/// Returns a sample whose records have these shapes; `names` are the paths of the counters, where they are known.
pub(crate) fn sample(shapes: &[Shape], names: Option<&[String]>) -> Result<Schema> {
    let mut builder = head("Sample", false);
    for (place, shape) in shapes.iter().enumerate() {
        let name = names.and_then(|names| names.get(place)).cloned();
        builder.begin_struct(Field::new(
            name.unwrap_or_else(|| format!("Record{}", place + 1)),
            Wire::Struct { fields: 0 },
        ));
        match shape {
            Shape::Single => single(&mut builder),
            Shape::Several { padding } => several(&mut builder, *padding),
        }
        builder.end_struct();
    }
    builder.build()
}

/// Returns a sample of any number of single values, too many to name one by one.
pub(crate) fn singles() -> Result<Schema> {
    let mut builder = head("Sample", false);
    builder.begin_struct(Field::new("Records", Wire::Struct { fields: 0 }).counted(Count::Rest));
    single(&mut builder);
    builder.end_struct();
    builder.build()
}

fn single(builder: &mut SchemaBuilder) {
    record(builder);
    number(builder, "Status", Scalar::U32, DisplayFormat::Hex);
    number(builder, "Time", Scalar::I64, DisplayFormat::Plain);
    number(builder, "Padding1", Scalar::U32, DisplayFormat::Hidden);
    number(builder, "FirstValue", Scalar::I64, DisplayFormat::Plain);
    number(builder, "SecondValue", Scalar::I64, DisplayFormat::Plain);
    number(builder, "MultiCount", Scalar::U32, DisplayFormat::Plain);
    number(builder, "Padding2", Scalar::U32, DisplayFormat::Hidden);
}

fn several(builder: &mut SchemaBuilder, bytes: u16) {
    record(builder);
    number(builder, "BlockLength", Scalar::U32, DisplayFormat::Hidden);
    let count = number(builder, "ItemCount", Scalar::U32, DisplayFormat::Plain);
    number(builder, "Reserved", Scalar::U32, DisplayFormat::Hidden);
    number(builder, "Status", Scalar::U32, DisplayFormat::Hex);
    number(builder, "Time", Scalar::I64, DisplayFormat::Plain);
    builder.begin_struct(Field::new("Items", Wire::Struct { fields: 0 }).counted(Count::Field(count)));
    number(builder, "NameOffset", Scalar::U32, DisplayFormat::Hidden);
    number(builder, "MultiCount", Scalar::U32, DisplayFormat::Plain);
    number(builder, "FirstValue", Scalar::I64, DisplayFormat::Plain);
    number(builder, "SecondValue", Scalar::I64, DisplayFormat::Plain);
    builder.end_struct();
    let text = Wire::Text { encoding: Encoding::Utf16, len: Len::Nul };
    builder.field(Field::new("Names", text).counted(Count::Field(count)));
    padding(builder, bytes);
}

fn record(builder: &mut SchemaBuilder) {
    number(builder, "Kind", Scalar::U32, DisplayFormat::Hidden);
    number(builder, "Length", Scalar::U32, DisplayFormat::Hidden);
}

/// Any payload: what follows the head as bytes.
pub(crate) fn plain(opcode: u8) -> Result<Schema> {
    let is_list = opcode == crate::LIST;
    let mut builder = head(if is_list { "Counters" } else { "Sample" }, is_list);
    builder.field(Field::new("Data", Wire::Bytes { len: Len::Rest }));
    builder.build()
}

/// Returns the schema of any payload of an event that is neither a list nor a sample: the GUID of the log, then bytes.
pub(crate) fn other(opcode: u8) -> Result<Schema> {
    let name = match opcode {
        35 | 36 => format!("Names{opcode}"),
        _ => format!("Opcode{opcode}"),
    };
    let mut builder = named(&name);
    builder.field(Field::new("Log", Wire::Scalar(Scalar::Guid)));
    builder.field(Field::new("Data", Wire::Bytes { len: Len::Rest }));
    builder.build()
}

/// Returns the names of an event, whose time is local.
fn named(opcode: &str) -> SchemaBuilder {
    let mut names = Names::default().provider("PerformanceLog").task("PerformanceLog").opcode(opcode);
    names.details = [(Names::TIME.into(), Names::LOCAL.into())].into();
    Schema::builder(SchemaSource::BUILT_IN.into()).names(names)
}

/// Returns the names and the first 32 bytes. What the numbers at 16, 20, 24 and 28 of a list mean is not known.
fn head(opcode: &str, is_list: bool) -> SchemaBuilder {
    let mut builder = named(opcode);
    builder.field(Field::new("Log", Wire::Scalar(Scalar::Guid)));
    number(&mut builder, "Unknown16", Scalar::U32, DisplayFormat::Plain);
    number(&mut builder, "Unknown20", Scalar::U32, DisplayFormat::Plain);
    let [third, fourth] = if is_list { ["Unknown24", "Unknown28"] } else { ["Kind", "Length"] };
    number(&mut builder, third, Scalar::U32, DisplayFormat::Hex);
    number(&mut builder, fourth, Scalar::U32, if is_list { DisplayFormat::Hex } else { DisplayFormat::Plain });
    builder
}

fn number(builder: &mut SchemaBuilder, name: &str, scalar: Scalar, display: DisplayFormat) -> u16 {
    builder.field(Field::new(name, Wire::Scalar(scalar)).displayed(display))
}

fn padding(builder: &mut SchemaBuilder, bytes: u16) {
    if bytes > 0 {
        builder.field(Field::new("Padding", Wire::Bytes { len: Len::Fixed(bytes) }).displayed(DisplayFormat::Hidden));
    }
}
