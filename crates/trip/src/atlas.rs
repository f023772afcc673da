//! Where places are: the seam to tables that not every host has linked. A name that nobody knows stays as it was typed.
//!
//! [`Packed`] answers from `places`, whose packs are more than a megabyte: native hosts link them, a browser hands in what it has loaded.

use std::sync::LazyLock;

use places::{Airports, Places, Zone, landmarks};

use crate::model::Place;

/// What knows places.
pub trait Atlas: Sync {
    /// The airport with three letters, in capitals; none where it is not known.
    fn airport(&self, iata: &str) -> Option<Place>;

    /// Landmarks and cities of a name, the likeliest first, at most `most`. `near` is a point that the trip is at: of several of a name
    /// the nearest is meant, and only there a name may be the beginning of another one ([`NEAR_KM`]).
    fn find(&self, name: &str, near: Option<(f64, f64)>, most: usize) -> Vec<Place>;

    /// The city, country and zone at a latitude and a longitude; its name is the city's.
    fn at(&self, lat: f64, lon: f64) -> Option<Place>;

    /// Whether there is a time zone of a name; none where that is not known here.
    fn has_zone(&self, name: &str) -> Option<bool>;

    /// Whether a name is a country's, as far as is known here.
    fn is_country(&self, _name: &str) -> bool {
        false
    }
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

/// The tables that are linked with [`places`]: cities, landmarks, airports and zones.
pub struct Packed;

/// Read once. None for a pack that cannot be read, which no build of ours has.
static CITIES: LazyLock<Option<Places>> = LazyLock::new(|| Places::read(places::packed()).ok());

/// The same of airports.
static AIRPORTS: LazyLock<Option<Airports>> =
    LazyLock::new(|| Airports::read(places::packed_airports()).ok());

impl Atlas for Packed {
    fn airport(&self, iata: &str) -> Option<Place> {
        airport(AIRPORTS.as_ref()?, iata)
    }

    fn find(&self, name: &str, near: Option<(f64, f64)>, most: usize) -> Vec<Place> {
        CITIES.as_ref().map_or_else(Vec::new, |cities| find(cities, name, near, most))
    }

    fn at(&self, lat: f64, lon: f64) -> Option<Place> {
        at(CITIES.as_ref()?, lat, lon)
    }

    fn has_zone(&self, name: &str) -> Option<bool> {
        has_zone(name)
    }

    fn is_country(&self, name: &str) -> bool {
        CITIES.as_ref().is_some_and(|cities| cities.country(name).is_some())
    }
}

/// [`Atlas::airport`] over a table of airports; for hosts that load it.
#[must_use]
pub fn airport(airports: &Airports, iata: &str) -> Option<Place> {
    let there = airports.by_code(iata)?;
    // Some say several places (“Beauvais/Tille”), some none.
    let city = there.city.split('/').next().unwrap_or_default().trim();
    Some(Place {
        name: there.name.to_owned(),
        city: city.to_owned(),
        country: there.country_code.to_owned(),
        lat: Some(there.lat),
        lon: Some(there.lon),
        zone: there.zone.to_owned(),
        iata: there.code.to_owned(),
    })
}

/// [`Atlas::has_zone`] by the table of zones, which is part of every program that checks itineraries.
#[must_use]
pub fn has_zone(name: &str) -> Option<bool> {
    crate::check::has_zones().then(|| Zone::named(name).is_some())
}

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
    let as_place = |city: places::City<'_>| Place {
        name: city.name.to_owned(),
        city: city.name.to_owned(),
        country: (*city.country.code).to_owned(),
        lat: Some(city.lat),
        lon: Some(city.lon),
        zone: city.zone.to_owned(),
        iata: String::new(),
    };
    let away = |near: (f64, f64), spot: (f64, f64)| kilometres(near, spot) > NEAR_KM;
    let whole = cities.find_whole(city.trim());
    let is_whole = !whole.is_empty();
    found.extend(whole.into_iter().filter(is_there).map(as_place));
    // A beginning is a guess. “Museum” is none in another part of the world, and of where the trip is unknown only cities are meant.
    if !is_whole && found.is_empty() {
        let begins = cities.find_beginning(city.trim()).into_iter().filter(is_there);
        let is_near = |city: &places::City<'_>| near.is_none_or(|near| !away(near, (city.lat, city.lon)));
        found.extend(begins.filter(is_near).map(as_place));
    }
    if let Some(near) = near {
        // What only begins so comes last: “Berlin” is the city before it is its cathedral.
        let begins = |landmark: &&landmarks::Landmark| {
            let known = bare(landmark.name);
            !away(near, (landmark.lat, landmark.lon))
                && known.strip_prefix(&*wanted).is_some_and(|rest| rest.starts_with([' ', ',']))
        };
        if wanted.chars().count() >= 4 {
            found.extend(landmarks::all().iter().filter(begins).map(landmark));
        }
        // A landmark on the other side of the world is hardly what is meant, a city there may well be: one flies to it.
        order::sort_by_key(&mut found, |place: &Place| place.spot().is_none_or(|spot| away(near, spot)));
    }
    found.truncate(most);
    found
}

/// Whether a place is called so, and not only found by the beginning of its name or as the city that it is in.
pub(crate) fn is_named(place: &Place, name: &str) -> bool {
    bare(&place.name) == bare(name)
}

/// So far from where a trip is a name is still likely to mean something there.
pub(crate) const NEAR_KM: f64 = 100.0;

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

/// [`places::distance_km`] of two points that are on the Earth, as all spots of places are ([`Place::spot`]); endless for others.
#[must_use]
pub fn kilometres(from: (f64, f64), to: (f64, f64)) -> f64 {
    places::distance_km(from, to).unwrap_or(f64::INFINITY)
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
    fn a_beginning_is_only_meant_where_the_trip_is() {
        let (paris, doha, abu_dhabi) = ((48.86, 2.35), (25.29, 51.53), (24.45, 54.38));
        for near in [None, Some(paris), Some(abu_dhabi)] {
            assert_eq!(look_up(&Packed, "Museum", near), Place::named("Museum"), "{near:?}");
        }
        assert_eq!(&*look_up(&Packed, "Museum", Some(doha)).name, "Museum of Islamic Art, Doha");
        assert_eq!(&*look_up(&Packed, "Louvre", Some(abu_dhabi)).name, "Louvre Abu Dhabi");
        assert_eq!(&*look_up(&Packed, "Louvre", Some(paris)).city, "Paris");
        // A city that is called so is one, wherever; one that begins so only where nothing is known of the trip.
        assert_eq!(&*look_up(&Packed, "London", Some(paris)).country, "GB");
        assert_eq!(look_up(&Packed, "Market", Some(paris)), Place::named("Market"));
        assert_eq!(&*look_up(&Packed, "Buenos", None).country, "AR");
    }

    #[test]
    fn airports_and_zones_are_those_of_the_tables() {
        let airport = look_up(&Packed, "JFK", None);
        assert_eq!(
            (&*airport.iata, &*airport.city, &*airport.country, &*airport.zone),
            ("JFK", "New York", "US", "America/New_York")
        );
        assert!(airport.spot().is_some_and(|spot| kilometres(spot, (40.64, -73.78)) < 3.0));
        let nowhere = look_up(&Packed, "QQQ", None);
        assert_eq!((&*nowhere.iata, nowhere.spot()), ("QQQ", None));
        let has = |name| Packed.has_zone(name);
        assert_eq!(
            (has("Europe/Paris"), has("Asia/Calcutta"), has("Europe/Sidney"), has("europe/paris")),
            (Some(true), Some(true), Some(false), Some(false))
        );
    }
}
