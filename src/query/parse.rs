//! Tokens to a tree: `or` binds less than `and`, `and` less than `not`.

use regex::RegexBuilder;

use crate::limits;
use crate::select::{HeaderField, Name, SyntaxError, SyntaxReason, Token, TokenKind, level_from_name, tokens};

use super::comparison::{Comparison, Pattern, Relation};
use super::literal::Literal;
use super::numeral::Numeral;
use super::shown_text::ShownText;
use super::tree::Node;

type Result<T> = std::result::Result<T, SyntaxError>;

/// Reads all of a text.
pub(super) fn parse(text: &str) -> Result<Node> {
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens: &tokens, at: 0, end: text.chars().count() + 1, depth: 0 };
    let node = reader.any()?;
    match reader.peek() {
        None => Ok(node),
        Some(token) => Err(reader.expected(&format!("\"and\", \"or\" or the end, not {}", token.kind.shown()))),
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
        SyntaxError::expected(self.column(), what)
    }

    /// Passes over a sign or one of these words.
    fn takes(&mut self, any: &[&str]) -> bool {
        let found = self.peek().is_some_and(|token| match &token.kind {
            TokenKind::Word(word) => any.iter().any(|known| known.eq_ignore_ascii_case(word)),
            TokenKind::Sign(sign) => any.contains(sign),
            TokenKind::Quoted(_) => false,
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
        } else if let Some(text) = self.shown_text() {
            Node::Shows(text?)
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(node)
    }

    /// Returns the text after `shows`; `None` if that is the name of a field here.
    fn shown_text(&mut self) -> Option<Result<ShownText>> {
        let (Some(word), Some(text)) = (self.peek(), self.tokens.get(self.at + 1)) else { return None };
        let is_word = matches!(word.kind, TokenKind::Word(word) if word.eq_ignore_ascii_case("shows"));
        let TokenKind::Quoted(shown) = &text.kind else { return None };
        if !is_word {
            return None;
        }
        self.at += 2;
        Some(ShownText::new(shown).ok_or_else(|| SyntaxError::new(text.column, "the text is empty or too long")))
    }

    /// Returns a name that can be compared.
    fn side(&mut self) -> Result<Name> {
        let column = self.column();
        let name = Name::read(self.peek(), self.end)?;
        self.at += 1;
        if name.header == Some(HeaderField::Time) {
            let what = "time cannot be compared in an expression; a field of that name is fields.time";
            return Err(SyntaxError { reason: SyntaxReason::ComparesTime, ..SyntaxError::new(column, what) });
        }
        Ok(name)
    }

    fn comparison(&mut self) -> Result<Node> {
        let name = self.side()?;
        let is_level = name.header == Some(HeaderField::Level);
        let column = self.column();
        let negated = self.takes(&["not"]);
        if self.takes(&["in"]) {
            return Ok(Node::Compare { name, negated, comparison: Comparison::In(self.list(is_level)?) });
        }
        let Some(TokenKind::Sign(sign)) = self.peek().filter(|_| !negated).map(|token| &token.kind) else {
            let what =
                if negated { "\"in\" after \"not\"" } else { "a comparison: ==, !=, <, <=, >, >=, ~, !~, & or in" };
            return Err(SyntaxError::new(if negated { self.column() } else { column }, format!("expected {what}")));
        };
        self.at += 1;
        let comparison = match *sign {
            "==" | "=" | "!=" => Comparison::Is(self.literal(is_level)?),
            "<" => Comparison::Order(Relation::Less, self.literal(is_level)?),
            "<=" => Comparison::Order(Relation::AtMost, self.literal(is_level)?),
            ">" => Comparison::Order(Relation::More, self.literal(is_level)?),
            ">=" => Comparison::Order(Relation::AtLeast, self.literal(is_level)?),
            "~" | "!~" => Comparison::Matches(self.pattern()?),
            "&" => self.bits()?,
            other => {
                let what = format!("expected a comparison, not \"{other}\"");
                return Err(SyntaxError::new(column, what));
            }
        };
        Ok(Node::Compare { name, negated: matches!(*sign, "!=" | "!~"), comparison })
    }

    /// Returns the right side of a comparison; `is_level` if the left side may be a level, which has names.
    fn literal(&mut self, is_level: bool) -> Result<Literal> {
        let column = self.column();
        let Some(token) = self.next() else { return Err(SyntaxError::new(column, "expected a value")) };
        match &token.kind {
            TokenKind::Quoted(text) => {
                let literal = Literal::quoted(text);
                Ok(match level_from_name(text).filter(|_| is_level) {
                    Some(known) => literal.meaning(known),
                    None => literal,
                })
            }
            TokenKind::Word(word) => word_literal(word, is_level, column),
            TokenKind::Sign(sign) => Err(SyntaxError::new(column, format!("expected a value, not \"{sign}\""))),
        }
    }

    /// `(a, b, c)`, or one value without brackets.
    fn list(&mut self, is_level: bool) -> Result<Vec<Literal>> {
        if !self.takes(&["("]) {
            return Ok(vec![self.literal(is_level)?]);
        }
        let mut list = vec![self.literal(is_level)?];
        while self.takes(&[","]) {
            list.push(self.literal(is_level)?);
        }
        if self.takes(&[")"]) { Ok(list) } else { Err(self.expected("\",\" or \")\"")) }
    }

    fn pattern(&mut self) -> Result<Pattern> {
        let column = self.column();
        let text = match self.next().map(|token| &token.kind) {
            Some(TokenKind::Quoted(text)) => text,
            Some(TokenKind::Word(word)) => *word,
            Some(TokenKind::Sign(sign)) => {
                return Err(SyntaxError::new(column, format!("expected a value, not \"{sign}\"")));
            }
            None => return Err(SyntaxError::new(column, "expected a value")),
        };
        let built = RegexBuilder::new(text)
            .case_insensitive(true)
            .size_limit(limits::MAX_PATTERN)
            .dfa_size_limit(limits::MAX_PATTERN)
            .build();
        built.map(Pattern).map_err(|error| SyntaxError::new(column, format!("regular expression: {}", reason(&error))))
    }

    fn bits(&mut self) -> Result<Comparison> {
        let column = self.column();
        let literal = self.literal(false)?;
        match literal.number() {
            Some(mask @ Numeral::Integer(_)) => Ok(Comparison::Bits(mask, literal)),
            _ => Err(SyntaxError::new(column, "expected a mask such as 16 or 0x10")),
        }
    }
}

/// Returns what a word without quotes on the right side means.
fn word_literal(word: &str, is_level: bool, column: usize) -> Result<Literal> {
    let literal = Literal::word(word);
    if literal.number().is_none() && Numeral::is_too_large(word) {
        return Err(SyntaxError::new(column, format!("{word} does not fit in 64 bits")));
    }
    if literal.is_broken_network() {
        return Err(SyntaxError::new(column, format!("{word} is not a network: its prefix is too long")));
    }
    if !is_level || literal.number().is_some() {
        return Ok(literal);
    }
    match level_from_name(word) {
        Some(known) => Ok(literal.meaning(known)),
        // Definitions of WPP messages have levels of their own: `NOISE`.
        None if !word.contains(char::is_lowercase) => Ok(literal),
        None => {
            let known = "levels are critical, error, warning, info, verbose, a number, or a WPP message's";
            Err(SyntaxError::new(column, format!("{known} in capital letters")))
        }
    }
}

/// The regex crate draws its errors over several lines; the last line has the reason.
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
