//! Real performance logs and the tables that Windows made of them.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use etwkit::decode::Fit;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_pdh::{CLASS, Catalog, Counters, LIST, PerformanceLog, SAMPLE, Sample, Table, Zone};

fn census(file: &str) -> Option<(Trace, Counters)> {
    let source = Input::open(etwkit_corpus::path(file)?).unwrap();
    let trace = Trace::open(source, Parsers::none().with(PerformanceLog::default())).unwrap();
    let counters = trace.finding::<Counters>().unwrap().clone();
    Some((trace, counters))
}

/// Returns the table of a log, after a look at how every event fits.
fn table(trace: &Trace) -> Table {
    let mut table = None;
    let mut events = trace.events_in(Order::File, &Filter::default());
    while let Some(event) = events.next().unwrap() {
        let key = event.raw().key();
        if key.provider != CLASS {
            continue;
        }
        assert_eq!(event.fit(), Fit::Exact);
        assert!(event.schema().unwrap().fields().iter().all(|field| &*field.name != "Data"), "only bytes");
        match key.opcode {
            LIST => table = Some(Table::new(Catalog::parse(event.payload()).unwrap())),
            SAMPLE => {
                let sample = Sample::parse(event.payload()).unwrap();
                table.as_mut().unwrap().add(event.time().unwrap(), &sample).unwrap();
            }
            other => assert_eq!(other, 0, "an opcode that is not known"),
        }
    }
    table.unwrap()
}

/// Returns the fields of a line, without their quotation marks.
fn cells(line: &str, separator: char) -> Vec<String> {
    line.split(&format!("\"{separator}\"")).map(|cell| cell.trim_matches('"').to_owned()).collect()
}

#[test]
fn every_value_is_the_one_that_windows_printed() {
    let Some((trace, counters)) = census("blg/CounterSamples.blg") else { return };
    assert_eq!((counters.paths().len(), counters.samples(), counters.unreadable()), (6, 25, 0));
    let table = table(&trace);
    let zone = &trace.files().first().unwrap().head.log.time_zone;
    let zone = Zone::new(&zone.standard_name, zone.bias);
    for (name, separator) in [("blg/CounterSamples.csv", ','), ("blg/CounterSamples.tsv", '\t')] {
        let wanted = std::fs::read_to_string(etwkit_corpus::path(name).unwrap()).unwrap();
        let mut printed = Vec::new();
        table.print(&mut printed, separator, zone).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        let (mut values, mut exact) = (0, 0);
        let lines: Vec<_> = wanted.lines().zip(printed.lines()).collect();
        assert_eq!((lines.len(), printed.lines().count(), wanted.lines().count()), (26, 26, 26));
        for (row, (wanted, printed)) in lines.into_iter().enumerate() {
            let (wanted, printed) = (cells(wanted, separator), cells(printed, separator));
            assert_eq!(wanted.len(), printed.len(), "{name} row {row}");
            for (column, (wanted, printed)) in wanted.iter().zip(&printed).enumerate() {
                exact += usize::from(wanted == printed);
                values += 1;
                // Names, times and blanks are texts; numbers may differ in their last bit.
                match (wanted.parse::<f64>(), printed.parse::<f64>()) {
                    (Ok(wanted), Ok(printed)) => {
                        let apart = (wanted - printed).abs();
                        assert!(
                            apart <= wanted.abs() * 2.3e-16,
                            "{name} row {row} column {column}: {wanted} {printed}"
                        );
                    }
                    _ => assert_eq!(wanted, printed, "{name} row {row} column {column}"),
                }
            }
        }
        println!("{name}: {exact} of {values} cells are the same text");
        assert_eq!((values, exact), (286, 286), "{name}");
    }
}

#[test]
fn the_log_of_windows_server_2003_is_read() {
    let Some((trace, counters)) = census("blg/BadCounterSamples.blg") else { return };
    assert_eq!((counters.paths().len(), counters.samples(), counters.unreadable()), (26, 275, 0));
    let table = table(&trace);
    assert_eq!(table.len(), 275);
    let paths: Vec<_> = table.paths().collect();
    assert_eq!(paths.first().unwrap(), "\\\\s14185201\\Processor(_Total)\\% Processor Time");
    let values: Vec<f64> = table.rows().flat_map(|(_, values)| values).flatten().collect();
    println!("{} values of {}", values.len(), table.rows().map(|(_, values)| values.len()).sum::<usize>());
    assert!(values.iter().all(|value| (0.0..=100.0).contains(value)));
    assert!(!values.is_empty());
}

#[test]
fn a_table_that_is_called_a_log_is_none() {
    let Some(path) = etwkit_corpus::path("negative/CorruptBlg.blg") else { return };
    let source = Input::open(path).unwrap();
    let error = Trace::open(source, Parsers::none().with(PerformanceLog::default()));
    assert!(error.unwrap_err().to_string().contains("not an .etl trace"));
}
