//! Whether words say facts of those who travel and nothing beside them: who they are, when, how much, where they sleep. “Dinner for two on
//! Friday” and “we paid 80 euros” have numbers as well and say nothing of the trip as a whole, so nothing is kept of them (S4-18, D-20).

use super::days::{Calendar, Span};
use super::saying::{DIETS, PACES, RELATIONS, SLEEPS};
use super::sums::{is_people, people, sum};
use crate::lex::{Kind, Token, longest, starts};

/// Small words around facts.
const AROUND: &str = "a an the our my we i us are am is be we're i'm we'll it's it there will for from to in on of at by with and or plus between until about \
                      around roughly approximately yes please would like want prefer we'd i'd have just only all both mostly strictly budget spend up \
                      max maximum most total everything altogether together travelling traveling travel";

/// Words of ages, and of what a place to sleep is like.
const MORE: &str = "aged age years year old months month small little young quiet charming family romantic design central traditional cheap business";

/// Whether all words are facts and small words around them.
pub fn only(words: &[Token], calendar: &Calendar) -> bool {
    let mut rest = words.to_vec();
    if let Some((range, _)) = sum(&rest, false) {
        rest.splice(range, []);
    }
    let (_, rest) = calendar.spanned(&rest);
    rest.iter().all(|word| {
        let is_pace = || PACES.iter().any(|(_, table)| word.of(table));
        let is_known = || {
            word.of(AROUND)
                || word.of(MORE)
                || word.of(RELATIONS)
                || word.of(SLEEPS)
                || word.of(DIETS)
                || is_pace()
                || is_people(&word.lower)
                || dates::names::number(&word.lower).is_some()
        };
        word.kind == Kind::Sign || word.kind == Kind::Word && is_known()
    })
}

/// The span that words are, and nothing beside it.
pub fn span(words: &[Token], calendar: &Calendar) -> Option<Span> {
    let (span, rest) = Calendar { trip: None, ..*calendar }.spanned(words);
    (!span.is_none() && rest.iter().all(|word| word.kind == Kind::Sign)).then_some(span)
}

/// Whether a span is a single day and no more.
pub fn is_day(span: &Span) -> bool {
    span.start.is_some() && span.last().is_none()
}

/// Whether a sum at a place among words is one for all of the trip: what is said with it is facts, and no place to sleep that it could be the
/// price of.
pub fn is_for_all(words: &[Token], at: usize, calendar: &Calendar) -> bool {
    let ends = |word: &Token| word.kind == Kind::Sign || word.of("and");
    let from = words[..at].iter().rposition(ends).map_or(0, |end| end + 1);
    let to = words[at..].iter().position(ends).map_or(words.len(), |end| at + end);
    only(&words[from..to], calendar) && !words[from..to].iter().any(|word| word.of(SLEEPS))
}

/// Whether a sum is said to be a bound for all of it: “5000 euros at most”, “3000 dollars in all”.
fn is_bound(words: &[Token]) -> bool {
    const BOUNDS: &[&str] = &[
        "budget", "at most", "in all|total", "all in", "altogether", "up to", "max|maximum",
        "for everything", "for all of it",
    ];
    (0..words.len()).any(|at| longest(&words[at..], BOUNDS).is_some())
}

/// Whether words are several things said of a trip, or one that is all of the words: “two adults, 15 to 22 June, 5000 dollars, a boutique
/// hotel”. A sum alone, a number alone and a single day only where that was asked for.
pub fn is_bundle(tokens: &[Token], calendar: &Calendar, is_asked: bool) -> bool {
    if tokens.len() > 30 || starts(tokens, "the").is_some() {
        return false;
    }
    let clauses = tokens.split(|token| token.kind == Kind::Sign && token.text != "(" && token.text != ")");
    let (own, others): (Vec<&[Token]>, Vec<&[Token]>) =
        clauses.filter(|clause| !clause.is_empty()).partition(|clause| only(clause, calendar));
    // What is told of somebody's money or number beside it may be meant with it.
    if others.iter().any(|clause| sum(clause, false).is_some() || people(clause).is_some()) {
        return false;
    }
    let own: Vec<Token> = own.join(&Token { kind: Kind::Sign, ..Token::word(",") });
    let (span, _) = calendar.spanned(&own);
    let has = |table: &str| own.iter().any(|word| word.of(table));
    let is_number =
        own.iter().all(|word| word.kind == Kind::Sign || dates::names::number(&word.lower).is_some());
    let has_sum = sum(&own, false).is_some();
    let said = [
        people(&own).is_some() && (is_asked || !is_number),
        span.last().is_some() || !span.around.is_empty() || is_asked && !span.is_none(),
        has(SLEEPS) && !has("from to at"),
    ];
    match said.iter().filter(|is| **is).count() {
        0 => has_sum && others.is_empty() && (is_asked || is_bound(tokens)),
        1 if !has_sum => others.is_empty() && (is_asked || !is_day(&span)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::lex::lex;

    /// S4-18: a number in a sentence is no fact of the trip by itself.
    #[test]
    fn facts_are_all_that_is_said() {
        let calendar = Calendar { now: date(2026, 11, 21).at(22, 30, 0, 0), trip: None };
        for (said, alone, asked) in [
            ("two adults and two kids, 15 to 22 June, 5000 dollars, a boutique hotel", true, true),
            ("two adults", true, true),
            ("for two", true, true),
            ("15 to 22 June", true, true),
            ("5000 dollars", false, true),
            ("5000 dollars at most", true, true),
            ("we have 5000 dollars", false, true),
            ("2", false, true),
            ("two adults on Friday", false, true),
            ("we paid 80 euros for dinner", false, false),
            ("we paid 80 euros for dinner for two", false, false),
            ("pay Tom 200 euros", false, false),
            ("we have 200 euros left", false, false),
            ("buy presents for my two kids", false, false),
            ("dinner for two on Friday at 8pm", false, false),
        ] {
            let tokens = lex(said);
            let got = (is_bundle(&tokens, &calendar, false), is_bundle(&tokens, &calendar, true));
            assert_eq!(got, (alone, asked), "{said}");
        }
    }
}
