//! Who is meant: people of the list that was shown, or by name, and the photos they are on.

use serde_json::{Map, Value, json};

use super::ask::On;
use super::people::Whom;
use super::{called, listed, photos, summary, told};
use crate::conversation::{Done, Turn};
use crate::run::{Caller, Run, Step, Stop};
use crate::text::{escape, unmarked};

/// The tool that lists people.
const LIST: &str = "group_by_person";

/// What is asked and said of people: what comes after a list in a turn is what the list was for.
const ABOUT: [&str; 6] =
    [LIST, "photo_search", "person_name", "person_merge", "person_split", "select_best_per_cluster"];

/// Whether people were listed in the turn before, or something was said of them.
pub(super) fn were_spoken_of(past: &[Turn]) -> bool {
    let tools = [LIST, "person_name", "person_merge", "person_split"];
    past.last()
        .is_some_and(|turn| turn.calls.iter().any(|done| tools.contains(&&*done.call.name) && !done.is_error))
}

/// Why a call went wrong; that people are not recognised is no failure, and is said alone.
pub(super) fn plainly(why: String) -> String {
    match why.split_once(": ") {
        Some((_, rest)) if unmarked(rest).starts_with("People are not recognised") => rest.to_owned(),
        _ => why,
    }
}

/// Lists people.
pub(super) fn listed_people(run: &mut Run<'_>, arguments: Value) -> Step<()> {
    let answer = called(run, LIST, arguments)?;
    run.say(listed(&answer, "clusters", |person| {
        let count = person.get("count").and_then(Value::as_u64).unwrap_or_default();
        Some(format!("**{}**: {}", escape(person.get("name")?.as_str()?), photos(count)))
    }));
    Ok(())
}

/// What somebody is called now, of whom a message says which one they are.
pub(super) fn named(run: &mut Run<'_>, whom: &Whom, past: &[Turn]) -> Step<String> {
    if let Whom::Named(name) = whom {
        return Ok(name.clone());
    }
    // A place is one in a list that the person saw.
    let list = past.iter().rev().find_map(list_of).ok_or_else(|| Stop::Fail(WHO.to_owned()))?;
    let shown = match shown(past) {
        Some(names) => names,
        None => {
            let images = list.call.arguments.get("images");
            let arguments = images.map_or_else(|| json!({}), |images| json!({ "images": images }));
            names(&called(run, LIST, arguments)?)
        }
    };
    let found = match whom {
        Whom::Place(place) => place.checked_sub(1).and_then(|at| shown.get(at)),
        _ => shown.last(),
    };
    found.cloned().ok_or_else(|| Stop::Fail(WHO.to_owned()))
}

/// The list of people that a turn showed. One that was asked for on the way to something else, to look somebody up, was not seen.
fn list_of(turn: &Turn) -> Option<&Done> {
    let last = turn.calls.iter().rev().find(|done| ABOUT.contains(&&*done.call.name))?;
    (last.call.name == LIST && !last.is_error).then_some(last)
}

/// The people of the last list that the person saw, by what they are called since.
fn shown(past: &[Turn]) -> Option<Vec<String>> {
    let turns = past.iter().rev();
    let mut calls = turns.flat_map(|turn| turn.calls.iter().rev().map(|done| (list_of(turn), done)));
    let mut since = Vec::new();
    let list = loop {
        let (list, done) = calls.find(|(_, done)| !done.is_error)?;
        match done.call.name.as_str() {
            LIST if list.is_some() => break done,
            "person_name" => since.push(done.call.arguments.clone()),
            // Who is one with whom, and who is gone, is to be asked again.
            "person_merge" | "undo" | "redo" => return None,
            _ => {}
        }
    };
    let mut names = names(&serde_json::from_str(list.result.as_deref()?).ok()?);
    let text = |arguments: &Value, name: &str| arguments.get(name).and_then(Value::as_str).map(str::to_owned);
    for arguments in since.iter().rev() {
        let (Some(before), Some(after)) = (text(arguments, "person"), text(arguments, "name")) else {
            continue;
        };
        names
            .iter_mut()
            .filter(|name| name.eq_ignore_ascii_case(&before))
            .for_each(|name| name.clone_from(&after));
    }
    (!names.is_empty()).then_some(names)
}

/// What the people of a result are called.
fn names(answer: &Value) -> Vec<String> {
    let people = answer.get("clusters").and_then(Value::as_array);
    people.into_iter().flatten().filter_map(|person| Some(person.get("name")?.as_str()?.to_owned())).collect()
}

/// Finds the photos that all of these are on. A word with a capital may be anything ("photos of Berlin"): where somebody is not known by
/// it, it is looked for in all words.
pub(super) fn with(
    run: &mut Run<'_>,
    whom: &[Whom],
    images: Option<Value>,
    best: bool,
    past: &[Turn],
) -> Step<()> {
    let people = whom.iter().map(|whom| named(run, whom, past)).collect::<Step<Vec<_>>>()?;
    let known = match run.call_each(vec![(LIST.to_owned(), json!({}))])?.pop() {
        Some(Ok(answer)) => Ok(names(&answer)),
        Some(Err((why, done))) if done.is_error => Err(plainly(why)),
        // Too long to travel whole: the tool that searches knows who there is.
        _ => Ok(people.clone()),
    };
    let mut arguments = Map::new();
    if let Some(images) = images {
        arguments.insert("images".to_owned(), images);
    }
    if best {
        arguments.insert("sort".to_owned(), json!("best"));
    }
    let found: Option<Vec<&str>> = match &known {
        Ok(known) => people.iter().map(|name| full(known, name)).collect(),
        Err(_) => None,
    };
    if let Some(found) = found {
        arguments.insert("people".to_owned(), json!(found));
        return told(run, "photo_search", Value::Object(arguments));
    }
    arguments.insert("text".to_owned(), json!(people.join(" ")));
    let answer = called(run, "photo_search", Value::Object(arguments))?;
    let is_none = answer.get("num_images").and_then(Value::as_u64) == Some(0);
    match known {
        // Why it may be that nothing fits.
        Err(why) if is_none => run.say(format!("{} {why}", summary(&answer))),
        _ => run.say(summary(&answer)),
    }
    Ok(())
}

/// The whole name of somebody who is known by it, or by its beginning alone.
fn full<'n>(known: &'n [String], name: &str) -> Option<&'n str> {
    let lower = name.to_lowercase();
    if let Some(found) = known.iter().find(|known| known.to_lowercase() == lower) {
        return Some(found);
    }
    let mut begins = known.iter().filter(|known| known.to_lowercase().starts_with(&format!("{lower} ")));
    let found = begins.next()?;
    begins.next().is_none().then_some(found)
}

/// What was found before, or the photo with a number of it, from 1.
pub(super) fn photo(before: Option<&Value>, on: On) -> Option<Value> {
    let On::Number(number) = on else { return before.cloned() };
    let at = number.checked_sub(1)?;
    match before? {
        Value::Array(ids) => ids.get(at).cloned(),
        Value::String(reference) => Some(json!(format!("{reference}#/items/{at}/id"))),
        _ => None,
    }
}

/// Who is meant is not there.
const WHO: &str = "I do not know whom you mean: say “who is on my photos?” first, and then which of them.";
