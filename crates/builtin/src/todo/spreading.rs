//! All that is open, spread over the coming days: a proposal of so many a day, nothing after the day it is due. Nothing
//! is changed.

use crate::todo::readings::{Plan, Span, span};
use crate::todo::rows::Todo;
use std::collections::BTreeMap;

use dates::calendar::{ToSpan, later_day, plus};
use dates::due::spoken;
use dates::iso::{day_text, read_day};
use jiff::civil::{Date, DateTime};

use crate::lex::{Token, after, capitalised, exactly, trim_signs};
use crate::todo::answer::{count, tasks};
use crate::todo::attrs::Lexicon;

/// Reads a wish to have everything spread out.
pub fn asked(tokens: &[Token], lexicon: &Lexicon) -> Option<Plan> {
    const SPREAD: &[&str] = &[
        "spread", "spread out", "distribute", "divide", "divide up", "space", "space out", "even out",
        "balance", "balance out", "stagger", "split",
    ];
    const HELP: &[&str] = &[
        "help me",
        "help me to",
        "how can|could|should|would|do i|we best",
        "how can|could|should|would|do i|we",
        "can you help me",
        "suggest how to",
        "show me how to",
        "tell me how to",
    ];
    const ALL: &[&str] = &[
        "everything",
        "it all",
        "it",
        "all of it|them|this|that|these|those",
        "all|all of my|the|these|this|our",
        "all of my|the|these tasks|todos|to-dos|work|things|stuff",
        "all my|the|these tasks|todos|to-dos|work|things|stuff|open",
        "them|this|these|those|things|work",
        "my|the|our tasks|todos|to-dos|work|things|load|workload|stuff|list",
        "my|the|our open tasks|todos|to-dos",
    ];
    // "when should I do each of these?"
    const EACH: &[&str] = &[
        "on which|what day|days should|shall|do|could i|we do what|everything|each",
        "which|what day should|shall|do|could i|we do what|everything|each",
        "when should|shall|do|could i|we do what|each|everything",
        "suggest|propose a day for each|everything|all",
        "give|assign everything|each a day",
    ];
    let tokens = after(tokens, HELP).unwrap_or(tokens);
    let today = lexicon.now.date();
    let week = Span { from: day_text(today), to: day_text(plus(today, 6.days())), period: String::new() };
    if after(tokens, EACH).is_some() {
        return Some(Plan::Spread(week));
    }
    let rest = after(after(tokens, SPREAD)?, ALL)?;
    const EVENLY: &[&str] =
        &["out", "evenly|sensibly|nicely|equally|fairly|a|bit|out|up|reasonably|well|better|more"];
    let mut rest = trim_signs(rest);
    while let Some(more) = after(rest, EVENLY).filter(|_| !rest.is_empty()) {
        rest = trim_signs(more);
    }
    if rest.is_empty() {
        return Some(Plan::Spread(week));
    }
    let over = after(rest, &["over", "across", "through", "throughout", "among|between", "for", "to"])?;
    const COMING: &[&str] = &[
        "the coming|next|following days|week", "the next|coming few|couple days", "several days",
        "a few days", "the days",
    ];
    if exactly(over, COMING) {
        return Some(Plan::Spread(week));
    }
    span(over, lexicon).filter(|days| days.to > days.from).map(Plan::Spread).or(Some(Plan::Spread(week)))
}

/// The proposal, day by day. The to-dos come in the order of a plan: overdue, by date, by priority.
pub fn told(todos: &[Todo], from: &str, to: &str, now: Option<DateTime>) -> String {
    let (Some(first), Some(last)) = (read_day(from), read_day(to)) else { return String::new() };
    if todos.is_empty() {
        return "You have no open to-dos, so there is nothing to spread out.".to_owned();
    }
    let mut days: Vec<Date> = Vec::new();
    let mut day = Some(first);
    while let Some(next) = day.filter(|day| *day <= last && days.len() < 31) {
        days.push(next);
        day = later_day(next, 1.days());
    }
    // A part is due with its whole, where it has no date of its own.
    let due = |todo: &Todo| {
        let whole = || todos.iter().find(|whole| todo.parent.as_ref() == Some(&whole.id));
        let due = todo.due.as_deref().or_else(|| whole().and_then(|whole| whole.due.as_deref()));
        due.and_then(|due| read_day(due.get(..10)?))
    };
    let (now_or_soon, after): (Vec<&Todo>, Vec<&Todo>) =
        todos.iter().partition(|todo| due(todo).is_none_or(|due| due <= last) || todo.repeat.is_none());
    let share = now_or_soon.len().div_ceil(days.len().max(1)).max(1);
    let mut plan: BTreeMap<Date, Vec<Todo>> = BTreeMap::new();
    let mut in_order = now_or_soon.clone();
    order::sort_by_key(&mut in_order, |todo| due(todo).map_or(Date::MAX, |due| due.max(first)));
    for todo in &in_order {
        let full = |day: &Date| plan.get(day).is_some_and(|all| all.len() >= share);
        // What happens at an hour, or comes again and again, has its day.
        let fixed = due(todo).filter(|due| {
            let own = todo.due.as_deref().is_some_and(|due| due.contains('T'));
            (todo.repeat.is_some() || own) && days.contains(due)
        });
        let latest =
            due(todo).filter(|due| *due >= first).unwrap_or(if due(todo).is_some() { first } else { last });
        let free = days.iter().find(|day| **day <= latest && !full(day)).copied();
        let day = fixed.or(free).unwrap_or(latest.min(last));
        plan.entry(day).or_default().push((*todo).clone());
    }
    let named = |day: Date| capitalised(&spoken(&day_text(day), now));
    let lines: Vec<String> =
        plan.iter().map(|(day, todos)| format!("{}:\n\n{}", named(*day), tasks(todos, now))).collect();
    let rest = if after.is_empty() { String::new() } else { format!("\n\n{} can wait.", count(after.len())) };
    format!(
        "This is how I would spread it out, nothing after the day it is due. I changed nothing: say “move … to …” for what suits you.\n\n{}{rest}",
        lines.join("\n\n")
    )
}
