//! A list or a tag is renamed, or goes: what that does to the to-dos that have it, and how it is told.

use crate::text::{escape, quoted};
use crate::todo::acts::{BATCH, change, delete};
use crate::todo::find::same;
use crate::todo::intent::{Filter, Intent, Label, Patch, Target, To, Whole};
use crate::todo::known::Focus;
use crate::todo::plan::{Halt, Run, Step, say};
use crate::todo::rows::Todo;
use crate::todo::taking_off::called;
use crate::todo::wholes::INBOX;
use crate::todo::{carrying, reports};

/// The names of a kind that a to-do has.
fn names(label: Label, todo: &Todo) -> &[String] {
    match label {
        Label::List => std::slice::from_ref(&todo.list),
        Label::Tag => &todo.tags,
    }
}

/// A name as the first of these to-dos has it: the tools look for it in any capitals.
fn spelt(label: Label, todos: &[Todo], name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    todos.iter().flat_map(|todo| names(label, todo)).find(|own| own.to_lowercase() == lower).cloned()
}

/// A name in an answer.
fn shown(label: Label, name: &str) -> String {
    match label {
        Label::List => quoted(name),
        Label::Tag => format!("\\#{}", escape(name)),
    }
}

/// All that has a name, open and done.
fn every(label: Label, name: &str) -> Filter {
    let name = Some(name.to_owned());
    let (list, tag) = if label == Label::List { (name, None) } else { (None, name) };
    Filter { status: Some("all"), list, tag, ..Filter::default() }
}

/// Does to all that is in a list, or has a tag, what was asked for; where there is no such list or tag and the words
/// can be read in another way, that.
pub fn act(run: &mut Run, whole: &Whole, otherwise: &Intent) -> Step<usize> {
    let label = whole.label;
    let word = if label == Label::List { "list" } else { "tag" };
    // "Remove the home tag", said of a to-do that has it.
    if !whole.is_every
        && matches!(run.known.it(), Focus::These(todos) if todos.len() == 1 && spelt(label, &todos, &whole.name).is_some())
    {
        return carrying::act(run, otherwise);
    }
    let (mut todos, mut total) = run.list(&every(label, &whole.name), true)?;
    let mut old = spelt(label, &todos, &whole.name);
    if old.is_none() {
        let all = run.look()?;
        let mut known = all.iter().flat_map(|todo| names(label, todo));
        // What goes has to be named as it is.
        old = known.find(|name| whole.to != To::Gone && called(name, &whole.name)).cloned();
        let Some(old) = &old else {
            if !whole.is_plain || all.iter().any(|todo| same(&todo.title, &whole.said)) {
                return carrying::act(run, otherwise);
            }
            say(run, &format!("There is no {word} {}, so I changed nothing.", shown(label, &whole.name)))?;
            return reports::names(run, label).map(|()| 0);
        };
        (todos, total) = run.list(&every(label, old), true)?;
    }
    let old = old.unwrap_or_default();
    if total > todos.len() {
        let text =
            format!("{total} to-dos have the {word} {}: more than I change at once.", shown(label, &old));
        return Err(Halt::Fail(text));
    }
    let calls = todos.len().div_ceil(BATCH);
    let new = match &whole.to {
        To::Gone if label == Label::List => {
            delete(run, &Target::Chosen(todos))?;
            return if calls > 1 { say(run, &took(calls)) } else { Ok(0) };
        }
        To::Gone => None,
        To::Name(new) | To::Into(new) if new.is_empty() => {
            let text = format!("Say the new name too: “rename the {word} {} to …”.", escape(&old));
            return say(run, &text);
        }
        To::Name(new) | To::Into(new) => Some(new.as_str()),
    };
    let recased = new.is_some_and(|new| new.to_lowercase() == old.to_lowercase());
    // The inbox is always spelt so.
    if new == Some(&old) || recased && label == Label::List && old == INBOX {
        return say(run, &format!("That {word} is called {} already.", shown(label, &old)));
    }
    let there = match new.filter(|_| !recased) {
        Some(new) => {
            let first = Filter { limit: Some(1), ..every(label, new) };
            spelt(label, &run.list(&first, false)?.0, new)
        }
        None => None,
    };
    let joins = there.is_some();
    let new = there.or(new.map(str::to_owned));
    let (before, after) = (shown(label, &old), new.as_deref().map(|new| shown(label, new)));
    let chosen = Target::Chosen(todos);
    let told = run.said.len();
    // To the tools both are the same tag, and a list is spelt as it is where it has to-dos: these leave it first.
    if recased {
        let list = new.as_ref().filter(|_| label == Label::List).map(|new| format!("{new} (new)"));
        change(run, &chosen, &patch(label, list, Some(old.clone())))?;
    }
    change(run, &chosen, &patch(label, new, Some(old).filter(|_| !recased)))?;
    let after = after.unwrap_or_default();
    if recased {
        run.run.said.truncate(told);
        say(run, &format!("The {word} {before} is {after} now."))?;
    } else if joins && matches!(whole.to, To::Name(_)) {
        say(run, &format!("There was a {word} {after} already: both are one now."))?;
    }
    if calls > 1 { say(run, &took(calls * (1 + usize::from(recased)))) } else { Ok(0) }
}

/// The change of the to-dos: another list, or a tag for another.
fn patch(label: Label, new: Option<String>, old: Option<String>) -> Patch {
    match label {
        Label::List => Patch { list: new, ..Patch::default() },
        Label::Tag => Patch {
            add_tags: new.into_iter().collect(),
            remove_tags: old.into_iter().collect(),
            ..Patch::default()
        },
    }
}

/// How many calls it took, where one does not hold all.
fn took(calls: usize) -> String {
    format!("It took {calls} calls: one takes {BATCH} to-dos.")
}
