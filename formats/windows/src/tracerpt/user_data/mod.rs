//! `<UserData>`: the fields in the elements that the manifest's template gives them.

mod filler;
mod prepared;
mod tree;

use etwkit::decode::Event;
use etwkit::schema::{Schema, UserData, UserPart};

use super::columns::Columns;
use super::elements::Writer;
use super::{escape, value};
use crate::names;
use filler::Filler;
pub(super) use prepared::PreparedTemplate;
use tree::{Content, Node, Tag, escaped};

/// Longest tag that is repeated for each element of an array: an array may have as many as its event has bytes.
const MAX_REPEATED_TAG: usize = 128;

/// A template, ready to be filled.
#[derive(Debug, Default)]
pub(super) struct Template {
    steps: Vec<Step>,
    /// Places of the fields that the template does not show.
    others: Vec<usize>,
}

#[derive(Debug, PartialEq, Eq)]
enum Step {
    Text(Vec<u8>),
    /// The field at this place; of an array all elements with blanks between them.
    Value(usize),
    /// The same within an attribute.
    AttributeValue(usize),
    /// An element for the field at this place; of an array one for each of its elements, as Windows' binary XML has it.
    Element {
        open: Vec<u8>,
        place: usize,
        close: Vec<u8>,
    },
}

impl Template {
    pub(super) fn new(schema: &Schema, tree: &UserData) -> Self {
        let places = names::numbered(schema);
        let mut parts = tree.parts().iter();
        let mut template = Self::default();
        if let Some(root) = parts.next().and_then(|part| Node::read(part, &mut parts)) {
            template.node(&root, &places, Some(2));
        }
        let shown = |place: &usize| {
            template.steps.iter().any(|step| match step {
                Step::Value(at) | Step::AttributeValue(at) | Step::Element { place: at, .. } => at == place,
                Step::Text(_) => false,
            })
        };
        template.others = places.into_iter().filter(|place| !shown(place)).collect();
        template
    }

    /// Adds an element, with tabs and a line end unless it is within text.
    fn node(&mut self, node: &Node<'_>, places: &[usize], depth: Option<usize>) {
        let tabs = vec![b'\t'; depth.unwrap_or(0)];
        let line_end: &[u8] = if depth.is_some() { b"\n" } else { b"" };
        let close = [b"</", node.name.as_bytes(), b">", line_end].concat();
        let (open, rest) = node.open_tag(&tabs);
        match &node.content[..] {
            [Content::Part(UserPart::Field(number))] if rest.is_empty() && open.len() <= MAX_REPEATED_TAG => {
                let step = |place: &usize| Step::Element { open, place: *place, close };
                self.steps.extend(places.get(usize::from(*number)).map(step));
                return;
            }
            _ => self.text(&open),
        }
        for step in rest {
            match step {
                Tag::Text(text) => self.text(&text),
                Tag::Field(number) => {
                    self.steps.extend(places.get(usize::from(number)).map(|place| Step::AttributeValue(*place)));
                }
            }
        }
        let is_block = node.content.iter().all(|content| matches!(content, Content::Node(_)));
        let inner = depth.filter(|_| is_block && !node.content.is_empty()).map(|depth| depth + 1);
        if inner.is_some() {
            self.text(b"\n");
        }
        for content in &node.content {
            match content {
                Content::Node(node) => self.node(node, places, inner),
                Content::Part(UserPart::Field(number)) => self.value(*number, places),
                Content::Part(part) => self.text(&escaped(part, escape::push_str)),
            }
        }
        if inner.is_some() {
            self.text(&tabs);
        }
        self.text(&close);
    }

    fn text(&mut self, text: &[u8]) {
        match self.steps.last_mut() {
            Some(Step::Text(last)) => last.extend_from_slice(text),
            _ => self.steps.push(Step::Text(text.to_vec())),
        }
    }

    /// A field that the schema does not have is nothing.
    fn value(&mut self, number: u16, places: &[usize]) {
        self.steps.extend(places.get(usize::from(number)).map(|place| Step::Value(*place)));
    }

    /// Appends the element with the fields of an event. Fields that the template does not show are in a comment.
    pub(super) fn push(&self, out: &mut Vec<u8>, event: &Event<'_>, columns: &Columns) {
        let Some(schema) = event.schema() else { return };
        out.extend_from_slice(b"\t<UserData>\n");
        for step in &self.steps {
            let (place, tags): (usize, (&[u8], &[u8])) = match step {
                Step::Text(text) => {
                    out.extend_from_slice(text);
                    continue;
                }
                Step::Value(place) | Step::AttributeValue(place) => (*place, (b"", b"")),
                Step::Element { open, place, close } => (*place, (open, close)),
            };
            if let Some(view) = event.field_at(place) {
                let filler = Filler::new(out, schema, columns, event.clock(), tags);
                filler.in_attribute(matches!(step, Step::AttributeValue(_))).fill(&view);
            } else {
                out.extend_from_slice(tags.0);
                out.extend_from_slice(tags.1);
            }
        }
        self.push_others(out, event, columns);
        push_remainder(out, event.remainder());
        out.extend_from_slice(b"\t</UserData>\n");
    }

    fn push_others(&self, out: &mut Vec<u8>, event: &Event<'_>, columns: &Columns) {
        let Some(schema) = event.schema() else { return };
        let mut start = None;
        for &place in self.others.iter().filter(|place| columns.push_at(**place).is_some()) {
            let Some(view) = event.field_at(place) else { continue };
            start.get_or_insert_with(|| {
                out.extend_from_slice(b"\t\t<!-- fields that the template leaves out:\n");
                out.len()
            });
            view.visit(&mut Writer::new(out, event, schema, columns, false));
        }
        if let Some(start) = start {
            escape::hyphens_from(out, start);
            out.extend_from_slice(b"\t\t-->\n");
        }
    }
}

/// Appends a comment with the bytes after the last field.
pub(super) fn push_remainder(out: &mut Vec<u8>, remainder: &[u8]) {
    if !remainder.is_empty() {
        out.extend_from_slice(b"\t\t<!-- bytes after the last field: ");
        value::upper_digits(out, remainder);
        out.extend_from_slice(b" -->\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etwkit::schema::text;

    fn steps(tree: &str) -> (String, Vec<usize>) {
        let text = format!(
            "provider {{00112233-4455-6677-8899-aabbccddeeff}}\nevent id 1 user-data {tree} {{\nA u8\nS struct {{\nB u8\n}}\nC u8\n}}"
        );
        let entries = text::parse(&text).unwrap();
        let schema = &entries[0].schema;
        let template = Template::new(schema, schema.user_data().unwrap());
        let step = |step: &Step| match step {
            Step::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Step::Value(place) | Step::AttributeValue(place) => format!("[{place}]"),
            Step::Element { open, place, close } => {
                format!("{}*{place}*{}", String::from_utf8_lossy(open), String::from_utf8_lossy(close))
            }
        };
        let shown = template.steps.iter().map(step).collect();
        (shown, template.others)
    }

    #[test]
    fn elements_stand_on_lines_and_fields_at_their_places() {
        let (text, others) = steps("R(@xmlns(\"u\") K(%1) G(L(%3)))");
        assert_eq!(
            text,
            "\t\t<R xmlns=\"u\">\n\t\t\t<K>*0*</K>\n\t\t\t<G>\n\t\t\t\t<L>*3*</L>\n\t\t\t</G>\n\t\t</R>\n"
        );
        assert_eq!(others, [1]);
    }

    #[test]
    fn text_and_attributes_hold_fields_too() {
        let (text, others) = steps("R(@a(\"<\" %1 \"b\") @c(\"d\") \"x & \" E(%2) \" y\" F() %9)");
        assert_eq!(text, "\t\t<R a=\"&lt;[0]b\" c=\"d\">x &amp; <E>*1*</E> y<F></F></R>\n");
        assert_eq!(others, [3]);
        assert_eq!(steps("R()").0, "\t\t<R></R>\n");
        assert_eq!(steps("R(@a(%1) %3)").0, "\t\t<R a=\"[0]\">[3]</R>\n");
        let long = "x".repeat(MAX_REPEATED_TAG);
        assert_eq!(steps(&format!("R(@a(\"{long}\") %1)")).0, format!("\t\t<R a=\"{long}\">[0]</R>\n"));
    }
}
