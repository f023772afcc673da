//! What a row may hold, whoever filled it: a tool's arguments and a file go through the same checks. What can be put right without a
//! loss is (spaces, hidden characters), what cannot is refused in a sentence that says what is allowed.

use dates::iso::read_day;
use mcp::{is_hidden, one_line};

use crate::assumed::Assumptions;
use crate::model::{Accepted, Itinerary, MAX_TRAVELLERS, Place, Segment, Traveller, When};
use crate::money::Money;
use crate::profile::{Known, Profile};

/// The most characters of a title or a name.
pub(crate) const MAX_TITLE: usize = 200;
/// The most characters of a note.
pub(crate) const MAX_NOTE: usize = 4_000;
/// The most characters of an address, and of opening hours.
const MAX_LINK: usize = 500;
/// The most of a list in a row: links, dependencies, visas, destinations, interests.
pub(crate) const MAX_LISTED: usize = 30;
/// The most characters of a word: a carrier, a code.
const MAX_WORD: usize = 80;
/// The most rooms, and people in one.
const MAX_ROOMS: u32 = 500;
/// The most minutes or kilometres an hour of an assumption.
const MAX_ASSUMED: u32 = 2_000;

/// The result of a check: what is wrong, in a sentence.
pub(crate) type Checked<T = ()> = Result<T, String>;

/// A text in one line, at most so long; it may be empty.
fn line(text: &mut String, what: &str, most: usize) -> Checked {
    *text = one_line(text);
    let count = text.chars().count();
    if count > most {
        return Err(format!("The {what} has {count} characters; at most {most} are allowed. Shorten it."));
    }
    Ok(())
}

/// The same that must say something.
fn named(text: &mut String, what: &str, most: usize) -> Checked {
    line(text, what, most)?;
    if text.is_empty() { Err(format!("The {what} is empty: say what it is called.")) } else { Ok(()) }
}

/// Lines and tabs stay, other control characters go.
fn note(text: &mut String) -> Checked {
    let unix = text.replace("\r\n", "\n").replace('\r', "\n");
    let visible = unix.chars().filter(|letter| matches!(letter, '\n' | '\t') || !is_hidden(*letter));
    *text = visible.collect::<String>().trim().to_owned();
    let count = text.chars().count();
    if count > MAX_NOTE {
        return Err(format!("The note has {count} characters; at most {MAX_NOTE} are allowed. Shorten it."));
    }
    Ok(())
}

fn lines(texts: &mut Vec<String>, what: &str) -> Checked {
    if texts.len() > MAX_LISTED {
        return Err(format!("There are {} {what}; at most {MAX_LISTED} are allowed.", texts.len()));
    }
    for text in texts.iter_mut() {
        line(text, what, MAX_TITLE)?;
    }
    texts.retain(|text| !text.is_empty());
    Ok(())
}

/// A day, `2026-06-15`.
pub(crate) fn day(text: &mut String, what: &str) -> Checked {
    *text = one_line(text);
    if text.len() == 10 && read_day(text).is_some() {
        return Ok(());
    }
    Err(format!("The {what} {} is no day: write it like 2026-06-15.", shown(text)))
}

/// A day that may be left open.
fn optional_day(text: &mut Option<String>, what: &str) -> Checked {
    text.as_mut().map_or(Ok(()), |text| day(text, what))
}

/// A country's two letters, in capitals; empty for none.
pub(crate) fn country(code: &mut String, of: &str) -> Checked {
    *code = one_line(code).to_ascii_uppercase();
    let is_code = code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_uppercase());
    if code.is_empty() || is_code {
        return Ok(());
    }
    Err(format!("The country of {of}, {}, must be two letters of ISO 3166, like FR.", shown(code)))
}

/// A currency's three letters, in capitals; empty for none.
pub(crate) fn currency(code: &mut String) -> Checked {
    *code = one_line(code).to_ascii_uppercase();
    let is_code = code.len() == 3 && code.bytes().all(|letter| letter.is_ascii_uppercase());
    if code.is_empty() || is_code {
        return Ok(());
    }
    Err(format!("The currency {} must be three letters of ISO 4217, like EUR.", shown(code)))
}

/// A name of the IANA database by its form: whether there is such a zone is the atlas's to say.
pub(crate) fn zone(name: &mut String) -> Checked {
    *name = one_line(name);
    let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || b"_+-/".contains(&letter);
    if name.len() <= 64 && name.bytes().all(is_letter) {
        return Ok(());
    }
    Err(format!("The time zone {} must be a name like Europe/Paris.", shown(name)))
}

/// A moment or a day, with its zone.
pub(crate) fn when(when: &mut When, what: &str) -> Checked {
    when.at = one_line(&when.at).replacen(' ', "T", 1);
    zone(&mut when.zone)?;
    if let Some(civil) = when.civil() {
        // Seconds are nothing a person plans by, and one way of writing keeps files comparable.
        when.at = civil_text(civil);
        return Ok(());
    }
    if when.is_all_day() {
        return Ok(());
    }
    let at = shown(&when.at);
    Err(format!(
        "The {what} {at} cannot be read: write a day like 2026-06-15 or a time like 2026-06-15T09:00, as the clock there shows it."
    ))
}

/// `2026-06-15T09:00`.
pub(crate) fn civil_text(civil: jiff::civil::DateTime) -> String {
    format!("{}T{:02}:{:02}", dates::iso::day_text(civil.date()), civil.hour(), civil.minute())
}

/// A text for a message about it: one line, not longer than a line.
pub(crate) fn shown(text: &str) -> String {
    domain::quoted(&one_line(text))
}

pub(crate) fn place(place: &mut Place) -> Checked {
    named(&mut place.name, "place’s name", MAX_TITLE)?;
    line(&mut place.city, "city", MAX_TITLE)?;
    country(&mut place.country, &shown(&place.name))?;
    zone(&mut place.zone)?;
    place.iata = one_line(&place.iata).to_ascii_uppercase();
    let is_code = place.iata.len() == 3 && place.iata.bytes().all(|letter| letter.is_ascii_uppercase());
    if !place.iata.is_empty() && !is_code {
        return Err(format!("The airport code {} must be three letters, like CDG.", shown(&place.iata)));
    }
    match (place.lat, place.lon) {
        (None, None) => Ok(()),
        _ if place.spot().is_some() => Ok(()),
        _ => Err(format!(
            "The coordinates of {} must be a latitude from -90 to 90 and a longitude from -180 to 180.",
            shown(&place.name)
        )),
    }
}

pub(crate) fn money(money: &mut Money) -> Checked {
    currency(&mut money.currency)?;
    if money.currency.is_empty() {
        return Err("A sum needs its currency: three letters of ISO 4217, like EUR.".into());
    }
    if !(0..=1_000_000_000_000_000).contains(&money.minor) {
        return Err("A sum may be 0 to 1,000,000,000,000 and no less.".into());
    }
    Ok(())
}

/// Whether a text is an address of a page, as a row has them.
pub(crate) fn is_link(link: &str) -> bool {
    let is_address = link.starts_with("https://") || link.starts_with("http://");
    is_address && !link.contains([' ', '"', '<', '>']) && link.chars().count() <= MAX_LINK
}

fn accepted(all: &mut [Accepted]) -> Checked {
    if all.len() > MAX_LISTED {
        return Err(format!("At most {MAX_LISTED} findings can be accepted."));
    }
    for one in all {
        let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || b"_-".contains(&letter);
        if !(1..=60).contains(&one.rule.len()) || !one.rule.bytes().all(is_letter) {
            return Err(format!("{} is no rule: give the rule of a finding.", shown(&one.rule)));
        }
        named(&mut one.why, "reason why it is so on purpose", MAX_TITLE)?;
        lines(&mut one.of, "things that a finding was accepted of")?;
    }
    Ok(())
}

fn assumptions(assumed: &Assumptions) -> Checked {
    let Assumptions {
        connection_domestic_min,
        connection_international_min,
        before_flight_min,
        leave_airport_min,
        walking_kmh,
        driving_kmh,
        rail_kmh,
        room_sleeps,
    } = assumed;
    let minutes =
        [connection_domestic_min, connection_international_min, before_flight_min, leave_airport_min];
    let others = [walking_kmh, driving_kmh, rail_kmh, room_sleeps];
    // Nobody gets anywhere at 0 km/h.
    let is_wrong = minutes.iter().any(|minutes| minutes.is_some_and(|minutes| minutes > MAX_ASSUMED))
        || others.iter().any(|other| other.is_some_and(|other| !(1..=MAX_ASSUMED).contains(&other)));
    if is_wrong {
        return Err(format!("An assumption may be 1 to {MAX_ASSUMED}, minutes also 0."));
    }
    Ok(())
}

pub(crate) fn traveller(traveller: &mut Traveller) -> Checked {
    named(&mut traveller.name, "traveller’s name", MAX_WORD)?;
    optional_day(&mut traveller.born, "day of birth")?;
    let name = shown(&traveller.name);
    if let Some(passport) = &mut traveller.passport {
        country(&mut passport.country, &format!("the passport of {name}"))?;
        day(&mut passport.valid_until, "last day of the passport")?;
    }
    if traveller.visas.len() > MAX_LISTED {
        return Err(format!("A traveller may have {MAX_LISTED} visas."));
    }
    for visa in &mut traveller.visas {
        country(&mut visa.country, &format!("a visa of {name}"))?;
        if !visa.valid_from.is_empty() {
            day(&mut visa.valid_from, "first day of the visa")?;
        }
        day(&mut visa.valid_until, "last day of the visa")?;
    }
    Ok(())
}

pub(crate) fn itinerary(itinerary: &mut Itinerary) -> Checked {
    named(&mut itinerary.title, "title", MAX_TITLE)?;
    optional_day(&mut itinerary.start, "first day")?;
    optional_day(&mut itinerary.end, "last day")?;
    if let (Some(start), Some(end)) = (&itinerary.start, &itinerary.end)
        && start > end
    {
        return Err(format!("The trip would end on {end}, before it begins on {start}: give both days."));
    }
    itinerary.home.as_mut().map_or(Ok(()), place)?;
    lines(&mut itinerary.destinations, "destinations")?;
    currency(&mut itinerary.currency)?;
    itinerary.budget.as_mut().map_or(Ok(()), money)?;
    if itinerary.travellers.len() > MAX_TRAVELLERS {
        return Err(format!("At most {MAX_TRAVELLERS} travellers can be on an itinerary."));
    }
    itinerary.travellers.iter_mut().try_for_each(traveller)?;
    assumptions(&itinerary.assumptions)?;
    accepted(&mut itinerary.accepted)?;
    note(&mut itinerary.note)
}

pub(crate) fn segment(segment: &mut Segment) -> Checked {
    named(&mut segment.title, "title", MAX_TITLE)?;
    segment.start.as_mut().map_or(Ok(()), |start| when(start, "start"))?;
    segment.end.as_mut().map_or(Ok(()), |end| when(end, "end"))?;
    for place in [&mut segment.from, &mut segment.to, &mut segment.place].into_iter().flatten() {
        self::place(place)?;
    }
    segment.cost.as_mut().map_or(Ok(()), money)?;
    line(&mut segment.code, "confirmation code", MAX_WORD)?;
    line(&mut segment.carrier, "carrier", MAX_WORD)?;
    line(&mut segment.number, "number", MAX_WORD)?;
    line(&mut segment.opening, "opening hours", MAX_LINK)?;
    line(&mut segment.source, "source", MAX_WORD)?;
    line(&mut segment.came, "hash of its event", MAX_WORD)?;
    if segment.links.len() > MAX_LISTED {
        return Err(format!("At most {MAX_LISTED} links are allowed."));
    }
    for link in &mut segment.links {
        line(link, "link", MAX_LINK)?;
        if !is_link(link) {
            return Err(format!("{} is no link: it begins with https://.", shown(link)));
        }
    }
    for (count, what) in [(segment.sleeps, "sleeps"), (segment.rooms, "rooms")] {
        if count.is_some_and(|count| !(1..=MAX_ROOMS).contains(&count)) {
            return Err(format!("{what} may be 1 to {MAX_ROOMS}."));
        }
    }
    if segment.who.len() > MAX_TRAVELLERS || segment.depends_on.len() > MAX_LISTED {
        return Err(format!(
            "A segment may have {MAX_TRAVELLERS} travellers and hang on {MAX_LISTED} others."
        ));
    }
    accepted(&mut segment.accepted)?;
    note(&mut segment.note)
}

pub(crate) fn profile(profile: &mut Profile) -> Checked {
    fn known<T>(known: &mut Option<Known<T>>, value: impl FnOnce(&mut T) -> Checked) -> Checked {
        let Some(known) = known else { return Ok(()) };
        named(&mut known.said, "text it was taken from", MAX_LINK)?;
        if !(0.0..=1.0).contains(&known.confidence) {
            return Err("A confidence may be 0 to 1.".into());
        }
        value(&mut known.value)
    }
    known(&mut profile.travelers, |count| {
        let is_number = (1..=1_000).contains(count);
        if is_number { Ok(()) } else { Err("The number of travellers may be 1 to 1000.".into()) }
    })?;
    known(&mut profile.kinds, |_| Ok(()))?;
    known(&mut profile.destination, |names| lines(names, "destinations"))?;
    known(&mut profile.origin, |name| named(name, "origin", MAX_TITLE))?;
    known(&mut profile.dates, |dates| {
        for (text, what) in [(&mut dates.start, "first day"), (&mut dates.end, "last day")] {
            if !text.is_empty() {
                day(text, what)?;
            }
        }
        if dates.nights.is_some_and(|nights| nights > 1_000) {
            return Err("nights may be 0 to 1000.".into());
        }
        line(&mut dates.around, "time of the year", MAX_TITLE)
    })?;
    known(&mut profile.budget, money)?;
    known(&mut profile.accommodation, |name| named(name, "accommodation", MAX_TITLE))?;
    known(&mut profile.interests, |names| lines(names, "interests"))?;
    known(&mut profile.pace, |_| Ok(()))?;
    known(&mut profile.diet, |names| lines(names, "words about food"))?;
    known(&mut profile.mobility, |names| lines(names, "words about getting about"))
}
