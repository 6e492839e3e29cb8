//! Tokens to a tree: `or` binds less than `and`, `and` less than `not`.

use regex::RegexBuilder;

use crate::limits;

use super::SyntaxError;
use super::lex::{Kind, Token, tokens};
use super::literal::Literal;
use super::numeral::Numeral;
use super::part::{self, HeaderField};
use super::test::{Pattern, Relation, Test};
use super::tree::{Name, Node};

type Result<T> = std::result::Result<T, SyntaxError>;

/// Reads all of a text.
pub(super) fn parse(text: &str) -> Result<Node> {
    if text.len() > limits::MAX_EXPRESSION {
        return Err(SyntaxError::new(1, format!("more than {} bytes", limits::MAX_EXPRESSION)));
    }
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens: &tokens, at: 0, end: text.chars().count() + 1, depth: 0 };
    let node = reader.any()?;
    match reader.peek() {
        None => Ok(node),
        Some(token) => Err(reader.expected(&format!("\"and\", \"or\" or the end, not {}", token.kind.shown()))),
    }
}

/// Reads a text that is a name and nothing else.
pub(super) fn parse_name(text: &str) -> Result<Name> {
    if text.len() > limits::MAX_EXPRESSION {
        return Err(SyntaxError::new(1, format!("more than {} bytes", limits::MAX_EXPRESSION)));
    }
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens: &tokens, at: 0, end: text.chars().count() + 1, depth: 0 };
    let name = reader.name()?;
    match reader.peek() {
        None => Ok(name),
        Some(token) => Err(reader.expected(&format!("a name alone, without {}", token.kind.shown()))),
    }
}

struct Reader<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    /// The column after the text.
    end: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<&'t Token<'t>> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn column(&self) -> usize {
        self.peek().map_or(self.end, |token| token.column)
    }

    fn expected(&self, what: &str) -> SyntaxError {
        SyntaxError::new(self.column(), format!("expected {what}"))
    }

    /// Passes over a sign or one of these words.
    fn takes(&mut self, any: &[&str]) -> bool {
        let found = self.peek().is_some_and(|token| match &token.kind {
            Kind::Word(word) => any.iter().any(|known| known.eq_ignore_ascii_case(word)),
            Kind::Sign(sign) => any.contains(sign),
            Kind::Quoted(_) => false,
        });
        self.at += usize::from(found);
        found
    }

    fn any(&mut self) -> Result<Node> {
        let first = self.all()?;
        let mut list = vec![first];
        while self.takes(&["or", "||"]) {
            list.push(self.all()?);
        }
        Ok(one_or(list, Node::Any))
    }

    fn all(&mut self) -> Result<Node> {
        let first = self.unary()?;
        let mut list = vec![first];
        while self.takes(&["and", "&&"]) {
            list.push(self.unary()?);
        }
        Ok(one_or(list, Node::All))
    }

    fn unary(&mut self) -> Result<Node> {
        if self.depth >= limits::MAX_EXPRESSION_DEPTH {
            return Err(SyntaxError::new(self.column(), "too many brackets within brackets"));
        }
        self.depth += 1;
        let node = if self.takes(&["not", "!"]) {
            Node::Not(Box::new(self.unary()?))
        } else if self.takes(&["("]) {
            let inner = self.any()?;
            if !self.takes(&[")"]) {
                return Err(self.expected("\")\""));
            }
            inner
        } else if self.takes(&["has"]) {
            Node::Has(self.side()?)
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(node)
    }

    /// A name that can be compared.
    fn side(&mut self) -> Result<Name> {
        let column = self.column();
        let name = self.name()?;
        if name.part == Some(HeaderField::Time) {
            let what = "time has options of its own, --since and --until; a field of that name is fields.time";
            return Err(SyntaxError::new(column, what));
        }
        Ok(name)
    }

    fn name(&mut self) -> Result<Name> {
        let column = self.column();
        match self.peek().map(|token| &token.kind) {
            Some(Kind::Quoted(text)) => {
                self.at += 1;
                Ok(Name::quoted(text))
            }
            Some(Kind::Word(word)) if !is_reserved(word) => {
                self.at += 1;
                let name = Name::word(word);
                if word.ends_with('.') {
                    return Err(SyntaxError::new(column, format!("a name is missing after \"{word}\"")));
                }
                if name.part.is_none() && name.field.is_none() {
                    return Err(SyntaxError::new(column, format!("the header has no part of the name \"{word}\"")));
                }
                Ok(name)
            }
            Some(other) => Err(self.expected(&format!("the name of a field, not {}", other.shown()))),
            None => Err(self.expected("the name of a field")),
        }
    }

    fn comparison(&mut self) -> Result<Node> {
        let name = self.side()?;
        let level = name.part == Some(HeaderField::Level);
        let column = self.column();
        let negated = self.takes(&["not"]);
        if self.takes(&["in"]) {
            return Ok(Node::Test { name, negated, test: Test::In(self.list(level)?) });
        }
        let Some(Kind::Sign(sign)) = self.peek().filter(|_| !negated).map(|token| &token.kind) else {
            let what =
                if negated { "\"in\" after \"not\"" } else { "a comparison: ==, !=, <, <=, >, >=, ~, !~, & or in" };
            return Err(SyntaxError::new(if negated { self.column() } else { column }, format!("expected {what}")));
        };
        self.at += 1;
        let test = match *sign {
            "==" | "=" | "!=" => Test::Is(self.literal(level)?),
            "<" => Test::Order(Relation::Less, self.literal(level)?),
            "<=" => Test::Order(Relation::AtMost, self.literal(level)?),
            ">" => Test::Order(Relation::More, self.literal(level)?),
            ">=" => Test::Order(Relation::AtLeast, self.literal(level)?),
            "~" | "!~" => Test::Matches(self.pattern()?),
            "&" => self.bits()?,
            other => {
                let what = format!("expected a comparison, not \"{other}\"");
                return Err(SyntaxError::new(column, what));
            }
        };
        Ok(Node::Test { name, negated: matches!(*sign, "!=" | "!~"), test })
    }

    /// The right side of a comparison; `level` if the left side may be a level, which has names.
    fn literal(&mut self, level: bool) -> Result<Literal> {
        let column = self.column();
        let Some(token) = self.next() else { return Err(SyntaxError::new(column, "expected a value")) };
        match &token.kind {
            Kind::Quoted(text) => Ok(Literal::quoted(text)),
            Kind::Word(word) => {
                let literal = Literal::word(word);
                if literal.number().is_none() && Numeral::is_too_large(word) {
                    return Err(SyntaxError::new(column, format!("{word} is no number of 64 bits")));
                }
                if literal.is_broken_network() {
                    return Err(SyntaxError::new(column, format!("{word} is no network: its prefix is too long")));
                }
                if !level || literal.number().is_some() {
                    return Ok(literal);
                }
                let known = part::level(word).ok_or_else(|| {
                    SyntaxError::new(column, "levels are critical, error, warning, info, verbose, or a number")
                })?;
                Ok(literal.meaning(known))
            }
            Kind::Sign(sign) => Err(SyntaxError::new(column, format!("expected a value, not \"{sign}\""))),
        }
    }

    /// `(a, b, c)`, or one value without brackets.
    fn list(&mut self, level: bool) -> Result<Vec<Literal>> {
        if !self.takes(&["("]) {
            return Ok(vec![self.literal(level)?]);
        }
        let mut list = vec![self.literal(level)?];
        while self.takes(&[","]) {
            list.push(self.literal(level)?);
        }
        if self.takes(&[")"]) { Ok(list) } else { Err(self.expected("\",\" or \")\"")) }
    }

    fn pattern(&mut self) -> Result<Pattern> {
        let column = self.column();
        let literal = self.literal(false)?;
        let built = RegexBuilder::new(literal.text())
            .case_insensitive(true)
            .size_limit(limits::MAX_PATTERN)
            .dfa_size_limit(limits::MAX_PATTERN)
            .build();
        built.map(Pattern).map_err(|error| SyntaxError::new(column, format!("regular expression: {}", reason(&error))))
    }

    fn bits(&mut self) -> Result<Test> {
        let column = self.column();
        let literal = self.literal(false)?;
        match literal.number() {
            Some(mask @ Numeral::Integer(_)) => Ok(Test::Bits(mask, literal)),
            _ => Err(SyntaxError::new(column, "expected a mask such as 16 or 0x10")),
        }
    }
}

/// The regex crate draws over several lines; its last one has the reason.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

fn one_or(mut list: Vec<Node>, many: impl FnOnce(Vec<Node>) -> Node) -> Node {
    match list.pop() {
        Some(only) if list.is_empty() => only,
        Some(last) => {
            list.push(last);
            many(list)
        }
        None => many(list),
    }
}

/// Words that are no names.
pub(super) fn is_reserved(word: &str) -> bool {
    ["and", "or", "not", "in", "has"].iter().any(|known| known.eq_ignore_ascii_case(word))
}
