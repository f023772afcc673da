//! The words with a meaning of their own: numbers, days and units. English and German; what another
//! language says in words is no claim, but for its dates.

use dates::{languages, names};

use super::lex::Token;

/// What is counted or measured by a word after a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unit {
    /// A share.
    Percent,
    /// An amount of money.
    Money,
    /// A length of time; the factor makes seconds of it.
    Seconds(f64),
    /// A length of time in whole days; the factor makes days of it.
    Days(f64),
    /// An amount of data; the sources count bytes.
    Bytes,
    /// Degrees of Fahrenheit, which sources seldom have.
    Fahrenheit,
    /// Millions of pixels, which are a product.
    Megapixels,
    /// Anything else that is measured.
    Other,
}

/// The unit a word after a number names (lower case).
pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "%" | "percent" | "prozent" | "percentage" | "pct" => Unit::Percent,
        "€" | "$" | "£" | "¥" | "eur" | "usd" | "gbp" | "chf" | "jpy" | "euro" | "euros" | "dollar"
        | "dollars" | "pounds" | "franken" | "cent" | "cents" | "cad" | "aud" | "nzd" | "sek" | "nok"
        | "dkk" | "pln" | "czk" | "huf" | "inr" | "cny" | "brl" | "kr" | "zł" => Unit::Money,
        "ms" => Unit::Seconds(0.001),
        "s" | "sec" | "secs" | "second" | "seconds" | "sekunde" | "sekunden" => Unit::Seconds(1.0),
        "min" | "mins" | "minute" | "minutes" | "minuten" => Unit::Seconds(60.0),
        "h" | "hr" | "hrs" | "hour" | "hours" | "stunde" | "stunden" => Unit::Seconds(3600.0),
        "day" | "days" | "night" | "nights" | "tag" | "tage" | "tagen" | "nacht" | "nächte" | "nächten" => {
            Unit::Days(1.0)
        }
        "week" | "weeks" | "woche" | "wochen" => Unit::Days(7.0),
        "month" | "months" | "monat" | "monate" | "monaten" => Unit::Days(30.44),
        "year" | "years" | "jahr" | "jahre" | "jahren" => Unit::Days(365.25),
        "b" | "bytes" | "kb" | "mb" | "gb" | "tb" | "kib" | "mib" | "gib" => Unit::Bytes,
        "°f" | "fahrenheit" => Unit::Fahrenheit,
        "mp" | "megapixel" | "megapixels" => Unit::Megapixels,
        "°" | "°c" | "degree" | "degrees" | "grad" | "celsius" | "km" | "m" | "cm" | "mm" | "mi" | "mile"
        | "miles" | "kilometre" | "kilometres" | "kilometer" | "kilometers" | "metre" | "metres"
        | "meter" | "meters" | "ft" | "feet" | "inch" | "inches" | "kg" | "g" | "gram" | "grams" | "kilo"
        | "l" | "ml" | "litre" | "litres" | "liter" | "liters" | "kwh" | "kw" | "w" | "px" | "pixel"
        | "pixels" | "km/h" | "mph" | "hpa" => Unit::Other,
        _ => return None,
    })
}

/// A number in words (lower case). One is left out: "one" is too often no number.
pub(super) fn spelled(word: &str) -> Option<u32> {
    if let Some(number) = names::spelled(word) {
        return u32::try_from(number).ok().filter(|number| *number > 1);
    }
    Some(match word {
        "zwei" | "both" | "beide" | "beiden" => 2,
        "drei" => 3,
        "vier" => 4,
        "fünf" => 5,
        "sechs" => 6,
        "sieben" => 7,
        "acht" => 8,
        "neun" => 9,
        "zehn" => 10,
        "elf" => 11,
        "zwölf" => 12,
        "thirteen" | "dreizehn" => 13,
        "fourteen" | "vierzehn" => 14,
        "fifteen" | "fünfzehn" => 15,
        "sixteen" | "sechzehn" => 16,
        "seventeen" => 17,
        "eighteen" => 18,
        "nineteen" => 19,
        "twenty" | "zwanzig" => 20,
        "thirty" | "dreißig" => 30,
        "forty" => 40,
        "fifty" => 50,
        "sixty" => 60,
        "seventy" => 70,
        "eighty" => 80,
        "ninety" => 90,
        _ => return None,
    })
}

/// A number in words at a place, and where it ends: "twenty-one" is one number. None for "twenty-first", which is
/// a place in a row.
pub(super) fn spelled_at(tokens: &[Token<'_>], at: usize) -> Option<(u32, usize)> {
    let word = |at: usize| tokens.get(at).map(|token| token.text.to_lowercase()).unwrap_or_default();
    let tens = spelled(&word(at))?;
    let joined = tokens.get(at + 1).is_some_and(|dash| dash.text == "-" && dash.start == tokens[at].end);
    if !(joined && (20..=90).contains(&tens)) {
        return Some((tens, at + 1));
    }
    match word(at + 2).as_str() {
        "one" => Some((tens + 1, at + 3)),
        ordinal if names::spelled_ordinal(ordinal).is_some_and(|place| place < 10) => None,
        more => {
            Some(spelled(more).filter(|more| *more < 10).map_or((tens, at + 1), |more| (tens + more, at + 3)))
        }
    }
}

/// The weekday a word names, 0 for Monday, and whether it is its whole name (lower case).
pub(super) fn weekday(word: &str) -> Option<(i8, bool)> {
    languages::weekday(word).map(|(day, whole)| (day.to_monday_zero_offset(), whole))
}

/// The days from today that a word names (lower case).
pub(super) fn relative(word: &str) -> Option<i64> {
    Some(match word {
        "today" | "tonight" | "heute" => 0,
        "tomorrow" => 1,
        "yesterday" | "gestern" => -1,
        "übermorgen" => 2,
        "vorgestern" => -2,
        _ => return None,
    })
}
