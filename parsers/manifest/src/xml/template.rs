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
    let top = flat.fields(element)?;
    // Members go after everything found so far, level by level.
    let mut next = 0;
    while let Some((at, element)) = flat.structs.get(next).copied() {
        next += 1;
        let members = flat.fields(element)?;
        let first = narrow(members.start)?;
        if let Some(property) = flat.properties.get_mut(at) {
            property.shape = Shape::Struct { first, members: narrow(members.len())? };
        }
    }
    flat.references(&top)?;
    let maps = flat.elements.iter().map(|(element, _)| maps.get(&**element.get("map")?).copied()).collect();
    let user_data = element.children("UserData").find_map(|element| element.user_data.clone());
    Ok(Template { properties: flat.properties, maps, top_level: top.len(), user_data })
}

#[derive(Default)]
struct Flat<'e> {
    properties: Vec<Property>,
    /// The element of each property, and the range of its siblings.
    elements: Vec<(&'e Element, Range<usize>)>,
    /// Structs, with the place of their property.
    structs: Vec<(usize, &'e Element)>,
}

impl<'e> Flat<'e> {
    /// Adds the fields directly in `parent`; returns their places.
    fn fields(&mut self, parent: &'e Element) -> Result<Range<usize>> {
        let start = self.properties.len();
        for element in parent.elements() {
            match &*element.name {
                "data" => self.properties.push(data(element)?),
                "struct" => {
                    self.structs.push((self.properties.len(), element));
                    self.properties.push(structure(element));
                }
                _ => continue,
            }
            self.elements.push((element, start..start));
            if self.properties.len() > limits::MAX_FIELDS {
                return Err(Error::limit("fields of a template", limits::MAX_FIELDS));
            }
        }
        let range = start..self.properties.len();
        for (_, siblings) in self.elements.get_mut(range.clone()).into_iter().flatten() {
            *siblings = range.clone();
        }
        Ok(range)
    }

    /// Finds what lengths and counts refer to.
    fn references(&mut self, top: &Range<usize>) -> Result<()> {
        for at in 0..self.properties.len() {
            let Some((element, siblings)) = self.elements.get(at) else { continue };
            let count = self.quantity(element, "count", at, siblings, top)?;
            let length = self.quantity(element, "length", at, siblings, top)?;
            if let Some(property) = self.properties.get_mut(at) {
                // A count of one is what one value has anyway.
                property.count = if count == Quantity::Fixed(1) { Quantity::Default } else { count };
                property.length = length;
            }
        }
        Ok(())
    }

    /// Returns a number, or the name of an earlier field: of a sibling, else of a top-level one.
    fn quantity(
        &self,
        element: &Element,
        attribute: &str,
        at: usize,
        siblings: &Range<usize>,
        top: &Range<usize>,
    ) -> Result<Quantity> {
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
        let sibling = (siblings.start..at).rev().find(named);
        let Some(place) = sibling.or_else(|| top.clone().rev().find(named)) else {
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
