//! New to-dos out of words.
//!
//! One or several? Commas, list lines and quotations side by side make several ("add milk, eggs and
//! bread"); so does "and" after a plural ("add two todos: milk and eggs"), between words that each have
//! their own date ("buy milk tomorrow and call the bank on Friday"), and between two verbs that each have
//! their own thing ("call mum and email Bob", see `several`). Without those, "and" stays inside ("add buy milk
//! and eggs" and "add milk and eggs" are one to-do each). A list of things after one shopping or calling verb
//! keeps the verb ("buy milk, eggs and bread" makes three "Buy …").

use crate::lex::{self, Kind, Token, after, capitalised, starts, title, trim_signs};
use crate::todo::attrs::{Attrs, Lexicon, names_list, peel, peel_beside, peel_front, peel_whole};
use crate::todo::closing::unthanked;
use crate::todo::extras::{self, note_text};
use crate::todo::intent::{Draft, Intent};
use crate::todo::openings::{OPENINGS, requires};
use crate::todo::reminder::Reminder;
use crate::todo::several::{each_day, parts, share_verb, told_whole};
use crate::todo::tails::{dashed, remark};
use crate::todo::urgency::peel_urgency;
use crate::todo::{evening, headed};

/// Verbs that need a list that something is put on.
const PUTS: &[&str] = &["put", "pop", "stick", "chuck", "slap", "toss", "slip", "include"];

/// Reads a clause that makes to-dos.
pub fn adding(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let rest = after(tokens, OPENINGS)?;
    let opening = &tokens[..tokens.len() - rest.len()];
    let opened = |words: &[&str]| opening[0].any(words);
    // Some openings need a sign that a to-do is meant.
    if opened(&["todo", "to-do", "task"]) && !rest.first().is_some_and(|t| t.sign(":") || t.of("- –")) {
        return None;
    }
    // "put "call the vet" down for thursday"
    let down = rest.iter().position(|t| t.is("down")).filter(|_| opened(PUTS));
    let undown: Vec<Token>;
    let rest = match down {
        Some(at) => {
            undown = [&rest[..at], &rest[at + 1..]].concat();
            undown.as_slice()
        }
        None => rest,
    };
    // "put everything about the car in Garage" moves what is there.
    if opened(PUTS) && rest.first().is_some_and(|t| t.of("everything all every each any both")) {
        return None;
    }
    if opened(PUTS)
        && down.is_none()
        && !rest.iter().any(|t| t.of("list todos todo") || names_list(t, lexicon))
    {
        return None;
    }
    let noun_near = rest.iter().take(5).any(is_noun);
    // "Throw in the towel" is a saying, "remind me of what is due" a question.
    let asks = rest.first().is_some_and(|t| t.of("what what's which how why who when"));
    if opened(&["throw"]) && !noun_near || opened(&["remind"]) && asks {
        return None;
    }
    let notes = opening.iter().any(|t| t.of("to note"));
    if (opened(&["make"]) && opening.len() > 1 && !opening[1].of("sure") && !notes
        || opened(&["there", "set"]))
        && !noun_near
        && !opened(&["set"])
    {
        return None;
    }
    if opening.len() == 2 && opening[0].is("i") && opening[1].is("need") {
        return None;
    }
    if opening.last().is_some_and(|t| t.of("a an another")) && opened(&["i", "i'd"]) && !noun_near {
        return None;
    }
    if opened(&["new"]) && opening.len() == 1 && !noun_near {
        return None;
    }
    if rest.len() == 1 && rest[0].of("something sth stuff anything") {
        return Some(Intent::Add(Vec::new()));
    }
    // "make a grocery todo": the article belongs to the noun phrase.
    let rest = if opened(&["make"]) && !opening.get(1).is_some_and(|t| t.of("sure")) && !notes {
        &tokens[1..]
    } else {
        rest
    };
    let rest = if opened(&["new"]) && opening.len() == 1 { tokens } else { rest };
    let mut drafts = with_extras(rest, lexicon);
    let placed = opened(PUTS);
    let reminds = opening.iter().any(|t| t.of("remind reminder"));
    for draft in &mut drafts {
        draft.placed = placed && draft.attrs.list.is_some();
        // "Remind me at five to …" is due at five, and says so then.
        let dated = draft.attrs.when.is_some() || draft.attrs.repeat.is_some();
        draft.remind = (reminds && dated).then_some(Reminder::Before(0));
    }
    Some(Intent::Add(drafts))
}

/// The to-dos of the words after the opening, with the notes and subtasks that are said with them.
pub fn with_extras(tokens: &[Token], lexicon: &Lexicon) -> Vec<Draft> {
    if let Some((end, begin)) = extras::notes(tokens) {
        let bracket = tokens[end - 1].sign("(");
        let mut drafts = with_extras(&tokens[..end - usize::from(bracket)], lexicon);
        if let Some(last) = drafts.last_mut() {
            last.notes = Some(extras::note_text(&tokens[begin..], bracket));
        }
        return drafts;
    }
    if let Some((end, begin)) = extras::subtasks(tokens) {
        let mut drafts = drafts(trim_signs(&tokens[..end]), lexicon);
        if let Some(last) = drafts.last_mut() {
            let (parts, shared) = enumerated_with(&tokens[begin..], lexicon);
            last.parts = Some(parts);
            last.attrs.or(&shared);
        }
        return drafts;
    }
    headed(tokens, lexicon).or_else(|| remarked(tokens, lexicon)).unwrap_or_else(|| drafts(tokens, lexicon))
}

/// Those of "a task called party: cake, balloons".
fn headed(tokens: &[Token], lexicon: &Lexicon) -> Option<Vec<Draft>> {
    tokens.iter().any(|t| t.sign(":")).then_some(())?;
    let (tokens, mut shared, ..) = noun_phrase(project(tokens), lexicon);
    let (tokens, opening) = peel_front(trim_signs(&tokens), lexicon);
    shared.or(&opening);
    let mut drafts = headed::drafts(&tokens, lexicon)?;
    drafts.iter_mut().for_each(|draft| draft.attrs.or(&shared));
    Some(drafts)
}

/// To-dos that are named one after the other: "outline, draft and review".
pub fn enumerated(tokens: &[Token], lexicon: &Lexicon) -> Vec<Draft> {
    let (mut drafts, shared) = enumerated_with(tokens, lexicon);
    drafts.iter_mut().for_each(|draft| draft.attrs.or(&shared));
    drafts
}

/// The same, with what is said apart from them: "outline and draft, due friday".
pub fn enumerated_with(tokens: &[Token], lexicon: &Lexicon) -> (Vec<Draft>, Attrs) {
    let mut apart = tokens.to_vec();
    for token in apart.iter_mut().filter(|t| t.sign(";")) {
        (token.text, token.lower) = (",".into(), ",".into());
    }
    let (mut drafts, mut shared) = (Vec::new(), Attrs::default());
    for part in parts(trim_signs(&apart), true, lexicon) {
        match draft(part, lexicon) {
            Some(draft) => drafts.push(draft),
            None => shared.or(&peel(part, lexicon).1),
        }
    }
    (drafts, shared)
}

/// Whether a word is one for a to-do itself.
pub fn is_noun(token: &Token) -> bool {
    token.of("todo to-do task todos to-dos tasks reminder reminders item items entry")
}

/// Adjectives of a new to-do that say nothing about it.
const EMPTY: &[&str] = &[
    "new", "quick", "another", "simple", "single", "small", "separate", "more", "extra", "fresh", "a", "an",
    "the", "following", "my", "these", "this", "some", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "2", "3", "4", "5", "6", "7", "8", "9", "10", "few", "couple", "of", "me", "one",
    "to", "do",
];

/// The to-dos that the words after the opening describe.
pub fn drafts(tokens: &[Token], lexicon: &Lexicon) -> Vec<Draft> {
    if let Some(days) = each_day(tokens) {
        let each: Vec<Vec<Draft>> = days.iter().map(|day| drafts(day, lexicon)).collect();
        let single = |drafts: &Vec<Draft>| {
            drafts.len() == 1 && drafts.iter().all(|d| d.attrs.when.is_some() && d.attrs.repeat.is_none())
        };
        if each.iter().all(single) {
            return each.concat();
        }
    }
    // "the first thing tomorrow meeting notes" means the hour.
    let hour =
        after(tokens, &["the"]).filter(|rest| starts(rest, "first thing tomorrow|today|on|in").is_some());
    let tokens = hour.unwrap_or(tokens);
    let (tokens, mut shared, plural, label) = noun_phrase(project(tokens), lexicon);
    let (tokens, opening) = peel_front(trim_signs(&tokens), lexicon);
    shared.or(&opening);
    let tokens = match headed::placed(&tokens, lexicon) {
        Some((list, words)) => {
            shared.list = Some(list);
            words.to_vec()
        }
        None => tokens,
    };
    if let Some(only) = told_whole(strip_lead(trim_signs(unthanked(&tokens))), &shared, lexicon) {
        return vec![only];
    }
    let (tokens, urgent) = peel_urgency(unthanked(&tokens));
    shared.priority = shared.priority.or(urgent);
    let mut tokens = trim_signs(strip_lead(unthanked(tokens))).to_vec();
    // "…, due monday" is a part that names nothing.
    let names = |part: &&[Token]| !trim_signs(&peel(unthanked(part), lexicon).0).is_empty();
    if parts(&tokens, plural, lexicon).iter().filter(|part| names(part)).count() <= 1 {
        let (words, attrs) = peel_beside(&tokens, lexicon, &shared);
        // Of "monday and tuesday" nothing is left that could be a title.
        let words = if peel_whole(&words, lexicon).is_some() { Vec::new() } else { words };
        // "to my groceries list: milk, eggs": the commas show once the list is gone.
        shared.or(&attrs);
        tokens = words;
        if parts(strip_lead(&tokens), plural, lexicon).len() == 1 {
            let name = title(unended(strip_lead(unthanked(trim_signs(&tokens))), &shared));
            let name = if name.is_empty() {
                label.map(|l| capitalised(&l)).unwrap_or_default()
            } else {
                shared.tags.extend(label.map(|l| l.to_lowercase()));
                name
            };
            evening::settle(&name, &mut shared);
            return if name.is_empty() && shared.is_empty() {
                Vec::new()
            } else {
                vec![Draft { title: name, attrs: shared, ..Draft::default() }]
            };
        }
    }
    let parts: Vec<Vec<Token>> = parts(strip_lead(&tokens), plural, lexicon)
        .into_iter()
        .flat_map(|part| each_day(part).unwrap_or_else(|| vec![part.to_vec()]))
        .collect();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut trailing = Attrs::default();
    for (i, part) in parts.iter().enumerate() {
        let (words, attrs) = peel(unthanked(part), lexicon);
        let name = title(strip_lead(trim_signs(&words)));
        if name.is_empty() {
            // ", tomorrow" or ", tagged home" alone belongs to all of them.
            shared.or(&attrs);
        } else {
            // Tags are each one's own and say nothing about the rest.
            let alone = drafts.iter().all(|d| Attrs { tags: Vec::new(), ..d.attrs.clone() }.is_empty());
            if i + 1 == parts.len() && alone {
                trailing.or(&attrs);
            }
            drafts.push(Draft { title: name, attrs, ..Draft::default() });
        }
    }
    share_verb(&mut drafts);
    shared.tags.extend(label.map(|l| l.to_lowercase()));
    for draft in &mut drafts {
        // A tag said once for the last one is that one's own; a date at the very end is everyone's.
        draft.attrs.or(&Attrs { tags: Vec::new(), ..trailing.clone() });
        draft.attrs.or(&shared);
        evening::settle(&draft.title, &mut draft.attrs);
    }
    drafts
}

/// Without "a project" before its name: a to-do with subtasks is what it is here.
fn project(tokens: &[Token]) -> &[Token] {
    const PROJECT: &[&str] = &["a|the|new|another project", "project", "a new project", "a big project"];
    let Some(rest) = after(tokens, PROJECT) else { return tokens };
    let named = after(rest, &["called|named|titled"]);
    let set_off = rest.first().is_some_and(|t| t.kind == Kind::Quoted || t.sign(":"));
    named.or(set_off.then_some(rest)).map_or(tokens, trim_signs)
}

/// "a high priority work todo called …": the words after it, what the adjectives said, whether it was
/// plural, and an adjective that is a name ("grocery").
fn noun_phrase(tokens: &[Token], lexicon: &Lexicon) -> (Vec<Token>, Attrs, bool, Option<String>) {
    let untouched = || (tokens.to_vec(), Attrs::default(), false, None);
    let Some(noun) = tokens.iter().take(7).position(is_noun_of(tokens)) else { return untouched() };
    let before = &tokens[..noun];
    let articled = tokens.first().is_some_and(|t| t.any(EMPTY) || is_noun(t));
    if before.iter().any(|t| matches!(t.kind, Kind::Sign | Kind::Quoted)) || !articled {
        return untouched();
    }
    // "add the item to my todo list": a noun before "list" is the list's, as is one after a preposition.
    let next = tokens.get(noun + 1);
    if next.is_some_and(|t| t.of("list lists")) || before.iter().any(|t| t.of("in for about from with")) {
        return untouched();
    }
    let plural = tokens[noun].lower.ends_with('s');
    let mut adjectives: Vec<Token> = before.to_vec();
    adjectives.retain(|t| !t.any(EMPTY) && !t.of("recurring repeating regular"));
    let mut attrs = Attrs::default();
    // Each adjective may be a priority, a repetition or a name.
    let (mut label, mut i) = (None, 0);
    while i < adjectives.len() {
        let word = &adjectives[i];
        if word.is("priority") {
        } else if let Some(level) = crate::todo::urgency::level(&word.lower) {
            attrs.priority = Some(level);
        } else {
            let (left, found) = peel(&adjectives[i..=i], lexicon);
            if left.is_empty() {
                attrs.or(&found);
            } else {
                label.get_or_insert_with(String::new).push_str(&format!(" {}", word.text));
            }
        }
        i += 1;
    }
    let rest = &tokens[noun + 1..];
    let rest = match headed::placed(rest, lexicon) {
        Some((list, words)) => {
            attrs.list = Some(list);
            words
        }
        None => rest,
    };
    const NAMED: &[&str] = &[
        "called", "named", "titled", "saying", "that says", "which says", "to", "about", "with the title",
        "with title", "for me to", "reading",
    ];
    let named = after(rest, NAMED).filter(|_| peel_whole(rest, lexicon).is_none());
    let rest = match named {
        // "a todo to my work list" names no title by "to".
        Some(after) if !starts_with_list(rest, lexicon) => after,
        _ => rest,
    };
    let rest = match starts(rest, "for") {
        Some(n) if peel_prefix_is_none(rest, lexicon) => &rest[n..],
        _ => rest,
    };
    // An opening date, then the name: "a todo for tomorrow called X".
    let (left, found) = peel(rest, lexicon);
    let rest = match after(&left, NAMED) {
        Some(after) if !found.is_empty() => {
            attrs.or(&found);
            after.to_vec()
        }
        _ => rest.to_vec(),
    };
    (rest, attrs, plural, label.map(|l| l.trim().to_owned()))
}

/// The noun; in "to do" it is two words.
fn is_noun_of(tokens: &[Token]) -> impl Fn(&Token) -> bool + '_ {
    move |token| {
        is_noun(token)
            || token.is("do")
                && tokens.iter().any(|t| t.is("to"))
                && starts(tokens, "a|an|new|the to do").is_some()
    }
}

fn starts_with_list(rest: &[Token], lexicon: &Lexicon) -> bool {
    (2..=rest.len().min(6)).any(|n| peel_whole(&rest[..n], lexicon).is_some_and(|attrs| attrs.list.is_some()))
        || starts(rest, "to my|the list").is_some()
}

fn peel_prefix_is_none(rest: &[Token], lexicon: &Lexicon) -> bool {
    (2..=rest.len().min(6)).all(|n| peel_whole(&rest[..n], lexicon).is_none())
}

/// Words between the opening and the title.
fn strip_lead(tokens: &[Token]) -> &[Token] {
    // "add another one: bread"
    const ANOTHER: &[&str] =
        &["another", "another one", "one more", "one more thing", "another thing", "also"];
    if let Some(rest) = after(tokens, ANOTHER).filter(|rest| rest.first().is_some_and(|t| t.sign(":"))) {
        return trim_signs(rest);
    }
    // "add this: bread"
    if starts(tokens, "this|these|that|following").is_some() && tokens.get(1).is_some_and(|t| t.sign(":")) {
        return trim_signs(&tokens[2..]);
    }
    const LEAD: &[&str] = &[
        "remember to", "not forget to", "don't forget to", "make sure to", "that i need to",
        "that i have to", "that i must", "that i should", "that", "to", "i need to", "i have to", "i must",
        "the following", "these", "also", "also to", "also i need|have to", "then", "then to", "after that",
        "afterwards", "later", "later on",
    ];
    match after(tokens, LEAD).map(trim_signs).filter(|rest| !rest.is_empty()) {
        Some(rest) if starts(tokens, "that's|this").is_none() => rest,
        _ => tokens,
    }
}

/// Without the "is" that a date stood after: "the rent is due on the 1st".
fn unended<'t>(tokens: &'t [Token], attrs: &Attrs) -> &'t [Token] {
    let cut = attrs.when.and_then(|_| lex::before(tokens, &["is|are|was|comes|occurs", "will be"]));
    cut.filter(|rest| !rest.is_empty()).unwrap_or(tokens)
}

/// One to-do out of one line.
pub fn draft(tokens: &[Token], lexicon: &Lexicon) -> Option<Draft> {
    let (words, mut attrs) = peel(trim_signs(tokens), lexicon);
    let title = title(unended(strip_lead(trim_signs(&words)), &attrs));
    evening::settle(&title, &mut attrs);
    (!title.is_empty()).then_some(Draft { title, attrs, ..Draft::default() })
}

/// Whether a head line's words only announce what follows: "these", "the following", "items".
pub fn announces(head: &str) -> bool {
    head.split_whitespace().all(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-').to_lowercase();
        EMPTY.contains(&word.as_str())
            || ["items", "todos", "to-dos", "tasks", "things", "stuff", "list"].contains(&word.as_str())
    })
}

/// The to-dos of words behind which such a remark stands: it is a note of the only one.
pub fn remarked(tokens: &[Token], lexicon: &Lexicon) -> Option<Vec<Draft>> {
    let tokens = unthanked(tokens);
    let apart = |t: &Token| t.sign(",") || t.sign(".") || t.sign(";") || dashed(t);
    let asked = (2..tokens.len()).find(|at| apart(&tokens[*at - 1]) && requires(&tokens[*at..]));
    let at = asked.or_else(|| remark(tokens)).filter(|at| *at > 1)?;
    // "…, must be done by friday" gives the day.
    const DONE: &[&str] = &[
        "must|should be done|finished|ready|there|in|paid|sent",
        "has|needs|have|need to be done|finished|ready|there|in|paid|sent",
    ];
    if let Some(day) = after(&tokens[at..], DONE)
        && peel_whole(day, lexicon).is_some()
    {
        return Some(with_extras(&[trim_signs(&tokens[..at]), day].concat(), lexicon));
    }
    // "…, needs to be cold, and bread"
    let and = |at: &usize| tokens[*at].sign(",") && tokens.get(at + 1).is_some_and(|t| t.is("and"));
    let next = (at + 1..tokens.len()).find(and).filter(|next| asked.is_some() && *next + 2 < tokens.len());
    if let Some(next) = next {
        let mut drafts = remarked(&tokens[..next], lexicon)?;
        drafts.extend(with_extras(&tokens[next + 2..], lexicon));
        return Some(drafts);
    }
    // "…, can't have onions, for friday": the day behind it is the to-do's.
    let end = tokens.iter().rposition(|t| t.sign(",")).filter(|end| *end > at && asked.is_some());
    let end = end.filter(|end| peel_whole(&tokens[*end + 1..], lexicon).is_some());
    let (tokens, own) = tokens.split_at(end.unwrap_or(tokens.len()));
    let mut drafts = with_extras(&[trim_signs(&tokens[..at]), own].concat(), lexicon);
    if let Some(only) = drafts.last_mut().filter(|draft| draft.notes.is_none()) {
        only.notes = Some(note_text(&tokens[at..], false));
        only.remarked = true;
    }
    Some(drafts)
}
