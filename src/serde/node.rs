//! A field as a tree of values.

use std::borrow::Cow;

use crate::clock::Clock;
use crate::decode::{FieldView, Value, Visitor};
use crate::render::value::{ValueContext, Written, push};
use crate::schema::{Field, Schema};

/// A value, an array or a struct.
pub(super) enum Node<'a> {
    Scalar(Scalar<'a>),
    Array(Vec<Node<'a>>),
    /// Members by name.
    Struct(Vec<(String, Node<'a>)>),
}

/// A single value: what it is, and how JSON lines show it.
pub(super) struct Scalar<'a> {
    /// The number that is shown, or that is behind what is shown.
    pub(super) number: Option<Number>,
    /// The number that an integer of a signed type is, whatever is shown.
    pub(super) signed: Option<i64>,
    /// Text as the payload has it, or as the value is shown.
    pub(super) text: Text<'a>,
    pub(super) bytes: Option<Cow<'a, [u8]>>,
    pub(super) shown: Written,
}

/// Text that is lent by the event for as long as the event lives, or made.
pub(super) enum Text<'a> {
    Lent(&'a str),
    Made(String),
}

#[derive(Clone, Copy)]
pub(super) enum Number {
    /// An `i64` or a `u64`.
    Integer(i128),
    Float(f64),
}

impl<'a> Node<'a> {
    /// The tree of a top-level field, with the names of members as they are in the schema.
    pub(super) fn of_field(field: &FieldView<'a>, clock: Option<&Clock>) -> Self {
        Self::new(field, clock, &[], |builder| field.visit(builder))
    }

    /// The tree of a top-level field as it is shown, with the names of members in `names` by their place in the schema.
    pub(super) fn shown(field: &FieldView<'a>, clock: Option<&Clock>, names: &[Cow<'_, str>]) -> Self {
        Self::new(field, clock, names, |builder| field.visit_shown(builder))
    }

    fn new<'n>(
        field: &FieldView<'a>,
        clock: Option<&'n Clock>,
        names: &'n [Cow<'n, str>],
        visit: impl FnOnce(&mut Builder<'n>),
    ) -> Self
    where
        'a: 'n,
    {
        let Some(value) = field.value() else {
            let mut builder = Builder { schema: field.schema(), clock, names, open: Vec::new(), done: None };
            visit(&mut builder);
            return builder.done.unwrap_or(Node::Array(Vec::new()));
        };
        let mut scalar: Scalar<'a> = Scalar::made(value, ValueContext { field: field.field, map: field.map(), clock });
        if let Ok(text) = field.get::<&'a str>() {
            scalar.text = Text::Lent(text.trim_end_matches('\0'));
        }
        if let Value::Bytes(bytes) = value {
            scalar.bytes = Some(Cow::Borrowed(bytes));
        }
        Node::Scalar(scalar)
    }

    /// A number that no field has.
    pub(super) fn integer(number: u64) -> Self {
        let text = Text::Made(number.to_string());
        let number = Some(Number::Integer(number.into()));
        Node::Scalar(Scalar { number, signed: None, text, bytes: None, shown: Written::Number })
    }
}

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Lent(text) => text,
            Self::Made(text) => text,
        }
    }
}

impl Scalar<'static> {
    /// A value that borrows nothing.
    pub(super) fn made(value: Value<'_>, context: ValueContext<'_>) -> Self {
        let mut text = Vec::new();
        let shown = push(&mut text, value, context);
        let text = Text::Made(String::from_utf8_lossy(&text).into_owned());
        let bytes = match value {
            Value::Bytes(bytes) => Some(Cow::Owned(bytes.to_vec())),
            _ => None,
        };
        let number = match value.as_f64() {
            Some(number) => Some(Number::Float(number)),
            None => value.number(context.field.display).map(Number::Integer),
        };
        let signed = if let Value::Signed(number, _) = value { Some(number) } else { None };
        Self { number, signed, text, bytes, shown }
    }
}

/// Builds the tree of an array or a struct from what the executor hands over.
struct Builder<'s> {
    schema: &'s Schema,
    clock: Option<&'s Clock>,
    names: &'s [Cow<'s, str>],
    open: Vec<(String, Node<'static>)>,
    done: Option<Node<'static>>,
}

impl Builder<'_> {
    fn name(&self, place: usize, field: &Field) -> String {
        self.names.get(place).map_or(&*field.name, |name| name).to_owned()
    }

    fn add(&mut self, name: String, node: Node<'static>) {
        match self.open.last_mut() {
            Some((_, Node::Array(list))) => list.push(node),
            Some((_, Node::Struct(members))) => members.push((name, node)),
            _ => self.done = Some(node),
        }
    }

    fn close(&mut self) {
        if let Some((name, node)) = self.open.pop() {
            self.add(name, node);
        }
    }
}

impl Visitor for Builder<'_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        let context = ValueContext { field, map: self.schema.map(field), clock: self.clock };
        self.add(self.name(place, field), Node::Scalar(Scalar::made(value, context)));
    }

    fn begin_array(&mut self, place: usize, field: &Field) {
        self.open.push((self.name(place, field), Node::Array(Vec::new())));
    }

    fn end_array(&mut self, _: usize, _: &Field) {
        self.close();
    }

    fn begin_struct(&mut self, place: usize, field: &Field) {
        self.open.push((self.name(place, field), Node::Struct(Vec::new())));
    }

    fn end_struct(&mut self, _: usize, _: &Field) {
        self.close();
    }
}
