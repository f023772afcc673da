//! Stretches of hours: "2 til 4", "14:00-15:30", "from 5 to 6pm", "between 9 and 11". A to-do has the time at which one
//! begins; the words stay in its title, as nothing else keeps the end.

use std::ops::Range;

use dates::clock::{Clock, clock};

use crate::lex::{Kind, Token, lex, trim_signs};
use crate::todo::attrs::{Attrs, Lexicon, peel_beside};

/// The hours that stand anywhere among the words, and when they begin.
fn stretch(tokens: &[Token]) -> Option<(Range<usize>, Clock)> {
    let digit = |t: &Token| t.kind == Kind::Word && t.lower.starts_with(|c: char| c.is_ascii_digit());
    (0..tokens.len()).filter(|at| digit(&tokens[*at])).find_map(|at| {
        let lead = at.checked_sub(1).filter(|lead| tokens[*lead].of("from between"));
        let between = lead.is_some_and(|lead| tokens[lead].is("between"));
        // "2-4pm" is one word.
        if let Some((from, to)) = tokens[at].lower.split_once(['-', '–'])
            && let Some(begins) = hours(from, to)
        {
            let half = tokens.get(at + 1).filter(|t| t.of("am pm"));
            let begins = match half {
                Some(half) => hours(from, &format!("{to}{}", half.lower))?,
                None => begins,
            };
            return Some((lead.unwrap_or(at)..at + 1 + usize::from(half.is_some()), begins));
        }
        let mut next = at + 1;
        let half = |at: usize| tokens.get(at).filter(|t| t.of("am pm")).map(|t| t.lower.clone());
        let first = half(next).unwrap_or_default();
        next += usize::from(!first.is_empty());
        let joins: &[&str] = if between { &["and"] } else { &["to", "until", "till", "-", "–"] };
        // "7 for 7.30"
        let idiom = tokens.get(next).is_some_and(|t| t.is("for"))
            && tokens.get(next + 1).is_some_and(|t| t.lower.contains(['.', ':']));
        tokens.get(next).filter(|t| t.any(joins) || idiom)?;
        let open = tokens.get(next + 1).is_some_and(|t| t.of("late close closing noon midnight whenever"));
        if open && lead.is_some() {
            let begins = hours(&format!("{}{first}", tokens[at].lower), "11pm")?;
            return Some((lead.unwrap_or(at)..next + 2, begins));
        }
        let end = tokens.get(next + 1).filter(|t| digit(t))?;
        let last = half(next + 2).unwrap_or_default();
        let to = next + 2 + usize::from(!last.is_empty());
        let begins = hours(&format!("{}{first}", tokens[at].lower), &format!("{}{last}", end.lower))?;
        Some((lead.unwrap_or(at)..to, begins))
    })
}

/// The first of two hours; its half of the day is the other's, where only that has one.
fn hours(from: &str, to: &str) -> Option<Clock> {
    let half = |word: &str| ["am", "pm"].into_iter().find(|half| word.ends_with(half));
    let hour = |word: &str| {
        word.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u8>().ok().filter(|h| *h <= 24)
    };
    let plain = |word: &str| {
        let left = word.trim_end_matches("am").trim_end_matches("pm");
        left.len() <= 5 && left.chars().all(|c| c.is_ascii_digit() || c == ':' || c == '.')
    };
    let (one, two) = (hour(from)?, hour(to)?);
    if !plain(from) || !plain(to) {
        return None;
    }
    let said = match (half(from), half(to)) {
        (None, Some("pm")) if one < two && two <= 12 || one == 12 => format!("at {from}pm"),
        (None, Some("pm")) => format!("at {from}am"),
        (None, Some(half)) => format!("at {from}{half}"),
        _ => format!("at {from}"),
    };
    clock(&lex(&said)).map(|(_, found)| found)
}

/// The words around a stretch of hours, when it begins and a day say when something is; the hours stay in the title.
pub fn timed(tokens: &[Token], lexicon: &Lexicon, known: &Attrs) -> Option<(Vec<Token>, Attrs)> {
    let (hours, begins) = stretch(tokens).filter(|(hours, _)| hours.len() < tokens.len())?;
    let without = [&tokens[..hours.start], &tokens[hours.end..]].concat();
    let (mut rest, mut attrs) = peel_beside(&without, lexicon, known);
    let when = attrs.when.as_mut().filter(|when| when.date.is_some() && when.time.is_none())?;
    if trim_signs(&rest).is_empty() {
        return None;
    }
    (when.time, when.guessed) = (Some(begins.time), !begins.sure);
    rest.extend_from_slice(&tokens[hours]);
    Some((rest, attrs))
}
