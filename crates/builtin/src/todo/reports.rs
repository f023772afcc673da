//! Answers that only tell: is it done, when is it due, which lists there are, what was changed.

use dates::due::spoken;

use crate::todo::linking::{SURE, link, telling};
use crate::todo::plan::{Halt, Run, Step, Wants, say};
use crate::todo::rows::Todo;
use std::collections::BTreeMap;

use crate::lex::{capitalised, lex};
use crate::text::{escape, quoted};
use crate::todo::answer;
use crate::todo::intent::{Asked, Draft, Intent, Label, Named};
use crate::verbs::{is_verb, stem};

/// Says what a to-do's state or date is.
pub fn check(run: &mut Run, named: &Named, asked: Asked) -> Step<()> {
    let (asked, add) = if asked == Asked::OrAdd { (Asked::There, true) } else { (asked, false) };
    let draft = Draft { title: capitalised(&named.text), ..Draft::default() };
    let (mut todos, mut near) = run.matching(named)?;
    // "Hand in the presentation": the title may have another verb, or none.
    if todos.is_empty()
        && let Some(thing) = thing(&named.text)
    {
        let about = Named { text: thing.clone(), parts: vec![thing], deed: None, ..named.clone() };
        todos = run.matching(&about).map(|(todos, far)| if far { Vec::new() } else { todos })?;
        near = !todos.is_empty();
    }
    // "When was I going to call the dentist?": all that the words are about is one to-do's.
    if todos.is_empty() || near {
        let (words, all) = (lex(&named.text), run.look()?);
        let open: Vec<Todo> = all.into_iter().filter(|todo| !todo.done).collect();
        if let [only] = link(&words, &open, false).as_slice()
            && only.score >= SURE
            && words.iter().enumerate().all(|(at, token)| !telling(token) || only.at.contains(&at))
        {
            (todos, near) = (vec![only.todo.clone()], false);
        }
    }
    if todos.is_empty() && asked != Asked::There {
        let open: Vec<Todo> = run.look()?.into_iter().filter(|todo| !todo.done).collect();
        todos = most_alike(&named.text, &open);
        near = !todos.is_empty();
    }
    // "Is bread done?" is not answered by "Read book".
    if near {
        let no = if asked == Asked::There { "No, " } else { "" };
        let nearest = if todos.len() == 1 { "The nearest is" } else { "The nearest are" };
        let list = answer::numbered(&todos, run.now);
        let text = format!("{no}I found no to-do that matches {}. {nearest}:\n\n{list}", quoted(&named.text));
        if add {
            let text = format!("{text}\n\nShall I add {}? (yes or no)", quoted(&draft.title));
            return Err(Halt::Ask { text, wants: Box::new(Wants::Confirm(Intent::Add(vec![draft]))) });
        }
        return say(run, &text).map(|_| ());
    }
    let [only] = todos.as_slice() else {
        let text = if todos.is_empty() {
            let no = if asked == Asked::There { "No, " } else { "" };
            let i = "I found no to-do that matches";
            format!("{no}{i} {}.", quoted(&named.text))
        } else {
            let yes = if asked == Asked::There { "Yes, " } else { "" };
            format!(
                "{yes}{} match {}:\n\n{}",
                answer::count(todos.len()),
                quoted(&named.text),
                answer::numbered(&todos, run.now)
            )
        };
        run.run.said.push(text);
        return if add && todos.is_empty() { crate::todo::making::add(run, &[draft]) } else { Ok(()) };
    };
    let day = only.completed.as_deref().and_then(|utc| run.day_of(utc)).map(|day| spoken(&day, run.now));
    if let (Asked::Finished, true, Some(day)) = (asked, only.done, day) {
        let text = format!("That was completed {day}:\n\n{}", answer::tasks(&todos, run.now));
        return say(run, &text).map(|_| ());
    }
    let when = only.due.as_ref().map(|due| format!("That is due {}:", spoken(due, run.now)));
    // A part without a date is due with its whole.
    if asked == Asked::When && only.due.is_none() && only.parent.is_some() {
        run.look()?;
    }
    let whole = only.parent.as_ref().and_then(|id| run.known.todo(id));
    let with = whole.and_then(|whole| {
        let due = spoken(whole.due.as_deref()?, run.now);
        Some(format!("It has no date of its own; it is a part of {}, due {due}:", quoted(&whole.title)))
    });
    let head = match (asked, only.done, &only.due) {
        (Asked::When, false, None) if with.is_some() => with.as_deref().unwrap_or_default(),
        (Asked::There | Asked::OrAdd, false, _) => "Yes, that is there:",
        (Asked::There | Asked::OrAdd, true, _) => "Yes, and it is done:",
        (Asked::When, false, Some(_)) => when.as_deref().unwrap_or_default(),
        (Asked::Finished, true, _) => {
            "That is done. I was not told how far you are from UTC, so I cannot say on which day:"
        }
        (Asked::Finished, false, _) => "That is still open:",
        (Asked::Done, true, _) => "Yes, that is done:",
        (Asked::Done, false, _) => "No, that is still open:",
        (Asked::Open, false, _) => "Yes, that is open:",
        (Asked::Open, true, _) => "No, that is done:",
        (Asked::When, true, _) => "That is done already:",
        (Asked::When, false, None) => "It has no date:",
        (Asked::All, ..) => "Here it is:",
    };
    let mut text = format!("{head}\n\n{}", answer::tasks(&todos, run.now));
    if asked == Asked::All && !only.notes.is_empty() {
        text.push_str(&format!("\n\nNotes: {}", escape(&only.notes)));
    }
    run.run.said.push(text);
    // What is done is not to be done again without a word.
    if add && only.done {
        let text = format!("Shall I add {} anew? (yes or no)", quoted(&draft.title));
        return Err(Halt::Ask { text, wants: Box::new(Wants::Confirm(Intent::Add(vec![draft]))) });
    }
    Ok(())
}

/// What is done something with: the words from the article on, or all after a verb.
fn thing(text: &str) -> Option<String> {
    const ARTICLES: [&str; 9] = ["the", "my", "our", "a", "an", "his", "her", "their", "that"];
    let words: Vec<&str> = text.split(' ').collect();
    let article = words.iter().position(|word| ARTICLES.contains(&word.to_lowercase().as_str()));
    let verb = words.first().is_some_and(|word| is_verb(&stem(&word.to_lowercase())));
    let from = article.or(verb.then_some(0)).map(|at| at + 1).filter(|from| *from > 1 || verb)?;
    let end =
        words.last().filter(|word| ["by", "for", "on", "at", "in", "with"].contains(word)).map_or(0, |_| 1);
    let thing = words.get(from..words.len() - end)?.join(" ");
    (!thing.is_empty()).then_some(thing)
}

/// The to-dos that have the most of these words; none, where that is no choice.
fn most_alike(text: &str, todos: &[Todo]) -> Vec<Todo> {
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        lower.split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 3).map(str::to_owned).collect()
    };
    let sought = words(text);
    let shared = |todo: &Todo| words(&todo.title).iter().filter(|word| sought.contains(word)).count();
    let most = todos.iter().map(shared).max().filter(|most| *most > 0);
    let found: Vec<Todo> = todos.iter().filter(|todo| Some(shared(todo)) == most).cloned().collect();
    if found.len() <= 3 { found } else { Vec::new() }
}

/// Says which lists or tags there are.
pub fn names(run: &mut Run, label: Label) -> Step<()> {
    let todos = run.look()?;
    if run.unseen > 0 {
        let total = todos.len() + run.unseen;
        return Err(Halt::Fail(format!("There are {total} to-dos, more than I look through at once.")));
    }
    let mut open: BTreeMap<String, usize> = BTreeMap::new();
    for todo in &todos {
        let names = match label {
            Label::List => vec![todo.list.clone()],
            Label::Tag => todo.tags.iter().map(|tag| format!("#{tag}")).collect(),
        };
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            *open.entry(name).or_default() += usize::from(!todo.done);
        }
    }
    let word = if label == Label::List { "list" } else { "tag" };
    let told: Vec<String> = open.iter().map(|(name, n)| format!("{} ({n} open)", escape(name))).collect();
    let text = match told.len() {
        0 => format!("You have no {word}s yet."),
        1 => format!("You have 1 {word}: {}.", told.join("")),
        n => format!("You have {n} {word}s: {}.", told.join(", ")),
    };
    run.run.said.push(text);
    Ok(())
}

/// Tells the last changes, where there is a tool for it.
pub fn history(run: &mut Run, from: Option<&str>) -> Step<()> {
    const WITHOUT: &str = "I cannot look into the history here. “what did I add?” tells what this conversation added, “show done” what is done.";
    // The history tells moments, and without a time zone's rules a moment is on no day.
    let days = if from.is_some() { "I cannot tell them by day. " } else { "" };
    Ok(crate::history::tell(run, WITHOUT, days)?)
}
