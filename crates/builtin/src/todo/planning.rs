//! What to do first, what can wait, how the week looks: a proposal over the open to-dos. What is overdue comes first,
//! then what is due, by date, then what has no date, by priority. Nothing is changed.

use crate::todo::plan::{Run, Step, say};
use crate::todo::readings::{Plan, span};
use crate::todo::rows::Todo;
use dates::calendar::{ToSpan, later_day, plus};
use dates::due::{overdue, spoken};
use dates::iso::{day_text, read_day};
use dates::names::number;
use jiff::civil::DateTime;

use crate::lex::{Token, after, before, exactly, trim_signs};
use crate::todo::agenda;
use crate::todo::answer::{count, numbered};
use crate::todo::attrs::Lexicon;
use crate::todo::filter::whole;
use crate::todo::intent::{Filter, Intent};

/// How many without a date a plan takes in.
const UNDATED: usize = 5;
/// How many at most.
const MOST: usize = 20;

/// Reads a clause that asks for a plan.
pub fn asked(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    crate::todo::spreading::asked(tokens, lexicon)
        .or_else(|| later(tokens, lexicon))
        .or_else(|| first(tokens))
        .or_else(|| looks(tokens, lexicon))
        .or_else(|| planned(tokens, lexicon))
        .map(Intent::Plan)
}

/// "plan my week", "make a plan for today".
fn planned(tokens: &[Token], lexicon: &Lexicon) -> Option<Plan> {
    const PLAN: &[&str] = &[
        "plan",
        "plan out",
        "help me plan|organize|organise|structure",
        "organize|organise|structure|prioritize|prioritise|arrange",
        "make|create|draw|draft|suggest|propose|give|show|write a|me plan|schedule",
        "make|create|draw|give|show|suggest|write me a plan|schedule for",
        "make|create|draw|draft|suggest|propose|give|show|write a plan|schedule for|of",
        "draw up a plan|schedule for",
        "come up with a plan|schedule for",
        "i need|want a plan|schedule for",
        "how should|shall|do|would|could|can i|we|you plan|organize|organise|structure|spend|schedule|arrange",
        "can you suggest a plan|schedule for",
    ];
    let rest = after(tokens, PLAN)?;
    span(rest, lexicon).map(Plan::Days)
}

/// "how does my week look?", "what does tomorrow look like?"
fn looks(tokens: &[Token], lexicon: &Lexicon) -> Option<Plan> {
    const HOW: &[&str] =
        &["how|what does|do|will|is|are", "how's|what's", "how full|busy|bad is|are", "how busy|full does"];
    const BUSY: &[&str] = &[
        "do i|we have a busy|full|packed|hectic|stressful|tough|quiet|free",
        "am i|are we busy|free|swamped",
    ];
    if let Some(days) = after(tokens, BUSY).and_then(|rest| span(rest, lexicon)) {
        return Some(Plan::Look(days));
    }
    const LOOK: &[&str] =
        &["look", "look like", "looking", "looking like", "shaping up", "going to look", "look so far"];
    let rest = after(tokens, HOW)?;
    let days = before(rest, LOOK)?;
    span(days, lexicon).map(Plan::Look)
}

/// "what should I do first?", "where do I start?"
fn first(tokens: &[Token]) -> Option<Plan> {
    const ONE: &[&str] = &[
        "what|which one|todo|task should|shall|do|could|must i|we do|tackle|start|begin|take|attack|finish first",
        "what|which should|shall|do|could|must i|we do|tackle|start|begin|take|attack|finish first",
        "what should|shall|do|could|must i|we do|work|tackle|focus|start|begin|get on|with|to first",
        "what should|shall|do|could i|we start|begin with|on",
        "where|how should|shall|do|would i|we start|begin",
        "where to start|begin",
        "what to do|tackle first",
        "what|which comes first",
        "what first",
        "what would you do first",
        "what should|shall i|we work|focus on now|next",
        "what should|shall i|we do|tackle|start right now",
        "what|which should|must|needs|has be done|finished|tackled|started first|next",
        "what|which one|todo|task|thing should|must be done|finished|tackled|started first|next",
        "what|which one|todo|task|thing needs|has to be done|finished|tackled|started first|next",
        "what needs|has to be done|finished|tackled|started first|next",
        "what|which one|todo|task|thing should|shall i|we do|tackle|start next",
        "what|which one|todo|task is most pressing",
    ];
    const SOME: &[&str] = &[
        "what matters most",
        "what matters the most",
        "what matters most today|now",
        "what matters most this week",
        "what should|shall|do i|we prioritize|prioritise",
        "how should|shall|do|would|could i|we start|begin the|my day|week|morning",
        "how should|shall|do|would|could i|we start|begin today|this",
        "what are my priorities",
        "how should|shall|do|would|could i|we tackle|approach|attack today|things|everything|this",
        "how should|shall|do|would|could i|we tackle|approach|attack my|the day",
        "in what|which order should|shall|do i|we do|tackle|take things|them|it|everything|these|those",
        "in what|which order should|shall|do i|we do|tackle|take my|the todos|tasks",
        "what's the best|right order",
        "what order should i do things|them in",
    ];
    // "give me three things I could do today"
    if let Some(rest) = after(tokens, &["give|name|suggest|tell|show|pick me", "suggest|name|pick"])
        && let Some(n) = rest.first().and_then(|t| number(&t.lower)).and_then(|n| usize::try_from(n).ok())
        && let Some(tail) = after(
            &rest[1..],
            &[
                "things|thing|todos|todo|tasks|task|to-dos|items to do|tackle|start",
                "things|thing|todos|todo|tasks|task|items i|we can|could|should|might do|tackle|start",
            ],
        )
        && tail.len() <= 3
    {
        return Some(Plan::First(n.clamp(1, MOST)));
    }
    let is = |phrases: &[&str]| exactly(tokens, phrases);
    let order = tokens.iter().any(|t| t.is("order"));
    let some = is(SOME).then_some(if order { MOST } else { 3 });
    some.or(is(ONE).then_some(1)).map(Plan::First)
}

/// "what can wait?", "what can I put off until monday?"
fn later(tokens: &[Token], lexicon: &Lexicon) -> Option<Plan> {
    const WAIT: &[&str] = &[
        "what|which|anything can|could|might wait",
        "what|which ones|todos|tasks can|could wait",
        "is there anything that can|could wait",
        "what|which can|could i|we do|leave|save later",
        "what|which can|could i|we leave|save|keep for later",
        "what|which can|could i|we postpone|defer|delay|skip|push",
        "what|which ones|todos|tasks can|could i|we postpone|defer|delay|skip|push",
        "what|which can|could i|we put|push off|back",
        "what|which ones|todos|tasks can|could i|we put|push off|back",
        "what|which can|could be postponed|deferred|delayed|skipped",
        "what|which can|could be put|pushed|left off|back|out",
        "what|which isn't urgent|important|pressing",
        "what|which is not urgent|important|pressing",
        "what doesn't have to be done now|today",
        "what's not urgent|important|pressing",
        "what has time",
        "anything|something|what not urgent|important|pressing",
        "anything|something|what that|which isn't urgent|important|pressing",
        "anything|something|what that|which is not urgent|important|pressing",
        "anything|something that|which can|could wait",
        "what|which|any of|out these|those|them|it can|could|may|might wait",
        "what|which of these|those|them|my can|could|may|might i|we postpone|defer|delay|skip|push|move|leave|shift",
        "what|which of these|those|them can|could|may|might i|we put|push off|back",
        "what|which of these|those|them can|could|may|might be postponed|deferred|delayed|skipped|moved",
        "what|which of my|our|the todos|tasks|to-dos|things can|could|may|might i|we postpone|defer|delay|skip|push|move|leave|shift",
        "what|which of my|our|the todos|tasks|to-dos|things can|could|may|might wait",
        "what|which can|could|may|might i|we move|shift|drag|reschedule",
        "what|which can|could|may i|we safely postpone|defer|delay|skip|push|move|leave|ignore",
        "what|which can|could|may safely wait",
    ];
    // "… without getting in trouble" says what waiting means.
    let tokens = tokens.iter().position(|t| t.is("without")).map_or(tokens, |at| &tokens[..at]);
    let rest = trim_signs(after(tokens, WAIT)?);
    let rest = after(rest, &["until|till", "to", "for", "later"]).unwrap_or(rest);
    let today = lexicon.now.date();
    if rest.is_empty() {
        return Some(Plan::Later(day_text(plus(today, 7.days()))));
    }
    let from = whole(rest, lexicon)?.due_from?;
    Some(Plan::Later(read_day(&from).and_then(|day| later_day(day, -1.days())).map(day_text)?))
}

/// The place of a to-do in a plan: overdue, due, the rest; by date, then by priority.
pub fn rank(todo: &Todo, now: Option<DateTime>) -> (u8, String, usize) {
    const LEVELS: [&str; 5] = ["urgent", "high", "medium", "none", "low"];
    let level = LEVELS.iter().position(|level| *level == todo.priority).unwrap_or(LEVELS.len());
    match &todo.due {
        // Of one day the important one comes before what is due at some hour of it.
        Some(due) if overdue(due, now) => (0, due.chars().take(10).collect(), level),
        Some(due) => (1, due.chars().take(10).collect(), level),
        None => (2, String::new(), level),
    }
}

/// Tells the plan.
pub fn tell(run: &mut Run, plan: &Plan) -> Step<usize> {
    let (mut todos, total) = run.list(&Filter::default(), true)?;
    let now = run.now;
    order::sort_by_key(&mut todos, |todo| rank(todo, now));
    let beyond = if total > todos.len() {
        format!(" I looked at {} of {}.", todos.len(), count(total))
    } else {
        String::new()
    };
    if !matches!(plan, Plan::Spread(_)) {
        agenda::wholes(&mut todos);
    }
    if let Plan::Spread(span) = plan {
        return say(run, &crate::todo::spreading::told(&todos, &span.from, &span.to, now));
    }
    if todos.is_empty() {
        return say(run, "You have no open to-dos, so there is nothing to plan.");
    }
    let late = |todo: &Todo| todo.due.as_deref().is_some_and(|due| overdue(due, now));
    let by =
        |todo: &Todo, to: &str| todo.due.as_deref().is_some_and(|due| due.get(..10).unwrap_or(due) <= to);
    let from = |todo: &Todo, from: &str| todo.due.as_deref().is_some_and(|due| due >= from);
    let text = match plan {
        Plan::Days(span) => {
            let (mut dated, rest): (Vec<Todo>, Vec<Todo>) = todos
                .into_iter()
                .partition(|todo| late(todo) || by(todo, &span.to) && from(todo, &span.from));
            let (undated, after): (Vec<Todo>, Vec<Todo>) =
                rest.into_iter().partition(|todo| todo.due.is_none());
            let without = undated.len();
            let left = dated.len().saturating_sub(MOST);
            dated.truncate(MOST);
            let some = dated.len();
            // What is left out is due, so it comes before all that has no date.
            let free = if left == 0 { UNDATED } else { 0 };
            dated.extend(undated.into_iter().take(free));
            let more = if dated.len() > some { ", then what has no date, by priority" } else { "" };
            let left = if left == 0 { String::new() } else { format!("\n\n… and {left} more.") };
            // What is due before these days cannot wait for them.
            let after = after.iter().filter(|todo| !by(todo, &span.to)).count();
            let waits = without.saturating_sub(free) + after;
            let waits = if waits == 0 { String::new() } else { format!("\n\n{} can wait.", count(waits)) };
            if dated.is_empty() {
                format!("Nothing is due {}, and nothing is overdue.{waits}", span.period)
            } else {
                format!(
                    "This is how I would go about it {}: what is overdue first, then by date{more}. I changed nothing.{beyond}\n\n{}{left}{waits}",
                    span.period,
                    numbered(&dated, now)
                )
            }
        }
        Plan::Look(span) => {
            let overdue = todos.iter().filter(|todo| late(todo)).count();
            // Of a day to come the overdue ones are told apart.
            let ahead = now.is_some_and(|now| span.from > day_text(now.date()));
            let behind: Vec<Todo> =
                if ahead { todos.iter().filter(|todo| late(todo)).cloned().collect() } else { Vec::new() };
            todos.retain(|todo| late(todo) && !ahead || by(todo, &span.to) && from(todo, &span.from));
            let due = todos.len() - if ahead { 0 } else { overdue };
            if ahead && due > 0 && !behind.is_empty() {
                let has = if due == 1 { "is" } else { "are" };
                let text = format!(
                    "{} {has} due {}:{beyond}\n\n{}\n\nOverdue besides:\n\n{}",
                    count(due),
                    span.period,
                    numbered(&todos, now),
                    numbered(&behind, now)
                );
                return say(run, &text);
            }
            if ahead {
                todos.extend(behind);
            }
            let has = |n: usize| if n == 1 { "is" } else { "are" };
            let head = match (due, overdue) {
                (0, 0) => {
                    return say(
                        run,
                        &format!("Nothing is due {}, and nothing is overdue.{beyond}", span.period),
                    );
                }
                (due, 0) => format!("{} {} due {}", count(due), has(due), span.period),
                (0, late) => {
                    format!("Nothing new is due {}, but {} {} overdue", span.period, count(late), has(late))
                }
                (due, late) => format!(
                    "{} {} due {}, and {late} {} overdue",
                    count(due),
                    has(due),
                    span.period,
                    has(late)
                ),
            };
            format!("{head}:{beyond}\n\n{}", numbered(&todos, now))
        }
        Plan::Spread(_) => String::new(),
        Plan::Beside(words, after) => agenda::beside(&todos, words, *after, now),
        Plan::Each(span) => agenda::each(&todos, span, now),
        Plan::Next(span) => agenda::next(&todos, span.as_ref(), now),
        Plan::First(1) => {
            let first = &todos[..1];
            let today = now.map(|now| day_text(now.date()));
            let why = match &todos[0] {
                todo if late(todo) => "it is overdue",
                todo if today.is_some_and(|today| by(todo, &today)) => "it is due today",
                todo if todo.due.is_some() => "it is due next",
                todo if todo.is_important() => "it matters most and nothing has a date",
                _ => "nothing is more pressing",
            };
            let important = agenda::marked(&todos, first, now);
            format!("I would begin with this one, as {why}:{beyond}\n\n{}{important}", numbered(first, now))
        }
        Plan::First(n) => {
            let shown = &todos[..todos.len().min(*n)];
            let important = agenda::marked(&todos, shown, now);
            todos.truncate(*n);
            format!(
                "I would take them in this order: what is overdue, then by date, then by priority. I changed nothing.{beyond}\n\n{}{important}",
                numbered(&todos, now)
            )
        }
        Plan::Later(day) => {
            todos.retain(|todo| !late(todo) && !by(todo, day) && !todo.is_important());
            let until = spoken(day, now);
            if todos.is_empty() {
                format!("Nothing: all that is open is due by {until}, overdue or important.{beyond}")
            } else {
                todos.truncate(MOST);
                format!(
                    "These can wait: they are not due by {until}, and none is marked as important.{beyond}\n\n{}",
                    numbered(&todos, now)
                )
            }
        }
    };
    say(run, &text)
}
