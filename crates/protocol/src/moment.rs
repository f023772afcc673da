//! The line of the system prompt that tells a model what time it is where the person is.
//!
//! Every model reads it as text; the built-in one parses it back, because a model is a function
//! of its request alone.

/// The line, from a civil date-time (`2026-11-21T22:30`, or with its distance from UTC `2026-11-21T22:30+01:00`), its
/// weekday in English and an IANA zone name.
#[must_use]
pub fn now_line(civil: &str, weekday: &str, zone: &str) -> String {
    format!("Now: {civil} ({weekday}), time zone {zone}.")
}

/// The civil date-time and zone of the last such line in a text.
#[must_use]
pub fn parse_now_line(text: &str) -> Option<(&str, &str)> {
    let line = text.lines().rev().find(|line| line.starts_with("Now: "))?;
    let rest = line.strip_prefix("Now: ")?;
    let (civil, rest) = rest.split_once(" (")?;
    let (_, zone) = rest.split_once("time zone ")?;
    Some((civil, zone.trim_end_matches('.')))
}
