//! Which half of the day an hour without one belongs to, by what is done then: dinner at 8 is in the evening, breakfast
//! at 6 in the morning. A half that was said is never changed.

use jiff::civil::{Time, time};

use crate::todo::attrs::Attrs;
use crate::verbs::DOING;

/// What is done in the evening.
const EVENING: &[&str] = &[
    "dinner", "supper", "drinks", "cocktails", "beers", "beer", "wine", "party", "parties", "concert",
    "concerts", "cinema", "theatre", "theater", "theatres", "movie", "movies", "film", "films", "opera",
    "ballet", "musical", "gig", "pub", "bar", "quiz", "bedtime", "fireworks", "nightclub", "clubbing",
    "disco", "recital", "nightcap", "prom", "gala", "banquet", "karaoke", "trivia", "afterparty", "vespers",
    "evening", "club", "choir", "rehearsal", "poker", "bingo", "dance", "dancing", "salsa", "tango",
    "restaurant", "bistro", "date", "stargazing", "bonfire", "show", "play", "screening", "premiere",
    "comedy",
];
/// What goes on late: ten is an hour of it too.
const LATE: &[&str] = &[
    "bedtime", "drinks", "cocktails", "beers", "concert", "gig", "clubbing", "nightclub", "disco",
    "fireworks", "nightcap", "afterparty", "karaoke",
];
/// What is done in the morning.
const MORNING: &[&str] = &["breakfast", "sunrise", "dawn", "alarm", "porridge", "commute"];
/// Verbs of errands: shops and offices are open by day, whatever is bought or asked for there.
const BY_DAY: &[&str] =
    &["go", "meet", "watch", "cook", "make", "prepare", "take", "get", "start", "do", "walk"];

/// Sets right the hours of a to-do that were guessed.
pub fn settle(title: &str, attrs: &mut Attrs) {
    if let Some(when) = attrs.when.as_mut().filter(|when| when.guessed) {
        when.time = when.time.map(|time| meant(title, time));
    }
    if let Some(repeat) = attrs.repeat.as_mut().filter(|repeat| repeat.guessed) {
        repeat.time = repeat.time.map(|time| meant(title, time));
    }
}

/// The time that a guessed one most likely is.
fn meant(title: &str, clock: Time) -> Time {
    let lower = title.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let has = |all: &[&str]| words.iter().any(|word| all.contains(word));
    let at = |hour: i8| time(hour, clock.minute(), 0, 0);
    // Who calls the theatre at nine does so when it is open.
    let club = words.get(1).is_some_and(|word| ["club", "group"].contains(word));
    let errand = !club && words.first().is_some_and(|verb| DOING.contains(verb) && !BY_DAY.contains(verb));
    // "Book a table for friday at 8" is for the evening.
    let table = words.first().is_some_and(|verb| ["book", "reserve", "get", "find"].contains(verb))
        && words.iter().any(|word| ["table", "restaurant", "dinner"].contains(word));
    let errand = errand && !table;
    let wakes =
        words.first().is_some_and(|verb| ["wake", "rise"].contains(verb)) || lower.starts_with("get up");
    let night = table
        || lower.contains("date night")
        || lower.contains("game night")
        || lower.contains("night out")
        || has(EVENING);
    match clock.hour() {
        hour @ 16..=18 if has(MORNING) || wakes => at(hour - 12),
        // "Birthday party at 7" is a party of grown-ups, "at 10" may be any.
        hour @ 7..=9 if night && !errand => at(hour + 12),
        hour @ 10..=11 if has(LATE) && !errand => at(hour + 12),
        _ => clock,
    }
}
