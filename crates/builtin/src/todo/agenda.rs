//! A plan told: what is marked as important, what is due next, how much is due on each day.

use crate::todo::readings::Span;
use crate::todo::rows::Todo;
use dates::calendar::{ToSpan, later_day};
use dates::due::{overdue, spoken};
use dates::iso::{day_text, read_day};
use jiff::civil::DateTime;

use crate::lex::{capitalised, lex};
use crate::text::quoted;
use crate::todo::answer::numbered;
use crate::todo::linking::link;

/// The to-dos that a plan speaks of: a part goes with its whole, where that has a date.
pub fn wholes(todos: &mut Vec<Todo>) {
    let dated: Vec<String> =
        todos.iter().filter(|todo| todo.due.is_some()).map(|todo| todo.id.clone()).collect();
    todos
        .retain(|todo| todo.due.is_some() || todo.parent.as_ref().is_none_or(|whole| !dated.contains(whole)));
}

/// What is marked as important and was not named yet.
pub fn marked(all: &[Todo], named: &[Todo], now: Option<DateTime>) -> String {
    let other = |todo: &&Todo| todo.is_important() && !named.iter().any(|known| known.id == todo.id);
    let told: Vec<String> = all
        .iter()
        .filter(other)
        .take(3)
        .map(|todo| match &todo.due {
            Some(due) => format!("{} ({}, due {})", quoted(&todo.title), todo.priority, spoken(due, now)),
            None => format!("{} ({})", quoted(&todo.title), todo.priority),
        })
        .collect();
    if told.is_empty() { String::new() } else { format!("\n\nMarked as important: {}.", told.join(", ")) }
}

/// Which is due next, with what is overdue beside it.
pub fn next(todos: &[Todo], span: Option<&Span>, now: Option<DateTime>) -> String {
    let late = |todo: &&Todo| todo.due.as_deref().is_some_and(|due| overdue(due, now));
    let within = |due: &str| {
        let day = due.get(..10).unwrap_or(due);
        span.is_none_or(|span| day >= span.from.as_str() && day <= span.to.as_str())
    };
    let mut coming: Vec<&Todo> =
        todos.iter().filter(|todo| !late(todo) && todo.due.as_deref().is_some_and(within)).collect();
    order::sort_by(&mut coming, |a, b| a.due.cmp(&b.due));
    let behind: Vec<Todo> = todos.iter().filter(late).cloned().collect();
    let more = match behind.as_slice() {
        [] => String::new(),
        several => format!("\n\nOverdue before that:\n\n{}", numbered(several, now)),
    };
    match coming.first() {
        Some(first) => {
            let due = first.due.as_deref().unwrap_or_default();
            let same: Vec<Todo> =
                coming.iter().filter(|todo| todo.due == first.due).map(|todo| (*todo).clone()).collect();
            format!("Next is what is due {}:\n\n{}{more}", spoken(due, now), numbered(&same, now))
        }
        None => {
            let period = span.map_or("from now on", |span| span.period.as_str());
            format!("Nothing is due {period}.{more}")
        }
    }
}

/// How much is due on each of these days, those with the least named last.
pub fn each(todos: &[Todo], span: &Span, now: Option<DateTime>) -> String {
    let (Some(first), Some(last)) = (read_day(&span.from), read_day(&span.to)) else { return String::new() };
    let today = now.map(|now| now.date());
    let mut day = Some(today.map_or(first, |today| first.max(today)));
    let (mut full, mut free) = (Vec::new(), Vec::new());
    while let Some(next) = day.filter(|day| *day <= last && full.len() + free.len() < 31) {
        let iso = day_text(next);
        let due: Vec<String> = todos
            .iter()
            .filter(|todo| todo.due.as_deref().is_some_and(|due| due.starts_with(&iso)))
            .map(|todo| quoted(&todo.title))
            .collect();
        let named = capitalised(&spoken(&iso, now));
        if due.is_empty() {
            free.push(named);
        } else {
            full.push(format!("- {named}: {}", due.join(", ")));
        }
        day = later_day(next, 1.days());
    }
    let nothing = match free.as_slice() {
        [] => "Something is due on each of these days.".to_owned(),
        free => format!("Nothing is due on {}.", free.join(", ")),
    };
    let due =
        if full.is_empty() { String::new() } else { format!("\n\nDue otherwise:\n\n{}", full.join("\n")) };
    format!("{nothing}{due}")
}

/// Which is due after the one that is named, or before it.
pub fn beside(todos: &[Todo], words: &str, after: bool, now: Option<DateTime>) -> String {
    let Some(named) = link(&lex(words), todos, false).into_iter().next().map(|link| link.todo) else {
        return format!("I found no open to-do that matches {}.", quoted(words));
    };
    let title = quoted(&named.title);
    let Some(due) = &named.due else {
        return format!("{title} has no date, so nothing comes before it or after it.");
    };
    let mut dated: Vec<&Todo> =
        todos.iter().filter(|todo| todo.due.is_some() && todo.id != named.id).collect();
    order::sort_by(&mut dated, |a, b| a.due.cmp(&b.due));
    let own = due.as_str();
    let of =
        |todo: &&&Todo| todo.due.as_deref().is_some_and(|due| if after { due >= own } else { due < own });
    let found = if after { dated.iter().find(of) } else { dated.iter().rev().find(of) };
    let side = if after { "After" } else { "Before" };
    let itself = spoken(own, now);
    match found {
        Some(todo) => {
            format!("{side} {title} (due {itself}) comes:\n\n{}", numbered(&[(**todo).clone()], now))
        }
        None => format!("{side} {title} (due {itself}) nothing is due."),
    }
}
