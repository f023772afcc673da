//! The format of the pack of cities, and its reader. `make/make_cities.py` writes it.
//!
//! All numbers are LEB128 of 7 bits unless something else is said.
//!
//! | Part | What |
//! |---|---|
//! | `PLACES2\n` | which format this is |
//! | 10 × u32, little-endian | the lengths of the sections that follow; together they are the rest of the file |
//! | countries | a line each: two letters of ISO 3166, two of the continent, the name |
//! | zones | a line each: the name in the IANA database |
//! | regions | a line each: the first administrative level |
//! | groups | four numbers each: country, zone, region + 1 or 0 for none, and how many cities follow one another in it |
//! | names | a line for each city |
//! | other names | how many cities after the one before, then a line of names with commas between them |
//! | people | a byte n for each city: 100 · 1.2ⁿ people |
//! | latitudes | a byte for each city, 0 to 99: how many hundredths of a degree it is north of its whole degree |
//! | degrees | for each city the difference of its latitude's whole degree (the one to the south) to the one before, zigzag (0, -1, 1, -2 … are 0, 1, 2, 3 …) |
//! | longitudes | for each city the difference to the one before in hundredths of a degree, zigzag |
//!
//! Sections and not records, because like stands beside like and compresses so: 13 bits a city for its coordinates. The cities of a group
//! go from west to east in one degree of latitude after the other.

use std::fmt;

use crate::{Continent, Country};

/// What the file begins with. Another format is another number.
const MAGIC: &[u8] = b"PLACES2\n";

/// How many sections there are.
const SECTIONS: usize = 10;

/// Parts of a degree.
const HUNDREDTHS: i32 = 100;

/// The most cities that a pack may have: places of 500 people and more are 235,000 in the whole world.
const MOST_CITIES: usize = 1_000_000;

/// Why bytes are no pack of cities or of airports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackError {
    /// The bytes do not begin as this version's pack does: it is another file, or an app and its data of different ages.
    /// The app and its data are to be loaded anew together.
    Unknown,
    /// The sections are longer or shorter than the bytes: a download that was cut. It is to be fetched again.
    Cut,
    /// What a section says cannot be; which section. The bytes were damaged, and are to be fetched again.
    Damaged(&'static str),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => {
                f.write_str("this is no table of places that this version reads: reload the app")
            }
            Self::Cut => f.write_str("the table of places is cut: fetch it again"),
            Self::Damaged(section) => {
                write!(f, "the table of places is damaged in its {section}: fetch it again")
            }
        }
    }
}

impl std::error::Error for PackError {}

/// Where a city is and what it belongs to: 8 bytes, because there are 60,000.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Hundredths of a degree, -9000 to 9000.
    pub lat: i16,
    /// Hundredths of a degree, -18000 to 18000.
    pub lon: i16,
    /// Index into the groups.
    pub group: u16,
    /// The steps of its population.
    pub people: u8,
}

/// What cities that follow one another have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub country: u16,
    pub zone: u16,
    pub region: Option<u16>,
}

/// What is in a pack, checked: every index leads somewhere.
#[derive(Clone, Debug)]
pub(crate) struct Pack {
    pub countries: Vec<Country>,
    pub zones: Vec<Box<str>>,
    pub regions: Vec<Box<str>>,
    pub groups: Vec<Group>,
    pub spots: Vec<Spot>,
    /// The names, a line each, and where each begins.
    pub names: Box<str>,
    pub starts: Vec<u32>,
    /// Other names with commas between them, by the index of the city, ascending.
    pub others: Vec<(u32, Box<str>)>,
}

impl Pack {
    pub fn read(bytes: &[u8]) -> Result<Self, PackError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(PackError::Unknown)?;
        let [countries, zones, regions, groups, names, others, people, lats, degrees, lons] =
            sections::<SECTIONS>(rest)?;

        let countries = lines(countries, "countries")?
            .map(|line| country(line).ok_or(PackError::Damaged("countries")))
            .collect::<Result<Vec<_>, _>>()?;
        let zones: Vec<Box<str>> = lines(zones, "zones")?.map(Box::from).collect();
        let regions: Vec<Box<str>> = lines(regions, "regions")?.map(Box::from).collect();
        if people.len() > MOST_CITIES {
            return Err(PackError::Damaged("people"));
        }
        let (groups, counts) =
            read_groups(groups, countries.len(), zones.len(), regions.len(), people.len())?;
        let spots = read_spots([degrees, lats, lons], people, &counts)?;

        let names = std::str::from_utf8(names).map_err(|_| PackError::Damaged("names"))?;
        let mut starts = Vec::with_capacity(spots.len());
        let mut start = 0;
        for name in names.split_inclusive('\n') {
            // A name is a line with something on it.
            if name.len() < 2 || !name.ends_with('\n') {
                return Err(PackError::Damaged("names"));
            }
            starts.push(u32::try_from(start).map_err(|_| PackError::Damaged("names"))?);
            start += name.len();
        }
        if starts.len() != spots.len() {
            return Err(PackError::Damaged("names"));
        }
        let others = read_others(others, spots.len())?;
        Ok(Self { countries, zones, regions, groups, spots, names: names.into(), starts, others })
    }
}

/// The sections, by their lengths.
pub(crate) fn sections<const COUNT: usize>(bytes: &[u8]) -> Result<[&[u8]; COUNT], PackError> {
    let (lengths, mut rest) = bytes.split_at_checked(4 * COUNT).ok_or(PackError::Cut)?;
    let mut sections: [&[u8]; COUNT] = [&[]; COUNT];
    for (section, length) in sections.iter_mut().zip(lengths.as_chunks::<4>().0) {
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| PackError::Cut)?;
        (*section, rest) = rest.split_at_checked(length).ok_or(PackError::Cut)?;
    }
    if rest.is_empty() { Ok(sections) } else { Err(PackError::Cut) }
}

/// The lines of a section. There are at most 65,535, so that an index is two bytes.
pub(crate) fn lines<'a>(bytes: &'a [u8], section: &'static str) -> Result<std::str::Lines<'a>, PackError> {
    let text = std::str::from_utf8(bytes).map_err(|_| PackError::Damaged(section))?;
    if text.lines().count() > usize::from(u16::MAX) {
        return Err(PackError::Damaged(section));
    }
    Ok(text.lines())
}

/// `FREUFrance`.
fn country(line: &str) -> Option<Country> {
    let (code, rest) = line.split_at_checked(2)?;
    let (continent, name) = rest.split_at_checked(2)?;
    let is_code = code.bytes().all(|b| b.is_ascii_uppercase()) && !name.is_empty();
    let continent = Continent::of_code(continent)?;
    is_code.then(|| Country { code: code.into(), name: name.into(), continent })
}

/// A reader of numbers.
pub(crate) struct Numbers<'a>(pub &'a [u8]);

impl Numbers<'_> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next number, of at most 28 bits: none here is larger.
    pub fn next(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in [0, 7, 14, 21] {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u32::from(byte & 127) << shift;
            if byte & 128 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// The next number with a sign.
    fn signed(&mut self) -> Option<i32> {
        let number = self.next()?;
        let half = i32::try_from(number >> 1).ok()?;
        Some(if number & 1 == 0 { half } else { -half - 1 })
    }
}

/// The groups, and the group of each city.
fn read_groups(
    bytes: &[u8],
    countries: usize,
    zones: usize,
    regions: usize,
    cities: usize,
) -> Result<(Vec<Group>, Vec<u16>), PackError> {
    let wrong = PackError::Damaged("groups");
    let index = |number: Option<u32>, length: usize| -> Result<u16, PackError> {
        let number = number.ok_or(wrong)?;
        let is_within = usize::try_from(number).is_ok_and(|n| n < length);
        u16::try_from(number).ok().filter(|_| is_within).ok_or(wrong)
    };
    let mut numbers = Numbers(bytes);
    let (mut groups, mut of_city) = (Vec::new(), Vec::with_capacity(cities));
    while !numbers.is_empty() {
        let country = index(numbers.next(), countries)?;
        let zone = index(numbers.next(), zones)?;
        // 0 is no region, so there is one more number than there are regions.
        let region = index(numbers.next(), regions + 1)?.checked_sub(1);
        let count = numbers.next().and_then(|n| usize::try_from(n).ok()).ok_or(wrong)?;
        if count > cities - of_city.len() {
            return Err(wrong);
        }
        let group = u16::try_from(groups.len()).map_err(|_| wrong)?;
        groups.push(Group { country, zone, region });
        of_city.extend(std::iter::repeat_n(group, count));
    }
    if of_city.len() == cities { Ok((groups, of_city)) } else { Err(wrong) }
}

/// The coordinates, as sums of differences.
fn read_spots(
    [degrees, lats, lons]: [&[u8]; 3],
    people: &[u8],
    groups: &[u16],
) -> Result<Vec<Spot>, PackError> {
    /// A coordinate in hundredths of a degree, where none is beyond `most`.
    fn within(at: i32, most: i32) -> Option<i16> {
        (-most..=most).contains(&at).then(|| i16::try_from(at).ok())?
    }
    let (mut degrees, mut lons) = (Numbers(degrees), Numbers(lons));
    let (mut degree, mut lon) = (0_i32, 0_i32);
    let mut spots = Vec::with_capacity(people.len());
    if lats.len() != people.len() {
        return Err(PackError::Damaged("latitudes"));
    }
    for ((people, group), part) in people.iter().zip(groups).zip(lats) {
        let step = |at: i32, numbers: &mut Numbers<'_>| at.checked_add(numbers.signed()?);
        degree = step(degree, &mut degrees).ok_or(PackError::Damaged("degrees"))?;
        lon = step(lon, &mut lons).ok_or(PackError::Damaged("longitudes"))?;
        let lat = degree.checked_mul(HUNDREDTHS).and_then(|lat| lat.checked_add(i32::from(*part)));
        spots.push(Spot {
            lat: lat.and_then(|lat| within(lat, 9_000)).ok_or(PackError::Damaged("latitudes"))?,
            lon: within(lon, 18_000).ok_or(PackError::Damaged("longitudes"))?,
            group: *group,
            people: *people,
        });
    }
    match (degrees.is_empty(), lons.is_empty()) {
        (true, true) => Ok(spots),
        (false, _) => Err(PackError::Damaged("degrees")),
        (_, false) => Err(PackError::Damaged("longitudes")),
    }
}

/// The other names, by the index of the city or the airport.
pub(crate) fn read_others(bytes: &[u8], cities: usize) -> Result<Vec<(u32, Box<str>)>, PackError> {
    let wrong = PackError::Damaged("other names");
    let (mut others, mut city) = (Vec::new(), 0_u32);
    let mut numbers = Numbers(bytes);
    while !numbers.is_empty() {
        city = numbers.next().and_then(|n| city.checked_add(n)).ok_or(wrong)?;
        if !usize::try_from(city).is_ok_and(|city| city < cities) {
            return Err(wrong);
        }
        let end = numbers.0.iter().position(|byte| *byte == b'\n').ok_or(wrong)?;
        let names = std::str::from_utf8(&numbers.0[..end]).map_err(|_| wrong)?;
        others.push((city, names.into()));
        numbers.0 = &numbers.0[end + 1..];
    }
    Ok(others)
}
