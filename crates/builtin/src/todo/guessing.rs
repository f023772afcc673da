//! The last reading of a sentence that no rule read, or that no to-do fitted: what it is about (`linking`), and what is
//! said of that (`cues`).
//!
//! What is only asked is told at once. A change is made where one to-do is clearly meant, the words can hardly say
//! anything else and nothing in the sentence is left over; otherwise it is asked about, and deleting always is.

use dates::due::spoken;
use dates::iso::{day_text, read_day};
use dates::repeat;

use crate::lex::{Token, lex, starts, text_of};
use crate::text::{escape, quoted};
use crate::todo::answer;
use crate::todo::attrs::{Attrs, Lexicon};
use crate::todo::carrying::act;
use crate::todo::cues::{Asks, Cue, Said, clauses, parted, said, whole};
use crate::todo::find::verb_fits;
use crate::todo::intent::{Due, Intent, Patch, Target, patch};
use crate::todo::linking::{Link, SURE, link, telling};
use crate::todo::plan::{Halt, Run, Step, Wants, ask_which, later, say};
use crate::todo::rows::Todo;
use crate::todo::taking::name_from;
use crate::verbs::kin;

/// Participles that say of anything that it is done.
const GENERAL: &[&str] =
    &["done", "finished", "completed", "sorted", "handled", "settled", "cancelled", "canceled"];
/// Participles that say of a plan that it is given up.
const OFF: &[&str] = &["cancelled", "canceled", "dropped", "scrapped"];
/// From this on a link is worth a question.
const LEAST: f64 = 0.8;
/// A word that is all of a title, or two words of it.
const WHOLE: f64 = 1.5;

/// Whether a clause is left to be guessed: it was not read, or only as words that may be a to-do.
pub fn open(intent: &Intent, text: &str) -> bool {
    match intent {
        Intent::Unknown => true,
        // A question for what was written down names what it is about, not a title.
        Intent::Check(..) => {
            const NOTED: &str = "write wrote written note noted jot jotted mention mentioned notes originally previously formerly";
            let tokens = lex(text);
            let first = (0..tokens.len()).any(|at| starts(&tokens[at..], "at first").is_some());
            if first || tokens.iter().any(|t| t.of("initially")) {
                return true;
            }
            let was = tokens.iter().any(|t| t.is("was")) && tokens.iter().any(|t| t.is("before"));
            was || tokens.iter().any(|token| token.of(NOTED))
        }
        Intent::Suggest(_) => {
            const OTHERWISE: &[&str] = &[
                "longer", "anymore", "better", "suits", "later", "earlier", "sooner", "same", "another",
                "duplicate", "twin", "rather", "second", "prefer", "repeat", "repeats", "come", "comes",
                "happens", "occurs", "recur", "repeating", "recurs",
            ];
            let tokens = lex(text);
            // "Put the hotel on saturday" puts what is there.
            if tokens.len() > 2 && tokens[0].of("put have set slot schedule") && tokens[1].of("the my our") {
                return true;
            }
            // "Put the dentist at the top, it's an emergency": the second half tells of the first.
            let told = |at: usize| {
                tokens[at].sign(",") && tokens.get(at + 1).is_some_and(|t| t.of("it it's that's they're"))
            };
            if (0..tokens.len()).any(told) {
                return true;
            }
            let place = |at: usize| {
                starts(&tokens[at..], "instead of").or_else(|| starts(&tokens[at..], "rather than"))
            };
            let fronted = (1..tokens.len().min(4)).any(|at| {
                starts(&tokens[at..], "i'll|we'll").or_else(|| starts(&tokens[at..], "i|we will")).is_some()
            });
            fronted
                || name_from(&tokens).is_some()
                || tokens.iter().any(|token| token.any(OTHERWISE))
                || (0..tokens.len()).any(|at| place(at).is_some())
        }
        // "Make two out of the report: gather the numbers, and write the summary" names parts, no to-dos of their own.
        Intent::Confirm(..) => parted(text),
        _ => false,
    }
}

/// Reads a sentence as well as it can be guessed; whether that was enough to answer it. After the rules have looked for
/// the to-do and `missed` it, no more than its whole title, or most of it, is another look.
pub fn guess(run: &mut Run, text: &str, missed: bool) -> Step<bool> {
    let Some(now) = run.now else { return Ok(false) };
    if !run.offers("todo_list") {
        return Ok(false);
    }
    let lexicon = Lexicon { now, lists: run.known.lists() };
    let tokens = lex(text);
    let asked = run.question.ends_with(text);
    if !asked && crate::todo::taking_off::name_off(run, &tokens)? {
        return Ok(true);
    }
    let together = whole(&tokens, asked, &lexicon);
    let each: Vec<(&[Token], Option<Said>)> = match together {
        Some(said) => vec![(&tokens, Some(said))],
        None => clauses(&tokens).into_iter().map(|part| (part, said(part, asked, &lexicon))).collect(),
    };
    if each.iter().all(|(_, said)| said.is_none()) || !tokens.iter().any(telling) {
        return Ok(false);
    }
    // Before its last change a to-do is known from the conversation.
    if let [(_, Some(Said { cue: Cue::Ask(Asks::Was), .. }))] = each.as_slice() {
        return was(run, &tokens);
    }
    let (open, done): (Vec<Todo>, Vec<Todo>) = run.look()?.into_iter().partition(|todo| !todo.done);
    let mut before: Vec<Link> = Vec::new();
    let mut guesses: Vec<Guess> = Vec::new();
    let mut answered = false;
    // What nothing was made of, to be told where something else was done.
    let mut over: Vec<String> = Vec::new();
    for (part, said) in &each {
        let heard = heard(part, said.as_ref(), &open, &done, &before);
        if heard.links.is_empty() {
            if heard.words.iter().filter(|t| telling(t)).count() > 1 {
                over.push(quoted(&text_of(part)));
            }
            continue;
        }
        before.clone_from(&heard.links);
        let Some(said) = said else { continue };
        if let Cue::Ask(asks) = said.cue {
            answered |= tell(run, asks, &heard.links);
            continue;
        }
        // "… but she didn't pick up" takes back what was told.
        let denied = each
            .iter()
            .any(|(other, _)| other != part && other.iter().any(|t| t.is("not") || t.lower.ends_with("n't")));
        if matches!(said.cue, Cue::Deed(_) | Cue::Done) && denied {
            continue;
        }
        if let Some(guess) = change(said, heard, &tokens, missed)
            && !guesses.iter().any(|other| other.intent == guess.intent)
        {
            guesses.push(guess);
        }
    }
    // What is sure goes first: a question ends the turn.
    order::sort_by_key(&mut guesses, |guess| !guess.clear);
    let count = guesses.len();
    for (at, guess) in guesses.into_iter().enumerate() {
        if !guess.clear {
            if at + 1 < count {
                run.said
                    .push("I take one thing at a time here; say the rest once more after this.".to_owned());
            }
            return Err(ask(run, guess));
        }
        act(run, &guess.intent)?;
        answered = true;
    }
    if answered && !over.is_empty() {
        run.run.said.push(format!("I did nothing about {}.", over.join(" and ")));
    }
    Ok(answered)
}

/// What a clause may be about.
struct Heard {
    /// Its words, without those of the cue.
    words: Vec<Token>,
    /// The to-dos.
    links: Vec<Link>,
    /// Whether it only points at what was spoken of: "those are sorted".
    pointed: bool,
}

/// The to-dos that a clause may be about, which are those of the clause `before` it where it names none.
fn heard(part: &[Token], said: Option<&Said>, open: &[Todo], done: &[Todo], before: &[Link]) -> Heard {
    let reads = matches!(said, Some(Said { cue: Cue::Ask(_), .. }));
    let words = said.map_or_else(|| part.to_vec(), |said| unsaid(part, said));
    let mut links = link(&words, open, reads);
    if links.is_empty() && reads {
        links = link(&words, done, true);
    }
    // "The slides? Those are sorted": of what was spoken of.
    let pointed = part.first().is_some_and(|t| t.of("it it's that that's they they're those"))
        || part.iter().any(|t| t.of("both them it"));
    if links.is_empty() && (pointed || !words.iter().any(telling)) {
        links = before.to_vec();
    }
    Heard { words, links, pointed }
}

/// The change that a clause may mean, where its words are near enough to a to-do and few are left over.
fn change(said: &Said, heard: Heard, tokens: &[Token], missed: bool) -> Option<Guess> {
    let Heard { words, links, pointed } = heard;
    // "Finished" is said of anything, and is no word of a title.
    let general = |at: usize| {
        matches!(&said.cue, Cue::Deed(deed) if GENERAL.contains(&deed.as_str())) && said.at.contains(&at)
    };
    let unlinked = |(at, t): &(usize, &Token)| {
        telling(t) && !general(*at) && links.iter().all(|link| !link.at.contains(at))
    };
    let left = if pointed { 0 } else { words.iter().enumerate().filter(unlinked).count() };
    // Each named on its own: "the gym and the report".
    let apart = links.len() > 1 && links.iter().any(|link| link.at != links[0].at);
    // To delete it is always asked about.
    let asked = match &said.cue {
        Cue::Drop => true,
        Cue::Deed(deed) => OFF.contains(&deed.as_str()),
        _ => false,
    };
    let least = if missed && !asked { WHOLE } else { LEAST };
    let vague = links[0].score < least
        || left > 3
        || matches!(said.cue, Cue::Deed(_)) && left > 0
        || apart && (missed || matches!(said.cue, Cue::Move(_)));
    if vague {
        return None;
    }
    let (intent, sure) = meant(said, &links, tokens)?;
    let clear = links.len() == 1 && links[0].score >= SURE && left == 0 && sure;
    Some(Guess { intent, clear, apart, todos: links.into_iter().map(|link| link.todo).collect() })
}

/// Asks whether the one to-do is meant that all words of a name are about, in whatever form: "the passport renewal".
pub fn nearest(run: &mut Run, intent: &Intent) -> Step<()> {
    let named = match intent {
        Intent::Complete(Target::Named(named))
        | Intent::Change(Target::Named(named), _)
        | Intent::Reschedule(Target::Named(named), _)
        | Intent::Rename(Target::Named(named), _)
        | Intent::Copy(Target::Named(named), _)
        | Intent::Under(Target::Named(named), _)
        | Intent::Delete(Target::Named(named)) => named,
        _ => return Ok(()),
    };
    // "The car is washed" is told of no insurance, and "gym tomorrow" names a day.
    let day = ["today", "tomorrow", "yesterday"].iter().any(|day| named.text.to_lowercase().contains(day));
    if named.exact
        || named.told
        || named.deed.is_some()
        || day
        || named.list.is_some()
        || run.now.is_none()
        || !run.offers("todo_list")
    {
        return Ok(());
    }
    let words = lex(&named.text);
    let open: Vec<Todo> = run.look()?.into_iter().filter(|todo| !todo.done).collect();
    let links = link(&words, &open, false);
    let [only] = links.as_slice() else { return Ok(()) };
    let all = words.iter().enumerate().all(|(at, token)| !telling(token) || only.at.contains(&at));
    if only.score < SURE || !all {
        return Ok(());
    }
    Err(ask_which("Do you mean this one?", vec![only.todo.clone()], run.now))
}

/// A change that may be meant.
struct Guess {
    intent: Intent,
    /// Whether it can be made unasked.
    clear: bool,
    /// Whether each of several is meant; else it is one of them.
    apart: bool,
    todos: Vec<Todo>,
}

/// The words that the cue did not take.
fn unsaid(part: &[Token], said: &Said) -> Vec<Token> {
    // A question's words and a deed's verb may stand in the title too.
    let keeps = matches!(said.cue, Cue::Ask(_) | Cue::Deed(_));
    let at = |at: usize| keeps || !said.at.contains(&at);
    part.iter().enumerate().filter(|(nth, _)| at(*nth)).map(|(_, token)| token.clone()).collect()
}

/// What a cue means for these to-dos, and whether it may be done unasked; nothing where it cannot be meant of them.
fn meant(said: &Said, links: &[Link], words: &[Token]) -> Option<(Intent, bool)> {
    let todos: Vec<Todo> = links.iter().map(|link| link.todo.clone()).collect();
    let aim = Target::Chosen(todos.clone());
    let change = |patch: Patch| Intent::change(aim.clone(), patch);
    let firm = said.firm;
    Some(match &said.cue {
        Cue::Ask(_) => return None,
        Cue::Done => (Intent::Complete(aim), firm),
        Cue::Deed(deed) => {
            let own = |todo: &Todo| verb_fits(deed, &todo.title);
            let first =
                |todo: &Todo| todo.title.to_lowercase().split(' ').next().unwrap_or_default().to_owned();
            let near = |todo: &Todo| match own(todo) {
                Some(fits) => fits || kin(deed, &first(todo)),
                // What has no verb is done by any, if the words are all of it.
                None => links[0].score >= WHOLE || GENERAL.contains(&deed.as_str()),
            };
            // What is cancelled, and was to be done, need not be done.
            if OFF.contains(&deed.as_str())
                && todos
                    .iter()
                    .all(|todo| own(todo) != Some(true) && !todo.title.to_lowercase().contains("cancel"))
            {
                return Some((Intent::Delete(aim), false));
            }
            todos.iter().all(near).then_some(())?;
            (Intent::Complete(aim), false)
        }
        Cue::Drop => (Intent::Delete(aim), false),
        Cue::Once => {
            todos.iter().any(|todo| todo.repeat.is_some()).then_some(())?;
            (change(Patch { repeat: Some(String::new()), ..Patch::default() }), firm)
        }
        Cue::Rhythm(attrs) => {
            let repeats = todos.iter().all(|todo| todo.repeat.is_some());
            (change(patch((**attrs).clone())), firm && repeats)
        }
        Cue::Until(day) => {
            let [only] = todos.as_slice() else { return None };
            let rule = only.repeat.as_ref()?;
            let kept: Vec<&str> = rule.split(';').filter(|part| !part.starts_with("UNTIL")).collect();
            let last = day_text(*day);
            // What is due that day or later does not come again.
            let over =
                only.due.as_deref().and_then(|due| due.get(..10)).is_some_and(|due| due >= last.as_str());
            let rule = if over {
                String::new()
            } else {
                format!("{};UNTIL={}", kept.join(";"), last.replace('-', ""))
            };
            (change(Patch { repeat: Some(rule), ..Patch::default() }), firm)
        }
        Cue::Undated => {
            todos.iter().any(|todo| todo.due.is_some()).then_some(())?;
            (change(Patch { due: Some(Due::Never), ..Patch::default() }), false)
        }
        Cue::Level(level) => (change(Patch { priority: Some(level), ..Patch::default() }), false),
        Cue::Step(step) => {
            if *step < 0 && todos.iter().all(|todo| todo.priority == "none") {
                return None;
            }
            (change(Patch { step: *step, ..Patch::default() }), false)
        }
        Cue::Untag => {
            let named = |tag: &&String| words.iter().any(|token| token.lower == tag.to_lowercase());
            let mut tags: Vec<String> =
                todos.iter().flat_map(|todo| &todo.tags).filter(named).cloned().collect();
            // "Untag it", where it has one.
            if let ([only], true) = (todos.as_slice(), firm && tags.is_empty())
                && only.tags.len() == 1
            {
                tags.clone_from(&only.tags);
            }
            if tags.is_empty() {
                return None;
            }
            (change(Patch { remove_tags: tags, ..Patch::default() }), firm)
        }
        Cue::Move(attrs) => (change(patch((**attrs).clone())), false),
        Cue::Shift(span) => {
            todos.iter().all(|todo| todo.due.is_some()).then_some(())?;
            (change(Patch { due: Some(Due::Later(*span)), ..Patch::default() }), false)
        }
        Cue::Tag(new, old) => {
            let patch = Patch { add_tags: new.clone(), remove_tags: old.clone(), ..Patch::default() };
            (change(patch), false)
        }
        Cue::Into(list) => (change(Patch { list: Some(list.clone()), ..Patch::default() }), false),
        Cue::Copy(attrs) => (Intent::Copy(aim, attrs.clone()), firm),
        Cue::Parts(drafts) => (Intent::Under(aim, drafts.clone()), firm),
    })
}

/// Asks whether that was meant; which one first, where several can be.
fn ask(run: &Run, guess: Guess) -> Halt {
    let Guess { intent, todos, apart, .. } = guess;
    let what = match todos.as_slice() {
        [only] => quoted(&only.title),
        several if apart => format!("these {}", several.len()),
        _ => "one of these".to_owned(),
    };
    let wish = wish(run, &intent, &what, &todos);
    if todos.len() == 1 || apart {
        return Halt::Ask {
            text: format!("Shall I {wish}? (yes or no)\n\n{}", answer::tasks(&todos, run.now)),
            wants: Box::new(Wants::Confirm(intent)),
        };
    }
    match ask_which(&format!("Shall I {wish}? Say which one."), todos, run.now) {
        Halt::Ask { text, wants } => Halt::Ask { text, wants: Box::new(Wants::Of(Box::new(intent), wants)) },
        other => other,
    }
}

/// A command in words: "mark “Slides” as done".
fn wish(run: &Run, intent: &Intent, what: &str, todos: &[Todo]) -> String {
    match intent {
        Intent::Complete(_) => format!("mark {what} as done"),
        Intent::Delete(_) => format!("delete {what}"),
        Intent::Copy(_, attrs) => {
            let wanted = answer::wanted(attrs, run.now);
            let wanted = if wanted.is_empty() { wanted } else { format!(", {wanted}") };
            format!("copy {what}{wanted}")
        }
        Intent::Under(_, drafts) => {
            let parts: Vec<String> = drafts.iter().map(|draft| quoted(&draft.title)).collect();
            format!("add {} as subtasks of {what}", parts.join(", "))
        }
        Intent::Change(_, patch) => match (&patch.due, &patch.repeat, patch.priority, patch.step) {
            (_, Some(rule), ..) if rule.is_empty() => format!("end the repetition of {what}"),
            (Some(Due::At(Attrs { when: Some(when), .. })), Some(rule), ..) if run.now.is_some() => {
                let day = run.now.map(|now| spoken(&when.due(now), run.now)).unwrap_or_default();
                format!("let {what} repeat {}, next {day}", repeat::spoken(rule))
            }
            (_, Some(rule), ..) => format!("let {what} repeat {}", repeat::spoken(rule)),
            (Some(Due::Never), ..) => format!("take the date off {what}"),
            (Some(Due::Later(span)), ..) => match (todos, run.now) {
                ([only], Some(now)) => {
                    format!("move {what} to {}", spoken(&later(only.due.as_deref(), *span, now), run.now))
                }
                _ => format!("move {what}"),
            },
            (Some(Due::At(attrs)), ..) => format!("make {what} {}", answer::wanted(attrs, run.now)),
            (_, _, Some("urgent"), _) => format!("make {what} urgent"),
            (_, _, Some(level), _) => format!("give {what} {level} priority"),
            _ if patch.remind.is_some() => format!("set the reminder of {what}"),
            _ if patch.list.is_some() => {
                format!("move {what} to {}", quoted(patch.list.as_deref().unwrap_or_default()))
            }
            (_, _, _, step) if step < 0 => format!("lower the priority of {what}"),
            (_, _, _, step) if step > 0 => format!("raise the priority of {what}"),
            _ if !patch.add_tags.is_empty() => {
                let named = |tags: &[String]| -> Vec<String> {
                    tags.iter().map(|tag| format!("\\#{}", escape(tag))).collect()
                };
                let new = named(&patch.add_tags).join(", ");
                let old = named(&patch.remove_tags).join(", ");
                if old.is_empty() {
                    format!("tag {what} with {new}")
                } else {
                    format!("tag {what} with {new} instead of {old}")
                }
            }
            _ => {
                let tags: Vec<String> =
                    patch.remove_tags.iter().map(|tag| format!("\\#{}", escape(tag))).collect();
                format!("take {} off {what}", tags.join(", "))
            }
        },
        _ => format!("change {what}"),
    }
}

/// Tells what is known about them.
fn tell(run: &mut Run, asks: Asks, links: &[Link]) -> bool {
    let todos: Vec<Todo> = links.iter().map(|link| link.todo.clone()).collect();
    let list = match todos.as_slice() {
        [only] => answer::task(only, run.now),
        several => answer::numbered(several, run.now),
    };
    let notes: Vec<String> = todos
        .iter()
        .filter(|todo| !todo.notes.is_empty())
        .map(|todo| format!("Notes of {}: {}", quoted(&todo.title), escape(&todo.notes)))
        .collect();
    let head = match (todos.as_slice(), asks) {
        ([only], Asks::When | Asks::Left) if only.done => "That is done already:".to_owned(),
        ([only], Asks::When) => match &only.due {
            Some(due) => format!("That is due {}:", spoken(due, run.now)),
            None => "It has no date:".to_owned(),
        },
        ([only], Asks::Left) => left(run, only),
        ([only], Asks::Done) if only.done => "Yes, that is done:".to_owned(),
        ([_], Asks::Done) => "That is still open:".to_owned(),
        ([only], Asks::Often) => match &only.repeat {
            Some(rule) => format!("It repeats {}:", repeat::spoken(rule)),
            None => "It does not repeat:".to_owned(),
        },
        (_, Asks::Notes) if notes.is_empty() => {
            "Yes, this is there, with nothing noted beside it:".to_owned()
        }
        (_, Asks::Notes) => "Yes, this is there:".to_owned(),
        ([_], _) => "This is what I have about that:".to_owned(),
        _ => "These can be meant:".to_owned(),
    };
    let notes = if matches!(asks, Asks::Notes | Asks::Any) && !notes.is_empty() {
        format!("\n\n{}", notes.join("\n\n"))
    } else {
        String::new()
    };
    run.run.said.push(format!("{head}\n\n{list}{notes}"));
    true
}

/// How long there is until a to-do is due, or since it was.
fn left(run: &Run, todo: &Todo) -> String {
    let day = todo.due.as_deref().and_then(|due| read_day(due.get(..10)?));
    let (Some(day), Some(now)) = (day, run.now) else { return "It has no date:".to_owned() };
    let days = day.duration_since(now.date()).as_hours() / 24;
    let spelt = |n: i64| if n == 1 { "1 day".to_owned() } else { format!("{n} days") };
    match days {
        0 => "That is due today:".to_owned(),
        days if days > 0 => format!("You have {} left:", spelt(days)),
        days => format!("It has been overdue for {}:", spelt(-days)),
    }
}

/// How a to-do was before the last change that this conversation made of it.
fn was(run: &mut Run, tokens: &[Token]) -> Step<bool> {
    let changed: Vec<Todo> = run.known.writes().iter().rev().flat_map(|(_, todos)| todos.clone()).collect();
    let named = link(tokens, &changed, false);
    let was = match named.first() {
        Some(link) => Some(link.todo.clone()),
        None => changed.first().cloned(),
    };
    let Some(was) = was else { return Ok(false) };
    let due = match &was.due {
        Some(due) => format!("due {}", spoken(due, run.now)),
        None => "without a date".to_owned(),
    };
    let mut text = format!(
        "Before the last change it was {}, {due}:\n\n{}",
        quoted(&was.title),
        answer::task(&was, run.now)
    );
    if let Some(is) = run.known.todo(&was.id).filter(|is| **is != was && !run.known.is_gone(&was.id)) {
        text.push_str(&format!("\n\nNow it is:\n\n{}", answer::task(is, run.now)));
    }
    say(run, &text)?;
    Ok(true)
}
