//! A template element.

use std::collections::HashMap;
use std::ops::Range;

use etwkit::error::{Error, Result};
use etwkit::limits;
use etwkit::schema::tdh::{Property, Quantity, Shape, types_from_names};

use super::lexical::{number, syntax};
use super::tree::Element;
use crate::model::Template;

/// Compiles a template. What `UserData` states is the shape of the XML that the event log makes; the payload does not
/// depend on it.
pub(super) fn compile(element: &Element, maps: &HashMap<&str, usize>) -> Result<Template> {
    let mut flat = Flat::default();
    let top = flat.fields(element, None)?;
    // Members go after everything found so far, level by level.
    let mut next = 0;
    while let Some((at, element)) = flat.structs.get(next).copied() {
        next += 1;
        let members = flat.fields(element, Some(at))?;
        let first = narrow(members.start)?;
        if let Some(property) = flat.properties.get_mut(at) {
            property.shape = Shape::Struct { first, members: narrow(members.len())? };
        }
    }
    flat.references()?;
    let maps = flat.fields.iter().map(|field| maps.get(&**field.element.get("map")?).copied()).collect();
    let user_data = element.children("UserData").find_map(|element| element.user_data.clone());
    Ok(Template { properties: flat.properties, maps, top_level: top.len(), user_data })
}

#[derive(Default)]
struct Flat<'e> {
    properties: Vec<Property>,
    /// What each property comes from.
    fields: Vec<FlatField<'e>>,
    /// Structs, with the place of their property.
    structs: Vec<(usize, &'e Element)>,
}

/// Where a property comes from.
struct FlatField<'e> {
    element: &'e Element,
    /// The first one of its siblings.
    first_sibling: usize,
    /// The top-level field that it is, or is in.
    top_level: usize,
}

impl<'e> Flat<'e> {
    /// Adds the fields directly in `parent`, which is the struct at a place, or the template; returns their places.
    fn fields(&mut self, parent: &'e Element, place: Option<usize>) -> Result<Range<usize>> {
        let start = self.properties.len();
        let outer = place.and_then(|place| self.fields.get(place)).map(|parent| parent.top_level);
        for element in parent.elements() {
            match &*element.name {
                "data" => self.properties.push(data(element)?),
                "struct" => {
                    self.structs.push((self.properties.len(), element));
                    self.properties.push(structure(element));
                }
                _ => continue,
            }
            let top_level = outer.unwrap_or(self.fields.len());
            self.fields.push(FlatField { element, first_sibling: start, top_level });
            if self.properties.len() > limits::MAX_FIELDS {
                return Err(Error::limit("fields of a template", limits::MAX_FIELDS));
            }
        }
        Ok(start..self.properties.len())
    }

    /// Finds what lengths and counts refer to.
    fn references(&mut self) -> Result<()> {
        for (at, field) in self.fields.iter().enumerate() {
            let count = self.quantity(at, field, "count")?;
            let length = self.quantity(at, field, "length")?;
            if let Some(property) = self.properties.get_mut(at) {
                // A count of one is what one value has anyway.
                property.count = if count == Quantity::Fixed(1) { Quantity::Default } else { count };
                property.length = length;
            }
        }
        Ok(())
    }

    /// Returns a number, or the name of an earlier field: of a sibling, else of a top-level one.
    fn quantity(&self, at: usize, field: &FlatField<'_>, attribute: &str) -> Result<Quantity> {
        let FlatField { element, first_sibling, top_level } = *field;
        let Some(value) = element.get(attribute).map(|value| value.trim()).filter(|value| !value.is_empty()) else {
            return Ok(Quantity::Default);
        };
        if let Some(number) = number(value) {
            let Ok(number) = u16::try_from(number) else {
                return Err(syntax(element.line, format!("a {attribute} of {number} is too large")));
            };
            return Ok(Quantity::Fixed(number));
        }
        let named = |place: &usize| self.properties.get(*place).is_some_and(|property| *property.name == *value);
        let sibling = (first_sibling..at).rev().find(named);
        let Some(place) = sibling.or_else(|| (0..top_level).rev().find(named)) else {
            return Err(syntax(element.line, format!("{attribute} names `{value}`, which is not a field before it")));
        };
        Ok(Quantity::Property(narrow(place)?))
    }
}

fn data(element: &Element) -> Result<Property> {
    let Some(name) = element.get("inType") else { return Err(syntax(element.line, "a field needs an inType")) };
    let Some((input, output)) = types_from_names(name, element.get("outType").map(|name| &**name)) else {
        return Err(syntax(element.line, format!("inType `{name}` is not known")));
    };
    Ok(Property::new(label(element), input, output))
}

fn structure(element: &Element) -> Property {
    Property::with_shape(label(element), Shape::Struct { first: 0, members: 0 })
}

fn label(element: &Element) -> Box<str> {
    element.get("name").map_or("", |name| &**name).into()
}

fn narrow(place: usize) -> Result<u16> {
    u16::try_from(place).map_err(|_| Error::limit("fields of a template", limits::MAX_FIELDS))
}
