//! A list or a tag is renamed, or goes: what that does to the to-dos that have it, and how it is told.

use crate::text::{escape, quoted};
use crate::todo::acts::{BATCH, change};
use crate::todo::find::same;
use crate::todo::intent::{Filter, Intent, Label, Patch, Target, To, Whole};
use crate::todo::known::Focus;
use crate::todo::plan::{Run, Step, say};
use crate::todo::rows::Todo;
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
    if label == Label::Tag
        && !whole.is_every
        && matches!(run.known.it(), Focus::These(todos) if todos.len() == 1 && spelt(label, &todos, &whole.name).is_some())
    {
        return carrying::act(run, otherwise);
    }
    let (todos, total) = run.list(&every(label, &whole.name), true)?;
    let Some(old) = spelt(label, &todos, &whole.name) else {
        if !whole.is_plain || run.look()?.iter().any(|todo| same(&todo.title, &whole.said)) {
            return carrying::act(run, otherwise);
        }
        let name = shown(label, &whole.name);
        say(run, &["There is no ", word, " ", &name, ", so I changed nothing."].concat())?;
        return reports::names(run, label).map(|()| 0);
    };
    if total > todos.len() {
        return say(run, "There are more to-dos in it than I change at once.");
    }
    let before = shown(label, &old);
    let mut recased = false;
    let calls = todos.len().div_ceil(BATCH);
    let chosen = Target::Chosen(todos);
    let new = match &whole.to {
        To::Name(new) | To::Into(new) => Some(new.clone()),
        To::Gone => None,
    };
    if let Some(new) = &new {
        let after = shown(label, new);
        recased = new.to_lowercase() == old.to_lowercase();
        if new.is_empty() {
            return say(run, &["Say the new name of ", &before, " too."].concat());
        }
        // The inbox is always spelt so.
        if *new == old || recased && label == Label::List && old == INBOX {
            return say(run, &["That ", word, " is called ", &before, " already."].concat());
        }
        if recased {
            // To the tools both are the same tag, and a list is spelt as it is where it has to-dos: these leave it first.
            let list = (label == Label::List).then(|| [new, " (new)"].concat());
            change(run, &chosen, &patch(label, list, Some(old.clone())))?;
            run.run.said.pop();
        } else if matches!(whole.to, To::Name(_)) && run.list(&every(label, new), false)?.1 > 0 {
            say(run, &["There was a ", word, " ", &after, " already: both are one now."].concat())?;
        }
    }
    let intent = match (&new, label) {
        (None, Label::List) => Intent::Delete(chosen),
        _ => Intent::change(chosen, patch(label, new.clone(), Some(old).filter(|_| !recased))),
    };
    carrying::act(run, &intent)?;
    if let Some(new) = new.filter(|_| recased) {
        // What was between is nobody's concern.
        run.run.said.pop();
        say(run, &["The ", word, " ", &before, " is ", &shown(label, &new), " now."].concat())?;
    }
    if calls > 1 { say(run, &format!("It took {calls} calls: one takes {BATCH} to-dos.")) } else { Ok(0) }
}

/// The change of the to-dos: another list, or a tag for another.
fn patch(label: Label, new: Option<String>, old: Option<String>) -> Patch {
    let tag = |name: Option<String>| name.filter(|_| label == Label::Tag).into_iter().collect();
    Patch {
        add_tags: tag(new.clone()),
        remove_tags: tag(old),
        list: new.filter(|_| label == Label::List),
        ..Patch::default()
    }
}
