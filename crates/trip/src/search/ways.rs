//! Flights and transfers of the demo catalogue: invented, with times that distance and zones allow. What differs from query to query comes
//! from a hash of it.

use dates::calendar::{minutes_later, utc};
use dates::iso::{read_day, read_moment};
use domain::{counted, quoted};
use jiff::civil::{DateTime, Time};
use places::Zone;

use super::catalogue::{Airport, City, airport_in, cities, city_in, names};
use super::demo::{dollars, id};
use super::{DEMO, Found, Query, Results, capital};
use crate::atlas::{Atlas, kilometres, look_up};
use crate::clean::civil_text;
use crate::days::{day_said, minutes_said};
use crate::model::{Kind, Mode, Place, When};

/// Invented airlines.
const AIRLINES: [&str; 3] = ["Demo Air", "Sample Airways", "Example Wings"];

/// From here on a cheaper flight has a stop, in kilometres.
const STOP_FROM_KM: f64 = 1_500.0;

/// What is nearer is no flight, in kilometres.
const NEAREST_KM: f64 = 60.0;

/// The farthest that is gone by train or bus, in kilometres.
const FARTHEST_KM: f64 = 900.0;

/// A number that is always the same for a text (FNV-1a).
pub(super) fn seed(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// A number of a distance, not less than nothing.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "distances on the Earth, times a small number"
)]
fn whole(number: f64) -> u64 {
    number.clamp(0.0, 1e9).round() as u64
}

/// The airport that is meant.
fn airport(text: &str, atlas: &dyn Atlas) -> Result<Place, String> {
    if let Some((city, airport)) = airport_in(text, true, atlas) {
        return Ok(city.airport(airport));
    }
    let found = look_up(atlas, text, None);
    if !found.iata.is_empty() && found.spot().is_some() && !found.zone.is_empty() {
        return Ok(found);
    }
    // A town without an airport of its own has the one of a city nearby.
    let near = found.spot().and_then(|spot| {
        let all = cities().iter().flat_map(|city| city.airports.iter().map(move |airport| (city, airport)));
        let km = |airport: &Airport| kilometres(spot, airport.spot);
        let nearest = all.min_by(|(_, one), (_, other)| km(one).total_cmp(&km(other)));
        nearest.filter(|(_, airport)| km(airport) < NEAREST_KM * 2.0)
    });
    near.map(|(city, airport)| city.airport(airport)).ok_or_else(|| {
        let text = quoted(&mcp::one_line(text));
        format!("The demo catalogue has no airport for {text}. It knows those of {}.", names())
    })
}

pub(super) fn flights(query: &Query, atlas: &dyn Atlas, checked_at: &str) -> Result<Results, String> {
    let (from, to) = (airport(&query.from, atlas)?, airport(&query.to, atlas)?);
    let mut results = Results::default();
    if query.travelers.is_none() {
        results.assumed.push("One person, since nobody said how many.".to_owned());
    }
    if read_day(&query.start).is_none() {
        results.assumed.push("No day was said: the times are those of most days.".to_owned());
    }
    results.found = flights_of(query, (&from, &to), checked_at)?;
    if !query.end.is_empty() {
        let back = Query {
            from: query.to.clone(),
            to: query.from.clone(),
            start: query.end.clone(),
            end: String::new(),
            ..query.clone()
        };
        results.found.extend(flights_of(&back, (&to, &from), checked_at)?);
    }
    Ok(results)
}

fn flights_of(query: &Query, (from, to): (&Place, &Place), checked_at: &str) -> Result<Vec<Found>, String> {
    let km = from.spot().zip(to.spot()).map_or(0.0, |(from, to)| kilometres(from, to));
    if km < NEAREST_KM {
        return Err(format!(
            "{} and {} are too near for a flight: search_transfers has ways on the ground.",
            from.name, to.name
        ));
    }
    let day = read_day(&query.start);
    let seed = seed(&format!("{}{}{}", from.iata, to.iata, query.start.get(..10).unwrap_or(&query.start)));
    let people = query.travelers.unwrap_or(1);
    let kept = Query { end: String::new(), nights: None, rooms: None, ..query.clone() };
    let mut all = Vec::new();
    for number in 0_u32..3 {
        let own = seed.rotate_left(number * 9);
        let has_stop = number == 1 && km > STOP_FROM_KM;
        // 810 km/h, and half an hour of taxiing and climbing; a stop takes from 95 minutes to two and a half hours.
        let stop = if has_stop { u64::from(95 + own % 12 * 5) } else { 0 };
        let minutes = (whole(35.0 + km / 13.5) + stop).div_ceil(5) * 5;
        let departs =
            [390, 660, 1_020].get(number as usize).copied().unwrap_or(390) + i64::from(own % 37) * 5;
        let each = whole(
            (45.0 + km * 0.075)
                * f64::from([115, if has_stop { 72 } else { 90 }, 98][number as usize % 3] + own % 16)
                / 100.0,
        );
        let price = dollars(each * u64::from(people));
        // Of no day in particular only the clock is told: of a month the one of its first day, since clocks change in a year.
        let of_month = || read_day(&format!("{}-01", query.start)).filter(|_| query.start.len() == 7);
        let time = day.or_else(of_month).unwrap_or_else(|| utc(0).date()).to_datetime(Time::midnight());
        let at = minutes_later(time, departs).unwrap_or(time);
        let lands = arrival(at, minutes, &from.zone, &to.zone);
        let carrier = AIRLINES[number as usize % AIRLINES.len()];
        let flight = format!("DEMO{}", 100 + own % 800);
        let is_overnight = lands.is_some_and(|lands| lands.date() > at.date());
        let clock = |at: DateTime| format!("{:02}:{:02}", at.hour(), at.minute());
        let arrives = lands.map_or(String::new(), |lands| {
            let later = if is_overnight { ", a day later" } else { "" };
            format!(", arrives at {}{later}", clock(lands))
        });
        let on = day.map_or(String::new(), |day| format!(" on {}", day_said(day)));
        let stops = if has_stop { "one stop" } else { "no stop" };
        let text = format!(
            "Demo result: {carrier} {flight} from {} ({}) to {} ({}){on}: departs at {}{arrives} local time, {} with {stops}. {} for {}. \
             Invented: no such flight is for sale.",
            from.city,
            from.iata,
            to.city,
            to.iata,
            clock(at),
            minutes_said(i64::try_from(minutes).unwrap_or(0)),
            price.text(),
            counted(people as usize, "person", "people"),
        );
        let mut pros = vec![];
        let mut cons = vec![];
        if has_stop {
            cons.push("one stop".to_owned())
        } else {
            pros.push("no stop".to_owned())
        }
        if number == 1 {
            pros.push("the cheapest of the day".to_owned());
        }
        if departs < 450 {
            cons.push("an early start".to_owned());
        }
        if is_overnight {
            cons.push("arrives a day later".to_owned());
        }
        let title = format!("{} to {}", from.city, to.city);
        let found = Found::new(id(&kept, number as usize), Kind::Flight, title, DEMO, checked_at);
        all.push(Found {
            text,
            price: Some(price),
            pros,
            cons,
            why: ["the earliest", "the best price", "leaves the day free"][number as usize % 3].to_owned(),
            from: Some(from.clone()),
            to: Some(to.clone()),
            start: day.map(|_| When::new(civil_text(at), from.zone.clone())),
            end: day.and(lands).map(|lands| When::new(civil_text(lands), to.zone.clone())),
            carrier: carrier.to_owned(),
            number: flight,
            ..found
        });
    }
    Ok(all)
}

/// What the clock at the other end shows so many minutes later.
fn arrival(at: DateTime, minutes: u64, from: &str, to: &str) -> Option<DateTime> {
    let (from, to) = (Zone::named(from)?, Zone::named(to)?);
    Some(to.civil(from.instant(at).utc().checked_add(i64::try_from(minutes.checked_mul(60)?).ok()?)?))
}

/// A way on the ground: how, how many minutes, and dollars for all.
type Way = (Mode, u64, u64);

pub(super) fn transfers(query: &Query, atlas: &dyn Atlas, checked_at: &str) -> Result<Results, String> {
    let mut results = Results::default();
    let people = u64::from(query.travelers.unwrap_or(1));
    if query.travelers.is_none() {
        results.assumed.push("One person, since nobody said how many.".to_owned());
    }
    let ends = (airport_in(&query.from, false, atlas), airport_in(&query.to, false, atlas));
    let (from, to, ways) = match ends {
        (Some((city, airport)), None) => {
            let to = place(&query.to, Some(city), atlas)?;
            let from = city.airport(airport);
            let ways = of_airport(airport, &to, people);
            (from, to, ways)
        }
        (None, Some((city, airport))) => {
            let from = place(&query.from, Some(city), atlas)?;
            let to = city.airport(airport);
            let ways = of_airport(airport, &from, people);
            (from, to, ways)
        }
        (Some((city, one)), Some((other_city, other))) => {
            (city.airport(one), other_city.airport(other), None)
        }
        (None, None) => (place(&query.from, None, atlas)?, place(&query.to, None, atlas)?, None),
    };
    let ways = match ways {
        Some(ways) => ways,
        None => by_distance(&from, &to, people)?,
    };
    let kept = Query { end: String::new(), nights: None, rooms: None, ..query.clone() };
    for (number, way) in ways.into_iter().enumerate() {
        let found = Found::new(id(&kept, number), Kind::Transfer, title(way.0, &from, &to), DEMO, checked_at);
        results.found.push(transfer(found, way, (&from, &to), query));
    }
    Ok(results)
}

fn title(mode: Mode, from: &Place, to: &Place) -> String {
    let short = |place: &Place| if place.iata.is_empty() { place.name.clone() } else { place.iata.clone() };
    format!("{} from {} to {}", capital(mode.word()), short(from), short(to))
}

/// A place that one goes to or comes from. Near an airport, what nobody knows is in its city.
fn place(text: &str, near: Option<&'static City>, atlas: &dyn Atlas) -> Result<Place, String> {
    let name = mcp::one_line(text);
    let wanted = name.to_lowercase();
    let in_city = |city: &&'static City| near.is_none_or(|near| near.name == city.name);
    for city in cities().iter().filter(in_city) {
        let hotels = city.hotels.iter().map(|hotel| (hotel.name, hotel.spot));
        let sights = city.sights.iter().map(|sight| (sight.name, sight.spot));
        if let Some((name, spot)) =
            hotels.chain(sights).find(|(name, _)| wanted.contains(&name.to_lowercase()))
        {
            return Ok(city.place(name, spot));
        }
    }
    let known = look_up(atlas, &name, near.map(|city| city.spot));
    let is_near = |place: &Place| {
        near.is_none_or(|city| {
            place.spot().is_some_and(|spot| kilometres(spot, city.spot) < NEAREST_KM * 2.0)
        })
    };
    if known.spot().is_some() && is_near(&known) {
        return Ok(known);
    }
    match near.or_else(|| city_in(&name, atlas)) {
        Some(city) if !name.is_empty() => Ok(city.place(&name, city.spot)),
        _ => Err(format!(
            "{} is not known: say it with its city, or as an airport’s three letters.",
            quoted(&name)
        )),
    }
}

/// Ways between an airport and its city; none where the other end is elsewhere.
fn of_airport(airport: &Airport, other: &Place, people: u64) -> Option<Vec<Way>> {
    let is_near = other.spot().is_none_or(|spot| kilometres(spot, airport.spot) < NEAREST_KM * 1.5);
    is_near.then(|| {
        let cost = |mode: Mode, dollars: u32| {
            u64::from(dollars) * if mode == Mode::Taxi { people.div_ceil(4) } else { people }
        };
        airport
            .ways
            .iter()
            .map(|(mode, minutes, dollars)| (*mode, u64::from(*minutes), cost(*mode, *dollars)))
            .collect()
    })
}

/// Ways between any two places.
fn by_distance(from: &Place, to: &Place, people: u64) -> Result<Vec<Way>, String> {
    let Some((one, other)) = from.spot().zip(to.spot()) else {
        return Err("It is not known where one of the two is: say it with its city.".to_owned());
    };
    // Roads and rails are about a third longer than the way of a crow.
    let km = kilometres(one, other) * 1.3;
    if km <= NEAREST_KM {
        let walk = (km <= 3.0).then(|| (Mode::Walk, whole(km * 15.0).max(1), 0));
        let metro = (Mode::Metro, whole(8.0 + km * 3.0), 3 * people);
        let taxi = (Mode::Taxi, whole(5.0 + km * 2.4), whole(5.0 + km * 1.7) * people.div_ceil(4));
        return Ok(walk.into_iter().chain([metro, taxi]).collect());
    }
    // Whether there is water between two countries is not known here.
    if km > FARTHEST_KM || from.country != to.country || from.country.is_empty() {
        let (from, to) = (quoted(&from.name), quoted(&to.name));
        return Err(format!(
            "The demo catalogue has no way on the ground from {from} to {to}: search_flights may have one."
        ));
    }
    Ok(vec![
        (Mode::Train, whole(20.0 + km / 2.2), whole(10.0 + km * 0.14) * people),
        (Mode::Bus, whole(20.0 + km / 1.25), whole(6.0 + km * 0.06) * people),
    ])
}

fn transfer(found: Found, (mode, minutes, cost): Way, (from, to): (&Place, &Place), query: &Query) -> Found {
    // A train goes every quarter of an hour, a taxi when one comes.
    let wait = if matches!(mode, Mode::Taxi | Mode::Walk) { 1 } else { 15 };
    let sets_out = read_moment(&query.start).and_then(|at| {
        let past = i64::from(at.minute()) % wait;
        minutes_later(at, (wait - past) % wait)
    });
    let arrives = sets_out.and_then(|at| {
        arrival(at, minutes, &from.zone, &to.zone).or_else(|| minutes_later(at, i64::try_from(minutes).ok()?))
    });
    let day = read_day(&query.start).map(|day| When::new(dates::iso::day_text(day), from.zone.clone()));
    let (pro, con) = match mode {
        Mode::Taxi => ("from door to door", "takes longer in traffic"),
        Mode::Train => ("no traffic", "luggage on stairs"),
        Mode::Bus => ("the cheapest seat", "takes longer in traffic"),
        Mode::Walk => ("costs nothing", "not with luggage"),
        _ => ("often, and cheap", "crowded in the morning"),
    };
    let price = (cost > 0).then(|| dollars(cost));
    let at = sets_out.map_or(String::new(), |at| format!(" at {:02}:{:02}", at.hour(), at.minute()));
    let text = format!(
        "Demo result: {}{at}, about {}, {}. Invented, though about as it is.",
        found.title,
        minutes_said(i64::try_from(minutes).unwrap_or(0)),
        price.as_ref().map_or_else(|| "free".to_owned(), crate::Money::text),
    );
    Found {
        text,
        price,
        pros: vec![pro.to_owned()],
        cons: vec![con.to_owned()],
        why: pro.to_owned(),
        from: Some(from.clone()),
        to: Some(to.clone()),
        start: sets_out.map(|at| When::new(civil_text(at), from.zone.clone())).or(day),
        end: arrives.map(|at| When::new(civil_text(at), to.zone.clone())),
        mode: Some(mode),
        carrier: if mode == Mode::Walk { String::new() } else { "Demo transfers".to_owned() },
        ..found
    }
}
