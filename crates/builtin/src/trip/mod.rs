//! Trips: what people say about them, and the calls it takes (S4).
//!
//! `ask` reads a message as orders (`asked`), with `whole` for a trip as such, `saying` for travellers and their wishes and `adding` for what
//! is to be on it; `facts` tells what is said of the trip from what only has numbers; `days` and `sums` read times, money and people. What is known before anything is called is `known`'s. Orders are carried
//! out at a `desk`: `planning` makes trips, `seeking` searches, `changing` does the rest; `finding` says which segment is meant, `telling`
//! puts results into words.
//!
//! Nothing is guessed (D-20): what was not said is left out, and asked. Adding is never called booking (S4-20), and “cancel” deletes nothing.

mod adding;
mod ask;
mod asked;
mod changing;
mod days;
mod desk;
mod facts;
mod finding;
mod german_answers;
mod known;
mod planning;
mod saying;
mod seeking;
mod sums;
mod telling;
mod whole;
mod wishing;
mod words;

use serde_json::{Map, Value, json};

use self::asked::{Ask, Order, Part, Words};
use self::days::Calendar;
use self::desk::{Desk, id_of};
use self::known::{Known, list, text};
use crate::lex::{Kind, lex, trim_signs};
use crate::run::{End, Run, Step, Stop};
use crate::skill::{Asked, Help, Reading, Skill, Sureness, Words as Called};

/// The trip skill.
pub static TRIP_SKILL: Trips = Trips;

/// See [`TRIP_SKILL`].
pub struct Trips;

impl Skill for Trips {
    fn domain(&self) -> &'static str {
        "trip"
    }

    fn words(&self) -> Called {
        Called {
            thing: "trip".into(),
            things: "trips".into(),
            show: "show my trips".into(),
            nouns: "trip|trips|itinerary|itineraries".into(),
            // Its answer is not paged.
            list_tool: "".into(),
        }
    }

    fn help(&self) -> Help {
        Help {
            lines: "- **Trips**: “plan a week in Paris for two”, “find flights from Berlin to Paris on 15 June”, “book the first one”, “move the Louvre \
                    to Tuesday”, “what if we leave a day later?”, “what's wrong with my trip?”, “show day 3”; nothing is booked by it"
                .into(),
            examples: "“plan a week in Paris”".into(),
            ..Help::default()
        }
    }

    fn read<'r>(&'r self, asked: Asked<'r>) -> Option<Reading<'r>> {
        if !asked.tools.iter().any(|tool| tool.name == "itinerary_create") {
            return None;
        }
        let said = asked.turn.said.as_str();
        // “Show photos of my trip” is about photos, and “add the trip to my list” about a list.
        let others = asked.skills.iter().filter(|skill| skill.domain() != self.domain());
        let nouns: Vec<String> = others
            .flat_map(|skill| skill.words().nouns.split('|').map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let tokens = lex(said);
        let is_others = |word: &crate::lex::Token| word.kind == Kind::Word && nouns.contains(&word.lower);
        if trim_signs(&tokens).iter().skip(1).any(is_others) {
            return None;
        }
        let known = Known::of(&asked, asked.past);
        let calendar = Calendar { now: asked.now?, trip: known.days };
        let parts = match chosen(&asked, &calendar) {
            Some(order) => vec![Part::Read(order)],
            None => match ask::parts(said, &known, &calendar) {
                Some(parts) => parts,
                None => return unsure(self, asked, known, calendar),
            },
        };
        Some(Reading {
            // Its things are named, or it hangs on what was said of them.
            sureness: Sureness::Names,
            carry_out: Box::new(move |run| carried_out(asked, run, &known, calendar, &parts)),
        })
    }
}

/// Carries out the parts of a message, one after the other.
fn carried_out(asked: Asked<'_>, mut run: Run<'_>, known: &Known, calendar: Calendar, parts: &[Part]) -> End {
    let mut unread = Vec::new();
    let mut step = Ok(());
    let mut desk = Desk {
        run: &mut run,
        known,
        past: asked.past,
        said: &asked.turn.said,
        calendar,
        trip: None,
        chosen: None,
        is_reading: true,
        changes: 0,
        title: String::new(),
    };
    for part in parts {
        match part {
            Part::Unread(said) => unread.push(crate::text::quoted(said)),
            Part::Read(order) => {
                // Only then: it reads the message before once more.
                let before = matches!(order.ask, Ask::GoOn).then(|| planning::previewed(&asked)).flatten();
                let order = before.unwrap_or_else(|| order.clone());
                desk.take(&order);
                match done(&mut desk, &order) {
                    // One that cannot be done keeps none of the others from it.
                    Err(Stop::Fail(why)) if parts.len() > 1 => desk.say(why),
                    Ok(()) => {}
                    stop => {
                        step = stop;
                        break;
                    }
                }
            }
        }
    }
    if step.is_ok() && !unread.is_empty() {
        let said = format!(
            "I did not do {}: I did not understand it as something about a trip. Say it by itself.",
            unread.join(" and ")
        );
        desk.say(said);
    }
    match desk.changes {
        _ if step.is_err() => {}
        0 => {}
        1 => desk.say("Say “undo” to take it back."),
        several => desk.say(format!("Say “undo the last {several}” to take it back.")),
    }
    run.ended(step)
}

/// What may name something on the trip that is not known before it is looked at: “move the dentist to Tuesday”. Where it is nothing there, the
/// other skills have it.
fn unsure<'r>(own: &'r Trips, asked: Asked<'r>, mut known: Known, calendar: Calendar) -> Option<Reading<'r>> {
    const BEGINS: &[&str] = &[
        "move|shift|push|reschedule|postpone|delay|delete|remove|cancel|rename|show|put|mark|set|drop|open",
        "what if",
        "where|when is",
        "i|we booked|reserved",
        "i've|we've booked",
        "add a note to|for",
        "how far is",
    ];
    const ENDS: &[&str] = &["is booked|reserved", "are booked|reserved"];
    let tokens = lex(&asked.turn.said);
    let plain = trim_signs(crate::phrases::plain(&tokens));
    let is_costs = plain.iter().any(|word| word.of("costs code"));
    if !known.has_more
        || !(crate::lex::begins_with(plain, BEGINS) || crate::lex::before(plain, ENDS).is_some() || is_costs)
    {
        return None;
    }
    Some(Reading {
        sureness: Sureness::Names,
        carry_out: Box::new(move |mut run| {
            let whole = {
                let mut desk = Desk {
                    run: &mut run,
                    known: &known,
                    past: asked.past,
                    said: &asked.turn.said,
                    calendar,
                    trip: None,
                    chosen: None,
                    is_reading: true,
                    changes: 0,
                    title: String::new(),
                };
                desk.whole()
            };
            match whole {
                Ok(whole) => known.take_all(&whole),
                Err(stop) => return run.ended(Err(stop)),
            }
            match ask::parts(&asked.turn.said, &known, &calendar) {
                // The same look is not taken twice.
                Some(parts) => {
                    carried_out(asked, Run::of(&asked, asked.turn, own.words()), &known, calendar, &parts)
                }
                None => handed_over(own, asked, run),
            }
        }),
    })
}

/// Lets the other skills carry out what is none of ours.
fn handed_over<'r>(own: &Trips, asked: Asked<'r>, mut run: Run<'r>) -> End {
    let others = asked.skills.iter().filter(|skill| skill.domain() != own.domain());
    let mut best: Option<(Reading<'r>, Called)> = None;
    for skill in others {
        if let Some(reading) = skill.read(asked)
            && best.as_ref().is_none_or(|(best, _)| reading.sureness > best.sureness)
        {
            best = Some((reading, skill.words()));
        }
    }
    match best {
        Some((reading, words)) => {
            run.words = words;
            (reading.carry_out)(run)
        }
        None => End::Answer(crate::talk::unknown(asked.skills)),
    }
}

/// The order of the turn before with the segment that this message chooses, where it was asked which one is meant.
fn chosen(asked: &Asked<'_>, calendar: &Calendar) -> Option<Order> {
    let (last, before) = asked.past.split_last()?;
    let looked = last.calls.iter().rev().find(|done| known::is_ours(&done.call.name))?;
    let whole = known::result(looked).filter(|_| looked.call.name == "get_itinerary")?;
    let known = Known::of(asked, before);
    // Where its title is known only since then.
    let mut known = known;
    known.take_all(&whole);
    let calendar = Calendar { trip: whole.get("itinerary").and_then(days::days_of), ..*calendar };
    let Part::Read(order) = ask::parts(&last.said, &known, &calendar)?.pop()? else { return None };
    let words = target(&order.ask)?;
    let several = finding::matching(&whole, words, &calendar);
    if several.len() < 2 {
        return None;
    }
    let reply = lex(&asked.turn.said);
    let reply = words::bare(trim_signs(&reply));
    let one = match saying::pick(reply) {
        Some(saying::Pick::Nth(nth)) => several.get(nth.checked_sub(1)?).copied(),
        Some(saying::Pick::Last) => several.last().copied(),
        Some(_) => None,
        None => {
            let reply: Words = crate::lex::after(reply, &["one", "ones"]).unwrap_or(reply).to_vec();
            let (moment, rest) = calendar.taken(&reply);
            let is_dated = moment.day.is_some() && trim_signs(&rest).is_empty();
            let of = Value::Array(several.iter().map(|one| (*one).clone()).collect());
            let of = json!({ "segments": of });
            let found: Vec<&Value> = match is_dated {
                true => several.iter().copied().filter(|one| finding::is_at(one, moment)).collect(),
                false => {
                    let ids: Vec<String> = finding::matching(&of, &reply, &calendar)
                        .iter()
                        .map(|one| text(one, "/id").to_owned())
                        .collect();
                    several
                        .iter()
                        .copied()
                        .filter(|one| ids.iter().any(|id| id == text(one, "/id")))
                        .collect()
                }
            };
            match found.as_slice() {
                [only] => Some(*only),
                _ => None,
            }
        }
    };
    let chosen = Some(text(one?, "/id").to_owned());
    Some(Order { chosen, trip: Some(text(&whole, "/itinerary/id").to_owned()), ..order })
}

/// The words for the segment that is asked about, where there is one.
fn target(ask: &Ask) -> Option<&Words> {
    match ask {
        Ask::Move { what, .. }
        | Ask::Rename { what, .. }
        | Ask::Status { what, .. }
        | Ask::Cost { what, .. }
        | Ask::Note { what, .. }
        | Ask::Delete(what)
        | Ask::Cancel(what)
        | Ask::Piece(what) => Some(what),
        Ask::WhatIf(ask) => target(ask),
        _ => None,
    }
}

/// Carries out one order.
fn done(desk: &mut Desk<'_, '_>, order: &Order) -> Step<()> {
    match &order.ask {
        Ask::Create(words) => planning::created(desk, words),
        Ask::Trips { archived } => trips(desk, *archived),
        Ask::Show { day } => shown(desk, day.as_ref()),
        Ask::Piece(words) => piece(desk, words),
        Ask::Add { kind, words } => changing::added(desk, kind, words),
        Ask::Take(words) => seeking::taken(desk, words),
        Ask::Move { what, to } => changing::moved(desk, what, to),
        Ask::MoveTrip { by } => changing::moved_by(desk, *by),
        Ask::MoveTripTo(to) => changing::moved_to(desk, to),
        Ask::Longer { by } => changing::longer(desk, *by),
        Ask::WhatIf(ask) => changing::what_if(desk, ask),
        Ask::Delete(words) => changing::deleted(desk, words),
        Ask::Cancel(words) => changing::cancelled(desk, words),
        Ask::HowToBook(words) => changing::how_to_book(desk, words),
        Ask::Rename { what, title } => changing::renamed(desk, what, title),
        Ask::Status { what, status, code } => changing::status(desk, what, status, code.as_deref()),
        Ask::Cost { what, sum } => changing::cost(desk, what, sum),
        Ask::Note { what, text } => changing::noted(desk, what, text),
        Ask::Beside { what, anchor, is_after } => changing::beside(desk, what, anchor, *is_after),
        Ask::Distance { from, to } => seeking::distance(desk, from, to),
        Ask::Ways { from, to } => seeking::ways(desk, from, to),
        Ask::Find { kind, words } => seeking::looked_for(desk, kind, words),
        Ask::Wish(words) => planning::wished(desk, words),
        Ask::NoBudget => planning::no_budget(desk),
        Ask::Dates(words) => planning::dated(desk, words),
        Ask::Duplicate(words) => planning::duplicated(desk, words),
        Ask::GoOn => planning::goes_on(desk),
        Ask::Check => checked(desk),
        Ask::Total => total(desk),
        Ask::Route => route(desk),
        Ask::Where(words) => {
            let answer = desk.look("geocode_location", json!({ "name": words::name(words) }))?;
            desk.say(telling::summary(&answer));
            Ok(())
        }
        Ask::DeleteTrip => {
            let whole = desk.whole()?;
            desk.written("itinerary_delete", json!({ "itinerary": id_of(&whole) }))
        }
        Ask::Archive(archived) => put_away(desk, *archived),
        Ask::RenameTrip(title) => {
            let whole = desk.whole()?;
            desk.written("update_itinerary", json!({ "itinerary": id_of(&whole), "title": title }))
        }
        Ask::Export { format } => {
            let mut arguments = desk.named();
            arguments.insert("format".into(), json!(format));
            let answer = desk.look("itinerary_export", Value::Object(arguments))?;
            desk.say(telling::summary(&answer));
            Ok(())
        }
        Ask::Traveller { name, kind } => {
            let whole = desk.whole()?;
            let mut arguments = json!({ "itinerary": id_of(&whole), "name": name });
            if let Some(kind) = kind {
                arguments["kind"] = json!(kind);
            }
            desk.written("add_traveler", arguments)
        }
        Ask::WhoOrWhat(name) => changing::who_or_what(desk, name),
        Ask::NotComing(names) => {
            let whole = desk.whole()?;
            desk.written("update_itinerary", json!({ "itinerary": id_of(&whole), "remove_travelers": names }))
        }
        Ask::Nothing => {
            desk.say("All right, I changed nothing.");
            Ok(())
        }
        Ask::NoneYet => {
            desk.say("There is no trip yet. Say “plan a week in Paris” to begin one.");
            Ok(())
        }
        Ask::BeginFirst(place) => {
            desk.say(format!(
                "There is no trip yet, and what I find is for one: say “plan a weekend in {}” to begin it, and then search. I changed nothing.",
                crate::text::escape(place)
            ));
            Ok(())
        }
        Ask::Cannot(why) => {
            desk.say(*why);
            Ok(())
        }
    }
}

/// Which trips there are.
fn trips(desk: &mut Desk<'_, '_>, archived: bool) -> Step<()> {
    let arguments = if archived { json!({ "archived": true }) } else { json!({}) };
    let answer = desk.look("itinerary_list", arguments)?;
    let lines: Vec<String> = list(&answer, "/itineraries")
        .iter()
        .map(|row| {
            let days = [text(row, "/start"), text(row, "/end")]
                .map(|day| if day.is_empty() { String::new() } else { telling::when(day) });
            let days = match days {
                [start, end] if !start.is_empty() && !end.is_empty() => format!(", {start} to {end}"),
                [start, end] if start.is_empty() && end.is_empty() => String::new(),
                [start, end] => format!(", {start}{end}"),
            };
            let count = row.get("segments").and_then(Value::as_i64).unwrap_or(0);
            let is = |field: &str| row.get(field).and_then(Value::as_bool) == Some(true);
            let more = if is("archived") {
                ", archived"
            } else if is("current") {
                ", worked on last"
            } else {
                ""
            };
            format!(
                "**{}**{days}: {}{more}",
                crate::text::escape(text(row, "/title")),
                words::counted(count, "segment")
            )
        })
        .collect();
    desk.say(telling::summary(&answer));
    if !lines.is_empty() {
        desk.say(telling::numbered(&lines));
    }
    Ok(())
}

/// A trip, or a day of it.
fn shown(desk: &mut Desk<'_, '_>, day: Option<&Words>) -> Step<()> {
    let Some(day) = day else {
        let whole = desk.whole()?;
        return told(desk, &whole);
    };
    // Which day “Tuesday” or “day 3” is, the trip says.
    if desk.calendar.trip.is_none() {
        desk.whole()?;
    }
    let Some(on) = desk.calendar.taken(day).0.day else {
        let text = "Which day is that? The trip has no days yet: say “the trip is from 15 to 22 June”.";
        return Err(Stop::Fail(text.to_owned()));
    };
    let more: Map<String, Value> =
        [("day".to_owned(), json!(dates::iso::day_text(on)))].into_iter().collect();
    let whole = desk.whole_of(more)?;
    told(desk, &whole)
}

fn told(desk: &mut Desk<'_, '_>, whole: &Value) -> Step<()> {
    desk.say(telling::summary(whole));
    let lines: Vec<String> = list(whole, "/segments").iter().map(telling::line).collect();
    if !lines.is_empty() {
        desk.say(telling::numbered(&lines));
    }
    Ok(())
}

/// Something on the trip.
fn piece(desk: &mut Desk<'_, '_>, words: &Words) -> Step<()> {
    let (_, segment) = desk.target(words)?;
    let answer = desk.look("get_segment", json!({ "segment": text(&segment, "/id") }))?;
    desk.say(telling::summary(&answer));
    let place = ["/place", "/to"].into_iter().find_map(|at| segment.pointer(at));
    if let Some(place) = place {
        let city = text(place, "/city");
        let parts: Vec<String> = [text(place, "/name"), city]
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(crate::text::escape)
            .collect();
        desk.say(format!("Where: {}.", parts.join(", ")));
    }
    if !text(&segment, "/note").is_empty() {
        desk.say(format!("Note: {}", crate::text::escape(text(&segment, "/note"))));
    }
    Ok(())
}

/// What does not work, all of it.
fn checked(desk: &mut Desk<'_, '_>) -> Step<()> {
    let arguments = desk.named();
    let answer = desk.look("check_itinerary", Value::Object(arguments))?;
    let findings = list(&answer, "/findings");
    if findings.len() < 2 {
        desk.say(telling::summary(&answer));
        return Ok(());
    }
    let line = |finding: &Value| {
        let said = format!("{} {}", text(finding, "/text"), text(finding, "/way_out"));
        telling::plainly(said.trim())
    };
    let lines: Vec<String> = findings.iter().map(line).collect();
    let count = i64::try_from(findings.len()).unwrap_or(0);
    let things = if count == 1 { "thing" } else { "things" };
    desk.say(format!("{count} {things} to look at:\n\n{}", telling::numbered(&lines)));
    Ok(())
}

/// What it costs so far, by currency: two are never added.
fn total(desk: &mut Desk<'_, '_>) -> Step<()> {
    let whole = desk.whole()?;
    let title = telling::title(&whole["itinerary"]);
    let sums: Vec<String> = list(&whole, "/costs").iter().filter_map(telling::money).collect();
    let all = match sums.as_slice() {
        [] => format!("Nothing on {title} has a price yet."),
        [only] => format!("{title} costs {only} so far; ideas are not counted."),
        several => format!(
            "{title} costs {} so far; sums of different currencies are not added, and ideas are not counted.",
            several.join(" and ")
        ),
    };
    let budget = ["/itinerary/budget", "/profile/budget/value"]
        .into_iter()
        .find_map(|at| whole.pointer(at))
        .and_then(telling::money);
    desk.say(match budget {
        Some(budget) => format!("{all} The budget is {budget}."),
        None => all,
    });
    Ok(())
}

/// The stops in order.
fn route(desk: &mut Desk<'_, '_>) -> Step<()> {
    let arguments = desk.named();
    let answer = desk.look("show_route", Value::Object(arguments))?;
    desk.say(telling::summary(&answer));
    let legs = list(&answer, "/legs");
    let line = |stop: &Value| {
        let number = stop.get("number");
        let leg = legs.iter().find(|leg| leg.get("to").is_some() && leg.get("to") == number);
        let km = leg.and_then(|leg| leg.get("km")).and_then(Value::as_f64);
        let km = km.map_or_else(String::new, |km| format!(", {km:.0} km on"));
        Some(format!("**{}**{km}", crate::text::escape(text(stop, "/name"))))
    };
    let lines: Vec<String> = list(&answer, "/stops").iter().filter_map(line).collect();
    if !lines.is_empty() {
        desk.say(telling::numbered(&lines));
    }
    Ok(())
}

/// Puts a trip away, or brings one back.
fn put_away(desk: &mut Desk<'_, '_>, archived: bool) -> Step<()> {
    let mut arguments = desk.named();
    if !arguments.contains_key("itinerary") && archived {
        let whole = desk.whole()?;
        arguments.insert("itinerary".into(), id_of(&whole));
    } else if !arguments.contains_key("itinerary") {
        return Err(Stop::Fail(
            "Which trip? Say “bring back the Rome trip”; “show archived trips” says which there are."
                .to_owned(),
        ));
    }
    arguments.insert("archived".into(), json!(archived));
    desk.written("itinerary_archive", Value::Object(arguments))
}
