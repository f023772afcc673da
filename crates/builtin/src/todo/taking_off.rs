//! Carries out what [`taking`](crate::todo::taking) reads: finds the to-dos that the words are about, and takes the field off
//! where that is clear, else asks.

use dates::when::when;

use crate::lex::{Token, text_of};
use crate::talk;
use crate::text::{escape, quoted};
use crate::todo::acts::change;
use crate::todo::answer;
use crate::todo::carrying::act;
use crate::todo::find::same;
use crate::todo::intent::{Due, Field, Intent, Patch, Taken, Target};
use crate::todo::known::Focus;
use crate::todo::linking::{Link, SURE, alike, each, link, telling};
use crate::todo::plan::{Halt, Run, Step, Want, Wants, ask_which, say};
use crate::todo::rows::Todo;
use crate::todo::taking::name_from;

/// From this on a link is worth a question.
const LEAST: f64 = 0.8;
/// A word of a note is as good where the note is what goes.
const NOTED: f64 = 0.45;

/// "Drop admin from the passport", where that is its tag or its list; whether it was.
pub fn name_off(run: &mut Run, tokens: &[Token]) -> Step<bool> {
    let Some((name, aim)) = name_from(tokens) else { return Ok(false) };
    let open: Vec<Todo> = run.look()?.into_iter().filter(|todo| !todo.done).collect();
    let links = link(&aim, &open, false);
    let [only] = links.as_slice() else { return Ok(false) };
    let has = called(&only.todo.list, &name) || only.todo.tags.iter().any(|tag| called(tag, &name));
    if only.score < LEAST || !has {
        return Ok(false);
    }
    let taken = Taken { fields: vec![Field::Named(name)], firm: true, ..Taken::default() };
    off(run, &taken, vec![only.todo.clone()], only.score >= SURE)?;
    Ok(true)
}

/// Takes the fields off, and does what was said besides; how many of the following clauses that took in.
pub fn lift(run: &mut Run, taken: &Taken) -> Step<usize> {
    if taken.more.is_empty() {
        return lifted(run, taken);
    }
    let mut asked: Option<Halt> = None;
    let mut said = String::new();
    let own = lifted(run, taken).map(|_| 0);
    caught(run, own, "", &mut asked)?;
    for (words, meant) in &taken.more {
        match meant {
            Some(intent) => {
                let done = act(run, intent);
                caught(run, done, words, &mut asked)?;
            }
            None => said = format!("I did not read {}.", quoted(words)),
        }
    }
    if !said.is_empty() {
        run.run.said.push(said);
    }
    asked.map_or(Ok(0), Err)
}

/// Keeps the first question for the end, and says what could not be done.
fn caught(run: &mut Run, done: Step<usize>, words: &str, asked: &mut Option<Halt>) -> Step<()> {
    match done {
        Ok(_) => {}
        Err(calls @ Halt::Calls(_)) => return Err(calls),
        Err(Halt::Fail(text) | Halt::Missed(text)) => {
            run.run.said.push(text.split(" These are open:").next().unwrap_or_default().to_owned());
        }
        Err(_) if asked.is_some() => {
            run.run.said.push(format!("I did nothing about {} yet; say that once more.", quoted(words)));
        }
        Err(question) => *asked = Some(question),
    }
    Ok(())
}

/// Takes the fields off; how many of the following clauses that took in.
fn lifted(run: &mut Run, taken: &Taken) -> Step<usize> {
    // A day that is told beside the time is no word of a title.
    let words = undated(run, &taken.words);
    let named = words.iter().any(telling);
    if !named {
        let several = words.iter().any(|t| t.of("them they they're those these both"));
        let one = words.iter().any(|t| t.of("it it's that this that's its"));
        let aim = match (several, one) {
            (true, _) => Target::Them(None),
            (_, true) => Target::It,
            // "Not urgent any more" alone is said of the one that was just spoken of.
            _ if matches!(run.known.it(), Focus::These(todos) if todos.len() == 1) => Target::It,
            _ => Target::Missing,
        };
        let (todos, swallowed) = run.resolve(&aim, Want::Open, false)?;
        return off(run, taken, todos, taken.firm).map(|()| swallowed);
    }
    let open: Vec<Todo> = run.look()?.into_iter().filter(|todo| !todo.done).collect();
    let noted = taken.fields.contains(&Field::Notes);
    let (links, missing) = each(&words, &open, noted);
    let least = if noted { NOTED } else { LEAST };
    if links.first().is_none_or(|best| best.score < least) {
        let name = |field: &Field| matches!(field, Field::Named(name) if !labelled(&open, name));
        if taken.fields.iter().all(name) {
            return say(run, &talk::unknown(run.skills));
        }
        let all = text_of(&words);
        let sorry = format!("I found no to-do that matches {}, so I changed nothing.", quoted(&all));
        return Err(Halt::Missed(if open.is_empty() {
            format!("{sorry} There are no open to-dos.")
        } else {
            let shown: Vec<Todo> = open.into_iter().take(10).collect();
            format!("{sorry} These are open:\n\n{}", answer::numbered(&shown, run.now))
        }));
    }
    // Each named on its own: "milk and bread".
    let apart = links.len() > 1 && links.iter().any(|link| link.at != links[0].at);
    let links = suited(links, taken, apart);
    if links.len() > 1 && !apart {
        let todos: Vec<Todo> = links.into_iter().map(|link| link.todo).collect();
        let Some(patch) = patch(taken, &todos) else { return nothing_off(run, &todos) };
        let text = format!("Shall I {}? Say which one.", wish(run, taken, "one of these", &todos));
        return Err(match ask_which(&text, todos, run.now) {
            Halt::Ask { text, wants } => {
                let intent = Intent::change(Target::Missing, patch);
                Halt::Ask { text, wants: Box::new(Wants::Of(Box::new(intent), wants)) }
            }
            other => other,
        });
    }
    let over = words
        .iter()
        .enumerate()
        .filter(|(at, token)| telling(token) && links.iter().all(|link| !link.at.contains(at)))
        .count();
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|words| quoted(words)).collect();
        run.run.said.push(format!("I found no to-do about {}.", names.join(" or ")));
    }
    let clear = taken.firm && missing.is_empty() && over == 0 && links.iter().all(|link| link.score >= SURE);
    off(run, taken, links.into_iter().map(|link| link.todo).collect(), clear).map(|()| 0)
}

/// Whether a tag or a list is called so: "grocery" is "Groceries".
fn called(have: &str, said: &str) -> bool {
    same(have, said) || alike(&said.to_lowercase(), &have.to_lowercase()) >= 1.0
}

/// Whether a tag or a list has this name.
fn labelled(todos: &[Todo], name: &str) -> bool {
    todos.iter().any(|todo| called(&todo.list, name) || todo.tags.iter().any(|tag| called(tag, name)))
}

/// Without the days that are named beside what is taken off.
fn undated(run: &Run, words: &[Token]) -> Vec<Token> {
    let Some(now) = run.now else { return words.to_vec() };
    let mut out = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match when(&words[at..], now) {
            Some((n, said)) if said.date.is_some() => at += n,
            _ => {
                out.push(words[at].clone());
                at += 1;
            }
        }
    }
    out
}

/// Of to-dos that the words fit as well, those that have what is to be taken off.
fn suited(links: Vec<Link>, taken: &Taken, apart: bool) -> Vec<Link> {
    if apart || links.len() < 2 {
        return links;
    }
    let with: Vec<Link> = links
        .iter()
        .filter(|link| patch(taken, std::slice::from_ref(&link.todo)).is_some())
        .cloned()
        .collect();
    if with.is_empty() { links } else { with }
}

/// Takes the fields off these to-dos, or asks whether to.
fn off(run: &mut Run, taken: &Taken, todos: Vec<Todo>, clear: bool) -> Step<()> {
    if todos.is_empty() {
        return say(run, "No to-do fits that, so I changed nothing.").map(|_| ());
    }
    let (with, without): (Vec<Todo>, Vec<Todo>) =
        todos.iter().cloned().partition(|todo| removal(taken, std::slice::from_ref(todo)).is_some());
    let clear = clear && !with.is_empty();
    let (todos, without) = if with.is_empty() { (todos, Vec::new()) } else { (with, without) };
    let Some(patch) = patch(taken, &todos) else { return nothing_off(run, &todos).map(|_| ()) };
    if !without.is_empty() {
        let names: Vec<String> = without.iter().map(|todo| quoted(&todo.title)).collect();
        run.run.said.push(format!("There is nothing to take off {}.", names.join(" and ")));
    }
    // What there was not is said; where several go, it is asked first.
    let each: Vec<(&Field, bool)> = taken.fields.iter().map(|field| (field, has(field, &todos))).collect();
    let lacks: Vec<String> = each.iter().filter(|(_, has)| !has).map(|(field, _)| name(field)).collect();
    let gone = |field: &Field| each.iter().any(|(known, has)| *known == field && *has);
    let both = gone(&Field::Date) && gone(&Field::Time);
    let several = each.iter().filter(|(_, has)| *has).count() > 1 + usize::from(both);
    if !lacks.is_empty() && each.iter().any(|(_, has)| *has) {
        run.run.said.push(format!("There is no {} to take off.", lacks.join(" or ")));
    }
    if clear && !several {
        return change(run, &Target::Chosen(todos), &patch).map(|_| ());
    }
    let what = match todos.as_slice() {
        [only] => quoted(&only.title),
        several => format!("these {}", several.len()),
    };
    let text = format!(
        "Shall I {}? (yes or no)\n\n{}",
        wish(run, taken, &what, &todos),
        answer::tasks(&todos, run.now)
    );
    let command = Intent::change(Target::Chosen(todos), patch);
    Err(Halt::Ask { text, wants: Box::new(Wants::Confirm(command)) })
}

/// Whether one of these has such a field.
fn has(field: &Field, todos: &[Todo]) -> bool {
    removal(&Taken { fields: vec![field.clone()], ..Taken::default() }, todos).is_some()
}

/// A field's name, for what there is not.
fn name(field: &Field) -> String {
    match field {
        Field::Date => "date".into(),
        Field::Time => "time".into(),
        Field::Priority(_) => "priority".into(),
        Field::Tags => "tag".into(),
        Field::Named(name) => quoted(name),
        Field::List => "list".into(),
        Field::Notes => "note".into(),
        Field::Repeat => "repetition".into(),
    }
}

/// Says that there is nothing of the kind.
fn nothing_off(run: &mut Run, todos: &[Todo]) -> Step<usize> {
    let text = format!("There is nothing to take off:\n\n{}", answer::tasks(todos, run.now));
    say(run, &text)
}

/// The change that is asked for: the fields go, and what is said instead takes their place.
fn patch(taken: &Taken, todos: &[Todo]) -> Option<Patch> {
    let removal = removal(taken, todos);
    let Some((_, instead)) = &taken.instead else { return removal };
    let mut patch = removal.unwrap_or_default();
    if instead.due.is_some() || instead.repeat.is_some() {
        patch.due.clone_from(&instead.due);
    }
    patch.repeat = instead.repeat.clone().or(patch.repeat);
    patch.priority = instead.priority.or(patch.priority);
    patch.list = instead.list.clone().or(patch.list);
    patch.add_tags.clone_from(&instead.add_tags);
    Some(patch)
}

/// The change that takes the fields off; nothing where none of the to-dos has one of them.
fn removal(taken: &Taken, todos: &[Todo]) -> Option<Patch> {
    let mut patch = Patch::default();
    let mut any = false;
    let timed = |todo: &Todo| todo.due.as_ref().is_some_and(|due| due.contains('T'));
    for field in &taken.fields {
        match field {
            Field::Date if todos.iter().any(|todo| todo.due.is_some()) => patch.due = Some(Due::Never),
            Field::Time if todos.iter().any(timed) => {
                patch.due = patch.due.take().or(Some(Due::Day));
            }
            Field::Priority(level) if todos.iter().any(|todo| todo.priority != *level) => {
                patch.priority = Some(level);
            }
            Field::Tags if todos.iter().any(|todo| !todo.tags.is_empty()) => patch.clear_tags = true,
            Field::Named(name) => {
                let tag = todos.iter().flat_map(|todo| &todo.tags).find(|tag| called(tag, name));
                if let Some(tag) = tag {
                    patch.remove_tags.push(tag.clone());
                } else if todos.iter().any(|todo| called(&todo.list, name)) {
                    patch.list = Some("Inbox".to_owned());
                } else {
                    continue;
                }
            }
            Field::List if todos.iter().any(|todo| todo.list != "Inbox") => {
                patch.list = Some("Inbox".to_owned());
            }
            Field::Notes if todos.iter().any(|todo| !todo.notes.is_empty()) => {
                patch.notes = Some(String::new());
            }
            Field::Repeat if todos.iter().any(|todo| todo.repeat.is_some()) => {
                patch.repeat = Some(String::new());
            }
            _ => continue,
        }
        any = true;
    }
    any.then_some(patch)
}

/// What is to be taken off, in words: "take the date off “Renew passport”".
fn wish(run: &Run, taken: &Taken, what: &str, todos: &[Todo]) -> String {
    let patch = patch(taken, todos).unwrap_or_default();
    let mut things: Vec<String> = Vec::new();
    match patch.due {
        Some(Due::Never) => things.push("the date".into()),
        Some(Due::Day) => things.push("the time of day".into()),
        Some(_) | None => {}
    }
    if patch.clear_tags {
        things.push("the tags".into());
    }
    things.extend(patch.remove_tags.iter().map(|tag| format!("\\#{}", escape(tag))));
    if patch.notes.is_some() {
        things.push("the note".into());
    }
    if patch.priority == Some("none") {
        things.push("the priority".into());
    }
    let mut wishes: Vec<String> = Vec::new();
    if !things.is_empty() {
        let last = things.pop().unwrap_or_default();
        let and = if things.is_empty() { "" } else { " and " };
        wishes.push(format!("take {}{and}{last} off {what}", things.join(", ")));
    }
    if let Some(level) = patch.priority.filter(|level| *level != "none") {
        wishes.push(format!("give {what} {level} priority"));
    }
    if let Some((said, instead)) = &taken.instead
        && (instead.priority.is_none() || instead.due.is_some())
    {
        wishes.push(match &instead.due {
            Some(Due::At(attrs)) if run.now.is_some() => {
                format!("make {what} {}", answer::wanted(attrs, run.now))
            }
            _ => format!("change {what} to {}", quoted(said)),
        });
    } else if patch.list.is_some() {
        let list = todos.iter().find(|todo| todo.list != "Inbox").map_or("", |todo| todo.list.as_str());
        wishes.push(format!("take {what} out of {}", quoted(list)));
    }
    if patch.repeat.as_ref().is_some_and(String::is_empty) {
        wishes.push(format!("end the repetition of {what}"));
    }
    wishes.join(" and ")
}
