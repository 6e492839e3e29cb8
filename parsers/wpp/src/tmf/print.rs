//! TMF text from the model.

use std::fmt;

use super::model::{
    Argument, BodyLine, Definition, EnumValue, Enumeration, Group, Item, Keyword, Tmf, TmfEntry, Trailer,
};

impl fmt::Display for Tmf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}

impl fmt::Display for TmfEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comment(text) => write!(f, "//{text}"),
            Self::Group(group) => group.fmt(f),
            Self::Definition(definition) => definition.fmt(f),
            Self::Enumeration(enumeration) => enumeration.fmt(f),
            Self::Other(line) => f.write_str(line),
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.guid, self.component)?;
        trailer(f, self.trailer.as_ref())
    }
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keyword = match self.keyword {
            Keyword::TypeV => "#typev",
            Keyword::Type => "#type",
        };
        write!(f, "{keyword} {} {} \"{}\"", self.name, self.number, self.format)?;
        trailer(f, self.trailer.as_ref())?;
        body(f, &self.body)
    }
}

impl fmt::Display for Enumeration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#enumv {}", self.name)?;
        body(f, &self.body)
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} -- {}", self.expression, self.item, self.number)
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.list.as_ref().map_or(Ok(()), |list| write!(f, "({list})"))
    }
}

impl fmt::Display for EnumValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.label, self.text)
    }
}

fn trailer(f: &mut fmt::Formatter<'_>, trailer: Option<&Trailer>) -> fmt::Result {
    trailer.map_or(Ok(()), |trailer| write!(f, " //{}", trailer.0))
}

fn body<T: fmt::Display>(f: &mut fmt::Formatter<'_>, lines: &[BodyLine<T>]) -> fmt::Result {
    f.write_str("\n{\n")?;
    for line in lines {
        match line {
            BodyLine::Known(known) => writeln!(f, "{known}")?,
            BodyLine::Other(other) => writeln!(f, "{other}")?,
        }
    }
    f.write_str("}")
}
