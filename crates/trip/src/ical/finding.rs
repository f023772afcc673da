//! Where the events of a calendar take place: names of a file become places of the atlas, within bounds. Each search reads all names that
//! there are, and a file may have any number of names.

use std::collections::BTreeMap;

use crate::args::PlaceArg;
use crate::atlas::Atlas;
use crate::model::{Kind, Place};

/// The most searches of one import, which take some 10 ms each. What is beyond stays as the file has it.
const MAX_SEARCHES: usize = 120;

/// So many parts of a line are looked up: a street, a city, a country.
const MAX_PARTS: usize = 3;

/// Finds places for one import, each name once.
pub(super) struct Finder<'a> {
    atlas: &'a dyn Atlas,
    /// Where the trip is.
    near: Option<(f64, f64)>,
    /// What names came to, by name and whether it was for a flight.
    known: BTreeMap<(String, bool), Option<Place>>,
    searches: usize,
}

impl<'a> Finder<'a> {
    pub fn new(atlas: &'a dyn Atlas, near: Option<(f64, f64)>) -> Self {
        Self { atlas, near, known: BTreeMap::new(), searches: 0 }
    }

    /// Whether there were more names than are searched for.
    pub fn is_exhausted(&self) -> bool {
        self.searches > MAX_SEARCHES
    }

    /// A place of a file with its city, country and zone where those can be told. Its name stays as the file has it.
    pub fn place(&mut self, place: Place, kind: Kind) -> Place {
        let near = self.near.filter(|_| kind != Kind::Flight);
        if place.spot().is_some() {
            return PlaceArg::Known(place).resolve(self.atlas, near);
        }
        let found = match kind {
            // Letters are an airport's where one flies. “BAR” is a bar.
            Kind::Flight => self.airport(&place.name).or_else(|| self.city(&place.name, true)),
            Kind::Transfer => self.city(&place.name, false).or_else(|| self.airport(&place.name)),
            _ => self.city(&place.name, false),
        };
        match found {
            Some(found) => Place { name: place.name, ..found },
            None => place,
        }
    }

    /// The airport whose letters are the whole text, the last word or in parentheses: “BER”, “Berlin BER”, “Frankfurt (FRA) Terminal 1”.
    fn airport(&self, name: &str) -> Option<Place> {
        let is_code = |word: &&str| word.len() == 3 && word.bytes().all(|letter| letter.is_ascii_uppercase());
        let inner =
            name.split('(').skip(1).filter_map(|rest| rest.split_once(')')).map(|(inner, _)| inner.trim());
        let last = name.split_whitespace().next_back();
        // A title in capitals has no codes: “THE BIG BAR”.
        let last = last.filter(|last| name.trim() == *last || name.chars().any(char::is_lowercase));
        inner
            .filter(is_code)
            .take(MAX_PARTS)
            .chain(last.filter(|last| is_code(last)))
            .find_map(|code| self.atlas.airport(code))
    }

    /// What the whole line means, or the city that is in it: “31 Rue de la Folie Méricourt, 75011 Paris, France”.
    fn city(&mut self, name: &str, is_flight: bool) -> Option<Place> {
        if let Some(whole) = self.find(name, is_flight) {
            return Some(whole);
        }
        let parts: Vec<&str> = name
            .split([',', '('])
            .map(|part| part.trim_matches(|letter: char| !letter.is_alphabetic()))
            .filter(|part| part.chars().nth(2).is_some() && *part != name)
            .collect();
        // A city is behind the name and the street; there are towns called England and Italy.
        let (country, parts) = match parts.split_last() {
            Some((last, before)) if !before.is_empty() && self.atlas.is_country(last) => {
                (Some(*last), before)
            }
            _ => (None, &*parts),
        };
        let city = parts.iter().rev().take(MAX_PARTS).find_map(|part| {
            let found = match country {
                Some(country) => self.find(&format!("{part}, {country}"), is_flight),
                None => self.find(part, is_flight),
            };
            found.filter(|found| found.name == found.city)
        });
        // The city's middle is not where it is.
        city.map(|city| Place { lat: None, lon: None, ..city })
    }

    fn find(&mut self, name: &str, is_flight: bool) -> Option<Place> {
        let key = (name.to_owned(), is_flight);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.searches += 1;
        if self.is_exhausted() {
            return None;
        }
        let near = self.near.filter(|_| !is_flight);
        let found = self.atlas.find(name, near, 1).into_iter().next();
        self.known.insert(key, found.clone());
        found
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// An atlas that knows nothing and counts what it is asked.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Atlas for Counting {
        fn airport(&self, _: &str) -> Option<Place> {
            None
        }

        fn find(&self, name: &str, _: Option<(f64, f64)>, _: usize) -> Vec<Place> {
            self.0.fetch_add(1, Ordering::Relaxed);
            if name == "Paris" { vec![Place { city: name.into(), ..Place::named(name) }] } else { Vec::new() }
        }

        fn at(&self, _: f64, _: f64) -> Option<Place> {
            None
        }

        fn has_zone(&self, _: &str) -> Option<bool> {
            None
        }
    }

    #[test]
    fn a_name_is_looked_up_once_and_not_in_all_its_parts() {
        let atlas = Counting::default();
        let mut finder = Finder::new(&atlas, None);
        let line = format!("{}Paris, France", "Rue, ".repeat(30));
        for _ in 0..50 {
            let found = finder.place(Place::named(&*line), Kind::Activity);
            assert_eq!((&*found.city, &*found.name), ("Paris", &*line));
        }
        // The whole, and of its last three parts until one is found.
        assert_eq!(atlas.0.load(Ordering::Relaxed), 3);
        for number in 0..10_000 {
            finder.place(Place::named(format!("Nowhere {number}, at all, never")), Kind::Activity);
        }
        assert!(finder.is_exhausted());
        assert_eq!(atlas.0.load(Ordering::Relaxed), MAX_SEARCHES);
    }
}
