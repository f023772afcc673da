//! Search for airports by what people write: a code, a city, a name.

use super::cities::{city_code, city_named};
use super::{Airport, AirportSize, Airports};
use crate::fold::{fold, folded};

/// Words that say nothing where others stand beside them.
const IDLE: [&str; 3] = ["airport", "aerodrome", "airfield"];

/// So many words are looked for: no name has more that tell it from others.
const MOST_WORDS: usize = 12;

/// The ranks that airports are listed by: flights or none, whose city it is or not, three sizes, "International" or not.
const RANKS: usize = 24;

/// How an airport has what is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    /// Its city is it, or one of its other names.
    City,
    /// All words are in its name, city and other names.
    Words,
    /// The last word begins one there.
    Begin,
}

impl Airports {
    /// The airports of a code, a city or a name: "CDG", "PAR", "Paris", "heathrow", "Paris Orly airport". Capital letters, marks and
    /// hyphens do not matter.
    ///
    /// First the airport of that code, then those of a city's code or name in their order, then the others that have all the words. What
    /// is not all in capitals is a name before it is a code: "Pau" is the airport of Pau before it is PAU, in Myanmar.
    /// Where there is none, those where the last word begins one, from three letters on ("heath"). Among them come those with flights
    /// first, then those whose city it is, then the larger, then those that are called international. All are listed, which are
    /// hundreds for "international"; it takes 4 ms natively. City names in other languages are few: [`crate::Places::find`] knows
    /// more, and [`Airports::near`] leads on.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Airport<'_>> {
        let text = text.trim();
        let wanted = words(text);
        let mut found: Vec<usize> = Vec::new();
        let add = |found: &mut Vec<usize>, index: usize| {
            if !found.contains(&index) {
                found.push(index);
            }
        };
        let of_code = self.pack.index_of(text);
        let is_capitals = text.bytes().all(|letter| letter.is_ascii_uppercase());
        // What is a city's code as well is a code, and no name.
        found.extend(of_code.filter(|_| is_capitals || city_code(text).is_some()));
        let joined = wanted.join(" ");
        let city = city_code(text).or_else(|| city_named(&joined));
        for code in city.into_iter().flat_map(|city| city.airports) {
            if let Some(index) = self.pack.index_of(code) {
                add(&mut found, index);
            }
        }
        if !wanted.is_empty() {
            // Lists by rank and no sort: there are few ranks.
            let mut ranked = [const { Vec::new() }; RANKS];
            let mut begin = [const { Vec::new() }; RANKS];
            let mut cities = [const { Vec::new() }; RANKS];
            for index in 0..self.len() {
                let Some(airport) = self.airport(index) else { continue };
                let Some(how) = self.matches(index, &airport, &wanted, &joined) else { continue };
                let lists = match how {
                    Match::Begin => &mut begin,
                    // Only what one flies to takes the place of a code.
                    Match::City if of_code.is_some() && !is_capitals && airport.has_flights => &mut cities,
                    Match::City | Match::Words => &mut ranked,
                };
                let list = lists.get_mut(rank(&airport, how == Match::City));
                if let Some(list) = list {
                    list.push(index);
                }
            }
            cities.iter().flatten().for_each(|index| add(&mut found, *index));
            of_code.into_iter().for_each(|index| add(&mut found, index));
            ranked.iter().flatten().for_each(|index| add(&mut found, *index));
            if found.is_empty() {
                found.extend(begin.iter().flatten());
            }
        }
        found.into_iter().filter_map(|index| self.airport(index)).collect()
    }

    /// How an airport has the wanted words, which are folded.
    fn matches(&self, index: usize, airport: &Airport<'_>, wanted: &[String], joined: &str) -> Option<Match> {
        let others = &self.pack.others;
        let at = others.binary_search_by_key(&index, |(of, _)| *of as usize).ok();
        let others = at.and_then(|at| others.get(at)).map_or("", |(_, names)| names);
        let cities = airport.city.split(['/', ',']).chain(others.split(','));
        if cities.into_iter().any(|city| is_alike(city.trim(), joined)) {
            return Some(Match::City);
        }
        let is_word = |wanted: &String, is_begin: bool| {
            [airport.name, airport.city, others].into_iter().any(|text| has_word(text, wanted, is_begin))
        };
        let (last, before) = wanted.split_last()?;
        if !before.iter().all(|wanted| is_word(wanted, false)) {
            return None;
        }
        if is_word(last, false) {
            return Some(Match::Words);
        }
        (last.chars().nth(2).is_some() && is_word(last, true)).then_some(Match::Begin)
    }
}

/// The words of what is looked for, folded. Those that say nothing are left out where others stay.
fn words(text: &str) -> Vec<String> {
    let text = fold(text);
    let all = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let telling = all.filter(|word| !IDLE.contains(word)).take(MOST_WORDS);
    telling.map(|word| if word == "intl" { "international".to_owned() } else { word.to_owned() }).collect()
}

/// Whether a text is another one, which is folded and has one space between words.
fn is_alike(text: &str, joined: &str) -> bool {
    !text.is_empty() && folded(text).eq(joined.chars())
}

/// Whether a word is in a text, or begins one there. Nothing is allocated: every name there is is read.
fn has_word(text: &str, wanted: &str, is_begin: bool) -> bool {
    let mut letters = folded(text).peekable();
    while letters.peek().is_some() {
        let mut rest = wanted.chars().peekable();
        let mut is_so = true;
        while let Some(letter) = letters.next_if(|letter| letter.is_alphanumeric()) {
            match rest.next() {
                Some(next) => is_so &= next == letter,
                None => is_so &= is_begin,
            }
        }
        if is_so && rest.peek().is_none() {
            return true;
        }
        while letters.next_if(|letter| !letter.is_alphanumeric()).is_some() {}
    }
    false
}

/// The rank of an airport among equals: 0 is the first.
fn rank(airport: &Airport<'_>, is_its_city: bool) -> usize {
    let size = match airport.size {
        AirportSize::Large => 0,
        AirportSize::Medium => 1,
        AirportSize::Small => 2,
    };
    let is_other = usize::from(!airport.has_flights) * 2 + usize::from(!is_its_city);
    is_other * 6 + size * 2 + usize::from(!airport.name.contains("International"))
}
