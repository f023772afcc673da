//! The numbers of a sentence: which measure, which count, which only label, and which are no claims.

use super::super::Kind;
use super::super::facts::unit_at;
use super::super::figures::{self, Count};
use super::super::fold;
use super::super::ground::Found;
use super::super::lex::{Figure, Lexeme, Token};
use super::super::moments::{When, joiner};
use super::super::names;
use super::super::phrases;
use super::super::vocabulary::{self, Unit};
use super::super::whens;
use super::Reader;

impl Reader<'_, '_> {
    pub(super) fn numbers(&mut self, tokens: &[Token<'_>], used: &mut [bool]) {
        let measured: Vec<Option<Unit>> = (0..tokens.len())
            .filter(|at| !used[*at] && matches!(tokens[*at].kind, Lexeme::Number(_)))
            .map(|at| unit_at(tokens, at))
            .collect();
        let mut at = 0;
        while at < tokens.len() {
            let unit = unit_at(tokens, at);
            let lone = unit.is_some() && measured.iter().filter(|other| **other == unit).count() == 1;
            let next = if used[at] { None } else { self.number(tokens, used, at, lone) };
            at = next.unwrap_or(at + 1).max(at + 1);
        }
    }

    /// Judges the number at a place; where what belongs to it ends.
    fn number(&mut self, tokens: &[Token<'_>], used: &mut [bool], at: usize, lone: bool) -> Option<usize> {
        let token = &tokens[at];
        let lower = |at: usize| tokens.get(at).map(|token| token.text.to_lowercase()).unwrap_or_default();
        let previous = at.checked_sub(1).map(&lower).unwrap_or_default();
        let (mut figure, spelled) = match token.kind {
            Lexeme::Number(figure) => (figure, false),
            Lexeme::Word => {
                let number = vocabulary::spelled(&lower(at))?;
                (Figure::plain(f64::from(number)), true)
            }
            Lexeme::Ident => {
                if let Some(found) = names::ident(self.ground, &self.said, token.text) {
                    self.claim(token.start..token.end, Kind::Number, found);
                }
                used[at] = true;
                return None;
            }
            _ => return None,
        };
        used[at] = true;
        let mut end = at + 1;
        if lower(end) == "and" && lower(end + 1) == "a" && lower(end + 2) == "half" {
            figure = Figure { value: figure.value + 0.5, decimals: 1, otherwise: None };
            end += 3;
        }
        let unit = unit_at(tokens, end - 1).or_else(|| unit_of_range(tokens, end));
        let after_unit = if unit.is_some() { self.unit_end(tokens, end, unit) } else { end };
        let about = {
            let from = tokens[at.saturating_sub(3)].start;
            phrases::is_about(&fold::fold(&self.answer[from..token.start]))
                || self.answer[..token.start].ends_with(['~', '≈'])
        };
        let signed = at > 0
            && matches!(
                tokens[at - 1].kind,
                Lexeme::Mark('-' | '−' | '#' | '§' | '€' | '$' | '£' | '¥' | '+')
            );
        let start = if signed { tokens[at - 1].start } else { token.start };
        if let Some(unit) = unit {
            let (figure, unit, end) = compound(tokens, figure, unit, after_unit);
            used[at..end].fill(true);
            let mut found = figures::look_up(self.ground, &self.said, figure, Some(unit), lone, about);
            let direct = matches!(found, Found::In(_));
            if !direct && found == Found::Nowhere && self.is_loose(tokens, at, end, figure, unit) {
                found = Found::Unsure;
            }
            self.claim(start..tokens[end - 1].end, Kind::Number, found);
            return Some(end);
        }
        let ordinal = matches!(lower(end).as_str(), "st" | "nd" | "rd" | "th");
        let scale = (previous == "of" && at > 1 && lower(at - 2) == "out") || self.touches(tokens, at, "/");
        let spoken = matches!(lower(end).as_str(), "noon" | "midnight" | "x" | "\u{fe0f}" | "\u{20e3}" | "=")
            || matches!(previous.as_str(), "past" | "step" | "option" | "part" | "variant" | "=" | "schritt");
        if ordinal || scale || spoken || (!spelled && figure.value <= 1.0 && figure.decimals == 0) {
            return None;
        }
        if let Some((end, digits)) = long_digits(tokens, at) {
            let found = figures::look_up_digits(self.ground, &digits);
            if found != Found::Nowhere {
                used[at..end].fill(true);
                self.claim(start..tokens[end - 1].end, Kind::Number, found);
                return Some(end);
            }
        }
        if token.text.len() == 4 && (1900.0..2100.0).contains(&figure.value) && !self.is_label(tokens, at) {
            let found = figures::look_up_year(self.ground, &self.said, figure);
            self.claim(start..token.end, Kind::Date, found);
            return None;
        }
        if self.is_label(tokens, at) {
            let found = figures::look_up_label(self.ground, figure);
            self.claim(start..token.end, Kind::Number, found);
            return None;
        }
        if figure.decimals > 0 {
            let found = figures::look_up(self.ground, &self.said, figure, None, lone, about);
            self.claim(start..token.end, Kind::Number, found);
            return None;
        }
        if matches!(
            previous.as_str(),
            "from" | "to" | "until" | "till" | "at" | "between" | "by" | "and" | "um" | "bis"
        ) && !spelled
            && figure.value <= 24.0
        {
            #[expect(clippy::cast_possible_truncation, reason = "at most 24")]
            let when = When::Time { minute: figure.value as i16 * 60, half_day: true, utc: false };
            if let Found::In(hits) = whens::look_up(self.ground, &self.said, &when, false) {
                self.claim(start..token.end, Kind::Time, Found::In(hits));
                return None;
            }
        }
        let (after, bare, thing) = things_after(self.answer, tokens, end);
        let listed = self.listed.iter().any(|listed| {
            #[expect(clippy::cast_precision_loss, reason = "items of a list")]
            let listed = *listed as f64;
            listed == figure.value
        });
        let span = [" week ", " weekend ", " month ", " soon ", " woche ", " monat "];
        let count = Count {
            number: figure.value,
            after: &after,
            bare,
            listed,
            parts: phrases::speaks_of_parts(&self.said.folded)
                || span.iter().any(|cue| self.said.folded.contains(cue)),
        };
        let mut found = figures::look_up_count(self.ground, &self.said, &count);
        if found == Found::Nowhere && about {
            found = figures::look_up(self.ground, &self.said, figure, Some(Unit::Other), false, true);
        }
        if found == Found::Nowhere && previous == "of" {
            found = figures::is_whole(self.ground, figure);
        }
        let aged = [" turn ", " turned ", " old ", " age ", " aged ", " birthday ", " anniversary ", " alt "];
        if found == Found::Nowhere && aged.iter().any(|cue| self.said.stemmed.contains(cue)) {
            found = figures::look_up_age(self.ground, figure);
        }
        let sources = 0..self.ground.facts.len();
        if found == Found::Nowhere
            && sources.into_iter().any(|source| {
                figures::is_difference(self.ground, &self.said, source, figure, None)
                    || figures::is_difference_in_object(self.ground, &self.said, source, figure)
            })
        {
            found = Found::Unsure;
        }
        let loose = self.is_loose(tokens, at, token_after(tokens, at), figure, Unit::Percent);
        if found == Found::Nowhere && (loose || (self.said.cited.is_empty() && !self.known_thing(&after))) {
            found = Found::Unsure;
        }
        let end = if bare { token.end } else { thing };
        self.claim(start..end, Kind::Count, found);
        None
    }

    /// Whether a sign stands right before a number, as in `9/10`.
    fn touches(&self, tokens: &[Token<'_>], at: usize, sign: &str) -> bool {
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        before.is_some_and(|before| before.text == sign && before.end == tokens[at].start)
    }

    /// A number that is not meant to be held to: an end of a range, a rate, a sum that is being done, or all
    /// and a day.
    fn is_loose(&self, tokens: &[Token<'_>], at: usize, end: usize, figure: Figure, unit: Unit) -> bool {
        let dash = |place: Option<usize>| {
            let token = place.and_then(|place| tokens.get(place));
            token.is_some_and(|token| matches!(token.text, "-" | "–"))
        };
        let number = |place: Option<usize>| {
            let token = place.and_then(|place| tokens.get(place));
            token.is_some_and(|token| matches!(token.kind, Lexeme::Number(_)))
        };
        let range = (dash(at.checked_sub(1)) && number(at.checked_sub(2)))
            || (dash(Some(at + 1)) && number(Some(at + 2)));
        let rate = unit != Unit::Money
            && tokens.get(end).is_some_and(|token| matches!(token.text, "/" | "per" | "pro"));
        let sum = tokens.iter().any(|token| matches!(token.text, "=" | "×" | "÷"));
        let all = (unit == Unit::Percent && (figure.is(100.0) || figure.is(50.0)))
            || (matches!(unit, Unit::Seconds(_)) && figure.is(24.0));
        // What no call is cited for is held to a call only where it looks like something one says.
        let measure = matches!(unit, Unit::Other | Unit::Seconds(_) | Unit::Days(_));
        let new = self.said.cited.is_empty()
            && (self.said.records.is_empty() || matches!(unit, Unit::Seconds(_)))
            && measure
            && !figures::is_like_one(self.ground, figure)
            && !self.names_a_field();
        let computed = self.said.cited.is_empty() && phrases::adds_up(&self.said.folded);
        range || rate || sum || all || new || computed
    }

    /// Whether what is counted is something the sources know, or a thing in general.
    fn known_thing(&self, after: &str) -> bool {
        let general = [
            "dos", "todo", "item", "thing", "task", "result", "entry", "entrie", "event", "change", "file",
            "people",
        ];
        let vague =
            |word: &str| CONNECTORS.contains(&word) || matches!(word, "more" | "other" | "new" | "hour");
        let telling = after.split_whitespace().filter(|word| !CONNECTORS.contains(word));
        telling.take(3).any(|word| {
            general.contains(&word) || (word.len() > 2 && !vague(word) && self.ground.has_word(word))
        }) || after.trim().is_empty()
    }

    /// Whether the sentence has a word of the name of a field.
    fn names_a_field(&self) -> bool {
        let fields = self.ground.facts.iter().flat_map(|facts| &facts.fields);
        fields.flat_map(|field| field.split_whitespace()).any(|word| {
            word.len() > 2
                && vocabulary::unit(word).is_none()
                && self.said.stemmed.contains(&format!(" {word} "))
        })
    }

    /// The token after the unit of a number.
    fn unit_end(&self, tokens: &[Token<'_>], at: usize, unit: Option<Unit>) -> usize {
        let names = |place: usize| {
            tokens.get(place).and_then(|token| vocabulary::unit(&token.text.to_lowercase())).is_some()
        };
        let dash = usize::from(tokens.get(at).is_some_and(|token| token.text == "-") && names(at + 1));
        let mut end = at + dash;
        if names(end) {
            end += 1;
            if tokens[end - 1].text == "°"
                && tokens.get(end).is_some_and(|token| matches!(token.text, "C" | "F"))
            {
                end += 1;
            }
            if unit == Some(Unit::Percent) && tokens.get(end).is_some_and(|token| token.text == "points") {
                end += 1;
            }
            return end;
        }
        at
    }

    /// A number that names something: `#812`, `§ 7`, `page 5`, `Form 1040`.
    fn is_label(&self, tokens: &[Token<'_>], at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else { return false };
        match before.kind {
            Lexeme::Mark('#' | '§') => true,
            Lexeme::Word => {
                let word = before.text.to_lowercase();
                let first = at == 1 || !before.text.starts_with(char::is_uppercase);
                let label = [
                    "page",
                    "platform",
                    "room",
                    "line",
                    "lines",
                    "gate",
                    "step",
                    "track",
                    "seat",
                    "floor",
                    "section",
                    "chapter",
                    "version",
                    "row",
                    "zeile",
                    "seite",
                    "gleis",
                    "nummer",
                    "number",
                    "no",
                    "issue",
                    "ticket",
                    "flight",
                    "train",
                    "rev",
                    "revision",
                    "run",
                    "paragraph",
                    "clause",
                    "pr",
                ];
                label.contains(&word.as_str())
                    || (!first && before.text.len() > 1 && !phrases::is_common(&fold::key(before.text)))
            }
            _ => false,
        }
    }
}

/// Groups of digits that make a long number: where they end, and all their digits.
fn long_digits(tokens: &[Token<'_>], at: usize) -> Option<(usize, String)> {
    let mut digits = String::new();
    let mut end = at;
    for (place, token) in tokens.iter().enumerate().skip(at).take(16) {
        match &token.kind {
            Lexeme::Number(figure) if figure.decimals == 0 => {
                digits.push_str(&super::super::facts::digits(token.text).replace(' ', ""));
                end = place + 1;
            }
            Lexeme::Mark('-' | '/' | '(' | ')' | '.') => {}
            _ => break,
        }
    }
    (digits.len() >= 7).then_some((end, digits))
}

fn token_after(tokens: &[Token<'_>], at: usize) -> usize {
    (at + 1).min(tokens.len())
}

/// Words after a number that are no thing it counts.
const CONNECTORS: [&str; 46] = [
    "and", "or", "of", "in", "on", "at", "by", "with", "from", "is", "are", "was", "were", "und", "oder",
    "von", "bis", "für", "for", "per", "but", "the", "which", "that", "as", "have", "has", "had", "include",
    "takes", "take", "to", "more", "match", "out", "stars", "sind", "waren", "hat", "haben", "im", "am",
    "need", "will", "can", "who",
];

/// The words after a number up to the next mark, folded, without plural; whether no thing is among them; and
/// where the first of them ends.
fn things_after(answer: &str, tokens: &[Token<'_>], at: usize) -> (String, bool, usize) {
    let mut last = at;
    while last < tokens.len() && last < at + 8 {
        let dash = matches!(tokens[last].kind, Lexeme::Mark('-'))
            && last > 0
            && tokens[last - 1].end == tokens[last].start;
        if !(dash || matches!(tokens[last].kind, Lexeme::Word)) {
            break;
        }
        last += 1;
    }
    let (Some(first), true) = (tokens.get(at), last > at) else {
        return (" ".to_owned(), true, at);
    };
    let connector = CONNECTORS.contains(&first.text.to_lowercase().as_str())
        && !tokens.get(at + 1).is_some_and(|next| next.text == "-" && next.start == first.end);
    let after = fold::stems(&fold::fold(&answer[first.start..tokens[last - 1].end]));
    (after, connector, first.end)
}

/// The unit of the first of two numbers that share theirs: "between -4 and 3 degrees".
fn unit_of_range(tokens: &[Token<'_>], at: usize) -> Option<Unit> {
    let sign = |place: usize| tokens.get(place).is_some_and(|token| matches!(token.text, "-" | "−"));
    let second = at + 1 + usize::from(sign(at + 1));
    let number = matches!(tokens.get(second).map(|token| &token.kind), Some(Lexeme::Number(_)));
    let joins = joiner(tokens, at) || tokens.get(at).is_some_and(|token| matches!(token.text, "of" | "von"));
    let joined = number && joins && tokens.get(at).is_none_or(|token| token.text != ",");
    joined.then(|| unit_at(tokens, second)).flatten()
}

/// A length of time in two units: `3 h 55 min`, `5 hours and 45 minutes`.
fn compound(tokens: &[Token<'_>], figure: Figure, unit: Unit, end: usize) -> (Figure, Unit, usize) {
    let plain = (figure, unit, end);
    let Unit::Seconds(first) = unit else { return plain };
    let and = tokens.get(end).is_some_and(|token| matches!(token.text, "and" | "und" | ","));
    let at = end + usize::from(and);
    let Some(Lexeme::Number(second)) = tokens.get(at).map(|token| &token.kind) else { return plain };
    match unit_at(tokens, at) {
        Some(Unit::Seconds(factor)) if factor < first => {
            let value = figure.value * (first / factor) + second.value;
            (Figure::plain(value), Unit::Seconds(factor), (at + 2).min(tokens.len()))
        }
        _ => plain,
    }
}
