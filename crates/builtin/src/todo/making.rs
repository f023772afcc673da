//! New to-dos: made, or offered where nobody said that they are to be.

use crate::todo::intent::{Beyond, Draft, Intent, Target, patch};
use crate::todo::linking::{SURE, link, telling};
use crate::todo::plan::{Halt, Run, Step, Wants, say};
use crate::todo::rows::{Todo, changes};
use jiff::civil::DateTime;
use serde_json::{Map, Value, json};

use crate::lex::{Token, lex};
use crate::text::quoted;
use crate::todo::acts::{BATCH, change};
use crate::todo::answer;
use crate::todo::attrs::Attrs;
use crate::todo::find::{Fit, find, same};
use crate::todo::limits::LISTS;
use crate::todo::reminder;

/// The open to-do that has this very title, when there is one and no other.
fn there(run: &mut Run, title: &str) -> Step<Option<Todo>> {
    let mut found = run.search(title)?;
    found.retain(|todo| !todo.done && same(&todo.title, title));
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// Asks whether something is to be a to-do; or, where it is one already, whether what was said is about that.
pub fn suggest(run: &mut Run, draft: &Draft) -> Step<()> {
    let title = quoted(&draft.title);
    if !draft.attrs.is_empty()
        && let Some(todo) = there(run, &draft.title)?
    {
        let text = format!(
            "{title} is there already. Shall I make it {}? (yes or no)\n\n{}",
            answer::wanted(&draft.attrs, run.now),
            answer::task(&todo, run.now)
        );
        let command = Intent::change(Target::Chosen(vec![todo]), patch(draft.attrs.clone()));
        return Err(Halt::Ask { text, wants: Box::new(Wants::Confirm(command)) });
    }
    // "Can you pay the electricity bill?" is nothing new where that is to be done already.
    if draft.beyond == Some(Beyond::Deed)
        && let Some(todo) = known(run, &draft.title)?
    {
        run.run.said.push(format!(
            "I cannot do that myself; I only keep to-dos. It is on your list:\n\n{}",
            answer::task(&todo, run.now)
        ));
        return Ok(());
    }
    let myself = match draft.beyond {
        Some(Beyond::Deed) => "I cannot do that myself; I only keep to-dos. ",
        Some(Beyond::Often) | None => "",
    };
    Err(Halt::Ask {
        text: format!("{myself}{}", offer(draft, run.now)),
        wants: Box::new(Wants::Confirm(Intent::Add(vec![Draft {
            beyond: draft.beyond.filter(|beyond| *beyond == Beyond::Often),
            ..draft.clone()
        }]))),
    })
}

/// The one open to-do that these words are about, where all that they tell is in its title.
fn known(run: &mut Run, title: &str) -> Step<Option<Todo>> {
    if !run.offers("todo_list") {
        return Ok(None);
    }
    let open: Vec<Todo> = run.look()?.into_iter().filter(|todo| !todo.done).collect();
    let words = lex(title);
    Ok(match link(&words, &open, false).as_slice() {
        [only] => {
            let of = |(at, token): (usize, &Token)| !telling(token) || only.at.contains(&at);
            let verb = words.first().is_some_and(|t| only.todo.title.to_lowercase().starts_with(&t.lower));
            (verb && only.score >= SURE && words.iter().enumerate().all(of)).then(|| only.todo.clone())
        }
        _ => None,
    })
}

/// "Shall I add “Yoga”, due tomorrow, as a to-do?"
pub fn offer(draft: &Draft, now: Option<DateTime>) -> String {
    let wanted = answer::wanted(&draft.attrs, now);
    let parts: Vec<String> = draft.parts.iter().flatten().map(|part| quoted(&part.title)).collect();
    let parts = (!parts.is_empty()).then(|| format!("with the subtasks {}", parts.join(", ")));
    let notes = draft.notes.as_ref().map(|notes| format!("with the note {}", quoted(notes)));
    let remind =
        draft.reminder(now).map(|remind| format!("with a {}", reminder::in_words(&remind.to_string(), now)));
    let all: Vec<String> =
        (!wanted.is_empty()).then_some(wanted).into_iter().chain(remind).chain(parts).chain(notes).collect();
    let wanted = if all.is_empty() { String::new() } else { format!(", {},", all.join(", ")) };
    format!("Shall I add {}{wanted} as a to-do? (yes or no)", quoted(&draft.title))
}

/// A list begins with the first to-do in it, which is asked for.
pub fn new_list(run: &mut Run, name: &str) -> Step<usize> {
    if name.is_empty() {
        return say(run, LISTS);
    }
    let attrs = Attrs { list: Some(name.to_owned()), ..Attrs::default() };
    Err(Halt::Ask {
        text: format!(
            "A list is there as soon as a to-do is in it. What is the first one for {}?",
            quoted(name)
        ),
        wants: Box::new(Wants::Title(attrs)),
    })
}

pub fn add(run: &mut Run, drafts: &[Draft]) -> Step<()> {
    // "Put call mum in Family" moves what is there.
    if let [draft] = drafts
        && draft.placed
        && !draft.title.is_empty()
        && let Some(todo) = there(run, &draft.title)?
    {
        return change(run, &Target::Chosen(vec![todo]), &patch(draft.attrs.clone())).map(|_| ());
    }
    // "Put the tap in Home": the one that is there, if there is one.
    if let [draft] = drafts
        && draft.placed
        && let Some(thing) = ["The ", "That ", "My "].iter().find_map(|the| draft.title.strip_prefix(the))
    {
        let mut found = run.search(thing)?;
        found.retain(|todo| !todo.done);
        if let Some((fit, found)) = find(thing, false, found.iter())
            && fit <= Fit::Words
            && found.len() == 1
        {
            return change(run, &Target::Chosen(found), &patch(draft.attrs.clone())).map(|_| ());
        }
    }
    let named: Vec<&Draft> = drafts.iter().filter(|d| !d.title.is_empty()).collect();
    if named.is_empty() {
        let attrs = drafts.first().map(|draft| draft.attrs.clone()).unwrap_or_default();
        return Err(Halt::Ask {
            text: "What should the to-do say?".to_owned(),
            wants: Box::new(Wants::Title(attrs)),
        });
    }
    let items: Vec<Value> = named.iter().map(|draft| item(run, draft, None)).collect();
    let added = create(run, &items)?;
    // Subtasks name the to-do they are a part of, so they come after it.
    let parts: Vec<Value> = named
        .iter()
        .zip(&added)
        .flat_map(|(draft, whole)| draft.parts.iter().flatten().map(|part| item(run, part, Some(&whole.id))))
        .collect();
    let added_parts = if parts.is_empty() { Vec::new() } else { create(run, &parts)? };
    let head =
        if added.len() == 1 { "Added:".to_owned() } else { format!("Added {}:", answer::count(added.len())) };
    run.run.said.push(format!("{head}\n\n{}", answer::tasks(&added, run.now)));
    if !added_parts.is_empty() {
        let head = if added_parts.len() == 1 { "Its subtask:" } else { "Its subtasks:" };
        run.run.said.push(format!("{head}\n\n{}", answer::tasks(&added_parts, run.now)));
    }
    for notes in named.iter().filter(|draft| draft.remarked).filter_map(|draft| draft.notes.as_ref()) {
        run.run.said.push(format!("I kept {} as its note.", quoted(notes)));
    }
    run.run.said.extend(reminder::promised(&added, run.now));
    let unheard = |draft: &&&Draft| draft.remind.is_some() && draft.reminder(run.now).is_none();
    if let Some(draft) = named.iter().find(unheard) {
        run.run.said.push(reminder::no_date(&draft.title));
    }
    if named.iter().any(|draft| draft.beyond == Some(Beyond::Often)) {
        let text = "How often does it repeat? Say “every week”, for example.".to_owned();
        return Err(Halt::Ask { text, wants: Box::new(Wants::When(Target::Chosen(added), false)) });
    }
    Ok(())
}

/// Creates to-dos, in as many calls as the tool needs; how they are then.
pub fn create(run: &mut Run, items: &[Value]) -> Step<Vec<Todo>> {
    let mut added = Vec::new();
    for batch in items.chunks(BATCH) {
        let arguments = match batch {
            [only] => only.clone(),
            several => json!({ "items": several }),
        };
        let result = run.call("todo_create", arguments)?;
        added.extend(changes(&result).into_iter().filter_map(|change| change.after));
    }
    Ok(added)
}

/// A to-do as the arguments of `todo_create`.
pub fn item(run: &Run, draft: &Draft, parent: Option<&str>) -> Value {
    let mut out = Map::new();
    out.insert("title".into(), json!(draft.title));
    if let Some(parent) = parent {
        out.insert("parent".into(), json!(parent));
    }
    let Attrs { priority, tags, list, .. } = &draft.attrs;
    if let Some(due) = run.now.and_then(|now| draft.attrs.due(now)) {
        out.insert("due".into(), json!(due));
    }
    if let Some(priority) = priority {
        out.insert("priority".into(), json!(priority));
    }
    if !tags.is_empty() {
        out.insert("tags".into(), json!(tags));
    }
    if let Some(list) = list {
        out.insert("list".into(), json!(list));
    }
    if let Some(rule) = draft.attrs.rule(run.now) {
        out.insert("repeat".into(), json!(rule));
    }
    if let Some(remind) = draft.reminder(run.now) {
        out.insert("remind".into(), json!(remind));
    }
    if let Some(notes) = &draft.notes {
        out.insert("notes".into(), json!(notes));
    }
    Value::Object(out)
}
