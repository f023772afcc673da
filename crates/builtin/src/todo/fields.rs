//! Taking something off a to-do by telling that it is no longer so: "the report has no deadline any more", "that's not
//! that important", "milk is no longer in Groceries", "it doesn't repeat any more".
//!
//! With "any more" or "no longer" it is told that something was so and is over, and the change is made. Without it the
//! sentence may only say how things are, and it is asked.

use dates::when::when;

use crate::lex::{Kind, Token, after, before, exactly, starts, trim_signs};
use crate::todo::acts::change;
use crate::todo::answer;
use crate::todo::attrs::{Lexicon, list_name, names_list, peel_whole};
use crate::todo::find::same;
use crate::todo::intent::{Due, Intent, Named, Patch, Target};
use crate::todo::plan::{Halt, Run, Step, Want, Wants, say};
use crate::todo::rows::Todo;
use crate::todo::target::target;
use crate::todo::urgency::level;

/// A field that is taken away.
struct Field {
    patch: Patch,
    /// The question for it, before the title.
    words: &'static str,
}

const OVER: &[&str] = &["any more|longer", "anymore", "no more", "now", "after all", "at all", "either"];

/// Reads a clause that tells that something is no longer so.
pub fn taken(tokens: &[Token], question: bool, lexicon: &Lexicon) -> Option<Intent> {
    let tokens = trim_signs(tokens);
    let asks = tokens.first().is_some_and(|t| t.of("which what what's who"));
    if question || asks || tokens.iter().any(|t| t.of("if when why how")) {
        return None;
    }
    if let Some(intent) = told_to(tokens, lexicon) {
        return Some(intent);
    }
    const NOT: &str = "no not longer never without lost needs stops stopped";
    if tokens.len() < 2 || !tokens.iter().any(|t| t.of(NOT) || t.lower.ends_with("n't")) {
        return None;
    }
    let rest = before(tokens, OVER).unwrap_or(tokens);
    let tail = &tokens[rest.len()..];
    let ended = starts(tail, "any").is_some()
        || starts(tail, "anymore").is_some()
        || starts(tail, "no more").is_some();
    // What is said, in front of what it is said of.
    const HAS: &[&str] =
        &["has|have no", "has|have no more", "has|have no longer a|an|any", "has|have no longer"];
    const HAS_NOT: &[&str] = &[
        "doesn't|don't have|need|want a|an|any|the|its|that",
        "doesn't|don't have|need|want",
        "does|do not have|need|want a|an|any|the|its|that",
        "does|do not have|need|want",
        "needs|need|wants no",
        "is|are without a|any",
        "is|are without",
        "no longer has|have|needs|need a|an|any|the|its",
        "no longer has|have|needs|need",
        "lost its|the",
    ];
    const IS_NOT: &[&str] = &[
        "is|are|was|were no longer", "isn't|aren't", "is|are not", "no longer is|are",
        "doesn't|don't need|have to be", "needn't be", "shouldn't be", "should not be", "mustn't be",
        "does|do not need|have to be",
    ];
    const DOES_NOT: &[&str] = &[
        "doesn't|don't", "does|do not", "no longer", "never", "has|have stopped", "stops|stopped",
        "should not", "shouldn't",
    ];
    let pronoun = tokens[0].of("it's that's they're");
    for at in 0..rest.len() {
        let (subject, here) = if at == 0 && pronoun {
            (&rest[..1], &rest[1..])
        } else if at == 0 {
            continue;
        } else {
            (&rest[..at], &rest[at..])
        };
        let longer = here.iter().take(3).any(|t| t.is("longer")) || starts(here, "lost").is_some();
        let field = if let Some(said) = after(here, HAS).or(after(here, HAS_NOT)) {
            noun(said)
        } else if let Some(said) = after(here, IS_NOT) {
            state(said, lexicon)
        } else if pronoun && at == 0 {
            after(here, &["not", "no longer"]).and_then(|said| state(said, lexicon))
        } else if let Some(said) = after(here, DOES_NOT) {
            repeats(said)
        } else {
            None
        };
        let Some(field) = field else { continue };
        // "It isn't due tomorrow any more" may go on with another date.
        let dated = field.patch.due.is_some()
            && here.iter().any(|t| t.is("due"))
            && here.last().is_some_and(|t| !t.of("due date deadline"));
        let (aim, list) = aim(subject, lexicon)?;
        let sure = !dated
            && (ended
                || longer
                || starts(here, "stops|stopped").is_some()
                || starts(here, "has|have stopped").is_some());
        let aim = within(aim, list.or_else(|| left_list(here, lexicon)));
        return Some(intent(aim, field, sure));
    }
    None
}

fn intent(aim: Target, field: Field, sure: bool) -> Intent {
    if sure {
        Intent::change(aim, field.patch)
    } else {
        Intent::Offer(aim, Box::new(field.patch), field.words)
    }
}

/// "forget the deadline of the report", "take milk out of Groceries", "no deadline for the report".
fn told_to(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    if let Some(rest) = after(tokens, &["take|get|move|pull|kick", "remove"])
        && let Some(at) = (1..rest.len()).find(|at| starts(&rest[*at..], "out of").is_some())
    {
        let name = after(&rest[at + 2..], &["the|my"]).unwrap_or(&rest[at + 2..]);
        let name = before(name, &["list"]).unwrap_or(name);
        let [name] = name else { return None };
        let known = names_list(name, lexicon) || tokens.last().is_some_and(|t| t.is("list"));
        let list = list_name(&name.text, lexicon);
        return known
            .then(|| Intent::change(within(target(&rest[..at], lexicon), Some(list)), out_of_list()));
    }
    if let Some(named) = name_off(tokens, lexicon) {
        return Some(named);
    }
    const FORGET: &[&str] = &[
        "forget|cancel|ditch|lose|abandon|scrap the|its|that",
        "forget|cancel|ditch|lose|abandon|scrap about the",
        "take|get the|its|that",
        "take away the|its|that",
        "remove the|its|that",
        "no",
        "no more",
    ];
    let rest = after(tokens, FORGET)?;
    let (n, field) = (1..=3.min(rest.len())).rev().find_map(|n| Some((n, noun(&rest[..n])?)))?;
    let tail = trim_signs(&rest[n..]);
    let aim = match after(tail, &["of|for|on|from|off", "away from", "away for", "of|from|off"]) {
        Some(aim) if !aim.is_empty() => target(aim, lexicon),
        None if tail.is_empty() || starts(tail, "away|off") == Some(tail.len()) => Target::It,
        _ => return None,
    };
    // "take the notes" is no order to take them off, and "the list" alone may be any.
    let said = &rest[..n];
    let vague = said.iter().any(|t| t.of("note notes comment comments list"));
    if tail.is_empty() && (vague || tokens[0].of("take get")) {
        return None;
    }
    // "no priority" alone answers a question.
    if tokens[0].is("no") && (tail.is_empty() || matches!(aim, Target::Missing)) {
        return None;
    }
    Some(intent(aim, field, true))
}

/// "take "Work" off the presentation": a tag or a list, by its name alone.
fn name_off(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let rest = after(tokens, &["take|remove|strip|get|pull|drop", "take off|away"])?;
    let rest = after(rest, &["the|its"]).unwrap_or(rest);
    let [name, off, aim @ ..] = rest else { return None };
    let named = name.kind == Kind::Quoted || name.kind == Kind::Word && names_list(name, lexicon);
    if !named || !off.of("off from") || aim.is_empty() {
        return None;
    }
    // "take milk off my list", "remove "milk" from Groceries": a to-do in a list.
    let mut place = rest[1..].to_vec();
    (place[0].text, place[0].lower) = ("in".to_owned(), "in".to_owned());
    if peel_whole(&place, lexicon).is_some() || aim.last().is_some_and(|t| t.is("list")) {
        return None;
    }
    match target(aim, lexicon) {
        Target::Missing | Target::Every { .. } => None,
        aim => Some(Intent::TakeName(aim, name.text.clone())),
    }
}

/// Takes off a tag, or out of a list, by the name alone.
pub fn take_name(run: &mut Run, aim: &Target, name: &str) -> Step<usize> {
    let (todos, swallowed) = run.resolve(aim, Want::Open, false)?;
    let tagged = |todo: &Todo| todo.tags.iter().find(|tag| same(tag, name)).cloned();
    let patch = match todos.iter().find_map(tagged) {
        Some(tag) => Patch { remove_tags: vec![tag], ..Patch::default() },
        None if todos.iter().any(|todo| same(&todo.list, name)) => out_of_list(),
        None => {
            let text = format!(
                "There is no tag and no list {} to take off:\n\n{}",
                crate::text::quoted(name),
                answer::tasks(&todos, run.now)
            );
            return say(run, &text).map(|_| swallowed);
        }
    };
    change(run, &Target::Chosen(todos), &patch).map(|_| swallowed)
}

/// What the sentence is about; with the list that it is in, by the same words.
fn aim(subject: &[Token], lexicon: &Lexicon) -> Option<(Target, Option<String>)> {
    // "The rent, I don't need its note": the last word is who says so.
    if subject.len() > 8 || subject.last().is_some_and(|t| t.of("i we you")) {
        return None;
    }
    if let [only] = subject {
        if only.of("it that this it's that's") {
            return Some((Target::It, None));
        }
        if only.of("they they're those these") {
            return Some((Target::Them(None), None));
        }
        if only.of("i we you he she there who what everything nothing") {
            return None;
        }
    }
    if subject[0].of("i i'm we you there he she add remind show make set call") && subject.len() < 2
        || subject[0].of("i we you add remind show make set mark put")
    {
        return None;
    }
    match target(subject, lexicon) {
        Target::Missing | Target::Every { .. } => None,
        aim => Some((aim, None)),
    }
}

/// Only one that is in that list.
fn within(aim: Target, list: Option<String>) -> Target {
    match (aim, list) {
        (Target::Named(named), Some(list)) => Target::Named(Named { list: Some(list), ..named }),
        (aim, _) => aim,
    }
}

/// The list that "is no longer in Groceries" names.
fn left_list(here: &[Token], lexicon: &Lexicon) -> Option<String> {
    let at = here.iter().position(|t| t.of("in on"))?;
    let name = after(&here[at + 1..], &["the|my"]).unwrap_or(&here[at + 1..]);
    name.first().map(|name| list_name(&name.text, lexicon))
}

fn out_of_list() -> Patch {
    Patch { list: Some("Inbox".into()), ..Patch::default() }
}

/// A field by its noun: "deadline", "tags", "priority".
fn noun(said: &[Token]) -> Option<Field> {
    let is = |phrases: &[&str]| exactly(said, phrases);
    let field = |patch: Patch, words| Some(Field { patch, words });
    if let [tag] = said
        && tag.kind == Kind::Tag
    {
        let patch = Patch { remove_tags: vec![tag.lower.clone()], ..Patch::default() };
        return field(patch, "take the tag off");
    }
    if let [tag, word] = said
        && word.of("tag label")
    {
        let patch = Patch { remove_tags: vec![tag.lower.clone()], ..Patch::default() };
        return field(patch, "take the tag off");
    }
    if is(&["deadline|deadlines|date|dates|due", "due date|dates|time", "time limit"]) {
        return field(Patch { due: Some(Due::Never), ..Patch::default() }, "take the date off");
    }
    if is(&["priority|importance|urgency", "high|top|low|medium|urgent|special priority"]) {
        return field(Patch { priority: Some("none"), ..Patch::default() }, "take the priority off");
    }
    if is(&["tag|tags|label|labels"]) {
        return field(Patch { clear_tags: true, ..Patch::default() }, "take the tags off");
    }
    if is(&["note|notes|comment|comments"]) {
        return field(Patch { notes: Some(String::new()), ..Patch::default() }, "take the notes off");
    }
    if is(&["repeat|repetition|recurrence|repeats", "repeat rule"]) {
        return field(Patch { repeat: Some(String::new()), ..Patch::default() }, "end the repetition of");
    }
    if is(&["list"]) {
        return field(out_of_list(), "take the list off");
    }
    None
}

/// A field by what a to-do is: "urgent", "due", "tagged home", "in Groceries".
fn state(said: &[Token], lexicon: &Lexicon) -> Option<Field> {
    let said = after(said, &["so|that|very|really|too|all", "all that", "any", "a", "such a", "really that"])
        .unwrap_or(said);
    let first = said.first()?;
    let field = |patch: Patch, words| Some(Field { patch, words });
    if first.of("due") {
        let rest = after(&said[1..], &["on|by|at"]).unwrap_or(&said[1..]);
        let dated = rest.is_empty() || when(rest, lexicon.now).is_some_and(|(n, _)| n == rest.len());
        return if dated {
            field(Patch { due: Some(Due::Never), ..Patch::default() }, "take the date off")
        } else {
            None
        };
    }
    let matters = level(&first.lower).is_some() || first.of("pressing priority");
    if matters && (said.len() == 1 || said.len() == 2 && said[1].of("priority thing one task todo")) {
        return field(Patch { priority: Some("none"), ..Patch::default() }, "take the priority off");
    }
    if first.of("repeating recurring repeated") && said.len() == 1 {
        return field(Patch { repeat: Some(String::new()), ..Patch::default() }, "end the repetition of");
    }
    if let Some(rest) = after(said, &["tagged|labelled|labeled", "tagged|labelled|labeled as|with"]) {
        return match rest {
            [] => field(Patch { clear_tags: true, ..Patch::default() }, "take the tags off"),
            [tag] => {
                field(Patch { remove_tags: vec![tag.lower.clone()], ..Patch::default() }, "take the tag off")
            }
            _ => None,
        };
    }
    if let Some(name) = after(said, &["in|on", "in|on the|my", "part of", "part of the|my"]) {
        let listed = before(name, &["list"]);
        let name = listed.unwrap_or(name);
        let [word] = name else { return None };
        // "on my list" is every list: what is not on it any more would be deleted.
        let known =
            names_list(word, lexicon) || listed.is_some() || word.text.starts_with(char::is_uppercase);
        let own = word.of("todo to-do list there");
        return if known && !own { field(out_of_list(), "take the list off") } else { None };
    }
    None
}

/// "repeat", after a "doesn't".
fn repeats(said: &[Token]) -> Option<Field> {
    const REPEAT: &[&str] = &[
        "repeat|repeats|recur|recurs|repeating|recurring",
        "come|comes back",
        "come|comes up again",
        "happen|happens again",
        "happen|happens every week|day|month|year",
    ];
    let is = exactly(said, REPEAT);
    is.then(|| Field {
        patch: Patch { repeat: Some(String::new()), ..Patch::default() },
        words: "end the repetition of",
    })
}

/// Asks before something is taken off that may never have been meant to be.
pub fn offer(run: &mut Run, aim: &Target, patch: &Patch, words: &str) -> Step<usize> {
    let (todos, swallowed) = run.resolve(aim, Want::Open, false)?;
    if todos.is_empty() {
        return say(run, "No to-do fits that, so I changed nothing.");
    }
    if !todos.iter().any(|todo| has(todo, patch)) {
        let text = format!("There is nothing to take off:\n\n{}", answer::tasks(&todos, run.now));
        return say(run, &text).map(|_| swallowed);
    }
    let what = match todos.as_slice() {
        [only] => crate::text::quoted(&only.title),
        several => answer::count(several.len()),
    };
    let text = format!("Shall I {words} {what}? (yes or no)\n\n{}", answer::tasks(&todos, run.now));
    let command = Intent::change(Target::Chosen(todos), patch.clone());
    Err(Halt::Ask { text, wants: Box::new(Wants::Confirm(command)) })
}

/// Whether a to-do has what a change would take off.
fn has(todo: &Todo, patch: &Patch) -> bool {
    patch.due.is_some() && todo.due.is_some()
        || patch.priority.is_some() && todo.priority != "none"
        || patch.clear_tags && !todo.tags.is_empty()
        || patch.remove_tags.iter().any(|tag| todo.tags.contains(tag))
        || patch.repeat.is_some() && todo.repeat.is_some()
        || patch.notes.is_some() && !todo.notes.is_empty()
        || patch.list.is_some() && todo.list != "Inbox"
}
