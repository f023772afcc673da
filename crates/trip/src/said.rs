//! Whether words say a number of people or a sum: a profile keeps only what was said (D-20). The trap of S4-18 is a model that makes
//! “for my family” four travellers.
//!
//! Words in scripts other than Latin are not read here: they are taken with less confidence ([`UNREAD`]).

use dates::names::month;

use crate::money::{Money, digits};

/// The most confidence in what was taken from words that nobody here can read.
pub(crate) const UNREAD: f64 = 0.7;

/// Numbers as they are written in languages with Latin letters, by their value from 1 on.
const NUMBERS: [&str; 12] = [
    "one solo alone myself allein alleine seul seule",
    "two zwei deux dos dois duas due twee couple pair both paar zweit",
    "three drei trois tres tre três drie dritt",
    "four vier quatre cuatro quattro quatro viert",
    "five fünf cinq cinco cinque vijf",
    "six sechs seis sei zes",
    "seven sieben siete sette sete zeven",
    "eight acht huit ocho otto oito",
    "nine neun neuf nueve nove negen",
    "ten zehn dix diez dieci dez tien",
    "eleven elf onze once undici",
    "twelve zwölf douze doce dodici doze twaalf",
];

/// What a number before it counts that is no people.
const UNITS: &str = "day days night nights week weeks month months year years hour hours am pm star stars k usd eur gbp dollar dollars euro \
     euros pounds yen tag tage tagen nacht nächte nächten woche wochen monat monate jahr jahre uhr sterne jour jours nuit nuits semaine \
     semaines mois día días noche noches semana semanas mes meses";

/// One person each.
const PEOPLE: &str = "wife husband partner girlfriend boyfriend mother father mum mom dad son daughter sister brother friend grandmother \
     grandfather frau mann freundin freund mutter vater sohn tochter schwester bruder femme mari";

/// The one who speaks.
const SPEAKER: &str = "i me my myself ich mich mein meine meiner meinem moi je";

fn is_among(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// The words of a text, in small letters.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let parts = lower.split(|letter: char| !letter.is_alphanumeric() && !"$€£¥".contains(letter));
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Whether a text has letters that are read here.
pub(crate) fn is_read(text: &str) -> bool {
    // Latin and its extensions end before U+0250; the additional ones are Vietnamese.
    let is_latin = |letter: char| letter < '\u{250}' || ('\u{1E00}'..='\u{1EFF}').contains(&letter);
    text.chars().filter(|letter| letter.is_alphabetic()).all(is_latin)
}

fn number(word: &str) -> Option<u64> {
    if let Ok(number) = word.parse() {
        return Some(number);
    }
    let at = NUMBERS.iter().position(|names| is_among(names, word))?;
    u64::try_from(at + 1).ok()
}

/// Whether a text says that so many people travel: as a number, as a sum of numbers, or by naming them.
pub(crate) fn says_people(text: &str, count: u32) -> bool {
    if !is_read(text) {
        return true;
    }
    let words = words(text);
    let mut numbers: Vec<u64> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let beside = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |word| word.as_str());
        let (before, after) = (beside(at.checked_sub(1)), beside(Some(at + 1)));
        let is_date = month(before).is_some() || month(after).is_some();
        if let Some(number) = number(word)
            && !is_date
            && !is_among(UNITS, after)
        {
            numbers.push(number);
        }
    }
    let named = words.iter().filter(|word| is_among(PEOPLE, word)).count() as u64;
    let speaker = u64::from(words.iter().any(|word| is_among(SPEAKER, word)));
    let sum = numbers.iter().fold(0_u64, |sum, number| sum.saturating_add(*number));
    let count = u64::from(count);
    if numbers.is_empty() && named == 0 {
        return false;
    }
    let together = sum.saturating_add(named);
    numbers.contains(&count) || [sum, together, together.saturating_add(speaker)].contains(&count)
}

/// Whether a text says a sum: it has its leading digits, or a number in words.
pub(crate) fn says_sum(text: &str, sum: &Money) -> bool {
    if !is_read(text) {
        return true;
    }
    let said: String = text.chars().filter(char::is_ascii_digit).collect();
    if said.is_empty() {
        return words(text).iter().any(|word| {
            number(word).is_some()
                || is_among("hundred thousand million hundert tausend cent mille mil cien", word)
        });
    }
    let whole = sum.minor / 10_i64.pow(digits(&sum.currency));
    let leading = whole.to_string().trim_end_matches('0').to_owned();
    said.contains(&leading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_people_is_said_or_it_is_not() {
        for (text, count, expected) in [
            // The trap of S4-18.
            ("Plan a week in Paris for my family", 4, false),
            ("for my family", 1, false),
            ("for my family", 3, false),
            ("7 days in June with my family", 7, false),
            ("from June 15 to 22 for my family", 15, false),
            ("3 nights for us", 3, false),
            ("a family of four", 4, true),
            ("two adults and two children", 4, true),
            ("two adults and two children", 3, false),
            ("my wife and I", 2, true),
            ("me, my wife and our two kids", 4, true),
            ("just me, I travel alone", 1, true),
            ("we are a couple", 2, true),
            ("4 people", 4, true),
            ("wir sind zu viert", 4, true),
            ("nous sommes trois", 3, true),
            ("四人です", 4, true),
        ] {
            assert_eq!(says_people(text, count), expected, "{text}: {count}");
        }
    }

    #[test]
    fn a_sum_is_said_or_it_is_not() {
        for (text, amount, expected) in [
            ("about $5,000", 5_000.0, true),
            ("5k for all of it", 5_000.0, true),
            ("five thousand dollars", 5_000.0, true),
            ("not too expensive", 3_000.0, false),
            ("1.250 €", 1_250.0, true),
            ("under 400", 500.0, false),
        ] {
            let sum = Money::of(amount, "USD").unwrap();
            assert_eq!(says_sum(text, &sum), expected, "{text}");
        }
    }
}
