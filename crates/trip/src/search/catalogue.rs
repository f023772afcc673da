//! The demo catalogue's data: 23 cities with airports, hotels, sights and notes. Hotels outside of Paris, all prices and all times are
//! invented; sights and airports are real, their hours as they were when this was written.
//!
//! `data/demo.txt` has a line for each thing: its first letter says what it is, `|` is between fields.

use std::sync::LazyLock;

use crate::atlas::{Atlas, kilometres};
use crate::model::{Mode, Place};
use crate::tables;

/// A city of the catalogue.
#[derive(Debug, Default)]
pub(super) struct City {
    pub name: &'static str,
    pub country: &'static str,
    pub zone: &'static str,
    pub spot: (f64, f64),
    pub airports: Vec<Airport>,
    pub hotels: Vec<Hotel>,
    pub sights: Vec<Sight>,
    pub notes: Vec<&'static str>,
}

/// An airport, and ways between it and the middle of its city.
#[derive(Debug)]
pub(super) struct Airport {
    pub code: &'static str,
    pub name: &'static str,
    pub spot: (f64, f64),
    /// How, how many minutes, and dollars: for one person, a taxi's for all.
    pub ways: Vec<(Mode, u32, u32)>,
}

/// A hotel.
#[derive(Debug)]
pub(super) struct Hotel {
    pub name: &'static str,
    pub spot: (f64, f64),
    /// Dollars for a week of June in one room.
    pub week: u32,
    pub sleeps: u32,
    pub style: &'static str,
    /// Letters of [`PROS`] and [`CONS`].
    pub pros: &'static str,
    pub cons: &'static str,
    pub why: &'static str,
}

/// Something to see or to do.
#[derive(Debug)]
pub(super) struct Sight {
    pub name: &'static str,
    pub spot: (f64, f64),
    pub opening: &'static str,
    pub minutes: u32,
    /// Dollars for one person.
    pub price: u32,
    pub style: &'static str,
}

/// What speaks for a hotel, by letters.
pub(super) const PROS: &str = "a at the train to the airport|b breakfast included|c in the centre|d designed with care|f family rooms\
|g garden or terrace|k kitchen|m metro at the door|p pool|q quiet|r good restaurants around|s close to the sights|v a view|w large rooms\
|y bicycles to borrow";

/// What speaks against one, by letters.
pub(super) const CONS: &str = "A no air conditioning|B breakfast costs extra|D reception closes at 22:00|E crowded by day\
|F far from the centre|L no lift|N noisy at night|P no parking|S small rooms|U a steep way up";

/// The words of letters.
pub(super) fn words(table: &str, letters: &str) -> Vec<String> {
    let word =
        |letter: char| table.split('|').find_map(|entry| entry.strip_prefix(letter)?.strip_prefix(' '));
    letters.chars().filter_map(word).map(str::to_owned).collect()
}

/// The cities, read once.
pub(super) fn cities() -> &'static [City] {
    static CITIES: LazyLock<Vec<City>> = LazyLock::new(|| {
        let mut cities: Vec<City> = Vec::new();
        for line in tables::demo().lines() {
            // A line that cannot be read is one less: a test holds that there is none.
            let _unread = take(&mut cities, line);
        }
        cities
    });
    &CITIES
}

fn take(cities: &mut Vec<City>, line: &'static str) -> Option<()> {
    let (letter, rest) = line.split_at_checked(1)?;
    let mut fields = rest.split('|');
    let mut next = || fields.next();
    if letter == "=" {
        let (name, country, zone, spot) = (next()?, next()?, next()?, spot(next()?)?);
        cities.push(City { name, country, zone, spot, ..City::default() });
        return Some(());
    }
    let city = cities.last_mut()?;
    match letter {
        "a" => {
            let (code, name) = rest.split_at_checked(3)?;
            let mut fields = name.strip_prefix('|')?.split('|');
            let (name, spot) = (fields.next()?, spot(fields.next()?)?);
            city.airports.push(Airport { code, name, spot, ways: fields.filter_map(way).collect() });
        }
        "h" => city.hotels.push(Hotel {
            name: next()?,
            spot: spot(next()?)?,
            week: next()?.parse().ok()?,
            sleeps: next()?.parse().ok()?,
            style: next()?,
            pros: next()?,
            cons: next()?,
            why: next()?,
        }),
        "s" => city.sights.push(Sight {
            name: next()?,
            spot: spot(next()?)?,
            opening: next()?,
            minutes: next()?.parse().ok()?,
            price: next()?.parse().ok()?,
            style: next()?,
        }),
        "n" => city.notes.push(rest),
        _ => return None,
    }
    Some(())
}

fn spot(text: &str) -> Option<(f64, f64)> {
    let (lat, lon) = text.split_once(',')?;
    Some((order::decimal(lat)?, order::decimal(lon)?))
}

fn way(text: &str) -> Option<(Mode, u32, u32)> {
    let (letter, numbers) = text.split_at_checked(1)?;
    let mode = match letter {
        "t" => Mode::Train,
        "m" => Mode::Metro,
        "b" => Mode::Bus,
        "x" => Mode::Taxi,
        _ => return None,
    };
    let (minutes, dollars) = numbers.split_once(' ')?;
    Some((mode, minutes.parse().ok()?, dollars.parse().ok()?))
}

impl City {
    /// A place in it.
    pub fn place(&self, name: &str, spot: (f64, f64)) -> Place {
        Place {
            name: name.to_owned(),
            city: self.name.to_owned(),
            country: self.country.to_owned(),
            lat: Some(spot.0),
            lon: Some(spot.1),
            zone: self.zone.to_owned(),
            iata: String::new(),
        }
    }

    /// An airport of it.
    pub fn airport(&self, airport: &Airport) -> Place {
        Place { iata: airport.code.to_owned(), ..self.place(airport.name, airport.spot) }
    }
}

/// So far apart two cities of one name are two, in kilometres.
const OTHER_KM: f64 = 100.0;

/// The city that a text names, alone or among other words: “Paris”, “Hotel Fabric, Paris, France”. “Paris, Texas” is none of the catalogue.
pub(super) fn city_in(text: &str, atlas: &dyn Atlas) -> Option<&'static City> {
    let small = text.to_lowercase();
    let place_of = |name: &str| {
        let name = name.to_lowercase();
        let found = small.match_indices(&name).find(|(at, found)| {
            let before = small.get(..*at).and_then(|before| before.chars().next_back());
            let after = small.get(at + found.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        });
        found.map(|(at, _)| at)
    };
    let has = |name: &str| place_of(name).is_some();
    // In small letters it is an article: “Sagrada Família, calle de la Marina”.
    let has_la = || {
        let mut words = text.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| word == "LA") && (text.trim() == "LA" || text.chars().any(char::is_lowercase))
    };
    let other = |city: &City| match city.name {
        "New York" => has("nyc") || has("manhattan"),
        "Los Angeles" => has_la(),
        "Mexico City" => has("ciudad de méxico"),
        _ => false,
    };
    // What is behind its name says which one it is, where the atlas knows.
    let is_elsewhere = |city: &City| {
        let named = place_of(city.name).and_then(|at| small.get(at..)).filter(|tail| tail.contains(','));
        let known = named.and_then(|tail| atlas.find(tail, None, 1).into_iter().next());
        known.and_then(|place| place.spot()).is_some_and(|spot| kilometres(spot, city.spot) > OTHER_KM)
    };
    cities().iter().find(|city| has(city.name) || other(city)).filter(|city| !is_elsewhere(city))
}

/// The airport that a text names, by its letters or its own name; with `or_main`, by its city as well.
pub(super) fn airport_in(
    text: &str,
    or_main: bool,
    atlas: &dyn Atlas,
) -> Option<(&'static City, &'static Airport)> {
    let all = || cities().iter().flat_map(|city| city.airports.iter().map(move |airport| (city, airport)));
    let words: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
    let by_code = all().find(|(_, airport)| words.contains(&airport.code));
    let small = text.to_lowercase();
    let by_name = || {
        all().find(|(city, airport)| {
            let own = airport.name.replace(city.name, "").trim().to_lowercase();
            !matches!(&*own, "" | "international" | "airport") && small.contains(&own)
        })
    };
    let by_city = || city_in(text, atlas).filter(|_| or_main || small.contains("airport"));
    by_code.or_else(by_name).or_else(|| by_city().and_then(|city| Some((city, city.airports.first()?))))
}

/// The names of all cities, for whoever asks for another one.
pub(super) fn names() -> String {
    cities().iter().map(|city| city.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atlas::Packed;

    #[test]
    fn every_line_can_be_read_and_every_city_has_all() {
        let mut all = Vec::new();
        for line in tables::demo().lines() {
            assert!(take(&mut all, line).is_some(), "{line}");
        }
        assert_eq!(cities().len(), 23);
        for city in cities() {
            assert!(places::Zone::named(city.zone).is_some(), "{}", city.name);
            assert!(
                city.hotels.len() >= 3 && city.sights.len() >= 3 && city.notes.len() >= 2,
                "{}",
                city.name
            );
            for airport in &city.airports {
                let km = kilometres(city.spot, airport.spot);
                assert!(airport.code.len() == 3 && km < 70.0 && airport.ways.len() >= 2, "{airport:?}: {km}");
            }
            for (name, spot) in city
                .hotels
                .iter()
                .map(|it| (it.name, it.spot))
                .chain(city.sights.iter().map(|it| (it.name, it.spot)))
            {
                assert!(kilometres(city.spot, spot) < 45.0, "{name}");
            }
            for hotel in &city.hotels {
                assert_eq!(words(PROS, hotel.pros).len(), hotel.pros.len(), "{hotel:?}");
                assert_eq!(words(CONS, hotel.cons).len(), hotel.cons.len(), "{hotel:?}");
                assert!(city.name == "Paris" || hotel.name.starts_with("Demo "), "{hotel:?}");
            }
        }
    }

    #[test]
    fn names_are_found_among_words_and_not_inside_of_them() {
        let city = |text| city_in(text, &Packed).map(|city| city.name);
        assert_eq!(city("Hotel Fabric, paris, France"), Some("Paris"));
        assert_eq!(city("Comparison of Romes"), None);
        assert_eq!(city("NYC"), Some("New York"));
        for (text, name) in [
            ("LA", Some("Los Angeles")),
            ("A week in LA", Some("Los Angeles")),
            ("Plaza de la Virgen", None),
            ("PLAZA DE LA VIRGEN", None),
            ("la", None),
            ("Paris, Texas", None),
            ("Motel 6, Paris, US", None),
            ("Paris, France", Some("Paris")),
            ("Paris, the Marais", Some("Paris")),
        ] {
            assert_eq!(city(text), name, "{text}");
        }
        let airport = |text, or_main| airport_in(text, or_main, &Packed).map(|(_, airport)| airport.code);
        assert_eq!(airport("CDG", false), Some("CDG"));
        assert_eq!(airport("Paris Orly airport", false), Some("ORY"));
        assert_eq!(airport("Berlin", true), Some("BER"));
        assert_eq!((airport("Berlin", false), airport("Berlin airport", false)), (None, Some("BER")));
    }
}
