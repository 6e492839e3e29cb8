//! A property of a class as TDH describes it (sections 9.1, 9.6 and 13 of `docs/format`).

use std::collections::HashMap;

use etwkit::schema::tdh::{self, InType, OutType, Quantity};

use crate::ast::{Array, Property};

/// Why the layout of a property is not known; a sentence part that follows its name.
pub(crate) type Unknown = String;

/// Returns the property without its map. `places` has the places of the ones before it, by name in lower case.
pub(crate) fn property(from: &Property, places: &HashMap<String, u16>) -> Result<tdh::Property, Unknown> {
    let (input, output) = types(from)?;
    let size = size(from, places)?;
    let input = if size.is_some() && is_text(from, input) { InType::ANSICHAR } else { input };
    Ok(tdh::Property::new(&*from.name, input, output).count(size.unwrap_or_default()))
}

/// Returns the number of elements of an array.
fn size(from: &Property, places: &HashMap<String, u16>) -> Result<Option<Quantity>, Unknown> {
    let qualifiers = &from.qualifiers;
    if let Some(name) = qualifiers.text("WmiSizeIs") {
        let place = places.get(&name.to_lowercase());
        let place =
            place.ok_or_else(|| format!("has as many elements as `{name}` states, which is not an earlier field"))?;
        return Ok(Some(Quantity::Property(*place)));
    }
    let declared = || qualifiers.number("MAX").or_else(|| qualifiers.number("ArraySize"));
    let count = match from.array {
        Array::None => return Ok(None),
        Array::Fixed(count) => i128::from(count),
        Array::Open => declared().ok_or("is an array of unknown length")?,
    };
    let count = u16::try_from(count).map_err(|_| format!("is an array of {count} elements: there can be 65535"))?;
    Ok(Some(Quantity::Fixed(count)))
}

/// Returns whether the bytes of an array are characters. An array of characters is a text: see [`tdh::field`].
fn is_text(from: &Property, input: InType) -> bool {
    format(from) == Some('s') && matches!(input, InType::UINT8 | InType::INT8)
}

fn types(from: &Property) -> Result<(InType, OutType), Unknown> {
    let qualifiers = &from.qualifiers;
    if qualifiers.has("pointer") || qualifiers.has("PointerType") {
        return Ok((InType::POINTER, OutType::NULL));
    }
    let extension = qualifiers.text("extension").map(str::to_ascii_lowercase);
    let (input, output) = match extension.as_deref() {
        Some("noprint") => (declared(from)?.0, OutType::NOPRINT),
        Some(extension) => extended(extension)?,
        None => declared(from)?,
    };
    Ok((input, output))
}

/// Returns the type that `extension` gives, whatever the declared type.
fn extended(extension: &str) -> Result<(InType, OutType), Unknown> {
    Ok(match extension {
        "sid" => (InType::WBEMSID, OutType::NULL),
        "guid" => (InType::GUID, OutType::NULL),
        "ipaddr" | "ipaddrv4" => (InType::UINT32, OutType::IPV4),
        "ipaddrv6" => (InType::BINARY, OutType::IPV6),
        "port" => (InType::UINT16, OutType::PORT),
        "sizet" => (InType::SIZET, OutType::NULL),
        "wmitime" => (InType::UINT64, OutType::ETWTIME),
        "rstring" => (InType::ANSISTRING, OutType::NULL),
        "rwstring" => (InType::UNICODESTRING, OutType::NULL),
        _ => return Err(format!("has the extension `{extension}`, whose layout is not known")),
    })
}

/// Returns the type that the declaration gives, with `format` and `StringTermination`.
fn declared(from: &Property) -> Result<(InType, OutType), Unknown> {
    let hex = format(from) == Some('x');
    let number = |input, in_hex| (input, if hex { in_hex } else { OutType::NULL });
    Ok(match from.kind.to_ascii_lowercase().as_str() {
        "uint8" | "sint8" if format(from) == Some('c') => (InType::ANSICHAR, OutType::NULL),
        "uint8" => number(InType::UINT8, OutType::HEXINT8),
        "sint8" => number(InType::INT8, OutType::HEXINT8),
        "uint16" => number(InType::UINT16, OutType::HEXINT16),
        "sint16" => number(InType::INT16, OutType::HEXINT16),
        "uint32" => number(InType::UINT32, OutType::HEXINT32),
        "sint32" => number(InType::INT32, OutType::HEXINT32),
        "uint64" => number(InType::UINT64, OutType::HEXINT64),
        "sint64" => number(InType::INT64, OutType::HEXINT64),
        "real32" => (InType::FLOAT, OutType::NULL),
        "real64" => (InType::DOUBLE, OutType::NULL),
        "boolean" => (InType::UINT8, OutType::BOOLEAN),
        "char16" => (InType::UNICODECHAR, OutType::NULL),
        "string" => (string(from)?, if from.qualifiers.has("XmlFragment") { OutType::XML } else { OutType::NULL }),
        "object" => return Err("is an object without an extension, whose layout is not known".into()),
        other => return Err(format!("is of type `{other}`, whose layout is not known")),
    })
}

/// Returns the in-type of a string: 8 bit unless the format states wide, up to a NUL unless the termination states
/// otherwise.
fn string(from: &Property) -> Result<InType, Unknown> {
    let wide = format(from) == Some('w');
    let termination = from.qualifiers.text("StringTermination").unwrap_or("NullTerminated");
    Ok(match (termination.to_ascii_lowercase().as_str(), wide) {
        ("nullterminated", true) => InType::UNICODESTRING,
        ("nullterminated", false) => InType::ANSISTRING,
        ("counted", true) => InType::COUNTEDSTRING,
        ("counted", false) => InType::COUNTEDANSISTRING,
        ("reversecounted", true) => InType::REVERSEDCOUNTEDSTRING,
        ("reversecounted", false) => InType::REVERSEDCOUNTEDANSISTRING,
        ("notcounted", true) => InType::NONNULLTERMINATEDSTRING,
        ("notcounted", false) => InType::NONNULLTERMINATEDANSISTRING,
        _ => return Err(format!("ends as `{termination}` states, which is not known")),
    })
}

/// Returns the letter of `format`, in lower case.
fn format(from: &Property) -> Option<char> {
    from.qualifiers.text("format")?.chars().next().map(|letter| letter.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::parse;

    fn of(declaration: &str) -> Result<tdh::Property, Unknown> {
        let document = parse(&format!("class A {{ {declaration}; }};")).unwrap();
        let places = HashMap::from([("count".to_owned(), 3)]);
        property(&document.classes[0].properties[0], &places)
    }

    fn shape(declaration: &str) -> (u16, u16) {
        match of(declaration).unwrap().shape {
            tdh::Shape::Value(input, output) => (input.0, output.0),
            shape => panic!("{shape:?} of a class"),
        }
    }

    #[test]
    fn types_and_qualifiers() {
        for (declaration, wanted) in [
            ("uint32 x", (8, 0)),
            ("[format(\"x\")] uint32 x", (8, 18)),
            ("[pointer] uint32 x", (16, 0)),
            ("[PointerType, format(\"x\")] UInt32 x", (16, 0)),
            ("[pointer(false)] uint64 x", (10, 0)),
            ("boolean x", (4, 13)),
            ("string x", (2, 0)),
            ("[format(\"w\"), XmlFragment] string x", (1, 28)),
            ("[format(\"a\"), StringTermination(\"Counted\")] string x", (301, 0)),
            ("[format(\"w\"), StringTermination(\"ReverseCounted\")] string x", (302, 0)),
            ("[format(\"w\"), StringTermination(\"NotCounted\")] string x", (304, 0)),
            ("[format(\"c\")] uint8 x", (307, 0)),
            ("[extension(\"sid\")] object x", (310, 0)),
            ("[extension(\"IPAddrV6\")] object x", (14, 24)),
            ("[extension(\"NoPrint\")] uint8 x[176]", (4, 301)),
        ] {
            assert_eq!(shape(declaration), wanted, "{declaration}");
        }
    }

    #[test]
    fn arrays_of_numbers_and_of_characters_count() {
        let (two, count) = (Quantity::Fixed(2), Quantity::Property(3));
        for (declaration, input, wanted) in [
            ("uint32 x[2]", 8, two),
            ("[MAX(2)] uint32 x[]", 8, two),
            ("[WmiSizeIs(\"Count\")] uint32 x[]", 8, count),
            ("[format(\"s\")] uint8 x", 4, Quantity::Default),
            ("[format(\"s\"), ArraySize(2)] uint8 x[]", 307, two),
            ("[format(\"c\")] sint8 x[2]", 307, two),
            ("char16 x[2]", 306, two),
            ("[WmiSizeIs(\"Count\"), format(\"s\")] char16 x[]", 306, count),
        ] {
            let counted = of(declaration).map(|property| (property.count, property.length));
            assert_eq!(counted, Ok((wanted, Quantity::Default)), "{declaration}");
            assert_eq!(shape(declaration), (input, 0), "{declaration}");
        }
    }

    #[test]
    fn what_is_not_documented_is_not_guessed() {
        for declaration in [
            "datetime x",
            "object x",
            "[extension(\"Variant\")] object x",
            "uint32 x[]",
            "uint32 x[65536]",
            "[WmiSizeIs(\"Gone\")] uint32 x[]",
            "[StringTermination(\"Odd\")] string x",
            "A ref x",
        ] {
            assert!(of(declaration).is_err(), "{declaration}");
        }
    }
}
