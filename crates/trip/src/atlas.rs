//! Where places are: the seam to tables that not every host has linked. A name that nobody knows stays as it was typed.
//!
//! [`Packed`] answers from `places`, whose pack is most of a megabyte: native hosts link it, a browser hands in what it has loaded.

use std::sync::LazyLock;

use places::{Places, landmarks};

use crate::model::Place;

/// What knows places.
pub trait Atlas: Sync {
    /// The airport with three letters, in capitals; none where it is not known.
    fn airport(&self, iata: &str) -> Option<Place>;

    /// Landmarks and cities of a name, the likeliest first, at most `most`. `near` is a point that the trip is at: of several of a name
    /// the nearest is meant.
    fn find(&self, name: &str, near: Option<(f64, f64)>, most: usize) -> Vec<Place>;

    /// The city, country and zone at a latitude and a longitude; its name is the city's.
    fn at(&self, lat: f64, lon: f64) -> Option<Place>;

    /// Whether there is a time zone of a name; none where that is not known here.
    fn has_zone(&self, name: &str) -> Option<bool>;
}

/// An atlas without a page.
pub struct Blank;

impl Atlas for Blank {
    fn airport(&self, _: &str) -> Option<Place> {
        None
    }

    fn find(&self, _: &str, _: Option<(f64, f64)>, _: usize) -> Vec<Place> {
        Vec::new()
    }

    fn at(&self, _: f64, _: f64) -> Option<Place> {
        None
    }

    fn has_zone(&self, _: &str) -> Option<bool> {
        None
    }
}

/// The table of cities that is linked with [`places`], and its landmarks. Airports and zones are not in it yet.
pub struct Packed;

/// Read once. None for a pack that cannot be read, which no build of ours has.
static CITIES: LazyLock<Option<Places>> = LazyLock::new(|| Places::read(places::packed()).ok());

impl Atlas for Packed {
    fn airport(&self, _: &str) -> Option<Place> {
        None
    }

    fn find(&self, name: &str, near: Option<(f64, f64)>, most: usize) -> Vec<Place> {
        CITIES.as_ref().map_or_else(Vec::new, |cities| find(cities, name, near, most))
    }

    fn at(&self, lat: f64, lon: f64) -> Option<Place> {
        at(CITIES.as_ref()?, lat, lon)
    }

    /// The zones of 60,000 cities are nearly all that are in use; one that is not among them may be one still.
    fn has_zone(&self, name: &str) -> Option<bool> {
        ZONES.contains(&name).then_some(true)
    }
}

/// The zones of the cities, each once.
static ZONES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut zones: Vec<&'static str> = Vec::new();
    for city in CITIES.iter().flat_map(Places::cities) {
        // Cities of a zone stand together for the most part.
        if zones.last() != Some(&city.zone) && !zones.contains(&city.zone) {
            zones.push(city.zone);
        }
    }
    zones
});

/// [`Atlas::find`] over a table of cities; for hosts that load it.
#[must_use]
pub fn find(cities: &Places, name: &str, near: Option<(f64, f64)>, most: usize) -> Vec<Place> {
    let landmark = |landmark: &landmarks::Landmark| {
        let there = at(cities, landmark.lat, landmark.lon).unwrap_or_default();
        Place {
            name: landmark.name.to_owned(),
            country: landmark.country_code.to_owned(),
            lat: Some(landmark.lat),
            lon: Some(landmark.lon),
            ..there
        }
    };
    let wanted = bare(name);
    let whole = landmarks::all().iter().filter(|landmark| bare(landmark.name) == wanted);
    let mut found: Vec<Place> = whole.map(landmark).collect();
    // “Paris, Texas” and “Paris, FR”: what is behind the comma says which.
    let (city, beyond) = name.split_once(',').map_or((name, ""), |(city, beyond)| (city, beyond.trim()));
    let country = cities.country(beyond).map(|country| &*country.code);
    let is_there = |city: &places::City<'_>| {
        beyond.is_empty()
            || Some(&*city.country.code) == country
            || city.admin.is_some_and(|admin| same(admin, beyond))
    };
    found.extend(cities.find(city.trim()).into_iter().filter(is_there).map(|city| Place {
        name: city.name.to_owned(),
        city: city.name.to_owned(),
        country: (*city.country.code).to_owned(),
        lat: Some(city.lat),
        lon: Some(city.lon),
        zone: city.zone.to_owned(),
        iata: String::new(),
    }));
    // What only begins so comes last: “Berlin” is the city before it is its cathedral.
    if found.is_empty() || near.is_some() {
        let begins = |landmark: &&landmarks::Landmark| {
            let known = bare(landmark.name);
            known.strip_prefix(&*wanted).is_some_and(|rest| rest.starts_with([' ', ',']))
        };
        if wanted.chars().count() >= 4 {
            found.extend(landmarks::all().iter().filter(begins).map(landmark));
        }
    }
    if let Some(near) = near {
        // A landmark on the other side of the world is hardly what is meant, a city there may well be: one flies to it.
        let away = |place: &Place| place.spot().is_none_or(|spot| kilometres(near, spot) > NEAR_KM);
        order::sort_by_key(&mut found, away);
    }
    found.truncate(most);
    found
}

/// So far from where a trip is a name is still likely to mean something there.
const NEAR_KM: f64 = 100.0;

/// [`Atlas::at`] over a table of cities.
#[must_use]
pub fn at(cities: &Places, lat: f64, lon: f64) -> Option<Place> {
    let there = cities.at(lat, lon)?;
    Some(Place {
        name: there.city.name.to_owned(),
        city: there.city.name.to_owned(),
        country: there.country_code.unwrap_or_default().to_owned(),
        lat: Some(lat),
        lon: Some(lon),
        zone: there.zone.unwrap_or_default().to_owned(),
        iata: String::new(),
    })
}

/// A name in small letters without its article.
fn bare(name: &str) -> String {
    let small = name.trim().to_lowercase();
    small.strip_prefix("the ").map(str::to_owned).unwrap_or(small)
}

fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// The distance of two points in degrees along the Earth's surface, in kilometres, by the haversine formula: right to half a percent,
/// since the Earth is no sphere.
#[must_use]
pub fn kilometres(from: (f64, f64), to: (f64, f64)) -> f64 {
    const EARTH_KM: f64 = 6_371.008_8;
    let (lat, lon) = ((to.0 - from.0).to_radians() / 2.0, (to.1 - from.1).to_radians() / 2.0);
    let across = from.0.to_radians().cos() * to.0.to_radians().cos();
    let half_chord = lat.sin().powi(2) + across * lon.sin().powi(2);
    2.0 * EARTH_KM * half_chord.sqrt().min(1.0).asin()
}

/// What a name that was typed means: an airport by its letters, a landmark or a city by its name. What nobody knows stays as it is.
pub(crate) fn look_up(atlas: &dyn Atlas, name: &str, near: Option<(f64, f64)>) -> Place {
    let name = mcp::one_line(name);
    let is_code = name.len() == 3 && name.bytes().all(|letter| letter.is_ascii_uppercase());
    if is_code {
        let unknown = || Place { iata: name.clone(), ..Place::named(name.clone()) };
        return atlas.airport(&name).unwrap_or_else(unknown);
    }
    atlas.find(&name, near, 1).into_iter().next().unwrap_or_else(|| Place::named(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_places_and_what_is_unknown_stays() {
        let louvre = look_up(&Packed, "the louvre", None);
        assert_eq!(
            (&*louvre.name, &*louvre.city, &*louvre.country, &*louvre.zone),
            ("Louvre", "Paris", "FR", "Europe/Paris")
        );
        for (name, city, country) in [
            ("Paris", "Paris", "FR"),
            ("Paris, Texas", "Paris", "US"),
            ("Paris, United States", "Paris", "US"),
            ("munchen", "Munich", "DE"),
        ] {
            let place = look_up(&Packed, name, None);
            assert_eq!((&*place.city, &*place.country), (city, country), "{name}");
        }
        assert_eq!(look_up(&Packed, "Grandma’s  house", None), Place::named("Grandma’s house"));
        let airport = look_up(&Blank, "CDG", None);
        assert_eq!((&*airport.name, &*airport.iata), ("CDG", "CDG"));
    }

    #[test]
    fn of_several_of_a_name_the_one_where_the_trip_is_is_meant() {
        let in_texas = look_up(&Packed, "Paris", Some((33.0, -96.0)));
        assert_eq!(&*in_texas.country, "US");
        let in_france = look_up(&Packed, "Paris", Some((48.0, 2.0)));
        assert_eq!(&*in_france.country, "FR");
    }

    #[test]
    fn distances_are_those_of_the_world() {
        assert!((kilometres((48.8566, 2.3522), (51.5074, -0.1278)) - 344.0).abs() < 1.0);
        assert!(kilometres((-17.0, 179.9), (-17.0, -179.9)) < 22.0);
    }
}
