//! Each intent as calls and their answer.

use crate::todo::plan::{Halt, Run, Step, Wants, ask_which, later, say};
use crate::todo::rows::{Change, Todo, changes};
use crate::todo::{answer, filter, undoing};
use dates::iso::read_day;
use serde_json::{Map, Value, json};

use crate::todo::attrs::Attrs;
use crate::todo::groups::Group;
use crate::todo::intent::{Due, Filter, Intent, Patch, Place, Target};
use crate::todo::moving::{earlier, off};
use crate::todo::plan::Want::{Done, Open};
use crate::todo::reminder::{self, Reminder};

/// What is kept here.
pub const THINGS: &str = "to-dos";

/// How many to-dos one write takes.
pub const BATCH: usize = 100;

pub fn nothing(run: &mut Run) -> Step<usize> {
    say(run, "No to-do fits that, so I changed nothing.")
}

/// The words for the first of an order: "the oldest".
fn foremost(filter: &Filter, todos: &[Todo], total: usize) -> Option<String> {
    let ([todo], Some(1)) = (todos, filter.limit) else { return None };
    if filter.whole {
        let end = if filter.last { "last" } else { "first" };
        let described = answer::described(filter, Some(total));
        return Some(format!("You have {described}. In their order this one comes {end}:"));
    }
    let what = match (filter.sort?, filter.last) {
        ("created", false) => "the newest",
        ("created", true) => "the oldest",
        ("due", _) if todo.due.is_none() => {
            return Some("None of them has a date. This one comes first:".to_owned());
        }
        ("due", false) => "due next",
        ("due", true) => "due last",
        ("priority", false) if todo.priority == "none" => {
            return Some("None of them has a priority. This one comes first:".to_owned());
        }
        ("priority", false) => "the most important",
        ("priority", true) => "the least important",
        _ => return None,
    };
    let described = answer::described(filter, Some(total));
    Some(if total == 1 {
        format!("You have {described}:")
    } else {
        format!("Of your {described} this is {what}:")
    })
}

/// Names that the list of what is to be bought has.
const SHOPPING: &[&str] = &["shopping", "groceries", "grocery", "food", "supermarket", "shop", "shops"];

/// The list there is for what is to be bought.
fn shopping(all: &[Todo]) -> Option<String> {
    all.iter().map(|todo| &todo.list).find(|list| SHOPPING.contains(&list.to_lowercase().as_str())).cloned()
}

/// Shows what a filter selects.
pub fn list(run: &mut Run, filter: &Filter, count: bool) -> Step<()> {
    if filter.done_from.is_some() || filter.done_to.is_some() {
        return crate::todo::finished::tell(run, filter);
    }
    let (mut todos, total) = run.list(filter, false)?;
    // "Show work", where no title has the word: a list's or a tag's name may.
    if let (true, Some(text)) = (todos.is_empty(), &filter.text)
        && filter.list.is_none()
        && filter.tag.is_none()
        && filter.period.is_none()
        && filter.status != Some("done")
        && let Some(group) = Group::called(text, &run.look()?)
    {
        return say(run, &group.shown(run.now)).map(|_| ());
    }
    // The shopping is in Groceries, where no list has that name, or it is what is to be bought.
    if let (true, Some(name)) = (todos.is_empty(), &filter.list)
        && SHOPPING.contains(&name.to_lowercase().as_str())
        && filter.text.is_none()
        && let Some(other) = shopping(&run.look()?).filter(|other| !other.eq_ignore_ascii_case(name))
    {
        return list(run, &Filter { list: Some(other), ..filter.clone() }, count);
    }
    // What is still to do comes first.
    order::sort_by_key(&mut todos, |todo| todo.done);
    let text = if todos.is_empty() {
        let bare = *filter == Filter { status: filter.status, sort: filter.sort, ..Filter::default() };
        match filter.status {
            None | Some("open") if bare => "You have no open to-dos. Nothing is left to do.".to_owned(),
            Some("all") if bare => "You have no to-dos yet. Say “add …” to make one.".to_owned(),
            _ => format!("You have {}.", answer::described(filter, None)),
        }
    } else {
        let described = answer::described(filter, Some(total));
        // How many there are is told with how many of them are only parts.
        let parts = todos.iter().filter(|todo| todo.parent.is_some()).count();
        let described = match parts {
            n if !count || n == 0 || n == todos.len() => described,
            1 => format!("{described}, 1 of them a subtask"),
            n => format!("{described}, {n} of them subtasks"),
        };
        if let Some(text) = foremost(filter, &todos, total) {
            run.run.said.push(format!("{text}\n\n{}", answer::numbered(&todos, run.now)));
            return Ok(());
        }
        let rest = match (total > todos.len(), todos.len()) {
            (false, _) => String::new(),
            (true, 1) => " This one comes first:".to_owned(),
            (true, shown) => format!(" Here are {shown}:"),
        };
        let end = match (count, rest.is_empty()) {
            (_, false) => format!(".{rest}"),
            (true, true) => ". Here they are:"
                .replace("Here they are", if total == 1 { "Here it is" } else { "Here they are" }),
            (false, true) => ":".to_owned(),
        };
        format!("You have {described}{end}\n\n{}", answer::numbered(&todos, run.now))
    };
    let unseen = match run.unseen {
        0 => String::new(),
        n => format!("\n\nI did not look at {n} more."),
    };
    run.run.said.push(text + &unseen);
    Ok(())
}

pub fn show(run: &mut Run, target: &Target) -> Step<usize> {
    // Where no list was shown, "the last one" is that of all there is.
    if let Target::Places(places) = target
        && let [end @ (Place::Top(1) | Place::Bottom(1))] = places.as_slice()
        && run.known.shown().is_empty()
    {
        return list(run, &filter::end_of_list(*end == Place::Bottom(1)), false).map(|()| 0);
    }
    if let Target::Places(places) = target
        && run.known.shown().is_empty()
    {
        let (todos, _) = run.list(&Filter::default(), false)?;
        if let Some(picked) = crate::todo::plan::pick(places, &todos) {
            return say(run, &format!("On your list that is:\n\n{}", answer::numbered(&picked, run.now)));
        }
    }
    let (todos, swallowed) = run.resolve(target, Open, false)?;
    let mut text = if let [only] = todos.as_slice() {
        format!("Here it is:\n\n{}", answer::tasks(std::slice::from_ref(only), run.now))
    } else {
        format!("Here they are:\n\n{}", answer::numbered(&todos, run.now))
    };
    if let [only] = todos.as_slice()
        && !only.notes.is_empty()
    {
        text.push_str(&format!("\n\nNotes: {}", crate::text::escape(&only.notes)));
    }
    run.run.said.push(text);
    Ok(swallowed)
}

/// Writes about several to-dos, in batches the tool takes.
fn write(run: &mut Run, tool: &str, todos: &[Todo], more: &Map<String, Value>) -> Step<Vec<Change>> {
    let calls = todos.chunks(BATCH).map(|batch| {
        let mut arguments = Map::new();
        match batch {
            [only] => arguments.insert("id".into(), json!(only.id)),
            several => {
                arguments.insert("ids".into(), json!(several.iter().map(|t| &t.id).collect::<Vec<_>>()))
            }
        };
        arguments.extend(more.clone());
        (tool.to_owned(), Value::Object(arguments))
    });
    Ok(run.call_all(calls.collect())?.iter().flat_map(changes).collect())
}

pub fn state(run: &mut Run, target: &Target, done: bool) -> Step<usize> {
    let (todos, swallowed) = run.resolve(target, if done { Open } else { Done }, false)?;
    set_state(run, todos, done).map(|()| swallowed)
}

/// Marks to-dos as done.
pub fn complete(run: &mut Run, todos: Vec<Todo>) -> Step<()> {
    set_state(run, todos, true)
}

fn set_state(run: &mut Run, todos: Vec<Todo>, done: bool) -> Step<()> {
    let (same, todo): (Vec<Todo>, Vec<Todo>) = todos.into_iter().partition(|t| t.done == done);
    if !same.is_empty() {
        let word = if done { "Done already:" } else { "Open already:" };
        run.run.said.push(format!("{word}\n\n{}", answer::tasks(&same, run.now)));
    }
    if todo.is_empty() {
        return if same.is_empty() { nothing(run).map(|_| ()) } else { Ok(()) };
    }
    // The next one of a repetition came with the completion, and goes with it.
    if !done && run.known.just_completed_repeating(&todo) {
        undoing::take_back(run, 1)?;
        return Ok(());
    }
    let all = write(run, if done { "todo_complete" } else { "todo_reopen" }, &todo, &Map::new())?;
    let (new, mut changed): (Vec<Change>, Vec<Change>) =
        all.into_iter().partition(|change| change.before.is_none());
    if !new.is_empty() {
        // The repetition went over to the next one, which is shown too.
        for change in &mut changed {
            if let (Some(before), Some(after)) = (&mut change.before, &change.after) {
                before.repeat.clone_from(&after.repeat);
            }
        }
    }
    let word = if done { "Done:" } else { "Open again:" };
    run.run.said.push(format!("{word}\n\n{}", answer::changed(&changed, run.now)));
    let next: Vec<Todo> = new.into_iter().filter_map(|change| change.after).collect();
    if !next.is_empty() {
        run.run.said.push(format!("It repeats, so next comes:\n\n{}", answer::tasks(&next, run.now)));
    }
    Ok(())
}

pub fn delete(run: &mut Run, target: &Target) -> Step<usize> {
    let (todos, swallowed) = run.resolve(target, Open, true)?;
    if todos.is_empty() {
        return nothing(run);
    }
    let gone: Vec<Todo> = write(run, "todo_delete", &todos, &Map::new())?
        .into_iter()
        .filter_map(|change| change.before)
        .collect();
    deleted(run, &gone);
    Ok(swallowed)
}

fn deleted(run: &mut Run, gone: &[Todo]) {
    let head = if gone.len() == 1 {
        "Deleted:".to_owned()
    } else {
        format!("Deleted {}:", answer::count(gone.len()))
    };
    run.run.said.push(format!(
        "{head}\n\n{}\n\nSay “undo” to bring {} back.",
        answer::tasks(gone, run.now),
        if gone.len() == 1 { "it" } else { "them" }
    ));
}

pub fn clear_completed(run: &mut Run, list: Option<&str>) -> Step<()> {
    let arguments = list.map_or_else(|| json!({}), |list| json!({ "list": list }));
    let result = run.call("todo_clear_completed", arguments)?;
    let gone: Vec<Todo> = changes(&result).into_iter().filter_map(|change| change.before).collect();
    if gone.is_empty() {
        run.run.said.push("There are no completed to-dos to clear.".to_owned());
    } else {
        deleted(run, &gone);
    }
    Ok(())
}

pub fn rename(run: &mut Run, target: &Target, title: Option<&str>) -> Step<usize> {
    let (todos, swallowed) = run.resolve(target, Open, false)?;
    let [only] = todos.as_slice() else {
        return if todos.is_empty() {
            nothing(run)
        } else {
            Err(ask_which("I can rename one at a time. Which one do you mean?", todos, run.now))
        };
    };
    let Some(title) = title else {
        return Err(Halt::Ask {
            text: format!("What should it be called instead?\n\n{}", answer::tasks(&todos, run.now)),
            wants: Box::new(Wants::Name(Target::Chosen(todos))),
        });
    };
    let result = run.call("todo_update", json!({"id": only.id, "title": title}))?;
    changed(run, &changes(&result), &todos);
    Ok(swallowed)
}

fn changed(run: &mut Run, changes: &[Change], asked: &[Todo]) {
    if changes.is_empty() {
        run.run.said.push(format!("Nothing had to change:\n\n{}", answer::tasks(asked, run.now)));
        return;
    }
    run.run.said.push(format!("Changed:\n\n{}", answer::changed(changes, run.now)));
}

pub fn change(run: &mut Run, target: &Target, patch: &Patch) -> Step<usize> {
    // "Remind me in an hour", of nothing that is still to be done: something new.
    if let (Target::It, Some(Reminder::At(said))) = (target, patch.remind)
        && !run.known.it().is_open()
    {
        let attrs = Attrs { when: Some(said), ..Attrs::default() };
        return Err(Halt::Ask { text: "Of what?".to_owned(), wants: Box::new(Wants::Reminder(attrs)) });
    }
    // What may be a deletion is not guessed.
    let (mut todos, swallowed) = run.resolve(target, Open, patch.remind == Some(Reminder::Cancelled))?;
    // "Push everything by a day": what has no date has none to push.
    if matches!((target, &patch.due), (Target::Every { .. }, Some(Due::Later(_)))) {
        todos.retain(|todo| todo.due.is_some());
    }
    if todos.is_empty() {
        return nothing(run);
    }
    // "Cancel the reminder for the gym": where nothing reminds of it, people call the to-do so.
    if patch.remind == Some(Reminder::Cancelled) && todos.iter().all(|todo| todo.remind.is_none()) {
        let all = answer::tasks(&todos, run.now);
        let text = format!("Nothing reminds you of that. Shall I delete it? (yes or no)\n\n{all}");
        let wants = Wants::Confirm(Intent::Delete(Target::Chosen(todos)));
        return Err(Halt::Ask { text, wants: Box::new(wants) });
    }
    let undated = |todo: &&Todo| todo.due.is_none() && patch.due.is_none();
    if patch.remind.is_some_and(Reminder::is_before)
        && let Some(todo) = todos.iter().find(undated)
    {
        return say(run, &reminder::no_date(&todo.title));
    }
    earlier(run, &todos, patch)?;
    // To-dos that get the same values go in one call.
    let mut groups: Vec<(Map<String, Value>, Vec<Todo>)> = Vec::new();
    for todo in todos.iter().cloned() {
        let values = values(run, patch, &todo);
        match groups.iter_mut().find(|(known, _)| *known == values) {
            Some((_, group)) => group.push(todo),
            None => groups.push((values, vec![todo])),
        }
    }
    if let [(values, group)] = groups.as_slice() {
        let all = write(run, "todo_update", group, values)?;
        changed(run, &all, &todos);
        return Ok(swallowed);
    }
    let calls = groups.into_iter().flat_map(|(values, group)| {
        group.into_iter().map(move |todo| {
            let mut arguments = Map::new();
            arguments.insert("id".into(), json!(todo.id));
            arguments.extend(values.clone());
            ("todo_update".to_owned(), Value::Object(arguments))
        })
    });
    let results = run.call_all(calls.collect())?;
    let all: Vec<Change> = results.iter().flat_map(changes).collect();
    changed(run, &all, &todos);
    Ok(swallowed)
}

/// What a change means for one to-do.
fn values(run: &Run, patch: &Patch, todo: &Todo) -> Map<String, Value> {
    let mut out = Map::new();
    match (&patch.due, run.now) {
        (Some(Due::Never), _) => {
            out.insert("due".into(), Value::Null);
        }
        (Some(Due::Day), _) => {
            let day = todo.due.as_deref().and_then(|due| due.get(..10));
            out.extend(day.map(|day| ("due".to_owned(), json!(day))));
        }
        (Some(Due::Later(span)), Some(now)) => {
            out.insert("due".into(), json!(later(todo.due.as_deref(), *span, now)));
        }
        (Some(Due::At(attrs)), Some(now)) => {
            out.extend(moved(attrs, todo, now).map(|due| ("due".to_owned(), json!(due))));
        }
        (Some(Due::Off(attrs, words)), Some(now)) => {
            out.extend(off(attrs, words, todo, now).flatten().map(|due| ("due".to_owned(), json!(due))));
        }
        (Some(Due::At(_) | Due::Off(..) | Due::Later(_)) | None, _) => {}
    }
    if patch.step != 0 {
        const LEVELS: [&str; 5] = ["none", "low", "medium", "high", "urgent"];
        let at = LEVELS.iter().position(|level| *level == todo.priority).unwrap_or_default();
        let to = if patch.step > 0 { at + 1 } else { at.saturating_sub(1) };
        out.insert("priority".into(), json!(LEVELS[to.min(LEVELS.len() - 1)]));
    }
    if let Some(priority) = patch.priority {
        out.insert("priority".into(), json!(priority));
    }
    if !patch.add_tags.is_empty() {
        out.insert("add_tags".into(), json!(patch.add_tags));
    }
    if !patch.remove_tags.is_empty() {
        out.insert("remove_tags".into(), json!(patch.remove_tags));
    }
    if patch.clear_tags {
        out.insert("tags".into(), json!([]));
    }
    if let Some(list) = &patch.list {
        out.insert("list".into(), json!(list));
    }
    if let Some(repeat) = &patch.repeat {
        // A length of time counts from the day on which the repetition begins.
        let due = out.get("due").and_then(Value::as_str).or(todo.due.as_deref());
        let begin = due.and_then(|due| read_day(due.get(..10)?));
        let said = match (&patch.due, begin) {
            (Some(Due::At(Attrs { repeat: Some(said), .. })), Some(day)) => Some(said.rule_from(day)),
            _ => None,
        };
        let rule = said.filter(|_| !repeat.is_empty()).unwrap_or_else(|| repeat.clone());
        out.insert("repeat".into(), if rule.is_empty() { Value::Null } else { json!(rule) });
    }
    if let Some((said, now)) = patch.remind.zip(run.now) {
        let due = out.get("due").and_then(Value::as_str).or(todo.due.as_deref());
        out.insert("remind".into(), json!(said.remind(due, now)));
    }
    if let Some(notes) = &patch.notes {
        let all = if notes.is_empty() || todo.notes.is_empty() {
            notes.clone()
        } else {
            format!("{}\n{notes}", todo.notes)
        };
        out.insert("notes".into(), json!(all));
    }
    out
}

/// The new due value: a day alone keeps the time of day, a time alone keeps the day, and a repetition
/// that names no days leaves a date alone that is there.
pub fn moved(attrs: &Attrs, todo: &Todo, now: jiff::civil::DateTime) -> Option<String> {
    let (day, clock) = todo.due.as_deref().map_or((None, None), |due| match due.split_once('T') {
        Some((day, clock)) => (Some(day), Some(clock)),
        None => (Some(due), None),
    });
    let names_days = attrs.repeat.as_ref().is_some_and(|repeat| repeat.rule.contains(";BY"));
    let clock_said = attrs.repeat.as_ref().and_then(|repeat| repeat.time);
    if attrs.when.is_none() && (day.is_some() && !names_days && clock_said.is_none()) {
        return None;
    }
    let said = attrs.when.unwrap_or(dates::when::When::new(None, None));
    let mut attrs = attrs.clone();
    let time = said.time.or(clock_said).or_else(|| clock.and_then(dates::iso::read_time));
    let kept = if names_days { None } else { day.and_then(read_day).filter(|d| *d >= now.date()) };
    let date = said.date.or(kept);
    attrs.when = Some(dates::when::When::new(date, time));
    attrs.due(now)
}
