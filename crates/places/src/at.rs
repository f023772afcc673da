//! What a place is called by its coordinates: the place rule, and how far it goes.

use crate::sphere::{EARTH_M, is_on_earth, lon_reach, metres};
use crate::{City, Country, Places, landmarks};

/// No city's radius is larger: the largest, Shanghai, has 33 km.
const MOST_RADIUS_M: f64 = 35_000.0;

/// So far a country is said. The table has a place within 100 km of every place that has 500 people, so what is farther from all of
/// them is sea, ice or desert; a coast is not much nearer than a border there.
const COUNTRY_M: f64 = 100_000.0;

/// Landmarks of a larger circle may lie on both sides of a border, and say no country.
const LANDMARK_M: f64 = 2_000.0;

/// So far a nearest city is said at all.
const NEAREST_M: f64 = 250_000.0;

/// What is at coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place<'a> {
    /// The city that the place rule says: see [`Places::at`].
    pub city: City<'a>,
    /// The region of the city: a state of the United States, else `None`. `None` too where the country is.
    pub admin: Option<&'a str>,
    /// The country, by the nearest city, or by the landmark that the point is at: there are no borders in the data, so within some
    /// kilometres of one it may be the neighbour. `None` more than 100 km from every city: at sea, on the ice, in the desert it is
    /// not known.
    pub country: Option<&'a Country>,
    /// Two capital letters of ISO 3166-1, with the country.
    pub country_code: Option<&'a str>,
    /// The time zone in the IANA database (`Europe/Paris`), of the city. `None` where the country is.
    pub zone: Option<&'a str>,
    /// How far the centre of the city is, in metres.
    pub distance_m: f64,
    /// Whether the coordinates are within the city's radius, so that one says "in Paris" and not "18 km from Paris".
    pub is_inside: bool,
}

/// What a photo's row and a person are told of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told<'a> {
    /// The city; empty where none is near.
    pub city: &'a str,
    /// The country; empty where it is not known.
    pub country: &'a str,
    /// At most three landmarks within reach, the nearest first.
    pub landmarks: Vec<&'static str>,
}

impl Places {
    /// What one says of a photo that was taken at these coordinates, in degrees. Farther than 10 km from a city's edge nobody would
    /// say that it was taken there.
    #[must_use]
    pub fn told(&self, lat: f64, lon: f64) -> Told<'_> {
        const MOST_LANDMARKS: usize = 3;
        const NEAR_M: f64 = 10_000.0;
        let at = self.at(lat, lon);
        let city = at.as_ref().filter(|at| at.is_inside || at.distance_m <= NEAR_M).map(|at| at.city.name);
        let near = landmarks::near(lat, lon);
        Told {
            city: city.unwrap_or_default(),
            country: at.as_ref().and_then(|at| at.country).map_or("", |country| &*country.name),
            landmarks: near.iter().take(MOST_LANDMARKS).map(|(landmark, _)| landmark.name).collect(),
        }
    }

    /// What is at a latitude (-90 to 90) and a longitude (-180 to 180) in degrees. Takes about 3 µs natively.
    ///
    /// The country is that of the nearest city; within the circle of a [landmark](landmarks) it is the landmark's, because falls and
    /// peaks are what borders run through and people photograph. The city is the *largest* one of that country whose radius
    /// ([`City::radius_m`]) covers the point, else the nearest. The nearest alone would call the Eiffel tower Neuilly, and the largest
    /// of any country would call half of Windsor, Ontario, Detroit. Of two that are as large it is the nearer.
    ///
    /// Up to 100 km from the nearest city country and zone are said, up to 250 km only the city, for "180 km from Honolulu". Beyond
    /// that, and for what is not on the Earth (NaN, 91°), there is `None`.
    #[must_use]
    pub fn at(&self, lat: f64, lon: f64) -> Option<Place<'_>> {
        if !is_on_earth(lat, lon) {
            return None;
        }
        // Where people live the first search is enough; only where there is nothing a wider one follows.
        let mut nearest = None;
        let mut covering = Vec::new();
        for distance_m in [MOST_RADIUS_M, COUNTRY_M, NEAREST_M] {
            nearest = self.nearest(lat, lon, distance_m, |_| true, &mut covering);
            if nearest.is_some() {
                break;
            }
        }
        let known = self.country_of_landmark(lat, lon);
        let abroad =
            known.filter(|country| Some(*country) != nearest.and_then(|(_, near)| self.country_at(near)));
        let of_landmark = abroad
            .and_then(|country| self.nearest(lat, lon, MOST_RADIUS_M, |at| at == country, &mut covering));
        let (nearest_m, near) = of_landmark.or(nearest)?;
        let country = self.country_at(near);
        let largest =
            covering.into_iter().filter(|(_, index)| self.country_at(*index) == country).max_by(|a, b| {
                self.people_at(a.1).cmp(&self.people_at(b.1)).then(b.0.total_cmp(&a.0)).then(b.1.cmp(&a.1))
            });
        let (distance_m, index) = largest.unwrap_or((nearest_m, near));
        let city = self.city(index)?;
        let is_known = nearest_m <= COUNTRY_M;
        let country = is_known.then_some(city.country);
        Some(Place {
            city,
            admin: city.admin.filter(|_| is_known),
            country,
            country_code: country.map(|country| &*country.code),
            zone: is_known.then_some(city.zone),
            distance_m,
            is_inside: largest.is_some(),
        })
    }

    /// The country of the landmark that a point is at, as an index.
    fn country_of_landmark(&self, lat: f64, lon: f64) -> Option<u16> {
        let found = landmarks::near(lat, lon);
        let (landmark, _) = found.iter().find(|(landmark, _)| landmark.radius_m <= LANDMARK_M)?;
        let at = self.countries().iter().position(|country| &*country.code == landmark.country_code)?;
        u16::try_from(at).ok()
    }

    /// The nearest city of wanted countries within a distance, with its own; and all cities of any country that cover the point.
    fn nearest(
        &self,
        lat: f64,
        lon: f64,
        within_m: f64,
        is_wanted: impl Fn(u16) -> bool,
        covering: &mut Vec<(f64, u32)>,
    ) -> Option<(f64, u32)> {
        covering.clear();
        let mut nearest: Option<(f64, u32)> = None;
        let lat_reach = (within_m / EARTH_M).to_degrees();
        let lats = (hundredths(lat - lat_reach), hundredths(lat + lat_reach));
        for (from, to) in windows(lon, lon_reach(lat, within_m)).into_iter().flatten() {
            self.within(lats, (hundredths(from), hundredths(to)), |index, spot| {
                // Most of a band is out of reach by its latitude alone, which costs no sine.
                let most_m = nearest.map_or(within_m, |(nearest_m, _)| nearest_m).max(self.radius_at(index));
                if (spot.0 - lat).abs().to_radians() * EARTH_M > most_m {
                    return;
                }
                let distance_m = metres((lat, lon), spot);
                if distance_m <= self.radius_at(index) {
                    covering.push((distance_m, index));
                }
                let is_nearer = nearest.is_none_or(|nearest| (distance_m, index) < nearest);
                if distance_m <= within_m && is_nearer && self.country_at(index).is_some_and(&is_wanted) {
                    nearest = Some((distance_m, index));
                }
            });
        }
        nearest
    }
}

/// The longitudes within a reach: two windows where the date line is between them.
fn windows(lon: f64, reach: f64) -> [Option<(f64, f64)>; 2] {
    let (from, to) = (lon - reach, lon + reach);
    if reach >= 180.0 {
        [Some((-180.0, 180.0)), None]
    } else if from < -180.0 {
        [Some((-180.0, to)), Some((from + 360.0, 180.0))]
    } else if to > 180.0 {
        [Some((from, 180.0)), Some((-180.0, to - 360.0))]
    } else {
        [Some((from, to)), None]
    }
}

/// Degrees in hundredths.
fn hundredths(degrees: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "degrees of the Earth are some hundred")]
    let hundredths = (degrees * 100.0).round() as i32;
    hundredths
}

#[cfg(test)]
mod tests {
    use super::{COUNTRY_M, Places};
    use crate::landmarks;

    /// Landmarks of which the nearest city is in another country, that country, and why it is so.
    const ABROAD: &[(&str, &str, &str)] = &[
        ("Iguaçu Falls, Brazilian side", "AR", "Puerto Iguazú is nearer than Foz do Iguaçu"),
        ("Kilimanjaro", "KE", "the border runs along its foot, and the nearest town is beyond it"),
        ("Mont Blanc", "IT", "the border runs over it, and Courmayeur is nearer than Chamonix"),
        ("Niagara Falls", "US", "the border is in the river; the centres of both towns are as far"),
        ("Port Hercule", "FR", "Monaco is 2 km wide, and coordinates of cities are right to 0.6 km"),
        ("Ruins of St. Paul's", "CN", "GeoNames counts a parish of Macau to China"),
        ("Sossusvlei", "unknown", "no place of 500 people is within 100 km"),
        ("Torres del Paine", "AR", "80 km from everything, and the border is nearer than a town"),
        (
            "Victoria Falls, Zambian side",
            "ZW",
            "the border is in the river, and the town of that name is beside it",
        ),
        ("Western Wall", "PS", "GeoNames counts East Jerusalem to Palestine; whose it is is disputed"),
    ];

    /// The country of each landmark against that of the nearest city, without the landmarks' own word.
    #[test]
    fn each_landmark_is_in_its_country() {
        let places = Places::read(crate::packed()).expect("our own pack");
        let mut wrong = Vec::new();
        for landmark in landmarks::all() {
            let near = places.nearest(landmark.lat, landmark.lon, COUNTRY_M, |_| true, &mut Vec::new());
            let city = near.and_then(|(_, index)| places.city(index));
            let country = city.map_or("unknown", |city| &*city.country.code);
            let abroad = ABROAD.iter().find(|(name, ..)| *name == landmark.name);
            if country != abroad.map_or(landmark.country_code, |(_, country, _)| country) {
                wrong.push(format!("{} is in {}, {near:?}: {city:?}", landmark.name, landmark.country_code));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
