//! A trip from nothing: it is made with what was said, what is missing is asked, hotels are looked for and one is taken (S4-18 to S4-20).

use serde_json::{Map, Value, json};

use super::ask;
use super::asked::{Ask, Part, Words};
use super::days::Calendar;
use super::desk::{Desk, id_of};
use super::known::{Known, list, result, text};
use super::seeking::{look_for_hotels, suggested};
use super::sums::sum;
use super::telling::summary;
use super::wishing::Wishes;
use super::words::{bare, first_of, name};
use crate::conversation::Turn;
use crate::lex::{Kind, Token, after, longest, text_of, trim_signs};
use crate::run::{Step, Stop};
use crate::skill::Asked;
use dates::iso::day_text;

/// The tool that asks the person.
const ASK: &str = "ask_person";

/// What a new trip is to be, as far as it was said.
struct New {
    arguments: Map<String, Value>,
    wishes: Wishes,
}

/// Reads what was said of a new trip.
fn new_trip(words: &[Token], calendar: &Calendar, said: &str) -> Result<New, String> {
    let calendar = Calendar { trip: None, ..*calendar };
    let (mut arguments, mut wishes) = (Map::new(), Wishes::default());
    let mut rest = words.to_vec();
    // A title of its own.
    let mut title = String::new();
    if let Some(at) = first_of(&rest, "called named") {
        let behind = &rest[at + 1..];
        let quoted = behind.first().is_some_and(|word| word.kind == Kind::Quoted);
        let end = if quoted {
            1
        } else {
            behind
                .iter()
                .position(|word| word.kind == Kind::Sign || word.of("from for with"))
                .unwrap_or(behind.len())
        };
        title = name(&behind[..end]);
        rest.splice(at..at + 1 + end, []);
    }
    let has_budget = rest.iter().any(|word| word.of("budget"));
    if let Some((range, sum)) = sum(&rest, false).or_else(|| {
        sum(&rest[first_of(&rest, "budget").filter(|_| has_budget).unwrap_or(rest.len())..], true).map(
            |(range, sum)| {
                let from = first_of(&rest, "budget").unwrap_or(0);
                (range.start + from..range.end + from, sum)
            },
        )
    }) {
        wishes.budget(&rest[range.clone()], said, "", None);
        if let (Some(code), false) = (sum.currency, sum.is_each) {
            arguments.insert("budget".into(), json!(sum.amount));
            arguments.insert("currency".into(), json!(code));
        }
        const LEADS: &str = "with a an the our budget of under for up to at most maximum max";
        let from = (0..range.start).rev().take_while(|at| rest[*at].of(LEADS)).last().unwrap_or(range.start);
        rest.splice(from..range.end, [Token { kind: Kind::Sign, ..Token::word(",") }]);
    }
    let (span, rest) = calendar.spanned(&rest);
    if let Some(start) = span.start {
        super::adding::past(&calendar, start)?;
        if span.last().is_some_and(|end| end < start) {
            return Err("It would end before it begins: say from when to when.".to_owned());
        }
        arguments.insert("start".into(), json!(day_text(start)));
        if let Some(end) = span.last() {
            arguments.insert("end".into(), json!(day_text(end)));
        }
    } else {
        wishes.dates(&span, said, &calendar);
    }
    let end_of = |words: &[Token]| {
        words
            .iter()
            .position(|word| {
                word.kind == Kind::Sign
                    || word.of("for from with on starting who by")
                    || word.is("and") && words.iter().any(|other| other.of("budget"))
            })
            .unwrap_or(words.len())
    };
    let mut taken = Vec::new();
    if let Some(at) = first_of(&rest, "to in at through around").filter(|at| *at < 6) {
        let place = &rest[at + 1..];
        let place = &place[..end_of(place)];
        taken = place.to_vec();
        let parts: Vec<&[Token]> = place.split(|word| word.of("and") || word.sign(",")).collect();
        let are_names = parts
            .iter()
            .all(|part| bare(part).first().is_some_and(|word| word.text.starts_with(char::is_uppercase)));
        let all: Vec<String> =
            if are_names { parts.iter().map(|part| name(part)).collect() } else { vec![name(place)] };
        let all: Vec<String> = all.into_iter().filter(|place| !place.is_empty()).collect();
        if !all.is_empty() {
            arguments.insert("destinations".into(), json!(all));
        }
    }
    // “From Berlin” is where it sets out.
    if let Some(at) = first_of(&rest, "from") {
        let home = &rest[at + 1..];
        let home = &home[..home
            .iter()
            .position(|word| word.kind == Kind::Sign || word.of("to in for with on"))
            .unwrap_or(home.len())];
        if home.first().is_some_and(|word| word.text.starts_with(char::is_uppercase)) {
            arguments.insert("home".into(), json!(name(home)));
        }
    }
    let about: Vec<Token> = rest.iter().filter(|word| !taken.contains(word)).cloned().collect();
    wishes.people(&about, said);
    wishes.sleep(&about, said);
    if title.is_empty() {
        let place = text_of(trim_signs(&taken)).trim().to_owned();
        let is_week = span.nights == Some(7) && span.start.is_none();
        title = match (place.is_empty(), is_week) {
            // “New trip: Paris in June”.
            (true, _) => crate::lex::capitalised(&name(
                rest.split(|word| word.of("for with from")).next().unwrap_or_default(),
            )),
            (false, true) => format!("A week in {place}"),
            (false, false) => format!("Trip to {place}"),
        };
    }
    if title.trim().is_empty() {
        return Err(
            "Where to? Say “plan a week in Paris” or “create a trip to the Alps from 15 to 22 June”."
                .to_owned(),
        );
    }
    arguments.insert("title".into(), json!(title));
    Ok(New { arguments, wishes })
}

/// Makes a trip, and asks for what is missing (S4-18).
pub fn created(desk: &mut Desk<'_, '_>, words: &Words) -> Step<()> {
    let new = new_trip(words, &desk.calendar, desk.said).map_err(Stop::Fail)?;
    let made = desk.write("itinerary_create", Value::Object(new.arguments.clone()))?;
    desk.say(summary(&made));
    let id = json!(text(&made, "/itineraryId"));
    keep(desk, &id, &new.wishes, true)?;
    for open in &new.wishes.open {
        desk.say(open.clone());
    }
    let has = |field: &str| new.arguments.contains_key(field) || new.wishes.fields.contains_key(field);
    let missing: Vec<Value> = questions(desk.calendar)
        .into_iter()
        .filter(|question| match text(question, "/id") {
            "who" => !has("travelers"),
            "dates" => !(has("start") && has("end")),
            "budget" => !has("budget"),
            "sleep" => !has("accommodation"),
            _ => !has("pace"),
        })
        .collect();
    if missing.is_empty() {
        return look_for_hotels(desk, &id);
    }
    if !desk.offers(ASK) {
        desk.say(tell_me(&missing));
        return Ok(());
    }
    let answers = match desk.run.call_each(vec![(ASK.to_owned(), json!({ "questions": &missing }))])?.pop() {
        Some(Ok(value)) => value.get("answers").cloned().unwrap_or(value),
        // Whoever answers nothing now may say it later.
        _ => {
            desk.say(tell_me(&missing));
            return Ok(());
        }
    };
    answered(desk, &id, &answers, &Value::Null)
}

/// What is asked in a sentence, where the questions are not answered or cannot be put as such.
fn tell_me(missing: &[Value]) -> String {
    let asked: Vec<&str> = missing.iter().map(|question| text(question, "/question")).collect();
    format!(
        "{} Say it in one sentence, such as “two adults and two children, 15 to 22 June, 5000 dollars, a boutique hotel”, or “find hotels”.",
        asked.join(" ")
    )
}

/// What is missing to look for something, as questions with choices (S4-17). Each may be left open.
fn questions(calendar: Calendar) -> Vec<Value> {
    let choice = |id: &str, label: &str, description: &str| json!({ "id": id, "label": label, "description": description });
    vec![
        json!({ "id": "who", "question": "Who travels?", "type": "text", "placeholder": "two adults and two children", "optional": true }),
        json!({ "id": "dates", "question": "From when to when?", "type": "date_range", "earliest": day_text(calendar.now.date()), "optional": true }),
        json!({ "id": "budget", "question": "What may all of it cost?", "type": "text", "placeholder": "5000 dollars", "optional": true }),
        json!({ "id": "sleep", "question": "Where do you like to sleep?", "type": "single_choice", "optional": true, "options": [
            choice("hotel", "Hotel", "With a reception and breakfast"),
            choice("boutique", "Boutique hotel", "Small and with a style of its own"),
            choice("rental", "Rental", "An apartment with a kitchen"),
        ] }),
        json!({ "id": "pace", "question": "How much do you want in a day?", "type": "single_choice", "optional": true, "options": [
            choice("relaxed", "Relaxed", "One thing a day, and time"),
            choice("moderate", "Moderate", "Two or three things a day"),
            choice("packed", "Packed", "As much as there is time for"),
        ] }),
    ]
}

/// Keeps what was said; a number of travellers that the tool does not find in the words is left open and asked for.
fn keep(desk: &mut Desk<'_, '_>, id: &Value, wishes: &Wishes, is_new: bool) -> Step<bool> {
    if wishes.is_empty() || !desk.offers("update_preferences") {
        return Ok(false);
    }
    let mut fields = wishes.fields.clone();
    let mut known = None;
    if !fields.is_empty() {
        fields.insert("itinerary".into(), id.clone());
        let call = |fields: &Map<String, Value>| {
            vec![("update_preferences".to_owned(), Value::Object(fields.clone()))]
        };
        let first = desk.run.call_each(call(&fields))?.pop();
        known = match first {
            Some(Ok(answer)) => Some(answer),
            Some(Err(_)) if fields.remove("travelers").is_some() => {
                fields.remove("kinds");
                desk.say("How many of you travel? I could not tell it from that: say it as “two adults and a child”.");
                match fields.len() {
                    1 => None,
                    _ => Some(desk.look("update_preferences", Value::Object(fields))?),
                }
            }
            Some(Err((why, _))) => return Err(Stop::Fail(why)),
            None => None,
        };
        desk.changes += usize::from(known.is_some());
    }
    if let Some((start, end)) = &wishes.days {
        desk.write("update_itinerary", json!({ "itinerary": id, "start": start, "end": end }))?;
    }
    if let (Some(answer), false) = (&known, is_new) {
        desk.say(summary(answer));
    }
    Ok(true)
}

/// Takes the answers to our questions, and looks for hotels (S4-19). `whole` is the trip, null where it was made just now.
fn answered(desk: &mut Desk<'_, '_>, id: &Value, answers: &Value, whole: &Value) -> Step<()> {
    let wishes = Wishes::answered(answers, &desk.calendar, ("", None));
    if !desk.offers("update_preferences") {
        for open in &wishes.open {
            desk.say(open.clone());
        }
        desk.say("Thank you. Say “go on”, and I note your answers and look for hotels.");
        return Ok(());
    }
    let wishes = unknown(wishes.over(said_before(desk, id)), whole);
    keep(desk, id, &wishes, false)?;
    for open in &wishes.open {
        desk.say(open.clone());
    }
    look_for_hotels(desk, id)
}

/// What was said of a trip when it was made and is not noted yet: in the run that makes the first trip no other tool is on offer.
fn said_before(desk: &Desk<'_, '_>, id: &Value) -> Wishes {
    for turn in desk.past.iter().rev() {
        if turn.calls.iter().any(|done| done.call.name == "update_preferences" && !done.is_error) {
            break;
        }
        let made = turn.calls.iter().find(|done| done.call.name == "itinerary_create").and_then(result);
        if made.is_some_and(|made| Some(text(&made, "/itineraryId")) == id.as_str()) {
            let tokens = crate::lex::lex(&turn.said);
            let words = super::saying::create(trim_signs(crate::phrases::plain(&tokens)));
            let new = words.and_then(|words| new_trip(&words, &desk.calendar, &turn.said).ok());
            return new.map(|new| Wishes { open: Vec::new(), ..new.wishes }).unwrap_or_default();
        }
    }
    Wishes::default()
}

/// What of earlier words is not known of the trip since: what the person put right by hand stays (D-20).
fn unknown(mut wishes: Wishes, whole: &Value) -> Wishes {
    let is_there = |at: &str| whole.pointer(at).is_some_and(|known| !known.is_null());
    wishes.fields.retain(|field, _| !is_there(&format!("/profile/{field}")));
    if is_there("/profile/travelers") {
        wishes.fields.remove("kinds");
    }
    if is_there("/itinerary/budget") {
        wishes.fields.remove("budget");
    }
    if is_there("/itinerary/start") {
        wishes.fields.remove("dates");
        wishes.days = None;
    }
    wishes
}

/// Answers of an earlier turn that are not noted yet: what was asked while a trip had only just been made.
fn pending(past: &[Turn]) -> Option<(Value, Value)> {
    for turn in past.iter().rev() {
        if turn.calls.iter().any(|done| done.call.name == "update_preferences" && !done.is_error) {
            return None;
        }
        let answers = turn.calls.iter().find(|done| done.call.name == ASK).and_then(result);
        let made = turn.calls.iter().find(|done| done.call.name == "itinerary_create").and_then(result);
        if let (Some(answers), Some(made)) = (answers, made) {
            let answers = answers.get("answers").cloned().unwrap_or(answers);
            return Some((json!(text(&made, "/itineraryId")), answers));
        }
    }
    None
}

/// Goes on with what the turn before began; says nothing where there is nothing.
pub fn goes_on(desk: &mut Desk<'_, '_>) -> Step<()> {
    if let Some((id, answers)) = pending(desk.past) {
        let whole = desk.look("get_itinerary", json!({ "itinerary": id }))?;
        return answered(desk, &id, &answers, &whole);
    }
    let whole = desk.whole()?;
    let id = id_of(&whole);
    let said = unknown(said_before(desk, &id), &whole);
    keep(desk, &id, &said, false)?;
    if list(&whole, "/segments").iter().any(|segment| text(segment, "/kind") == "hotel") {
        return suggested(desk, &whole);
    }
    look_for_hotels(desk, &id)
}

/// What the last turn was to be, where a preview was shown: “do it”.
pub fn previewed(asked: &Asked<'_>) -> Option<super::asked::Order> {
    let (last, before) = asked.past.split_last()?;
    let known = Known::of(asked, before);
    let calendar = Calendar { now: asked.now?, trip: known.days };
    match ask::parts(&last.said, &known, &calendar)?.pop()? {
        Part::Read(order) => match order.ask {
            Ask::WhatIf(ask) => Some(super::asked::Order { ask: *ask, ..order }),
            _ => None,
        },
        Part::Unread(_) => None,
    }
}

/// Keeps what was said of the travellers and of what they want; where a trip was just made, hotels are looked for.
pub fn wished(desk: &mut Desk<'_, '_>, words: &Words) -> Step<()> {
    let whole = desk.whole()?;
    let id = id_of(&whole);
    let currency = match text(&whole, "/itinerary/currency") {
        "" => text(&whole, "/itinerary/budget/currency"),
        own => own,
    };
    let calendar = Calendar { trip: None, ..desk.calendar };
    let count = whole.pointer("/profile/travelers/value").and_then(Value::as_u64);
    let wishes = Wishes::of(words, &calendar, (currency, count));
    let new_budget = wishes.fields.get("budget").and_then(|known| known.get("value")).cloned();
    let before = unknown(said_before(desk, &id), &whole);
    let wishes = if wishes.is_empty() { wishes } else { wishes.over(before) };
    let is_kept = keep(desk, &id, &wishes, false)?;
    // A budget that the trip has already is another one now.
    if let Some(budget) = new_budget
        && whole.pointer("/itinerary/budget").is_some_and(Value::is_object)
    {
        desk.write(
            "update_itinerary",
            json!({ "itinerary": id, "budget": budget["amount"], "currency": budget["currency"] }),
        )?;
    }
    for open in &wishes.open {
        desk.say(open.clone());
    }
    let has_hotel = list(&whole, "/segments").iter().any(|segment| text(segment, "/kind") == "hotel");
    let began = desk.past.last().is_some_and(|turn| {
        turn.calls.iter().any(|done| done.call.name == "itinerary_create" || done.call.name == ASK)
    });
    let enough = ["travelers", "dates", "budget", "accommodation"]
        .iter()
        .filter(|field| wishes.fields.contains_key(**field))
        .count();
    if is_kept && began && !has_hotel && enough > 1 {
        return look_for_hotels(desk, &id);
    }
    if !is_kept && wishes.open.is_empty() {
        return Err(Stop::Fail("I could not tell what to keep of that, so I changed nothing.".to_owned()));
    }
    Ok(())
}

/// Another first and last day.
pub fn dated(desk: &mut Desk<'_, '_>, words: &Words) -> Step<()> {
    let whole = desk.whole()?;
    let calendar = Calendar { trip: None, ..desk.calendar };
    let (span, _) = calendar.spanned(words);
    let Some(start) = span.start else {
        let wishes = Wishes::of(words, &calendar, ("", None));
        let is_kept = keep(desk, &id_of(&whole), &wishes, false)?;
        return match is_kept {
            true => Ok(()),
            false => Err(Stop::Fail(
                "From when to when? Say “the trip is from 15 to 22 June”. I changed nothing.".to_owned(),
            )),
        };
    };
    super::adding::past(&calendar, start).map_err(Stop::Fail)?;
    let mut arguments = json!({ "itinerary": id_of(&whole), "start": day_text(start) });
    if let Some(end) = span.last() {
        arguments["end"] = json!(day_text(end));
    }
    desk.written("update_itinerary", arguments)
}

/// No budget any more.
pub fn no_budget(desk: &mut Desk<'_, '_>) -> Step<()> {
    let whole = desk.whole()?;
    let id = id_of(&whole);
    desk.write("update_preferences", json!({ "itinerary": id, "budget": null }))?;
    desk.write("update_itinerary", json!({ "itinerary": id, "budget": null }))?;
    desk.say("There is no budget any more.");
    Ok(())
}

/// A copy of the trip.
pub fn duplicated(desk: &mut Desk<'_, '_>, words: &Words) -> Step<()> {
    let whole = desk.whole()?;
    let calendar = Calendar { trip: None, ..desk.calendar };
    let (span, rest) = calendar.spanned(words);
    let behind = after(&rest, &["as|called|named|to"]).unwrap_or(&[]);
    let title = match name(&behind[longest(behind, &["called|named"]).unwrap_or(0)..]) {
        title if title.is_empty() => format!("{} (copy)", text(&whole, "/itinerary/title")),
        title => title,
    };
    let mut arguments = json!({ "itinerary": id_of(&whole), "title": title.trim_end_matches([',', ' ']) });
    if let Some(start) = span.start {
        super::adding::past(&calendar, start).map_err(Stop::Fail)?;
        arguments["start"] = json!(day_text(start));
    }
    desk.written("itinerary_duplicate", arguments)
}
