//! Taking changes back, and making them once more.

use serde_json::json;

use crate::acts::{act, say};
use crate::answer::{self, quoted};
use crate::find::find;
use crate::intent::{Intent, Target};
use crate::known::{Change, changes};
use crate::plan::{Halt, Run, Step, Want};
use crate::questions::{Wants, aim_of, retarget};

/// The most changes the tool takes back in a call.
const MOST: i64 = 20;

/// Takes back the last changes.
pub fn undo(run: &mut Run, count: i64) -> Step<()> {
    let arguments = if count == 1 { json!({}) } else { json!({ "last": count }) };
    let result = run.call("todo_undo", arguments)?;
    let all = changes(&result);
    if all.is_empty() {
        run.said.push("There is nothing to undo.".to_owned());
        return Ok(());
    }
    run.said.push(format!("Undone:\n\n{}", turned(run, &all)));
    Ok(())
}

/// Changes as they look when they are turned around or made once more.
fn turned(run: &Run, all: &[Change]) -> String {
    let lines: Vec<String> = all
        .iter()
        .map(|change| match (&change.before, &change.after) {
            (None, Some(after)) => format!("{} — back again", answer::task(after, run.now)),
            (Some(before), None) => format!("{} — taken away again", answer::task(before, run.now)),
            _ => answer::changed(std::slice::from_ref(change), run.now),
        })
        .collect();
    lines.join("\n")
}

/// Makes undone changes once more, where there is a tool for it.
pub fn redo(run: &mut Run, count: i64) -> Step<()> {
    if !run.offers("todo_redo") {
        say(run, "I can undo, but I have no way to redo. Say what you want once more.")?;
        return Ok(());
    }
    let arguments = if count == 1 { json!({}) } else { json!({ "last": count.min(MOST) }) };
    let all = changes(&run.call("todo_redo", arguments)?);
    let text = if all.is_empty() {
        "There is nothing to redo.".to_owned()
    } else {
        format!("Done again:\n\n{}", turned(run, &all))
    };
    run.said.push(text);
    Ok(())
}

/// Takes back a change that is told by what it did: only the last ones can be taken back, so an older one
/// is asked about with what came after it.
pub fn undo_of(run: &mut Run, tools: &[&str], title: Option<&str>) -> Step<()> {
    let fits = |(tool, todos): &(String, Vec<crate::known::Todo>)| {
        (tools.is_empty() || tools.contains(&tool.as_str()))
            && title.is_none_or(|title| find(title, false, todos.iter()).is_some())
    };
    match run.known.writes().iter().rev().position(fits) {
        Some(0) => undo(run, 1),
        Some(after) => {
            let count = i64::try_from(after).unwrap_or(MOST) + 1;
            Err(confirm(
                format!(
                    "That was not the last change. I can take back the last {count} together. Shall I? (yes or no)"
                ),
                count,
            ))
        }
        None => {
            let what =
                title.map_or_else(|| "that".to_owned(), |title| format!("that with {}", quoted(title)));
            say(
                run,
                &format!("I have not done {what} in this conversation. “undo” takes back the last change."),
            )?;
            Ok(())
        }
    }
}

/// Asks whether the last changes are to be taken back.
pub fn regret(count: i64) -> Halt {
    let what = if count == 1 { "that".to_owned() } else { format!("the last {count} changes") };
    confirm(format!("That is done already. Shall I undo {what}? (yes or no)"), count)
}

fn confirm(text: String, count: i64) -> Halt {
    Halt::Ask { text, wants: Box::new(Wants::Confirm(Intent::Undo(count.min(MOST)))) }
}

/// The same command about other to-dos in the place of the last changes. They are found first: nothing is
/// taken back where the new ones are not clear.
pub fn instead(run: &mut Run, count: i64, intent: &Intent) -> Step<usize> {
    let Some(aim) = aim_of(intent) else { return act(run, intent) };
    let reopens = matches!(intent, Intent::Reopen(_));
    let destroys = matches!(intent, Intent::Delete(_));
    let (todos, _) = run.resolve(aim, if reopens { Want::Done } else { Want::Open }, destroys)?;
    undo(run, count)?;
    act(run, &retarget(intent, Target::Chosen(todos)))
}
