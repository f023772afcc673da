//! The search by name against names that people type.

use crate::common;

use common::PLACES;

#[test]
fn cities_are_found_by_the_names_that_people_type() {
    let places = &*PLACES;
    for (typed, name, country) in [
        ("Munich", "Munich", "DE"),
        ("münchen", "Munich", "DE"),
        ("MUENCHEN", "Munich", "DE"),
        ("munchen", "Munich", "DE"),
        ("Florence", "Florence", "IT"),
        ("Firenze", "Florence", "IT"),
        ("Cologne", "Köln", "DE"),
        ("koln", "Köln", "DE"),
        ("Vienna", "Vienna", "AT"),
        ("wien", "Vienna", "AT"),
        ("rome", "Rome", "IT"),
        ("Roma", "Rome", "IT"),
        ("Lisboa", "Lisbon", "PT"),
        ("praha", "Prague", "CZ"),
        ("Krakow", "Kraków", "PL"),
        ("lodz", "Łódź", "PL"),
        ("sao paulo", "São Paulo", "BR"),
        ("New York", "New York City", "US"),
        ("NYC", "New York City", "US"),
        ("st. louis", "St. Louis", "US"),
        ("Bombay", "Mumbai", "IN"),
        ("kiev", "Kyiv", "UA"),
        ("Saigon", "Ho Chi Minh City", "VN"),
        ("東京", "Tokyo", "JP"),
        ("москва", "Moscow", "RU"),
        ("frankfurt", "Frankfurt am Main", "DE"),
        ("aix la chapelle", "Aachen", "DE"),
        ("paris", "Paris", "FR"),
        ("london", "London", "GB"),
        ("rio de", "Rio de Janeiro", "BR"),
        ("tokyo", "Tokyo", "JP"),
    ] {
        let found = places.find(typed);
        let first = found.first().map(|city| (city.name, &*city.country.code));
        assert_eq!(first, Some((name, country)), "{typed}");
    }
}

#[test]
fn the_largest_is_first_and_each_is_there_once() {
    let places = &*PLACES;
    let found = places.find("springfield");
    assert!(found.len() > 4, "{}", found.len());
    assert!(found.windows(2).all(|pair| pair[0].people >= pair[1].people));
    let mut states: Vec<_> = found.iter().map(|city| (city.lat.to_bits(), city.lon.to_bits())).collect();
    states.sort_unstable();
    states.dedup();
    assert_eq!(states.len(), found.len());
    assert_eq!(places.find("Portland")[0].admin, Some("Oregon"));
    assert_eq!(places.find("Portland")[0].zone, "America/Los_Angeles");
}

#[test]
fn what_is_no_name_finds_nothing() {
    let places = &*PLACES;
    for typed in ["", "  ", "'", "xq", "no such place", "\n", "\u{301}"] {
        assert!(places.find(typed).is_empty(), "{typed:?}");
    }
}

#[test]
fn other_names_are_said() {
    let places = &*PLACES;
    let munich = places.find("Munich")[0];
    assert_eq!(places.other_names(&munich).collect::<Vec<_>>(), ["München", "Muenchen"]);
    let paris = places.find("Paris")[0];
    assert_eq!(places.other_names(&paris).count(), 0);
}

#[test]
fn countries_are_found_by_name_and_code() {
    let places = &*PLACES;
    for (typed, code) in [
        ("fr", "FR"),
        ("FRANCE", "FR"),
        ("USA", "US"),
        ("United States", "US"),
        ("uk", "GB"),
        ("Holland", "NL"),
        ("Czechia", "CZ"),
        ("Czech Republic", "CZ"),
        ("Türkiye", "TR"),
        ("Turkey", "TR"),
        ("Côte d'Ivoire", "CI"),
        ("Ivory Coast", "CI"),
        ("South Korea", "KR"),
        ("hong kong", "HK"),
        ("Vatican City", "VA"),
        ("Viet Nam", "VN"),
    ] {
        assert_eq!(places.country(typed).map(|country| &*country.code), Some(code), "{typed}");
    }
    for typed in ["", "xx", "Atlantis"] {
        assert_eq!(places.country(typed), None, "{typed}");
    }
}
