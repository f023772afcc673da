//! What was said and done in this conversation: "what was the first thing I asked you to add?", "what did I delete
//! before that?", "how many did I add?".

use dates::names::{number, ordinal};

use crate::lex::{Kind, Token, after, capitalised, trim_signs};
use crate::text::{escape, quoted};
use crate::todo::answer::{count, numbered, task};
use crate::todo::before_after;
use crate::todo::deeds::Deed;
use crate::todo::intent::Intent;
use crate::todo::known::Focus;
use crate::todo::plan::{Run, Step, say};
use crate::todo::readings::{Recall, Which};
use crate::todo::recall_words::{SAYING, SMALL, VERBS};
use crate::todo::rows::Todo;

/// What a verb of a question says was done.
pub fn deed_in(token: &Token) -> Option<Deed> {
    VERBS.iter().find(|(_, forms)| token.any(forms)).map(|(deed, _)| *deed)
}

/// Whether a word may stand in such a question.
pub fn said_of(token: &Token) -> bool {
    token.kind == Kind::Sign
        || token.of(SMALL)
        || token.any(SAYING)
        || token.of(ENDS)
        || deed_in(token).is_some()
}

/// Words for a place in the order.
const ENDS: &str = "first last latest newest before previous after next earliest second third";

/// What is last, or first, with no more said: "what was that last one again?"
fn ends(words: &[&Token]) -> Option<Which> {
    const ONLY: &[&str] = &[
        "what", "what's", "which", "was", "were", "that", "the", "very", "one", "thing", "todo", "to-do",
        "task", "item", "again", "most", "recent", "ones", "and", "entry", "bit", "this",
    ];
    const FIRST: &[&str] = &["first", "earliest"];
    const LAST: &[&str] = &["last", "latest", "newest", "recent", "previous"];
    let all = |t: &&Token| t.any(ONLY) || t.any(FIRST) || t.any(LAST);
    let was = words.iter().any(|t| t.of("was were"));
    if !was || !words.iter().all(all) {
        return None;
    }
    let has = |all: &[&str]| words.iter().any(|t| t.any(all));
    if has(FIRST) { Some(Which::Nth(1)) } else { has(LAST).then_some(Which::Last) }
}

/// The same question asked as a wish: "list everything I added so far", "recap what we did".
fn as_question(tokens: &[Token]) -> Option<Vec<Token>> {
    const SHOW: &[&str] = &[
        "show|list|give|name|recap|repeat|summarise|summarize|display|read",
        "show|give|list|read me|us|back|out",
        "show|give|list me|us all|everything",
        "show|list|recap|repeat all|everything",
        "show|give me all|everything",
        "a|the|give|quick recap|summary of",
        "recap|summary of",
        "give me a recap|summary|rundown of",
        "go over",
    ];
    const WHAT: &[&str] = &[
        "what",
        "all|everything",
        "everything|all|things|stuff that",
        "the|all things|todos|tasks|ones",
        "the|all things|todos|tasks|ones that|which",
        "all the things|todos|tasks|ones",
        "the one|thing|todo|task",
        "the one|thing|todo|task that|which",
    ];
    let rest = after(tokens, SHOW)?;
    let few = after(rest, &["the", "the last|latest|most", "the most recent"])
        .filter(|at| at.first().is_some_and(|t| number(&t.lower).is_some()));
    let at = after(rest, WHAT).or(few.map(|at| &at[1..])).unwrap_or(rest);
    let count = few.map(|at| [Token { lower: "last".into(), ..at[0].clone() }, at[0].clone()]);
    let person = at.first().is_some_and(|t| t.of("i we you i've we've"));
    person.then(|| {
        std::iter::once(Token::word("what"))
            .chain(count.into_iter().flatten())
            .chain(at.iter().cloned())
            .collect()
    })
}

/// Reads a question about what was said or done here.
pub fn asked(tokens: &[Token]) -> Option<Intent> {
    let turned = as_question(trim_signs(tokens));
    let tokens = turned.as_deref().unwrap_or(trim_signs(tokens));
    let words: Vec<&Token> = tokens.iter().filter(|t| t.kind != Kind::Sign).collect();
    let first = words.first()?;
    if let Some(which) = ends(&words) {
        return Some(Intent::Recall(Recall::Done(None, which)));
    }
    let many = words.get(1).is_some_and(|t| t.is("many")) && first.is("how");
    // "Did I ask you to add anything?" asks for what that was.
    let any = first.of("did have") && words.iter().any(|t| t.of("anything something any"));
    if !(many || any || first.of("what what's which")) || words.len() > 18 {
        return None;
    }
    let has = |all: &[&str]| words.iter().any(|t| t.any(all));
    let deed = VERBS.iter().find(|(_, forms)| has(forms)).map(|(deed, _)| *deed);
    let place = words.iter().find_map(|t| match t.lower.as_str() {
        "first" | "start" | "beginning" => Some(Which::Nth(1)),
        "last" | "latest" | "newest" | "ago" => Some(Which::Last),
        "before" | "previous" => Some(Which::Before),
        "after" | "next" => Some(Which::After),
        "second" | "third" | "fourth" | "fifth" | "sixth" | "seventh" | "eighth" | "ninth" | "tenth" => {
            ordinal(&t.lower).and_then(|n| usize::try_from(n).ok()).map(Which::Nth)
        }
        _ => None,
    });
    let known = |t: &&Token| {
        let counted = ordinal(&t.lower).is_some() || number(&t.lower).is_some_and(|n| n < 20);
        t.of(SMALL)
            || t.any(SAYING)
            || counted
            || t.of("first last latest newest before previous after next")
            || VERBS.iter().any(|(_, forms)| t.any(forms))
    };
    const MESSAGES: &[&str] =
        &["question", "message", "request", "command", "instruction", "sentence", "input", "line", "prompt"];
    let mine = has(&["my"]) && has(MESSAGES) && (place.is_some() || has(&["previous"]));
    let person = has(&["i", "we", "you", "i've", "we've"]) || mine;
    if !words.iter().all(known) || !person {
        return None;
    }
    // "Which ones did I finish today?" is about the day, not about this talk.
    let day = has(&["today", "tonight", "today's", "evening", "morning"]);
    if day
        && !matches!(deed, Some(Deed::Add | Deed::Delete))
        && !has(&["far", "just", "conversation", "chat"])
    {
        return None;
    }
    let saying = has(SAYING) || mine;
    // "The last two I added", "the three I just gave you"
    let some = words.iter().find_map(|t| number(&t.lower)).and_then(|n| usize::try_from(n).ok());
    let some =
        some.filter(|n| *n > 1 && has(&["last", "latest", "just", "recent", "recently"])).map(Which::Latest);
    let which = if many { Which::Count } else { some.or(place).unwrap_or(Which::All) };
    // "What did I say first?", "what was the first thing I asked you?"
    // "The first one I told you about" is a to-do.
    if saying && deed.is_none() && has(&["about"]) && place.is_some() {
        return Some(Intent::Recall(Recall::Done(Some(Deed::Add), which)));
    }
    if saying && deed.is_none() && !has(&["do"]) {
        return Some(Intent::Recall(Recall::Said(if place.is_some() { which } else { Which::Last })));
    }
    const DID: &[&str] = &["did", "do", "done"];
    let did = words.last().is_some_and(|t| t.any(DID))
        || words.iter().any(|t| t.any(DID)) && has(&["conversation", "chat", "far", "session", "talk"]);
    let marked = saying
        || place.is_some()
        || has(&["you", "just", "conversation", "chat", "was", "which", "now", "far"]);
    // "What's changed since we started?" is about all that was done here.
    if deed == Some(Deed::Change)
        && has(&["since", "far", "conversation", "chat", "session", "talk"])
        && place.is_none()
    {
        return Some(Intent::Recall(Recall::Done(None, Which::All)));
    }
    match deed {
        Some(Deed::Add | Deed::Delete) => {}
        // "What have I completed?" is about all that is done, "what did you just complete?" about this talk.
        Some(_) if marked => {}
        // "What did I change?" is told by the history.
        Some(Deed::Change) if !has(&["change", "changed", "update", "updated", "edit", "edited"]) => {}
        None if did
            && (place.is_some()
                || has(&["just", "far", "conversation", "chat", "session", "talk"])
                || saying) => {}
        _ => return None,
    }
    // "Which todos are on my list?" asks for no deed.
    has(&["did", "have", "has", "had", "was", "were", "i", "we", "i've", "we've"])
        .then_some(Intent::Recall(Recall::Done(deed, which)))
}

/// Answers it.
pub fn tell(run: &mut Run, recall: Recall) -> Step<usize> {
    match recall {
        Recall::Beside(beside) => before_after::tell(run, &beside),
        Recall::Done(deed, which) => done(run, deed, which),
        Recall::Said(which) => said(run, which),
    }
}

pub fn done(run: &mut Run, deed: Option<Deed>, which: Which) -> Step<usize> {
    // Anything that was done: each by what it was.
    if deed.is_none() && matches!(which, Which::All | Which::Count) && !run.known.deeds().is_empty() {
        let all = [Deed::Add, Deed::Complete, Deed::Reopen, Deed::Change, Deed::Delete];
        let lines = |deed: Deed| {
            let todos: Vec<&Todo> =
                run.known.deeds().of(Some(deed)).into_iter().filter_map(|id| run.known.todo(id)).collect();
            let lines: Vec<String> = todos.into_iter().map(|todo| task(todo, run.now)).collect();
            (!lines.is_empty()).then(|| format!("{}:\n\n{}", capitalised(deed.told()), lines.join("\n")))
        };
        let parts: Vec<String> = all.into_iter().filter_map(lines).collect();
        return say(run, &format!("In this conversation I did this.\n\n{}", parts.join("\n\n")));
    }
    let mut ids: Vec<String> = Vec::new();
    for id in run.known.deeds().of(deed) {
        // What was changed twice is one to-do, told where it was changed last.
        ids.retain(|known| known != id);
        ids.push(id.clone());
    }
    let told = deed.map_or("done", Deed::told);
    if ids.is_empty() {
        let anything = if deed.is_some() { "anything" } else { "anything to your to-dos" };
        let text = format!(
            "I have not {told} {anything} in this conversation. Say “show my todos” to see what is there."
        );
        return say(run, &text);
    }
    let spoken = match run.known.it() {
        Focus::These(todos) => ids.iter().position(|id| todos.iter().any(|todo| todo.id == *id)),
        Focus::Nothing => None,
    };
    let last = ids.len() - 1;
    let at = match which {
        Which::All | Which::Count => None,
        Which::Latest(n) => {
            ids.drain(..ids.len().saturating_sub(n));
            None
        }
        Which::Nth(n) => Some(n.checked_sub(1).filter(|at| *at <= last)),
        Which::Last => Some(Some(last)),
        Which::Before => Some(spoken.unwrap_or(last).checked_sub(1)),
        Which::After => Some(spoken.map(|at| at + 1).filter(|at| *at <= last)),
    };
    let line =
        |id: &String| -> Option<(Todo, bool)> { Some((run.known.todo(id)?.clone(), run.known.is_gone(id))) };
    let text = match at {
        Some(Some(at)) => {
            let Some((todo, gone)) = line(&ids[at]) else {
                return say(run, "I no longer know which one that was.");
            };
            let told = deed.or_else(|| run.known.deeds().last_of(&ids[at])).map_or("done", Deed::told);
            let since = if gone && told != "deleted" { " — deleted since" } else { "" };
            let place = match which {
                Which::Last => "Last I".to_owned(),
                Which::Before => "Before that I".to_owned(),
                Which::After => "After that I".to_owned(),
                _ if at == 0 => "First I".to_owned(),
                _ => format!("Number {} that I", at + 1),
            };
            let was = if place.starts_with("Number") {
                format!("{place} {told} is")
            } else {
                format!("{place} {told}")
            };
            format!("{was}:\n\n{}{since}", task(&todo, run.now))
        }
        Some(None) => match which {
            Which::Before => format!("That was the first one I {told} in this conversation."),
            Which::After => format!("I have {told} nothing after that in this conversation."),
            _ => format!("I have {told} only {} in this conversation.", count(ids.len())),
        },
        None => {
            let todos: Vec<(Todo, bool)> = ids.iter().filter_map(line).collect();
            let (gone, there): (Vec<_>, Vec<_>) = todos.into_iter().partition(|(_, gone)| *gone);
            let shown =
                |all: Vec<(Todo, bool)>| -> Vec<Todo> { all.into_iter().map(|(todo, _)| todo).collect() };
            let (gone, there) = (shown(gone), shown(there));
            let head = if which == Which::Count {
                format!("In this conversation I {told} {}:", count(ids.len()))
            } else {
                format!("In this conversation I {told}:")
            };
            if there.is_empty() && deed != Some(Deed::Delete) {
                let titles: Vec<String> = gone.iter().map(|todo| quoted(&todo.title)).collect();
                format!("What I {told} in this conversation is deleted since: {}.", titles.join(", "))
            } else if deed == Some(Deed::Delete) {
                let lines: Vec<String> = gone.iter().chain(&there).map(|todo| task(todo, run.now)).collect();
                format!("{head}\n\n{}", lines.join("\n"))
            } else {
                let titles: Vec<String> = gone.iter().map(|todo| quoted(&todo.title)).collect();
                let since = if titles.is_empty() {
                    String::new()
                } else {
                    format!("\n\nDeleted since: {}.", titles.join(", "))
                };
                let list = if there.is_empty() {
                    String::new()
                } else {
                    format!("\n\n{}", numbered(&there, run.now))
                };
                format!("{head}{list}{since}")
            }
        }
    };
    say(run, &text)
}

/// How much of a message is told again.
const MESSAGE: usize = 200;

fn said(run: &mut Run, which: Which) -> Step<usize> {
    let all = run.known.said();
    let last = all.len().checked_sub(1);
    let at = match which {
        Which::Nth(n) => n.checked_sub(1).filter(|at| *at < all.len()),
        Which::Before => last.and_then(|last| last.checked_sub(1)),
        _ => last,
    };
    let Some(message) = at.and_then(|at| all.get(at)) else {
        return say(run, "You have said nothing before this in this conversation.");
    };
    let short: String =
        message.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MESSAGE).collect();
    let place = match (which, at) {
        (_, Some(0)) if all.len() > 1 || matches!(which, Which::Nth(_)) => {
            "The first thing you said here was"
        }
        (Which::Before, _) => "Before that you said",
        (Which::Nth(_), _) => "That was",
        _ => "The last thing you said was",
    };
    let text = format!("{place} “{}”.", escape(&short));
    say(run, &text)
}
