//! Questions that were asked, and what an answer to one makes of the command that asked.

use crate::adding;
use crate::attrs::{Attrs, Lexicon, peel};
use crate::editing::patch;
use crate::find::find;
use crate::intent::{Draft, Due, Intent, Patch, Target};
use crate::known::Todo;
use crate::lex::{Token, after, before, lex, trim_signs};
use crate::parse::{plain, title};
use crate::plan::pick;
use crate::target::target;
use crate::when::length;

/// What a question waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wants {
    /// One or some of these.
    Which(Vec<Todo>),
    /// A new to-do's title; what was already said about it.
    Title(Attrs),
    /// A date.
    When(Target),
    /// Another title.
    Name(Target),
    /// Yes or no to adding this.
    Confirm(Draft),
}

/// The clause of an open question, filled with its answer. `None` when the words answer something else.
pub fn fill(intent: &Intent, wants: &Wants, said: &str, lexicon: &Lexicon, meant: &Intent) -> Option<Intent> {
    let tokens = lex(said);
    let tokens = trim_signs(&tokens);
    if *meant == Intent::No {
        return Some(Intent::Hands);
    }
    match wants {
        Wants::Confirm(draft) => (*meant == Intent::Yes).then(|| Intent::Add(vec![draft.clone()])),
        Wants::Title(attrs) => answer_title(tokens, lexicon, attrs).map(|draft| Intent::Add(vec![draft])),
        Wants::When(aim) => answer_when(tokens, lexicon).map(|patch| Intent::change(aim.clone(), patch)),
        Wants::Name(aim) => {
            let name = title(tokens);
            (!name.is_empty()).then(|| Intent::Rename(aim.clone(), Some(name)))
        }
        Wants::Which(candidates) => {
            let plain = plain(tokens);
            let chosen = match target(plain, lexicon) {
                _ if *meant == Intent::Yes && candidates.len() == 1 => candidates.clone(),
                Target::It | Target::Chosen(_) | Target::Among(_) | Target::Missing | Target::Newest => {
                    return None;
                }
                Target::Them(n) if n.is_none_or(|n| n == candidates.len()) => candidates.clone(),
                Target::Them(_) => return None,
                Target::Places(places) => pick(&places, candidates)?,
                Target::Every { filter, except: None } if filter.text.is_none() => candidates.clone(),
                Target::Every { .. } => return None,
                Target::Named(named) => {
                    let mut chosen = Vec::new();
                    let whole = find(&named.text, false, candidates.iter()).map(|(_, found)| vec![found]);
                    let each =
                        || named.parts.iter().map(|p| Some(find(p, false, candidates.iter())?.1)).collect();
                    for found in whole.or_else(each)? {
                        // Words that fit several still choose none: asked again over fewer.
                        if found.len() > 1 {
                            return Some(retarget(intent, Target::Among(found)));
                        }
                        chosen.extend(found);
                    }
                    chosen
                }
            };
            Some(retarget(intent, Target::Chosen(chosen)))
        }
    }
}

/// The same command about other to-dos.
fn retarget(intent: &Intent, aim: Target) -> Intent {
    match intent.clone() {
        Intent::Show(_) | Intent::Point(_) => Intent::Show(aim),
        Intent::Complete(_) => Intent::Complete(aim),
        Intent::Reopen(_) => Intent::Reopen(aim),
        Intent::Delete(_) => Intent::Delete(aim),
        Intent::Rename(_, title) => Intent::Rename(aim, title),
        Intent::Change(_, patch) => Intent::Change(aim, patch),
        Intent::Reschedule(_) => Intent::Reschedule(aim),
        other => other,
    }
}

/// A date out of an answer to "when?".
fn answer_when(tokens: &[Token], lexicon: &Lexicon) -> Option<Patch> {
    if before(tokens, &["no date", "none", "never", "no due date"]).is_some_and(<[Token]>::is_empty) {
        return Some(Patch { due: Some(Due::Never), ..Patch::default() });
    }
    let by = after(tokens, &["by"]).unwrap_or(tokens);
    if let Some((n, span)) = length(by)
        && n == by.len()
    {
        return Some(Patch { due: Some(Due::Later(span.fieldwise())), ..Patch::default() });
    }
    let (left, attrs) = peel(tokens, lexicon);
    (left.iter().all(|t| t.any(&["to", "until", "make", "it", "due"])) && !attrs.is_empty())
        .then(|| patch(attrs))
}

/// A to-do out of an answer to "what should it say?".
fn answer_title(tokens: &[Token], lexicon: &Lexicon, attrs: &Attrs) -> Option<Draft> {
    let mut draft = adding::draft(tokens, lexicon)?;
    draft.attrs.or(attrs);
    Some(draft)
}
