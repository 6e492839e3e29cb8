//! The language of places and conditions in the facts: `end(Name)+4`, `if(ver >= 4, 2*ptr+20, ptr+16)`,
//! `ver >= 2 && len >= 16`. Truth is 1.

/// What an expression asks for. `None`: not known here, and then neither is the expression.
pub(crate) trait Known {
    /// Returns a name's value.
    fn name(&mut self, name: &str) -> Option<i64>;
    /// `end(Name)`.
    fn end_of(&mut self, name: &str) -> Option<i64>;
    /// `end_utf16(place)` and the like: the end of the value at that place.
    fn end_at(&mut self, what: &str, at: i64) -> Option<i64>;
}

/// Returns the value of a text.
pub(crate) fn value(text: &str, known: &mut dyn Known) -> Option<i64> {
    // No made trace is one that is being rewritten.
    parse(&text.replace("Source is ETWReloggerTraceEventSource", "0 == 1"))?.value(known)
}

/// An expression.
#[derive(Debug)]
enum Tree {
    Number(i64),
    Name(String),
    Call(String, Vec<Self>),
    Not(Box<Self>),
    Two(Box<Self>, &'static str, Box<Self>),
}

/// Operators, the loosest first.
const OPERATORS: [&[&str]; 6] = [&["||"], &["&&"], &["==", "!=", ">=", "<=", ">", "<"], &["&"], &["+", "-"], &["*"]];

fn parse(text: &str) -> Option<Tree> {
    let mut rest = text.trim_start();
    let tree = binary(&mut rest, 0)?;
    rest.is_empty().then_some(tree)
}

fn binary(rest: &mut &str, level: usize) -> Option<Tree> {
    let Some(operators) = OPERATORS.get(level) else { return primary(rest) };
    let mut left = binary(rest, level + 1)?;
    while let Some(operator) = operators.iter().find(|operator| is_next(rest, operator)) {
        *rest = rest[operator.len()..].trim_start();
        left = Tree::Two(Box::new(left), operator, Box::new(binary(rest, level + 1)?));
    }
    Some(left)
}

/// `&` is not the beginning of `&&`.
fn is_next(rest: &str, operator: &str) -> bool {
    rest.starts_with(operator) && (operator != "&" || !rest.starts_with("&&"))
}

fn primary(rest: &mut &str) -> Option<Tree> {
    if eat(rest, "!") {
        return Some(Tree::Not(Box::new(primary(rest)?)));
    }
    if eat(rest, "-") {
        return Some(Tree::Two(Box::new(Tree::Number(0)), "-", Box::new(primary(rest)?)));
    }
    if eat(rest, "(") {
        let inner = binary(rest, 0)?;
        return eat(rest, ")").then_some(inner);
    }
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !['_', '.'].contains(&c)).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after.trim_start();
    if let Ok(number) = word.parse() {
        return Some(Tree::Number(number));
    }
    let name = if eat(rest, "@") { format!("{word}@") } else { word.to_owned() };
    if word.is_empty() || !eat(rest, "(") {
        return (!word.is_empty()).then_some(Tree::Name(name));
    }
    let mut arguments = vec![binary(rest, 0)?];
    while eat(rest, ",") {
        arguments.push(binary(rest, 0)?);
    }
    let whole = eat(rest, ")");
    // Of a text only its length is asked, and whether it is there.
    eat(rest, ".Length");
    whole.then_some(Tree::Call(name, arguments))
}

fn eat(rest: &mut &str, word: &str) -> bool {
    let Some(after) = rest.strip_prefix(word) else { return false };
    *rest = after.trim_start();
    true
}

impl Tree {
    fn value(&self, known: &mut dyn Known) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Name(name) => known.name(name),
            Self::Not(inner) => Some(i64::from(inner.value(known)? == 0)),
            Self::Call(name, arguments) => call(name, arguments, known),
            Self::Two(left, operator, right) => {
                let (left, right) = (left.value(known), right.value(known));
                // One side may be enough.
                match (*operator, left, right) {
                    ("&&", Some(0), _) | ("&&", _, Some(0)) => Some(0),
                    ("||", Some(1), _) | ("||", _, Some(1)) => Some(1),
                    _ => two(left?, operator, right?),
                }
            }
        }
    }
}

fn two(left: i64, operator: &str, right: i64) -> Option<i64> {
    Some(match operator {
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        "&" => left & right,
        "||" => i64::from(left != 0 || right != 0),
        "&&" => i64::from(left != 0 && right != 0),
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        ">=" => i64::from(left >= right),
        "<=" => i64::from(left <= right),
        ">" => i64::from(left > right),
        _ => i64::from(left < right),
    })
}

fn call(name: &str, arguments: &[Tree], known: &mut dyn Known) -> Option<i64> {
    match (name, arguments) {
        ("if", [condition, then, other]) => {
            if condition.value(known)? == 0 {
                other.value(known)
            } else {
                then.value(known)
            }
        }
        ("end", [Tree::Name(field)]) => known.end_of(field),
        ("sizeof", [Tree::Name(of)]) => match of.as_str() {
            "byte" => Some(1),
            "Int16" => Some(2),
            "int" | "Int32" => Some(4),
            "Int64" => Some(8),
            _ => None,
        },
        (what, [at]) => {
            let at = at.value(known)?;
            known.end_at(what, at)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, value};

    /// `ptr` is 8, `ver` 2, everything ends at 100.
    struct Made;

    impl Known for Made {
        fn name(&mut self, name: &str) -> Option<i64> {
            [("ptr", 8), ("ver", 2)].into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
        }

        fn end_of(&mut self, _: &str) -> Option<i64> {
            Some(100)
        }

        fn end_at(&mut self, what: &str, at: i64) -> Option<i64> {
            (what == "end_sid").then_some(at + 28)
        }
    }

    #[test]
    fn places_and_conditions() {
        for (text, wanted) in [
            ("2*ptr+20", Some(36)),
            ("end(KernelImageFileName)+ptr", Some(108)),
            ("end_sid(if(ver >= 4, 2*ptr+20, if(ver >= 3, 2*ptr+16, ptr+16)))", Some(52)),
            ("ver != 0 && ver == 2", Some(1)),
            ("!(ver == 2 && MinorVersion == 2) && ver < 3", None),
            ("ver < 2 && MinorVersion == 2", Some(0)),
            ("ver < 2 || Source is Unknown", None),
            ("!(ver < 2 || Source is ETWReloggerTraceEventSource)", Some(1)),
            ("10-2-3*2", Some(2)),
            ("4 & 6", Some(4)),
            ("ver >= 2 && ptr == -8", Some(0)),
            ("1*sizeof(int)", Some(4)),
        ] {
            assert_eq!(value(text, &mut Made), wanted, "{text}");
        }
    }
}
