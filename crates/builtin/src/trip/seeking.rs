//! Searches, and what they found on the trip (S4-19, S4-20): what nobody said is left out of them, and a result says where it is from.

use dates::calendar::days_between;
use dates::iso::{day_text, read_day};
use serde_json::{Map, Value, json};

use super::asked::Words;
use super::desk::{Desk, id_of};
use super::known::{list, text};
use super::saying::{Pick, pick};
use super::sums::{Sum, sum};
use super::telling::{self, summary};
use super::words::{bare, first_of, name};
use crate::lex::{Kind, Token, trim_signs};
use crate::run::{Step, Stop};

/// What is known of a trip for a search for hotels.
fn hotel_query(whole: &Value) -> Option<Map<String, Value>> {
    let mut query = Map::new();
    let place = list(whole, "/itinerary/destinations")
        .first()
        .or_else(|| whole.pointer("/profile/destination/value/0"))?;
    query.insert("place".into(), place.clone());
    let days = [("check_in", "start"), ("check_out", "end")];
    for (field, day) in days {
        let own = text(whole, &format!("/itinerary/{day}"));
        let said = text(whole, &format!("/profile/dates/value/{day}"));
        if let Some(day) = [own, said].into_iter().find(|day| !day.is_empty()) {
            query.insert(field.into(), json!(day));
        }
    }
    let dates = whole.pointer("/profile/dates/value").unwrap_or(&Value::Null);
    if !query.contains_key("check_in")
        && dates::names::month(
            text(dates, "/around").split(' ').next().unwrap_or_default().to_lowercase().as_str(),
        )
        .is_some()
    {
        query.insert("month".into(), json!(text(dates, "/around")));
    }
    if !query.contains_key("check_out")
        && let Some(nights) = dates.get("nights")
    {
        query.insert("nights".into(), nights.clone());
    }
    if let Some(count) = whole.pointer("/profile/travelers/value") {
        query.insert("travelers".into(), count.clone());
    }
    let style = text(whole, "/profile/accommodation/value");
    let style: Vec<&str> = style.split(' ').filter(|word| !word.is_empty() && *word != "hotel").collect();
    if !style.is_empty() {
        query.insert("style".into(), json!(style));
    }
    Some(query)
}

/// The budget of a trip as a search takes it.
fn with_budget(whole: &Value, query: &mut Map<String, Value>) {
    let budget = ["/itinerary/budget", "/profile/budget/value"]
        .into_iter()
        .find_map(|at| whole.pointer(at).filter(|budget| budget.is_object()));
    let Some(budget) = budget else { return };
    let Some(told) = telling::money(budget) else { return };
    let digits: String = told.chars().filter(|letter| letter.is_ascii_digit() || *letter == '.').collect();
    if let Some(amount) = order::decimal(&digits) {
        query.insert("budget".into(), json!(amount));
        query.insert("currency".into(), json!(text(budget, "/currency")));
    }
}

/// Looks for hotels where the trip goes (S4-19): three, each with its price and what speaks for and against it.
pub fn look_for_hotels(desk: &mut Desk<'_, '_>, id: &Value) -> Step<()> {
    let whole = desk.look("get_itinerary", json!({ "itinerary": id }))?;
    let Some(mut query) = hotel_query(&whole) else {
        desk.say("Where does it go? Say “find hotels in Paris”.");
        return Ok(());
    };
    with_budget(&whole, &mut query);
    query.insert("most".into(), json!(3));
    hotels(desk, query)
}

fn hotels(desk: &mut Desk<'_, '_>, query: Map<String, Value>) -> Step<()> {
    let found = desk.look("search_hotels", Value::Object(query))?;
    desk.say(telling::found(&found));
    if let Some(second) = list(&found, "/found").get(1).or(list(&found, "/found").first()) {
        let title = crate::text::escape(text(second, "/title"));
        desk.say(format!(
            "Say “book {title}” or “the second one”, and I add it to the trip. Nothing is booked by that."
        ));
    }
    Ok(())
}

/// A price as a search for hotels takes it, which is for all nights and all who travel; none where these are not known (D-20).
fn for_all(query: &Map<String, Value>, said: &[Token], sum: Sum) -> Option<f64> {
    if !sum.is_each {
        return Some(sum.amount);
    }
    let says = |table: &str| said.iter().any(|word| word.of(table));
    let day = |field: &str| query.get(field).and_then(Value::as_str).and_then(read_day);
    let nights = || {
        let between = day("check_in").zip(day("check_out")).map(|(from, to)| days_between(from, to));
        between.or_else(|| query.get("nights").and_then(Value::as_i64)).filter(|nights| *nights > 0)
    };
    let times = match () {
        () if says("week") => None,
        () if says("night day") => nights(),
        () => query.get("travelers").and_then(Value::as_i64),
    };
    let times = u16::try_from(times?).ok()?;
    Some(sum.amount * f64::from(times))
}

/// Searches by what was said, and by the trip where it was not.
pub fn looked_for(desk: &mut Desk<'_, '_>, kind: &str, words: &Words) -> Step<()> {
    let whole = desk.whole()?;
    // “150 euros a night” is a price, and no stay of a night.
    let mut said = words.clone();
    if let Some((range, _)) = sum(words, false) {
        said.drain(range);
    }
    let (span, rest) = desk.calendar.spanned(&said);
    let text_at = |at: &str| text(&whole, at).to_owned();
    let place_behind = |leads: &str| {
        let at = first_of(&rest, leads)?;
        let said = &rest[at + 1..];
        let end = said
            .iter()
            .position(|word| word.kind == Kind::Sign || word.of("for with from under to on on"))
            .unwrap_or(said.len());
        Some(name(&said[..end])).filter(|place| !place.is_empty())
    };
    let goes_to =
        || list(&whole, "/itinerary/destinations").first().and_then(Value::as_str).map(str::to_owned);
    if let Some(start) = span.start {
        super::adding::past(&desk.calendar, start).map_err(Stop::Fail)?;
    }
    let mut query = Map::new();
    match kind {
        "flight" => {
            let home = [text_at("/profile/origin/value"), text_at("/itinerary/home/name")]
                .into_iter()
                .find(|home| !home.is_empty());
            let is_back = rest.iter().any(|word| word.of("back home return"));
            let (from, to) = (place_behind("from"), place_behind("to"));
            let (from, to) = match is_back && from.is_none() && to.is_none() {
                true => (goes_to(), home),
                false => (from.or(home), to.or_else(goes_to)),
            };
            let (Some(from), Some(to)) = (from, to) else {
                return Err(Stop::Fail(
                    "From where to where? Say “find flights from Berlin to Paris on 15 June”.".to_owned(),
                ));
            };
            query.insert("from".into(), json!(from));
            query.insert("to".into(), json!(to));
            let own = |field: &str| read_day(text(&whole, &format!("/itinerary/{field}")));
            let date = span.start.or_else(|| own(if is_back { "end" } else { "start" }));
            if let Some(date) = date {
                query.insert("date".into(), json!(day_text(date)));
            } else if !span.around.is_empty() {
                query.insert("month".into(), json!(span.around));
            }
            if let Some(back) = span.end {
                query.insert("return_date".into(), json!(day_text(back)));
            }
        }
        "hotel" => {
            query = hotel_query(&whole).unwrap_or_default();
            let place = place_behind("in at near around");
            let is_elsewhere =
                place.as_ref().is_some_and(|place| query.get("place").and_then(Value::as_str) != Some(place));
            if let Some(place) = place {
                query.insert("place".into(), json!(place));
            }
            if is_elsewhere || !span.is_none() {
                for field in ["check_in", "check_out", "month", "nights"] {
                    query.remove(field);
                }
            }
            if let Some(start) = span.start {
                query.insert("check_in".into(), json!(day_text(start)));
            }
            if let Some(end) = span.last() {
                query.insert("check_out".into(), json!(day_text(end)));
            } else if let Some(nights) = span.nights {
                query.insert("nights".into(), json!(nights));
            }
            if !span.around.is_empty() {
                query.insert("month".into(), json!(span.around));
            }
            match sum(words, false) {
                Some((range, sum)) => match for_all(&query, &words[range], sum) {
                    Some(amount) => {
                        query.insert("budget".into(), json!(amount));
                        query.insert("currency".into(), json!(sum.currency));
                    }
                    None => desk.say(format!(
                        "{} {} for each is no sum for the whole stay, as far as I know it, so I searched without a price: say from when to when, and how many travel.",
                        sum.amount,
                        sum.currency.unwrap_or_default()
                    )),
                },
                None if !is_elsewhere => with_budget(&whole, &mut query),
                None => {}
            }
            const STYLES: &str = "quiet charming family boutique romantic design central traditional cheap business garden pool view modern kitchen";
            let said: Vec<&str> =
                words.iter().filter(|word| word.of(STYLES)).map(|word| word.lower.as_str()).collect();
            if !said.is_empty() {
                query.insert("style".into(), json!(said));
            }
            if !query.contains_key("place") {
                return Err(Stop::Fail("Where? Say “find a hotel in Paris from 15 to 22 June”.".to_owned()));
            }
            query.insert("most".into(), json!(3));
            return hotels(desk, query);
        }
        _ => {
            let place = place_behind("in around near").or_else(goes_to);
            let place = place.unwrap_or_default();
            let what = name(rest.split(|word| word.of("in around near")).next().unwrap_or_default());
            let what = if what.is_empty() { "sights".to_owned() } else { what };
            query.insert("query".into(), json!(what));
            if !place.is_empty() {
                query.insert("place".into(), json!(place));
            }
        }
    }
    if let Some(count) = whole.pointer("/profile/travelers/value") {
        query.insert("travelers".into(), count.clone());
    }
    let tool = if kind == "flight" { "search_flights" } else { "search_web" };
    let found = desk.look(tool, Value::Object(query))?;
    desk.say(telling::found(&found));
    if !list(&found, "/found").is_empty() {
        desk.say(match kind {
            "flight" => {
                "Say “the first one”, and I add it to the trip. Nothing is booked by that.".to_owned()
            }
            _ => {
                let first = list(&found, "/found")
                    .first()
                    .map(|first| crate::text::escape(text(first, "/title")))
                    .unwrap_or_default();
                format!("Say “{first} on Tuesday at 10”, and I add it to the trip.")
            }
        });
    }
    Ok(())
}

/// Ways on the ground between two places, of which either may be on the trip.
pub fn ways(desk: &mut Desk<'_, '_>, from: &Words, to: &Words) -> Step<()> {
    let whole = desk.whole()?;
    let mut query = json!({ "from": place(desk, &whole, from), "to": place(desk, &whole, to) });
    if let Some(count) = whole.pointer("/profile/travelers/value") {
        query["travelers"] = count.clone();
    }
    let found = desk.look("search_transfers", query)?;
    desk.say(telling::found(&found));
    if !list(&found, "/found").is_empty() {
        desk.say("Say “the first one”, and I add it to the trip. Nothing is booked by that.");
    }
    Ok(())
}

/// A place as a search takes it: of something on the trip its name with its city.
fn place(desk: &Desk<'_, '_>, whole: &Value, words: &Words) -> String {
    let found = super::finding::matching(whole, words, &desk.calendar);
    let [only] = found.as_slice() else { return name(words) };
    let of = |end: &str| {
        (text(only, &format!("/{end}/name")).to_owned(), text(only, &format!("/{end}/city")).to_owned())
    };
    match [of("place"), of("to")].into_iter().find(|(place, _)| !place.is_empty()) {
        Some((place, city)) if !city.is_empty() && !place.contains(&city) => format!("{place}, {city}"),
        Some((place, _)) => place,
        None => name(words),
    }
}

/// How far two places are apart.
pub fn distance(desk: &mut Desk<'_, '_>, from: &Words, to: &Words) -> Step<()> {
    let whole = desk.whole()?;
    let end = |words: &Words| match super::finding::matching(&whole, words, &desk.calendar).as_slice() {
        [only] => text(only, "/title").to_owned(),
        _ => name(words),
    };
    let arguments = json!({ "from": end(from), "to": end(to), "itinerary": id_of(&whole) });
    let answer = desk.look("get_distance", arguments)?;
    desk.say(summary(&answer));
    Ok(())
}

/// Takes what a search found onto the trip (S4-20). Adding is never called booking.
pub fn taken(desk: &mut Desk<'_, '_>, words: &Words) -> Step<()> {
    let found = match pick(bare(words)) {
        Some(pick) => picked(&desk.known.found, pick),
        None => {
            let (_, rest) = desk.calendar.taken(words);
            let (title, _) = super::words::cut_at(trim_signs(&rest), ",");
            desk.known.found(title).or_else(|| desk.known.found(words)).cloned()
        }
    };
    let Some(found) = found else {
        return Err(Stop::Fail("I do not know which one you mean: say its name.".to_owned()));
    };
    let whole = desk.whole()?;
    let kind = text(&found, "/kind");
    let tool = if kind == "note" { "add_activity".to_owned() } else { format!("add_{kind}") };
    let mut arguments = json!({ "from_search": text(&found, "/id"), "itinerary": id_of(&whole) });
    if kind == "hotel" {
        let (span, _) = desk.calendar.spanned(words);
        let own = |end: &str| {
            let at = text(&found, &format!("/{end}/at"));
            let of_trip = text(&whole, &format!("/itinerary/{end}"));
            [at, of_trip]
                .into_iter()
                .find(|day| !day.is_empty())
                .map(|day| day.get(..10).unwrap_or(day).to_owned())
        };
        let start = span.start.map(day_text).or_else(|| own("start"));
        let end = span.last().map(day_text).or_else(|| own("end"));
        let (Some(start), Some(end)) = (start, end) else {
            let title = crate::text::escape(text(&found, "/title"));
            return Err(Stop::Fail(format!("From when to when? Say “book {title} from 15 to 22 June”.")));
        };
        arguments["start"] = json!(start);
        arguments["end"] = json!(end);
    } else {
        let (moment, _) = desk.calendar.taken(words);
        if let Some(day) = moment.day {
            super::adding::past(&desk.calendar, day).map_err(Stop::Fail)?;
        }
        if let Some(at) = moment.text() {
            arguments["start"] = json!(at);
        }
    }
    desk.written(&tool, arguments)?;
    if kind != "hotel" {
        return Ok(());
    }
    // What is on the trip now is looked at, and not believed (S4-20).
    let whole = desk.whole()?;
    let count = list(&whole, "/segments").len();
    let title = crate::text::escape(text(&found, "/title"));
    desk.say(format!(
        "{} has {} now. To book it, ask {title} itself or whoever sells its rooms, and then tell me: “{title} is booked, code ABC123”.",
        telling::title(&whole["itinerary"]),
        super::words::counted(i64::try_from(count).unwrap_or(0), "segment")
    ));
    suggested(desk, &whole)
}

/// What could come next: flights where there are none, and what there is to do.
pub fn suggested(desk: &mut Desk<'_, '_>, whole: &Value) -> Step<()> {
    let has = |kind: &str| list(whole, "/segments").iter().any(|segment| text(segment, "/kind") == kind);
    let Some(place) =
        list(whole, "/itinerary/destinations").first().and_then(Value::as_str).map(str::to_owned)
    else {
        return Ok(());
    };
    if !has("flight") {
        let from = [text(whole, "/profile/origin/value"), text(whole, "/itinerary/home/name")]
            .into_iter()
            .find(|from| !from.is_empty());
        let from = from.map_or_else(|| "Berlin".to_owned(), crate::text::escape);
        desk.say(format!("How do you get there? Say “find flights from {from}”."));
    }
    if has("activity") || !desk.offers("search_web") {
        return Ok(());
    }
    let mut query = json!({ "query": "sights", "place": place, "most": 6 });
    if let Some(count) = whole.pointer("/profile/travelers/value") {
        query["travelers"] = count.clone();
    }
    // A place that the catalogue does not know is no failure of what was done.
    if let Some(Ok(found)) = desk.run.call_each(vec![("search_web".to_owned(), query)])?.pop() {
        desk.say(telling::found(&found));
        let last = list(&found, "/found")
            .first()
            .map(|first| crate::text::escape(text(first, "/title")))
            .unwrap_or_default();
        desk.say(format!("Say “{last} on Tuesday at 10”, and I add it."));
    }
    Ok(())
}

/// One of what was found.
fn picked(found: &[Value], pick: Pick) -> Option<Value> {
    let price = |found: &&Value| found.pointer("/price/minor").and_then(Value::as_i64);
    let priced = || found.iter().filter(|found| price(found).is_some());
    match pick {
        Pick::Nth(nth) => found.get(nth.checked_sub(1)?),
        Pick::Last => found.last(),
        Pick::Cheapest => priced().min_by_key(|found| price(found)),
        Pick::Dearest => priced().max_by_key(|found| price(found)),
    }
    .cloned()
}
