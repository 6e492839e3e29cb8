//! Events as structs of your own, through `serde`: `cargo run --features serde --example typed [FILE]`.

use std::io::Write;

use etwkit::trace::{Filter, Glob};
use etwkit::{Guid, Trace};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct CoffeeOrder {
    order_id: Guid,
    item: Item,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Item {
    drink: String,
    cups: u32,
    price: f64,
}

/// Writes the orders to `out`.
pub fn run(file: &str, out: &mut impl Write) -> etwkit::Result<()> {
    let trace = Trace::open(file, etwkit_parsers::standard())?;
    let mut events = trace.select(&Filter::default().names([Glob::new("CoffeeOrder/Start")]));
    while let Some(event) = events.next()? {
        let CoffeeOrder { order_id, item: Item { drink, cups, price } } = event.deserialize()?;
        writeln!(out, "{order_id}: {cups} x {drink}, {:.2} in all", f64::from(cups) * price)?;
    }
    Ok(())
}

fn main() -> etwkit::Result<()> {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello.etl");
    run(&std::env::args().nth(1).unwrap_or_else(|| fixture.to_owned()), &mut std::io::stdout().lock())
}
