//! The numbers of a sentence: which measure, which count, which only label, and which are no claims.

use super::Reader;
use crate::ClaimKind;
use crate::facts::unit_at;
use crate::figures::{self, Count};
use crate::fold;
use crate::ground::{self, Found};
use crate::languages;
use crate::lex::{Figure, Lexeme, Token};
use crate::moments::{When, joiner};
use crate::names;
use crate::phrases;
use crate::vocabulary::{self, Unit};
use crate::whens;

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
        let mut end = at + 1;
        let (mut figure, spelled) = match token.kind {
            Lexeme::Number(figure) => (figure, false),
            // Words of another language are no numbers of these two: Polish "ten" is "this".
            Lexeme::Word if self.said.unread => return None,
            Lexeme::Word => match vocabulary::spelled_at(tokens, at) {
                Some((number, after)) => {
                    end = after;
                    (Figure::plain(f64::from(number)), true)
                }
                None if vocabulary::spelled(&lower(at)).is_some() => return Some(at + 3),
                None => return None,
            },
            Lexeme::Ident => {
                if let Some(found) = names::ident(self.ground, &self.said, token.text) {
                    self.claim(token.start..token.end, ClaimKind::Number, found);
                }
                used[at] = true;
                return None;
            }
            _ => return None,
        };
        used[at..end].fill(true);
        if lower(end) == "and" && lower(end + 1) == "a" && lower(end + 2) == "half" {
            figure = Figure { value: figure.value + 0.5, decimals: 1, otherwise: None };
            end += 3;
        }
        let unit = unit_at(tokens, end - 1).or_else(|| unit_of_range(tokens, end));
        let after_unit = if unit.is_some() { self.unit_end(tokens, end, unit) } else { end };
        let before = fold::fold(&self.answer[tokens[at.saturating_sub(3)].start..token.start]);
        let about = phrases::is_about(&before) || self.answer[..token.start].ends_with(['~', '≈']);
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
            let bound = matches!(unit, Unit::Seconds(_) | Unit::Days(_)) && phrases::is_bound(&before);
            if !direct && found == Found::Nowhere && (bound || self.is_loose(tokens, at, end, figure, unit)) {
                found = Found::Unsure;
            }
            // `17 h`
            if found == Found::Nowhere
                && matches!(unit, Unit::Seconds(_))
                && matches!(lower(at + 1).as_str(), "h" | "uur")
            {
                found = self.on_the_hour(figure);
            }
            if found == Found::Nowhere && self.may_be_otherwise(tokens, at + 1, figure) {
                found = Found::Unsure;
            }
            self.claim(start..tokens[end - 1].end, ClaimKind::Number, found);
            return Some(end);
        }
        let ordinal = matches!(lower(end).as_str(), "st" | "nd" | "rd" | "th");
        let scale = (previous == "of" && at > 1 && lower(at - 2) == "out") || self.touches(tokens, at, "/");
        let spoken = matches!(lower(end).as_str(), "noon" | "midnight" | "x" | "\u{fe0f}" | "\u{20e3}" | "=")
            || matches!(previous.as_str(), "past" | "step" | "option" | "part" | "variant" | "=" | "schritt");
        if ordinal || scale || spoken || (!spelled && figure.value <= 1.0 && figure.decimals == 0) {
            return None;
        }
        if let Some((kind, found, end)) = self.in_parts(tokens, at) {
            used[at..end].fill(true);
            self.claim(start..tokens[end - 1].end, kind, found);
            return Some(end);
        }
        // The month of a day that is not said.
        if lower(end).starts_with(['月', '월']) {
            return None;
        }
        if let Some((end, digits)) = long_digits(tokens, at) {
            let found = figures::look_up_digits(self.ground, &digits);
            if found != Found::Nowhere {
                used[at..end].fill(true);
                self.claim(start..tokens[end - 1].end, ClaimKind::Number, found);
                return Some(end);
            }
        }
        if token.text.len() == 4 && (1900.0..2100.0).contains(&figure.value) && !self.is_label(tokens, at) {
            let found = figures::look_up_year(self.ground, &self.said, figure);
            self.claim(start..token.end, ClaimKind::Date, found);
            return None;
        }
        if self.is_label(tokens, at) {
            let mut found = figures::look_up_label(self.ground, figure);
            if found == Found::Nowhere && self.may_be_otherwise(tokens, end, figure) {
                found = Found::Unsure;
            }
            self.claim(start..token.end, ClaimKind::Number, found);
            return None;
        }
        if figure.decimals > 0 {
            let found = figures::look_up(self.ground, &self.said, figure, None, lone, about);
            self.claim(start..token.end, ClaimKind::Number, found);
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
                self.claim(start..token.end, ClaimKind::Time, Found::In(hits));
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
            parts: self.said.unread
                || phrases::speaks_of_parts(&self.said.folded)
                || span.iter().any(|cue| self.said.folded.contains(cue)),
        };
        let mut found = figures::look_up_count(self.ground, &self.said, &count);
        if found == Found::Nowhere {
            found = ground::found(whens::as_many_on(self.ground, &self.said, &self.days, figure.value));
        }
        if found == Found::Nowhere && phrases::is_bound(&before) {
            found = figures::bounded(self.ground, &self.said, figure, phrases::is_upper_bound(&before));
        }
        let unknown =
            !bare && !self.known_thing(&after) && whens::is_a_day(self.ground, &self.said, figure.value);
        if found == Found::Nowhere && (unknown || self.may_be_otherwise(tokens, end, figure)) {
            found = Found::Unsure;
        }
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
        let loose = self.is_loose(tokens, at, end, figure, Unit::Percent);
        if found == Found::Nowhere && (loose || (self.said.cited.is_empty() && !self.known_thing(&after))) {
            found = Found::Unsure;
        }
        let to = if bare { tokens[end - 1].end } else { thing };
        self.claim(start..to, ClaimKind::Count, found);
        Some(end)
    }

    /// A time on the hour.
    fn on_the_hour(&self, figure: Figure) -> Found {
        if figure.decimals > 0 || !(0.0..=24.0).contains(&figure.value) {
            return Found::Nowhere;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most 24")]
        let hour = figure.value as i16;
        let when = When::Time { minute: hour * 60, half_day: hour < 13, utc: false };
        whens::look_up(self.ground, &self.said, &when, false)
    }

    /// Whether nobody can tell what a number is, because the words around it are not read.
    fn may_be_otherwise(&self, tokens: &[Token<'_>], end: usize, figure: Figure) -> bool {
        if !self.said.unread || figure.decimals > 0 {
            return false;
        }
        let word = tokens.get(end).map(|token| token.text.to_lowercase()).unwrap_or_default();
        whens::may_be(self.ground, &self.said, figure.value, languages::reading(&word))
    }

    /// `17.15`, `24.11.`, `11/24`: a time or a day of the sources, and where it ends.
    fn in_parts(&self, tokens: &[Token<'_>], at: usize) -> Option<(ClaimKind, Found, usize)> {
        let token = &tokens[at];
        let (one, sign, two, end) = if let Some((one, two)) = token.text.split_once('.') {
            (one, '.', two, at + 1)
        } else {
            let (slash, second) = (tokens.get(at + 1)?, tokens.get(at + 2)?);
            let joined = slash.text == "/" && slash.start == token.end && second.start == slash.end;
            (token.text, '/', second.text, if joined { at + 3 } else { return None })
        };
        let part = |text: &str| text.parse::<i8>().ok().filter(|_| (1..=2).contains(&text.len()));
        let (one, two) = (part(one)?, part(two)?);
        let Some((kind, found)) = whens::in_parts(self.ground, &self.said, (one, sign, two)) else {
            // "On 11/25" says a day, "9/10" may be anything.
            let before =
                at.checked_sub(1).map(|before| tokens[before].text.to_lowercase()).unwrap_or_default();
            let on =
                matches!(before.as_str(), "on" | "by" | "due" | "since" | "until" | "before" | "am" | "bis");
            let is_day = (1..=31).contains(&one.max(two)) && (1..=12).contains(&one.min(two));
            return (sign == '/' && on && is_day).then_some((ClaimKind::Date, Found::Nowhere, end));
        };
        // A number that is there as it is, is a number.
        let Lexeme::Number(figure) = token.kind else { return None };
        let plain = sign == '.' && figures::look_up_label(self.ground, figure) != Found::Nowhere;
        (!plain).then_some((kind, found, end))
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
                    "page", "platform", "room", "line", "lines", "gate", "step", "track", "seat", "floor",
                    "section", "chapter", "version", "row", "zeile", "seite", "gleis", "nummer", "number",
                    "no", "issue", "ticket", "flight", "train", "rev", "revision", "run", "paragraph",
                    "clause", "pr",
                ];
                label.contains(&word.as_str())
                    || (!first
                        && dates::languages::month(&word).is_none()
                        && before.text.len() > 1
                        && !phrases::is_common(&fold::key(before.text)))
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
                digits.push_str(&crate::facts::digits(token.text).replace(' ', ""));
                end = place + 1;
            }
            Lexeme::Mark('-' | '/' | '(' | ')' | '.') => {}
            _ => break,
        }
    }
    (digits.len() >= 7).then_some((end, digits))
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
