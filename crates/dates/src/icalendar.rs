//! The lines of an iCalendar file (RFC 5545, 3.1): folded and put together again, split into name, parameters and value, with text that is
//! escaped; and its dates and times. What components and properties mean is for whoever reads or writes one.

/// The most octets of a line (RFC 5545, 3.1).
const MAX_LINE: usize = 75;

/// Adds a line, folded where it is too long: never inside a character.
pub fn push_line(text: &mut String, line: &str) {
    let mut length = 0;
    for letter in line.chars() {
        if length + letter.len_utf8() > MAX_LINE {
            text.push_str("\r\n ");
            length = 1;
        }
        text.push(letter);
        length += letter.len_utf8();
    }
    text.push_str("\r\n");
}

/// The lines with what was folded put together again, and the number each began at. A byte order mark before them is passed over.
#[must_use]
pub fn unfolded(text: &str) -> Vec<(usize, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (place, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match (line.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(rest), Some((_, last))) => last.push_str(rest),
            _ => lines.push((place + 1, line.to_owned())),
        }
    }
    lines
}

/// A text as a value (RFC 5545, 3.3.11).
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,").replace('\n', "\\n")
}

/// The text of a value.
#[must_use]
pub fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n' | 'N') => plain.push('\n'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            letter => plain.push(letter),
        }
    }
    plain
}

/// The values of a list, at the commas that are not escaped.
#[must_use]
pub fn split_unescaped(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_escaped = false;
    for letter in text.chars() {
        if letter == ',' && !is_escaped {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    parts.iter().map(|part| unescaped(part)).collect()
}

/// A property: name, parameters, value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property<'a> {
    /// In capital letters, however it was written.
    pub name: String,
    /// What is between the name and the colon, as it was written.
    pub parameters: &'a str,
    /// What is behind the colon, still escaped.
    pub value: &'a str,
}

impl<'a> Property<'a> {
    /// The property of a line; none for a line without a colon outside of quotation marks.
    #[must_use]
    pub fn parse(line: &'a str) -> Option<Self> {
        let (head, value) = split_unquoted(line, ':')?;
        let (name, parameters) = head.split_once(';').unwrap_or((head, ""));
        Some(Self { name: name.trim().to_ascii_uppercase(), parameters, value })
    }

    /// The value of a parameter without its quotation marks, whatever case its name is in.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&'a str> {
        let mut rest = Some(self.parameters);
        while let Some(parameters) = rest {
            let (parameter, others) = match split_unquoted(parameters, ';') {
                Some((parameter, others)) => (parameter, Some(others)),
                None => (parameters, None),
            };
            match parameter.split_once('=') {
                Some((key, value)) if key.trim().eq_ignore_ascii_case(name) => {
                    return Some(value.trim().trim_matches('"'));
                }
                _ => rest = others,
            }
        }
        None
    }
}

/// Splits at the first mark that is outside of quotation marks.
fn split_unquoted(text: &str, mark: char) -> Option<(&str, &str)> {
    let mut is_quoted = false;
    let at = text.find(|letter| {
        is_quoted ^= letter == '"';
        letter == mark && !is_quoted
    })?;
    Some((text.get(..at)?, text.get(at + mark.len_utf8()..)?))
}

/// `2026-11-22T10:00:00Z` as `20261122T100000Z`.
#[must_use]
pub fn compact(stamp: &str) -> String {
    stamp.chars().filter(|letter| !matches!(letter, '-' | ':')).collect()
}

/// `20261122T100000Z` as `2026-11-22T10:00:00Z`, and the same without time or without Z. None for another form; whether there is such a
/// day is not looked at.
#[must_use]
pub fn spread(value: &str) -> Option<String> {
    let (day, time) = value.split_once('T').map_or((value, None), |(day, time)| (day, Some(time)));
    let digits =
        |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(day, 8).then_some(())?;
    let day = format!("{}-{}-{}", day.get(..4)?, day.get(4..6)?, day.get(6..)?);
    let Some(time) = time else { return Some(day) };
    let (time, zulu) = time.strip_suffix('Z').map_or((time, ""), |time| (time, "Z"));
    digits(time, 6).then_some(())?;
    Some(format!("{day}T{}:{}:{}{zulu}", time.get(..2)?, time.get(2..4)?, time.get(4..)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_is_split_outside_of_quotation_marks() {
        let line = r#"DTSTART;VALUE=DATE-TIME;TZID="(UTC+01:00) Amsterdam; Berlin":20260615T090000"#;
        let property = Property::parse(line).unwrap();
        assert_eq!((&*property.name, property.value), ("DTSTART", "20260615T090000"));
        assert_eq!(property.parameter("tzid"), Some("(UTC+01:00) Amsterdam; Berlin"));
        assert_eq!(property.parameter("VALUE"), Some("DATE-TIME"));
        assert_eq!(property.parameter("X-NONE"), None);
        assert_eq!(Property::parse("no colon \"here: \""), None);
    }

    #[test]
    fn stamps_have_one_form() {
        assert_eq!(spread("20261122T100000Z").as_deref(), Some("2026-11-22T10:00:00Z"));
        assert_eq!(spread("20261122").as_deref(), Some("2026-11-22"));
        assert_eq!(compact("2026-11-22T10:00"), "20261122T1000");
        for wrong in ["2026112", "20261122T10", "20261122T1000000", "2026112２", "T100000"] {
            assert_eq!(spread(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn what_is_folded_and_escaped_comes_back(text in "\\PC{0,200}(\n\\PC{0,100})?") {
            let mut file = String::new();
            push_line(&mut file, &format!("SUMMARY:{}", escaped(&text)));
            prop_assert!(file.lines().all(|line| line.len() <= MAX_LINE));
            let lines = unfolded(&file);
            let property = Property::parse(&lines[0].1).unwrap();
            prop_assert_eq!(unescaped(property.value), text);
        }

        #[test]
        fn any_line_is_read_or_not(line in "\\PC{0,80}", name in "[A-Z]{0,4}") {
            if let Some(property) = Property::parse(&line) {
                let _any = property.parameter(&name);
            }
            let _any = (spread(&line), split_unescaped(&line));
        }
    }
}
