//! Questions that were asked, and what an answer to one makes of the command that asked.

use crate::lex::{Token, after, before, exactly, lex, starts, title, trim_signs};
use crate::todo::intent::{Draft, Due, Filter, Intent, Named, Patch, Target, patch};
use crate::todo::plan::{Wants, pick};
use crate::todo::reminder::Reminder;
use crate::todo::rows::Todo;
use dates::days::length;
use dates::names::{month, number, ordinal};
use dates::when::when;
use jiff::civil::Date;

use crate::phrases::plain;
use crate::todo::adding;
use crate::todo::attrs::{Attrs, Lexicon, peel};
use crate::todo::closing::unthanked;
use crate::todo::filter::filter;
use crate::todo::find::find;
use crate::todo::moving::putting_off;
use crate::todo::target::target;

/// The clause of an open question, filled with its answer. `None` when the words answer something else.
pub fn fill(intent: &Intent, wants: &Wants, said: &str, lexicon: &Lexicon, meant: &Intent) -> Option<Intent> {
    let tokens = lex(said);
    let tokens = unthanked(trim_signs(&tokens));
    if *meant == Intent::No {
        return Some(Intent::Hands);
    }
    let wonder = ["what", "huh", "i don't know", "dunno", "no idea", "not sure", "hm", "which"];
    if exactly(tokens, &wonder) {
        // The same question once more.
        return Some(intent.clone());
    }
    match wants {
        Wants::Confirm(command) => confirmed(command, tokens, lexicon, meant),
        Wants::Of(command, wants) => fill(command, wants, said, lexicon, meant),
        Wants::Title(attrs) => answer_title(tokens, lexicon, attrs).map(|draft| Intent::Add(vec![draft])),
        Wants::Reminder(attrs) => answer_title(tokens, lexicon, attrs).map(|draft| {
            // "Call mum at 6" is due at six; the reminder stays at the time that was asked for.
            let remind = match attrs.when.filter(|asked| draft.attrs.when != Some(*asked)) {
                Some(asked) => Reminder::At(asked),
                None => Reminder::Before(0),
            };
            Intent::Add(vec![Draft { remind: Some(remind), ..draft }])
        }),
        Wants::When(aim, off) => answer_when(tokens, lexicon).map(|patch| {
            let patch = if *off { putting_off(patch, tokens) } else { patch };
            Intent::change(aim.clone(), patch)
        }),
        Wants::Name(aim) => {
            let name = title(tokens);
            (!name.is_empty()).then(|| Intent::Rename(aim.clone(), Some(name)))
        }
        Wants::Parts(aim) => {
            let drafts = adding::enumerated(tokens, lexicon);
            (!drafts.is_empty()).then(|| Intent::Under(aim.clone(), drafts))
        }
        Wants::All(group) => {
            let all = exactly(tokens, &["all", "all of them", "them", "both"]);
            (*meant == Intent::Yes || all).then(|| retarget(intent, Target::Chosen(group.todos.clone())))
        }
        Wants::Day(one, other) => {
            let day = answer_day(tokens, *one, *other, lexicon)?;
            let mut intent = intent.clone();
            settle_day(&mut intent, *one, day);
            Some(intent)
        }
        Wants::Which { of, part } => {
            let (chosen, several) = which(tokens, of, lexicon, meant)?;
            // Words that fit several still choose none: asked again over fewer.
            if chosen.len() > 1 && !several {
                return Some(if part.is_some() {
                    intent.clone()
                } else {
                    retarget(intent, Target::Among(chosen))
                });
            }
            let aim = match (part, aim_of(intent)) {
                (Some(part), Some(Target::Named(named))) => {
                    let mut named = named.clone();
                    named.settled.push((part.clone(), chosen));
                    Target::Named(named)
                }
                _ => Target::Chosen(chosen),
            };
            Some(retarget(intent, aim))
        }
    }
}

/// "yes", or "sure, tomorrow" where a to-do was offered.
fn confirmed(command: &Intent, tokens: &[Token], lexicon: &Lexicon, meant: &Intent) -> Option<Intent> {
    if *meant == Intent::Yes {
        return Some(command.clone());
    }
    let rest = trim_signs(after(tokens, &["yes|yeah|yep|sure|ok|okay", "yes please"])?);
    let rest = after(rest, &["but", "and make it", "make it", "and"]).unwrap_or(rest);
    let (left, attrs) = peel(rest, lexicon);
    let level = match left.as_slice() {
        [] => None,
        [word] => Some(crate::todo::urgency::level(&word.lower)?),
        _ => return None,
    };
    let Intent::Add(drafts) = command else { return None };
    let mut drafts = drafts.clone();
    for draft in &mut drafts {
        draft.attrs.or(&Attrs { priority: attrs.priority.or(level), ..attrs.clone() });
    }
    Some(Intent::Add(drafts))
}

/// The candidates an answer names, and whether it plainly chooses more than one; `None` when it names none.
fn which(
    tokens: &[Token],
    candidates: &[Todo],
    lexicon: &Lexicon,
    meant: &Intent,
) -> Option<(Vec<Todo>, bool)> {
    let all = |several: bool| Some((candidates.to_vec(), several));
    let plain = plain(tokens);
    let plain = after(plain, &["no|nope|nah"]).map(trim_signs).filter(|rest| rest.len() > 1).unwrap_or(plain);
    // "Yes" and "the other one" to several are no answer: they are asked about again.
    if *meant == Intent::Yes || starts(plain, "the other").or(starts(plain, "other")).is_some() {
        return all(false);
    }
    // "not the oat milk": the others.
    if let Some(rest) = after(plain, &["not", "all but", "all except", "anything but"]) {
        let Target::Named(named) = target(rest, lexicon) else { return None };
        let (_, spared) = find(&named.text, false, candidates.iter())?;
        let left = candidates.iter().filter(|t| !spared.iter().any(|s| s.id == t.id));
        let left: Vec<Todo> = left.cloned().collect();
        return (!left.is_empty()).then_some((left, plain[0].is("all")));
    }
    // "the one in Party", "the ones due today": by what they are.
    const ONE: &[&str] = &[
        "the one|ones", "the one|ones that is|are", "the one|ones that's|which", "the one|ones which is|are",
    ];
    if let Some(rest) = after(plain, ONE)
        && rest.first().is_some_and(|t| t.of("in from on due tagged with for of without"))
    {
        let (filter, left) = filter(rest, lexicon);
        if trim_signs(&left).is_empty()
            && let Some(found) = suiting(&filter, candidates)
        {
            return Some((found, plain[1].is("ones")));
        }
    }
    match target(plain, lexicon) {
        Target::It | Target::Chosen(_) | Target::Among(_) | Target::Missing | Target::Newest => None,
        Target::Them(n) if n.is_none_or(|n| n == candidates.len()) => all(true),
        Target::Them(_) => None,
        Target::Places(places) => Some((pick(&places, candidates)?, true)),
        Target::Every { filter, except: None } if filter.text.is_none() => {
            Some((suiting(&filter, candidates)?, true))
        }
        Target::Every { .. } => None,
        Target::Named(named) => {
            if let Some((_, found)) = find(&named.text, false, candidates.iter()) {
                return Some((found, false));
            }
            // "milk and bread": each has to be clear.
            let each = named.parts.iter().map(|p| Some(find(p, false, candidates.iter())?.1));
            if let Some(each) = each.collect::<Option<Vec<_>>>().filter(|each| !each.is_empty()) {
                let unclear = each.iter().find(|found| found.len() > 1);
                return Some(unclear.map_or_else(|| (each.concat(), true), |found| (found.clone(), false)));
            }
            // "the one due today": what they are, in place of a name.
            let (filter, left) =
                filter(after(plain, &["the one", "the ones", "the"]).unwrap_or(plain), lexicon);
            if trim_signs(&left).is_empty() { Some((suiting(&filter, candidates)?, false)) } else { None }
        }
    }
}

/// The candidates a filter lets through, as far as it can be told here.
fn suiting(filter: &Filter, candidates: &[Todo]) -> Option<Vec<Todo>> {
    let day = |todo: &Todo| todo.due.as_ref().and_then(|due| due.get(..10)).map(str::to_owned);
    let fits = |todo: &&Todo| {
        let due = day(todo);
        filter.due_from.as_ref().is_none_or(|from| due.as_ref().is_some_and(|due| due >= from))
            && filter.due_to.as_ref().is_none_or(|to| due.as_ref().is_some_and(|due| due <= to))
            && (!filter.undated || due.is_none())
            && (!filter.untagged || todo.tags.is_empty())
            && filter.list.as_ref().is_none_or(|list| todo.list.eq_ignore_ascii_case(list))
            && filter.tag.as_ref().is_none_or(|tag| todo.tags.contains(tag))
            && (!filter.important || todo.is_important())
            && filter.priority.is_none_or(|priority| todo.priority == priority)
            && match filter.status {
                Some("done") => todo.done,
                Some("open") => !todo.done,
                _ => true,
            }
    };
    let found: Vec<Todo> = candidates.iter().filter(fits).cloned().collect();
    (!found.is_empty()).then_some(found)
}

/// Which to-dos a command is about.
pub fn aim_of(intent: &Intent) -> Option<&Target> {
    match intent {
        Intent::Show(aim)
        | Intent::Point(aim)
        | Intent::Complete(aim)
        | Intent::Reopen(aim)
        | Intent::Delete(aim)
        | Intent::Drop(aim)
        | Intent::TakeName(aim, _)
        | Intent::Rename(aim, _)
        | Intent::Change(aim, _)
        | Intent::Under(aim, _)
        | Intent::Beneath(aim, _)
        | Intent::Copy(aim, _)
        | Intent::Reschedule(aim, _) => Some(aim),
        Intent::Instead(_, intent) => aim_of(intent),
        _ => None,
    }
}

/// The same command about other to-dos.
pub fn retarget(intent: &Intent, aim: Target) -> Intent {
    match intent.clone() {
        Intent::Show(_) | Intent::Point(_) => Intent::Show(aim),
        Intent::Complete(_) => Intent::Complete(aim),
        Intent::Reopen(_) => Intent::Reopen(aim),
        Intent::Delete(_) => Intent::Delete(aim),
        Intent::Drop(_) => Intent::Drop(aim),
        Intent::TakeName(_, name) => Intent::TakeName(aim, name),
        Intent::Rename(_, title) => Intent::Rename(aim, title),
        Intent::Change(_, patch) => Intent::Change(aim, patch),
        Intent::Reschedule(_, off) => Intent::Reschedule(aim, off),
        Intent::Under(_, drafts) | Intent::Beneath(_, drafts) => Intent::Under(aim, drafts),
        Intent::Copy(_, attrs) => Intent::Copy(aim, attrs),
        Intent::Instead(wrote, inner) => Intent::Instead(wrote, Box::new(retarget(&inner, aim))),
        other => other,
    }
}

/// The two days a command's "3/4" can be.
pub fn two_days(intent: &Intent) -> Option<(Date, Date)> {
    let of = |attrs: &Attrs| attrs.when.and_then(|when| Some((when.date?, when.other?)));
    match intent {
        Intent::Add(drafts) => drafts.iter().find_map(|draft| of(&draft.attrs)),
        Intent::Suggest(draft) => of(&draft.attrs),
        Intent::Change(_, patch) => match &patch.due {
            Some(Due::At(attrs) | Due::Off(attrs, _)) => of(attrs),
            _ => None,
        },
        Intent::Instead(_, inner) => two_days(inner),
        _ => None,
    }
}

/// Puts the chosen day in the place of the two.
fn settle_day(intent: &mut Intent, one: Date, day: Date) {
    let settle = |attrs: &mut Attrs| {
        if let Some(when) = attrs.when.as_mut().filter(|when| when.date == Some(one) && when.other.is_some())
        {
            (when.date, when.other) = (Some(day), None);
        }
    };
    match intent {
        Intent::Add(drafts) => drafts.iter_mut().for_each(|draft| settle(&mut draft.attrs)),
        Intent::Suggest(draft) => settle(&mut draft.attrs),
        Intent::Change(_, patch) => match &mut patch.due {
            Some(Due::At(attrs)) => settle(attrs),
            Some(Due::Off(attrs, words)) => {
                settle(attrs);
                // The chosen day is that day: its words are not to be read again.
                words.clear();
            }
            _ => {}
        },
        Intent::Instead(_, inner) => settle_day(inner, one, day),
        _ => {}
    }
}

/// "the first", "april", "the 3rd of april".
fn answer_day(tokens: &[Token], one: Date, other: Date, lexicon: &Lexicon) -> Option<Date> {
    let both = [one, other];
    if let Some((n, said)) = when(tokens, lexicon.now)
        && n == tokens.len()
        && let Some(day) = said.date
    {
        // A year that was said before stays.
        return both.into_iter().find(|d| (d.month(), d.day()) == (day.month(), day.day()));
    }
    let word = after(tokens, &["the", "in", "number"]).unwrap_or(tokens).first()?;
    if let Some(month) = month(&word.lower) {
        return both.into_iter().find(|day| day.month() == month);
    }
    let place = ordinal(&word.lower).or_else(|| number(&word.lower))?;
    let digits = word.lower.ends_with("th") || word.lower.ends_with("rd");
    match place {
        1 if !digits => Some(one),
        2 if !digits => Some(other),
        n => both.into_iter().find(|day| i64::from(day.day()) == n),
    }
}

/// A date out of an answer to "when?".
pub fn answer_when(tokens: &[Token], lexicon: &Lexicon) -> Option<Patch> {
    if before(tokens, &["no date", "none", "never", "no due date"]).is_some_and(<[Token]>::is_empty) {
        return Some(Patch { due: Some(Due::Never), ..Patch::default() });
    }
    let by = after(tokens, &["by"]).unwrap_or(tokens);
    if let Some((n, span)) = length(by)
        && n == by.len()
    {
        return Some(Patch { due: Some(Due::Later(span)), ..Patch::default() });
    }
    let (left, attrs) = peel(tokens, lexicon);
    (left.iter().all(|t| t.of("to until make it due")) && !attrs.is_empty()).then(|| patch(attrs))
}

/// A to-do out of an answer to "what should it say?".
fn answer_title(tokens: &[Token], lexicon: &Lexicon, attrs: &Attrs) -> Option<Draft> {
    let mut draft = adding::draft(tokens, lexicon)?;
    draft.attrs.or(attrs);
    Some(draft)
}

/// Words a target names, when it names by words.
pub fn name_of(intent: &Intent) -> Option<&Named> {
    match aim_of(intent) {
        Some(Target::Named(named)) => Some(named),
        _ => None,
    }
}
