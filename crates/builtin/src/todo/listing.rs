//! Questions about to-dos: which, how many, when.

use crate::lex::{Kind, Token, after, begins_with, lex, starts, text_of, trim_signs};
use crate::todo::attrs::Lexicon;
use crate::todo::deeds::Deed;
use crate::todo::filter::{end_of_list, filter, whole};
use crate::todo::finished::by_completion;
use crate::todo::intent::{Filter, Intent, Place, Target};
use crate::todo::readings::{Recall, Which};
use crate::todo::target::target;

/// Reads a clause that asks to see something. The days of what is done are those on which it was completed.
pub fn listing(tokens: &[Token], question: bool, lexicon: &Lexicon) -> Option<Intent> {
    let intent = shown(tokens, question, lexicon)?;
    Some(match intent {
        Intent::List { filter, count } if filter.status == Some("done") => {
            Intent::List { filter: by_completion(filter.clone(), tokens, lexicon).unwrap_or(filter), count }
        }
        intent => intent,
    })
}

const GOES_ON: &[&str] =
    &["what about", "how about", "and", "and what about", "and how about", "or", "and on|for"];

/// Whether the words go on with a question that was asked before.
pub fn goes_on(said: &str) -> bool {
    after(trim_signs(&lex(said)), GOES_ON).is_some()
}

/// The question before, for other days: "what about yesterday?"
pub fn asked_again(before: &Intent, own: &Intent, said: &str, lexicon: &Lexicon) -> Option<Intent> {
    let Intent::List { filter: asked, count } = before else { return None };
    // "What's the first thing on my list?", "the last one?"
    if let Intent::Point(Target::Places(places)) = own
        && let [end @ (Place::Top(1) | Place::Bottom(1))] = places.as_slice()
        && asked.whole
    {
        return Some(Intent::List { filter: end_of_list(*end == Place::Bottom(1)), count: false });
    }
    let (Intent::List { filter: own, count: false } | Intent::Period(own)) = own else { return None };
    let days = Filter {
        due_from: own.due_from.clone(),
        due_to: own.due_to.clone(),
        period: own.period.clone(),
        overdue: own.overdue,
        ..Filter::default()
    };
    if days != *own || days == Filter::default() || asked.limit.is_some() {
        return None;
    }
    let done = asked.done_from.is_some() || asked.done_to.is_some();
    let kept = Filter { done_from: None, done_to: None, ..asked.clone() };
    let filter = Filter {
        due_from: days.due_from,
        due_to: days.due_to,
        period: days.period,
        overdue: days.overdue,
        ..kept
    };
    let filter = if done { by_completion(filter, &lex(said), lexicon)? } else { filter };
    Some(Intent::List { filter, count: *count })
}

fn shown(tokens: &[Token], question: bool, lexicon: &Lexicon) -> Option<Intent> {
    let recall = [
        "what did i|we|you add", "what did i|we|you just add", "what did i|we|you create",
        "what did i|we|you just create", "which did i|we add", "what have i|we|you added",
        "what was the first todo|task", "what todos|tasks did i|we|you", "which todos|tasks did i|we|you",
        "what did i|we|you do", "what did i|we|you just do", "what did i ask", "what did i tell you",
        "do you remember what", "what do you remember", "what todos|tasks have i|we|you",
    ];
    if begins_with(tokens, &recall) {
        return Some(Intent::Recall(Recall::Done(Some(Deed::Add), Which::All)));
    }
    const FINISHED: &[&str] = &[
        "what have i|we completed|finished|done",
        "what did i|we complete|finish",
        "what did i|we get done",
        "what have i|we already done|completed|finished",
    ];
    if let Some(rest) = after(tokens, FINISHED) {
        return whole(rest, lexicon)
            .map(|filter| Intent::List { filter: Filter { status: Some("done"), ..filter }, count: false });
    }
    if let Some(rest) = after(tokens, &["how many", "count", "what is the number of", "number of"]) {
        return whole(rest, lexicon).map(|filter| Intent::List { filter, count: true });
    }
    const SHOW: &[&str] = &[
        "show me", "show", "show us", "list", "list me", "display", "see", "view", "give me", "let me see",
        "tell me", "print", "read me", "read out", "bring up", "open up", "look at", "get", "get me",
        "pull up", "i want to see", "list out", "tell me about",
    ];
    // "sort my todos by priority"
    if let Some(rest) = after(tokens, &["sort", "order", "arrange"])
        && let Some(filter) = whole(rest, lexicon).filter(|filter| filter.sort.is_some())
    {
        return Some(Intent::List { filter, count: false });
    }
    // "Get up at 6" is something to do.
    let gets = starts(tokens, "get up").is_some();
    if let Some(rest) = after(tokens, SHOW).filter(|_| !gets) {
        // "show them", "show it", "show the second one".
        let aim = target(rest, lexicon);
        let pronoun = rest.iter().any(|t| t.of("them those these both"));
        // "the last 3 todos" are the newest ones, "the last 3" those of the list.
        let newest = rest.iter().any(|t| t.of("todos tasks to-dos"));
        if matches!(aim, Target::It | Target::Newest)
            || !newest && matches!(aim, Target::Places(_))
            || pronoun && matches!(aim, Target::Them(_))
        {
            return Some(Intent::Show(aim));
        }
        if trim_signs(rest).is_empty() && starts(tokens, "show|list|display|view").is_none() {
            return None;
        }
        return match whole(rest, lexicon) {
            Some(filter) => Some(Intent::List { filter, count: false }),
            // What is left is a title's words, when it is short and the verb can mean nothing else.
            None => group(rest, lexicon)
                .or_else(|| starts(tokens, "show|display|view").and_then(|_| by_words(rest, lexicon))),
        };
    }
    if let Some(rest) = after(
        tokens,
        &[
            "find", "find me", "search", "search for", "look for", "search my todos|tasks for", "find all",
            "filter by", "look up",
        ],
    ) {
        return whole(rest, lexicon)
            .map(|filter| Intent::List { filter, count: false })
            .or_else(|| by_words(rest, lexicon));
    }
    asked(tokens, question, lexicon)
}

/// "the lisbon tasks", "all my car stuff": by a tag, a list or words.
fn group(rest: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let noun = rest.last()?.of("todos tasks to-dos things stuff items");
    let (found, left) = filter(rest, lexicon);
    let plain = Filter { status: found.status, ..Filter::default() } == found;
    let named = (1..=3).contains(&left.len())
        && left.iter().all(|t| t.kind != Kind::Sign && t.text.len() > 2 && !t.of("but except not without"));
    (noun && plain && named).then(|| Intent::Count(text_of(&left), Filter::default()))
}

fn by_words(rest: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let (filter, left) = filter(rest, lexicon);
    let text = text_of(trim_signs(&left));
    if left.iter().any(|t| t.of("but except not without")) {
        return None;
    }
    (!text.is_empty() && left.len() <= 6).then(|| Intent::List {
        filter: Filter { text: Some(text), status: filter.status.or(Some("all")), ..filter },
        count: false,
    })
}

/// Questions without a verb of showing.
fn asked(tokens: &[Token], question: bool, lexicon: &Lexicon) -> Option<Intent> {
    const ASK: &[&str] = &[
        "what",
        "what's",
        "what is",
        "what are",
        "which",
        "which are",
        "what do i have",
        "what do i have to do",
        "what have i got",
        "what do i need to do",
        "what should i do",
        "what should i focus|work on",
        "what must i do",
        "what am|are i|we supposed|meant|due to do",
        "what will i|we have to do",
        "what do i|we still have to do",
        "what else do i have",
        "what's on",
        "what is on",
        "what else is",
        "what remains",
        "do i have",
        "do i have any",
        "have i got",
        "is there",
        "is there something",
        "what is there",
        "what's there",
        "how busy am i|we",
        "how full is|are",
        "are there",
        "are there any",
        "is there anything",
        "is anything",
        "anything",
        "got anything|something|any",
        "any",
        "what about",
        "what can i do",
        "am i",
        "what tasks|todos do i have",
        "which tasks|todos do i have",
        "which tasks|todos are",
        "what tasks|todos are",
        "what things do i have",
        "what do we have",
        "what's left",
        "what is left",
        "what's next",
        "what is next",
        "what next",
        "what now",
        "what's due",
        "what is due",
        "what's my",
        "when is",
        "is",
        "when's",
        "when do i have to",
        "where is",
    ];
    let rest = after(tokens, ASK);
    // "my todos", "overdue tasks", "all", "open?": only filter words.
    let Some(rest) = rest else {
        let open = starts(tokens, "open").is_some_and(|n| n == tokens.len());
        let filter = whole(tokens, lexicon)
            .filter(|filter| says_todos(tokens) || open || question && filter.status.is_some())?;
        return Some(Intent::List { filter, count: false });
    };
    let list = |filter| Some(Intent::List { filter, count: false });
    let lead = &tokens[..tokens.len() - rest.len()];
    let leads = |word: &str| lead.iter().any(|t| t.is(word));
    // "is milk done?", "when is the report due?"
    if lead[0].of("is when when's where") && !leads("there") && !leads("anything") {
        let aim = crate::lex::before(
            rest,
            &[
                "done", "due", "completed", "complete", "finished", "still open", "open", "overdue",
                "due today", "on my list",
            ],
        )?;
        return match target(aim, lexicon) {
            Target::Named(named) => {
                list(Filter { text: Some(named.text), status: Some("all"), ..Filter::default() })
            }
            Target::Missing | Target::Every { .. } | Target::Chosen(_) => None,
            aim => Some(Intent::Show(aim)),
        };
    }
    let owned = leads("have")
        || leads("due")
        || leads("left")
        || leads("next")
        || leads("now")
        || leads("do")
        || leads("got")
        || leads("remains")
        || leads("there") && lead[0].of("what what's");
    if let Some(filter) = whole(rest, lexicon) {
        // "what's open", "what is done".
        let said = says_todos(tokens) || owned || filter.status.is_some() || lead.len() > 1 && leads("on");
        let dated = filter.due_to.is_some() || filter.overdue;
        let labelled = filter.tag.is_some()
            || filter.list.is_some()
            || filter.priority.is_some()
            || filter.important
            || filter.repeating
            || filter.untagged;
        // Without its sign a question is one by its first words, if nothing else is left to doubt.
        let asks = lead[0].of("what's which what anything any");
        return if said || dated && question || labelled && (question || asks) { list(filter) } else { None };
    }
    // "do I have milk on my list?"
    (owned && leads("i") && leads("have") && rest.len() <= 6 && question)
        .then(|| by_words(rest, lexicon))
        .flatten()
}

/// Whether the words speak of to-dos at all.
fn says_todos(tokens: &[Token]) -> bool {
    tokens.iter().any(|t| {
        t.of("todo todos to-do to-dos task tasks list overdue due undone unfinished plate agenda reminders \
         pending chores lists")
            || t.kind == Kind::Tag
    }) || starts(tokens, "all|everything").is_some_and(|n| n == tokens.len())
}
