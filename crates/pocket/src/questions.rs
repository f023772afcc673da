//! Questions that were asked, and what an answer to one makes of the command that asked.

use crate::attrs::{Attrs, Lexicon};
use crate::editing::{answer_title, answer_when};
use crate::find::find;
use crate::intent::{Draft, Intent, Target};
use crate::known::Todo;
use crate::lex::{lex, trim_signs};
use crate::parse::{plain, title};
use crate::plan::pick;
use crate::target::target;

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
