//! Money and people as a person says them: what is not said is not made up (D-20). “3000” has no currency, “3000 per person” is no total,
//! and “my family” is no number.

use std::ops::Range;

use dates::names::number;

use crate::lex::{Kind, Token, starts};

/// A sum that was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    /// In major units.
    pub amount: f64,
    /// Three letters of ISO 4217, where they were said.
    pub currency: Option<&'static str>,
    /// It is for each person, night or day, and not for all of it.
    pub is_each: bool,
}

/// Words and signs of currencies.
const CURRENCIES: [(&str, &str); 20] = [
    ("EUR", "€ euro euros eur"),
    ("USD", "$ dollar dollars usd us$ bucks"),
    ("GBP", "£ pound pounds gbp quid"),
    ("JPY", "¥ yen jpy"),
    ("CHF", "franc francs chf"),
    ("SEK", "sek"),
    ("NOK", "nok"),
    ("DKK", "dkk"),
    ("PLN", "pln zloty zlotys"),
    ("CZK", "czk koruna"),
    ("HUF", "huf forint forints"),
    ("CAD", "cad"),
    ("AUD", "aud"),
    ("NZD", "nzd"),
    ("CNY", "cny yuan renminbi"),
    ("INR", "inr rupee rupees ₹"),
    ("TRY", "lira liras"),
    ("MXN", "mxn"),
    ("BRL", "brl real reais"),
    ("ZAR", "zar rand"),
];

/// The currency that a word or a sign names.
pub fn currency(word: &str) -> Option<&'static str> {
    let is_it = |(_, words): &&(&str, &str)| words.split(' ').any(|known| known == word);
    CURRENCIES.iter().find(is_it).map(|(code, _)| *code)
}

/// A number with its signs: `3,000`, `€3.000`, `5k`, `1250.50`.
fn amount(word: &str) -> Option<(f64, Option<&'static str>)> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let from = word.find(is_digit)?;
    let to = word.rfind(is_digit)? + 1;
    let (before, digits, behind) = (word.get(..from)?, word.get(from..to)?, word.get(to..)?);
    let (thousands, behind) = match behind.strip_prefix('k') {
        Some(rest) => (1_000.0, rest),
        None => (1.0, behind),
    };
    let money = match (before, behind) {
        ("", "") => None,
        (sign, "") | ("", sign) => Some(currency(sign)?),
        _ => return None,
    };
    // The last sign is a decimal point where one or two digits stand behind it.
    let plain = match digits.rfind([',', '.']) {
        Some(at) if digits.len() - at <= 3 => {
            let whole: String = digits.get(..at)?.chars().filter(|letter| is_digit(*letter)).collect();
            format!("{whole}.{}", digits.get(at + 1..)?)
        }
        _ => digits.replace([',', '.', '\''], ""),
    };
    plain.chars().all(|letter| is_digit(letter) || letter == '.').then_some(())?;
    Some((order::decimal(&plain)? * thousands, money))
}

/// The first sum among words, and where it stands. `is_bare` takes a number without a currency as well.
pub fn sum(words: &[Token], is_bare: bool) -> Option<(Range<usize>, Sum)> {
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.kind == Kind::Word) {
        let Some((mut found, mut money)) = amount(&word.lower) else { continue };
        let (mut from, mut to) = (at, at + 1);
        if words.get(to).is_some_and(|next| next.is("thousand")) {
            (found, to) = (found * 1_000.0, to + 1);
        }
        let named = |word: Option<&Token>| {
            word.filter(|word| word.kind == Kind::Word).and_then(|word| currency(&word.lower))
        };
        if money.is_none()
            && let Some(code) = named(words.get(to))
        {
            (money, to) = (Some(code), to + 1);
        } else if money.is_none()
            && let Some(code) = named(at.checked_sub(1).and_then(|before| words.get(before)))
        {
            (money, from) = (Some(code), at - 1);
        }
        if money.is_none() && !is_bare {
            continue;
        }
        let each =
            starts(&words[to..], "per|a|each|every person|head|night|day|traveller|traveler|adult|week")
                .or_else(|| starts(&words[to..], "each|pp|apiece|p.p"));
        to += each.unwrap_or(0);
        return Some((from..to, Sum { amount: found, currency: money, is_each: each.is_some() }));
    }
    None
}

/// How many travel, as far as it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People {
    /// How many.
    pub count: i64,
    /// Which of adult, child and infant are among them, where that was said.
    pub kinds: Vec<&'static str>,
}

/// Nouns of people: each with the kind it says.
const ONE: [(&str, &str); 4] = [
    ("adult", "adult adults grown-up grown-ups"),
    ("child", "child children kid kids"),
    ("infant", "infant infants baby babies toddler toddlers"),
    (
        "",
        "wife husband partner girlfriend boyfriend mother father mum mom dad son daughter sister brother friend friends sons daughters \
         sisters brothers grandmother grandfather grandma grandpa colleague colleagues cousin cousins aunt uncle",
    ),
];

/// Nouns of several of whom nobody knows how many they are.
const OPEN: &str = "family kids children friends babies infants adults sons daughters sisters brothers colleagues cousins group";

/// Nouns of all of them.
const ALL: &str = "people persons person travellers travelers traveller traveler guests us pax";

/// The kind that a noun of people says; empty where it says none.
pub fn kind_of(word: &str) -> Option<&'static str> {
    ONE.iter().find(|(_, words)| words.split(' ').any(|known| known == word)).map(|(kind, _)| *kind)
}

/// Whether a word is one for people.
pub fn is_people(word: &str) -> bool {
    let is = |table: &str| table.split(' ').any(|known| known == word);
    kind_of(word).is_some() || is(OPEN) || is(ALL) || is("parents alone solo myself me")
}

/// How many people the words say; none where they say nothing, or only “my family”.
pub fn people(words: &[Token]) -> Option<People> {
    let words: Vec<&Token> = words.iter().filter(|word| word.kind == Kind::Word).collect();
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let is = |word: &str, table: &str| table.split(' ').any(|known| known == word);
    if words.iter().any(|word| is(&word.lower, "alone solo myself"))
        || (0..words.len()).any(|at| is(lower(at), "just only") && is(lower(at + 1), "me i"))
    {
        let is_alone = !words.iter().any(|word| is(&word.lower, "and with not"));
        return is_alone.then(|| People { count: 1, kinds: Vec::new() });
    }
    // “With my wife” is she and whoever says it.
    let (mut count, mut kinds, mut has_speaker, mut named) = (0, Vec::new(), is(lower(0), "with"), false);
    for at in 0..words.len() {
        let word = lower(at);
        has_speaker |= is(word, "i me");
        // The number before a noun, over a word or two: “two small kids”.
        let before = (1..=3).filter_map(|back| at.checked_sub(back)).find_map(|place| {
            let counts = number(lower(place)).filter(|_| place + 1 == at || !is(lower(place), "a an"));
            counts.map(|count| (place, count))
        });
        let is_age = before.is_some_and(|(place, _)| place > 0 && is(lower(place - 1), "of aged age"));
        let before = before.map(|(_, count)| count).filter(|_| !is_age);
        if is(word, ALL) {
            if let Some(total) = before {
                return Some(People { count: total, kinds });
            }
            continue;
        }
        if word == "parents" {
            (count, named) = (count + 2, true);
            continue;
        }
        if let Some(kind) = kind_of(word) {
            match before {
                Some(more) => count += more,
                None if is(word, OPEN) => return None,
                None => count += 1,
            }
            named |= kind.is_empty();
            if !kind.is_empty() && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        } else if word == "family" {
            // “A family of four” says it, “my family” does not.
            let of = number(lower(at + 2)).filter(|_| lower(at + 1) == "of");
            return of.map(|count| People { count, kinds });
        }
    }
    if count > 0 {
        let is_joined = has_speaker
            && (named || kinds != ["adult"])
            && words.iter().any(|word| is(&word.lower, "and with"));
        return Some(People { count: count + i64::from(is_joined), kinds });
    }
    // “For two”, “we are four”, “4”.
    let bare = |at: usize| number(lower(at)).filter(|count| *count > 0 && !is(lower(at), "a an"));
    let leads = |at: usize| at == 0 || is(lower(at - 1), "for we're are us be");
    let is_last =
        |at: usize| at + 1 == words.len() || is(lower(at + 1), "and in on from to with travelling traveling");
    let found = (0..words.len())
        .find_map(|at| bare(at).filter(|_| leads(at) && is_last(at) && (at > 0 || words.len() == 1)));
    found.map(|count| People { count, kinds: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::lex;

    #[test]
    fn sums_are_what_was_said() {
        for (said, expected) in [
            ("3000 euros", "3000 EUR"),
            ("€3,000", "3000 EUR"),
            ("3.000 €", "3000 EUR"),
            ("$1250.50", "1250.5 USD"),
            ("5k dollars", "5000 USD"),
            ("EUR 900", "900 EUR"),
            ("3000", "3000"),
            ("3000 euros per person", "3000 EUR each"),
            ("150 pounds a night", "150 GBP each"),
            ("300000 yen", "300000 JPY"),
            ("a lot", ""),
        ] {
            let found = sum(&lex(said), true).map(|(_, sum)| {
                let each = sum.is_each.then(|| "each".to_owned());
                let parts = [Some(sum.amount.to_string()), sum.currency.map(str::to_owned), each];
                parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
            });
            assert_eq!(found.unwrap_or_default(), expected, "{said}");
        }
    }

    #[test]
    fn people_are_counted_where_they_are_said() {
        for (said, expected) in [
            ("two adults and a child of 4", "3 adult child"),
            ("2 adults, 2 kids", "4 adult child"),
            ("for my family", ""),
            ("with my kids", ""),
            ("a family of four", "4"),
            ("my wife and I", "2"),
            ("me and my two kids", "3 child"),
            ("just me", "1"),
            ("with my wife", "2"),
            ("with my two kids", "3 child"),
            ("we are four", "4"),
            ("4 people", "4"),
            ("three of us", "3"),
            ("for two", "2"),
            ("4", "4"),
            ("a week in Paris", ""),
            ("from 15 to 22 June", ""),
            ("two adults and my kids aged 4 and 7", ""),
            ("my kids aged 4 and 7", ""),
        ] {
            let found = people(&lex(said)).map(|people| {
                let mut parts = vec![people.count.to_string()];
                parts.extend(people.kinds.iter().map(ToString::to_string));
                parts.join(" ")
            });
            assert_eq!(found.unwrap_or_default(), expected, "{said}");
        }
    }
}
