//! A line of a baseline, taken apart.

/// An `EVENT` line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    /// Microseconds since the start.
    pub(super) micros: i64,
    /// `Provider/Task/Opcode`.
    pub(super) name: String,
    pub(super) pid: i32,
    pub(super) tid: i32,
    pub(super) process: String,
    pub(super) processor: u16,
    pub(super) len: usize,
    pub(super) container: Option<String>,
    /// `name=value; ` over and over.
    rest: String,
}

impl Line {
    pub(super) fn parse(text: &str) -> Option<Self> {
        // Somebody added a field to lines of an old release by hand, without an end.
        let text = text.strip_suffix("ObjectSize=0").unwrap_or(text);
        let (time, rest) = text.strip_prefix("EVENT ")?.split_once(": ")?;
        let (name, rest) = rest.split_once(" PID=")?;
        let (pid, rest) = rest.split_once("; TID=")?;
        let (tid, rest) = rest.split_once("; PName=")?;
        let (process, rest) = rest.split_once("; ProceNum=")?;
        let (processor, rest) = rest.split_once("; DataLen=")?;
        let (len, rest) = rest.split_once("; ")?;
        let (rest, container) = match rest.rsplit_once("ContainerID=") {
            Some((rest, id)) => (rest, Some(id.trim_end_matches("; ").to_owned())),
            None => (rest, None),
        };
        Some(Self {
            text: text.to_owned(),
            micros: time.replace([',', '.'], "").parse().ok()?,
            name: name.to_owned(),
            pid: pid.parse().ok()?,
            tid: tid.parse().ok()?,
            process: process.to_owned(),
            processor: processor.parse().ok()?,
            len: len.parse().ok()?,
            container,
            rest: rest.to_owned(),
        })
    }

    /// The values of the fields of these names, if the line has these in this order and no others.
    pub(super) fn values(&self, names: &[&str]) -> Option<Vec<String>> {
        let mut rest = self.rest.as_str();
        let mut values = Vec::new();
        for (at, name) in names.iter().enumerate() {
            rest = rest.strip_prefix(name)?.strip_prefix('=')?;
            let end = match names.get(at + 1) {
                Some(next) => rest.find(&format!("; {next}="))?,
                None => rest.strip_suffix("; ")?.len(),
            };
            values.push(rest.get(..end)?.to_owned());
            rest = rest.get(end + 2..)?;
        }
        rest.is_empty().then_some(values)
    }

    /// What lines of events with the same schema have in common.
    pub(super) fn text_of_names(&self) -> String {
        self.pairs().into_iter().fold(self.name.clone(), |all, (name, _)| all + ";" + &name)
    }

    /// Names and values where nobody states what the names are.
    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for piece in self.rest.split_terminator("; ") {
            match piece.split_once('=') {
                Some((name, value)) if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                    pairs.push((name.to_owned(), value.to_owned()));
                }
                _ => {
                    if let Some((_, value)) = pairs.last_mut() {
                        value.push_str("; ");
                        value.push_str(piece);
                    }
                }
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_line() {
        let text =
            "EVENT 1,002.003: P/T/O PID=-1; TID=4; PName=a b; ProceNum=3; DataLen=8; A=1,000; B=x; y=; ContainerID=C; ";
        let line = Line::parse(text).unwrap();
        assert_eq!((line.micros, line.pid, line.tid, line.len), (1_002_003, -1, 4, 8));
        assert_eq!((line.name.as_str(), line.process.as_str(), line.container.as_deref()), ("P/T/O", "a b", Some("C")));
        assert_eq!(line.values(&["A", "B"]), Some(vec!["1,000".to_owned(), "x; y=".to_owned()]));
        assert_eq!(line.values(&["A", "C"]), None);
        assert_eq!(line.pairs().len(), 3);
    }
}
