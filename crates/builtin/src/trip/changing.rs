//! What changes something that is on a trip, and what would come of it.

use dates::calendar::{days_between, days_later, minutes_between, minutes_later};
use dates::iso::{day_text, read_day, read_moment};
use serde_json::{Map, Value, json};

use super::asked::{Ask, Words};
use super::days::{at_text, days_of, said, shift};
use super::desk::{Desk, id_of};
use super::finding::matching;
use super::known::{list, text};
use super::sums::sum;
use super::telling;
use super::words::{counted, name};
use crate::lex::{Kind, Token, after};
use crate::run::{Step, Stop};

/// Where something is to move to: the arguments of `move_segment`.
fn destination(desk: &Desk<'_, '_>, segment: &Value, to: &[Token]) -> Step<Map<String, Value>> {
    let mut all = Map::new();
    if let Some((days, minutes)) = shift(to) {
        if days != 0 {
            all.insert("by_days".into(), json!(days));
        }
        if minutes != 0 {
            all.insert("by_minutes".into(), json!(minutes));
        }
        return Ok(all);
    }
    let (moment, _) =
        desk.calendar.taken(after(to, &["to|until|on", "over to", "back to", "forward to"]).unwrap_or(to));
    if moment.other.is_some() {
        return Err(Stop::Fail("Which day is that? It can be two: say it as 2026-06-15.".to_owned()));
    }
    // A time alone is of the same day.
    let day = moment.day.or_else(|| read_day(text(segment, "/start/at").get(..10)?));
    match day {
        Some(day) if moment.day.is_some() || moment.time.is_some() => {
            super::adding::past(&desk.calendar, day).map_err(Stop::Fail)?;
            all.insert("to".into(), json!(at_text(day, moment.time)));
            Ok(all)
        }
        _ => Err(Stop::Fail(format!(
            "Where to? Say “move {} to Tuesday” or “… two hours later”.",
            crate::text::escape(text(segment, "/title"))
        ))),
    }
}

/// Moves something.
pub fn moved(desk: &mut Desk<'_, '_>, what: &Words, to: &Words) -> Step<()> {
    let (_, segment) = desk.target(what)?;
    let mut arguments = destination(desk, &segment, to)?;
    arguments.insert("segment".into(), json!(text(&segment, "/id")));
    desk.written("move_segment", Value::Object(arguments))
}

/// Moves the whole trip to begin on a day.
pub fn moved_to(desk: &mut Desk<'_, '_>, to: &Words) -> Step<()> {
    let whole = desk.whole()?;
    let calendar = super::days::Calendar { trip: None, ..desk.calendar };
    let (span, _) = calendar.spanned(to);
    let start = read_day(text(&whole, "/itinerary/start"));
    let (Some(new), Some(start)) = (span.start, start) else {
        return Err(Stop::Fail(
            "To which day? Say “move the trip to 16 June”; a trip without days gets them by “the trip is from 15 to 22 June”.".to_owned(),
        ));
    };
    super::adding::past(&calendar, new).map_err(Stop::Fail)?;
    let by = days_between(start, new);
    if by == 0 {
        desk.say("It begins on that day already.");
        return Ok(());
    }
    desk.written("update_itinerary", json!({ "itinerary": id_of(&whole), "move_days": by }))
}

/// Moves the whole trip by days.
pub fn moved_by(desk: &mut Desk<'_, '_>, by: i64) -> Step<()> {
    let whole = desk.whole()?;
    desk.written("update_itinerary", json!({ "itinerary": id_of(&whole), "move_days": by }))
}

/// Lets the trip end later.
pub fn longer(desk: &mut Desk<'_, '_>, by: i64) -> Step<()> {
    let whole = desk.whole()?;
    let end = new_end(&whole, by)?;
    desk.written("update_itinerary", json!({ "itinerary": id_of(&whole), "end": day_text(end) }))
}

fn new_end(whole: &Value, by: i64) -> Step<jiff::civil::Date> {
    let end = read_day(text(whole, "/itinerary/end")).and_then(|end| days_later(end, by));
    end.ok_or_else(|| {
        Stop::Fail("The trip has no last day yet: say “the trip is from 15 to 22 June”.".to_owned())
    })
}

/// Takes something off the trip; several where each is named.
pub fn deleted(desk: &mut Desk<'_, '_>, words: &Words) -> Step<()> {
    let whole = desk.whole()?;
    let parts: Vec<Words> = words
        .split(|word| word.of("and") || word.sign(","))
        .filter(|part| !part.is_empty())
        .map(<[Token]>::to_vec)
        .collect();
    let is_one =
        desk.chosen.is_some() || parts.len() < 2 || !matching(&whole, words, &desk.calendar).is_empty();
    let wanted = if is_one { vec![words.clone()] } else { parts };
    // “Remove Anna from my trip” is about who travels, where nothing on it is called so.
    let said = name(words);
    let is_hers = |traveller: &&Value| text(traveller, "/name").to_lowercase() == said.to_lowercase();
    if desk.chosen.is_none()
        && matching(&whole, words, &desk.calendar).is_empty()
        && let Some(traveller) = list(&whole, "/itinerary/travellers").iter().find(is_hers)
    {
        let names = [text(traveller, "/name")];
        return desk
            .written("update_itinerary", json!({ "itinerary": id_of(&whole), "remove_travelers": names }));
    }
    let mut ids = Vec::new();
    for words in &wanted {
        let id = text(&desk.segment(&whole, words)?, "/id").to_owned();
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    for id in ids {
        desk.written("delete_segment", json!({ "segment": id }))?;
    }
    Ok(())
}

/// A name alone: nobody is made a traveller, and nothing something to do, by a guess (D-20).
pub fn who_or_what(desk: &mut Desk<'_, '_>, name: &str) -> Step<()> {
    let whole = desk.whole()?;
    let is_hers = |traveller: &Value| text(traveller, "/name").to_lowercase() == name.to_lowercase();
    let said = crate::text::escape(name);
    if list(&whole, "/itinerary/travellers").iter().any(is_hers) {
        desk.say(format!("{said} travels on {} already.", telling::title(&whole["itinerary"])));
        return Ok(());
    }
    Err(Stop::Fail(format!(
        "Is {said} somebody who travels, or something to do? Say “add {said} as a traveller” or “add {said} on Tuesday at 10 to my trip”. I changed nothing."
    )))
}

/// “Cancel”: nothing is guessed, and no booking is cancelled from here.
pub fn cancelled(desk: &mut Desk<'_, '_>, words: &Words) -> Step<()> {
    let what = match words.as_slice() {
        [] => "the trip".to_owned(),
        words => {
            let whole = desk.whole()?;
            match matching(&whole, words, &desk.calendar).as_slice() {
                [only] => crate::text::escape(text(only, "/title")),
                [] => "it".to_owned(),
                several => return Err(Stop::Fail(super::finding::which(several))),
            }
        }
    };
    let delete = format!("delete {what}");
    desk.say(format!(
        "I changed nothing: I cannot cancel a booking, which is done where it was made. To take {what} off here, say “{delete}”."
    ));
    Ok(())
}

/// Says how something is booked: not here.
pub fn how_to_book(desk: &mut Desk<'_, '_>, words: &Words) -> Step<()> {
    let whole = desk.whole()?;
    let found = matching(&whole, words, &desk.calendar);
    let (what, link) = match found.as_slice() {
        [only] => (telling::title(only), list(only, "/links").first().and_then(Value::as_str)),
        _ => ("it".to_owned(), None),
    };
    let link = link.map_or_else(String::new, |link| format!(" Its page: {}.", crate::text::escape(link)));
    desk.say(format!(
        "I book nothing, so nothing was booked. Book {what} with the hotel, the airline or whoever sells it, and then tell me, such as “the hotel is \
         booked, code ABC123”.{link}"
    ));
    Ok(())
}

/// Another title of something.
pub fn renamed(desk: &mut Desk<'_, '_>, what: &Words, title: &str) -> Step<()> {
    let (_, segment) = desk.target(what)?;
    desk.written("update_segment", json!({ "segment": text(&segment, "/id"), "title": title }))
}

/// How settled something is.
pub fn status(desk: &mut Desk<'_, '_>, what: &Words, status: &str, code: Option<&str>) -> Step<()> {
    let (_, segment) = desk.target(what)?;
    let mut arguments = json!({ "segment": text(&segment, "/id") });
    match status {
        "booked" => arguments["booked_by_you"] = json!(true),
        "planned" => {
            arguments["booked_by_you"] = json!(false);
            arguments["idea"] = json!(false);
        }
        "idea" => arguments["idea"] = json!(true),
        _ => {}
    }
    if let Some(code) = code {
        arguments["code"] = json!(code);
    }
    desk.written("update_segment", arguments)
}

/// What something costs.
pub fn cost(desk: &mut Desk<'_, '_>, what: &Words, words: &Words) -> Step<()> {
    let (whole, segment) = desk.target(what)?;
    let Some((_, sum)) = sum(words, true) else {
        return Err(Stop::Fail("What does it cost? Say the sum with its currency.".to_owned()));
    };
    let own = [
        text(&segment, "/cost/currency"),
        text(&whole, "/itinerary/currency"),
        text(&whole, "/itinerary/budget/currency"),
    ];
    if sum.is_each {
        return Err(Stop::Fail("A segment has one sum for all of it: say what it costs in all.".to_owned()));
    }
    let known = own.into_iter().find(|own| !own.is_empty());
    let Some(currency) = sum.currency.or(known) else {
        return Err(Stop::Fail(format!(
            "{} of what? Say the currency as well, such as “{} euros”.",
            sum.amount, sum.amount
        )));
    };
    desk.written(
        "update_segment",
        json!({ "segment": text(&segment, "/id"), "cost": sum.amount, "currency": currency }),
    )
}

/// More about something, behind what is there.
pub fn noted(desk: &mut Desk<'_, '_>, what: &Words, note: &str) -> Step<()> {
    let (_, segment) = desk.target(what)?;
    let note = match text(&segment, "/note") {
        "" => note.to_owned(),
        before => format!("{before}\n{note}"),
    };
    desk.written("update_segment", json!({ "segment": text(&segment, "/id"), "note": note }))
}

/// Puts something before or behind something else of its day.
pub fn beside(desk: &mut Desk<'_, '_>, what: &Words, anchor: &Words, is_after: bool) -> Step<()> {
    let (whole, segment) = desk.target(what)?;
    let anchor = desk.segment(&whole, anchor)?;
    let day = |segment: &Value| text(segment, "/start/at").get(..10).unwrap_or_default().to_owned();
    let on = day(&anchor);
    if on.is_empty() || day(&segment) != on {
        let text = format!(
            "{} and {} are not on one day: move one of them first.",
            telling::title(&segment),
            telling::title(&anchor)
        );
        return Err(Stop::Fail(text));
    }
    let ids: Vec<&str> =
        list(&whole, "/segments").iter().filter(|one| day(one) == on).map(|one| text(one, "/id")).collect();
    let mut order: Vec<&str> = ids.into_iter().filter(|id| *id != text(&segment, "/id")).collect();
    let at = order.iter().position(|id| *id == text(&anchor, "/id")).unwrap_or(0) + usize::from(is_after);
    order.insert(at.min(order.len()), text(&segment, "/id"));
    desk.written("reorder_segments", json!({ "itinerary": id_of(&whole), "day": on, "order": order }))
}

/// What would come of something. Nothing is changed: it is worked out from the trip as it is.
pub fn what_if(desk: &mut Desk<'_, '_>, ask: &Ask) -> Step<()> {
    let whole = desk.whole()?;
    let itinerary = whole.get("itinerary").unwrap_or(&Value::Null);
    let (head, lines) = match ask {
        Ask::MoveTrip { by } => {
            let way = if *by > 0 { "later" } else { "earlier" };
            let now = days_of(itinerary)
                .and_then(|(first, last)| Some((days_later(first, *by)?, days_later(last, *by)?)));
            let now =
                now.map_or_else(String::new, |(first, last)| format!(", {} to {}", said(first), said(last)));
            let all: Vec<&Value> = list(&whole, "/segments").iter().collect();
            (
                format!("{} would be {} {way}{now}.", telling::title(itinerary), counted(by.abs(), "day")),
                after_shift(&all, *by, by * 1_440),
            )
        }
        Ask::MoveTripTo(to) => {
            let calendar = super::days::Calendar { trip: None, ..desk.calendar };
            let start = read_day(text(itinerary, "/start"));
            let (Some(new), Some(start)) = (calendar.spanned(to).0.start, start) else {
                return Err(Stop::Fail("To which day? Say “what if we leave a day later?”.".to_owned()));
            };
            return what_if(desk, &Ask::MoveTrip { by: days_between(start, new) });
        }
        Ask::Longer { by } => {
            let end = new_end(&whole, *by)?;
            (
                format!("{} would end on {}; no segment would change.", telling::title(itinerary), said(end)),
                Vec::new(),
            )
        }
        Ask::Move { what, to } => {
            let segment = desk.segment(&whole, what)?;
            let (days, minutes) = shift_of(desk, &segment, to)?;
            let along = hanging(&whole, text(&segment, "/id"));
            let head = match along.len() {
                0 | 1 => format!("{} would move, and nothing hangs on it.", telling::title(&segment)),
                more => format!(
                    "{} would move, and what hangs on it: {} more.",
                    telling::title(&segment),
                    more - 1
                ),
            };
            if is_pinned(&segment) {
                return Err(Stop::Fail(format!(
                    "{} is booked by you and would stay: change the booking first.",
                    telling::title(&segment)
                )));
            }
            (head, after_shift(&along, days, minutes))
        }
        Ask::Delete(words) => {
            let segment = desk.segment(&whole, words)?;
            let along = hanging(&whole, text(&segment, "/id")).len().saturating_sub(1);
            let hang = if along > 0 {
                format!(" What hangs on it ({along}) would stay where it is.")
            } else {
                String::new()
            };
            (format!("{} would be off the trip.{hang}", telling::title(&segment)), Vec::new())
        }
        _ => {
            return Err(Stop::Fail(
                "I cannot tell what would come of that. Say “what if we leave a day later?”.".to_owned(),
            ));
        }
    };
    let mut text = head;
    if !lines.is_empty() {
        text = format!("{text}\n\n{}", telling::numbered(&lines));
    }
    desk.say(format!("{text}\n\nThat is only a preview: nothing was changed. Say “do it” to do it."));
    Ok(())
}

fn is_pinned(segment: &Value) -> bool {
    text(segment, "/status") == "booked" || !text(segment, "/code").is_empty()
}

/// By how many days and minutes something would move.
fn shift_of(desk: &Desk<'_, '_>, segment: &Value, to: &[Token]) -> Step<(i64, i64)> {
    let arguments = destination(desk, segment, to)?;
    let by = |field: &str| arguments.get(field).and_then(Value::as_i64);
    if let (None, None) = (by("by_days"), by("by_minutes")) {
        let (from, to) =
            (text(segment, "/start/at"), arguments.get("to").and_then(Value::as_str).unwrap_or_default());
        let day = |at: &str| read_day(at.get(..10)?);
        let days = day(from).zip(day(to)).map_or(0, |(from, to)| days_between(from, to));
        let minutes = read_moment(from)
            .zip(read_moment(to))
            .map_or(days * 1_440, |(from, to)| minutes_between(from, to));
        return Ok((days, minutes));
    }
    let days = by("by_days").unwrap_or(0);
    Ok((days, days * 1_440 + by("by_minutes").unwrap_or(0)))
}

/// A segment and what hangs on it, and on that: what is booked stays, and what hangs on it stays with it.
fn hanging<'w>(whole: &'w Value, id: &str) -> Vec<&'w Value> {
    let all = list(whole, "/segments");
    let mut found: Vec<&Value> = all.iter().filter(|one| text(one, "/id") == id).collect();
    let mut at = 0;
    while let Some(on) = found.get(at).map(|one| text(one, "/id")) {
        let is_stuck = at > 0 && found.get(at).is_some_and(|one| is_pinned(one));
        let hangs = |one: &&Value| list(one, "/depends_on").iter().any(|other| text(other, "/on") == on);
        for one in all.iter().filter(|_| !is_stuck).filter(hangs) {
            if !found.iter().any(|known| text(known, "/id") == text(one, "/id")) {
                found.push(one);
            }
        }
        at += 1;
    }
    found
}

/// Each segment before and after, in a line.
fn after_shift(segments: &[&Value], days: i64, minutes: i64) -> Vec<String> {
    let new = |at: &str| match read_moment(at) {
        Some(moment) => {
            minutes_later(moment, minutes).map(|moment| at_text(moment.date(), Some(moment.time())))
        }
        None => read_day(at)
            .and_then(|day| days_later(day, if minutes % 1_440 == 0 { minutes / 1_440 } else { days }))
            .map(day_text),
    };
    let line = |segment: &&&Value| {
        let at = text(segment, "/start/at");
        let title = format!("**{}**", crate::text::escape(text(segment, "/title")));
        if at.is_empty() {
            return None;
        }
        if is_pinned(segment) {
            return Some(format!("{title} stays on {}, because you booked it", telling::when(at)));
        }
        Some(format!("{title}: {} → {}", telling::when(at), telling::when(&new(at)?)))
    };
    segments.iter().filter_map(|segment| line(&segment)).collect()
}

/// Adds something, by what was said of it.
pub fn added(desk: &mut Desk<'_, '_>, kind: &str, words: &Words) -> Step<()> {
    let whole = desk.whole()?;
    let currency = text(&whole, "/itinerary/currency").to_owned();
    let mut arguments =
        super::adding::arguments(kind, words, &desk.calendar, &currency).map_err(Stop::Fail)?;
    arguments.insert("itinerary".into(), id_of(&whole));
    let tool = match kind {
        "note" => "add_activity".to_owned(),
        kind => format!("add_{kind}"),
    };
    let ends = |arguments: &Map<String, Value>| {
        let moment = |field: &str| arguments.get(field).and_then(Value::as_str).and_then(read_moment);
        moment("start").zip(moment("end"))
    };
    // A clock that shows less at the other end is right over the date line; where it cannot be meant it is the next day.
    let is_next = words.iter().any(|word| word.of("next +1") && word.kind == Kind::Word);
    let first = desk.run.call_each(vec![(tool.clone(), Value::Object(arguments.clone()))])?.pop();
    let answer = match (first, ends(&arguments)) {
        (Some(Ok(answer)), _) => answer,
        (Some(Err(_)), Some((start, end))) if end < start && !is_next => {
            let next = days_later(end.date(), 1).unwrap_or(end.date());
            arguments.insert("end".into(), json!(at_text(next, Some(end.time()))));
            desk.look(&tool, Value::Object(arguments))?
        }
        (Some(Err((why, _))), _) => return Err(Stop::Fail(why)),
        (None, _) => Value::Null,
    };
    desk.changes += 1;
    desk.tell(&answer);
    Ok(())
}
