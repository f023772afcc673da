//! Carries out what [`states`](crate::todo::states) reads: what is sure is marked as done, the rest is asked about in one
//! question, and what is not done yet is told to be open.

use crate::lex::{Token, lex, text_of};
use crate::text::quoted;
use crate::todo::acts::complete;
use crate::todo::answer;
use crate::todo::find::verb_fits;
use crate::todo::intent::{Intent, Target};
use crate::todo::linking::{SURE, each, link, telling};
use crate::todo::plan::{Halt, Run, Step, Wants, say};
use crate::todo::readings::State;
use crate::todo::rows::Todo;
use crate::verbs::kin;

/// Marks what is done and tells what is open; how many of the following clauses that took in.
pub fn tally(run: &mut Run, states: &[State]) -> Step<usize> {
    let all = run.look()?;
    let (open, done): (Vec<Todo>, Vec<Todo>) = all.into_iter().partition(|todo| !todo.done);
    let (mut sure, mut likely, mut unread): (Vec<Todo>, Vec<Todo>, Vec<String>) = Default::default();
    let (mut left, mut needless): (Vec<String>, Vec<Todo>) = Default::default();
    for state in states {
        let said = text_of(&state.words);
        let mut words = state.words.clone();
        words.extend(state.deed.iter().flat_map(|deed| lex(deed)));
        let (links, missing) = each(&words, &open, false);
        let (near, other): (Vec<_>, Vec<_>) =
            links.into_iter().partition(|link| fits(state, &link.todo, &words, &link.at));
        // What is cancelled, and was not to be, is not needed any more.
        let off = state.done && state.deed.as_deref().is_some_and(cancelled);
        let other: Vec<Todo> =
            other.into_iter().filter(|link| link.score >= SURE).map(|link| link.todo).collect();
        if off && other.len() == 1 {
            needless.extend(other);
            if near.is_empty() {
                continue;
            }
        }
        if !near.is_empty() {
            unread.extend(missing.iter().map(|words| quoted(words)));
        }
        if near.is_empty() {
            let known = link(&words, &done, false);
            match known.first().filter(|link| link.score >= SURE) {
                Some(link) if state.done => {
                    left.push(format!("{} was done already.", quoted(&link.todo.title)))
                }
                Some(link) => left.push(format!(
                    "{} is marked as done here; say “reopen it” if it is not.",
                    quoted(&link.todo.title)
                )),
                None => unread.push(quoted(&said)),
            }
            continue;
        }
        let apart = near.len() > 1 && near.iter().any(|link| link.at != near[0].at);
        if near.len() > 1 && !apart && state.done {
            left.push(format!("{} can be several; say more of the title.", quoted(&said)));
            continue;
        }
        if !state.done {
            left.extend(near.iter().map(|link| format!("{} stays open.", quoted(&link.todo.title))));
            continue;
        }
        let over = words
            .iter()
            .enumerate()
            .filter(|(at, token)| {
                telling(token) && *at < state.words.len() && near.iter().all(|link| !link.at.contains(at))
            })
            .count();
        for link in near {
            let own =
                state.deed.as_deref().is_none_or(|deed| verb_fits(deed, &link.todo.title) == Some(true));
            let clear = state.firm && missing.is_empty() && own && over == 0 && link.score >= SURE;
            let into = if clear { &mut sure } else { &mut likely };
            if !into.iter().any(|todo| todo.id == link.todo.id) {
                into.push(link.todo);
            }
        }
    }
    likely.retain(|todo| !sure.iter().any(|known| known.id == todo.id));
    if sure.is_empty() && likely.is_empty() && left.is_empty() && needless.is_empty() {
        return say(run, &format!("I found no to-do that tells of {}.", unread.join(" or ")));
    }
    if !sure.is_empty() {
        complete(run, sure)?;
    }
    run.said.extend(left);
    if !unread.is_empty() {
        run.run.said.push(format!("I found no to-do about {}.", unread.join(" or ")));
    }
    let names =
        |todos: &[Todo]| todos.iter().map(|todo| quoted(&todo.title)).collect::<Vec<_>>().join(" and ");
    if likely.is_empty() && !needless.is_empty() {
        let (which, shown) = (names(&needless), answer::tasks(&needless, run.now));
        let text =
            format!("Cancelled is not done for {which}. Shall I delete {which}? (yes or no)\n\n{shown}");
        let wants = Box::new(Wants::Confirm(Intent::Delete(Target::Chosen(needless))));
        return Err(Halt::Ask { text, wants });
    }
    if !needless.is_empty() {
        run.run.said.push(format!("I left {} alone.", names(&needless)));
    }
    if likely.is_empty() {
        return Ok(0);
    }
    let what = match likely.as_slice() {
        [only] => quoted(&only.title),
        several => format!("these {}", several.len()),
    };
    let text = format!("Shall I mark {what} as done? (yes or no)\n\n{}", answer::tasks(&likely, run.now));
    Err(Halt::Ask { text, wants: Box::new(Wants::Confirm(Intent::Complete(Target::Chosen(likely)))) })
}

/// Whether something was called off.
fn cancelled(deed: &str) -> bool {
    ["cancelled", "canceled"].contains(&deed)
}

/// Whether a to-do can be what is told of.
fn fits(state: &State, todo: &Todo, words: &[Token], at: &[usize]) -> bool {
    // A word that names it, not the verb alone.
    if !at.iter().any(|at| *at < state.words.len()) {
        return false;
    }
    let Some(deed) = state.deed.as_deref() else { return true };
    let title = todo.title.to_lowercase();
    let first = title.split(' ').next().unwrap_or_default();
    // What is cancelled is done only where that was to be done.
    if cancelled(deed) {
        return verb_fits(deed, &todo.title) == Some(true);
    }
    match verb_fits(deed, &todo.title) {
        Some(true) | None => true,
        Some(false) => kin(deed, first) || words.iter().filter(|t| telling(t)).count() > 2,
    }
}
