//! Each intent as calls and their answer.

use crate::todo::acts::{THINGS, change, clear_completed, delete, list, nothing, rename, show, state};
use crate::todo::groups::in_words;
use crate::todo::intent::{Intent, Target};
use crate::todo::plan::Want::Open;
use crate::todo::plan::{Halt, Run, Step, Want, Wants, say};
use crate::todo::questions::{aim_of, retarget, two_days};
use crate::todo::undoing::{self, take_back};
use crate::todo::{
    amounts, answer, fields, making, participles, planning, recalling, renaming, reports, subtasks,
    taking_off, ticking_off,
};
use crate::{memories, talk};

/// Carries out one intent; how many of the following clauses its title took in.
pub fn act(run: &mut Run, intent: &Intent) -> Step<usize> {
    let now = run.now;
    carried_out(run, intent).map_err(|halt| in_words(halt, intent, now))
}

fn carried_out(run: &mut Run, intent: &Intent) -> Step<usize> {
    if let Some((one, other)) = two_days(intent) {
        let day = dates::iso::day_words;
        return Err(Halt::Ask {
            text: format!("Which day do you mean?\n\n1. {}\n2. {}", day(one), day(other)),
            wants: Box::new(Wants::Day(one, other)),
        });
    }
    match intent {
        Intent::Add(drafts) => making::add(run, drafts).map(|()| 0),
        Intent::Suggest(draft) => making::suggest(run, draft).map(|()| 0),
        Intent::Under(target, drafts) => subtasks::under(run, target, drafts),
        Intent::Beneath(target, drafts) => crate::todo::parting::beneath(run, target, drafts),
        Intent::Copy(target, attrs) => subtasks::copy(run, target, attrs),
        Intent::NewList(name) => making::new_list(run, name),
        Intent::Confirm(text, intent) => {
            Err(Halt::Ask { text: text.clone(), wants: Box::new(Wants::Confirm((**intent).clone())) })
        }
        Intent::List { filter, count } => list(run, filter, *count).map(|()| 0),
        Intent::Period(filter) => list(run, filter, false).map(|()| 0),
        Intent::Check(named, asked) => reports::check(run, named, *asked).map(|()| 0),
        Intent::Names(label) => reports::names(run, *label).map(|()| 0),
        Intent::Clock => say(run, &talk::clock(run.now)),
        Intent::History(from) => reports::history(run, from.as_deref()).map(|()| 0),
        Intent::Show(target) | Intent::Point(target) => show(run, target),
        Intent::Complete(target) => state(run, target, true),
        Intent::Reopen(target) => state(run, target, false),
        Intent::Delete(target) => delete(run, target),
        Intent::Whole(whole, otherwise) => renaming::act(run, whole, otherwise),
        Intent::TakeName(target, name) => fields::take_name(run, target, name),
        Intent::Drop(target) => {
            let (todos, _) = run.resolve(target, Open, true)?;
            if todos.is_empty() { nothing(run) } else { Err(crate::todo::resolve::dropping(todos, run.now)) }
        }
        Intent::Rename(target, title) => rename(run, target, title.as_deref()),
        Intent::Change(target, patch) => change(run, target, patch),
        Intent::Reschedule(target, off) => {
            let (todos, swallowed) = run.resolve(target, Open, false)?;
            let text = format!("To when?\n\n{}", answer::tasks(&todos, run.now));
            let wants = Box::new(Wants::When(Target::Chosen(todos.clone()), *off));
            if todos.is_empty() { nothing(run) } else { Err(Halt::Ask { text, wants }).map(|()| swallowed) }
        }
        Intent::ClearCompleted(list) => clear_completed(run, list.as_deref()).map(|()| 0),
        Intent::ClearWhat => say(
            run,
            "I changed nothing: say “clear completed” to delete what is done, or “delete all todos” to delete everything.",
        ),
        Intent::Undo(count) => undoing::undo(run, *count).map(|()| 0),
        Intent::TakeBack(count) => undoing::take_back(run, *count).map(|()| 0),
        Intent::TakeBackAll(count) => undoing::undo_last(run, *count).map(|()| 0),
        Intent::Redo(count) => undoing::redo(run, *count).map(|()| 0),
        Intent::UndoOf { tools, title } => undoing::undo_of(run, tools, title.as_deref()).map(|()| 0),
        Intent::Regret(count) => Err(undoing::regret(*count)),
        Intent::Instead(count, intent) => instead(run, *count, intent),
        Intent::Memory(memory) => Ok(memories::act(run, memory, THINGS).map(|()| 0)?),
        Intent::Say(line) => say(run, line),
        Intent::Recall(what) => recalling::tell(run, what.clone()),
        Intent::Plan(plan) => planning::tell(run, plan),
        Intent::Count(name, filter) => amounts::tell(run, name, filter).map(|()| 0),
        Intent::Told(target, deed) => participles::act(run, target, deed),
        Intent::Offer(target, patch, words) => fields::offer(run, target, patch, words),
        Intent::Tally(states) => ticking_off::tally(run, states),
        Intent::Lift(taken) => taking_off::lift(run, taken),
        Intent::Help => say(run, &talk::help(run.skills)),
        Intent::Hello => say(run, &talk::hello(run.skills)),
        Intent::Thanks => say(run, talk::THANKS),
        Intent::Yes => say(run, &talk::yes(run.skills)),
        Intent::No | Intent::Hands if run.said.is_empty() => say(run, talk::NOTHING),
        Intent::No | Intent::Hands => say(run, "The rest I left alone, as you said."),
        Intent::Unknown => say(run, &talk::unknown(run.skills)),
    }
}

/// The same command about other to-dos in the place of the last changes. They are found first: nothing is
/// taken back where the new ones are not clear.
pub fn instead(run: &mut Run, count: i64, intent: &Intent) -> Step<usize> {
    let Some(aim) = aim_of(intent) else { return act(run, intent) };
    let reopens = matches!(intent, Intent::Reopen(_));
    let destroys = matches!(intent, Intent::Delete(_));
    let (todos, _) = run.resolve(aim, if reopens { Want::Done } else { Want::Open }, destroys)?;
    take_back(run, count)?;
    act(run, &retarget(intent, Target::Chosen(todos)))
}
