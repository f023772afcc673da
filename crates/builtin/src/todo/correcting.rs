//! What a person says next to set the last command right: "no, the other one", "I meant Friday", "also
//! butter". Read only after a turn that changed something, and only where the words are no command of their own.

use crate::lex::{Kind, Token, after, before, exactly, lex, starts, text_of, title, trim_signs};
use crate::text::quoted;
use crate::todo::attrs::{Attrs, Lexicon, peel_whole};
use crate::todo::closing::unthanked;
use crate::todo::find::{find, same};
use crate::todo::intent::{Due, Intent, Named, Patch, Target, patch};
use crate::todo::moving::putting_off;
use crate::todo::questions::{aim_of, answer_when, retarget};
use crate::todo::rows::Todo;
use crate::todo::target::target;
use crate::todo::urgency::level;
use crate::todo::{adding, statements};
use crate::verbs::DOING;

/// The turn that is set right.
pub struct Before<'t> {
    /// What it did last.
    pub intent: &'t Intent,
    /// How many changes it made.
    pub wrote: i64,
    /// The to-dos it touched, as they are known.
    pub touched: Vec<Todo>,
    /// The same as they were before it.
    pub were: Vec<Todo>,
    /// The list a place refers to.
    pub shown: Vec<Todo>,
}

/// How the words hang on what was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    /// "no, …", "I meant …".
    Instead,
    /// "also …".
    Also,
    /// Nothing of the kind.
    None,
}

/// Openings that may as well begin something new.
const SOFT: &[&str] =
    &["actually|wait|hm|hmm|oh|ah", "on second thought|thoughts", "wait actually", "oh wait"];

/// Whether the words are something to do, as a new to-do would be said: "buy eggs".
fn to_do(rest: &[Token]) -> bool {
    rest.len() > 1 && rest[0].any(DOING) && !rest[1].of("it that one")
}

/// The lead and what follows it.
fn lead(said: &str) -> (Lead, Vec<Token>) {
    const INSTEAD: &[&str] = &[
        "no|nope|nah|sorry|oops|actually|wait|rather|correction",
        "no no",
        "i mean|meant",
        "i actually meant",
        "i said",
        "or rather",
        "not that one",
        "not that",
        "not this one",
        "wrong one|day|time|date|item|todo|task",
        "the wrong one|day|time|date",
        "that was wrong",
        "that's wrong",
        "make that",
        "on second thought|thoughts",
        "it should be",
        "that should be",
        "should be",
        "should have been",
        "it should have been",
        "it's",
        "scratch that",
        "i didn't mean that",
        "i did not mean that",
    ];
    let tokens = lex(said);
    let mut rest = trim_signs(&tokens);
    if let Some(more) = after(rest, &["also|plus", "and", "and also", "as well as"]) {
        return (Lead::Also, unthanked(trim_signs(more)).to_vec());
    }
    // "actually the eggs too" takes nothing back.
    let more = before(rest, &["too|also", "as well"]).map(|more| after(more, SOFT).unwrap_or(more));
    if let Some(more) =
        more.map(trim_signs).filter(|more| !more.is_empty() && after(more, &["no|nope|nah"]).is_none())
    {
        return (Lead::Also, unthanked(more).to_vec());
    }
    let mut kind = Lead::None;
    while let Some(more) = after(rest, INSTEAD) {
        // "it's" goes on with a correction but opens none.
        if kind == Lead::None && starts(rest, "it's").is_some() {
            break;
        }
        kind = Lead::Instead;
        rest = trim_signs(more);
    }
    (kind, unthanked(rest).to_vec())
}

/// Whether the words begin with a yes.
pub fn agrees(said: &str) -> bool {
    starts(&lex(said), "yes|yeah|yep|sure|ok|okay").is_some()
}

/// Whether the words take everything back.
fn takes_back(said: &str) -> bool {
    let words = said.to_lowercase().replace('’', "'");
    let words = words.trim_matches(|c: char| !c.is_alphanumeric());
    ["scratch that", "i didn't mean that", "i did not mean that", "i didn't mean to do that", "undo please"]
        .contains(&words)
}

/// The commands that set the turn before right; `None` when the words are something else.
pub fn correct(said: &str, was: &Before, own: &Intent, lexicon: &Lexicon) -> Option<Vec<Intent>> {
    if was.wrote == 0 {
        return None;
    }
    if takes_back(said) {
        return Some(vec![Intent::TakeBack(was.wrote)]);
    }
    if matches!(own, Intent::Thanks | Intent::Hello) {
        return None;
    }
    let (lead, rest) = lead(said);
    let left = (*own == Intent::Hands || lead == Lead::Instead)
        && starts(trim_signs(&rest), "leave|keep it|that|them").is_some();
    if *own == Intent::No || left || lead == Lead::Instead && rest.is_empty() {
        return Some(vec![Intent::Regret(was.wrote)]);
    }
    let rest = trim_signs(&rest);
    // "and milk?" asks.
    if rest.is_empty() || said.trim_end().ends_with('?') {
        return None;
    }
    if let Some(undone) = statements::undone(rest) {
        return Some(vec![undone]);
    }
    // "Wait, buy bread" after something was completed: a new to-do, which is asked about.
    let adds = matches!(was.intent, Intent::Add(_) | Intent::Rename(..));
    let soft = lead == Lead::Also || after(trim_signs(&lex(said)), SOFT).is_some();
    if !adds && soft && to_do(rest) {
        return None;
    }
    match lead {
        Lead::Also => more_of_it(rest, was, lexicon).or_else(|| also(rest, was, lexicon)),
        Lead::Instead => values(rest, was, lexicon)
            .or_else(|| other(rest, was, lexicon))
            .or_else(|| renamed(rest, said, was)),
        // "at 9am" alone goes on with a date that was just set.
        Lead::None => {
            let clock = rest.iter().any(|t| t.lower.chars().any(|c| c.is_ascii_digit()) || t.of("noon"));
            let at = rest[0].of("at by around make");
            (clock && at).then(|| values(rest, was, lexicon)).flatten()
        }
    }
    .map(|intent| vec![intent])
}

/// "and urgent", "and tagged home": more about what was touched.
fn more_of_it(rest: &[Token], before: &Before, lexicon: &Lexicon) -> Option<Intent> {
    let rest = after(rest, &["make it", "make it a", "a"]).unwrap_or(rest);
    let alone = match rest {
        [word] if word.kind == Kind::Word => level(&word.lower),
        [word, noun] if noun.of("priority") => level(&word.lower),
        _ => None,
    };
    let attrs = match alone {
        Some(level) => Attrs { priority: Some(level), ..Attrs::default() },
        None => peel_whole(rest, lexicon).filter(|attrs| attrs.when.is_none() && attrs.repeat.is_none())?,
    };
    let said = !before.touched.is_empty() && matches!(before.intent, Intent::Add(_) | Intent::Change(..));
    said.then(|| Intent::change(Target::Chosen(before.touched.clone()), patch(attrs)))
}

/// "also butter": one more of the same.
fn also(rest: &[Token], before: &Before, lexicon: &Lexicon) -> Option<Intent> {
    match before.intent {
        Intent::Add(drafts) => {
            let mut more = adding::draft(rest, lexicon)?;
            more.attrs.list = more.attrs.list.or_else(|| drafts.last()?.attrs.list.clone());
            Some(Intent::Add(vec![more]))
        }
        _ => match target(rest, lexicon) {
            aim @ (Target::Named(_) | Target::Places(_)) => {
                aim_of(before.intent).map(|_| retarget(before.intent, aim))
            }
            _ => None,
        },
    }
}

/// Another date, priority or tag for what was touched.
fn values(rest: &[Token], before: &Before, lexicon: &Lexicon) -> Option<Intent> {
    let aim = || Target::Chosen(before.touched.clone());
    if !matches!(
        before.intent,
        Intent::Add(_) | Intent::Change(..) | Intent::Rename(..) | Intent::Reschedule(..)
    ) {
        return None;
    }
    let rest = after(rest, &["make it", "make that", "make it for"]).unwrap_or(rest);
    if let Intent::Change(_, patch) = before.intent
        && let [word] = rest
    {
        if let (Some(_), Some(level)) = (patch.priority, level(&word.lower)) {
            return Some(Intent::change(aim(), Patch { priority: Some(level), ..Patch::default() }));
        }
        if let ([old], true) = (patch.add_tags.as_slice(), matches!(word.kind, Kind::Word | Kind::Tag)) {
            let patch = Patch {
                add_tags: vec![word.lower.clone()],
                remove_tags: vec![old.clone()],
                ..Patch::default()
            };
            return Some(Intent::change(aim(), patch));
        }
    }
    // "make it 6": a time where there was one.
    let timed = before.touched.iter().any(|todo| todo.due.as_deref().is_some_and(|due| due.contains('T')));
    let read = answer_when(rest, lexicon).or_else(|| {
        let [word] = rest else { return None };
        let hour = timed && word.lower.chars().all(|c| c.is_ascii_digit() || c == ':');
        hour.then(|| answer_when(&lex(&format!("at {}", word.text)), lexicon)).flatten()
    });
    let put_off =
        matches!(before.intent, Intent::Change(_, patch) if matches!(patch.due, Some(Due::Off(..))));
    // What was put off to the wrong day is put off from where it was.
    read.map(|patch| match put_off {
        true => Intent::change(Target::Chosen(before.were.clone()), putting_off(patch, rest)),
        false => Intent::change(aim(), patch),
    })
}

/// Other to-dos in the place of those that were touched.
fn other(rest: &[Token], before: &Before, lexicon: &Lexicon) -> Option<Intent> {
    let aimed = aim_of(before.intent)?;
    if matches!(before.intent, Intent::Rename(..)) {
        return None;
    }
    const OTHER: &[&str] = &["the other one", "the other", "other one", "the other todo|task|to-do"];
    let aim = if exactly(rest, OTHER) {
        let was = |todo: &Todo| before.touched.iter().any(|t| t.id == todo.id);
        match (aimed, before.shown.as_slice()) {
            (Target::Named(named), _) => Target::Named(Named {
                not: before.touched.iter().map(|t| t.id.clone()).collect(),
                exact: false,
                reach: None,
                ..named.clone()
            }),
            (_, [a, b]) if was(a) != was(b) => {
                Target::Chosen(vec![if was(a) { b.clone() } else { a.clone() }])
            }
            _ => return None,
        }
    } else {
        match target(rest, lexicon) {
            aim @ (Target::Named(_) | Target::Places(_)) => aim,
            _ => return None,
        }
    };
    Some(Intent::Instead(before.wrote, Box::new(retarget(before.intent, aim))))
}

/// Another title for what was added or renamed.
fn renamed(rest: &[Token], said: &str, before: &Before) -> Option<Intent> {
    let [todo] = before.touched.as_slice() else { return None };
    if rest.len() > 12 || same(&text_of(rest), &todo.title) {
        return None;
    }
    let mut name = title(rest);
    // "no, Ava" after "call Eva" means the word that is nearly the same.
    if let (Intent::Add(_), [word]) = (before.intent, rest)
        && let Some(old) = todo.title.split(' ').find(|old| {
            let (old, new) = (old.to_lowercase(), word.lower.as_str());
            old != new && old.len() > 2 && strsim::osa_distance(&old, new) <= 2
        })
    {
        name = todo.title.replacen(old, &word.text, 1);
    }
    let rename = Intent::Rename(Target::Chosen(vec![todo.clone()]), Some(name.clone()));
    match before.intent {
        Intent::Rename(..) => Some(rename),
        Intent::Add(_) => {
            // "I mean call Ava" after "call Eva": the same words but for one.
            let first = |text: &str| text.split(' ').next().map(str::to_lowercase);
            let alike = rest.len() > 1 && first(&name) == first(&todo.title);
            let should = said.to_lowercase().contains("should");
            let near = find(&name, false, std::iter::once(todo)).is_some();
            let ask = format!("Shall I rename {} to {}? (yes or no)", quoted(&todo.title), quoted(&name));
            Some(if alike || should || near && rest.len() > 1 {
                rename
            } else {
                Intent::Confirm(ask, Box::new(rename))
            })
        }
        _ => None,
    }
}
