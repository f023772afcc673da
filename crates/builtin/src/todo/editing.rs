//! Commands about to-dos that exist.

use crate::lex::{Kind, Token, after, before, capitalised, longest, starts, text_of, trim_signs};
use crate::todo::attrs::{Lexicon, peel, peel_whole};
use crate::todo::filter::filter;
use crate::todo::intent::{Due, Filter, Intent, Named, Patch, Target, patch};
use crate::todo::moving::{self, peel_new, reschedule};
use crate::todo::target::target;
use crate::todo::urgency::level;
use crate::todo::{marking, retract};

/// Reads a clause that begins with a verb about existing to-dos.
pub fn editing(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    retract::undo(tokens)
        .or_else(|| clear(tokens, lexicon))
        .or_else(|| take_off(tokens, lexicon))
        .or_else(|| delete(tokens, lexicon))
        .or_else(|| put_on(tokens, lexicon))
        .or_else(|| moving::everything(after(tokens, &["set|make|change|give|put|update"])?, lexicon))
        .or_else(|| rename(tokens, lexicon))
        .or_else(|| marking::mark(tokens, lexicon))
        .or_else(|| reschedule(tokens, lexicon))
        .or_else(|| set(tokens, lexicon))
}

fn clear(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let rest = after(
        tokens,
        &[
            "clear", "clear out", "clean up", "clean out", "delete", "remove", "purge", "get rid of",
            "erase", "clear away", "wipe", "empty",
        ],
    )?;
    let (found, left) = filter(rest, lexicon);
    // "delete done" clears what is done; "delete the done report" names one.
    let plain = Filter { status: found.status, list: found.list.clone(), ..Filter::default() } == found;
    let narrow = rest.iter().any(|t| t.of("first last second one it that not except but"));
    if trim_signs(&left).is_empty() && plain && !narrow && found.status == Some("done") {
        return Some(Intent::ClearCompleted(found.list));
    }
    let clears = tokens[0].of("clear purge wipe empty") || starts(tokens, "clean").is_some();
    let parts = ["date", "deadline", "tag", "tags", "priority", "notes", "note", "repeat"];
    let part = rest.iter().any(|t| t.any(&parts));
    (clears && !part && (plain || left.is_empty())).then_some(Intent::ClearWhat)
}

const WHOSE_NOTES: &str = "Say whose notes: “remove the notes from the report”. I changed nothing.";

/// Whether a clause is an order to take a field off what it names.
pub fn takes_off(tokens: &[Token], lexicon: &Lexicon) -> bool {
    take_off(tokens, lexicon).is_some()
}

/// "remove the date from X", "remove #home from X", "stop repeating X".
fn take_off(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    if let Some(rest) = after(tokens, &["stop repeating", "don't repeat", "stop the repeat of|on"]) {
        return Some(Intent::change(
            target(rest, lexicon),
            Patch { repeat: Some(String::new()), ..Patch::default() },
        ));
    }
    // "stop the rent from repeating", "make the rent not repeat"
    let ended = after(tokens, &["stop"]).and_then(|rest| before(rest, &["repeating", "from repeating"]));
    let ended = ended.or_else(|| {
        let rest = after(tokens, &["make", "let"])?;
        before(rest, &["not repeat", "stop repeating", "no longer repeat", "not repeat anymore"])
    });
    if let Some(aim) = ended.filter(|aim| !aim.is_empty()) {
        let patch = Patch { repeat: Some(String::new()), ..Patch::default() };
        return Some(Intent::change(target(aim, lexicon), patch));
    }
    if let Some(rest) = after(tokens, &["untag", "unlabel"]) {
        let at = rest.iter().position(|t| t.kind == Kind::Tag);
        let tags: Vec<String> =
            rest.iter().filter(|t| t.kind == Kind::Tag).map(|t| t.lower.clone()).collect();
        let patch = Patch { clear_tags: tags.is_empty(), remove_tags: tags, ..Patch::default() };
        return Some(Intent::change(
            target(
                before(&rest[..at.unwrap_or(rest.len())], &["from"])
                    .unwrap_or(&rest[..at.unwrap_or(rest.len())]),
                lexicon,
            ),
            patch,
        ));
    }
    let rest = after(
        tokens,
        &[
            "remove|strip|wipe|scratch", "delete", "clear", "drop", "take off", "take", "erase", "unset",
            "get rid of", "strip off",
        ],
    )?;
    // "my notes" are of no to-do that was spoken of.
    if starts(rest, "my|all notes|note").or_else(|| starts(rest, "all my|the notes")) == Some(rest.len()) {
        return Some(Intent::say(WHOSE_NOTES));
    }
    // "delete #trip" is about its to-dos, "remove #trip" may be about the tag.
    if tokens[0].of("delete erase") && matches!(rest, [tag] if tag.kind == Kind::Tag) {
        let text = format!("#{}", rest[0].text);
        let named = Named { parts: vec![text.clone()], text, ..Named::default() };
        return Some(Intent::Delete(Target::Named(named)));
    }
    let rest = after(rest, &["the", "its", "their", "my", "a", "all"]).unwrap_or(rest);
    let mut patch = Patch::default();
    let date = longest(rest, &["due date|dates", "date|dates", "deadline|deadlines", "due time", "due"]);
    let (n, fits) = if let Some(n) = date {
        patch.due = Some(Due::Never);
        (n, true)
    } else if let Some(n) = starts(rest, "priority").or(starts(rest, "high|low|medium|urgent|top priority")) {
        patch.priority = Some("none");
        (n, true)
    } else if let Some(n) = longest(rest, &["repeat|repetition|recurrence", "repeat rule"]) {
        patch.repeat = Some(String::new());
        (n, true)
    } else if let Some(n) = starts(rest, "note|notes") {
        patch.notes = Some(String::new());
        (n, true)
    } else {
        // "the tag home", "tag #home", "#home and #garden", "the home tag", "all tags".
        let word = starts(rest, "tag|tags|label|labels").unwrap_or(0);
        let mut at = word;
        while let Some(token) = rest.get(at) {
            let joins = token.sign(",") || token.of("and &");
            if token.kind == Kind::Tag {
                patch.remove_tags.push(token.lower.clone());
            } else if !joins {
                break;
            }
            at += 1;
        }
        if word > 0 && patch.remove_tags.is_empty() {
            match rest.get(at).filter(|t| !t.of("from of on") && t.kind != Kind::Sign) {
                Some(name) => {
                    patch.remove_tags.push(name.lower.clone());
                    at += 1;
                }
                None => patch.clear_tags = true,
            }
        } else if word == 0 && patch.remove_tags.is_empty() && rest.get(1).is_some_and(|t| t.of("tag label"))
        {
            patch.remove_tags.push(rest[0].lower.clone());
            at = 2;
        }
        let fits = patch.clear_tags || !patch.remove_tags.is_empty();
        at += starts(rest.get(at..).unwrap_or_default(), "tag|tags").unwrap_or(0);
        (at, fits)
    };
    if !fits {
        return None;
    }
    let tail = trim_signs(rest.get(n..)?);
    // "take the notes" is something to do.
    if tail.is_empty() && starts(tokens, "take").is_some() && starts(tokens, "take off").is_none() {
        return None;
    }
    // "Remove the date" is about what was last spoken of.
    let aim = match tail {
        [] => Target::It,
        tail => target(after(tail, &["from", "of", "on", "off", "for"])?, lexicon),
    };
    Some(Intent::change(aim, patch))
}

fn delete(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    // "take the lease off my list"
    const OFF: &[&str] = &[
        "off|from my|the|our list", "off|from my|the|our todo|to-do list", "off|from my|the|our todos|tasks",
    ];
    if let Some(aim) =
        after(tokens, &["take|get|kick|knock|strike|pull|throw"]).and_then(|rest| before(rest, OFF))
        && !aim.is_empty()
    {
        return Some(Intent::Delete(target(aim, lexicon)));
    }
    let rest = after(
        tokens,
        &[
            "delete", "remove", "erase", "trash", "get rid of", "throw away", "throw out", "drop", "scrap",
            "scratch", "kill",
        ],
    )?;
    if tokens[0].is("kill") && !rest.last()?.of("todo task to-do reminder it") {
        return None;
    }
    if tokens[0].of("scrap scratch") && !matches!(target(rest, lexicon), Target::Named(_)) {
        return None;
    }
    if tokens[0].is("drop")
        && starts(rest, "it|them|that|this|the").is_none()
        && rest.first().is_none_or(|t| t.kind != Kind::Quoted)
    {
        // "drop off the parcel" is something to do.
        return None;
    }
    if rest.len() == 1 && rest[0].of("nothing none") {
        return Some(Intent::Hands);
    }
    Some(Intent::Delete(target(rest, lexicon)))
}

/// "tag X with home", "add #home to X", "add a note to X: …".
fn put_on(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let note = after(
        tokens,
        &[
            "add a note|comment to|on|for", "add note|notes to|on|for", "add the note to|on|for",
            "note on|for", "add a note|comment",
        ],
    );
    if let Some(rest) = note
        && let Some(colon) = rest.iter().position(|t| t.sign(":") || t.of("saying"))
    {
        return noted(target(&rest[..colon], lexicon), &rest[colon + 1..]);
    }
    if let Some(noted) = to_notes(tokens, lexicon) {
        return Some(noted);
    }
    if let Some(rest) = after(tokens, &["tag", "label"]) {
        let split = rest.iter().position(|t| t.of("with as") || t.kind == Kind::Tag);
        // "tag it phone"
        let pronoun = rest.first().is_some_and(|t| t.of("it them that those both"));
        let split = split.or((pronoun && rest.len() == 2).then_some(1))?;
        let tags = tag_words(&rest[split..]);
        let patch = Patch { add_tags: tags, ..Patch::default() };
        return (!patch.add_tags.is_empty()).then(|| Intent::change(target(&rest[..split], lexicon), patch));
    }
    // "put it in shopping", "add it to my work list"
    if let Some(rest) = after(tokens, &["add", "put"])
        && starts(rest, "it|that|them|both").is_some()
        && let Some(attrs) = peel_whole(&rest[1..], lexicon)
    {
        return Some(Intent::change(target(&rest[..1], lexicon), patch(attrs)));
    }
    if let Some(moved) = moving::into_list(tokens, lexicon) {
        return Some(moved);
    }
    let rest = after(tokens, &["add", "put", "add the", "add a"])?;
    let named = starts(rest, "tag|tags|label").unwrap_or(0);
    let to = rest.iter().position(|t| t.of("to on"))?;
    let tags = rest.get(named..to)?;
    let only_tags = tags.iter().all(|t| t.kind == Kind::Tag || t.sign(",") || t.of("and &"));
    if tags.is_empty() || !only_tags && (named == 0 || tags.len() > 5) {
        return None;
    }
    let patch = Patch { add_tags: tag_words(tags), ..Patch::default() };
    Some(Intent::change(target(&rest[to + 1..], lexicon), patch))
}

/// "add the door code to the hotel's notes", "add to the notes for the hotel: door code 12".
fn to_notes(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let rest = after(tokens, &["add|put|write|append|jot"])?;
    let colon = rest.iter().position(|t| t.sign(":"));
    let (said, place) = match colon.filter(|_| starts(rest, "to|in|into|on|under").is_some()) {
        Some(colon) => (&rest[colon + 1..], &rest[1..colon]),
        None => {
            let at = rest.iter().rposition(|t| t.of("to in into under"))?;
            (&rest[..at], &rest[at + 1..])
        }
    };
    if matches!(place, [its, note] if its.is("its") && note.of("notes note description")) {
        return noted(Target::It, said);
    }
    let owner = match after(place, &["the notes|note|description of|for|on", "notes|description of|for|on"]) {
        Some(aim) => aim.to_vec(),
        None => {
            let mut aim = before(place, &["notes|note|description"])?.to_vec();
            let last = aim.last_mut()?;
            let name = last.lower.strip_suffix("'s").map(str::len)?;
            last.text.truncate(name);
            last.lower.truncate(name);
            aim
        }
    };
    if owner.is_empty() { None } else { noted(target(&owner, lexicon), said) }
}

/// Words that come to the notes of what is named.
fn noted(aim: Target, said: &[Token]) -> Option<Intent> {
    let text = text_of(trim_signs(said));
    let patch = Patch { notes: Some(text.clone()), ..Patch::default() };
    (!text.is_empty()).then(|| Intent::change(aim, patch))
}

fn tag_words(tokens: &[Token]) -> Vec<String> {
    tokens
        .iter()
        .filter(|t| t.kind != Kind::Sign && !t.of("with as and & tag tags the"))
        .map(|t| t.lower.clone())
        .collect()
}

fn rename(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let named = |aim: &[Token], title: &[Token]| {
        let title = capitalised(text_of(trim_signs(title)).trim());
        Intent::Rename(target(aim, lexicon), (!title.is_empty()).then_some(title))
    };
    if let Some(rest) = after(
        tokens,
        &[
            "rename", "retitle", "change the title|name of", "change title|name of",
            "edit the title|name of", "set the title|name of", "update the title|name of",
            "change the wording of",
        ],
    ) {
        let cut = |t: &Token| t.of("to as into") || t.sign(":") || t.of("=> -> →");
        return Some(match rest.iter().position(cut) {
            Some(at) => named(&rest[..at], &rest[at + 1..]),
            None => named(rest, &[]),
        });
    }
    // "call it Y", "change its name to Y", "change it to say Y".
    let rest = after(tokens, &["call", "change", "change the title|name of", "title"])?;
    if tokens[0].is("call") {
        // "call the tap task "Repair the tap""
        if let [aim @ .., name] = rest
            && name.kind == Kind::Quoted
            && aim.last().is_some_and(|t| t.of("task todo to-do one item it"))
        {
            return Some(named(aim, std::slice::from_ref(name)));
        }
        let n = starts(rest, "it|that").or_else(|| starts(rest, "this one|todo"))?;
        let after_it = rest.get(n..).filter(|r| !r.is_empty())?;
        // "call it a day" is a saying, "call that number" something to do.
        return (rest[0].is("it") || rest[0].is("this"))
            .then(|| named(&rest[..1], after_it))
            .filter(|_| starts(after_it, "a day").is_none());
    }
    if let Some(title) =
        after(rest, &["its title|name to", "the title|name to", "it to say", "it to read", "it into"])
    {
        return Some(named(&[], title));
    }
    // "change X to Y", when Y is neither a date nor anything else a to-do has.
    let at = rest.iter().position(|t| t.of("to into"))?;
    let (title, attrs) = peel(&rest[at + 1..], lexicon);
    let (with_to, _) = peel(&rest[at..], lexicon);
    if trim_signs(&title).is_empty()
        || trim_signs(&with_to).is_empty()
        || !attrs.is_empty() && title.len() < 2
    {
        return None;
    }
    let part = rest[..at].iter().any(|t| t.of("priority date deadline due list time tag tags repeat"));
    (!part && level(&title[0].lower).is_none()).then(|| named(&rest[..at], &rest[at + 1..]))
}

/// "set X to high priority", "make it urgent", "change the priority of X to low", "repeat X every week".
fn set(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    let of = ["set", "change", "raise", "lower", "make", "update"];
    let priority = of.iter().find_map(|verb| {
        after(tokens, &[&format!("{verb} the priority of|for"), &format!("{verb} priority of|for|on")])
    });
    if let Some(rest) = priority {
        let to = rest.iter().rposition(|t| t.of("to as") || t.sign(":"));
        let Some(to) = to else { return stepped(tokens, lexicon) };
        let word = level(&rest.get(to + 1)?.lower)?;
        return Some(Intent::change(
            target(&rest[..to], lexicon),
            Patch { priority: Some(word), ..Patch::default() },
        ));
    }
    if let Some(rest) = after(tokens, &["unflag", "deprioritize|deprioritise"]) {
        return Some(Intent::change(
            target(rest, lexicon),
            Patch { priority: Some("none"), ..Patch::default() },
        ));
    }
    if let Some(step) = stepped(tokens, lexicon) {
        return Some(step);
    }
    if let Some(rest) = after(tokens, &["prioritize|prioritise"]) {
        return Some(Intent::change(
            target(rest, lexicon),
            Patch { priority: Some("high"), ..Patch::default() },
        ));
    }
    if starts(tokens, "make a|another note|todo|task|reminder")
        .or_else(|| starts(tokens, "set up"))
        .or_else(|| starts(tokens, "make sure"))
        .or_else(|| starts(tokens, "make a second|third|further|copy"))
        .is_some()
    {
        return None;
    }
    let rest = after(tokens, &["set", "make", "change", "mark", "update", "repeat", "edit", "flag"])?;
    let tail = rest.last()?;
    // "set X to high", "mark X important".
    if let Some(word) = level(&tail.lower).filter(|w| *w != "none" || tail.is("none")) {
        let aim = &rest[..rest.len() - 1];
        let aim = before(aim, &["to", "as", "to be", "priority", "priority to"]).unwrap_or(aim);
        let aim = before(aim, &["'s", "priority"]).unwrap_or(aim);
        // "make it not urgent"
        let (aim, word) = match before(aim, &["not", "no longer", "not so|that"]) {
            Some(aim) => (aim, "none"),
            None => (aim, word),
        };
        if !aim.is_empty() && tail.kind == Kind::Word {
            let (aim, more) = peel_new(aim, lexicon);
            return Some(Intent::change(
                target(&aim, lexicon),
                Patch { priority: Some(word), ..patch(more) },
            ));
        }
    }
    let (left, attrs) = peel_new(rest, lexicon);
    if attrs.is_empty() || left.is_empty() {
        return None;
    }
    let aim = before(
        &left,
        &["to", "as", "to be", "repeat", "due", "to repeat", "be", "due date to", "for", "with", "happen"],
    )
    .unwrap_or(&left);
    (!aim.is_empty()).then(|| Intent::change(target(aim, lexicon), patch(attrs)))
}

/// "raise the priority of the report", "lower its priority": one step up or down.
fn stepped(tokens: &[Token], lexicon: &Lexicon) -> Option<Intent> {
    if let Some(rest) = after(tokens, &["make|mark|set|rate"])
        && let Some(aim) =
            before(rest, &["less|more important|urgent|pressing", "as less|more important|urgent|pressing"])
        && !aim.is_empty()
    {
        let step = if rest[aim.len()..].iter().any(|t| t.is("less")) { -1 } else { 1 };
        return Some(Intent::change(target(aim, lexicon), Patch { step, ..Patch::default() }));
    }
    const UP: &[&str] = &["raise|increase|bump|up|boost", "bump up", "move up"];
    const DOWN: &[&str] = &["lower|decrease|reduce|drop", "bump down", "move down"];
    let (rest, step) = match after(tokens, UP) {
        Some(rest) => (rest, 1),
        None => (after(tokens, DOWN)?, -1),
    };
    let aim = match after(rest, &["the priority of|for", "priority of|for"]) {
        Some(aim) => target(aim, lexicon),
        None if starts(rest, "its|the|their priority") == Some(rest.len()) => Target::It,
        // "the report's priority": the owner is read off the name.
        None => target(before(rest, &["priority"]).filter(|aim| !aim.is_empty()).map(|_| rest)?, lexicon),
    };
    Some(Intent::change(aim, Patch { step, ..Patch::default() }))
}
