//! Whether words say a number of people or a sum: a profile keeps only what was said (D-20). The trap of S4-18 is a model that makes
//! “for my family” four travellers, or takes the 15 of “from June 15” for people.
//!
//! Words are read in a few languages with Latin letters, as far as people count in them: start at [`says_people`] and [`says_sum`]. What
//! none of these tables has a word of is not read: it is taken with less confidence ([`UNREAD`]).

mod numbers;
mod tables;

use dates::names::month;

use self::numbers::{Token, is_part, sums, tokens};
use self::tables::*;
use crate::money::{Money, digits};

/// The most confidence in what was taken from words that nobody here can read.
pub(crate) const UNREAD: f64 = 0.7;

/// What words say of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// That it is so.
    Yes,
    /// Nothing of it, or something else.
    No,
    /// That is not known: no word of them is known here.
    Unread,
}

/// Whether a text has letters that are read here.
pub(crate) fn is_read(text: &str) -> bool {
    // Latin and its extensions end before U+0250; the additional ones are Vietnamese.
    let is_latin = |letter: char| letter < '\u{250}' || ('\u{1E00}'..='\u{1EFF}').contains(&letter);
    text.chars().filter(|letter| letter.is_alphabetic()).all(is_latin)
}

/// Whether one of a list of words is this one.
fn is_among(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// Whether any of the words is known here: then what they do not say was not said.
fn is_known(tokens: &[Token]) -> bool {
    const ALL: [&str; 14] = [
        UNITS, YEARS, AGES, PEOPLE, PAIRS, GROUPS, TOTALS, SPEAKER, MINE, SOLO, ONLY, LEADS, FUNCTION,
        CURRENCIES,
    ];
    tokens.iter().any(|token| {
        let word = token.word();
        token.is_number() || is_part(word) || ALL.iter().any(|words| is_among(words, word))
    })
}

/// Whether a text says that so many people travel: as a number of people, as a sum of such numbers, or by naming them.
pub(crate) fn says_people(text: &str, count: u32) -> Says {
    let tokens = tokens(text);
    if !is_read(text) || !is_known(&tokens) {
        return Says::Unread;
    }
    let is_it = People::read(&tokens).may_be(u64::from(count));
    if is_it { Says::Yes } else { Says::No }
}

/// Whether a text says a sum: as a whole number in it, however it is written.
pub(crate) fn says_sum(text: &str, sum: &Money) -> Says {
    let tokens = tokens(text);
    if !is_read(text) || !is_known(&tokens) {
        return Says::Unread;
    }
    // In thousandths: no currency has smaller parts.
    let minor = u128::try_from(sum.minor).unwrap_or(0);
    let wanted = minor.saturating_mul(1_000) / 10_u128.pow(digits(&sum.currency));
    if sums(&tokens).contains(&wanted) { Says::Yes } else { Says::No }
}

/// Who is said to travel.
#[derive(Debug, Default)]
struct People {
    /// How many there are in all: “four people”, “three of us”.
    totals: Vec<u64>,
    /// How many of some kind: “two kids”.
    counted: u64,
    /// Adults are among them, and whoever speaks is likely one.
    has_adults: bool,
    /// How many are named: “my wife”, “my parents”.
    named: u64,
    /// Some are named of whom nobody says how many they are: “my kids”.
    is_open: bool,
    /// Whoever speaks is named at all.
    has_speaker: bool,
    /// “my wife and I”.
    is_joined: bool,
    /// “just me”, “alone”.
    is_alone: bool,
}

impl People {
    fn read(tokens: &[Token]) -> Self {
        let mut people = Self::default();
        let counts_nobody = uncounted(tokens);
        let mut is_taken = vec![false; tokens.len()];
        let word_at = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", Token::word);
        for (at, token) in tokens.iter().enumerate() {
            let Some(value) = token.count() else { continue };
            if counts_nobody.get(at) == Some(&true) {
                continue;
            }
            let Some(noun) = noun_of(tokens, at) else {
                if is_bare(tokens, at) {
                    people.totals.push(value);
                }
                continue;
            };
            let word = word_at(Some(noun));
            if is_among(TOTALS, word) {
                people.totals.push(value);
            } else {
                people.counted = people.counted.saturating_add(value);
                people.has_adults |= is_among(ADULTS, word);
            }
            if let Some(is_taken) = is_taken.get_mut(noun) {
                *is_taken = true;
            }
        }
        for (at, token) in tokens.iter().enumerate() {
            let (word, before, after) =
                (token.word(), word_at(at.checked_sub(1)), word_at(Some(at.saturating_add(1))));
            let is_taken = is_taken.get(at) == Some(&true);
            if is_among(PEOPLE, word) && !is_taken {
                people.named += 1;
            } else if is_among(PAIRS, word) && !is_taken {
                people.named += 2;
            } else if is_among(GROUPS, word) && !is_taken {
                people.is_open = true;
            }
            let is_speaker = is_among(SPEAKER, word);
            people.has_speaker |= is_speaker || is_among(MINE, word);
            people.is_joined |= is_speaker && (is_among(JOINS, before) || is_among(JOINS, after));
            people.is_alone |= (is_speaker && is_among(ONLY, before))
                || (is_among(SOLO, word) && !is_among(NEGATIONS, before));
        }
        people
    }

    fn may_be(&self, count: u64) -> bool {
        let known = self.counted.saturating_add(self.named);
        if !self.totals.is_empty() {
            return self.totals.iter().any(|total| {
                // “Four people, two adults and two kids” are four; “the two of us and three kids” are five.
                let is_of_them = *total == known || *total == known.saturating_add(1);
                *total == count || (known > 0 && !is_of_them && total.saturating_add(known) == count)
            });
        }
        if known == 0 && !self.is_open {
            return self.is_alone && count == 1;
        }
        let with_speaker = known.saturating_add(1);
        if self.is_open {
            return false;
        }
        if self.is_joined {
            return count == with_speaker;
        }
        let may_add = self.has_speaker && (self.named > 0 || !self.has_adults);
        count == known || (may_add && count == with_speaker)
    }
}

/// Which of the tokens are numbers of something else: days, dates, ages, money, times.
fn uncounted(tokens: &[Token]) -> Vec<bool> {
    let mut is_other = vec![false; tokens.len()];
    let mut is_age = vec![false; tokens.len()];
    for (at, token) in tokens.iter().enumerate() {
        if token.count().is_none() {
            continue;
        }
        // Words beside it, over what stands between: “15. of June”, “a couple of days”, “5-year-old”.
        let beside = |back: bool| {
            let next = |at: usize| if back { at.checked_sub(1) } else { at.checked_add(1) };
            let mut place = next(at);
            while let Some(word) = place.and_then(|place| tokens.get(place)).map(Token::word) {
                if !is_among(BETWEEN, word) {
                    return word;
                }
                place = place.and_then(next);
            }
            ""
        };
        let (before, after) = (beside(true), beside(false));
        let is_month = |word: &str| month(word).is_some() || is_among(MONTHS, word);
        let is_years = is_among(YEARS, after) || is_among(AGES, before);
        let is_one = is_years
            || is_month(before)
            || is_month(after)
            || is_among(UNITS, after)
            || is_among(CURRENCIES, after)
            || is_among(CURRENCIES, before)
            || is_among(CLOCK, before);
        if let (Some(other), Some(age)) = (is_other.get_mut(at), is_age.get_mut(at)) {
            (*other, *age) = (is_one, is_years);
        }
    }
    // What is joined to a date, a length or an age is one, too: “June 15 to 22”, “3-4 nights”, “aged 4 and 7”.
    let numbers: Vec<usize> =
        (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(|token| token.count().is_some())).collect();
    let pairs = numbers.windows(2).filter_map(|pair| match pair {
        [one, other] => Some((*one, *other)),
        _ => None,
    });
    let pairs: Vec<(usize, usize)> = pairs.collect();
    for (one, other) in pairs.iter().chain(pairs.iter().rev()).copied() {
        let between = tokens.get(one + 1..other).unwrap_or_default();
        if between.is_empty() {
            continue;
        }
        let is_range = between.iter().all(|token| is_among(RANGES, token.word()));
        let is_list = between.iter().all(|token| is_among(JOINS, token.word()));
        let of = |list: &[bool], at: usize| list.get(at) == Some(&true);
        let (other_is, age_is) =
            (of(&is_other, one) || of(&is_other, other), of(&is_age, one) || of(&is_age, other));
        for at in [one, other] {
            if let Some(is) = is_age.get_mut(at) {
                *is |= (is_range || is_list) && age_is;
            }
            if let Some(is) = is_other.get_mut(at) {
                *is |= (is_range && other_is) || ((is_range || is_list) && age_is);
            }
        }
    }
    is_other
}

/// What a number counts, where it counts people: the place of the noun, over words that may stand between: “two of our small kids”.
fn noun_of(tokens: &[Token], at: usize) -> Option<usize> {
    const MOST: usize = 4;
    for place in (at + 1)..=(at + MOST) {
        let word = tokens.get(place)?.word();
        if [TOTALS, GROUPS, PEOPLE, PAIRS].iter().any(|nouns| is_among(nouns, word)) {
            return Some(place);
        }
        // Another number, a mark or a preposition begins something else.
        if tokens.get(place)?.count().is_some() || is_among(ENDS, word) {
            return None;
        }
    }
    None
}

/// Whether a number that stands alone is one of people: “a family of four”, “wir sind zu viert”, “4”.
fn is_bare(tokens: &[Token], at: usize) -> bool {
    let words: Vec<&str> = tokens.iter().map(Token::word).filter(|word| !is_among(MARKS, word)).collect();
    let after = tokens.get(at + 1).map_or("", Token::word);
    let is_last = after.is_empty() || is_among(ENDS, after) || is_among(FUNCTION, after);
    let mut before = at.checked_sub(1);
    while let Some(place) =
        before.filter(|place| is_among(ARTICLES, tokens.get(*place).map_or("", Token::word)))
    {
        before = place.checked_sub(1);
    }
    let lead = before.and_then(|place| tokens.get(place)).map_or("", Token::word);
    is_last && (words.len() <= 2 || is_among(LEADS, lead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_people_is_said_or_it_is_not() {
        use Says::{No, Unread, Yes};
        for (text, count, expected) in [
            // The trap of S4-18.
            ("Plan a week in Paris for my family", 4, No),
            ("for my family", 1, No),
            ("for my family", 3, No),
            ("my family and I", 4, No),
            ("7 days in June with my family", 7, No),
            ("from June 15 to 22 for my family", 15, No),
            ("from June 15 to 22 for my family", 22, No),
            ("15-22 June, my family", 15, No),
            ("vom 15. bis 22. Juni mit der Familie", 22, No),
            ("du 15 au 22 juin en famille", 15, No),
            ("2026-06-15 to 2026-06-22 with my family", 6, No),
            ("3 nights for us", 3, No),
            ("3 or 4 nights for us", 3, No),
            ("a couple of days with my kids", 2, No),
            ("my kids aged 4 and 7", 4, No),
            ("my kids are 4 and 7 years old", 7, No),
            ("my 5-year-old son", 5, No),
            ("meine Kinder sind 4 und 7 Jahre alt", 4, No),
            ("two rooms for my family", 2, No),
            ("dinner at 8 for my family", 8, No),
            ("$400 for my family", 400, No),
            ("my kids and I", 3, No),
            ("my kids and I", 1, No),
            ("a family of four", 4, Yes),
            ("4", 4, Yes),
            ("Just four.", 4, Yes),
            ("two adults and two children", 4, Yes),
            ("two adults and two children", 3, No),
            ("two adults and two children", 2, No),
            ("4 people, two adults and two kids", 4, Yes),
            ("4 people, two adults and two kids", 8, No),
            ("the two of us and three kids", 5, Yes),
            ("two adults and my kids aged 4 and 7", 4, No),
            ("two adults and two kids, 4 and 7 years old", 4, Yes),
            ("my wife and I", 2, Yes),
            ("my wife and I", 1, No),
            ("my parents and I", 3, Yes),
            ("my parents and I", 1, No),
            ("meine Eltern und ich", 3, Yes),
            ("me, my wife and our two kids", 4, Yes),
            ("me and 3 friends", 4, Yes),
            ("just me, I travel alone", 1, Yes),
            ("just me", 1, Yes),
            ("only me", 1, Yes),
            ("nur ich", 1, Yes),
            ("just me and my wife", 1, No),
            ("just me and my wife", 2, Yes),
            ("not alone", 1, No),
            ("we are a couple", 2, Yes),
            ("both of us", 2, Yes),
            ("4 people", 4, Yes),
            ("4 people in June for 7 days", 7, No),
            ("wir sind zu viert", 4, Yes),
            ("nous sommes trois", 3, Yes),
            ("zwei Erwachsene und ein Kind", 3, Yes),
            ("四人です", 4, Unread),
            ("nasza czwórka", 4, Unread),
        ] {
            assert_eq!(says_people(text, count), expected, "{text}: {count}");
        }
    }

    #[test]
    fn a_sum_is_said_or_it_is_not() {
        use Says::{No, Unread, Yes};
        for (text, amount, expected) in [
            ("about $5,000", 5_000.0, Yes),
            ("about $5,000", 500.0, No),
            ("about $5,000", 50.0, No),
            ("15000 in all", 5_000.0, No),
            ("5k for all of it", 5_000.0, Yes),
            ("1.5k", 1_500.0, Yes),
            ("2-3k", 2_000.0, Yes),
            ("between 2 and 3k", 3_000.0, Yes),
            ("5 thousand", 5_000.0, Yes),
            ("five thousand dollars", 5_000.0, Yes),
            ("five thousand dollars", 500.0, No),
            ("twenty-five hundred", 2_500.0, Yes),
            ("a few thousand", 1_000.0, No),
            ("a thousand", 1_000.0, Yes),
            ("zweitausendfünfhundert Euro", 2_500.0, Yes),
            ("deux mille euros", 2_000.0, Yes),
            ("not too expensive", 3_000.0, No),
            ("1.250 €", 1_250.0, Yes),
            ("1.250,50 €", 1_250.5, Yes),
            ("1 250 €", 1_250.0, Yes),
            ("1 250 €", 250.0, No),
            ("49.90", 49.9, Yes),
            ("under 400", 500.0, No),
            ("June 15 to 22", 1_522.0, No),
            ("nie za drogo", 3_000.0, Unread),
            ("五千ドル", 5_000.0, Unread),
        ] {
            let sum = Money::of(amount, "USD").unwrap();
            assert_eq!(says_sum(text, &sum), expected, "{text}: {amount}");
        }
    }

    #[test]
    fn no_text_stops_it() {
        let long = "1 ".repeat(5_000) + &"9".repeat(5_000) + "k million thousand hundred and to - 4";
        for text in ["", "-", "k", "999999999999999999999999999999999999999999k", &*long, "1.2.3,4,5'6:7/8"] {
            says_people(text, 4);
            says_sum(text, &Money::of(5.0, "KWD").unwrap());
        }
    }
}
