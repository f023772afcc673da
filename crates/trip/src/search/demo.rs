//! The demo catalogue as a source: hotels, and what is told of a city. Ways are in `ways`.
//!
//! It is a function of the query: the same one has the same answer, and an id has the query in it, so that what was found can be added later
//! without having been kept.

use dates::calendar::{days_between, days_later};
use dates::iso::{day_text, read_day};
use domain::counted;
use jiff::civil::Date;

use super::catalogue::{CONS, City, PROS, city_in, names, words};
use super::{DEMO, Found, Query, Results, SearchSource, What, ways};
use crate::atlas::Atlas;
use crate::model::{Kind, When};
use crate::money::Money;

/// The currency of all prices.
const DOLLARS: &str = "USD";

/// Nights where nobody said how many.
const USUAL_NIGHTS: u32 = 7;

/// The most nights that have a price.
const MAX_NIGHTS: u32 = 365;

/// The most people that are looked for.
pub(super) const MAX_PEOPLE: u32 = 50;

/// What of 100 a night of June costs in each month, north of the tropics.
const MONTHS: [u32; 12] = [75, 75, 85, 95, 100, 100, 105, 105, 100, 95, 80, 90];

/// Notes of a city are numbered from here, behind its sights.
const NOTES: usize = 100;

/// The catalogue that ships.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demo;

impl SearchSource for Demo {
    fn name(&self) -> &'static str {
        DEMO
    }

    fn search(&self, query: &Query, atlas: &dyn Atlas, checked_at: &str) -> Result<Results, String> {
        if query.travelers.is_some_and(|count| !(1..=MAX_PEOPLE).contains(&count)) {
            return Err(format!("travelers may be 1 to {MAX_PEOPLE}."));
        }
        let mut results = all(query, atlas, checked_at)?;
        let wanted: Vec<String> = query.style.iter().map(|word| word.to_lowercase()).collect();
        // What has more of what is wanted comes first; of two that have as much, the catalogue's order stays.
        let lacks = |found: &Found| {
            let told = found.text.to_lowercase();
            wanted.iter().filter(|word| !told.contains(word.as_str())).count()
        };
        if query.what != What::Web {
            order::sort_by_key(&mut results.found, lacks);
        }
        within_budget(query, &mut results);
        Ok(results)
    }

    fn again(
        &self,
        id: &str,
        (start, end): (Option<&str>, Option<&str>),
        atlas: &dyn Atlas,
        checked_at: &str,
    ) -> Result<Option<Found>, String> {
        let Some((mut query, number)) = query_of(id) else { return Ok(None) };
        let same = |found: &Found| number_of(&found.id) == Some(number);
        if query.what == What::Hotels {
            let day = |text: &str| text.get(..10).unwrap_or(text).to_owned();
            if let Some(start) = start {
                query.start = day(start);
                if let (Some(from), Some(to), None) = (read_day(&query.start), end, query.nights) {
                    query.nights = read_day(to).and_then(|to| nights_between(from, to));
                }
            }
            if let (Some(from), Some(to)) = (read_day(&query.start), end.and_then(read_day)) {
                query.nights = nights_between(from, to);
            }
            query.end = String::new();
        } else if let Some(start) = start {
            start.clone_into(&mut query.start);
        }
        Ok(all(&query, atlas, checked_at)?.found.into_iter().find(same))
    }
}

/// All that there is for a query, whatever it costs.
fn all(query: &Query, atlas: &dyn Atlas, checked_at: &str) -> Result<Results, String> {
    match query.what {
        What::Hotels => hotels(query, atlas, checked_at),
        What::Flights => ways::flights(query, atlas, checked_at),
        What::Transfers => ways::transfers(query, atlas, checked_at),
        What::Web => web(query, atlas, checked_at),
    }
}

/// Takes out what costs more than the budget. Where nothing is left, the cheapest stays and says by how much it is above.
fn within_budget(query: &Query, results: &mut Results) {
    let Some(budget) = &query.budget else { return };
    if budget.currency != DOLLARS {
        let currency = &budget.currency;
        results.assumed.push(format!(
            "Prices of the demo catalogue are in {DOLLARS}; the budget in {currency} was not compared, since no exchange rate is known here."
        ));
        return;
    }
    let cost = |found: &Found| found.price.as_ref().map_or(0, |price| price.minor);
    let before = results.found.len();
    let cheapest = results.found.iter().min_by_key(|found| cost(found)).cloned();
    results.found.retain(|found| cost(found) <= budget.minor);
    results.above_budget = before - results.found.len();
    if let (true, Some(mut found)) = (results.found.is_empty(), cheapest) {
        let above = Money { minor: cost(&found).saturating_sub(budget.minor), currency: DOLLARS.to_owned() };
        found.cons.push(format!("{} above the budget", above.text()));
        results.found.push(found);
        results.above_budget -= 1;
    }
}

/// The city of a query.
fn city(query: &Query, atlas: &dyn Atlas) -> Result<&'static City, String> {
    city_in(&query.place, atlas).ok_or_else(|| {
        let place = domain::quoted(&mcp::one_line(&query.place));
        format!("The demo catalogue has nothing of {place}: it knows {}.", names())
    })
}

/// A sum of whole dollars.
pub(super) fn dollars(amount: u64) -> Money {
    let minor = i64::try_from(amount.saturating_mul(100)).unwrap_or(i64::MAX);
    Money { minor, currency: DOLLARS.to_owned() }
}

fn hotels(query: &Query, atlas: &dyn Atlas, checked_at: &str) -> Result<Results, String> {
    let city = city(query, atlas)?;
    let mut results = Results::default();
    let (start, end) = (read_day(&query.start), read_day(&query.end));
    let said =
        match (start, end) {
            (Some(start), Some(end)) => Some(nights_between(start, end).ok_or_else(|| {
                format!("A stay may be 1 to {MAX_NIGHTS} nights: the end is after the start.")
            })?),
            _ => query.nights,
        };
    let nights = said.unwrap_or(USUAL_NIGHTS);
    if !(1..=MAX_NIGHTS).contains(&nights) {
        return Err(format!("nights may be 1 to {MAX_NIGHTS}."));
    }
    if query.rooms.is_some_and(|rooms| !(1..=MAX_PEOPLE).contains(&rooms)) {
        return Err(format!("rooms may be 1 to {MAX_PEOPLE}."));
    }
    if said.is_none() {
        results.assumed.push(format!("{USUAL_NIGHTS} nights, since nobody said how many."));
    }
    if query.rooms.is_none() && query.travelers.is_none() {
        results.assumed.push("One room, since nobody said how many people.".to_owned());
    }
    let percent = percent(city, &query.start);
    for (number, hotel) in city.hotels.iter().enumerate() {
        let needed = query.travelers.map_or(1, |count| count.div_ceil(hotel.sleeps));
        let rooms = query.rooms.unwrap_or(needed);
        let exact = u64::from(hotel.week) * u64::from(nights) * u64::from(rooms) * u64::from(percent);
        // In tens, as prices are.
        let price = dollars((exact + 3_500) / 7_000 * 10);
        let beds = format!("for up to {} each", counted(hotel.sleeps as usize, "person", "people"));
        let text = format!(
            "Demo result: {} in {}, {}. {} for {} in {} ({beds}). Style: {}. The price is invented.",
            hotel.name,
            city.name,
            hotel.why,
            price.text(),
            counted(nights as usize, "night", "nights"),
            counted(rooms as usize, "room", "rooms"),
            hotel.style.replace(' ', ", "),
        );
        let kept = Query { nights: Some(nights), end: String::new(), ..query.clone() };
        let mut cons = words(CONS, hotel.cons);
        if u64::from(rooms) * u64::from(hotel.sleeps) < u64::from(query.travelers.unwrap_or(1)) {
            cons.push("too few beds for all".to_owned());
        }
        let found = Found::new(id(&kept, number), Kind::Hotel, hotel.name.to_owned(), DEMO, checked_at);
        let day = |day: Date| When::new(day_text(day), city.zone);
        results.found.push(Found {
            text,
            price: Some(price),
            pros: words(PROS, hotel.pros),
            cons,
            why: hotel.why.to_owned(),
            place: Some(city.place(hotel.name, hotel.spot)),
            start: start.map(day),
            end: start.and_then(|start| days_later(start, i64::from(nights))).map(day),
            sleeps: Some(hotel.sleeps),
            rooms: Some(rooms),
            ..found
        });
    }
    Ok(results)
}

/// The nights of a stay; none where it is none, or too long.
fn nights_between(start: Date, end: Date) -> Option<u32> {
    let nights = u32::try_from(days_between(start, end)).ok()?;
    (1..=MAX_NIGHTS).contains(&nights).then_some(nights)
}

/// What of 100 it costs when one goes: seasons are the other way round in the south, and none in the tropics.
fn percent(city: &City, start: &str) -> u32 {
    let month = start
        .get(5..7)
        .and_then(|month| month.parse::<usize>().ok())
        .filter(|month| (1..=12).contains(month));
    let Some(month) = month.filter(|_| city.spot.0.abs() > 24.0) else { return 100 };
    let month = if city.spot.0 < 0.0 { (month + 5) % 12 } else { month - 1 };
    MONTHS.get(month).copied().unwrap_or(100)
}

/// Sights and notes, those with the most of the words first.
fn web(query: &Query, atlas: &dyn Atlas, checked_at: &str) -> Result<Results, String> {
    let said = query.style.join(" ");
    let city =
        city_in(&query.place, atlas).or_else(|| city_in(&said, atlas).filter(|_| query.place.is_empty()));
    let Some(city) = city else {
        return Err(format!(
            "The demo catalogue has notes on {}. Say one of these cities as place.",
            names()
        ));
    };
    let wanted: Vec<String> = said
        .to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.chars().count() > 2 && !city.name.to_lowercase().contains(word))
        // Museums are found by museum.
        .map(|word| word.strip_suffix('s').unwrap_or(word).to_owned())
        .collect();
    let score = |text: &str| {
        let text = text.to_lowercase();
        wanted.iter().filter(|word| text.contains(word.as_str())).count()
    };
    let kept = |number: usize| {
        id(&Query { place: city.name.to_owned(), style: Vec::new(), ..query.clone() }, number)
    };
    let mut found: Vec<(usize, Found)> = Vec::new();
    for (number, sight) in city.sights.iter().enumerate() {
        let people = u64::from(query.travelers.unwrap_or(1));
        let price = dollars(u64::from(sight.price) * people);
        let cost = if sight.price == 0 {
            "free".to_owned()
        } else {
            format!("{} a person", dollars(sight.price.into()).text())
        };
        let text = format!(
            "Demo result: {} in {}: {}, about {}, {cost}. Open {} (check before you go).",
            sight.name,
            city.name,
            sight.style.replace(' ', ", "),
            crate::days::minutes_said(i64::from(sight.minutes)),
            sight.opening
        );
        let one = Found::new(kept(number), Kind::Activity, sight.name.to_owned(), DEMO, checked_at);
        let one = Found {
            place: Some(city.place(sight.name, sight.spot)),
            price: (sight.price > 0).then_some(price),
            opening: sight.opening.to_owned(),
            text,
            ..one
        };
        found.push((score(&one.text), one));
    }
    for (number, note) in city.notes.iter().enumerate() {
        let (title, rest) = note.split_once(": ").unwrap_or(("Note", note));
        let title = format!("{}: {title}", city.name);
        let one = Found::new(kept(NOTES + number), Kind::Note, title, DEMO, checked_at);
        let text = format!("Demo result, {}: {rest}", one.title);
        let one = Found { text, why: rest.to_owned(), place: Some(city.place(city.name, city.spot)), ..one };
        found.push((score(&one.text), one));
    }
    if !wanted.is_empty() && found.iter().any(|(score, _)| *score > 0) {
        found.retain(|(score, _)| *score > 0);
    }
    order::sort_by_key(&mut found, |(score, _)| usize::MAX - score);
    Ok(Results { found: found.into_iter().map(|(_, found)| found).collect(), ..Results::default() })
}

/// The id of a result: the query, and which one it is.
pub(super) fn id(query: &Query, number: usize) -> String {
    let plain = |text: &str| text.replace('|', " ");
    let count = |count: Option<u32>| count.map_or(String::new(), |count| count.to_string());
    [
        DEMO,
        query.what.word(),
        &plain(&query.place),
        &plain(&query.from),
        &plain(&query.to),
        &plain(&query.start),
        &count(query.nights),
        &count(query.travelers),
        &count(query.rooms),
        &number.to_string(),
    ]
    .join("|")
}

/// The query of an id, and the number; none for what is none of ours.
fn query_of(id: &str) -> Option<(Query, usize)> {
    let fields: Vec<&str> = id.split('|').collect();
    let [DEMO, what, place, from, to, start, nights, travelers, rooms, number] = fields.as_slice() else {
        return None;
    };
    let what = *What::ALL.iter().find(|known| known.word() == *what)?;
    let count = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
    let query = Query {
        place: (*place).to_owned(),
        from: (*from).to_owned(),
        to: (*to).to_owned(),
        start: (*start).to_owned(),
        nights: count(nights)?,
        travelers: count(travelers)?,
        rooms: count(rooms)?,
        ..Query::new(what)
    };
    let small = |count: Option<u32>| count.is_none_or(|count| (1..=MAX_PEOPLE).contains(&count));
    (small(query.travelers) && small(query.rooms)).then_some((query, number.parse().ok()?))
}

fn number_of(id: &str) -> Option<usize> {
    id.rsplit('|').next()?.parse().ok()
}
