//! The format of the pack of airports, and its reader. `make/make_airports.py` writes it.
//!
//! All numbers are LEB128 of 7 bits unless something else is said. Airports of one country and zone stand together.
//!
//! | Part | What |
//! |---|---|
//! | `AIRPORT1\n` | which format this is |
//! | 9 × u32, little-endian | the lengths of the sections that follow; together they are the rest of the file |
//! | zones | a line each: the name in the IANA database |
//! | groups | two letters of ISO 3166, then two numbers: zone, and how many airports follow one another in it |
//! | codes | three letters for each airport |
//! | names | a line for each; bytes below 8 stand for its city (1) and for how most names end ([`ENDS`]) |
//! | cities | a line for each; an empty one is the city of the airport before, `-` is none |
//! | other names | how many airports after the one before, then a line of names with commas between them |
//! | classes | a byte for each: twice the size (0 to 2), and 1 where there are flights on a schedule |
//! | latitudes | u16 for each: hundredths of a degree north of the South Pole; all low bytes, then all high ones |
//! | longitudes | u16 for each: hundredths of a degree east of the date line, in the same way |

use std::ops::Range;

use super::AirportSize;
use crate::PackError;
use crate::pack::{Numbers, lines, read_others, sections};

/// What the file begins with. Another format is another number.
const MAGIC: &[u8] = b"AIRPORT1\n";

/// What the bytes from 2 on in a name stand for.
const ENDS: [&str; 5] =
    [" International Airport", " Regional Airport", " Municipal Airport", " County Airport", " Airport"];

/// The longest name of an airport or a city. A name may have its city many times: damaged bytes shall not fill the memory with it.
const MOST_NAME: usize = 250;

/// How many codes of three letters there are.
const CODES: usize = 26 * 26 * 26;

/// Where an airport is and what it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// Hundredths of a degree, -9000 to 9000.
    pub lat: i16,
    /// Hundredths of a degree, -18000 to 18000.
    pub lon: i16,
    pub group: u16,
    pub size: AirportSize,
    pub has_flights: bool,
    /// Where its name and its city are in the texts.
    pub name: Range<u32>,
    pub city: Range<u32>,
}

/// What airports that follow one another have in common.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub country: Box<str>,
    pub zone: u16,
}

/// What is in a pack, checked: every index leads somewhere.
#[derive(Clone, Debug)]
pub(super) struct Pack {
    pub zones: Vec<Box<str>>,
    pub groups: Vec<Group>,
    pub spots: Vec<Spot>,
    /// Other names with commas between them, by the index of the airport, ascending.
    pub others: Vec<(u32, Box<str>)>,
    codes: Box<str>,
    texts: Box<str>,
    /// The airport of each code there may be; [`u16::MAX`] is none.
    by_code: Vec<u16>,
}

impl Pack {
    pub fn read(bytes: &[u8]) -> Result<Self, PackError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(PackError::Unknown)?;
        let [zones, groups, codes, names, cities, others, classes, lats, lons] = sections::<9>(rest)?;
        let zones: Vec<Box<str>> = lines(zones, "zones")?.map(Box::from).collect();
        let count = classes.len();
        let (groups, of_airport) = read_groups(groups, zones.len(), count)?;
        let (codes, by_code) = read_codes(codes, count)?;

        let mut texts = String::new();
        let (mut names, mut cities) = (lines(names, "names")?, lines(cities, "cities")?);
        let (mut city_before, mut spots) = (None, Vec::with_capacity(count));
        for (index, (class, group)) in classes.iter().zip(of_airport).enumerate() {
            let city = match cities.next().ok_or(PackError::Damaged("cities"))? {
                "" => city_before.clone().ok_or(PackError::Damaged("cities"))?,
                "-" => 0..0,
                city => added(&mut texts, city, "cities")?,
            };
            city_before = Some(city.clone());
            let of_city = texts.get(as_usize(&city)).unwrap_or_default().to_owned();
            let name = names.next().ok_or(PackError::Damaged("names"))?;
            let name = whole(name, &of_city).ok_or(PackError::Damaged("names"))?;
            let size = match class / 2 {
                0 => AirportSize::Small,
                1 => AirportSize::Medium,
                2 => AirportSize::Large,
                _ => return Err(PackError::Damaged("classes")),
            };
            spots.push(Spot {
                lat: hundredths(lats, index, count, 9_000).ok_or(PackError::Damaged("latitudes"))?,
                lon: hundredths(lons, index, count, 18_000).ok_or(PackError::Damaged("longitudes"))?,
                group,
                size,
                has_flights: class % 2 == 1,
                name: added(&mut texts, &name, "names")?,
                city,
            });
        }
        // What is left over belongs to nobody.
        match (names.next(), cities.next(), lats.len() == 2 * count, lons.len() == 2 * count) {
            (None, None, true, true) => {}
            (Some(_), ..) => return Err(PackError::Damaged("names")),
            (_, Some(_), ..) => return Err(PackError::Damaged("cities")),
            (.., false, _) => return Err(PackError::Damaged("latitudes")),
            _ => return Err(PackError::Damaged("longitudes")),
        }
        let others = read_others(others, count)?;
        Ok(Self { zones, groups, spots, others, codes, texts: texts.into(), by_code })
    }

    /// The code of an airport by its index.
    pub fn code(&self, index: usize) -> Option<&str> {
        self.codes.get(3 * index..3 * index + 3)
    }

    /// The index of an airport by its code, in letters of any case.
    pub fn index_of(&self, code: &str) -> Option<usize> {
        let index = *self.by_code.get(number_of(code.as_bytes())?)?;
        (index != u16::MAX).then_some(usize::from(index))
    }

    /// A part of the texts.
    pub fn text(&self, range: &Range<u32>) -> Option<&str> {
        self.texts.get(as_usize(range))
    }
}

fn as_usize(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// A text added to the others, and where it is.
fn added(texts: &mut String, text: &str, section: &'static str) -> Result<Range<u32>, PackError> {
    let wrong = PackError::Damaged(section);
    if text.is_empty() || text.len() > MOST_NAME || text.chars().any(char::is_control) {
        return Err(wrong);
    }
    let start = u32::try_from(texts.len()).map_err(|_| wrong)?;
    texts.push_str(text);
    Ok(start..u32::try_from(texts.len()).map_err(|_| wrong)?)
}

/// A name with what its bytes stand for.
fn whole(short: &str, city: &str) -> Option<String> {
    let mut name = String::new();
    for letter in short.chars() {
        match u32::from(letter) {
            1 => name.push_str(city),
            byte @ 2..8 => name.push_str(ENDS.get(byte as usize - 2)?),
            _ => name.push(letter),
        }
        if name.len() > MOST_NAME {
            return None;
        }
    }
    Some(name)
}

/// A code as a number below [`CODES`].
fn number_of(code: &[u8]) -> Option<usize> {
    let [a, b, c] = <[u8; 3]>::try_from(code).ok()?.map(|letter| letter.to_ascii_uppercase());
    let is_code = [a, b, c].iter().all(u8::is_ascii_uppercase);
    is_code.then(|| [a, b, c].iter().fold(0, |number, letter| number * 26 + usize::from(letter - b'A')))
}

/// The codes, and the airport of each.
fn read_codes(bytes: &[u8], count: usize) -> Result<(Box<str>, Vec<u16>), PackError> {
    let wrong = PackError::Damaged("codes");
    let codes = std::str::from_utf8(bytes).map_err(|_| wrong)?;
    if bytes.len() != 3 * count || bytes.iter().any(|letter| !letter.is_ascii_uppercase()) {
        return Err(wrong);
    }
    let mut by_code = vec![u16::MAX; CODES];
    for (index, code) in (0..).zip(bytes.as_chunks::<3>().0) {
        let place = number_of(code).and_then(|number| by_code.get_mut(number)).ok_or(wrong)?;
        // There are fewer codes than a u16 counts, and no code is twice.
        if *place != u16::MAX {
            return Err(wrong);
        }
        *place = index;
    }
    Ok((codes.into(), by_code))
}

/// The groups, and the group of each airport.
fn read_groups(bytes: &[u8], zones: usize, count: usize) -> Result<(Vec<Group>, Vec<u16>), PackError> {
    let wrong = PackError::Damaged("groups");
    let (mut groups, mut of_airport) = (Vec::new(), Vec::with_capacity(count));
    let mut numbers = Numbers(bytes);
    while let Some((country, rest)) = numbers.0.split_at_checked(2) {
        numbers = Numbers(rest);
        let is_code = country.iter().all(u8::is_ascii_uppercase);
        let country = std::str::from_utf8(country).ok().filter(|_| is_code).ok_or(wrong)?;
        let zone = numbers.next().and_then(|zone| u16::try_from(zone).ok()).ok_or(wrong)?;
        let many = numbers.next().and_then(|many| usize::try_from(many).ok()).ok_or(wrong)?;
        if usize::from(zone) >= zones || many > count - of_airport.len() {
            return Err(wrong);
        }
        let group = u16::try_from(groups.len()).map_err(|_| wrong)?;
        groups.push(Group { country: country.into(), zone });
        of_airport.extend(std::iter::repeat_n(group, many));
    }
    if numbers.is_empty() && of_airport.len() == count { Ok((groups, of_airport)) } else { Err(wrong) }
}

/// A coordinate of a section in hundredths of a degree, where it is not beyond `most`.
fn hundredths(section: &[u8], index: usize, count: usize, most: i32) -> Option<i16> {
    let at = i32::from(u16::from_le_bytes([*section.get(index)?, *section.get(count + index)?])) - most;
    (-most..=most).contains(&at).then(|| i16::try_from(at).ok())?
}
