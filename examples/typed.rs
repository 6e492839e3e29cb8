//! Typed access by field name: orders of a café become structs of ours, members of a struct included.
//!
//! `cargo run --example typed [FILE]`

use std::io::Write;

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Value, Visitor};
use etwkit::input::Input;
use etwkit::schema::Field;
use etwkit::trace::{Filter, Glob, Trace};

/// What the event `CoffeeOrder/Start` says.
#[derive(Debug, Default)]
struct CoffeeOrder {
    id: Option<Guid>,
    drink: String,
    cups: u64,
    price: f64,
}

impl CoffeeOrder {
    /// `None` if the event has no order id, and so is no order.
    fn of(event: &Event<'_>) -> Option<Self> {
        // A field that is a single value is asked for by name, wherever it lies in the payload.
        let Value::Guid(id) = event.field("OrderId")?.value()? else { return None };
        let mut order = Self { id: Some(id), ..Self::default() };
        // Arrays and structs are visited: their values come one after the other.
        event.field("Item")?.visit(&mut order);
        Some(order)
    }
}

impl Visitor for CoffeeOrder {
    fn value(&mut self, _place: usize, field: &Field, value: Value<'_>) {
        match (&*field.name, value) {
            ("Drink", Value::Utf16(text)) => self.drink = text.to_string(),
            ("Drink", Value::Ansi(text)) => self.drink = text.to_string(),
            ("Drink", Value::Utf8(text)) => self.drink = String::from_utf8_lossy(text).into_owned(),
            ("Cups", value) => self.cups = value.as_u64().unwrap_or(0),
            ("Price", Value::F32(price)) => self.price = price.into(),
            ("Price", Value::F64(price)) => self.price = price,
            _ => {}
        }
    }
}

/// Writes the orders to `out`.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    let trace = Trace::open(Input::open(file)?, etwkit_parsers::standard())?;
    let wanted = Filter { names: vec![Glob::new("CoffeeOrder/Start")], ..Filter::default() };
    let mut events = trace.select(&wanted);
    while let Some(event) = events.next()? {
        if let Some(CoffeeOrder { id, drink, cups, price }) = CoffeeOrder::of(&event) {
            let id = id.unwrap_or(Guid::NULL);
            writeln!(out, "{id}: {cups} x {drink}, {:.2} in all", cups as f64 * price)?;
        }
    }
    Ok(())
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
