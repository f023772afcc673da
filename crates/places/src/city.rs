//! The table of cities in memory: what it says of a city and a country, and the index by coordinates.

use crate::pack::{Pack, PackError};

/// What the population of a step is, and from one step to the next: the same figures as in `make/make_cities.py`.
const PEOPLE: (f64, f64) = (100.0, 1.2);

/// How high a band of the index is, in hundredths of a degree: 28 km. Less, and a search reads more bands than cities.
const BAND: i32 = 25;

/// A part of the world, as GeoNames divides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Continent {
    /// Africa.
    Africa,
    /// Antarctica.
    Antarctica,
    /// Asia; Turkey and Cyprus are counted here or in Europe as GeoNames does.
    Asia,
    /// Europe; all of Russia is here.
    Europe,
    /// North America with Central America and the Caribbean.
    NorthAmerica,
    /// Australia and the islands of the Pacific.
    Oceania,
    /// South America.
    SouthAmerica,
}

impl Continent {
    /// The continent of GeoNames' two letters.
    pub(crate) fn of_code(code: &str) -> Option<Self> {
        Some(match code {
            "AF" => Self::Africa,
            "AN" => Self::Antarctica,
            "AS" => Self::Asia,
            "EU" => Self::Europe,
            "NA" => Self::NorthAmerica,
            "OC" => Self::Oceania,
            "SA" => Self::SouthAmerica,
            _ => return None,
        })
    }

    /// The name in English.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Africa => "Africa",
            Self::Antarctica => "Antarctica",
            Self::Asia => "Asia",
            Self::Europe => "Europe",
            Self::NorthAmerica => "North America",
            Self::Oceania => "Oceania",
            Self::SouthAmerica => "South America",
        }
    }
}

/// A country or a territory with a code of its own (Greenland, Hong Kong, Gibraltar), as ISO 3166 has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Country {
    /// Two capital letters of ISO 3166-1: `FR`.
    pub code: Box<str>,
    /// The name in English, as GeoNames writes it.
    pub name: Box<str>,
    /// The continent it is counted to.
    pub continent: Continent,
}

/// A city of the table: a view that costs nothing to copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct City<'a> {
    /// Which of the table's cities it is. Only for the same pack, so nobody keeps it.
    pub(crate) index: u32,
    /// The name, as GeoNames writes it: English where English has one (Munich), else its own with its marks (Kraków).
    pub name: &'a str,
    /// The region: a state of the United States. `None` elsewhere, because the package has no other names.
    pub admin: Option<&'a str>,
    /// The country or territory.
    pub country: &'a Country,
    /// The time zone in the IANA database: `Europe/Paris`.
    pub zone: &'a str,
    /// How many people live there: rounded to steps of 20 %, so at most 10 % off what GeoNames says; 100 may be unknown.
    pub people: u32,
    /// Latitude of the centre in degrees, rounded to hundredths (0.6 km).
    pub lat: f64,
    /// Longitude of the centre in degrees, rounded to hundredths.
    pub lon: f64,
}

impl City<'_> {
    /// How far from its centre a city is still called by its name: 0.06 · people^0.37 km, in metres. 1.4 km for 5,000 people, 10 km
    /// for a million, 33 km for the largest. The rule is of our photo notes (§7); weighing by distance alone puts the Eiffel tower in
    /// Neuilly.
    #[must_use]
    pub fn radius_m(&self) -> f64 {
        radius_m(self.people)
    }
}

/// The radius of a city of so many people, in metres.
pub(crate) fn radius_m(people: u32) -> f64 {
    60.0 * f64::from(people).powf(0.37)
}

/// The table of cities: 60,000 of them, the countries and the time zones; 2 MB in memory.
///
/// Data from GeoNames, under CC-BY 4.0: an app that shows it names them.
#[derive(Clone, Debug)]
pub struct Places {
    pub(crate) pack: Pack,
    /// The people of each step of the pack.
    people: Vec<u32>,
    /// The radius of each step, in metres.
    radii: Vec<f64>,
    /// The cities by bands of latitude, and by longitude in a band.
    order: Vec<u32>,
    /// Where each band begins in `order`, and the end.
    bands: Vec<u32>,
}

impl Places {
    /// The table of the bytes of a pack. Takes 5 ms natively.
    ///
    /// # Errors
    ///
    /// Whatever the bytes are, this is an error and never a panic: see [`PackError`] for what to do about it.
    pub fn read(bytes: &[u8]) -> Result<Self, PackError> {
        let pack = Pack::read(bytes)?;
        let people: Vec<u32> = (0..=u8::MAX).map(people_of).collect();
        let radii = people.iter().map(|people| radius_m(*people)).collect();

        let of = |index: u32| pack.spots.get(index as usize);
        let lon =
            |index| of(index).map_or(0, |spot| usize::try_from(i32::from(spot.lon) + 18_000).unwrap_or(0));
        let lat = |index| of(index).map_or(0, |spot| band(i32::from(spot.lat)));
        let all: Vec<u32> = (0..).take(pack.spots.len()).collect();
        let (by_lon, _) = counted(&all, 36_001, lon);
        let (order, bands) = counted(&by_lon, band(9_000) + 1, lat);
        Ok(Self { pack, people, radii, order, bands })
    }

    /// How many cities there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pack.spots.len()
    }

    /// Whether there are none: only of a pack that nobody made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pack.spots.is_empty()
    }

    /// All cities, in the order of the pack: by country, then by zone.
    pub fn cities(&self) -> impl Iterator<Item = City<'_>> {
        (0..).take(self.len()).filter_map(|index| self.city(index))
    }

    /// All countries, by their codes.
    #[must_use]
    pub fn countries(&self) -> &[Country] {
        &self.pack.countries
    }

    /// The city of an index.
    pub(crate) fn city(&self, index: u32) -> Option<City<'_>> {
        let at = index as usize;
        let spot = self.pack.spots.get(at)?;
        let group = self.pack.groups.get(usize::from(spot.group))?;
        let admin = group.region.and_then(|region| self.pack.regions.get(usize::from(region)));
        Some(City {
            index,
            name: self.name(at)?,
            admin: admin.map(|name| &**name),
            country: self.pack.countries.get(usize::from(group.country))?,
            zone: self.pack.zones.get(usize::from(group.zone))?,
            people: self.people_at(index),
            lat: f64::from(spot.lat) / 100.0,
            lon: f64::from(spot.lon) / 100.0,
        })
    }

    /// The name of a city by its index.
    fn name(&self, at: usize) -> Option<&str> {
        let start = *self.pack.starts.get(at)? as usize;
        let end = self.pack.starts.get(at + 1).map_or(self.pack.names.len(), |next| *next as usize);
        Some(self.pack.names.get(start..end)?.trim_end_matches('\n'))
    }

    /// The people of a city by its index.
    pub(crate) fn people_at(&self, index: u32) -> u32 {
        let step = self.pack.spots.get(index as usize).map_or(0, |spot| spot.people);
        self.people.get(usize::from(step)).copied().unwrap_or(0)
    }

    /// The radius of a city by its index, in metres.
    pub(crate) fn radius_at(&self, index: u32) -> f64 {
        let step = self.pack.spots.get(index as usize).map_or(0, |spot| spot.people);
        self.radii.get(usize::from(step)).copied().unwrap_or(0.0)
    }

    /// The country of a city by its index, as an index.
    pub(crate) fn country_at(&self, index: u32) -> Option<u16> {
        let spot = self.pack.spots.get(index as usize)?;
        Some(self.pack.groups.get(usize::from(spot.group))?.country)
    }

    /// Calls with the cities in the bands of a range of latitudes and a range of longitudes, in hundredths of a degree: more than
    /// these, because a band is read whole. The caller looks at the distance.
    pub(crate) fn within(&self, lats: (i32, i32), lons: (i32, i32), mut found: impl FnMut(u32, (f64, f64))) {
        let lon_of = |index: &u32| self.pack.spots.get(*index as usize).map_or(0, |spot| i32::from(spot.lon));
        for band in band(lats.0)..=band(lats.1) {
            let bound = |at: usize| self.bands.get(at).map_or(0, |at| *at as usize);
            let Some(cities) = self.order.get(bound(band)..bound(band + 1)) else { continue };
            let start = cities.partition_point(|index| lon_of(index) < lons.0);
            for index in cities.iter().skip(start) {
                let Some(spot) = self.pack.spots.get(*index as usize) else { continue };
                if i32::from(spot.lon) > lons.1 {
                    break;
                }
                found(*index, (f64::from(spot.lat) / 100.0, f64::from(spot.lon) / 100.0));
            }
        }
    }
}

/// Sorts by a number below `count`, and says where each number begins, and the end. A counting sort keeps the sequence of what is alike,
/// so that sorting by one number and then by another sorts by both; and it is no copy of the library's sort in the page.
fn counted(indices: &[u32], count: usize, number: impl Fn(u32) -> usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; count + 1];
    for index in indices {
        if let Some(after) = starts.get_mut(number(*index) + 1) {
            *after += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let (mut sorted, mut next) = (vec![0; indices.len()], starts.clone());
    for index in indices {
        let Some(at) = next.get_mut(number(*index)) else { continue };
        if let Some(place) = sorted.get_mut(*at as usize) {
            *place = *index;
        }
        *at += 1;
    }
    (sorted, starts)
}

/// The band of a latitude in hundredths of a degree; what is beyond a pole is at it.
fn band(lat: i32) -> usize {
    usize::try_from((lat.clamp(-9_000, 9_000) + 9_000) / BAND).unwrap_or(0)
}

/// The people of a step.
fn people_of(step: u8) -> u32 {
    // No city has more: a step of damaged bytes would say 10¹⁷.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 100 to 10⁸")]
    let people = (PEOPLE.0 * PEOPLE.1.powi(i32::from(step))).min(1e8) as u32;
    people
}
