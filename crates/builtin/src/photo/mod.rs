//! Photos: what people say about them, and the calls it takes.
//!
//! `ask` reads a message as one [`Ask`]; `past` reads days that are over. What is found is kept by the messages alone: "those" and "the best
//! ones" are the photos of the last photo tool that was called, and are given to the next one whole (S0-44, S0-46). It says what the tools
//! said, and nothing that was not seen.

mod ask;
mod past;
mod people;
mod ranked;
mod who;

use serde_json::{Map, Value, json};

use self::ask::{Ask, Before, Each, Of, On, Which, ask};
use crate::conversation::{Done, Turn};
use crate::german::finished;
use crate::run::{Caller, Run, Step, Stop};
use crate::skill::{Asked, Help, Reading, Skill, Sureness, Words};
use crate::text::escape;

/// The photo skill.
pub static PHOTO_SKILL: Photos = Photos;

/// See [`PHOTO_SKILL`].
pub struct Photos;

/// How many photos, events or groups an answer names.
const TOLD: usize = 8;

/// The most photos that are put in order.
const MOST_RANKED: u64 = 500;

impl Skill for Photos {
    fn domain(&self) -> &'static str {
        "photo"
    }

    fn words(&self) -> Words {
        Words {
            thing: "photo".into(),
            things: "photos".into(),
            show: "show my photos".into(),
            nouns: "photo|photos|picture|pictures|image|images|album|albums".into(),
            // Its answer is not paged: it has all ids.
            list_tool: "".into(),
        }
    }

    fn help(&self) -> Help {
        Help {
            lines: "- **Photos**: “show me photos with faces”, “which ones are the best quality?”, “group my photos by event”, “photos from \
                    Paris last summer”, “find duplicates”, “group them by person”, “put them into an album called Best”, \
                    “export them as a zip”"
                .into(),
            examples: "“show me photos with faces”".into(),
            ..Help::default()
        }
    }

    fn read<'r>(&'r self, asked: Asked<'r>) -> Option<Reading<'r>> {
        if !asked.tools.iter().any(|tool| tool.name == "photo_list") {
            return None;
        }
        // Before there are photos a request has no other tool of theirs.
        let is_empty = !asked.tools.iter().any(|tool| tool.name == "photo_search");
        // What is chosen on the screen is "these", whatever was found before.
        let (said, chosen) = match asked.system.map(chosen_in).filter(|ids| !ids.is_empty()) {
            Some(ids) => (these(&asked.turn.said), Some(json!(ids))),
            None => (asked.turn.said.clone(), None),
        };
        let chosen = chosen.filter(|_| points_at_the_chosen(&said));
        let past = if chosen.is_some() { &[] } else { asked.past };
        let before = chosen.or_else(|| found_before(past));
        let about = Before { found: before.is_some(), people: who::were_spoken_of(asked.past) };
        let others = asked.skills.iter().filter(|skill| skill.domain() != self.domain());
        let others: Vec<String> = others
            .flat_map(|skill| skill.words().nouns.split('|').map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let ask = ask(&said, &others, about, asked.now.map(|now| now.date()))?;
        Some(Reading {
            // What hangs on what was found is about that, whatever else has such words.
            sureness: Sureness::Names,
            carry_out: Box::new(move |mut run| {
                let step = match ask {
                    _ if !is_empty => carry_out(&mut run, &ask, before.as_ref(), past),
                    Ask::What | Ask::CannotKnow => carry_out(&mut run, &ask, before.as_ref(), past),
                    _ => none_yet(&mut run),
                };
                run.ended(step)
            }),
        })
    }
}

/// The ids of the photos that the person has chosen on the screen, as the app tells them.
fn chosen_in(system: &str) -> Vec<String> {
    // As `protocol::fence` writes it.
    const FENCE: [&str; 2] = ["<tool_output tool=\"chosen_photos\"", "</tool_output"];
    let Some((_, rest)) = system.split_once(FENCE[0]) else { return Vec::new() };
    let Some((text, _)) = rest.split_once(FENCE[1]) else { return Vec::new() };
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with("photo_")).map(str::to_owned).collect()
}

/// A message with "the chosen ones" and "the selected photos" as "these photos".
fn these(said: &str) -> String {
    let mut said = said.to_owned();
    for word in ["chosen", "selected"] {
        for what in ["ones", "photos", "pictures", "images"] {
            for start in ["the ", "my "] {
                said = said.replace(&format!("{start}{word} {what}"), "these photos");
            }
        }
    }
    said
}

/// Whether a message speaks of what is chosen on the screen.
fn points_at_the_chosen(said: &str) -> bool {
    said.to_lowercase().split(|letter: char| !letter.is_alphabetic()).any(|word| word == "these")
}

/// What the last photo tool of the conversation found, as the next one takes it: its reference, or the result.
fn found_before(past: &[Turn]) -> Option<Value> {
    // Who was asked which photo answers of what was found before.
    let turn = past.iter().rev().find(|turn| turn.answer != finished(WHICH_PHOTO, turn.language))?;
    // What is in the bin now is not meant again.
    if turn.calls.iter().any(|done| done.call.name == "photo_delete") {
        return None;
    }
    let found = turn.calls.iter().rev().filter(|done| !done.is_error && is_finding(&done.call.name));
    let text = found.filter_map(|done| done.result.as_deref()).next()?;
    if let Some((_, reference)) = in_short(text) {
        return Some(json!(reference));
    }
    let result: Value = serde_json::from_str(text).ok()?;
    let ids = ids_in(&result);
    (!ids.is_empty()).then(|| json!(ids))
}

/// What the last call of a tool was given as `images`: "the third event" is the third of those that were shown.
fn images_of_last(past: &[Turn], tool: &str) -> Option<Value> {
    let mut calls = past.iter().rev().flat_map(|turn| turn.calls.iter().rev());
    calls.find(|done| done.call.name == tool && !done.is_error)?.call.arguments.get("images").cloned()
}

/// The last call of the conversation that found photos.
fn last_finding(past: &[Turn]) -> Option<&Done> {
    past.last()?.calls.iter().rev().find(|done| !done.is_error && is_finding(&done.call.name))
}

/// Whether what was found last was in order of quality.
fn was_ranked(past: &[Turn]) -> bool {
    last_finding(past).is_some_and(|done| {
        let by = done.call.arguments.get("by").and_then(Value::as_str);
        match &*done.call.name {
            "assess_quality_batch" | "select_best_per_cluster" => true,
            "rank_images" => by.is_none_or(|by| by == "quality"),
            _ => done.call.arguments.get("sort").and_then(Value::as_str) == Some("best"),
        }
    })
}

/// The call that shows twice as many of what was the first of an order; none where all that was found was shown.
fn first_of_more(past: &[Turn]) -> Option<(String, Value)> {
    let done = last_finding(past)
        .filter(|done| matches!(&*done.call.name, "assess_quality_batch" | "rank_images"))?;
    let text = done.result.as_deref()?;
    let shown = match serde_json::from_str::<Value>(text) {
        Ok(result) => result.get("top_n").and_then(Value::as_u64),
        // In short: among its key metrics.
        Err(_) => text
            .split("top_n: ")
            .nth(1)
            .and_then(|rest| rest.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()),
    };
    let mut arguments = done.call.arguments.clone();
    arguments["top_n"] = json!((shown? * 2).clamp(1, MOST_RANKED));
    Some((done.call.name.clone(), arguments))
}

/// Whether a tool answers with photos.
fn is_finding(tool: &str) -> bool {
    matches!(
        tool,
        "photo_list"
            | "photo_search"
            | "detect_faces"
            | "assess_quality_batch"
            | "rank_images"
            | "filter_by_tags"
            | "show_cluster"
            | "select_best_per_cluster"
            | "cluster_images"
            | "find_duplicates"
            | "identify_places"
            | "group_by_person"
            | "photo_export"
    )
}

/// The ids of the photos in a result, each once, in its order.
fn ids_in(result: &Value) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    let mut add = |value: &Value| {
        if let Some(id) = value.as_str()
            && !ids.iter().any(|known| known == id)
        {
            ids.push(id.to_owned());
        }
    };
    let list =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let all = list(result, "ids");
    all.iter().for_each(&mut add);
    if all.is_empty() {
        list(result, "items").iter().filter_map(|item| item.get("id")).for_each(&mut add);
    }
    for name in ["clusters", "groups", "places"] {
        list(result, name).iter().flat_map(|group| list(group, "ids")).for_each(|id| add(&id));
    }
    ids
}

/// What a tool found, as the next one takes it.
fn images_of(found: &Value) -> Value {
    found.get("reference").cloned().unwrap_or_else(|| json!(ids_in(found)))
}

/// Whatever is asked of photos before there are any.
fn none_yet(run: &mut Run<'_>) -> Step<()> {
    called(run, "photo_list", json!({}))?;
    run.say(NONE_YET.to_owned());
    Ok(())
}

fn carry_out(run: &mut Run<'_>, ask: &Ask, before: Option<&Value>, past: &[Turn]) -> Step<()> {
    let of = |of: &Of| match of {
        Of::All => Ok(None),
        Of::Those => before.cloned().map(Some).ok_or_else(|| Stop::Fail(WHICH.to_owned())),
    };
    let with = |images: Option<Value>, more: Value| {
        let mut arguments = match more {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        if let Some(images) = images {
            arguments.insert("images".to_owned(), images);
        }
        Value::Object(arguments)
    };
    match ask {
        Ask::What => run.say(WHAT.to_owned()),
        Ask::CannotKnow => run.say(CANNOT_KNOW.to_owned()),
        Ask::ByPerson(which) => who::listed_people(run, with(of(which)?, json!({})))?,
        Ask::With { whom, of: which, best } => who::with(run, whom, of(which)?, *best, past)?,
        Ask::Name { whom, name } => {
            let person = who::named(run, whom, past)?;
            changed(run, "person_name", json!({ "person": person, "name": name }))?;
        }
        Ask::Same { from, into } => {
            let (from, into) = (who::named(run, from, past)?, who::named(run, into, past)?);
            changed(run, "person_merge", json!({ "from": from, "into": into }))?;
        }
        Ask::NotThem { name, on } => {
            // "This" is one photo. Where several were found, not all are taken from somebody for it.
            if *on == On::One && before.and_then(Value::as_array).is_none_or(|ids| ids.len() != 1) {
                return Err(Stop::Fail(WHICH_PHOTO.to_owned()));
            }
            let images = who::photo(before, *on).ok_or_else(|| Stop::Fail(WHICH.to_owned()))?;
            changed(run, "person_split", json!({ "person": name, "images": images }))?;
        }
        Ask::List => told(run, "photo_list", json!({}))?,
        Ask::Faces { of: which, least } => {
            let more = if *least > 1 { json!({ "min_faces": least }) } else { json!({}) };
            told(run, "detect_faces", with(of(which)?, more))?;
        }
        Ask::Best { of: which, top } => {
            let more = top.map_or_else(|| json!({}), |top| json!({ "top_n": top }));
            told(run, "assess_quality_batch", with(of(which)?, more))?;
        }
        Ask::Search { of: which, filter } => {
            let mut filter = filter.clone();
            // What was in order of quality stays so when it is narrowed down (S0-46).
            if *which == Of::Those && !filter.contains_key("sort") && was_ranked(past) {
                filter.insert("sort".to_owned(), json!("best"));
            }
            told(run, "photo_search", with(of(which)?, Value::Object(filter)))?;
        }
        Ask::Rank { of: which, filter, by, top } => {
            let mut images = of(which)?;
            if !filter.is_empty() {
                let found = called(run, "photo_search", with(images, Value::Object(filter.clone())))?;
                images = Some(images_of(&found));
            }
            let mut how = json!({ "by": by.name() });
            if let Some(top) = top {
                how["top_n"] = json!(top);
            }
            told(run, "rank_images", with(images, how))?;
        }
        Ask::More => match first_of_more(past) {
            Some((tool, arguments)) => told(run, &tool, arguments)?,
            None => run.say(ALL_OF_IT.to_owned()),
        },
        Ask::Events(which) => {
            let answer = called(run, "cluster_images", with(of(which)?, json!({})))?;
            run.say(listed(&answer, "clusters", |cluster| {
                let count = cluster.get("count").and_then(Value::as_u64).unwrap_or_default();
                Some(format!("**{}**: {}", escape(cluster.get("name")?.as_str()?), photos(count)))
            }));
        }
        Ask::Event(which) => {
            let number = match which {
                Which::Number(number) => *number,
                Which::Last => {
                    let of = images_of_last(past, "cluster_images");
                    let events = called(run, "cluster_images", with(of, json!({})))?;
                    events.get("num_clusters").and_then(Value::as_u64).unwrap_or(1) as usize
                }
            };
            let of = images_of_last(past, "cluster_images");
            told(run, "show_cluster", with(of, json!({ "number": number })))?;
        }
        Ask::BestOfEach(each) => {
            let grouped = ["group_by_person", "cluster_images", "find_duplicates"];
            let calls = past.iter().rev().flat_map(|turn| turn.calls.iter().rev());
            let last = calls.filter(|done| !done.is_error).find(|done| grouped.contains(&&*done.call.name));
            match (each, last.map(|done| &*done.call.name)) {
                (Each::Person, _) | (Each::Group, Some("group_by_person")) => {
                    let images = images_of_last(past, "group_by_person");
                    let people = called(run, "group_by_person", with(images, json!({})))?;
                    let people = people.get("reference").cloned().unwrap_or(people);
                    told(run, "select_best_per_cluster", json!({ "images": people }))?;
                }
                (Each::Group, Some("find_duplicates")) => {
                    let images = images_of_last(past, "find_duplicates");
                    told(run, "photo_search", with(images, json!({ "duplicates": false })))?;
                }
                _ => {
                    let images = images_of_last(past, "cluster_images");
                    told(run, "select_best_per_cluster", with(images, json!({})))?;
                }
            }
        }
        Ask::Duplicates(which) => told(run, "find_duplicates", with(of(which)?, json!({})))?,
        Ask::KeepBest(which) => {
            // What was found before may be the duplicates themselves: of those among which they were found.
            let was_found = past
                .last()
                .is_some_and(|turn| turn.calls.iter().any(|done| done.call.name == "find_duplicates"));
            let among = if was_found { images_of_last(past, "find_duplicates") } else { of(which)? };
            let groups = called(run, "find_duplicates", with(among, json!({})))?;
            let spare = groups
                .get("spare")
                .cloned()
                .filter(|spare| spare.as_array().is_some_and(|spare| !spare.is_empty()));
            match (spare, groups.get("reference").and_then(Value::as_str)) {
                (Some(spare), _) => changed(run, "photo_delete", json!({ "images": spare }))?,
                // Too long to travel whole: what it means is taken from where it is kept.
                (None, Some(reference)) => {
                    changed(run, "photo_delete", json!({ "images": format!("{reference}#/spare") }))?;
                }
                (None, None) => run.say("There are no duplicates, so I deleted nothing.".to_owned()),
            }
        }
        Ask::Places(which) => {
            let answer = called(run, "identify_places", with(of(which)?, json!({})))?;
            run.say(listed(&answer, "places", |place| {
                let count = place.get("count").and_then(Value::as_u64).unwrap_or_default();
                Some(format!("**{}**: {}", escape(place.get("name")?.as_str()?), photos(count)))
            }));
        }
        Ask::Delete(which) => {
            // Of near-duplicates the best stays, also where all of them were shown.
            if past
                .last()
                .is_some_and(|turn| turn.calls.iter().any(|done| done.call.name == "find_duplicates"))
            {
                return carry_out(run, &Ask::KeepBest(*which), before, past);
            }
            changed(run, "photo_delete", with(of(which)?, json!({})))?;
        }
        Ask::Tag { of: which, tag } => changed(run, "photo_tag", with(of(which)?, json!({ "tags": [tag] })))?,
        Ask::Rate { of: which, stars } => {
            changed(run, "photo_rate", with(of(which)?, json!({ "stars": stars })))?
        }
        Ask::Album { of: which, name } => {
            let albums = called(run, "album_list", json!({}))?;
            let known = albums.get("albums").and_then(Value::as_array).cloned().unwrap_or_default();
            let is_there = known.iter().any(|album| {
                album
                    .get("name")
                    .and_then(Value::as_str)
                    .is_some_and(|known| known.eq_ignore_ascii_case(name))
            });
            let images = of(which)?;
            match (is_there, images) {
                (true, Some(images)) => {
                    changed(run, "album_add", json!({ "album": name, "images": images }))?
                }
                (true, None) => run.say(format!("There is an album “{}” already.", escape(name))),
                (false, images) => changed(run, "album_create", with(images, json!({ "name": name })))?,
            }
        }
        Ask::Export { of: which, filter, best, small, gps } => {
            let mut images = of(which)?;
            if !filter.is_empty() {
                let found = called(run, "photo_search", with(images, Value::Object(filter.clone())))?;
                images = Some(images_of(&found));
            }
            if *best {
                let found = called(run, "assess_quality_batch", with(images, json!({})))?;
                images = Some(images_of(&found));
            }
            let mut how = json!({});
            if *small {
                how["size"] = json!("small");
            }
            if *gps {
                how["gps"] = json!(true);
            }
            told(run, "photo_export", with(images, how))?;
        }
        Ask::Albums => {
            let answer = called(run, "album_list", json!({}))?;
            run.say(listed(&answer, "albums", |album| {
                let count = album.get("count").and_then(Value::as_u64).unwrap_or_default();
                Some(format!("**{}**: {}", escape(album.get("name")?.as_str()?), photos(count)))
            }));
        }
    }
    Ok(())
}

/// Calls a tool. What came back in short because it is long has its `summary` and its `reference`.
fn called(run: &mut Run<'_>, tool: &str, arguments: Value) -> Step<Value> {
    match run.call_each(vec![(tool.to_owned(), arguments)])?.pop() {
        Some(Ok(value)) => Ok(value),
        Some(Err((why, done))) => {
            let short = done.result.as_deref().filter(|_| !done.is_error).and_then(in_short);
            let (summary, reference) = short.ok_or_else(|| Stop::Fail(who::plainly(why)))?;
            Ok(json!({ "summary": summary, "reference": reference }))
        }
        None => Ok(Value::Null),
    }
}

/// What a long result says and where it is kept, as the agent tells it in short (S0-32).
fn in_short(text: &str) -> Option<(&str, &str)> {
    let line = |start: &str| text.lines().find_map(|line| line.strip_prefix(start));
    let (summary, reference) = (line("Summary: ")?, line("Reference: ")?);
    // The numbers after it are for models.
    let summary = summary.strip_suffix(')').and_then(|all| Some(all.rsplit_once(" (")?.0)).unwrap_or(summary);
    Some((summary, reference))
}

/// Calls a tool that finds, and says what it says.
fn told(run: &mut Run<'_>, tool: &str, arguments: Value) -> Step<()> {
    let answer = called(run, tool, arguments)?;
    run.say(summary(&answer));
    Ok(())
}

/// Calls a tool that changes, and says what it did and how it is taken back.
fn changed(run: &mut Run<'_>, tool: &str, arguments: Value) -> Step<()> {
    let answer = called(run, tool, arguments)?;
    let is_change = answer.get("changes").and_then(Value::as_array).is_none_or(|changes| !changes.is_empty());
    let back = if is_change { " Say “undo” to take it back." } else { "" };
    run.say(format!("{}{back}", summary(&answer)));
    Ok(())
}

fn summary(answer: &Value) -> String {
    answer.get("summary").and_then(Value::as_str).map_or_else(|| "Done.".to_owned(), escape)
}

/// What a tool says, and the first of what it lists.
fn listed(answer: &Value, name: &str, line: impl Fn(&Value) -> Option<String>) -> String {
    let all = answer.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let lines: Vec<String> = (1..)
        .zip(all.iter().take(TOLD).filter_map(line))
        .map(|(n, line): (usize, String)| format!("{n}. {line}"))
        .collect();
    if lines.is_empty() {
        return summary(answer);
    }
    let more = all.len().saturating_sub(TOLD);
    let more = if more == 0 { String::new() } else { format!("\n\n… and {more} more.") };
    format!("{}\n\n{}{more}", summary(answer), lines.join("\n"))
}

fn photos(count: u64) -> String {
    if count == 1 { "1 photo".to_owned() } else { format!("{count} photos") }
}

/// S0-43, S0-53.
const WHAT: &str = "I can look through the photos on this device: organise them by event and place, find the best ones, those with \
    faces, those near landmarks (by GPS), judge their quality and find duplicates. Say “show me photos with faces”, “group my photos \
    by event” or “find duplicates”.";

/// Nothing came in yet.
const NONE_YET: &str = "There are no photos yet. Open **Photos** beside the chat and choose files or a folder, or drop them there: \
    they are looked at on this device and never leave it.";

/// What is meant by "those" is not there.
const WHICH: &str = "I do not know which photos you mean: say which, such as “photos with faces”, and then what to do with them.";

/// More is asked for, and there is no more.
const ALL_OF_IT: &str =
    "That was all that I found. **Show all** below the small pictures shows every one of them in **Photos**.";

/// Several photos were found, and one of them is meant.
const WHICH_PHOTO: &str =
    "Which photo is that? Say “the third one is not …”, or “those are not …” for all that were found.";

/// What no photo says.
const CANNOT_KNOW: &str =
    "I can't know that: a photo does not say it, and I do not guess ages, moods or who is family.";

#[cfg(test)]
mod tests {
    use super::{chosen_in, points_at_the_chosen, these};

    #[test]
    fn these_are_what_is_chosen_on_the_screen() {
        let told = protocol::fence("b1", "chosen_photos", "photo_0a, photo_1b");
        let other = protocol::fence("b1", "photos", "photo_3d");
        assert_eq!(chosen_in(&format!("{other}\nChosen:\n{told}\nNow: photo_2c")), ["photo_0a", "photo_1b"]);
        assert!(chosen_in("Now: photo_2c").is_empty());
        assert_eq!(these("Delete the chosen ones"), "Delete these photos");
        assert!(points_at_the_chosen("Put these into an album called Best"));
        assert!(!points_at_the_chosen("Put them into an album called Best"));
    }
}
